"""Results from the moderators: decide, correct, clear, with a look at what it changes first."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.actors import Actor
from bot.services.views import MatchView
from storage.database import Database
from storage.rows import LeagueId


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreview:
    """What a decision would change: the result before and after, and what follows from it."""

    match: MatchView
    before: str
    after: str
    effects: tuple[str, ...]


async def decide_preview(
    db: Database,
    *,
    actor: Actor,
    match: str | int,
    outcome: str,
    league_id: LeagueId | None = None,
    kind: str = "adjudicated",
    score: str | None = None,
    now: datetime,
) -> DecisionPreview:
    """Return what `decide` would change, without changing anything; raises what `decide` would raise."""
    raise NotImplementedError


async def decide(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    match: str | int,
    outcome: str,
    reason: str,
    league_id: LeagueId | None = None,
    kind: str = "adjudicated",
    score: str | None = None,
    version: int | None = None,
) -> MatchView:
    """Set a result as moderator; `outcome` is a name, `draw` or `double loss`, the score is the winner's first."""
    raise NotImplementedError


async def clear(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    match: str | int,
    reason: str,
    league_id: LeagueId | None = None,
    version: int | None = None,
) -> MatchView:
    """Take a result, report or dispute back as moderator: the match is open again."""
    raise NotImplementedError
