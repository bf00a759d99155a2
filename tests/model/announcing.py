"""The announcer of a walk: every post that is due is rendered as the bot renders it, and noted as sent."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import cogs.wiring  # noqa: F401 (what the subjects add to the cards)
from bot import steps
from bot.pictures.drawing import Drawn, Picture, draw
from bot.services.base import post_kinds
from bot.services.base.promises import BOARD
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.reads import looking_ahead
from bot.services.reads.thread_card import ThreadPost
from bot.services.threads import thread_notes
from cogs.posting.messages import mark_of
from cogs.posting.renderings import message
from cogs.ui.replies import message_parts, with_clickable
from storage.posts import OwedPost, PostRow, Target
from tests.model.limits import require_within_limits
from tests.model.walk import TALLY, Walk

MOST_TURNS = 12
"""How often one round of sending can lead to more to send before it's an endless loop."""
RENDERED: Counter[str] = Counter()
"""How many posts of each kind were rendered, in all walks of this process."""
COMMANDS = {"match": 1, "report": 2, "round post": 3, "season settings": 4, "disputes": 5, "drop": 6}


A_MOMENT = 0.01
"""How many seconds a look ahead may take; what isn't found by then isn't said."""


class InPlace:
    """Computes at once what the bot has a process for; pictures are laid out, not painted."""

    async def run(self, function: Callable[..., Any], *given: Any, seconds: float) -> Any:
        return await self.begin(function, *given, seconds=seconds)

    def begin(self, function: Callable[..., Any], *given: Any, seconds: float) -> asyncio.Future[Any]:
        coming = asyncio.get_running_loop().create_future()
        with patch.multiple(looking_ahead, EXACT_SECONDS=A_MOMENT, PROVING_SECONDS=A_MOMENT):
            coming.set_result(_laid_out(*given) if function is draw else function(*given))
        return coming


def _laid_out(picture: Picture, page: int | str) -> Drawn:
    pages = picture.pages(lambda words, style: 15.0 * len(words))
    return Drawn(png=b"", alt=pages[0].alt, number=0, titles=tuple(page.title for page in pages))


@dataclass(kw_only=True)
class Surface:
    """What rendering needs of the bot."""

    walk: Walk
    worker: Any = field(default_factory=InPlace)
    painter: Any = field(default_factory=InPlace)

    @property
    def database(self) -> Any:
        return self.walk.db

    def now(self) -> Any:
        return self.walk.now


async def announce(walk: Walk, *, failing: float = 0) -> None:
    """Send, edit and delete what is due, until nothing is; some may fail, or find direct messages closed."""
    surface = Surface(walk=walk)
    for _ in range(MOST_TURNS):
        walk.told.know(walk)
        lanes = await walk.db.read(delivery.due, walk.now)
        if not lanes:
            await walk.call(delivery.longest_wait, now=walk.now)
            return
        for posts in lanes.values():
            for post in posts:
                await _make(surface, post, failing)
    raise AssertionError(f"posts never end: {[post.key for posts in lanes.values() for post in posts]}")


async def _make(surface: Surface, post: OwedPost, failing: float) -> None:
    walk = surface.walk
    if post.removed:
        await walk.db.write(delivery.removed, post.id)
        TALLY["delivery.delivery.removed", "done"] += 1
        return
    found = await steps.load(walk.db, post.id, walk.now)
    TALLY["steps.load", "done"] += 1
    if found is None:
        return
    await render(surface, found)
    row = found.post
    if walk.maybe(failing):
        await _fail(walk, row)
        return
    if row.kind == BOARD and row.message_id is not None and walk.maybe(0.1):
        await walk.db.write(delivery.lost, row.id)  # someone deleted it
        TALLY["delivery.delivery.lost", "done"] += 1
        return
    channel = await _thread(walk, found, found.facts) if isinstance(found.facts, ThreadPost) else found.channel_id
    shown: Any = {"channel_id": row.channel_id or channel, "message_id": row.message_id or row.id}
    await walk.db.write(delivery.sent, row.id, now=walk.now, version=row.wanted, rest=found.rest, **shown)
    TALLY["delivery.delivery.sent", "done"] += 1
    if row.message_id is None:
        walk.told.note(found)


async def render(surface: Surface, found: Delivery) -> None:
    """Render a post within Discord's limits; it may ping only people and roles of its league."""
    kind = post_kinds.of(found.post)
    answer = with_clickable(await message(surface, found), COMMANDS)  # type: ignore[arg-type]
    parts = message_parts(answer, mark_of(found.post))
    require_within_limits(parts)
    league = surface.walk.file.rows("SELECT * FROM leagues WHERE id = ?", found.league.id)[0]
    people = {one.id for one in parts["allowed_mentions"].users}
    roles = {one.id for one in parts["allowed_mentions"].roles}
    assert people <= {*surface.walk.told.know(surface.walk), league["created_by"]}, f"{kind} pings strangers: {people}"
    assert roles <= {league["moderator_role_id"], league["organiser_role_id"]}, f"{kind} pings other roles"
    assert kind.for_moderators or not roles, f"{kind} pings the staff"
    RENDERED[kind] += 1


async def _fail(walk: Walk, post: PostRow) -> None:
    """Let Discord refuse a post: for good, for a while, or because someone takes no direct messages."""
    if post.target is Target.PERSON and walk.maybe(0.7):
        await walk.db.write(delivery.refused, post.id, walk.now)
        TALLY["delivery.delivery.refused", "done"] += 1
        return
    retry_at = walk.now + timedelta(minutes=5) if walk.maybe(0.5) else None
    problem = "Discord refused it"
    await walk.db.write(delivery.failed, post.id, now=walk.now, problem=problem, retry_at=retry_at)
    TALLY["delivery.delivery.failed", "done"] += 1


async def _thread(walk: Walk, found: Delivery, thread: ThreadPost) -> int:
    """Make the thread of a match."""
    match = thread.details.match.match.id
    await walk.db.write(thread_notes.begin, match)
    await walk.db.write(thread_notes.made, match, 5_000_000 + match)
    await walk.db.write(thread_notes.added, match, found.mention.people)
    for name in ("begin", "made", "added"):
        TALLY[f"threads.thread_notes.{name}", "done"] += 1
    return 5_000_000 + match
