"""What is worked out once is never shown when it is no longer so."""

import pytest

from storage import rules_season
from storage.cache import Cache
from storage.database import Connection, Database
from storage.tables import audit
from storage.tables.field import entrants
from tests.files import change_by_hand
from tests.storage.scene import NOW, Scene


def change(conn: Connection, scene: Scene, name: str) -> None:
    """Rename a player, with the line in the audit log that every change has."""
    entrants.change(conn, scene.people[0], name=name)
    audit.add(
        conn, league_id=scene.league, at=NOW, actor="o", action="player.rename", subject=name, before=None, after=None
    )


async def test_a_season_is_loaded_once_until_something_of_its_league_changes(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        change(conn, scene, "Ada")
    first = await db.read(rules_season.load, scene.season)
    assert await db.read(rules_season.load, scene.season) is first
    with change_by_hand(db) as conn:
        change(conn, scene, "Ben")
        assert rules_season.load(conn, scene.season).entrants[0].name == "Ben"
    assert (await db.read(rules_season.load, scene.season)).entrants[0].name == "Ben"


async def test_a_snapshot_keeps_nothing_a_transaction_took_back(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        change(conn, scene, "Ada")

    def fail(conn: Connection) -> None:
        change(conn, scene, "Ben")
        assert rules_season.load(conn, scene.season).entrants[0].name == "Ben"
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            await db.write(fail)
        assert (await db.read(rules_season.load, scene.season)).entrants[0].name == "Ada"
        assert (await db.write(rules_season.load, scene.season)).entrants[0].name == "Ada"


def test_a_cache_lets_go_of_what_was_not_used_for_longest() -> None:
    cache = Cache(most=10)
    for key in "abc":
        cache.keep(key, 1, key.upper(), size=3)
    assert cache.find("a", 1) == ("A",)
    cache.keep("d", 1, "D", size=4)
    assert [cache.find(key, 1) for key in "abcd"] == [("A",), None, ("C",), ("D",)]
    assert cache.find("a", 2) is None
    cache.keep("e", 1, "E", size=11)
    assert [cache.find(key, 1) for key in "acde"] == [None] * 4


def test_a_transaction_reads_a_season_once_until_it_changes_something(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        change(conn, scene, "Ada")
    with change_by_hand(db) as conn:
        loaded = rules_season.load(conn, scene.season)
        assert rules_season.load(conn, scene.season) is loaded
        entrants.change(conn, scene.people[0], name="Ben")
        assert rules_season.load(conn, scene.season).entrants[0].name == "Ben"
