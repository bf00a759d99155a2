"""The moderators' inbox: everything that waits for a person, each with its safe next step."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.actors import Actor
from bot.services.views import MatchView
from storage.database import Database
from storage.rows import LeagueId, LeagueRow, PostRow


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchItem:
    """A match that waits for a decision."""

    view: MatchView
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostItem:
    """A post that could not be made."""

    post: PostRow
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinItem:
    """A player who asks to come back."""

    request_id: int
    name: str
    discord_id: int | None
    asked_at: datetime
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What waits for the moderators of a league."""

    league: LeagueRow
    disputes: tuple[MatchItem, ...]
    stuck_reports: tuple[MatchItem, ...]
    overdue: tuple[MatchItem, ...]
    failed_posts: tuple[PostItem, ...]
    rejoin_requests: tuple[RejoinItem, ...]

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not (
            self.disputes or self.stuck_reports or self.overdue or self.failed_posts or self.rejoin_requests
        )


async def inbox(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anybody but moderators."""
    raise NotImplementedError
