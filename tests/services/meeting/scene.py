"""A season in which a match or a person holds something of one feature, and what people were told in it."""

import tempfile
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import chain, product
from pathlib import Path
from typing import Any

from bot import steps
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.permissions import BOT, Actor
from bot.services.base.post_kinds import PostKind
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import importing_records
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.play import decisions
from bot.services.reads.details import ThreadPost
from bot.services.threads import thread_notes
from storage.posts import PostRow
from storage.query import column
from storage.tables.people.notify import How, Topic
from tests.files import AllRows, do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, Watched, World, new_world

PEOPLE = NAMES[:8]
WAITING = "Wes"
NEW_ACCOUNT = 7777
FIRST_THREAD = 50_000
WORDS = {
    ":played": "JOIN rounds r ON r.id = m.round_id"
    " JOIN seasons s ON s.id = r.season_id AND s.phase IN ('running', 'finals')",
    ":live": "s.phase IN ('signup', 'running', 'finals')",
}
"""What rows of matches and seasons that go on have in common."""


@dataclass(kw_only=True)
class Scene:
    """Who holds what: `person` and `other` play `match`; the feature waits for `person`, or is theirs.

    `left` is a player who has left the season for the feature to come about.
    """

    world: World
    stage: str
    match: int = 0
    person: str = ""
    other: str = ""
    left: str = ""
    told: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])

    @property
    def organiser(self) -> dict[str, Any]:
        return {"actor": ORGANISER, "now": self.world.now, "league_id": self.world.league_id}

    def by(self, name: str) -> dict[str, Any]:
        return {"actor": self.world.player(name), "now": self.world.now}

    def there(self, name: str) -> dict[str, Any]:
        return {**self.by(name), "league_id": self.world.league_id}

    @property
    def moderator(self) -> dict[str, Any]:
        return {"actor": MODERATOR, "now": self.world.now}

    async def matches(self, number: int | None = None) -> tuple[MatchView, ...]:
        view = await self.world.db.read(
            posted_round, Order(actor=BOT, now=self.world.now, league_id=self.world.league_id), number=number
        )
        return view.matches

    async def view(self) -> MatchView:
        return next(match for match in await self.matches() if match.match.id == self.match)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return rows; the words stand for the match, the person's account, a season that goes on, and its rounds."""
        account = self.world.player(self.person).user_id if self.person else 0
        for word, value in {**WORDS, ":match": self.match, ":person": account}.items():
            sql = sql.replace(word, str(value))
        with look_into(self.world.db) as conn:
            return [tuple(row) for row in conn.execute_fetchall(sql)]

    async def decide(self, view: MatchView, outcome: Outcome = Outcome.UPPER) -> None:
        said: Any = {"match": view.match.id, "outcome": outcome}
        look = await see(decisions.decide_preview, db=self.world.db, actor=ORGANISER, **said)
        more: Any = {"actor": ORGANISER, "now": self.world.now, "reason": "seen", "agreed": look.agreement or ""}
        await do(decisions.decide, db=self.world.db, **said, **more)

    async def announce(self) -> None:
        """Send, edit and delete what is due, keep threads, and note who was told what."""
        db, now = self.world.db, self.world.now
        while lanes := await db.read(delivery.due, now):
            for queued in chain(*lanes.values()):
                found = None if queued.removed else await steps.load(db, queued.id, now)
                if queued.removed:
                    await db.write(delivery.deleted, queued.id, now)
                if found is not None:
                    await self._keep(found)
                    shown: Any = {"channel_id": found.channel_id, "message_id": queued.id, "version": found.row.wanted}
                    await db.write(delivery.sent, queued.id, now=now, rest=found.rest, **shown)

    async def _keep(self, found: Delivery) -> None:
        """Note whom a new message mentions, and let into a match's thread who plays in it."""
        post, facts = found.row, found.post
        if post.message_id is None:
            self.told[post.id] = found.mention.people if post.person_id is None else (post.person_id,)
        if isinstance(facts, ThreadPost):
            about, people = facts.matches[0], facts.ping_ids
            if facts.thread_id is None:
                await self.world.db.write(thread_notes.begin, *facts.matches)
                await self.world.db.write(thread_notes.made, about, FIRST_THREAD + post.id, now=self.world.now)
            if set(facts.inside) != set(people):
                await self.world.db.write(thread_notes.added, about, people)
            self.told[post.id] = people

    async def posts(self, kinds: set[PostKind]) -> list[PostRow]:
        """Return the messages of these kinds that people see or will see."""
        sql = "SELECT id FROM outbox WHERE removed = 0 AND state <> 'withdrawn' ORDER BY id"
        with look_into(self.world.db) as conn:
            rows = [delivery.row(conn, post) for post in column(conn, sql)]
        return [row for row in rows if row.kind in kinds and self._is_about(row)]

    def _is_about(self, post: PostRow) -> bool:
        """Every match has a thread: only that of the match is looked at."""
        return post.kind != THREAD or post.match_id == self.match

    async def asked(self, kinds: set[PostKind]) -> dict[int, tuple[int, ...]]:
        """Return whom each message of these kinds mentioned, or will mention."""
        found: dict[int, tuple[int, ...]] = {}
        for post in await self.posts(kinds):
            if post.message_id is None:
                shown = await steps.load(self.world.db, post.id, self.world.now)
                if shown is not None:
                    found[post.id] = tuple(getattr(shown.post, "ping_ids", ()))
            else:
                found[post.id] = self.told.get(post.id, ())
        return found


@dataclass(frozen=True)
class Moment:
    """A scene to go on from as often as needed, with the rows of every table."""

    scene: Scene
    rows: AllRows

    @classmethod
    def of(cls, scene: Scene) -> "Moment":
        return cls(scene, scene.world.db.all_rows())

    def again(self, db: Watched) -> Scene:
        """Go on from the moment in a file, whatever was there."""
        db.put_back(self.rows)
        return self.seen_in(db)

    def seen_in(self, db: Watched) -> Scene:
        """Return the scene in a file that has the moment's rows."""
        world = replace(self.scene.world, db=db, players=dict(self.scene.world.players))
        return replace(self.scene, world=world, told=dict(self.scene.told))


_stages: dict[Hashable, Moment] = {}


async def played_once(key: Hashable, play: Callable[[World], Awaitable[Scene]]) -> Moment:
    """Return a moment that is played to once a process: many features begin with it."""
    if key not in _stages:
        with tempfile.TemporaryDirectory() as folder:
            async with new_world(Path(folder) / "league.db") as world:
                _stages[key] = Moment.of(await play(world))
    return _stages[key]


async def in_round(world: World, **settings: Any) -> Scene:
    """Open the second round of three, and let someone wait for a place."""
    given: Any = {"rounds": 3, "cut": 0, "round_days": 14, "max_players": len(PEOPLE), "late_entry": 3, "rejoin": "ask"}
    await world.create(**{**given, "overdue": "double_loss", "no_show": "forfeit", **settings})
    await world.sign_up(*PEOPLE)
    await world.start()
    await world.play_round()
    return await with_match(Scene(world=world, stage="round"))


async def in_bracket(world: World, **settings: Any) -> Scene:
    """Open the semi-finals of a bracket; the match is the one that quarter-finals 3 and 4 lead to."""
    given: Any = {"round_days": 14, "overdue": "double_loss", "no_show": "forfeit", "rejoin": "never"}
    await world.begin(len(PEOPLE), "single-elimination", **{**given, **settings})
    await world.play_round()
    return await with_match(Scene(world=world, stage="bracket"), place=-1)


async def in_finals(world: World, **settings: Any) -> Scene:
    """Open the finals of four after two rounds."""
    given: Any = {"rounds": 2, "cut": 4, "round_days": 14, "overdue": "double_loss", "no_show": "forfeit"}
    await world.begin(len(PEOPLE), "ohs", **{**given, **settings})
    for _ in range(2):
        await world.play_round()
    return await with_match(Scene(world=world, stage="finals"))


async def in_group(world: World, **settings: Any) -> Scene:
    """Open the second round of two groups of four."""
    given: Any = {"group_size": 4, "round_days": 14, "overdue": "double_loss", "max_players": len(PEOPLE)}
    await world.create("round-robin", **{**given, **_without_returns(settings)})
    await world.sign_up(*PEOPLE)
    await world.start()
    await world.play_round()
    return await with_match(Scene(world=world, stage="group"))


async def in_finals_of_groups(world: World, **settings: Any) -> Scene:
    """Open the finals of four after the three rounds of two groups."""
    given: Any = {"group_size": 4, "round_days": 14, "overdue": "double_loss", **_without_returns(settings)}
    await world.begin(len(PEOPLE), "round-robin", **given)
    for _ in range(3):
        await world.play_round()
    return await with_match(Scene(world=world, stage="finals of groups"))


def _without_returns(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key not in {"rejoin", "late_entry"}}


async def with_match(scene: Scene, place: int = 0) -> Scene:
    await scene.announce()
    scene.world.later(days=2)
    view = (await scene.matches())[place]
    scene.match, scene.person, scene.other = view.match.id, view.upper.name, view.lower.name
    return scene


STAGES: Mapping[str, Callable[..., Awaitable[Scene]]] = {
    "round": in_round,
    "bracket": in_bracket,
    "finals": in_finals,
    "group": in_group,
    "finals of groups": in_finals_of_groups,
}
"""What is going on when something happens; features that need another moment bring it themselves."""


async def missing(scene: Scene) -> tuple[MatchView, ...]:
    """Return the matches without a result that are played now, of all rounds where these are open at once."""
    stage = (await scene.world.status()).current_round if scene.stage == "open" else None
    matches = await scene.matches() if stage is None else stage.missing
    return tuple(view for view in matches if view.match.state is not MatchState.CONFIRMED)


async def bring_people(scene: Scene, *names: str, **decided: str) -> None:
    """Import a list of people; `decided` are those whose names look like a player's."""
    file = steps.File(name="people.csv", data="\n".join(["name", *names]).encode())
    short = await steps.look_through([file])
    assert short is not None
    db, order = scene.world.db, Order(actor=ORGANISER, now=scene.world.now, league_id=scene.world.league_id)
    plan = await db.read(importing_records.plan, order, file=short, decided=decided)
    await steps.bring_in(db, order, files=[file], short=short, planned=plan)


async def until_deadline(scene: Scene, **before: float) -> None:
    """Let time pass until shortly before the deadline of the match."""
    view = await scene.view()
    assert view.deadline is not None
    scene.world.now = view.deadline - timedelta(**before)


async def hear_directly(scene: Scene) -> None:
    """Let everyone choose direct messages for everything."""
    for name, topic in product(tuple(scene.world.players), Topic):
        await do(notifying.choose, db=scene.world.db, **scene.there(name), topic=topic, how=How.DIRECT)


async def give_days(scene: Scene, days: int = 3) -> None:
    await do(rounds_by_hand.extend, db=scene.world.db, **scene.organiser, days=days, match=scene.match)


def account_of(actor: Actor) -> int:
    assert actor.user_id is not None
    return actor.user_id
