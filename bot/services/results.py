"""Results from the players: report, confirm, dispute (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.actors import Actor
from bot.services.decisions import DecisionPreview, clear, decide, decide_preview
from bot.services.inbox import Inbox, inbox
from bot.services.views import MatchView
from storage.database import Connection, Database
from storage.rows import EntrantId, LeagueId, MatchId

__all__ = [
    "DecisionPreview", "Inbox", "Reported",
    "clear", "confirm", "decide", "decide_preview", "dispute", "forfeit", "inbox", "report",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What became of a report; `repeated` when the same was said before and nothing changed."""

    match: MatchView
    confirmed: bool
    disputed: bool
    repeated: bool


async def report(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    result: str,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    score: str | None = None,
    version: int | None = None,
) -> Reported:
    """Report one's own match, seen from one's own side."""
    raise NotImplementedError


async def confirm(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Confirm the opponent's report."""
    raise NotImplementedError


async def dispute(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    reason: str,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Contradict the opponent's report; the moderators decide."""
    raise NotImplementedError


async def forfeit(conn: Connection, match_id: MatchId, loser_entrant_id: EntrantId, now: datetime) -> None:
    """Give an unfinished match to the opponent of somebody who left; a confirmed result stands."""
    raise NotImplementedError
