"""A league on a real file, and people who act in it at times of their own."""

import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import pytest

import cogs.wiring  # noqa: F401 (what renders the posts)
from bot import steps
from bot.league.season.phases import MatchState
from bot.services.base import hooks, post_kinds
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.base.post_kinds import Post
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import set_up
from bot.services.matches.views import MatchView
from bot.services.people import moving_up_answers
from bot.services.play import reporting
from bot.services.play.field.moving_up import MovingUpPost
from bot.services.play.field.withdrawals import Dropped
from bot.services.reads import audit_log, looking_back, overview
from bot.services.reads.overview import SeasonView
from bot.services.seasons import lifecycle, planning
from bot.services.signups import dropping, signing_up
from storage import rated_seasons, rules_season
from storage.cache import InTurn, in_turn
from storage.database import Connection, Values
from storage.posts import PostRow
from storage.query import records
from storage.rows import LeagueId, LeagueRow, SeasonId
from storage.tables import seasons
from storage.tables.audit import AuditRow
from storage.tables.field import entrants
from storage.tables.outbox import deliveries, outbox_rows
from tests.explained import Explained
from tests.files import AllRows, Kept, Looked, do, look_into, new_database, see
from tests.forking import FORKING
from tests.looked_up import posted_round

GUILD = 900
CHANNEL = 901
MODERATION = 902
MODERATOR_ROLE = 903
ORGANISER_ROLE = 904

NAMES = (
    "dok",
    "Xorlof",
    "Zoë",
    "Kinseth",
    "Ann",
    "Bo",
    "Cy",
    "Dee",
    "Eve",
    "Flo",
    "Gus",
    "Hal",
    "Ida",
    "Joe",
    "Kim",
    "Lee",
)


def person(user_id: int, name: str, *roles: int, manage_guild: bool = False, guild_id: int = GUILD) -> Actor:
    return Actor(user_id=user_id, name=name, role_ids=frozenset(roles), manage_guild=manage_guild, guild_id=guild_id)


def missing(view: SeasonView) -> int:
    """How many results of the current round are missing."""
    return 0 if view.current_round is None else len(view.current_round.missing)


ADMIN = person(1, "admin", manage_guild=True)
ORGANISER = person(2, "organiser", ORGANISER_ROLE)
MODERATOR = person(3, "moderator", MODERATOR_ROLE)
STRANGER = person(4, "stranger")
FOREIGNER = person(5, "foreigner", manage_guild=True, guild_id=GUILD + 1)


POSTS = {"outbox"}
"""The table of posts: nothing that is worked out of a season rests on it."""


class _WithoutPosts(Connection):
    """A connection with which no post is read."""

    def execute(self, sql: str, values: Values = ()) -> sqlite3.Cursor:
        assert not any(table in sql for table in POSTS), sql
        return super().execute(sql, values)

    def execute_fetchall(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        return self.execute(sql, values).fetchall()


class Watched(Looked):
    """A database that holds every change against what snapshots keep.

    Where a change shows in what is worked out of a season, the league's audit log must have a new line.
    """

    writes = 0
    _shown: Mapping[SeasonId, tuple[int, object]] = {}
    """What was worked out of seasons at the newest line of their logs, to work it out no more often than needed."""
    _pasts: Mapping[LeagueId, "tuple[Turns, Past]"] = {}
    """The same of leagues, at the versions of their seasons."""

    async def write(self, use_case: Callable[..., Any], *args: Any, **given: Any) -> Any:
        self.writes += 1
        return await super().write(self._watched, use_case, args, given)

    def forget(self) -> None:
        self._shown, self._pasts = {}, {}

    def _watched(self, conn: Connection, use_case: Callable[..., Any], args: Any, given: Any) -> Any:
        before = conn._sqlite.total_changes
        made = use_case(conn, *args, **given)
        only_posts = isinstance(conn, Explained) and conn.changed == POSTS
        if conn._sqlite.total_changes != before and not only_posts:
            with look_into(self) as committed:
                self._compare(_WithoutPosts(committed._sqlite), _WithoutPosts(conn._sqlite))
        return made

    def _compare(self, before: Connection, after: Connection) -> None:
        """Work out what seasons without a new line show, before and after what is about to be committed."""
        self._compare_past(before, after)
        lines, shown = _newest_lines(before), {}
        for season, line in _newest_lines(after).items():
            if lines.get(season) == line:
                known = self._shown.get(season)
                old = known[1] if known and known[0] == line else _shown(before, season)
                new = _shown(after, season)
                assert old == new, "a change without a line in the log"
                shown[season] = line, new
        self._shown = shown

    def _compare_past(self, before: Connection, after: Connection) -> None:
        """Let what is rated of a league's first seasons change only where one of them has a new version."""
        pasts: dict[LeagueId, tuple[Turns, Past]] = {}
        for (league_id,) in records(after, "SELECT id FROM leagues"):
            old, new = in_turn(before, league_id), in_turn(after, league_id)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
            if same:
                known = self._pasts.get(league_id)
                then = known[1] if known and known[0] == old else _past(before, league_id)
                now = _past(after, league_id)
                for before_it, after_it in zip(then, now, strict=True):
                    assert before_it[:same] == after_it[:same], "a change of an earlier season without a new version"
                pasts[league_id] = new, now
        self._pasts = pasts


Turns = Sequence[InTurn]
Past = tuple[Sequence[object], Sequence[object]]


def _newest_lines(conn: Connection) -> dict[SeasonId, int]:
    """Return the newest line in the log of each season's league."""
    newest = "SELECT s.id, (SELECT max(a.id) FROM audit a WHERE a.league_id = s.league_id) FROM seasons s"
    return dict(records(conn, newest))


def _past(conn: Connection, league_id: LeagueId) -> Past:
    """Return everything that what is kept of a league's seasons rests on."""
    return rated_seasons.of_league(conn, league_id), looking_back.untold(conn, league_id).rest


def _shown(conn: Connection, season_id: SeasonId) -> object:
    """Return everything that what is kept of a season rests on."""
    row = seasons.get(conn, season_id)
    people = entrants.of_season(conn, season_id)
    rest = row.phase, rated_seasons.of_league(conn, row.league_id)
    season = hooks.with_all_parts(conn, row, rules_season.load(conn, season_id))
    return season, [(who.id, who.called) for who in people], rest


_begun: dict[str, tuple[Mapping[str, Actor], AllRows]] = {}
"""The players and rows of seasons that have begun."""


class _Change:
    """What a test changes in the program."""

    _patch: pytest.MonkeyPatch | None = None
    _usual = 0

    def begin(self, patch: pytest.MonkeyPatch | None) -> None:
        """Know what all tests change, as one begins."""
        self._patch, self._usual = patch, self._count(patch)

    @property
    def is_usual(self) -> bool:
        return self._patch is not None and self._count(self._patch) == self._usual

    @staticmethod
    def _count(patch: pytest.MonkeyPatch | None) -> int:
        return 0 if patch is None else len(patch._setattr) + len(patch._setitem)


_change = _Change()
_NOTICES = ("notice", "own-place", "stuck", "pairings-changed")


@dataclass
class World:
    """A league of a guild, its clock, and short ways to what tests do all the time."""

    db: Watched
    league: LeagueRow
    now: datetime = datetime(2026, 11, 21, 12, tzinfo=UTC)
    players: dict[str, Actor] = field(default_factory=dict[str, Actor])

    @property
    def league_id(self) -> LeagueId:
        return self.league.id

    def later(self, **passed: float) -> datetime:
        self.now += timedelta(**passed)
        return self.now

    def player(self, name: str) -> Actor:
        return self.players.setdefault(name, person(1000 + len(self.players), name))

    async def create(self, format: str = "ohs", **settings: Any) -> SeasonView:
        return await self.opened(format=format, settings=settings)

    async def opened(self, *, settings: Mapping[str, Any] | None = None, **given: Any) -> SeasonView:
        """Prepare a season, choose its settings and open its sign-ups."""
        who: Any = {"actor": ORGANISER, "now": self.now, "league_id": self.league_id}
        await do(planning.prepare, db=self.db, **who, **given)
        if settings:
            await do(planning.change_settings, db=self.db, **who, settings=settings)
        await do(planning.open_signups, db=self.db, **who)
        return await self.status()

    async def sign_up(self, *names: str) -> None:
        """Let players join, in the next round too, whatever they missed."""
        for name in names:
            who: Any = {"actor": self.player(name), "now": self.now, "league_id": self.league_id}
            await do(signing_up.sign_up, db=self.db, **who, display_name=name, agreed=99)

    async def start(self) -> SeasonView:
        await self.db.write(lifecycle.start, Order(actor=ORGANISER, now=self.now, league_id=self.league_id))
        return await self.status()

    async def begin(self, count: int = 8, format: str = "ohs", **settings: Any) -> SeasonView:
        """Begin a season of so many: once a process from the same rows on, unless a test changes the program."""
        key = _change.is_usual and repr((count, format, settings, self.now, self.players, self.db.all_rows()))
        if key in _begun:
            players, rows = _begun[key]
            self.players = dict(players)
            self.db.put_back(rows)
            return await self.status()
        await self.create(format, **settings)
        await self.sign_up(*NAMES[:count])
        view = await self.start()
        if key:
            _begun[key] = dict(self.players), self.db.all_rows()
        return view

    async def status(self, number: int | None = None) -> SeasonView:
        return await self.db.read(
            overview.status, Order(actor=BOT, now=self.now, league_id=self.league_id), number=number
        )

    async def drop(self, name: str, *, agreed: str | None = None) -> Dropped:
        who: Any = {"actor": self.player(name), "league_id": self.league_id}
        return await do(dropping.drop, db=self.db, **who, now=self.now, agreed=agreed)

    async def match_of(self, name: str) -> MatchView | None:
        """Return a player's match in the current round, or None."""
        view = await self.db.read(posted_round, Order(actor=BOT, now=self.now, league_id=self.league_id))
        return next((match for match in view.matches if name in (match.upper.name, match.lower.name)), None)

    async def lose(self, name: str) -> None:
        """Let the player in a seat report their own loss, which is a result at once."""
        view = await self.match_of(name)
        assert view is not None
        side = next(side for side in view.sides if side.name == name)
        actor = self.player(side.person or name)
        await self.db.write(reporting.report, Order(actor=actor, now=self.now), match=view.match.id, result="lost")

    async def play_round(self) -> None:
        """Let the upper player win every open match of the current round."""
        view = await self.db.read(posted_round, Order(actor=BOT, now=self.now, league_id=self.league_id))
        for match in view.matches:
            if match.match.state is not MatchState.CONFIRMED:
                await self.lose(match.lower.name)

    async def play_out(self) -> SeasonView:
        """Play the season to its end."""
        for _ in range(40):
            view = await self.status()
            if view.season.phase in ("finished", "cancelled"):
                return view
            await self.play_round()
        raise AssertionError("the season does not end")

    async def audit(self) -> tuple[AuditRow, ...]:
        """Everything noted, newest first."""
        who: Any = {"actor": ORGANISER, "now": self.now, "league_id": self.league_id}
        page = await see(audit_log.show, db=self.db, **who)
        rows = list(page.rows)
        for number in range(2, page.pages + 1):
            more = await see(audit_log.show, db=self.db, **who, page=number)
            rows.extend(more.rows)
        return tuple(rows)

    async def posts(self, kind: str | None = None) -> tuple[PostRow, ...]:
        """Every post to be sent, edited or deleted, in order, by default of every kind; none that needs no request."""
        assert kind is None or kind in post_kinds.every()
        with look_into(self.db) as conn:
            queued = deliveries.due(conn, self.now + timedelta(days=1000))
            due = [outbox_rows.get(conn, post.id) for post in queued]
        needed = [post for post in due if not post.removed or post.message_id is not None or post.attempts > 0]
        return tuple(post for post in needed if kind in (None, post.kind))

    async def shown(self, post: PostRow) -> Post:
        """Return what a post that is due shows now."""
        found = await steps.load(self.db, post.id, self.now)
        assert found is not None
        return found.post

    async def announce(self) -> list[Delivery]:
        """Play the announcer: send, edit and delete what is due, and return the new messages."""
        made: list[Delivery] = []
        while lanes := await self.db.read(delivery.due, self.now):
            for post in chain(*lanes.values()):
                found = None if post.removed else await steps.load(self.db, post.id, self.now)
                if post.removed:
                    await self.db.write(delivery.deleted, post.id, self.now)
                if found is not None:
                    made += [found] if post.message_id is None else []
                    shown: Any = {"channel_id": found.channel_id, "message_id": post.id, "version": found.row.wanted}
                    shown["rest"] = found.rest
                    await self.db.write(delivery.sent, post.id, now=self.now, **shown)
        return made

    async def move_up(self) -> None:
        """Let everyone who is asked whether they move up into the finals say yes."""
        for post in await self.posts("moving-up"):
            facts = None if post.removed else await self.shown(post)
            if isinstance(facts, MovingUpPost):
                actor, place = self.player(facts.player.name), facts.asked.id
                await self.db.write(
                    moving_up_answers.answer, Order(actor=actor, now=self.now), place_id=place, plays=True
                )

    async def notices(self) -> list[str]:
        return [str(post.facts["text"]) for post in await self.posts() if post.kind in _NOTICES]


@pytest.fixture(autouse=True)
def same_pairs(plain_draw: None) -> None:
    """Pair the same players each time."""


@pytest.fixture(autouse=True)
def forked_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork what computes beside the bot; where a simulated clock stands still, a forked process is never done."""
    monkeypatch.setattr("bot.worker.PROCESSES", FORKING)


@pytest.fixture(autouse=True)
def known_change(
    request: pytest.FixtureRequest, plain_draw: None, forked_workers: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Know what a test changes in the program beside all that."""
    _change.begin(None if request.node.get_closest_marker("sealed") else monkeypatch)
    yield
    _change.begin(None)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept[Watched]]:
    databases = Kept(Watched, tmp_path_factory.mktemp("kept"))
    yield databases
    databases.stop()


@asynccontextmanager
async def opened(path: Path) -> AsyncGenerator[Watched]:
    """Open a file, a new one where there is none."""
    db = await Watched.open(await new_database(path))
    try:
        yield db
    finally:
        await db.close()


@pytest.fixture
async def db(kept: Kept[Watched]) -> AsyncGenerator[Watched]:
    db = await kept.take()
    yield db
    await kept.give_back(db)


@pytest.fixture
async def world(db: Watched) -> World:
    return await _with_a_league(db)


async def _with_a_league(db: Watched) -> World:
    league = await db.write(
        set_up.create,
        Order(actor=ADMIN, now=datetime(2026, 11, 20, tzinfo=UTC)),
        name="Online HeroScape",
        channel_id=CHANNEL,
        moderator_role_id=MODERATOR_ROLE,
        organiser_role_id=ORGANISER_ROLE,
        moderation_channel_id=MODERATION,
    )
    return World(db=db, league=league)


@asynccontextmanager
async def new_world(path: Path) -> AsyncGenerator[World]:
    """Make one more league, on a file of its own; what fails in it says in which."""
    async with opened(path) as db:
        try:
            yield await _with_a_league(db)
        except Exception as error:
            error.add_note(f"in {path.stem}")
            raise
