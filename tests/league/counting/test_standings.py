"""Tables: the finals' results at the end, the columns beside points and record, and what was changed by hand."""

from dataclasses import replace

import pytest

from bot.league.checking.by_hand import by_hand_words
from bot.league.counting.standings import at_the_end
from bot.league.counting.table_columns import POINTS, RECORD, cells, columns, further
from bot.league.counting.tiebreaks import TiebreakName
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.model import Season, Stage
from tests.league.builders import by_chance, lines, play_season, season, with_round, won


def played(format_: Format) -> Season:
    return play_season(season(format_, 9), by_chance(5)).season


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_a_table_at_the_end_counts_every_match_of_the_finals_once(format_: Format) -> None:
    now = played(format_)
    table = {row.name: row for row in format_.standings(now)}
    finals = [match for round_ in now.rounds if round_.stage is Stage.FINALS for match in round_.matches]
    assert finals or format_.key in ("keyforge-swiss", "round-robin")
    counted = all(round_.stage is Stage.FINALS for round_ in now.rounds)
    for row in at_the_end(now, tuple(table.values())):
        mine = [] if counted else [match for match in finals if row.name in match.players]
        won = sum(match.winner == row.name for match in mine)
        before = table[row.name]
        assert (row.wins, row.losses) == (before.wins + won, before.losses + len(mine) - won)
        assert row.place is None or row.rank == row.place


def test_points_of_the_finals_are_added_only_where_points_are_wins() -> None:
    """A player without a win before the finals was given one point for each of the finals, the others none."""
    scale = {"win": 3, "draw": 1, "loss": 0, "bye": 3}
    now = with_round(season("keyforge-swiss", "abcd", rounds=1, cut=4, points=scale), won("a", "b"), won("c", "d"))
    now = with_round(now, won("b", "a"), won("d", "c"), stage=Stage.FINALS)
    now = with_round(now, won("b", "d"), stage=Stage.FINALS)
    assert {row.name: (row.wins, row.points) for row in at_the_end(now, tuple(lines(now).values()))} == {
        "a": (1, 3),
        "b": (2, 0),
        "c": (1, 3),
        "d": (1, 0),
    }
    wins = replace(now, settings=season("keyforge-swiss", "abcd", rounds=1, cut=4).settings)
    assert all(row.points == row.wins for row in at_the_end(wins, tuple(lines(wins).values())))


def test_a_record_has_draws_only_where_there_are_any() -> None:
    row = next(one for one in lines(with_round(season("keyforge-swiss", "ab"), won("a", "b"))).values())
    record = columns([row], {})
    assert cells(row, record) == ("1–0",)
    assert cells(replace(row, draws=2), record) == ("1–0–2",)


def test_the_columns_beside_points_and_record_are_the_tie_breaks() -> None:
    format_ = next(one for one in ALL if one.key == "lightseekers-swiss")
    row = format_.standings(played(format_))[0]
    named = {"sos": TiebreakName("SoS", "strength of schedule")}
    shown = columns([replace(row, points=row.wins + 1)], named)
    assert [column.key for column in shown] == [POINTS, RECORD, "sos"]
    assert [column.key for column in further(shown)] == ["sos"]


def test_rounds_changed_by_hand_are_named() -> None:
    now = played(ALL[0])
    assert by_hand_words(now) == ""
    one, two, three = (replace(round_, by_hand="late") for round_ in now.rounds[:3])
    assert by_hand_words(replace(now, rounds=(one, *now.rounds[1:]))) == "Changed by hand: round 1"
    assert by_hand_words(replace(now, rounds=(one, two, *now.rounds[2:]))) == "Changed by hand: rounds 1 and 2"
    three_of_them = (one, two, three, *now.rounds[3:])
    assert by_hand_words(replace(now, rounds=three_of_them)) == "Changed by hand: rounds 1, 2 and 3"
