"""What people do on Discord itself, without asking the bot: messages, threads and direct messages that go or close."""

from tests.model.announcing import discord_of
from tests.model.moves import rounds
from tests.model.moves.moving import Move, often
from tests.model.walk import PLAYERS, Walk
from tests.services.conftest import CHANNEL, MODERATION


async def delete_message(walk: Walk) -> None:
    """Delete one of the bot's messages; who deletes a question has read it."""
    mark = discord_of(walk).delete_one()
    found = None if mark is None else walk.rendered.get(mark)
    if found is not None:
        walk.told.forget(found)
        discord_of(walk).deleted.add(found.row.id)


async def close_direct(walk: Walk) -> None:
    discord_of(walk).close_direct(walk.chance.choice(PLAYERS).user_id or 0)


async def close_channel(walk: Walk) -> None:
    """Take the right to write in a channel from the bot, or give it back."""
    closed = discord_of(walk).closed
    place = walk.chance.choice((CHANNEL, MODERATION))
    (closed.discard if place in closed else closed.add)(place)


async def lock_thread(walk: Walk) -> None:
    """Lock a match's thread, or those of a whole round, which is undone next."""
    threads = walk.file.column("SELECT thread_id FROM threads WHERE thread_id IS NOT NULL")
    if threads and walk.maybe(0.5):
        discord_of(walk).lock_thread(walk.chance.choice(threads))
        return
    for thread in threads:
        discord_of(walk).lock_thread(thread)
    await rounds.undo(walk)


async def delete_thread(walk: Walk) -> None:
    """Delete a match's thread, often one in which a report waits; sometimes the bot hears of it only when it writes."""
    sql = (
        "SELECT t.thread_id FROM threads t JOIN matches m ON m.id = t.match_id WHERE t.thread_id IS NOT NULL"
        " ORDER BY m.state <> 'reported', t.match_id"
    )
    threads = walk.file.column(sql)
    if threads:
        gone = threads[0] if walk.maybe(0.5) else walk.chance.choice(threads)
        await discord_of(walk).delete_thread(gone, heard=walk.together is None and walk.maybe(0.6))


MOVES: tuple[Move, ...] = (
    *often(2, delete_message),
    *often(2, close_direct),
    *often(1, close_channel),
    *often(1, lock_thread),
    *often(2, delete_thread),
)
