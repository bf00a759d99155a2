"""A whole season of the real program, with kills: run it, and check that nothing was lost, doubled or left out."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.loopback.discord_server import Discord
from tests.loopback.faults import Weather
from tests.loopback.objects import Json, mark_of, text_of
from tests.loopback.threads import Threads
from tests.wire.crowd import Crowd, Move
from tests.wire.program import Clock, Killed, Program
from tests.wire.state import State
from tests.wire.steps import Step

START = datetime(2026, 12, 1, 18, tzinfo=UTC)
BETWEEN, LONG = timedelta(minutes=1), timedelta(hours=13)
"""The time between two moves, and how long everyone waits where nobody has anything to do."""
MOST_WAITS = 40
TRIES = 12
SETTLING_SECONDS = 90
KILLED_WITHIN, STARTED_WITHIN = 0.4, 1
"""Seconds in which a bot killed at random dies: after someone began to act, or after it was started again."""
_RESULTS = (
    "SELECT r.number, m.position, u.name, l.name, w.name, m.kind, m.confirmed_by FROM matches m"
    " JOIN rounds r ON r.id = m.round_id JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
    " LEFT JOIN entrants w ON w.id = m.winner_id"
)
_OWED = "SELECT key, state, problem FROM outbox WHERE state IN ('due', 'failed')"
_ORPHAN = re.compile(r'Traceback \(most recent call last\):\n  File "<string>", [^T]*?EOFError: Ran out of input\n')
"""What a process for long work says that had just begun as the one that started it was killed; it ends with that."""


@dataclass(frozen=True)
class Plan:
    """What is played, and how often the bot is killed at some moment."""

    format: str = "ohs"
    players: int = 4
    seed: int = 1
    settings: tuple[tuple[str, str], ...] = ()
    eventful: bool = False
    nonces: bool = True
    faults: float = 0
    """How likely something goes wrong at a post, an edit, a deletion or a thread."""
    at_random: float = 0
    """How likely the bot is killed at some moment of a move."""


@dataclass
class Outcome:
    """How a season went, as far as it must be the same with and without kills."""

    results: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    audit: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    posts: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)
    pings: Counter[str] = field(default_factory=Counter)
    threads: Counter[str] = field(default_factory=Counter)
    roles: Counter[tuple[int, int]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    ended: bool = False
    """Whether it has a champion; where it hasn't, a problem says why."""
    kills: int = 0
    steps: list[Step] = field(default_factory=list)
    killed_at: list[Step] = field(default_factory=list)
    asked_again: int = 0


class Season:
    """One season from the league's set-up to its champion, in which the bot dies at these steps.

    The first step of a move is meant by its place. After a death the move goes another way: then the bot dies at the
    next step that has the name of the second, and so on.
    """

    def __init__(self, plan: Plan, folder: Path, deadly: Iterable[Step] = ()) -> None:
        self.plan, self.folder = plan, folder
        self.deadly = list(deadly)
        self.here: list[Step] = []
        """Those of the present move at which the bot hasn't died yet."""
        self.discord, self.clock = Discord(), Clock(START)
        self.threads = Threads(self.discord)
        self.state = State(folder / "league.db")
        settings = dict(plan.settings)
        self.crowd = Crowd(self.discord, self.state, plan.format, plan.seed, plan.players, settings, plan.eventful)
        self.chance = random.Random(f"{plan}")
        self.move, self.doing = -1, ""
        """How many moves were made before the present one or the last, and what is done in it."""
        self.outcome = Outcome()
        if plan.faults:
            self.discord.fault = Weather(plan.seed, plan.faults)

    async def run(self) -> Outcome:
        app = self.discord.app()
        self.threads.add_to(app)
        app.router.add_get("/api/clock", self.clock.ask)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.program = Program(self.discord, runner.addresses[0][1], self.folder)
        try:
            self._begin("start")
            await self._start()
            await self._play()
            self.outcome.ended = self.crowd.over
            self.outcome.problems += await self.program.verify() if self.outcome.ended else []
        except (AssertionError, TimeoutError) as stuck:
            self.outcome.problems.append(f"stuck in move {self.move}, {self.doing}: {stuck!r}")
        finally:
            await self.program.kill()
            await runner.cleanup()
        return self._checked()

    async def _play(self) -> None:
        waits = 0
        while not (self.crowd.over or self.outcome.problems) and waits < MOST_WAITS:
            await self._pass_time(BETWEEN)
            move = self.crowd.next()
            waits = waits + 1 if move is None else 0
            if move is None:
                self._begin("time passes")
                await self._pass_time(LONG)
            else:
                self._begin(move.notes)
                await self._until_done(move)
                await self._settled()
        if not self.crowd.over:
            self.outcome.problems.append(f"the season stands still: {self.state.matches()}")
        self._begin("the end")
        for _ in range(3):
            await self._pass_time(LONG)

    def _begin(self, doing: str) -> None:
        """Begin the next move, or a time in which nobody has anything to do."""
        self.outcome.steps += self._steps()
        self.move, self.doing = self.move + 1, doing
        self.here = [step for step in self.deadly if step.move == self.move]
        self.program.die_at(*(self.here[0].name, self.here[0].nth) if self.here else ("", 0))

    def _steps(self) -> list[Step]:
        """Return the steps of the present move so far."""
        seen: Counter[str] = Counter()
        made: list[Step] = []
        for name in self.program.steps[len(self.outcome.steps) :]:
            seen[name] += 1
            made.append(Step(self.move, self.doing, name, seen[name]))
        return made

    async def _pass_time(self, time: timedelta) -> None:
        self.clock.now += time
        await self._settled()

    async def _until_done(self, move: Move) -> None:
        """Let a person act, again where the bot died before it answered, until it is done."""
        before = self.state.noted(move.notes, move.who[0])
        for _ in range(TRIES):
            try:
                answers = await self._survived(move)
            except Killed:
                self.outcome.asked_again += 1
                continue
            after = self.state.noted(move.notes, move.who[0])
            if after != before + 1:
                said = " / ".join(map(text_of, answers)) or "nothing"
                self.outcome.problems.append(f"{move}: noted {after - before} times; the bot said {said}")
            return
        raise AssertionError(f"{move}: killed {TRIES} times")

    async def _survived(self, move: Move) -> Any:
        self._kill_by_chance(KILLED_WITHIN)
        return await self._living(move.act)

    def _kill_by_chance(self, seconds: float) -> None:
        """Kill the bot, if the plan's chance says so, at some moment of the next seconds."""
        if self.chance.random() < self.plan.at_random:
            asyncio.get_running_loop().call_later(self.chance.random() * seconds, self._kill)

    def _kill(self) -> None:
        self._killing = asyncio.ensure_future(self.program.kill())

    async def _living(self, work: Any) -> Any:
        """Do something with the bot; where it dies, start it again and raise Killed."""
        try:
            return await self.program.during(work())
        except Killed:
            await self._again()
            raise

    async def _start(self) -> None:
        """Start the bot, and once more if it is killed while it starts."""
        try:
            await self.program.start()
        except Killed:
            await self._again()

    async def _again(self) -> None:
        self.outcome.killed_at += self._steps()[-1:]
        self.here = self.here[1:]
        self.program.die_at(*(self.here[0].name, 1) if self.here else ("", 0))
        if not self.plan.nonces:
            self.discord.forget_nonces()
        self._kill_by_chance(STARTED_WITHIN)
        await self._start()

    async def _settled(self) -> None:
        """Wait until the bot has done and posted everything that is due, however often it dies."""
        while True:
            try:
                return await self._living(self._quiet)
            except Killed:
                continue

    async def _quiet(self) -> None:
        async with asyncio.timeout(SETTLING_SECONDS):
            await self.clock.turn()
            with self.state.kept_open():
                while self.state.queued(self.clock.now.timestamp()):  # noqa: ASYNC110 (it happens in another process)
                    await asyncio.sleep(0.02)

    def _checked(self) -> Outcome:
        outcome, rows = self.outcome, self.state.rows
        outcome.steps += self._steps()
        outcome.kills = self.program.lives - 1
        if not outcome.ended:
            return outcome
        outcome.audit = Counter(rows("SELECT action, actor_id, subject, at, after, reason FROM audit"))
        outcome.results = Counter(rows(_RESULTS))
        shown = [(place, post) for place, kept in self.discord.messages.items() for post in kept]
        outcome.posts = Counter(f"{self._place(place)}: {_said(post)}" for place, post in shown)
        outcome.deleted = Counter(_said(post) for post in self.discord.deleted)
        outcome.pings = Counter(f"{who} {_said(post)}" for who, post in self.discord.pings)
        outcome.roles = Counter(self.discord.roles)
        outcome.threads = Counter(self._thread(one) for one in self.discord.threads)
        marks = Counter(mark_of(post) for _, post in shown if post["components"])
        outcome.problems += [f"post {mark} is there {times} times" for mark, times in marks.items() if times > 1]
        outcome.problems += [f"queued: {row}" for row in rows(_OWED)]
        outcome.problems += [str(row) for row in rows("PRAGMA integrity_check") if row != ("ok",)]
        outcome.problems += [str(row) for row in rows("PRAGMA foreign_key_check")]
        log = _ORPHAN.sub("", self.program.log)
        if "Traceback" in log or "ERROR" in log:
            outcome.problems.append(f"in the log: {self.program.log[-3000:]}")
        return outcome

    def _thread(self, thread: Json) -> str:
        members = sorted(self.threads.members[int(thread["id"])])
        return f"{thread['name']} {thread['thread_metadata']['archived']} {members}"

    def _place(self, place: int) -> str:
        return self.discord.channels[place].get("name", f"direct {place}")


def _said(post: Json) -> str:
    """Return what a message says and shows, without what differs from run to run: ids, and fingerprints of lists."""
    pictures = "".join(f" [{each['filename']}]" for each in post["attachments"])
    return re.sub(r"(?<=[#/])\d{4,}|\b[0-9a-f]{64}\b", "0", text_of(post)) + pictures


def differences(reference: Outcome, killed: Outcome, *, times: bool = True) -> list[tuple[str, str]]:
    """Return what a season with kills lost, doubled, or did otherwise than the same season without them.

    Without `times` it may have happened at other moments: after a fault the bot tries again a little later.
    """
    found = [("other", problem) for problem in killed.problems]
    if not killed.ended:
        return found
    for what in ("results", "audit", "posts", "deleted", "pings", "threads", "roles"):
        expected, there = (_told(getattr(one, what), times=times) for one in (reference, killed))
        found += [("lost", f"{what}: {one}") for one in (expected - there).elements()]
        found += [("doubled", f"{what}: {one}") for one in (there - expected).elements()]
    return found


def _told(counted: Counter[Any], *, times: bool) -> Counter[str]:
    return Counter(str(one) if times else re.sub(r"\b\d{9,}\b", "0", str(one)) for one in counted.elements())
