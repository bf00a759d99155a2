"""A season of another kind: its results count, and nothing follows from them."""

from dataclasses import replace

import pytest

from bot.league.errors import WrongPhase
from bot.league.formats import by_key
from bot.league.season.model import Season, Stage
from tests.league.builders import season, with_round, won

RECORD = by_key("record")


def recorded() -> Season:
    now = with_round(season("record", ["Ada", "Ben", "Cleo"]), won("Ben", "Ada"), byes=["Cleo"])
    return with_round(now, won("Ben", "Cleo"), stage=Stage.FINALS)


def test_nothing_is_paired() -> None:
    with pytest.raises(WrongPhase, match="recorded elsewhere: its results count, but nothing is paired here"):
        RECORD.next_round(recorded())


def test_its_finals_are_a_list_of_results_without_bracket_and_seeds() -> None:
    assert RECORD.plays_finals(recorded())
    regular_only = replace(recorded(), rounds=recorded().rounds[:1])
    assert not RECORD.plays_finals(regular_only)
    assert (RECORD.tree(recorded()), RECORD.seeds(recorded()), RECORD.finalists_now(recorded())) == ((), {}, ())


def test_its_table_has_wins_and_losses_of_all_rounds() -> None:
    rows = [(row.name, row.wins, row.losses) for row in RECORD.standings(recorded())]
    assert rows == [("Ben", 2, 0), ("Cleo", 1, 1), ("Ada", 0, 1)]
    assert RECORD.drawn_places(recorded()) == {}
