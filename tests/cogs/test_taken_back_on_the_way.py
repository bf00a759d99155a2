"""Posts that are taken back in the moment in which they are sent into the thread of a match."""

from typing import Any

import aiohttp
import pytest

from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.permissions import Actor
from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.organising import rounds_by_hand
from bot.services.play import clearing
from bot.services.play.round_posts import QUESTION
from bot.services.seasons import lifecycle
from cogs.posting.messages import Messages
from storage.database import Connection
from storage.posts import PostRow
from storage.query import value
from storage.rows import LeagueId
from tests.cogs.conftest import World, labels, message_text
from tests.cogs.test_match_threads import stored, thread_of, threads


async def during_sending(world: World, patch: pytest.MonkeyPatch, kind: PostKind, work: Any, *, lost: bool) -> None:
    """Let something happen while the first post of a kind is sent; perhaps the answer to that is lost."""
    known, done = Messages._sent, list[str]()

    async def sent(self: Messages, due: Delivery, row: PostRow, *more: Any) -> int:
        if row.kind != kind or done:
            return await known(self, due, row, *more)
        done.append(row.key)
        if not lost:
            await world.env.bot.database.write(work)
        message = await known(self, due, row, *more)
        if lost:
            await world.env.bot.database.write(work)
            raise aiohttp.ClientConnectionError
        return message

    patch.setattr(Messages, "_sent", sent)


def by_organiser(world: World, conn: Connection) -> Order:
    who = Actor(user_id=world.organiser.id, name="Org", manage_guild=True, guild_id=world.guild.id)
    return Order(actor=who, now=world.now(), league_id=LeagueId(value(conn, "SELECT max(id) FROM leagues")))


def agreed(work: Any, conn: Connection, order: Order, **more: Any) -> None:
    try:
        work(conn, order, **more)
    except ConfirmationNeeded as asked:
        work(conn, order, **more, agreed=asked.token)


async def test_a_card_on_its_way_into_its_thread_says_how_the_match_ended(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(conn: Connection) -> None:
        agreed(lifecycle.cancel, conn, by_organiser(world, conn), reason="closed")

    await during_sending(world, monkeypatch, THREAD, cancelled, lost=False)
    await world.started(players=4, match_places="threads")
    await world.jump(hours=30)
    for thread in threads(world):
        assert stored(world, thread).thread_metadata.archived
        assert labels(thread.history()[0]) in ([], ["Details"], ["Details", "Check it yourself"])


@pytest.mark.long
async def test_a_question_on_its_way_into_a_thread_is_found_there_after_its_round_was_undone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undone(conn: Connection) -> None:
        order = by_organiser(world, conn)
        match = value(conn, "SELECT id FROM matches WHERE state = 'reported'")
        agreed(clearing.clear, conn, order, match=match, reason="a slip")
        agreed(rounds_by_hand.undo, conn, order, reason="a slip")

    await during_sending(world, monkeypatch, QUESTION, undone, lost=True)
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    await world.report(world.sides(row)[0], "won", row)
    await world.jump(minutes=30)
    said = [message_text(post) for post in thread_of(world, row.pairing).history()]
    assert not any("reported" in text for text in said), said
