"""What 228 players in 38 open groups with threads ask of Discord: at their stage's start, and on its worst evening."""

import asyncio
import functools
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bot import steps
from bot.client import LeagueBot
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.delivery import delivery
from bot.services.leagues import set_up
from bot.services.play import reporting
from cogs.runtime.clock import SECONDS
from storage.query import records
from tests.benchmarks.figures import Figure, Row
from tests.benchmarks.holds import GROUP, with_players
from tests.benchmarks.limited_discord import CHANNEL_LIMIT, CHANNEL_SECONDS, LimitedDiscord, announcing
from tests.files import change_by_hand, do, look_into
from tests.jumping_time import Loop
from tests.loopback.objects import GUILD, LEAGUE_CHANNEL, OWNER, Json
from tests.loopback.objects import guild as server
from tests.model.announcing import InPlace
from tests.story import AtServices

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ORGANISER = Actor(user_id=OWNER, name="owner", guild_id=GUILD, manage_guild=True)
GROUPS, WEEKS, HOURS = 38, 5, 4
"""As many groups and weeks, and hours in which the results of the last week come."""
UNANSWERED = timedelta(minutes=30)
"""How long each waits who has to confirm a result."""
LIMIT = round(60 / CHANNEL_SECONDS * CHANNEL_LIMIT)
"""Requests that Discord takes in a channel in a minute."""
A_GROUP = 5
"""Requests about the league's channel for a group: its card and what it leads to, its thread, and the line of that."""
LASTING = 2 * GROUPS + 2 * WEEKS + 10
"""Messages that may stand in the league's channel at the end of a stage."""
_TO_PLAY = (
    "SELECT m.id, a.discord_id, b.discord_id FROM matches m JOIN rounds r ON r.id = m.round_id"
    " JOIN entrants u ON u.id = m.upper_id JOIN players a ON a.id = u.player_id"
    " JOIN entrants l ON l.id = m.lower_id JOIN players b ON b.id = l.player_id"
    " WHERE r.number = ? AND m.state = 'open' ORDER BY m.id"
)
_PLAYED = (
    "UPDATE matches SET state = 'confirmed', kind = 'played', winner_id = upper_id"
    " WHERE state = 'open' AND round_id = (SELECT id FROM rounds WHERE number = ?)"
)


class Asked(NamedTuple):
    """What a season asked of Discord."""

    seconds: float
    """How long it took until the start of the stage stood."""
    busiest: int
    """Requests about the league's channel in the busiest minute of the evening."""
    in_a_thread: int
    """The same in the busiest thread."""
    lasting: int
    """Messages that stand in the league's channel at the end."""


class _Events:
    """The gateway, without a network: an event is there at once."""

    def __init__(self, bot: LeagueBot) -> None:
        self._bot = bot

    async def dispatch(self, event: str, data: Json) -> None:
        self._bot._connection.parsers[event](data)


class _Season:
    """A season of 228 players, and the time in it."""

    def __init__(self) -> None:
        self._loop, self._passed = asyncio.get_running_loop(), timedelta()
        self._began = self._loop.time()

    def now(self) -> datetime:
        return NOW + self._passed + timedelta(seconds=self._loop.time() - self._began)

    async def run(self, folder: Path) -> Asked:
        async with announcing(folder, self.now) as (self.bot, self.discord):
            self._connect(self.bot, self.discord)
            await self._start()
            began = self._loop.time()
            await self._settled()
            here = self._taken(LEAGUE_CHANNEL)
            for week in range(1, WEEKS):
                await self._week(week)
            evening = self._loop.time()
            end = await self._last_evening()
            threads = {place for place, _, _ in self.discord.taken} - {LEAGUE_CHANNEL, 0}
            return Asked(
                seconds=here[-1] - began,
                busiest=_busiest(at for at in self._taken(LEAGUE_CHANNEL) if evening < at <= end),
                in_a_thread=max((_busiest(self._taken(place)) for place in threads), default=0),
                lasting=len(self.discord.server.messages[LEAGUE_CHANNEL]),
            )

    def _connect(self, bot: LeagueBot, discord: LimitedDiscord) -> None:
        bot.worker = bot.painter = InPlace()  # type: ignore[assignment]
        discord.server.gateway = _Events(bot)  # type: ignore[assignment]
        bot._connection._add_guild_from_data(server([]))  # type: ignore[arg-type]

    async def _start(self) -> None:
        db, now = self.bot.database, self.now()
        league = await do(set_up.create, db=db, actor=ORGANISER, now=now, name="League", channel_id=LEAGUE_CHANNEL)
        self._league_id = league.id
        story = AtServices(db=db, league_id=league.id, organiser=ORGANISER, now=now)
        settings: Any = {"group_size": GROUP, "schedule": "open", "match_places": "threads"}
        await story.open("round-robin", **settings, cut=0, round_days=7)
        with change_by_hand(db) as conn:
            with_players(conn, GROUPS * GROUP)
        await story.start()

    async def _week(self, number: int) -> None:
        """Let the matches of a round be played, one of them as people do."""
        (match, _, loser), *_ = self._to_play(number)
        await self._do(reporting.report, loser, match=match, result="lost")
        with change_by_hand(self.bot.database) as conn:
            conn.execute(_PLAYED, (number,))
        await self._settled()
        self._passed += timedelta(days=7)
        await self._settled()

    async def _last_evening(self) -> float:
        """Let everyone report the matches of the last round, and return when all but the last one were confirmed."""
        chance, began = Random(228), self.now()
        end = self._loop.time()
        to_do: list[tuple[datetime, Any, int, dict[str, Any]]] = []
        for match, winner, loser in self._to_play(WEEKS):
            at = began + timedelta(hours=HOURS * chance.random())
            to_do += [
                (at, reporting.report, winner, {"match": match, "result": "won"}),
                (at + UNANSWERED, reporting.confirm, loser, {"match": match}),
            ]
        to_do.sort(key=lambda each: each[0])
        for at, use_case, who, given in to_do:
            while self.now() < at:
                await self._tick()
            end = self._loop.time()
            await self._do(use_case, who, **given)
        await self._settled()
        return end

    def _to_play(self, number: int) -> Sequence[tuple[Any, int, int]]:
        with look_into(self.bot.database) as conn:
            return [tuple(row) for row in records(conn, _TO_PLAY, number)]

    async def _do(self, use_case: Any, who: int, **given: Any) -> None:
        actor = Actor(user_id=who, name=str(who), guild_id=GUILD)
        await self.bot.database.write(use_case, Order(actor=actor, now=self.now(), league_id=self._league_id), **given)
        self.bot.announce()

    async def _tick(self) -> None:
        """Let the time pass after which the clock looks for what is due."""
        await steps.tick(self.bot.database, self.now(), self.bot.worker)
        self.bot.announce()
        await asyncio.sleep(SECONDS)

    async def _settled(self) -> None:
        await self._tick()
        while await self.bot.database.read(delivery.due, self.now()):
            await self._tick()

    def _taken(self, place: int) -> list[float]:
        return [at for where, _, at in self.discord.taken if where == place]


def _busiest(times: Iterable[float]) -> int:
    """Return how many of these moments there are within a minute at most."""
    in_order = sorted(times)
    return max((at + 1 - bisect_left(in_order, time - 60) for at, time in enumerate(in_order)), default=0)


@functools.cache
def asked() -> Asked:
    """Play a season, and return what it asked."""

    async def run() -> Asked:
        with tempfile.TemporaryDirectory() as folder:
            return await _Season().run(Path(folder))

    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(run())


def _row(title: str, value: Callable[[Asked], float], yardstick: float, against: str, at_most: float) -> Row:
    def row() -> Figure:
        named = f"{GROUPS} open groups with threads, {title}"
        return Figure(title=named, value=value(asked()), yardstick=yardstick, against=against, at_most=at_most, unit="")

    return row


ROWS: tuple[Row, ...] = (
    _row("seconds until a stage stands", lambda told: told.seconds, A_GROUP * GROUPS * 60 / LIMIT, "5 a group", 1.3),
    _row(
        "requests in the worst minute", lambda told: max(told.busiest, told.in_a_thread), LIMIT, "Discord's limit", 0.1
    ),
    _row("messages that last", lambda told: told.lasting, LASTING, "2 a group, 2 a week and 10", 1),
)
