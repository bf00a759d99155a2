"""Promised posts seen from outside: what is owed now, what it has to show, and how it went."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.league.errors import Conflict, NotFound
from bot.services import permissions
from bot.services.outbox import content
from bot.services.outbox.kinds import PAGE, PostFacts, PostKind
from bot.services.permissions import Actor
from storage import audit, leagues, matches, outbox, rounds
from storage.database import Connection, Database
from storage.rows import (
    LeagueId,
    LeagueRow,
    MatchId,
    PostId,
    PostRow,
    PostState,
    RoundId,
    RoundRow,
    SeasonId,
    SeasonRow,
    Target,
)

_OF_MATCH = (PostKind.MATCH, PostKind.DISPUTE)
_OF_ROUND = (PostKind.ROUND, PostKind.MATCH, PostKind.OVERDUE)
_OF_SEASON = (PostKind.SIGNUP, PostKind.REJOIN, PostKind.CHAMPION)


async def promise(
    conn: Connection,
    *,
    key: str,
    kind: str,
    league_id: LeagueId,
    now: datetime,
    target: Target = Target.LEAGUE,
    season_id: SeasonId | None = None,
    round_id: RoundId | None = None,
    match_id: MatchId | None = None,
    facts: Mapping[str, Any] | None = None,
    due_at: datetime | None = None,
    expires_at: datetime | None = None,
) -> bool:
    """Owe a post in the transaction of the change it tells of; False where one of this key is owed or sent already.

    A notice takes the facts `text` and `pings` (Discord ids), a rejoin post `request_id`; other kinds load theirs.
    It is made at `due_at` where that is said, and not at all once it has expired.
    """
    return await outbox.promise(
        conn,
        key=key,
        kind=PostKind(kind),
        league_id=league_id,
        target=target,
        now=now,
        season_id=season_id,
        round_id=round_id,
        match_id=match_id,
        facts=facts,
        due_at=due_at,
        expires_at=expires_at,
    )


async def tell(
    conn: Connection, season: SeasonRow, about: str, text: str, *, now: datetime, target: Target = Target.LEAGUE
) -> None:
    """Owe a notice about a season, once for what it is `about`."""
    await promise(
        conn,
        key=f"season:{season.id}:{about}",
        kind=PostKind.NOTICE,
        league_id=season.league_id,
        target=target,
        now=now,
        season_id=season.id,
        facts={"text": text},
    )


async def touch_key(conn: Connection, key: str, *, now: datetime) -> None:
    """Say that what one post shows has changed."""
    await outbox.touch_key(conn, key, now=now)


async def touch(
    conn: Connection,
    *,
    now: datetime,
    match_id: MatchId | None = None,
    round_id: RoundId | None = None,
    season_id: SeasonId | None = None,
) -> None:
    """Say that facts changed: the posts that show this match, round, or the season's sign-ups are owed anew."""
    if match_id is not None:
        match = await matches.get(conn, match_id)
        row = await rounds.get(conn, match.round_id)
        await outbox.touch(conn, now=now, match_id=match_id, kinds=_OF_MATCH)
        await outbox.touch(conn, now=now, round_id=row.id, kinds=(PostKind.OVERDUE,))
        await outbox.touch_key(conn, page_key(row, (match.position - 1) // PAGE + 1), now=now)
    if round_id is not None:
        await outbox.touch(conn, now=now, round_id=round_id, kinds=_OF_ROUND)
    if season_id is not None:
        await outbox.touch(conn, now=now, season_id=season_id, kinds=_OF_SEASON)


def page_key(row: RoundRow, page: int) -> str:
    """Return the key of a page of a round's pairings."""
    return f"season:{row.season_id}:round:{row.number}:posted" + (f":{page}" if page > 1 else "")


async def withdraw(conn: Connection, round_id: RoundId, *, text: str, now: datetime) -> None:
    """Take back the posts of a round that is about to go: those people have seen will say so instead."""
    for post in await outbox.of_round(conn, round_id):
        await outbox.take_back(conn, post, kind=PostKind.WITHDRAWN, facts={"text": text}, now=now)


async def lapse(conn: Connection, *, now: datetime) -> bool:
    """Let go of what was not sent before it expired; False where there was nothing."""
    return await outbox.lapse(conn, now) > 0


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


def channel_of(league: LeagueRow, target: Target) -> int:
    """Return the channel a post goes to; a league without a moderators' channel has one channel for all."""
    if target is Target.MODERATION and league.moderation_channel_id is not None:
        return league.moderation_channel_id
    return league.channel_id


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
    await promise(
        conn,
        key=f"post:{post.id}:trouble:{int(now.timestamp())}",
        kind=PostKind.TROUBLE,
        league_id=league.id,
        target=other,
        now=now,
        season_id=post.season_id,
        facts={"post_id": post.id},
    )


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
        for waiting in await outbox.parked(conn, league.id):
            if waiting.target is post.target:
                await outbox.retry(conn, waiting.id, now=now)
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


async def unpark(conn: Connection, league_id: LeagueId, *, now: datetime) -> None:
    """Try every parked post of a league again: its channels were changed."""
    for post in await outbox.parked(conn, league_id):
        await outbox.retry(conn, post.id, now=now)


async def try_again(db: Database, *, guild_id: int, now: datetime) -> None:
    """Try every parked post of a guild's leagues again: the bot may see its channels now."""
    async with db.transaction() as conn:
        for league in await leagues.of_guild(conn, guild_id):
            await unpark(conn, league.id, now=now)
