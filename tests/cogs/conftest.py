"""A server with an organiser, a moderator, players and two channels, and the real bot in it."""

import asyncio
import contextlib
import copy
import functools
import marshal
import pickle
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord
import simcord.components
import simcord.gateway
import simcord.results
from discord import app_commands
from simcord.actors import MemberActor
from simcord.backend.models import Message
from simcord.backend.ops.commands import COMMAND_FIELDS
from simcord.backend.state import Backend
from simcord.builders import ChannelHandle, GuildHandle
from simcord.http import router
from simcord.results import InteractionResult

from bot.client import LeagueBot
from bot.league.season.settings import SETTINGS
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.seasons import planning
from bot.services.signups import signing_up
from bot.settings import Settings
from bot.worker import Worker
from cogs.ui import button_memory
from cogs.ui.cards import texts
from storage.database import Database
from storage.query import value
from storage.rows import LeagueId
from tests import examples
from tests.cogs import slow_answers
from tests.files import Kept, Looked, new_database
from tests.loopback.api_check import discord_would_take_every_request as discord_would_take_every_request
from tests.marks_shown import watched as watched
from tests.pictures.pixel import PIXEL

simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.002


def copied(value: Any) -> Any:
    """Copy what messages are made of, which simcord does many times a press, as `deepcopy` does but at once."""
    with contextlib.suppress(ValueError):  # there is an enumeration in it
        return marshal.loads(marshal.dumps(value))
    if isinstance(value, dict):
        return {key: copied(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [copied(inside) for inside in value]
    return value if value is None or isinstance(value, str | int | float) else copy.deepcopy(value)


simcord.components.deepcopy = simcord.results.deepcopy = copied
simcord.gateway.copy = router.copy = SimpleNamespace(deepcopy=copied)  # type: ignore[assignment]
# Its callbacks are looked for in a list, each by all of its fields.
simcord._runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[assignment]


def let_in(edit: Callable[..., Message]) -> Callable[..., Message]:
    """Let people into a thread, as Discord does, as a message there is edited so that it mentions them."""

    def edited(backend: Backend, channel_id: int, message_id: int, fields: dict[str, Any]) -> Message:
        message = edit(backend, channel_id, message_id, fields)
        for person in message.ping_user_ids if backend.get_channel(channel_id).is_thread else ():
            backend.add_thread_member(channel_id, person)
        return message

    return edited


Backend.edit_message = let_in(Backend.edit_message)


class PatientEnv(simcord.Env):
    """simcord's world, settled once its event loop has nothing to do and no thread works for the bot."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._waiting: set[asyncio.Future[None]] = set()

    def watch(self, loop: Any) -> None:
        """Tell those who wait when a loop that has nothing to do would wait for threads that have nothing to do."""
        wait = loop._selector.select

        def select(timeout: float | None = None) -> Any:
            if timeout == 0 or not self._waiting or self._is_busy():
                return wait(timeout)
            if came := wait(0):  # what a thread has done since
                return came
            for waiter in self._waiting:
                waiter.set_result(None)
            self._waiting.clear()
            return came

        loop._selector.select = select

    def _is_busy(self) -> bool:
        """Whether a thread reads, writes, paints or computes."""
        database: Database | None = getattr(self.bot, "database", None)
        return bool(self._work.executors) or (database is not None and database.busy)

    async def _settle_internal(self, *, timeout: float | None = None, **more: Any) -> None:  # noqa: ASYNC109
        """Ask simcord, which looks at every task, only when all is quiet, and wait as long as a busy machine takes."""
        patience = None if timeout is None else max(timeout, self.settle_timeout)
        while True:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.add(waiter)
            await waiter
            await super()._settle_internal(timeout=patience, **more)
            if not self._is_busy():
                return


PLAYERS = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana")


class World:
    """Everything a test acts with; `jump` moves the bot's own clock without waiting for every tick between."""

    def __init__(self, env: simcord.Env, make_bot: Callable[[Callable[[], datetime]], LeagueBot]) -> None:
        self.env = env
        self._make_bot = make_bot
        self._ahead = timedelta()
        self.guild: GuildHandle
        self.channel: ChannelHandle
        self.back_room: ChannelHandle
        self.organiser: MemberActor
        self.moderator: MemberActor
        self.outsider: MemberActor
        self.players: list[MemberActor] = []

    def now(self) -> datetime:
        return self.env.now() + self._ahead

    async def jump(self, **span: float) -> None:
        self._ahead += timedelta(**span)
        await self.env.advance_time(31)

    def build(self, name: str = "Arena") -> None:
        self.guild = self.env.create_guild(name)
        may = discord.Permissions(create_private_threads=True, mention_everyone=True, pin_messages=True)
        organisers = self.guild.create_role("Organisers", permissions=may)
        moderators = self.guild.create_role("Moderators")
        chief = self.guild.create_role(
            "Chiefs", permissions=discord.Permissions(manage_guild=True, manage_messages=True, mention_everyone=True)
        )
        self.roles = {"organiser_role": organisers, "moderator_role": moderators}
        self.channel = self.guild.create_text_channel("league")
        self.back_room = self.guild.create_text_channel("moderators")
        self.chief = self.member("Chief", chief)
        self.organiser = self.member("Olivia", organisers)
        self.moderator = self.member("Marco", moderators)
        self.outsider = self.member("Otto")
        self.players = [self.member(player) for player in PLAYERS]

    def member(self, name: str, *roles: Any) -> MemberActor:
        user = self.env.create_user(name.lower()[:32], global_name=name)
        return self.guild.add_member(user, roles=roles)

    async def restart(self) -> None:
        old = self.env.bot
        button_memory.forget_all()
        await self.env.restart_bot(self._make_bot(self.now))
        await old.close()

    async def league(self, name: str = "Arena League", **options: Any) -> None:
        given = {"channel": self.channel, "moderation_channel": self.back_room, **self.roles, **options}
        done = await self.chief.slash(self.channel, "league create", name=name, **given)
        assert "is set up" in text_of(done)

    @slow_answers.not_noted
    async def season(self, *, players: int = 8, **options: Any) -> None:
        """Open a season and let players sign up, the last one by the button."""
        done = await self.opened(**options)
        assert "are open in" in text_of(done), text_of(done)
        joining, league_id = self.players[:players], await self._newest_league()
        for player in joining[:-1]:
            actor = Actor(user_id=player.id, name=str(player.user.global_name), guild_id=self.guild.id)
            order = Order(actor=actor, now=self.now(), league_id=league_id)
            await self.env.bot.database.write(signing_up.sign_up, order, display_name=actor.name)
        if joining:
            done = await joining[-1].click(self.post("Sign-ups are open"), label="Join")
            assert "You're in season" in text_of(done)

    async def opened(self, channel: ChannelHandle | None = None, **options: Any) -> InteractionResult:
        """Prepare a season by its command, let it have settings, and press Open sign-ups."""
        where, given = channel or self.channel, {"format": "ohs", **options}
        settings = {key: given.pop(key) for key in given.keys() & SETTINGS.keys()}
        panel = await self.organiser.slash(where, "season create", **given)
        if settings:
            await self.settings(**settings)
            league = {"league": given["league"]} if "league" in given else {}
            panel = await self.organiser.slash(where, "season settings", **league)
        assert panel.response is not None
        return await self.organiser.click(panel.response, label="Open sign-ups")

    async def rules_form(self, who: MemberActor | None = None) -> InteractionResult:
        """Open the form of the organisers' own rules."""
        organiser = who or self.organiser
        shown = await organiser.slash(self.channel, "league settings")
        return await organiser.click(shown.response, label="Your own rules")

    async def finished(self, reason: str) -> InteractionResult:
        """Let the organiser end the season with the results so far."""
        status = await self.organiser.slash(self.channel, "season status")
        form = await self.organiser.click(status.response, label="Finish the season")
        asked = await self.organiser.submit_modal(form, {"reason": reason})
        return await self.organiser.click(asked.response, label="Finish the season")

    async def settings(self, **settings: Any) -> None:
        """Change settings of the newest season, as if someone had chosen them in its panel."""
        plain = {key: SETTINGS[key].typed(it) if isinstance(it, str) else it for key, it in settings.items()}
        order = Order(actor=BOT, now=self.now(), league_id=await self._newest_league())
        await self.env.bot.database.write(planning.change_settings, order, settings=plain)

    async def _newest_league(self) -> LeagueId:
        """Return the league of the newest season."""
        newest = "SELECT league_id FROM seasons WHERE id = (SELECT max(id) FROM seasons)"
        return LeagueId(await self.env.bot.database.read(lambda conn: value(conn, newest)))

    @slow_answers.not_noted
    async def started(self, *, players: int = 8, **options: Any) -> None:
        await self.league()
        await self.season(players=players, **options)
        done = await self.organiser.slash(self.channel, "season start")
        assert "has started" in text_of(done), text_of(done)

    async def agreed(self, command: str, label: str, **options: Any) -> InteractionResult:
        """Let the organiser type a command that asks first, and press the button that does it."""
        asked = await self.organiser.slash(self.channel, command, **options)
        assert asked.ephemeral
        assert asked.response is not None
        return await self.organiser.click(asked.response, label=label)

    def posts(self, words: str, channel: ChannelHandle | None = None) -> list[discord.Message]:
        return [message for message in (channel or self.channel).history() if words in message_text(message)]

    def post(self, words: str, channel: ChannelHandle | None = None) -> discord.Message:
        found = self.posts(words, channel)
        assert found, f"no post with {words!r}"
        return found[-1]

    def fresh(self, row: "MatchRow") -> "MatchRow":
        """Return a match as its round's card shows it now."""
        return next(other for other in self.rows() if other.match == row.match)

    def pinged(self, post: discord.Message) -> tuple[set[int], set[int]]:
        """Return the people and the roles a message notified, whatever its text mentions."""
        stored = self.env.backend.get_message(post.channel.id, post.id)
        return set(stored.ping_user_ids), set(stored.ping_role_ids)

    def player(self, name: str) -> MemberActor:
        return next(player for player in self.players if player.user.global_name == name)

    def rows(self, channel: ChannelHandle | None = None) -> list["MatchRow"]:
        """Return every match of the rounds' cards, from top to bottom."""
        return [row for post in (channel or self.channel).history() for row in rows_of(post)]

    def open_matches(self, channel: ChannelHandle | None = None) -> list["MatchRow"]:
        return [row for row in self.rows(channel) if row.label == "Report"]

    def sides(self, row: "MatchRow") -> tuple[MemberActor, MemberActor]:
        upper, lower = row.pairing.split(" v ")
        return self.player(upper), self.player(lower)

    async def press(self, who: MemberActor, row: "MatchRow") -> InteractionResult:
        """Press the button beside a match."""
        return await who.click(row.post, custom_id=row.custom_id)

    async def report(self, who: MemberActor, result: str, row: "MatchRow") -> InteractionResult:
        """Press the button beside a match, and choose a result in its form: `won`, `lost 1-2`."""
        form = await self.press(who, row)
        assert form.modal is not None, text_of(form)
        return await who.submit_modal(form, {"result": result})

    async def answer(self, who: MemberActor, label: str, row: "MatchRow") -> InteractionResult:
        """Press the button beside a match, and **Confirm** or **Dispute** in the answer."""
        asked = await self.press(who, row)
        assert asked.response is not None
        return await who.click(asked.response, label=label)


@pytest.fixture(autouse=True)
def same_pairs(plain_draw: None) -> None:
    """Pair the same players each time."""


@pytest.fixture(autouse=True)
def every_event_is_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test whose Discord sends an event that is left out."""
    left_out: list[str] = []
    monkeypatch.setattr("bot.gateway._log.warning", lambda words, *about: left_out.append(words % about))
    yield
    assert not left_out


@dataclass(frozen=True)
class MatchRow:
    """A match in the card of its round: what it says, and the button beside it."""

    post: discord.Message
    text: str
    label: str
    custom_id: str

    @property
    def match(self) -> int:
        return int(self.custom_id.split(":")[2])

    @property
    def pairing(self) -> str:
        """Who plays, without marks: `Ada v Bruno`."""
        return self._who.replace("**", "")

    @property
    def _who(self) -> str:
        """The line before where it stands; the name of its group stands above."""
        return self.text.splitlines()[-2]

    @property
    def winner(self) -> str | None:
        """The only player in bold, who has won."""
        bold = re.findall(r"\*\*(.+?)\*\*", self._who)
        return bold[0] if len(bold) == 1 else None


def rows_of(post: discord.Message) -> list[MatchRow]:
    """Return the matches of a round's card."""
    sections = [part for part in _parts(post.components) if isinstance(part, discord.SectionComponent)]
    beside = [(part, part.accessory) for part in sections if isinstance(part.accessory, discord.Button)]
    return [_row(post, part, button) for part, button in beside if button.label != "My match"]


def _row(post: discord.Message, part: discord.SectionComponent, button: discord.Button) -> MatchRow:
    return MatchRow(post, _plain("\n".join(texts([part]))), button.label or "", str(button.custom_id))


def message_text(message: Any) -> str:
    """Return everything a message says, from top to bottom, its commands as people type them."""
    return _plain("\n".join(filter(None, [message.content, *texts(_real(message).components)])))


def _plain(said: str) -> str:
    return re.sub(r"</([a-z -]+):\d+>", r"`/\1`", said).replace("\u2060", "")


def title_of(message: Any) -> str:
    """Return the first heading of a message."""
    return next(line.lstrip("# ") for line in message_text(message).splitlines() if line.startswith("#"))


def _real(message: Any) -> discord.Message:
    return message if isinstance(message, discord.Message) else message.message


def text_of(result: InteractionResult) -> str:
    answers = [answer for answer in (result.response, *result.followups) if answer is not None]
    return "\n".join(message_text(answer) for answer in answers)


def labels(message: Any) -> list[str]:
    """Return the labels of a message's buttons, from top to bottom."""
    return [button.label or "" for button in buttons_of(message)]


def buttons_of(message: Any) -> list[discord.Button]:
    return [item for item in parts_of(message) if isinstance(item, discord.Button)]


def descriptions_of(message: Any) -> list[str]:
    """Return what is said of a message's pictures to those who can't see them."""
    galleries = [item for item in parts_of(message) if isinstance(item, discord.MediaGalleryComponent)]
    return [item.description or "" for gallery in galleries for item in gallery.items]


def selects_of(message: Any) -> dict[str, list[discord.SelectOption]]:
    """Return the options of a message's selects by their custom_ids."""
    found = [item for item in parts_of(message) if isinstance(item, discord.SelectMenu)]
    return {select.custom_id or "": select.options for select in found}


def parts_of(message: Any) -> list[Any]:
    """Return all components of a message, those inside others too."""
    return [*_parts(_real(message).components)]


def _parts(components: Any) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _parts([*getattr(component, "children", ()), *filter(None, [getattr(component, "accessory", None)])])


_read_options = app_commands.commands._extract_parameters_from_callback


@functools.cache
def _options_of(callback: Any) -> Any:
    """Read what a command's signature says once, not for each of a thousand bots."""
    return _read_options(callback, callback.__globals__)


app_commands.commands._extract_parameters_from_callback = lambda callback, _: dict(_options_of(callback))


@contextlib.asynccontextmanager
async def open_world(folder: Path, *, backups: Path | None = None) -> AsyncIterator[World]:
    """Start the real bot in a simulated server, with its database in a folder; without backups unless asked for."""
    async with bot_on(await new_database(folder / "league.db"), backups=backups) as world:
        yield world


_sent: list[dict[str, Any]] = []
"""The commands as the first bot of this process sent them: Discord has them at every later start."""


@contextlib.asynccontextmanager
async def bot_on(file: Path, *, backups: Path | None = None) -> AsyncIterator[World]:
    """Start the real bot in a simulated server, on this file."""

    def make_bot(now: Callable[[], datetime]) -> LeagueBot:
        return LeagueBot(Settings(database=file, backups=backups), now=now, sleep=sleep, paced=False)

    def sleep(seconds: float) -> Awaitable[None]:
        return env.external_wait(asyncio.sleep(seconds), reason="time passes only in tests")

    made: list[World] = []
    bot = make_bot(lambda: made[0].now() if made else env.now())
    env = PatientEnv(bot, settle_timeout=60)
    env.watch(asyncio.get_running_loop())
    made.append(World(env, make_bot))
    env.backend.register_commands(None, copied(_sent))
    try:
        await env.start()
        if not _sent:
            _sent.extend(
                {key: sent[key] for key in COMMAND_FIELDS if key in sent}
                for sent in env.backend.commands[None].values()
            )
        made[0].build()
        yield made[0]
    finally:
        await env.shutdown()
        await env.bot.close()
        env._raise_errors_since(env._errors_acknowledged)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what isn't about slow answers where all of them are."""
    left_out = [item for item in items if slow_answers.SLOW and item.get_closest_marker("at_once")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


LATE_NOTED = pytest.StashKey[Path]()
"""Where all processes of a run note which answers came late."""


@pytest.fixture(scope="session", autouse=True)
def late_once_a_run(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let what one process answered late be known to the others."""
    own = tmp_path_factory.getbasetemp()
    noted = (own.parent if hasattr(pytestconfig, "workerinput") else own) / "answered-late"
    noted.mkdir(exist_ok=True)
    pytestconfig.stash[LATE_NOTED] = noted


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Run a test once more with late answers where one of them came at once so far, where everything is tried."""
    slow_answers.answered.clear()
    done = yield
    at_once = item.stash.get(slow_answers.LATE, True) or item.get_closest_marker("at_once") is not None
    if not at_once and examples.all_wanted() and slow_answers.to_run_late(item.config.stash[LATE_NOTED]):
        item.stash[slow_answers.LATE] = True
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.stash.get(slow_answers.LATE, False):
        file, line, name = report.location
        report.location = file, line, f"{name} with late answers (SLOW_ANSWERS=1)"
    return report


def computed_here(worker: Worker, work: Any, seconds: float) -> Any:
    """Compute what a worker is asked in its thread, without starting a process; what goes to and fro is pickled."""
    function, given = pickle.loads(pickle.dumps(work))
    return pickle.loads(pickle.dumps(function(*given)))


@pytest.fixture(autouse=True)
def nothing_painted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay pictures out, but don't paint them, and start no process for it, unless a test is marked `painted`."""
    monkeypatch.setattr("bot.worker.IDLE_SECONDS", 86_400)  # simcord would wait for it where a test takes minutes
    if request.node.get_closest_marker("painted") is None:
        monkeypatch.setattr(Worker, "_ask", computed_here)
        monkeypatch.setattr("bot.pictures.painting.paint.png", lambda page: PIXEL)


@pytest.fixture(autouse=True)
def few_looked_at(few_endings: None) -> None:
    """Go through few endings of a season where an outlook is shown."""


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept[Looked]]:
    databases = Kept(Looked, tmp_path_factory.mktemp("kept"))
    yield databases
    databases.stop()


@contextlib.asynccontextmanager
async def bot_on_kept(kept: Kept[Looked], patch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """Start the bot on a database that other tests are done with; it's opened as any file from the second start on."""
    db = await kept.take()
    unopened = [db]

    async def opened(path: Path) -> Database:
        return unopened.pop() if unopened else await Database.open(path)

    async def stays_open() -> None:
        pass

    patch.setattr("bot.client.Database", SimpleNamespace(open=opened))
    try:
        async with bot_on(db.path) as world:
            yield world
            db.close = stays_open  # type: ignore[method-assign]
    finally:
        vars(db).pop("close", None)
        await kept.give_back(db)


@pytest_asyncio.fixture
async def world(
    request: pytest.FixtureRequest, kept: Kept[Looked], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    slow_answers.use(monkeypatch, slow=request.node.stash.setdefault(slow_answers.LATE, slow_answers.SLOW))
    # The clock of a test stands still between two presses.
    monkeypatch.setattr("storage.tables.outbox.outbox_rows.EDIT_SECONDS", 0)
    monkeypatch.setattr("storage.tables.outbox.outbox_rows.OLD_EDIT_SECONDS", 0)
    async with bot_on_kept(kept, monkeypatch) as built:
        yield built


@pytest.fixture
def names() -> tuple[str, ...]:
    return PLAYERS
