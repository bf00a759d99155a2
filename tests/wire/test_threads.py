"""Threads of matches on a Discord that archives and locks them, and answers as the real one does."""

from datetime import timedelta

import pytest
from aiohttp import web

from bot.client import LeagueBot
from cogs.posting.refusals import FIRST_WAIT
from tests.loopback.discord_server import Keep
from tests.loopback.objects import LEAGUE_CHANNEL, PUBLIC_THREAD, THREAD_MADE, Json, buttons, text_of
from tests.wire.conftest import ANN, BEN, Wire, until


async def start_with_threads(wire: Wire) -> Json:
    """Start a season of two with threads; returns the thread of their match."""
    await wire.league()
    await wire.story.begin((ANN, BEN), match_places="threads")
    await until(lambda: bool(wire.discord.threads) and bool(posts(wire, wire.discord.threads[0])))
    (thread,) = wire.discord.threads
    assert thread["type"] == PUBLIC_THREAD
    return thread


def posts(wire: Wire, thread: Json, words: str = "") -> list[Json]:
    return [post for post in wire.discord.messages.get(int(thread["id"]), []) if words in text_of(post)]


def lines(wire: Wire) -> list[Json]:
    return [post for post in wire.discord.messages[LEAGUE_CHANNEL] if post["type"] == THREAD_MADE]


async def test_the_line_about_a_thread_is_found_by_what_it_refers_to(wire: Wire, bot: LeagueBot) -> None:
    """Its id is below the thread's here."""
    await start_with_threads(wire)
    await until(lambda: not lines(wire))


@pytest.mark.short
async def test_a_round_notifies_each_player_once_and_lets_them_into_their_thread(wire: Wire, bot: LeagueBot) -> None:
    thread = await start_with_threads(wire)
    await until(lambda: {ANN[0], BEN[0]} <= wire.threads.members[int(thread["id"])])
    pinged = [who for who, post in wire.discord.pings if "Round 1" in text_of(post)]
    assert sorted(pinged) == sorted(f"<@{who[0]}>" for who in (ANN, BEN))


async def test_a_question_in_a_thread_a_moderator_closed_is_deleted_there(wire: Wire, bot: LeagueBot) -> None:
    thread = await start_with_threads(wire)
    await wire.people.slash(ANN, "report", result="won")
    await until(lambda: len(posts(wire, thread, "Is that right?")) == 1)
    await wire.later(timedelta(minutes=1))  # the card may be edited again
    bot.announce()
    await until(lambda: len(posts(wire, thread, "Is that right?")) == len(posts(wire, thread, "Waiting for")) == 1)
    await wire.noted()  # an edit on its way would open the thread again: players still have something to do
    thread["thread_metadata"]["archived"] = True
    await wire.people.slash(BEN, "confirm")
    await until(lambda: not posts(wire, thread, "Is that right?"))
    await wire.later(timedelta(minutes=1))
    bot.announce()
    await until(lambda: thread["thread_metadata"]["archived"] and len(posts(wire, thread, "Waiting for")) == 0)
    assert "Tell the person who runs the bot" not in str(wire.discord.messages)


async def test_a_block_by_cloudflare_silences_a_round_for_half_a_minute(wire: Wire, bot: LeagueBot) -> None:
    async def blocked(_: web.Request, __: Keep) -> web.Response:
        return web.Response(status=403, text="<html><title>Access denied</title></html>", content_type="text/html")

    wire.discord.fault = blocked
    await wire.open_signups()
    await until(lambda: len(wire.discord.posts) == 1)
    wire.discord.fault = None
    await wire.later(FIRST_WAIT)
    bot.announce()
    await until(lambda: any("Join" in buttons(post) for post in wire.discord.messages[LEAGUE_CHANNEL]))
    assert "can't write in its channel" not in str(wire.discord.messages)
