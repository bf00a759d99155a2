"""What the announcer reads and notes: what is owed now, what it has to show, and how it went."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, NotFound
from bot.services.act import Act
from bot.services.outbox import content
from bot.services.outbox.kinds import PostFacts
from bot.services.outbox.promises import PostKind, channel_of, owe, unpark
from bot.services.permissions import Actor, belongs
from storage.database import Connection, Database
from storage.rows import PostId, PostRow, PostState, Target
from storage.tables import leagues, outbox, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A post with what it shows now; a new message goes to `channel_id`, one that exists stays where it is."""

    post: PostRow
    facts: PostFacts
    guild_id: int
    channel_id: int


async def due(db: Database, now: datetime, limit: int = 20) -> tuple[tuple[PostRow, ...], ...]:
    """Return what has to be sent or edited now, a row for each channel: new posts first, then edits, oldest first."""
    lanes: dict[int, list[PostRow]] = {}
    async with db.snapshot() as conn:
        for post in await outbox.due(conn, now, limit):
            channel_id = post.channel_id or channel_of(await leagues.get(conn, post.league_id), post.target)
            lanes.setdefault(channel_id, []).append(post)
    return tuple(tuple(lane) for lane in lanes.values())


async def next_due(db: Database, now: datetime) -> datetime | None:
    """Return the next moment after now at which something has to be sent, or None."""
    async with db.snapshot() as conn:
        return await outbox.next_due(conn, now)


async def load(db: Database, post_id: PostId) -> Delivery | None:
    """Return a post as it has to look now; None where it isn't owed any more, or what it was about is gone."""
    try:
        async with db.snapshot() as conn:
            post = await outbox.get(conn, post_id)
            if post.state is not PostState.DUE:
                return None
            league = await leagues.get(conn, post.league_id)
            facts = await content.LOADERS[PostKind(post.kind)](conn, post)
        return Delivery(post=post, facts=facts, guild_id=league.guild_id, channel_id=channel_of(league, post.target))
    except content.Gone:
        async with db.transaction() as conn:
            await outbox.drop(conn, post_id)
        return None


async def sent(db: Database, post_id: PostId, *, now: datetime, channel_id: int, message_id: int, version: int) -> None:
    """Note that a message now shows `version`, the post's `wanted` when its facts were read."""
    async with db.transaction() as conn:
        post = await outbox.get(conn, post_id)
        await outbox.sent(conn, post_id, now=now, channel_id=channel_id, message_id=message_id, version=version)
        if post.problem is not None and post.season_id is not None:
            await outbox.touch(conn, PostKind.TROUBLE, now=now, season_id=post.season_id)


async def failed(
    db: Database,
    post_id: PostId,
    *,
    now: datetime,
    problem: str,
    retry_at: datetime | None,
    channel_closed: bool = True,
) -> None:
    """Note why a post failed, in words for organisers; without `retry_at` it is parked and they are told.

    They are told in the other channel where this one is closed.
    """
    async with db.transaction() as conn:
        post = await outbox.get(conn, post_id)
        if post.state is not PostState.DUE:
            return
        await outbox.failed(conn, post_id, problem=problem, retry_at=retry_at)
        if retry_at is None:
            await _tell_of_trouble(conn, post, now, channel_closed=channel_closed)


async def _tell_of_trouble(conn: Connection, post: PostRow, now: datetime, *, channel_closed: bool) -> None:
    """Tell the organisers once for all posts of a channel; nobody is told of trouble with such a notice."""
    league = await leagues.get(conn, post.league_id)
    target = Target.LEAGUE if channel_closed and post.target is Target.MODERATION else Target.MODERATION
    unreadable = channel_closed and channel_of(league, target) == channel_of(league, post.target)
    known = [
        other
        for other in await outbox.parked(conn, league.id)
        if other.id != post.id and other.target is post.target and other.kind != PostKind.TROUBLE
    ]
    if post.kind == PostKind.TROUBLE or unreadable or known:
        return
    about = league if post.season_id is None else await seasons.get(conn, post.season_id)
    await owe(conn, PostKind.TROUBLE, about, now=now, target=target, post_id=post.id)


async def retry(db: Database, *, actor: Actor, now: datetime, post_id: int) -> None:
    """Try a parked post and all that wait for the same channel again, as a moderator asked.

    Raises NotFound, NotAllowed and Conflict.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        league = None if post is None else await leagues.get(conn, post.league_id)
        if post is None or league is None or not belongs(league, actor):
            raise NotFound("There's no such post here. /disputes lists the posts that couldn't be made.")
        season = None if post.season_id is None else await seasons.get(conn, post.season_id)
        do = Act(conn=conn, actor=actor, league=league, found=season, now=now)
        do.moderator()
        if post.state is not PostState.PARKED:
            raise Conflict("That post isn't missing any more. /disputes lists the posts that couldn't be made.")
        await unpark(conn, league, now=now, target=post.target)
        await do.note("post.retry", post.key, before={"problem": post.problem})


async def try_again(db: Database, *, guild_id: int, now: datetime) -> None:
    """Try every parked post of a guild's leagues again: the bot may see its channels now."""
    async with db.transaction() as conn:
        for league in await leagues.of_guild(conn, guild_id):
            await unpark(conn, league, now=now)
