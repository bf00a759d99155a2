"""Note every change with its reason, in the transaction of the change."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.league.errors import Invalid
from bot.services.permissions import Actor
from storage import audit
from storage.database import Connection
from storage.rows import LeagueRow, SeasonRow

LONGEST_REASON = 500


async def note(
    conn: Connection,
    *,
    actor: Actor,
    now: datetime,
    league: LeagueRow,
    action: str,
    subject: str,
    season: SeasonRow | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str | None = None,
) -> None:
    """Write who did what to whom and why, with the state before and after."""
    await audit.add(
        conn,
        league_id=league.id,
        season_id=None if season is None else season.id,
        at=now,
        actor_id=actor.user_id,
        actor=actor.name,
        action=action,
        subject=subject,
        before=before,
        after=after,
        reason=shortened(reason),
    )


def shortened(reason: str | None) -> str | None:
    """Return a reason as it is kept: trimmed, on one line, not endless; None for an empty one."""
    words = " ".join((reason or "").split())
    return words[:LONGEST_REASON] or None


def required(reason: str | None) -> str:
    """Return a reason as it is kept; raises Invalid for none."""
    words = shortened(reason)
    if words is None:
        raise Invalid("Give a reason: it is kept in the league's audit (/league audit).")
    return words
