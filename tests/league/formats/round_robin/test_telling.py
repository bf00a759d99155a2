"""What is told of a round robin while it is played: news, what players need, what a correction changes."""

from dataclasses import replace

import pytest

from bot.league.bracket.match_names import FINAL
from bot.league.checking.consequences import corrected, of_correction
from bot.league.checking.verify import as_of
from bot.league.formats.round_robin import RoundRobin
from bot.league.season.model import Kind, Season, Stage
from bot.league.summaries.highlights import highlights
from bot.league.summaries.outlook import look_ahead
from bot.league.summaries.outlook.prospects import Verdict
from bot.league.summaries.round_news import news_of
from bot.league.summaries.season_length import season_length
from tests.league.builders import as_round, decided, first_by_name, play_season, proposed, season, with_departure

FORMAT = RoundRobin()


def before(now: Season, number: int) -> Season:
    """Return the season as it was with so many finished rounds."""
    return as_of(now, number + 1)


def test_news_tell_who_stands_at_the_line_before_the_last_round_and_the_cut_after_it() -> None:
    played = play_season(season("round-robin", 8, group_size=4)).season
    two, three = news_of(FORMAT, before(played, 2), 2), news_of(FORMAT, before(played, 3), 3)
    assert (len(two.above), len(two.below), two.cut) == (4, 4, None)
    assert three.cut is not None
    finalists = [row.name for row in three.cut.rows]
    assert finalists == [*FORMAT.finalists_now(before(played, 3))]
    assert {*three.out} == {entrant.name for entrant in played.entrants} - {*finalists}
    assert news_of(FORMAT, played, 5).through == ("p01",)


def test_the_news_say_what_decided_the_last_place() -> None:
    start = season("round-robin", 4, number=1, cut=2)
    now = start
    wins = {frozenset(("p01", "p02")): "p01", frozenset(("p02", "p03")): "p02", frozenset(("p01", "p03")): "p03"}
    for _ in range(3):
        open_ = as_round(proposed(now))
        results = (
            decided(match, lambda one, other, _: wins.get(frozenset((one, other)), min(one, other)), open_.number)
            for match in open_.matches
        )
        now = replace(now, rounds=(*now.rounds, replace(open_, matches=tuple(results))))
    cut = news_of(FORMAT, now, 3).cut
    assert cut is not None
    assert cut.decided is not None
    assert cut.decided.drawn
    assert cut.decided.what == "draw"
    assert {*FORMAT.drawn_places(now)} == {"p01", "p02", "p03"}


def words(now: Season) -> dict[str, str]:
    found = look_ahead(now)
    assert found is not None
    assert not found.exact
    return {name: prospect.words for name, prospect in found.players.items()}


SURE = "You're sure of the finals. That holds for every result still to come, if no one leaves the season."
GONE = "You can't reach the finals any more. That holds for every result still to come, if no one leaves the season."


def test_an_outlook_says_what_holds_whatever_the_scores_to_come() -> None:
    played = play_season(season("round-robin", 5, number=1, cut=2)).season
    assert words(before(played, 3)) == {
        "p01": "Win and you're in.",
        "p02": "Two more wins are always enough for the finals.",
        "p03": "Lose and you're out.",
        "p04": "It's too early to say what you need.",
        "p05": GONE,
    }
    assert words(before(played, 4)) == {
        "p01": SURE,
        "p02": "Win and you're in.",
        "p03": "It depends on other results.",
        "p04": "Lose and you're out.",
        "p05": GONE,
    }


def test_a_win_against_who_is_struck_is_no_win_that_others_come_on_top_of() -> None:
    now = before(play_season(season("round-robin", 7, number=1, cut=2)).season, 2)
    assert FORMAT.history(now).records["p03"].opponents == ["p07"]
    assert FORMAT.history(now).records["p03"].wins == 1
    assert words(with_departure(now, "p07", 3))["p03"] == "Five wins are always enough for the finals."


def test_a_player_who_left_is_out() -> None:
    now = with_departure(before(play_season(season("round-robin", 6)).season, 2), "p01", 3)
    found = look_ahead(now)
    assert found is not None
    assert found.players["p01"].verdict is Verdict.OUT


@pytest.mark.parametrize(
    ("players", "settings", "last"),
    [
        (8, {}, "Round 7"),
        (8, {"meetings": 2}, "Round 14"),
        (8, {"group_size": 4}, FINAL),
        (8, {"cut": 4}, FINAL),
        (9, {"group_size": 5, "grouping": "divisions"}, "Round 5"),
    ],
)
def test_how_many_rounds_a_season_has_is_known_before(players: int, settings: dict[str, object], last: str) -> None:
    start = season("round-robin", players, **settings)
    length = season_length(FORMAT, start.settings, players)
    assert length.rounds[-1] == last
    assert length.complete
    assert len(length.rounds) == len(play_season(start).season.rounds)


def test_a_correction_changes_no_regular_round_and_can_change_who_is_in_the_finals() -> None:
    played = play_season(season("round-robin", 5, cut=2)).season
    match = next(one for one in played.rounds[0].matches if "p01" in one.players or "p02" in one.players)
    other = replace(match, winner=match.opponent_of(match.winner or match.upper))
    changed = of_correction(played, corrected(played, 1, other), 1, over=True)
    assert changed.regular == ()
    assert changed.moves


def test_the_season_in_numbers_counts_no_round_of_rest() -> None:
    played = play_season(season("round-robin", 5)).season
    told = highlights(FORMAT, played, "p01")
    assert (told.players, told.rounds, told.matches, told.in_finals) == (5, 5, 10, 0)
    assert len(told.way) == 4


def test_the_champions_way_has_as_many_wins_as_their_record_also_where_a_player_is_struck() -> None:
    played = with_departure(play_season(season("round-robin", 5)).season, "p05", 2)
    forfeits = (
        tuple(
            replace(match, kind=Kind.FORFEIT, games=None) if "p05" in match.players and round_.number > 1 else match
            for match in round_.matches
        )
        for round_ in played.rounds
    )
    rounds = zip(played.rounds, forfeits, strict=True)
    now = replace(played, rounds=tuple(replace(round_, matches=matches) for round_, matches in rounds))
    assert FORMAT.struck(now) == {"p05"}
    assert FORMAT.standings(now)[0].wins == len(highlights(FORMAT, now, "p01").way) == 3


def test_matches_that_are_open_at_once_have_no_news_before_they_are_over() -> None:
    start, rounds = season("round-robin", 4, schedule="open"), []
    for _ in range(3):
        rounds.append(as_round(proposed(replace(start, rounds=tuple(rounds)))))
    now = replace(start, rounds=tuple(rounds))
    assert all(match.kind is Kind.OPEN for one in now.rounds for match in one.matches)
    assert all(row.points == 0 for row in FORMAT.standings(now))
    assert [one.stage for one in now.rounds] == [Stage.REGULAR] * 3
    results = tuple(decided(match, first_by_name, 3) for match in now.rounds[2].matches)
    later = replace(now, rounds=(*now.rounds[:2], replace(now.rounds[2], matches=results)))
    assert {row.name: row.points for row in FORMAT.standings(later)}["p01"] == 1
