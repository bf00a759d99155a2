"""One walk through a league's life: who acts, what they did, and what became of it."""

import asyncio
import contextlib
import copy
import inspect
import random
from collections import Counter, defaultdict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.league.errors import LeagueError
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import set_up
from storage.database import Database
from storage.rows import LeagueRow
from tests.files import new_database
from tests.model import expected
from tests.model.doors import READING, handed, use_cases
from tests.model.facts import Facts, File
from tests.model.told import Told
from tests.model.trace import Trace
from tests.services.conftest import (
    ADMIN,
    CHANNEL,
    FOREIGNER,
    GUILD,
    MODERATION,
    MODERATOR,
    MODERATOR_ROLE,
    ORGANISER,
    ORGANISER_ROLE,
    STRANGER,
    person,
)

UseCase = Callable[..., Any]
"""What is written or looked up in one go, or takes several steps."""
One = TypeVar("One")

START = datetime(2026, 3, 20, 12, tzinfo=UTC)
"""Nine days before the clocks change in Europe."""
PLAYERS = (
    person(1000, "dok"),
    person(1001, "Xorlof"),
    person(1002, "Zoë *the* _best_"),
    person(1003, "Kin|seth"),
    person(1004, "Ann"),
    person(1005, "Bo"),
    person(1006, "[Cy](x)"),
    person(1007, "Dee"),
    person(1008, "Eve, Queen"),
    person(1009, "Flo"),
    person(1010, "Mo the moderator", MODERATOR_ROLE),
    person(1011, "Ora the organiser", ORGANISER_ROLE),
)
PARTICIPANT_ROLE, CHAMPION_ROLE = 2200, 2201
"""What the bot gives, once an organiser has chosen them."""
STAFF = (ORGANISER, ADMIN, MODERATOR)
OTHERS = (STRANGER, FOREIGNER, FOREIGNER)
REASONS = ("asked to", "a mistake", "so it is", "they *said* so\nbefore the round, " + 50 * "and again ")
NEIGHBOUR = GUILD + 500
"""Another server in the same file, of which the same people are."""
ITS_CHANNELS = (NEIGHBOUR + 1, NEIGHBOUR + 2)
"""Where its league is, and its moderators."""
EARLIER = 40
"""So many of the last calls can be made once more."""
TALLY: Counter[tuple[str, str]] = Counter()
"""How often each use case was carried out, refused or cancelled, in all walks of this process."""
POSTING = {
    "steps.load",
    *(f"delivery.delivery.{name}" for name in ("lost", "sent", "removed", "refused", "failed")),
    *(f"threads.thread_notes.{name}" for name in ("begin", "made", "added")),
    "walks",
    "verified",
    "by the second engine",
}
"""What isn't an action of a person in that tally."""


@dataclass(slots=True, kw_only=True)
class Call:
    """One use case as someone asked for it, and what came out: its answer, or the error that refused it."""

    use_case: UseCase
    given: dict[str, Any]
    door: Callable[..., Any]
    answer: Any = None
    refused: LeagueError | None = None

    @property
    def name(self) -> str:
        """The use case as `module.function`, without the folder of the services."""
        module = self.use_case.__module__.removeprefix("bot.").removeprefix("services.")
        return f"{module}.{self.use_case.__name__}"

    @property
    def asked(self) -> dict[str, Any]:
        """What is handed to the use case: who asks, when and where in one order, if that's how it is given."""
        if "order" not in inspect.signature(self.use_case).parameters:
            return self.given
        rest = dict(self.given)
        order = Order(actor=rest.pop("actor"), now=rest.pop("now"), league_id=rest.pop("league_id", None))
        return {"order": order, **rest}

    def __str__(self) -> str:
        given = {
            key: getattr(what, "name", what) for key, what in self.given.items() if key not in ("now", "league_id")
        }
        said = " ".join(f"{key}={str(what)[:40]}" for key, what in given.items())
        return f"{self.name} {said}: {'done' if self.refused is None else self.refused}"[:200]


async def _league(db: Database, order: Order, name: str, channels: tuple[int, int], time_zone: str) -> LeagueRow:
    channel, moderation = channels
    return await db.write(
        set_up.create,
        order,
        name=name,
        channel_id=channel,
        moderator_role_id=MODERATOR_ROLE,
        organiser_role_id=ORGANISER_ROLE,
        moderation_channel_id=moderation,
        time_zone=time_zone,
    )


@dataclass(slots=True, kw_only=True)
class Walk:
    """A league with a file of its own; `together` holds the calls of a group that acts at once."""

    path: Path
    db: Database
    file: File
    league: LeagueRow
    format: str
    chance: random.Random
    now: datetime = START
    together: list[Call] | None = None
    told: Told = field(default_factory=Told)
    said: list[str] = field(default_factory=list[str])
    trace: Trace = field(default_factory=Trace)
    discord: Any = None
    """The Discord it happens on, once something was posted there."""
    bot: Any = None
    """The life of the bot that posts, if one does."""
    rendered: dict[int, Delivery] = field(default_factory=dict[int, Delivery])
    """What the bot showed last in each post, by the mark in its message."""
    remembered: float = 0
    """When Discord last forgot all nonces."""
    _earlier: defaultdict[int, deque[Call]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=EARLIER)))
    neighbour: LeagueRow | None = None
    """The league of another server, if there's one."""
    acting: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    """Who is at it while the bot posts: what they ask for ends where the bot dies."""

    @classmethod
    async def begin(cls, path: Path, format_: str, chance: random.Random) -> "Walk":
        db = await Database.open(await new_database(path))
        order = Order(actor=ADMIN, now=START)
        league = await _league(db, order, "Online HeroScape", (CHANNEL, MODERATION), "Europe/Berlin")
        walk = cls(path=path, db=db, file=File(path), league=league, format=format_, chance=chance)
        assert walk.file.column("SELECT id FROM leagues") == [league.id], "nothing is kept"
        return walk

    async def reopen(self, meanwhile: Callable[[Path], Awaitable[Path]] | None = None) -> None:
        """Close the file and open it, or the one a host made of it meanwhile; the bot begins another life."""
        if self.bot is not None:
            self.bot.dead, self.bot = True, None
        await self.db.close()
        if meanwhile is not None:
            self.file.close()
            self.path = await meanwhile(self.path)
            self.file = File(self.path)
        self.db = await Database.open(self.path)

    async def close(self) -> None:
        self.file.close()
        await self.db.close()

    def pass_time(self, **passed: float) -> None:
        self.now += timedelta(**passed)
        self.trace.note(self.now, "it is", passed)

    async def move_in(self) -> None:
        """Let another server have a league in the same file."""
        order = Order(actor=replace(ADMIN, guild_id=NEIGHBOUR), now=self.now)
        self.neighbour = await _league(self.db, order, "Next Door", ITS_CHANNELS, "America/New_York")

    @contextlib.asynccontextmanager
    async def next_door(self) -> AsyncGenerator["Walk"]:
        """Give the same walk in the league of the other server; what becomes of the file there becomes of it here."""
        assert self.neighbour is not None
        there = copy.copy(self)
        there.league = self.neighbour
        yield there
        if self.together is None:
            self.path, self.db, self.file, self.bot, self.now = there.path, there.db, there.file, there.bot, there.now

    # -- who and what, by chance --

    def maybe(self, probability: float) -> bool:
        return self.chance.random() < probability

    def pick(self, options: Sequence[One]) -> One | None:
        return self.chance.choice(options) if options else None

    def player(self) -> Actor:
        return self.chance.choice(PLAYERS)

    def staff(self) -> Actor:
        """Return an organiser most of the time, else someone who perhaps can't do what is asked."""
        return ORGANISER if self.maybe(0.8) else self.chance.choice((*STAFF, *OTHERS, *PLAYERS))

    def moderator(self) -> Actor:
        return MODERATOR if self.maybe(0.7) else self.chance.choice((*STAFF, *OTHERS, *PLAYERS))

    def mostly(self, discord_id: int | None) -> Actor:
        """Return the person of a Discord id, now and then someone else."""
        known = discord_id is not None and self.maybe(0.85)
        return self.account(discord_id) if known else self.chance.choice((*PLAYERS, *STAFF, *OTHERS))

    def account(self, discord_id: int) -> Actor:
        """Return the person of a Discord id, a new account too."""
        return next((one for one in PLAYERS if one.user_id == discord_id), person(discord_id, f"account {discord_id}"))

    def match(self, state: str | None = None) -> Any:
        """Return a match as a row with its round's number: mostly of the round that is played, and in this state."""
        there = self.file.rows(
            "SELECT m.*, r.number, r.phase FROM matches m JOIN rounds r ON r.id = m.round_id"
            " JOIN seasons s ON s.id = r.season_id WHERE s.league_id = ? AND r.phase <> 'draft' ORDER BY m.id",
            self.league.id,
        )
        fitting = [row for row in there if row["phase"] == "open" and state in (None, row["state"])]
        return self.pick(fitting if fitting and self.maybe(0.9) else there)

    def side(self, match: Any, *, but: int | None = None) -> Actor:
        """Return someone who mostly plays in a match, and isn't the entrant `but`."""
        entrant = self.chance.choice([side for side in (match["upper_id"], match["lower_id"]) if side != but])
        return self.mostly(self.file.person(entrant, match["number"]))

    def reason(self) -> str:
        """Return a reason someone gives, now and then a long one on several lines."""
        return self.chance.choice(REASONS)

    def name(self) -> str:
        """Return a league name that is mostly someone's in the newest season."""
        sql = (
            "SELECT name FROM entrants WHERE season_id ="
            " (SELECT max(id) FROM seasons WHERE league_id = ? AND number IS NOT NULL) ORDER BY id"
        )
        known = self.pick(self.file.column(sql, self.league.id)) if self.maybe(0.9) else None
        return known or self.player().name

    # -- acting --

    @property
    def earlier(self) -> deque[Call]:
        """What people asked for last on the server of the league."""
        return self._earlier[self.league.guild_id]

    def who(self, actor: Actor) -> dict[str, Any]:
        """Return who acts, now, in the league."""
        return {**self.by(actor), "league_id": self.league.id}

    def by(self, actor: Actor) -> dict[str, Any]:
        """Return who acts, now, on the server of the league."""
        guild = self.league.guild_id if actor.guild_id == GUILD else actor.guild_id
        return {"actor": replace(actor, guild_id=guild), "now": self.now}

    async def call(self, use_case: UseCase, **given: Any) -> Call:
        """Let someone do something; an answer that isn't right fails, and so does any error but a refusal."""
        call = Call(use_case=use_case, given=given, door=Database.write)
        assert call.name in use_cases(), f"the bot doesn't write with {call.name}"
        if "actor" in given:
            self.earlier.append(call)
        return await self._ask(call)

    async def repeat(self, earlier: Call) -> Call:
        """Let the same person ask for the same once more, now."""
        return await self.call(earlier.use_case, **earlier.given | {"now": self.now})

    async def look(self, use_case: UseCase, **given: Any) -> Call:
        """Let someone look something up, which changes nothing."""
        who = self.by(given["actor"]) if "actor" in given else {}
        call = Call(use_case=use_case, given={"now": self.now, **given, **who}, door=Database.read)
        assert call.name in handed(READING), f"the bot doesn't look up {call.name}"
        return await self._ask(call)

    async def _ask(self, call: Call) -> Call:
        if self.together is not None:
            self.together.append(call)
            await self._carry_out(call)
            return call
        before = self.file.facts()
        await self._carry_out(call)
        self._compare(call, before, self.file.facts())
        return call

    async def agreed(self, use_case: UseCase, **given: Any) -> Call:
        """Let someone ask for something that may cost something, and mostly agree to it."""
        call = await self.call(use_case, agreed="", **given)
        if isinstance(call.refused, ConfirmationNeeded) and self.maybe(0.8):
            return await self.call(use_case, agreed=call.refused.token, **given)
        return call

    async def _carry_out(self, call: Call) -> None:
        try:
            if inspect.iscoroutinefunction(call.use_case):
                call.answer = await call.use_case(self.db, **call.asked)
            else:
                call.answer = await call.door(self.db, call.use_case, **call.asked)
            outcome = "done"
        except LeagueError as refused:
            call.refused, outcome = refused, "refused"
        except asyncio.CancelledError:
            TALLY[call.name, "cancelled"] += 1
            self.trace.note(self.now, f"{call.name} cancelled", call.given)
            raise
        TALLY[call.name, outcome] += 1
        self.told.know(self)
        self.said.append(f"{self.now:%m-%d %H:%M} {call}")
        given = {key: what for key, what in call.given.items() if key not in ("now", "worker")}
        self.trace.note(self.now, call.name, given, call.answer if call.refused is None else str(call.refused))

    def _compare(self, call: Call, before: Facts, after: Facts) -> None:
        try:
            expected.require(self, call, before, after)
        except AssertionError as error:
            error.add_note(f"after {call.name}({call.given}): {call.refused or call.answer}")
            raise
