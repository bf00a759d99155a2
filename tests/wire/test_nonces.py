"""Discord remembers a nonce for some minutes, also of a message that is gone: each message is a nonce of its own."""

import asyncio
import re
from datetime import timedelta

import pytest
from aiohttp import web

from bot.client import LeagueBot
from bot.settings import Settings
from tests.loopback.discord_server import Keep
from tests.loopback.objects import LEAGUE_CHANNEL, Json, buttons, text_of
from tests.wire.conftest import ANN, BEN, ORGANISER, Wire, until
from tests.wire.state import State

LATER = timedelta(minutes=2)
"""After this much a message may be edited again; Discord still remembers its nonce."""


def shown(wire: Wire, words: str, channel: int = LEAGUE_CHANNEL) -> list[Json]:
    return [post for post in wire.discord.messages.get(channel, []) if words in text_of(post)]


@pytest.mark.short
async def test_a_deleted_board_is_posted_again_though_discord_remembers_its_nonce(wire: Wire, bot: LeagueBot) -> None:
    await wire.open_signups()
    await until(lambda: len(shown(wire, "Sign-ups are open")) == 1)
    (first,) = shown(wire, "Sign-ups are open")
    wire.discord.drop(first)
    await wire.later(LATER)
    await wire.people.slash(ANN, "signup")
    await until(lambda: len(shown(wire, "Ann")) == 1)
    (second,) = shown(wire, "Ann")
    wire.discord.drop(second)
    await wire.later(LATER)
    await wire.people.slash(BEN, "signup")
    await until(lambda: len(shown(wire, "Ben")) == 1)
    assert "a post is missing" not in str(wire.discord.messages)


async def test_a_message_deleted_before_the_bot_could_note_it_is_posted_again(wire: Wire, bot: LeagueBot) -> None:
    async def kept_and_deleted(request: web.Request, keep: Keep) -> web.Response:
        wire.discord.fault = None
        made = keep()
        assert made is not None
        wire.discord.drop(made)
        return web.json_response({"message": "Bad gateway"}, status=502)

    wire.discord.fault = kept_and_deleted
    await wire.open_signups()
    await until(lambda: len(shown(wire, "Sign-ups are open")) == 1)


_NAMES = (
    "SELECT u.name, l.name FROM matches m JOIN rounds r ON r.id = m.round_id JOIN entrants u ON u.id = m.upper_id"
    " JOIN entrants l ON l.id = m.lower_id WHERE r.number = ? AND m.position = ?"
)


async def test_the_champion_is_announced_again_after_a_corrected_semi_final(wire: Wire, bot: LeagueBot) -> None:
    people, third, fourth = wire.people, (4003, "Cat"), (4004, "Dan")
    await wire.league()
    await wire.story.begin((ANN, BEN, third, fourth), "single-elimination")

    async def decide(match: str, winner: int) -> None:
        names = State(wire.database).rows(_NAMES, *re.findall(r"\d", match))[0]
        (asked,) = await people.slash(ORGANISER, "result set", match=match, outcome=names[winner], reason="seen")
        await people.press(
            ORGANISER, asked, next(label for label in ("Play again", "Apply") if label in buttons(asked))
        )

    await decide("R1 M1", 0)
    await decide("R1 M2", 0)
    await decide("R2 M1", 0)
    await until(lambda: len(shown(wire, "is the champion")) == 1)
    await decide("R1 M1", 1)
    await wire.later(LATER)
    bot.announce()
    await until(lambda: not shown(wire, "is the champion"))
    await decide("R2 M1", 0)
    await until(lambda: len(shown(wire, "is the champion")) == 1)


async def test_a_host_who_starts_over_with_an_empty_database_gets_new_posts(wire: Wire, bot: LeagueBot) -> None:
    await wire.open_signups()
    await until(lambda: len(shown(wire, "Sign-ups are open")) == 1)
    await bot.close()
    await asyncio.sleep(1)  # posts are told apart by the second they were queued in
    fresh = wire.database.with_name("fresh.db")
    settings = Settings.from_env({"DISCORD_TOKEN": "token", "DATABASE": str(fresh), "BACKUPS": "off"})
    again = LeagueBot(settings, now=wire.now)
    wire.discord.gateway.identified.clear()
    running = asyncio.create_task(again.start("token"))
    await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    await until(again.is_ready)
    await wire.open_signups()
    await until(lambda: len(shown(wire, "Sign-ups are open")) == 2)
    await again.close()
    await running


@pytest.mark.parametrize("forgotten", [False, True])
async def test_the_same_try_repeated_after_a_crash_stands_once(wire: Wire, bot: LeagueBot, forgotten: bool) -> None:
    """A board is deleted; the one that replaces it was made, but the answer got lost."""

    async def kept_and_cut(request: web.Request, keep: Keep) -> None:
        if request.method == "POST":
            wire.discord.fault = None
            keep()
            if forgotten:
                wire.discord.forget_nonces()
            assert request.transport is not None
            request.transport.close()
            await asyncio.sleep(1)

    await wire.open_signups()
    await until(lambda: len(shown(wire, "Sign-ups are open")) == 1)
    wire.discord.drop(shown(wire, "Sign-ups are open")[0])
    wire.discord.fault = kept_and_cut
    await wire.later(LATER)
    await wire.people.slash(ANN, "signup")
    await until(lambda: len(shown(wire, "Ann")) == 1)
    await wire.people.slash(BEN, "signup")
    await wire.later(LATER)
    bot.announce()
    await until(lambda: len(shown(wire, "Ben")) == 1)
    assert len(shown(wire, "Sign-ups are open")) == 1
