"""The announcer of a walk: the bot's own, with discord.py, on a Discord in the same process; it can die at any step."""

import asyncio
import copy
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import aiohttp

from bot.client import LeagueBot
from bot.league.errors import Unavailable
from bot.league.summaries.outlook import look_ahead
from bot.pictures.drawing import Drawn, Picture, draw
from bot.services.base import post_kinds
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.settings import Settings
from cogs.posting import messages
from cogs.posting.announcer import Announcer
from cogs.posting.messages import mark_of
from cogs.posting.renderings import message
from cogs.posting.roles import Roles
from cogs.ui.cards import Answer
from cogs.ui.replies import message_parts, with_clickable
from storage.posts import Target
from tests.loopback.objects import Json
from tests.loopback.objects import mark_of as mark_in
from tests.model.discord_here import DiscordHere
from tests.model.limits import require_within_limits
from tests.model.told import ONLY_TELLS
from tests.model.walk import PLAYERS, STAFF, TALLY, Walk

MOST_LIVES = 12
"""How often one round of sending can lead to more to send before it's an endless loop."""
MOST_TIMES = 30
"""How often the bot can note the same of one post before it is an endless loop; there can be any number of posts."""
LONGEST = 40
"""The bot dies, if it does, within so many steps: transactions and requests, each before and after."""
REMEMBERED = 300
"""Seconds after which Discord doesn't know a nonce any more."""
RENDERED: Counter[str] = Counter()
"""How many posts of each kind were rendered, in all walks of this process."""
KILLS: Counter[str] = Counter()
"""At which steps the bot died, in all walks of this process."""
FULL: Counter[str] = Counter()
"""How often the bot couldn't write, in all walks of this process."""
COMMANDS = {"match": 1, "report": 2, "round post": 3, "season settings": 4, "disputes": 5, "drop": 6}
A_FEW = 200
"""As many places of tables a look ahead goes through."""


class InPlace:
    """Computes at once what the bot has a process for; pictures are laid out, not painted."""

    waiting = 0

    async def run(self, function: Callable[..., Any], *given: Any, seconds: float) -> Any:
        return await self.begin(function, *given, seconds=seconds)

    def begin(self, function: Callable[..., Any], *given: Any, seconds: float) -> asyncio.Future[Any]:
        coming = asyncio.get_running_loop().create_future()
        in_short = {draw: _laid_out, look_ahead: partial(look_ahead, most=A_FEW)}
        coming.set_result(in_short.get(function, function)(*given))
        return coming


def _laid_out(picture: Picture, page: int | str) -> Drawn:
    pages = picture.pages(lambda words, style: 15.0 * len(words))
    return Drawn(png=b"", alt=pages[0].alt, number=0, titles=tuple(page.title for page in pages))


class _Died(asyncio.CancelledError):
    """The process is gone: nothing in it goes on."""


class _ItsDatabase:
    """The walk's database as the bot has it: each transaction is a step at which the bot can die."""

    def __init__(self, bot: "Living") -> None:
        self._bot = bot

    @property
    def shards(self) -> Any:
        return self._bot.walk.db.shards

    async def write(self, use_case: Callable[..., Any], *given: Any, **more: Any) -> Any:
        name = f"{use_case.__module__.removeprefix('bot.').removeprefix('services.')}.{use_case.__name__}"
        self._bot.step(f"before {name}")
        self._bot.require_end(name, given)
        self._bot.require_space()
        made = await self._bot.walk.db.write(use_case, *given, **more)
        self._bot.walk.trace.note(self._bot.now(), name, given, more)
        TALLY[name, "done"] += 1
        self._bot.step(f"after {name}")
        return made

    async def read(self, look: Callable[..., Any], *given: Any, **more: Any) -> Any:
        self._bot.step(None)
        return await self._bot.walk.db.read(look, *given, **more)


class Living(LeagueBot):
    """One life of the bot, with the cogs that post; it knows nothing of those before."""

    def __init__(self, walk: Walk, here: DiscordHere) -> None:
        super().__init__(Settings(site_url="https://league.example.org"), now=self._now, paced=False)
        self.walk, self.here = walk, here
        self.worker = self.painter = self.publisher = self.importer = InPlace()  # type: ignore[assignment]
        self.command_ids = COMMANDS
        self._since = asyncio.get_running_loop().time()
        self.dead, self.left = False, -1
        self.noted: Counter[tuple[str, Any]] = Counter()
        """What it noted since it was woken, of which post or role."""
        self.endless: tuple[str, Any] | None = None
        self.writes, self.full = 0, range(0)
        """How often it wrote since it was woken, and which of these writes fail because the disk is full."""

    def _now(self) -> Any:
        return self.walk.now

    async def setup_hook(self) -> None:
        self.database = _ItsDatabase(self)  # type: ignore[assignment]
        self.here.events.client = self
        self._connection._add_guild_from_data(self.here.guild())  # type: ignore[arg-type]
        await self.add_cog(Announcer(self))
        await self.add_cog(Roles(self))

    def step(self, name: str | None) -> None:
        """Go on, unless the bot is dead or dies here."""
        if not self.dead and name is not None:
            self.left -= 1
            if self.left == 0:
                self.dead = True
                KILLS[name] += 1
                self.walk.trace.note(self.walk.now, f"dies {name}")
        if self.dead:
            raise _Died

    def require_end(self, name: str, given: tuple[Any, ...]) -> None:
        """Stop a bot that does the same over and over."""
        about = name, given[:1]
        self.noted[about] += 1
        if self.noted[about] > MOST_TIMES:
            self.endless = about
            raise _Died

    def require_space(self) -> None:
        """Fail as the database does while the disk is full."""
        self.writes += 1
        if self.writes in self.full:
            self.walk.trace.note(self.walk.now, "the disk is full")
            FULL["writes"] += 1
            raise Unavailable("The disk is full.")


def discord_of(walk: Walk) -> DiscordHere:
    """Return the Discord of a walk, which tells who was told what."""
    if walk.discord is None:
        _happens_on(walk, DiscordHere(walk.chance))
    return walk.discord


def gone_on_from(kept: Walk, walk: Walk) -> None:
    """Let a walk, on a copy of the file of another that is over, begin with a copy of what stands on its Discord."""
    kept.discord.events.client, kept.discord.step = None, lambda name: None
    _happens_on(walk, copy.deepcopy(kept.discord))
    walk.discord.chance = walk.chance
    walk.now, walk.told, walk.rendered = kept.now, copy.deepcopy(kept.told), dict(kept.rendered)
    walk.remembered = kept.remembered


def _happens_on(walk: Walk, here: DiscordHere) -> None:
    walk.discord = here
    here.server.told = lambda made: _told(walk, made)
    here.note = lambda what, *values: walk.trace.note(walk.now, what, *values)
    here.is_owed = lambda mark: _is_owed(walk, mark)


def _is_owed(walk: Walk, mark: int) -> bool:
    """Whether the post of a message that was rendered is still to be sent."""
    found = walk.rendered.get(mark)
    queued = "SELECT 1 FROM outbox WHERE id = ? AND state = 'due' AND removed = 0 AND message_id IS NULL"
    return found is not None and walk.file.value(queued, found.row.id) is not None


def _told(walk: Walk, made: Json) -> None:
    found = walk.rendered.get(mark_in(made) or 0)
    if found is not None:
        place = found.row.channel_id
        assert not found.row.is_over(walk.now), f"{found.row.key} was sent after its time"
        again = found.row.message_id is not None and found.row.kind in ONLY_TELLS
        assert not again, f"{found.row.key} was sent again after its message was deleted"
        walk.told.note(found, place_gone=place is not None and place not in discord_of(walk).server.channels)


async def announce(walk: Walk, *, failing: float = 0, dies: bool = False) -> None:
    """Send, edit and delete what is due, until nothing is; some requests fail, and the bot may die and start again."""
    here = discord_of(walk)
    here.chance, here.how_often = walk.chance, failing
    await here.let_arrive()  # what was on its way came in long before nonces were forgotten
    if walk.now.timestamp() > walk.remembered + REMEMBERED:
        _forget_nonces(walk, here)
    others = asyncio.all_tasks()
    for _ in range(MOST_LIVES):
        bot = walk.bot = walk.bot or await _born(walk, here)
        bot.walk = walk  # it lives on at the time of another league's walk
        bot.left = walk.chance.randint(1, LONGEST) if dies else -1
        bot.noted.clear()
        bot.writes, bot.full = 0, _full(walk) if failing else range(0)
        dies, failing = False, 0.0
        began = asyncio.get_running_loop().time()
        with patch.object(messages, "message", _checked(walk)):
            await _settle(bot, others)
        passed = int(asyncio.get_running_loop().time() - began)
        if passed:
            walk.pass_time(seconds=passed)
        if bot.dead:
            await _die_with_it(walk)
            await walk.reopen()
            if walk.maybe(0.3):  # it is started again later
                await here.let_arrive()
                walk.pass_time(minutes=20)
                _forget_nonces(walk, here)
        elif not await walk.db.read(delivery.due, walk.now):
            await walk.call(delivery.longest_wait, now=walk.now)
            return
    queued = await walk.db.read(delivery.due, walk.now)
    raise AssertionError(f"posts never end: {[post.key for posts in queued.values() for post in posts]}")


async def _die_with_it(walk: Walk) -> None:
    """End what people asked for and the bot was at: nothing in the process goes on."""
    for task in walk.acting:
        task.cancel()
    await asyncio.gather(*walk.acting, return_exceptions=True)


def _forget_nonces(walk: Walk, here: DiscordHere) -> None:
    here.server.forget_nonces()
    walk.remembered = walk.now.timestamp()


def _full(walk: Walk) -> range:
    """Return which writes fail because the disk is full for a moment, mostly none."""
    first = walk.chance.randint(1, LONGEST)
    return range(first, first + walk.chance.choice((0, 0, 1, 4)))


async def _born(walk: Walk, here: DiscordHere) -> Living:
    bot = Living(walk, here)
    failing, here.how_often, here.step = here.how_often, 0.0, bot.step
    with patch.object(aiohttp, "ClientSession", lambda **given: here):
        await bot.login("token")
    here.how_often = failing
    return bot


async def _settle(bot: Living, others: set[asyncio.Task[Any]]) -> None:
    """Let the bot work until it has nothing to do, or is dead."""
    bot.announce()
    await asyncio.sleep(0)
    while busy := asyncio.all_tasks() - others:
        assert bot.endless is None, f"the bot never has nothing to do: {bot.endless}"
        if bot.dead:
            for task in busy:
                task.cancel()
        await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)


def _checked(walk: Walk) -> Callable[[Any, Delivery], Any]:
    """Return what renders a post for the announcer and looks at it."""

    async def rendered(bot: Any, found: Delivery) -> Answer:
        answer = await message(bot, found)
        _require(walk, found, answer)
        walk.rendered[mark_of(found.row)] = found
        TALLY["steps.load", "done"] += 1
        return answer

    return rendered


def _require(walk: Walk, found: Delivery, answer: Answer) -> None:
    """Fail where a post is beyond Discord's limits, or pings anyone but people and roles of its league."""
    kind = post_kinds.of(found.row)
    parts = message_parts(with_clickable(answer, COMMANDS), mark_of(found.row))
    require_within_limits(parts)
    league = walk.file.rows("SELECT * FROM leagues WHERE id = ?", found.league.id)[0]
    people = {one.id for one in parts["allowed_mentions"].users}
    roles = {one.id for one in parts["allowed_mentions"].roles}
    decide = (*STAFF, *(actor for actor in PLAYERS if actor.role_ids))
    staff = {actor.user_id for actor in decide} if found.row.target is Target.MODERATION else set[int | None]()
    assert people <= {*walk.told.know(walk), league["created_by"], *staff}, f"{kind} pings strangers: {people}"
    assert roles <= {league["moderator_role_id"], league["organiser_role_id"]}, f"{kind} pings other roles"
    assert kind.for_moderators or not roles, f"{kind} pings the staff"
    to_nobody = kind.personal and found.row.message_id is None and found.row.person_id is None and not people
    assert not to_nobody, f"{kind} to nobody"
    RENDERED[kind] += 1
