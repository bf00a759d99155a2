"""What is worked out once is never shown when it is no longer so."""

from contextlib import suppress

from storage import rules_season
from storage.cache import Cache
from storage.database import Connection, Database
from storage.tables import audit, entrants
from tests.storage.scene import NOW, Scene


async def change(conn: Connection, scene: Scene, name: str) -> None:
    """Rename a player, with the line in the audit log that every change has."""
    await entrants.change(conn, scene.people[0], name=name)
    await audit.add(
        conn, league_id=scene.league, at=NOW, actor="o", action="player.rename", subject=name, before=None, after=None
    )


async def test_a_season_is_loaded_once_until_something_of_its_league_changes(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await change(conn, scene, "Ada")
    async with db.snapshot() as conn:
        first = await rules_season.load(conn, scene.season)
    async with db.snapshot() as conn:
        assert await rules_season.load(conn, scene.season) is first
    async with db.transaction() as conn:
        await change(conn, scene, "Ben")
        assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ben"
    async with db.snapshot() as conn:
        assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ben"


async def test_a_snapshot_keeps_nothing_a_transaction_took_back(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await change(conn, scene, "Ada")
    try:
        async with db.transaction() as conn:
            await change(conn, scene, "Ben")
            await rules_season.load(conn, scene.season)
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    async with db.snapshot() as conn:
        assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ada"


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


async def test_a_transaction_reads_a_season_once_until_it_changes_something(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await change(conn, scene, "Ada")
    async with db.transaction() as conn:
        read, loaded = await rules_season.read(conn, scene.season), await rules_season.load(conn, scene.season)
        assert await rules_season.read(conn, scene.season) is read
        assert await rules_season.load(conn, scene.season) is loaded
        await entrants.change(conn, scene.people[0], name="Ben")
        assert await rules_season.read(conn, scene.season) != read
        assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ben"


async def test_a_transaction_sees_nothing_of_one_before_it_that_was_taken_back(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await change(conn, scene, "Ada")
    with suppress(ZeroDivisionError):
        async with db.transaction() as conn:
            await change(conn, scene, "Ben")
            assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ben"
            raise ZeroDivisionError
    async with db.transaction() as conn:
        assert (await rules_season.load(conn, scene.season)).entrants[0].name == "Ada"
