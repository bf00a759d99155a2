"""A season in numbers: the closest match, the biggest upset by shown ratings, the champion's way; in every format."""

from dataclasses import replace

import pytest

from bot.league.counting.standings import at_the_end
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.season.model import Entrant, Kind, Match, Name, Rating, Round, Season, Stage
from bot.league.summaries.highlights import highlights
from tests.league.builders import play_season, season

ADA, BO = Name("Ada"), Name("Bo")
STRONG, WEAK = Rating(mu=35, sigma=2), Rating(mu=20, sigma=2)


def of(*matches: Match) -> Season:
    """Return a season of two in which these matches were played, one a round."""
    rounds = tuple(Round(number=number, matches=(match,)) for number, match in enumerate(matches, start=1))
    two = season("keyforge-swiss", [Entrant(name=ADA, rating=STRONG), Entrant(name=BO, rating=WEAK)])
    return Season(
        league=two.league, number=1, format=two.format, settings=two.settings, entrants=two.entrants, rounds=rounds
    )


def match(winner: Name | None, games: tuple[int, int] | None = None, kind: Kind = Kind.PLAYED) -> Match:
    return Match(upper=ADA, lower=BO, kind=kind, winner=winner, games=games)


def told(*matches: Match) -> tuple[tuple[int, int] | None, int]:
    made = highlights(by_key("keyforge-swiss"), of(*matches), None)
    return made.closest and made.closest.games, made.upset.points if made.upset else 0


def test_the_closest_match_has_the_least_distance_then_the_most_games_then_it_is_the_latest() -> None:
    assert told(match(ADA, (2, 0)))[0] is None
    assert told(match(ADA, (2, 0)), match(ADA, (2, 1)), match(ADA, (3, 1)))[0] == (2, 1)
    assert told(match(ADA, (3, 2)), match(ADA, (2, 1)))[0] == (3, 2)
    assert told(match(ADA, (2, 1)), match(BO, (1, 2)))[0] == (1, 2)
    assert told(match(ADA))[0] is None


def test_where_matches_have_scores_the_closest_is_by_its_score() -> None:
    rows = [replace(match(ADA, (2, 1)), score=(99, 1)), replace(match(ADA, (2, 0)), score=(87, 86)), match(ADA, (3, 2))]
    closest = highlights(by_key("keyforge-swiss"), of(*rows), None).closest
    assert closest == rows[1]
    assert highlights(by_key("keyforge-swiss"), of(replace(match(ADA), score=(1, 0))), None).closest is None


def test_the_upset_is_by_shown_ratings_before_the_match() -> None:
    assert told(match(ADA))[1] == 0
    # 1000 + 40 * (35 - 6) against 1000 + 40 * (20 - 6)
    assert told(match(BO))[1] == 600
    assert told(match(BO), match(BO))[1] == 600, "Bo's second win is against a player rated less far above them"
    assert told(match(BO, kind=Kind.FORFEIT))[1] == 0
    assert told(match(None, (1, 1)))[1] == 0
    assert told(match(None, (1, 1)), match(BO))[1] > 0


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_the_way_has_every_match_and_bye_of_the_champion(format_: Format) -> None:
    finals_of = {"cut": 4} if format_.fixed_rounds else {}
    result = play_season(season(format_, 9, **finals_of)).season
    table = at_the_end(result, format_.standings(result))
    champion = table[0].name
    made = highlights(format_, result, champion)
    seats = [round_ for round_ in result.rounds if champion in round_.seated]
    assert len(made.way) == len(seats)
    finals = [one for one in made.way if one.stage is Stage.FINALS]
    assert finals[-1].name == "Final"
    assert made.matches == sum(match.rated for round_ in result.rounds for match in round_.matches)


def test_the_matches_of_the_way_are_called_as_people_know_them() -> None:
    result = play_season(season("ohs", 9, cut=4)).season
    champion = at_the_end(result, by_key("ohs").standings(result))[0].name
    way = highlights(by_key("ohs"), result, champion).way
    assert [one.name for one in way][3:] == ["Round 4 of 4", "Semi-final 1", "Final"]


@pytest.mark.parametrize(("cut", "players"), [(4, 4), (6, 6), (0, 0)])
def test_in_the_finals_are_players_not_matches(cut: int, players: int) -> None:
    result = play_season(season("ohs", 9, cut=cut)).season
    made = highlights(by_key("ohs"), result, None)
    assert (made.players, made.in_finals) == (9, players)
