"""A bot living in its simulated guild: one clock, one lock, and a heartbeat that lets time pass."""

# simcord is made for tests, which start at a fixed date and end soon; each private attribute used says why.

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import repeat
from typing import TypeVar, TypeVarTuple

import discord
from simcord import Env

from bot.practice import world
from bot.practice.pages import PracticePreview
from bot.worker import Worker

log = logging.getLogger(__name__)

MakeBot = Callable[[Callable[[], datetime], Callable[[float], Awaitable[None]]], discord.Client]
"""Makes the bot from a clock and what it sleeps with."""

_Given = TypeVarTuple("_Given")
_Answer = TypeVar("_Answer")
_HEARTBEAT = 0.5  # seconds between two steps of the simulated clock
_HOUR = timedelta(hours=1)
_TICK = timedelta(seconds=31)  # in which the bot's clock asks once what is due


class _PatientEnv(Env):
    """simcord's world, for a person instead of a test: quick to answer, and patient with a busy computer."""

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  (simcord's own name)
        idle: float = 0.005,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        # simcord asks twenty times a second whether the bot is idle, which makes clicks slow, and gives it five seconds
        # to start, which is too little where the disk is busy.
        patience = None if timeout is None else max(timeout, self.settle_timeout)
        await super()._settle_internal(timeout=patience, idle=idle, dispatch=dispatch, _deadline=_deadline)


class Apart(Worker):
    """A worker of a bot in the guild that nothing else in the guild waits for."""

    def __init__(self, env: Env) -> None:
        super().__init__()
        self._env = env

    async def run(self, function: Callable[[*_Given], _Answer], *given: *_Given, seconds: float) -> _Answer:
        """Return what Worker.run does, while everything else goes on."""
        coming = super().run(function, *given, seconds=seconds)
        return await self._env.external_wait(coming, reason="a worker computes")

    def begin(self, function: Callable[[*_Given], _Answer], *given: *_Given, seconds: float) -> asyncio.Future[_Answer]:
        """Return what Worker.begin does, without simcord's noticing."""
        return Context().run(partial(super().begin, function, *given, seconds=seconds))


class Simulation:
    """The simulated guild with its bot and its page.

    simcord refuses two operations at once, so everything that acts in the guild holds `lock`.
    """

    def __init__(self, make_bot: MakeBot, *, port: int, start: datetime | None = None) -> None:
        self.env = _PatientEnv(make_bot(self.now, self.sleep), check_errors=False, settle_timeout=60.0)
        # simcord's page calls a click failed when the command raised anything, even an answer meant for the person.
        self.env._record_error = _note_error  # pyrefly: ignore[method-assign]
        self.lock = asyncio.Lock()
        self.world = world.build(self.env)
        # The simulated clock starts at a fixed date; from here on it shows the real time, unless it's moved.
        self.env.backend.clock._epoch = start or datetime.now(UTC)
        self.preview = PracticePreview(self.env, self.world, lock=self.lock, port=port, move=self.move)
        self.on_change: list[Callable[[], Awaitable[None]]] = []
        """Called with the lock held whenever something has happened in the guild."""

    def now(self) -> datetime:
        """Return the time in the guild, to the last heartbeat: the real time, plus what it was moved."""
        return self.env.now()

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed in the guild."""
        await self.env.external_wait(asyncio.sleep(seconds), reason="time passes with the heartbeat")

    async def move(self, hours: int) -> None:
        """Move the guild's clock ahead, and let the bot do what is due after each hour; the caller holds the lock."""
        for step in (*repeat(_HOUR, hours), _TICK):  # at the end once more: a minute may have been missing
            # simcord lets time pass only from one timer of the bot to the next, which takes long for hours; so the
            # clock itself is set, and only the last seconds pass.
            self.env.backend.clock._epoch += step - _TICK
            await self.env.advance_time(_TICK.total_seconds())

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Start the bot and its page, keep time passing, and end both."""
        try:
            await self.env.start()
            async with self.preview:
                heart = asyncio.create_task(self._beat())
                try:
                    yield
                finally:
                    heart.cancel()
                    await asyncio.gather(heart, return_exceptions=True)
        finally:
            await self.env.bot.close()
            await self.env.shutdown()

    async def _beat(self) -> None:
        before = time.perf_counter()
        while True:
            await asyncio.sleep(_HEARTBEAT)
            now = time.perf_counter()
            try:
                async with self.lock:
                    await self.env.advance_time(now - before)
                    await self._show_changes()
            except Exception:
                # One bad second must not stop the clock for good.
                log.exception("The practice server's clock stumbled")
            before = now

    async def _show_changes(self) -> None:
        backend = self.env.backend
        if not backend.transcript:
            return
        # simcord records every event and request for tests to look at; a server that runs for days can't keep them.
        backend.transcript.clear()
        backend.http_requests.clear()
        self._forget_interactions()
        try:
            for notice in self.on_change:
                await notice()
        finally:  # what has happened is shown even if nobody can be told what it means
            await self.preview.refresh()

    def _forget_interactions(self) -> None:
        backend = self.env.backend
        for record in list(backend.interactions.values()):
            if record.expires_at is not None and record.expires_at < backend.now_iso():
                del backend.interactions[record.id]
                backend.interaction_tokens.pop(record.token, None)
                posts = backend.messages.get(record.channel_id, {})
                if record.message_id in posts and posts[record.message_id].is_ephemeral:
                    del posts[record.message_id]


def _note_error(error: BaseException) -> None:
    # The bot has told the person already, and logged what was a bug.
    log.debug("An error passed through the simulated Discord", exc_info=error)
