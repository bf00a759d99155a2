"""What the announcer reads and notes: what is owed now, what it has to show, and how it went."""

from datetime import datetime

from bot.league.errors import Conflict, NotFound
from bot.services import permissions
from bot.services.outbox import content
from bot.services.outbox.kinds import PostFacts
from bot.services.outbox.promises import PostKind, channel_of, owe, unpark
from bot.services.permissions import Actor
from storage import audit, leagues, outbox, seasons
from storage.database import Connection, Database
from storage.rows import PostId, PostRow, PostState, Target


async def due(db: Database, now: datetime, limit: int = 20) -> tuple[PostRow, ...]:
    """Return what has to be sent (no `message_id` yet) or edited now, the oldest promise first."""
    async with db.snapshot() as conn:
        return await outbox.due(conn, now, limit)


async def next_due(db: Database, now: datetime) -> datetime | None:
    """Return the next moment after now at which something has to be sent, or None."""
    async with db.snapshot() as conn:
        return await outbox.next_due(conn, now)


async def facts(db: Database, post_id: PostId) -> PostFacts:
    """Return what a post has to show, as of now; raises NotFound."""
    async with db.snapshot() as conn:
        post = await outbox.find(conn, post_id)
        if post is None:
            raise NotFound("This post is not known any more. /disputes lists the posts that could not be made.")
        return await content.load(conn, post)


async def sent(db: Database, post_id: PostId, *, now: datetime, channel_id: int, message_id: int, version: int) -> None:
    """Note that a message now shows `version`, the post's `wanted` when its facts were read."""
    async with db.transaction() as conn:
        await outbox.sent(conn, post_id, now=now, channel_id=channel_id, message_id=message_id, version=version)


async def failed(db: Database, post_id: PostId, *, now: datetime, problem: str, retry_at: datetime | None) -> None:
    """Note a failure; without `retry_at` the post is parked and the organisers are told in the other channel."""
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        if post is None or post.state is not PostState.DUE:
            return
        await outbox.failed(conn, post_id, problem=problem, retry_at=retry_at)
        if retry_at is None:
            await _tell_of_trouble(conn, post, now)


async def _tell_of_trouble(conn: Connection, post: PostRow, now: datetime) -> None:
    """Owe word of a parked post where people can still read, once for all that wait for the same channel.

    Of trouble with such a word nobody is told.
    """
    league = await leagues.get(conn, post.league_id)
    for waiting in await outbox.parked(conn, league.id):
        if waiting.id != post.id and waiting.target is post.target and waiting.kind != PostKind.TROUBLE:
            return
    other = Target.MODERATION if post.target is Target.LEAGUE else Target.LEAGUE
    if post.kind == PostKind.TROUBLE or channel_of(league, other) == channel_of(league, post.target):
        return
    about = league if post.season_id is None else await seasons.get(conn, post.season_id)
    await owe(conn, PostKind.TROUBLE, about, now=now, target=other, post_id=post.id)


async def retry(db: Database, *, actor: Actor, now: datetime, post_id: int) -> PostRow:
    """Make a parked post due again, and all that wait for the same channel, as a moderator asked.

    Raises NotFound, NotAllowed and Conflict.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        league = None if post is None else await leagues.get(conn, post.league_id)
        if post is None or league is None or actor.guild_id not in (None, league.guild_id):
            raise NotFound("There is no such post here. /disputes lists the posts that could not be made.")
        permissions.require_moderator(league, actor)
        if post.state is not PostState.PARKED:
            raise Conflict("This post is being made already. /disputes shows what still waits.")
        await unpark(conn, league, now=now, target=post.target)
        await audit.add(
            conn,
            league_id=league.id,
            season_id=post.season_id,
            at=now,
            actor_id=actor.user_id,
            actor=actor.name,
            action="post.retry",
            subject=post.key,
            before={"problem": post.problem},
        )
        return await outbox.get(conn, post.id)


async def try_again(db: Database, *, guild_id: int, now: datetime) -> None:
    """Try every parked post of a guild's leagues again: the bot may see its channels now."""
    async with db.transaction() as conn:
        for league in await leagues.of_guild(conn, guild_id):
            await unpark(conn, league, now=now)
