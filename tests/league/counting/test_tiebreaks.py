"""Tie-breaks: the documents' own numbers, one cross-table with byes, and the sums compared with plain listing."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.counting.history import History
from bot.league.counting.records import Record
from bot.league.counting.tiebreaks import (
    beaten_opponents_wins,
    comparable,
    game_win_percentage,
    games_of,
    mean_of_opponents,
    printed,
    strength_of_schedule,
    win_rates,
)
from bot.league.season.model import Departure, DepartureKind, Entrant, Kind, Match, Name, Round, Season
from bot.league.season.scales import PointScale
from bot.league.season.settings import SeasonSettings

CROSS_TABLE = (
    ("a>b", "c>d", "e>f", "g"),
    ("a>c", "g>e", "b>d", "f"),
    ("g>a", "c>e", "b>f", "d"),
)
"""Seven players, three rounds; a lone name has the bye."""


def a_round(number: int, results: tuple[str, ...]) -> Round:
    matches: list[Match] = []
    byes: list[Name] = []
    for result in results:
        if ">" in result:
            winner, loser = (Name(part) for part in result.split(">"))
            matches.append(Match(upper=winner, lower=loser, kind=Kind.PLAYED, winner=winner))
        else:
            byes.append(Name(result))
    return Round(number=number, byes=tuple(byes), matches=tuple(matches))


def season_of(names: str, rounds: tuple[Round, ...], **changed: object) -> Season:
    fields: dict[str, object] = {
        "entrants": tuple(Entrant(name=Name(name)) for name in names),
        "settings": SeasonSettings(),
        **changed,
    }
    return Season(league="Test", number=1, format="keyforge-swiss", rounds=rounds, **fields)


def cross_table() -> Mapping[Name, Record]:
    rounds = tuple(a_round(number, results) for number, results in enumerate(CROSS_TABLE, start=1))
    return History(season_of("abcdefg", rounds)).records


def rates(owr: Fraction, oowr: Fraction) -> dict[str, Fraction]:
    return {"strength_of_schedule": owr + oowr, "owr": owr, "oowr": oowr}


def test_the_numbers_of_scott_and_josh_are_printed_as_in_the_document() -> None:
    scott = rates(2 * Fraction(20, 32), Fraction(92, 148))
    josh = rates(2 * Fraction(19, 33), Fraction(113, 166))
    assert scott["strength_of_schedule"] == Fraction(277, 148)
    assert josh["strength_of_schedule"] == Fraction(10037, 5478)
    assert printed(scott) == {"strength_of_schedule": "1.872", "owr": "1.250", "oowr": "0.622"}
    assert printed(josh) == {"strength_of_schedule": "1.833", "owr": "1.152", "oowr": "0.681"}
    assert printed({"game_wins": 4, "game_win_percentage": Fraction(2, 3)}) == {
        "game_wins": "4",
        "game_win_percentage": "0.667",
    }
    assert printed({"strength_of_schedule": 0.4996}) == {"strength_of_schedule": "0.500"}
    assert scott["strength_of_schedule"] > josh["strength_of_schedule"]


def test_playstile_counts_the_player_among_the_opponents_of_their_opponents() -> None:
    found = win_rates(cross_table())
    assert {name: str(rates["strength_of_schedule"]) for name, rates in found.items()} == {
        "a": "145/72",
        "b": "14/9",
        "c": "115/72",
        "d": "16/9",
        "e": "38/21",
        "f": "14/9",
        "g": "31/18",
    }


def test_keyforge_strength_of_schedule_leaves_out_own_byes_and_counts_those_of_the_opponents() -> None:
    records = cross_table()
    schedule = strength_of_schedule(records)
    extended = mean_of_opponents(records, schedule)
    shown = {name: (str(schedule[name]), str(extended[name])) for name in records}
    assert shown == {
        "a": ("7/9", "25/54"),
        "b": ("4/9", "35/54"),
        "c": ("4/9", "19/27"),
        "d": ("2/3", "4/9"),
        "e": ("2/3", "13/27"),
        "f": ("1/2", "5/9"),
        "g": ("1/2", "13/18"),
    }


def test_lightseekers_adds_the_wins_of_those_beaten_and_a_bye_beats_nobody() -> None:
    assert beaten_opponents_wins(cross_table()) == {"a": 4, "b": 2, "c": 2, "d": 0, "e": 1, "f": 0, "g": 3}


def test_someone_who_met_nobody_has_nothing_to_show() -> None:
    records = History(season_of("ab", (a_round(1, ("a", "b")),))).records
    assert strength_of_schedule(records) == {"a": 0, "b": 0}
    assert mean_of_opponents(records, strength_of_schedule(records)) == {"a": 0, "b": 0}
    assert win_rates(records)[Name("a")]["strength_of_schedule"] == 0
    assert game_win_percentage(*games_of(records[Name("a")], 3)) == 0


def test_rounds_after_an_opponents_drop_do_not_lower_their_share() -> None:
    rounds = (a_round(1, ("a>b", "c>d")), a_round(2, ("b>c", "d")))
    gone = (Departure(name=Name("a"), kind=DepartureKind.DROP, round=2),)
    records = History(season_of("abcd", rounds, departures=gone)).records
    # a won their only round; c has one point of two rounds.
    assert strength_of_schedule(records)[Name("b")] == (Fraction(1) + Fraction(1, 2)) / 2


def test_missed_rounds_of_a_late_opponent_count_as_rounds() -> None:
    rounds = (a_round(1, ("a>b",)), a_round(2, ("c>a", "b")))
    late = tuple(Entrant(name=Name(name), entered=2 if name == "c" else 1) for name in "abc")
    records = History(season_of("abc", rounds, entrants=late)).records
    assert strength_of_schedule(records)[Name("a")] == (Fraction(1, 2) + Fraction(1, 2)) / 2
    assert win_rates(records)[Name("a")]["owr"] == 2 * Fraction(1 + 1, 2 + 2)


def test_the_scale_of_points_reaches_the_strength_of_schedule() -> None:
    drawn = Match(upper=Name("a"), lower=Name("b"), kind=Kind.PLAYED)
    rounds = (Round(number=1, matches=(drawn,)), a_round(2, ("a>b",)))
    settings = SeasonSettings(points=PointScale(win=3, draw=1, loss=0, bye=3), draws=True)
    schedule = strength_of_schedule(History(season_of("ab", rounds, settings=settings)).records)
    assert schedule == {"a": Fraction(1, 2), "b": Fraction(4, 2)}


def test_forfeits_and_double_losses_make_opponents() -> None:
    forfeit = Match(upper=Name("a"), lower=Name("b"), kind=Kind.FORFEIT, winner=Name("a"))
    both_lost = Match(upper=Name("a"), lower=Name("c"), kind=Kind.DOUBLE_LOSS)
    rounds = (Round(number=1, matches=(forfeit,), byes=(Name("c"),)), Round(number=2, matches=(both_lost,)))
    records = History(season_of("abc", rounds)).records
    assert strength_of_schedule(records)[Name("a")] == (0 + Fraction(1, 2)) / 2
    assert beaten_opponents_wins(records) == {"a": 0, "b": 0, "c": 0}


def test_open_matches_count_in_no_table() -> None:
    unfinished = Round(number=2, matches=(Match(upper=Name("a"), lower=Name("c")),), byes=())
    records = History(season_of("abc", (a_round(1, ("a>b", "c")), unfinished))).records
    assert strength_of_schedule(records) == {"a": 0, "b": 1, "c": 0}


def test_games_count_as_reported_and_forfeits_without_games_as_the_fewest_that_win() -> None:
    won = Match(upper=Name("a"), lower=Name("b"), kind=Kind.PLAYED, winner=Name("b"), games=(1, 2))
    forfeit = Match(upper=Name("b"), lower=Name("a"), kind=Kind.FORFEIT, winner=Name("b"))
    records = History(season_of("ab", (Round(number=1, matches=(won,)), Round(number=2, matches=(forfeit,))))).records
    assert {name: games_of(record, 3) for name, record in records.items()} == {"a": (1, 4), "b": (4, 1)}
    assert game_win_percentage(1, 4) == Fraction(1, 5)
    assert game_win_percentage(4, 1) == Fraction(4, 5)


@st.composite
def played_seasons(draw: st.DrawFn) -> Season:
    """Return a season of up to ten players in which anybody may meet anybody, more than once."""
    names = [Name(name) for name in "abcdefghij"[: draw(st.integers(min_value=2, max_value=10))]]
    rounds: list[Round] = []
    for number in range(1, draw(st.integers(min_value=1, max_value=6)) + 1):
        order = draw(st.permutations(names))
        pairs = list(zip(order[::2], order[1::2], strict=False))
        winners = draw(st.lists(st.sampled_from((0, 1, None)), min_size=len(pairs), max_size=len(pairs)))
        matches = tuple(
            Match(upper=pair[0], lower=pair[1], kind=Kind.DOUBLE_LOSS)
            if won is None
            else Match(upper=pair[0], lower=pair[1], kind=Kind.PLAYED, winner=pair[won])
            for pair, won in zip(pairs, winners, strict=True)
        )
        rounds.append(Round(number=number, matches=matches, byes=(order[-1],) if len(order) % 2 else ()))
    return season_of("".join(names), tuple(rounds))


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


@given(played_seasons())
def test_sums_per_player_equal_the_listing_of_everybody(season: Season) -> None:
    records = History(season).records
    shares, schedule = win_rates(records), strength_of_schedule(records)
    extended = mean_of_opponents(records, schedule)
    for name, record in records.items():
        opponents = [records[opponent] for opponent in record.opponents]
        beyond = [records[other] for opponent in opponents for other in opponent.opponents]
        for listed, found in ((opponents, shares[name]["owr"] / 2), (beyond, shares[name]["oowr"])):
            games = sum(other.rounds for other in listed)
            assert found == (Fraction(sum(other.wins for other in listed), games) if games else 0)
        assert schedule[name] == mean([Fraction(other.points, other.rounds) for other in opponents])
        assert extended[name] == mean([schedule[other.name] for other in opponents])


@given(st.lists(st.fractions(min_value=0, max_value=100), min_size=1, max_size=30))
def test_whole_numbers_stand_in_for_fractions_exactly(values: list[Fraction]) -> None:
    numbers = comparable(dict(enumerate(values)))
    for one, first in enumerate(values):
        for other, second in enumerate(values):
            assert (numbers[one] < numbers[other]) == (first < second)
            assert (numbers[one] == numbers[other]) == (first == second)


@pytest.mark.parametrize("bits", [53, 200])
def test_neighbours_too_close_for_floats_are_told_apart(bits: int) -> None:
    low, high = Fraction(2**bits - 1, 2**bits), Fraction(2**bits, 2**bits + 1)
    numbers = comparable({"low": low, "high": high})
    assert numbers["low"] < numbers["high"]
