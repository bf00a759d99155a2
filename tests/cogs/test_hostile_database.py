"""A database that another program holds, that is full or that cannot be written, while people act."""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cogs.conftest import World, text_of
from tests.files import Kept, Looked
from tests.hosting.conftest import damage


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock of a database as another program does."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept[Looked]]:
    """Use a file that no other test uses."""
    databases = Kept(Looked, tmp_path)
    yield databases
    databases.stop()


def file_of(world: World) -> Path:
    return world.env.bot.database.path


async def impatient(world: World) -> None:
    """Let the bot wait for others a moment only, so that the test need not."""
    await world.env.bot.database._writer.run(lambda sqlite: sqlite.execute("PRAGMA busy_timeout = 20").close())


@contextlib.contextmanager
def sent_but_not_noted(world: World) -> Iterator[None]:
    """Hold the write lock from the next message on, so that the bot can't note it."""
    held, send = contextlib.ExitStack(), world.env.bot.http.send_message

    async def sent(*arguments: object, **options: object) -> object:
        done = await send(*arguments, **options)
        held.enter_context(locked(file_of(world)))
        return done

    with held, pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.env.bot.http, "send_message", sent)
        yield


@pytest.mark.long
async def test_a_database_in_use_is_told_of_and_nothing_is_lost(world: World) -> None:
    await world.league()
    await impatient(world)
    await world.season(players=1)
    with locked(file_of(world)):
        answer = await world.players[1].click(world.post("Sign-ups are open"), label="Join")
        assert answer.ephemeral
        assert "Another program" in text_of(answer)
        assert "Nothing was changed" in text_of(answer)
        assert "1 player" in text_of(await world.organiser.slash(world.channel, "season status"))
        await world.jump(seconds=40)
    assert "2 players so far" in text_of(await world.players[1].click(world.post("Sign-ups are open"), label="Join"))


@pytest.mark.long
async def test_a_post_sent_while_the_database_is_in_use_is_not_doubled(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.league()
    await impatient(world)
    await world.jump(minutes=1)  # the post belongs to this life of the bot, which looks for no older one
    with sent_but_not_noted(world), caplog.at_level(logging.WARNING):
        await world.opened()
    assert "waits until the clock asks again" in caplog.text
    await world.jump(seconds=31)
    assert len(world.posts("Sign-ups are open")) == 1
    assert "You're in season" in text_of(await world.players[0].click(world.post("Sign-ups are open"), label="Join"))
    assert len(world.posts("1 player so far")) == 1


@pytest.mark.long
async def test_a_post_that_could_not_be_noted_is_deleted_where_there_is_nothing_to_say_any_more(world: World) -> None:
    await world.league()
    await impatient(world)
    await world.opened(approval=True)
    await world.players[0].click(world.post("Sign-ups are open"), label="Join")
    with sent_but_not_noted(world):
        await world.jump(days=1)
    assert len(world.posts("waiting for you", world.back_room)) == 1
    await world.organiser.click(world.post("who is let in?", world.back_room), label="Let in")
    await world.jump(minutes=1)
    assert world.posts("waiting for you", world.back_room) == []


def round_days(days: int) -> dict[str, str]:
    return {"setting": "round_days", "value": str(days)}


@pytest.mark.long
async def test_a_full_disk_is_told_of(world: World) -> None:
    await world.league()
    await world.season(players=0)
    writer = world.env.bot.database._writer
    (pages,) = [row[0] for row in await writer.run(lambda sqlite: sqlite.execute("PRAGMA page_count").fetchall())]
    await writer.run(lambda sqlite: sqlite.execute(f"PRAGMA max_page_count = {pages}").close())
    answer = ""
    for days in range(1, 200):
        answer = text_of(await world.organiser.slash(world.channel, "season settings", **round_days(days)))
        assert "broke on our side" not in answer
        if "disk is full" in answer:
            break
    assert "Nothing was changed" in answer
    shown = text_of(await world.organiser.slash(world.channel, "season settings"))
    assert f"{days - 1} days for each match" in shown
    await writer.run(lambda sqlite: sqlite.execute("PRAGMA max_page_count = 1000000").close())
    saved = await world.organiser.slash(world.channel, "season settings", **round_days(days))
    assert "Settings saved" in text_of(saved)


async def test_a_file_that_cannot_be_written_is_told_of(world: World) -> None:
    await world.league()
    await world.env.bot.database._writer.run(lambda sqlite: sqlite.execute("PRAGMA query_only = ON").close())
    answer = await world.organiser.slash(world.channel, "season create", format="ohs")
    assert answer.ephemeral
    assert "can't write its database" in text_of(answer)


@pytest.mark.long
async def test_a_damaged_page_is_told_as_such_and_not_as_a_mistake_of_the_bot(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.started(players=4)
    file = file_of(world)
    await world.env.bot.close()
    damage(file, table="matches")
    await world.restart()
    for command, options in [("standings", {}), ("schedule", {}), ("report", {"result": "lost"})]:
        answer = text_of(await world.players[0].slash(world.channel, command, **options))
        assert "The bot's database is damaged. Tell the person who runs the bot" in answer
    assert "python -m bot doctor says more" in caplog.text
