"""The moderators' inbox: everything that waits for a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.services.base import asked
from bot.services.base.act import MODERATOR, look
from bot.services.base.order import Order
from bot.services.base.post_kinds import Facts, Gone
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, LeagueRow, RoundRow, TieRow
from storage.tables import leagues
from storage.tables.asked_to_join import JoinRequestRow
from storage.tables.claims import ClaimId, ClaimRow
from storage.tables.memberships import StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What waits for the moderators of a league; players who ask, or are asked about, by the id of the question.

    `missing_posts` wait for someone, `late_posts` are tried again soon; `rounds` have all results and wait for an
    organiser, who goes on by hand.
    """

    league: LeagueRow
    count: int
    disputes: tuple[MatchView, ...] = ()
    stuck_reports: tuple[MatchView, ...] = ()
    overdue: tuple[MatchView, ...] = ()
    problems: tuple[MatchView, ...] = ()
    missing_posts: tuple[PostRow, ...] = ()
    late_posts: tuple[PostRow, ...] = ()
    rejoin_requests: Mapping[int, EntrantRow] = field(default_factory=dict[int, EntrantRow])
    join_requests: Mapping[int, JoinRequestRow] = field(default_factory=dict[int, JoinRequestRow])
    claims: Mapping[ClaimId, ClaimRow] = field(default_factory=dict[ClaimId, ClaimRow])
    stays: Mapping[StayId, EntrantRow] = field(default_factory=dict[StayId, EntrantRow])
    ties: tuple[TieRow, ...] = ()
    rounds: tuple[RoundRow, ...] = ()

    @property
    def matches(self) -> tuple[MatchView, ...]:
        """Return all matches that wait."""
        return (*self.disputes, *self.problems, *self.stuck_reports, *self.overdue)

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not self.count


def inbox(conn: Connection, order: Order) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    see = look(conn, order, by=MODERATOR)
    return of_league(see.conn, see.league)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPost(Facts):
    """Everything that still waits for a league's moderators, told once a day."""

    inbox: Inbox


def load(conn: Connection, post: PostRow, _: datetime) -> WaitingPost:
    """Load what waits; raises Gone for nothing."""
    found = of_league(conn, leagues.get(conn, post.league_id))
    if found.empty:
        raise Gone
    return WaitingPost(inbox=found)


def of_league(conn: Connection, league: LeagueRow) -> Inbox:
    """Return everything that waits for a league's moderators."""
    found = asked.waiting(conn, league.id)
    return Inbox(league=league, count=sum(map(len, found.values())), **found)
