"""The moderators' inbox: everything that waits for a person."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.phases import MatchState
from bot.services.act import look
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.permissions import Actor
from storage.database import Connection, Database
from storage.posts import PostRow, PostState
from storage.rows import EntrantRow, LeagueId, LeagueRow, TieRow
from storage.tables import entrants, matches, memberships, parked, seasons, ties
from storage.tables.memberships import StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What waits for the moderators of a league; `rejoin_requests` and `stays` are players by the id of the question.

    `missing_posts` wait for someone, `late_posts` are tried again soon.
    """

    league: LeagueRow
    disputes: tuple[MatchView, ...]
    stuck_reports: tuple[MatchView, ...]
    overdue: tuple[MatchView, ...]
    problems: tuple[MatchView, ...]
    missing_posts: tuple[PostRow, ...]
    late_posts: tuple[PostRow, ...]
    rejoin_requests: dict[int, EntrantRow]
    stays: dict[StayId, EntrantRow]
    ties: tuple[TieRow, ...]

    @property
    def matches(self) -> tuple[MatchView, ...]:
        """Return all matches that wait."""
        return (*self.disputes, *self.problems, *self.stuck_reports, *self.overdue)

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not (
            self.matches or self.missing_posts or self.late_posts or self.rejoin_requests or self.stays or self.ties
        )


async def inbox(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    async with look(db, actor, league_id) as see:
        see.moderator()
        return await of_league(see.conn, see.league, now)


async def of_league(conn: Connection, league: LeagueRow, now: datetime) -> Inbox:
    """Return everything that waits for a league's moderators."""
    waiting = await views.match_views(conn, await matches.unconfirmed_of_league(conn, league.id))
    season = await seasons.live(conn, league.id)
    stays = () if season is None else await memberships.waiting(conn, season.id)
    requests = () if season is None else await entrants.waiting_requests(conn, season.id)
    claimed = [view for view in waiting if view.claim is not None and view.claim.handed_at is not None]
    open_ = [view for view in waiting if view.match.state is MatchState.OPEN and view.claim is None]
    late = [view for view in open_ if view.match.overdue_at or (view.deadline and view.deadline <= now)]
    unmade = await parked.missing(conn, league.id)
    return Inbox(
        league=league,
        disputes=tuple(view for view in waiting if view.match.state is MatchState.DISPUTED),
        stuck_reports=tuple(view for view in waiting if view.match.state is MatchState.REPORTED),
        overdue=tuple(late),
        problems=tuple(claimed),
        missing_posts=tuple(post for post in unmade if post.state is PostState.PARKED),
        late_posts=tuple(post for post in unmade if post.state is PostState.DUE),
        rejoin_requests={request.id: await entrants.get(conn, request.entrant_id) for request in requests},
        stays={stay.id: await entrants.get(conn, stay.entrant_id) for stay in stays},
        ties=await ties.waiting_of_league(conn, league.id),
    )
