"""Ties and decisions: one question about the same equals at a time, one decision a round."""

import sqlite3

import pytest

from storage import rules_season
from storage.database import Connection, Database
from storage.rows import SeasonId, Settled, TieRow
from storage.tables import seasons, ties
from tests.files import change_by_hand
from tests.storage.scene import NOW, a_league, a_season


def ask(conn: Connection, season_id: SeasonId, *names: str) -> TieRow:
    return ties.add(conn, season_id=season_id, after_round=1, first=1, going_on=2, names=names, asked_at=NOW, until=NOW)


def test_the_same_equals_are_asked_about_once_at_a_time(db: Database) -> None:
    with change_by_hand(db) as conn:
        season_id = a_season(conn, a_league(conn))
        row = ask(conn, season_id, "Ann", "Bo")
        with pytest.raises(sqlite3.IntegrityError):
            ask(conn, season_id, "Ann", "Bo")
        ask(conn, season_id, "Cy", "Dee")
        ties.change(conn, row.id, names=("Bo", "Ann"), match_at=None, settled_at=NOW, how=Settled.ORDER)
        ask(conn, season_id, "Ann", "Bo")
        assert [tie.names for tie in ties.waiting(conn, season_id)] == [("Cy", "Dee"), ("Ann", "Bo")]


@pytest.mark.parametrize("half", [{"settled_at": NOW}, {"how": Settled.DRAW}])
def test_what_is_settled_says_how(db: Database, half: dict[str, object]) -> None:
    with change_by_hand(db) as conn:
        row = ask(conn, a_season(conn, a_league(conn)), "Ann", "Bo")
        with pytest.raises(sqlite3.IntegrityError):
            ties.change(conn, row.id, names=row.names, match_at=None, **half)  # type: ignore[arg-type]


def test_nobody_is_equal_alone(db: Database) -> None:
    with change_by_hand(db) as conn:
        season_id = a_season(conn, a_league(conn))
        with pytest.raises(sqlite3.IntegrityError):
            ask(conn, season_id, "Ann")


def test_decisions_come_in_the_order_in_which_they_were_made_and_the_same_one_once(db: Database) -> None:
    with change_by_hand(db) as conn:
        season_id = a_season(conn, a_league(conn))
        for names in (("Ann", "Bo"), ("Bo", "Ann"), ("Cy", "Di"), ("Ann", "Bo")):
            seasons.add_decision(conn, season_id, 1, names)
        seasons.remove_decision(conn, season_id, 1, ("Cy", "Di"))
        record = rules_season.load(conn, season_id)
    assert [made.order for made in record.decisions] == [("Bo", "Ann"), ("Ann", "Bo")]


def test_ties_of_another_league_are_its_own(db: Database) -> None:
    with change_by_hand(db) as conn:
        league, other = a_league(conn), a_league(conn, "Other")
        row = ask(conn, a_season(conn, league), "Ann", "Bo")
        assert [tie.id for tie in ties.waiting_of_league(conn, league)] == [row.id]
        assert ties.waiting_of_league(conn, other) == ()
