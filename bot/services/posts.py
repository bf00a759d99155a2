"""Promised posts seen from outside: what is owed now, what it has to show, and how it went."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.services.actors import Actor
from bot.services.post_facts import PostFacts
from storage.database import Connection, Database
from storage.rows import LeagueId, LeagueRow, MatchId, PostId, PostRow, RoundId, SeasonId, Target


class PostKind(StrEnum):
    """What a post is about."""

    SIGNUP = "signup"
    START = "start"
    ROUND = "round"
    MATCH = "match"
    REMINDER = "reminder"
    DISPUTE = "dispute"
    OVERDUE = "overdue"
    DECISION = "decision"
    REJOIN = "rejoin"
    NOTICE = "notice"
    CHAMPION = "champion"
    TROUBLE = "trouble"
    WITHDRAWN = "withdrawn"


async def promise(
    conn: Connection,
    *,
    key: str,
    kind: PostKind,
    league_id: LeagueId,
    now: datetime,
    target: Target = Target.LEAGUE,
    season_id: SeasonId | None = None,
    round_id: RoundId | None = None,
    match_id: MatchId | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Owe a post in the transaction of the change it tells of; one already owed under this key stays the only one.

    A notice takes the facts `text` and `pings` (Discord ids), a rejoin post `request_id`; other kinds read theirs.
    """
    raise NotImplementedError


async def touch(
    conn: Connection,
    *,
    now: datetime,
    match_id: MatchId | None = None,
    round_id: RoundId | None = None,
    season_id: SeasonId | None = None,
) -> None:
    """Say that facts changed: the posts that show this match, round, or season's sign-ups are owed anew."""
    raise NotImplementedError


async def due(db: Database, now: datetime, limit: int = 20) -> tuple[PostRow, ...]:
    """Return what has to be sent (no `message_id` yet) or edited now, the oldest promise first."""
    raise NotImplementedError


async def facts(db: Database, post_id: PostId) -> PostFacts:
    """Return what a post has to show, as of now; raises NotFound."""
    raise NotImplementedError


def channel_of(league: LeagueRow, target: Target) -> int:
    """Return the channel a post goes to; a league without a moderators' channel has one channel for all."""
    raise NotImplementedError


async def sent(
    db: Database, post_id: PostId, *, now: datetime, channel_id: int, message_id: int, version: int
) -> None:
    """Note that a message now shows `version`, the post's `wanted` when its facts were read."""
    raise NotImplementedError


async def failed(db: Database, post_id: PostId, *, now: datetime, problem: str, retry_at: datetime | None) -> None:
    """Note a failure; without `retry_at` the post is parked and the organisers are told in the other channel."""
    raise NotImplementedError


async def retry(db: Database, *, actor: Actor, now: datetime, post_id: int) -> PostRow:
    """Make a parked post due again, as a moderator asked; raises NotFound and NotAllowed."""
    raise NotImplementedError
