"""A server moves to another database with everything; wherever that stops, one database has it and nothing is lost."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.hosting import backing_up, moving
from bot.hosting.starting import owned_database
from bot.league.errors import Conflict, Invalid, NotFound
from bot.services.base.order import Order
from bot.services.leagues import exporting
from bot.services.people import forgetting
from bot.services.seasons import given_groups
from bot.settings import Settings
from storage.files import lock, server_rows
from tests.cogs.conftest import open_world, text_of
from tests.hosting.conftest import fill
from tests.services.conftest import ADMIN, NAMES, Watched, new_world
from tests.test_program import run_process


@pytest.fixture
async def both(database: Path) -> Path:
    """A database with the leagues of servers 7 and 8."""
    await fill(database, guild=8, players=12)
    return database


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        yield conn


def everything(path: Path, guild: int) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a server, in their order."""
    with opened(path) as conn:
        found = server_rows.of_server(conn, "main")
        return {
            table: conn.execute(
                f"SELECT * FROM {table} WHERE {condition} ORDER BY rowid",
                {"guild": guild},
            ).fetchall()
            for table, condition in found.items()
        }


def guilds(path: Path) -> list[int]:
    with opened(path) as conn:
        return [guild for (guild,) in conn.execute("SELECT guild_id FROM leagues ORDER BY 1")]


def starts(path: Path) -> bool:
    """Whether a bot starts on a database, or is told that a move isn't finished."""

    async def start() -> str:
        try:
            async with owned_database(Settings(database=path, backups=None)):
                return ""
        except Conflict as wrong:
            return str(wrong)

    refused = asyncio.run(start())
    assert not refused or "waits for the rest of a move; run it again: DATABASE=" in refused
    return not refused


def dying(source: Path, target: Path, step: str, *, after: bool) -> None:
    """Move server 7, and die before or after a step of it."""
    done = getattr(server_rows, step)

    def die(*given: object) -> None:
        if after:
            done(*given)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_rows, step, die)
        with pytest.raises(KeyboardInterrupt):
            move(source, target, 7)


def move(source: Path, target: Path, guild: int) -> str:
    return asyncio.run(moving.move(source, target, guild))


@pytest.mark.long
def test_every_row_moves_and_the_other_servers_stay(both: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.db"
    before, other = everything(both, 7), everything(both, 8)
    assert move(both, target, 7).startswith(f"moved to {target}: L7.")
    assert (guilds(both), guilds(target)) == ([8], [7])
    assert everything(target, 7) == before
    assert everything(both, 8) == other
    assert not any(everything(both, 7).values())
    assert starts(both)
    assert starts(target)


@pytest.mark.long
def test_when_people_can_play_is_copied_and_what_the_other_database_knows_of_it_counts(
    both: Path, tmp_path: Path
) -> None:
    target = tmp_path / "target.db"
    with opened(both) as conn:
        for guild, account in ((7, 701), (7, 702), (8, 801)):
            left = "league_id = (SELECT id FROM leagues WHERE guild_id = ?2) AND discord_id IS NULL"
            conn.execute(
                f"UPDATE players SET discord_id = ?1 WHERE id = (SELECT min(id) FROM players WHERE {left})",
                (account, guild),
            )
            conn.execute("INSERT INTO availability (discord_id, time_zone) VALUES (?, 'Europe/Berlin')", (account,))
    move(both, target, 8)
    with opened(target) as conn:
        conn.execute("INSERT INTO availability (discord_id, time_zone) VALUES (702, 'Asia/Tokyo')")
    move(both, target, 7)
    with opened(target) as conn:
        known = conn.execute("SELECT discord_id, time_zone FROM availability ORDER BY 1").fetchall()
    assert known == [(701, "Europe/Berlin"), (702, "Asia/Tokyo"), (801, "Europe/Berlin")]
    with opened(both) as conn:
        assert len(conn.execute("SELECT 1 FROM availability").fetchall()) == 3


@pytest.mark.long
async def test_byes_of_a_bracket_move_in_the_order_they_were_given(database: Path, tmp_path: Path) -> None:
    await fill(database, guild=8, players=5, format_="single-elimination")
    before = everything(database, 8)
    assert len([row for row in before["seats"] if row[2] is None]) == 3
    await moving.move(database, tmp_path / "target.db", 8)
    assert everything(tmp_path / "target.db", 8) == before


@pytest.mark.long
def test_tables_of_a_program_that_copies_the_file_stay_where_they_are(both: Path, tmp_path: Path) -> None:
    with opened(both) as conn:
        conn.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        conn.execute("CREATE TABLE _litestream_lock (id INTEGER)")
        conn.execute("INSERT INTO _litestream_seq VALUES (1, 99)")
    target = tmp_path / "other.db"
    before = everything(both, 7)
    asyncio.run(moving.move(both, target, 7))
    assert everything(target, 7) == before
    assert (guilds(both), guilds(target)) == ([8], [7])
    assert starts(both)
    with opened(both) as conn:
        assert conn.execute("SELECT seq FROM _litestream_seq").fetchone() == (99,)
    with opened(target) as conn:
        assert not conn.execute("SELECT 1 FROM sqlite_schema WHERE name LIKE '~_litestream%' ESCAPE '~'").fetchall()


def test_every_table_is_moved_copied_or_left_by_a_rule(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(database) as conn:
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        assert tables == {*server_rows.of_server(conn, "main"), *server_rows.SHARED, *server_rows.STAYS}
        conn.execute("CREATE TABLE news (id INTEGER PRIMARY KEY, text TEXT)")
        monkeypatch.setattr("storage.migrate.tables", lambda: {*tables, "news"})
        with pytest.raises(LookupError, match="which rows of news belong to a server"):
            server_rows.of_server(conn, "main")


def test_no_id_means_two_things_in_databases_that_servers_move_between(database: Path) -> None:
    with opened(database) as conn:
        schema = conn.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%    id INTEGER%'"
        )
        assert [name for name, sql in schema if "id INTEGER PRIMARY KEY AUTOINCREMENT" not in sql] == []


@pytest.mark.long
@pytest.mark.parametrize("step", ["copy_in", "_leave_room", "_finish", "take_out", "_delete", "finish"])
@pytest.mark.parametrize("after", [False, True])
def test_a_move_that_dies_leaves_one_database_with_the_server_and_goes_on_later(
    both: Path, tmp_path: Path, step: str, after: bool
) -> None:
    target = tmp_path / "target.db"
    before = everything(both, 7)
    dying(both, target, step, after=after)
    runnable = [path for path in (both, target) if path.exists() and 7 in guilds(path) and starts(path)]
    assert len(runnable) <= 1
    assert before in (everything(both, 7), everything(target, 7))
    if not (step == "finish" and after):
        move(both, target, 7)
    assert everything(target, 7) == before
    assert (guilds(both), guilds(target)) == ([8], [7])
    assert starts(target)


@pytest.mark.long
def test_what_happened_since_a_move_died_moves_too(both: Path, tmp_path: Path) -> None:
    dying(both, tmp_path / "target.db", "take_out", after=False)
    with opened(both) as conn:
        conn.execute("UPDATE leagues SET rules_text = 'later' WHERE guild_id = 7")
    move(both, tmp_path / "target.db", 7)
    with opened(tmp_path / "target.db") as conn:
        assert conn.execute("SELECT rules_text FROM leagues").fetchall() == [("later",)]


@pytest.mark.long
async def test_servers_move_there_and_back_while_both_databases_grow(both: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.db"
    await moving.move(both, target, 7)
    for path, guild in [(both, 9), (target, 10), (both, 11), (target, 12)]:
        await fill(path, guild=guild)
    before = {guild: everything(both, guild) for guild in (8, 9)}
    await moving.move(both, target, 9)
    await moving.move(target, both, 7)
    await fill(both, guild=13)
    await fill(target, guild=14)
    await moving.move(both, target, 8)
    await moving.move(target, both, 10)
    assert {guild: everything(target, guild) for guild in (8, 9)} == before
    assert (guilds(both), guilds(target)) == ([7, 10, 11, 13], [8, 9, 12, 14])


@pytest.mark.long
async def test_a_database_with_rows_under_the_same_ids_is_refused_and_nothing_changes(
    both: Path, tmp_path: Path
) -> None:
    await fill(tmp_path / "own.db", guild=9)
    before = everything(tmp_path / "own.db", 9)
    with pytest.raises(Conflict, match="begun as a database of its own; nothing was moved"):
        await moving.move(both, tmp_path / "own.db", 7)
    assert everything(tmp_path / "own.db", 9) == before
    assert (guilds(both), guilds(tmp_path / "own.db")) == ([7, 8], [9])
    await fill(tmp_path / "same.db", guild=7)
    with pytest.raises(Conflict, match="has leagues of server 7 already"):
        await moving.move(both, tmp_path / "same.db", 7)


@pytest.mark.long
async def test_what_cannot_move_is_told(both: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="has no leagues of server 5"):
        await moving.move(both, tmp_path / "target.db", 5)
    with pytest.raises(Invalid, match="the same database"):
        await moving.move(both, both, 7)
    for held in (both, tmp_path / "target.db"):
        for hold in (lock.held, lock.held_beside):
            with hold(held, "another"), pytest.raises(Conflict, match="in use by another"):
                await moving.move(both, tmp_path / "target.db", 7)


@pytest.mark.long
def test_the_program_moves_a_server(both: Path) -> None:
    done = run_process("move", "--guild", "7", "target.db", cwd=both.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Start the bot that runs this server's shard with DATABASE=target.db." in done.stdout


@pytest.mark.long
async def test_old_buttons_and_posts_work_from_the_other_database(tmp_path: Path) -> None:
    source, target = tmp_path / "league.db", tmp_path / "target.db"
    async with open_world(tmp_path) as world:
        await world.started(players=4)
        row = world.open_matches()[0]
        upper, lower = world.sides(row)
        await world.report(upper, "won", row)
        old = world.fresh(row)
        rows = len(world.rows())
        await world.env.bot.close()
        await fill(source, guild=8)
        await moving.move(source, target, world.guild.id)
        source.rename(tmp_path / "old.db")
        target.rename(source)
        await world.restart()
        assert "It counts now" in text_of(await world.answer(lower, "Confirm", old))
        await world.jump(minutes=1)
        assert world.fresh(row).winner is not None
        assert len(world.rows()) == rows
        other = world.open_matches()[0]
        await world.report(world.sides(other)[0], "lost", other)
        assert world.posts("Round 2")


@pytest.mark.long
async def test_a_season_in_groups_goes_on_where_it_moved_to(tmp_path: Path) -> None:
    source, target = tmp_path / "source.db", tmp_path / "target.db"
    async with new_world(source) as world:
        await world.create("round-robin", grouping="given")
        await world.sign_up(*NAMES[:8])
        order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
        await world.db.write(given_groups.assign, order, groups={1: NAMES[:4], 2: NAMES[4:8]}, without=())
        await world.start()
        await world.play_round()
        await world.db.write(forgetting.forget, order, player=NAMES[1])
        before = await world.db.read(exporting.export, order)
    await moving.move(source, target, order.actor.guild_id or 0)
    moved = replace(world, db=await Watched.open(target))
    assert await moved.db.read(exporting.export, order) == before
    assert (await moved.play_out()).champion is not None
    await moved.db.close()
    assert await asyncio.to_thread(backing_up.check, target) is None
