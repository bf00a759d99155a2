"""Where the documents are silent: each reading of docs/formats, with the test that holds it."""

from dataclasses import replace

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile, WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Champion, Next, Qualified
from bot.league.season.model import DepartureKind, Match, Name, Season, Stage, Status
from tests.league.builders import (
    as_round,
    double_loss,
    lines,
    play_season,
    proposed,
    season,
    until,
    with_departure,
    with_round,
    won,
)
from tests.league.checking.league_file.examples import encoded


def next_of(now: Season) -> Next:
    return by_key(now.format).next_round(now)


def before_the_finals(format_: str, players: int, **settings: object) -> Season:
    """Return a season whose next round is the first one of its finals."""
    played = play_season(season(format_, players, **settings)).season
    return until(played, next(round_.number for round_ in played.rounds if round_.stage is Stage.FINALS))


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_a_player_still_in_the_bracket_is_qualified_and_in_single_elimination_active(format_: Format) -> None:
    now = before_the_finals(format_.key, 9, **({"cut": 4} if "cut" in format_.own_settings else {}))
    posted = as_round(proposed(now))
    now = replace(now, rounds=(*now.rounds, posted))
    seated = {*posted.byes, *(name for match in posted.matches for name in match.players)}
    expected = Status.ACTIVE if format_.key == "single-elimination" else Status.QUALIFIED
    assert {lines(now)[name].status for name in seated} == {expected}


def test_places_are_given_in_finals_that_were_never_played() -> None:
    now = before_the_finals("ohs", 8, cut=4, replace=False)
    seated = [name for pair in proposed(now).pairs for name in pair.players]
    for name in seated[1:]:
        now = with_departure(now, name, len(now.rounds) + 1)
    assert next_of(now) == Champion(name=seated[0])
    assert sorted(line.place for line in lines(now).values() if line.place) == [1, 2, 2, 2]


def test_a_bracket_of_one_gives_no_places() -> None:
    now = play_season(season("ohs", 8, cut=1)).season
    assert {line.place for line in lines(now).values()} == {None}
    assert [line.status for line in lines(now).values()].count(Status.CHAMPION) == 1


def test_a_losing_semi_finalist_whose_opponent_left_has_a_bye_beside_the_final() -> None:
    now = season("single-elimination", 4, third_place=True)
    semi = proposed(now)
    now = with_round(now, *(won(*pair.players) for pair in semi.pairs), stage=Stage.FINALS)
    final = proposed(with_departure(now, semi.pairs[0].lower, 2))
    assert [pair.players for pair in final.pairs] == [(semi.pairs[0].upper, semi.pairs[1].upper)]
    assert [bye.name for bye in final.byes] == [semi.pairs[1].lower]


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2)])
def test_under_five_players_keyforge_plays_the_fewest_rounds_for_one_winner(players: int, rounds: int) -> None:
    played = play_season(season("keyforge-swiss", players))
    assert [round_.stage for round_ in played.season.rounds] == [Stage.REGULAR] * rounds
    assert isinstance(played.end, Qualified)


def test_one_player_left_after_the_last_round_has_qualified_where_there_are_no_finals() -> None:
    now = with_round(season("keyforge-swiss", "ab", rounds=1, cut=0), won("a", "b"))
    gone = with_departure(now, "a", 2)
    assert next_of(gone) == Qualified(names=(Name("b"),))
    assert lines(gone)["b"].status is Status.CHAMPION


def test_a_champion_who_is_disqualified_after_the_final_stays_the_champion() -> None:
    played = play_season(season("keyforge-swiss", 9, cut=4))
    assert played.champion is not None
    gone = with_departure(
        played.season, played.champion, len(played.season.rounds) + 1, kind=DepartureKind.DISQUALIFICATION
    )
    assert next_of(gone) == Champion(name=played.champion)
    assert lines(gone)[played.champion].status is Status.CHAMPION


def test_players_who_left_before_a_tie_break_round_rank_above_its_losers() -> None:
    now = season("two-loss-out", "abcdefghij", losses=1, cut=3)
    now = with_round(now, won("a", "f"), won("b", "g"), won("c", "h"), won("d", "i"), won("e", "j"))
    equal = [name for name, line in lines(now).items() if line.losses == 0]
    assert (proposed(now).stage, sorted(equal)) == (Stage.TIEBREAK, list("abcde"))
    # e leaves, and of the four others two lose the tie-break round for the second time: b and d.
    gone = with_departure(now, "e", 2)
    now = with_round(gone, won("a", "b"), won("c", "d"), stage=Stage.TIEBREAK)
    assert list(lines(now))[:2] == sorted("ac", key=list(lines(now)).index)
    assert list(lines(with_departure(with_departure(now, "b", 3), "d", 3)))[2] == "e"


def test_later_rounds_are_compared_with_what_the_rules_make_of_the_file() -> None:
    played = play_season(season("keyforge-swiss", 8, rounds=3, cut=0)).season
    first = played.rounds[0]
    (a, b), (c, d) = first.matches[0].players, first.matches[1].players
    wrong = replace(first, matches=(won(a, c), won(b, d), *first.matches[2:]))
    # Round 2 is what the rules make of the wrong round, not of the one that was due.
    now = replace(played, rounds=(wrong,))
    second = tuple(replace(match, winner=match.upper) for match in map(_played, as_round(proposed(now)).matches))
    found = verify(with_round(now, *second)).rounds
    assert [check.difference is None for check in found] == [False, True]


def _played(match: Match) -> Match:
    return won(*match.players)


def test_a_recorded_season_has_nothing_to_verify() -> None:
    data = {"fairpair": 1, "league": "L", "season": 1, "format": "record", "players": [{"name": "a"}, {"name": "b"}]}
    with pytest.raises(WrongPhase, match="record"):
        verify(read(encoded(data)))


def test_a_league_file_names_its_league() -> None:
    data = {"fairpair": 1, "season": 1, "format": "ohs", "players": [{"name": "a"}, {"name": "b"}]}
    with pytest.raises(InvalidFile, match="league"):
        read(encoded(data))


def test_a_match_for_third_place_keeps_the_season_open_after_the_final() -> None:
    now = season("single-elimination", 4, third_place=True)
    semi = proposed(now)
    now = with_round(now, *(won(*pair.players) for pair in semi.pairs), stage=Stage.FINALS)
    final, third = proposed(now).pairs
    now = with_round(now, won(*final.players), Match(upper=third.upper, lower=third.lower), stage=Stage.FINALS)
    assert Status.CHAMPION not in {line.status for line in lines(now).values()}


def test_the_last_player_left_is_the_champion_only_when_every_match_has_its_result() -> None:
    start = with_round(season("two-loss-out", "ab", cut=1, losses=1), Match(upper=Name("a"), lower=Name("b")))
    gone = with_departure(start, "b", 1, after_pairing=True)
    assert lines(gone)["a"].status is Status.ACTIVE
    decided = replace(gone, rounds=with_round(season("ohs", "ab"), won("a", "b")).rounds)
    assert lines(decided)["a"].status is Status.CHAMPION


def test_nobody_is_left_where_the_last_two_both_lost_and_left() -> None:
    now = with_round(season("two-loss-out", "ab", cut=1, losses=1), double_loss("a", "b"))
    gone = with_departure(with_departure(now, "a", 2), "b", 2)
    assert next_of(gone) == Champion(name=None)
