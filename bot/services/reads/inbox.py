"""The moderators' inbox: everything that waits for a person."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.base.act import look
from bot.services.base.permissions import Actor
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection, Database
from storage.posts import PostId, PostRow
from storage.rows import EntrantRow, LeagueId, LeagueRow, MatchId, RoundId, RoundRow, TieId, TieRow
from storage.tables import entrants, leagues, matches, memberships, outbox, rounds, ties
from storage.tables.leagues import Waits
from storage.tables.memberships import StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What waits for the moderators of a league; `rejoin_requests` and `stays` are players by the id of the question.

    `missing_posts` wait for someone, `late_posts` are tried again soon; `rounds` have all results and wait for an
    organiser, who goes on by hand.
    """

    league: LeagueRow
    count: int
    disputes: tuple[MatchView, ...]
    stuck_reports: tuple[MatchView, ...]
    overdue: tuple[MatchView, ...]
    problems: tuple[MatchView, ...]
    missing_posts: tuple[PostRow, ...]
    late_posts: tuple[PostRow, ...]
    rejoin_requests: dict[int, EntrantRow]
    stays: dict[StayId, EntrantRow]
    ties: tuple[TieRow, ...]
    rounds: tuple[RoundRow, ...]

    @property
    def matches(self) -> tuple[MatchView, ...]:
        """Return all matches that wait."""
        return (*self.disputes, *self.problems, *self.stuck_reports, *self.overdue)

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not self.count


async def inbox(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    async with look(db, actor, league_id) as see:
        see.moderator()
        return await of_league(see.conn, see.league)


async def of_league(conn: Connection, league: LeagueRow) -> Inbox:
    """Return everything that waits for a league's moderators."""
    waiting = await leagues.waiting_in(conn, league.id)

    def ids(kind: Waits) -> list[int]:
        return [one.id for one in waiting if one.kind is kind]

    async def found(kind: Waits) -> tuple[MatchView, ...]:
        rows = [await matches.get(conn, MatchId(match)) for match in ids(kind)]
        return await views.match_views(conn, sorted(rows, key=lambda row: (row.round_id, row.position)))

    async def posts(kind: Waits) -> tuple[PostRow, ...]:
        return tuple([await outbox.get(conn, PostId(post)) for post in ids(kind)])

    requests = [await entrants.request(conn, request) for request in ids(Waits.REJOIN)]
    stays = [await memberships.find_stay(conn, StayId(stay)) for stay in ids(Waits.STAY)]
    tied = [await ties.find(conn, TieId(tie)) for tie in ids(Waits.TIE)]
    return Inbox(
        league=league,
        count=len(waiting),
        disputes=await found(Waits.DISPUTE),
        stuck_reports=await found(Waits.REPORT),
        overdue=await found(Waits.OVERDUE),
        problems=await found(Waits.PROBLEM),
        missing_posts=await posts(Waits.MISSING_POST),
        late_posts=await posts(Waits.LATE_POST),
        rejoin_requests={one.id: await entrants.get(conn, one.entrant_id) for one in requests if one is not None},
        stays={one.id: await entrants.get(conn, one.entrant_id) for one in stays if one is not None},
        ties=tuple(tie for tie in tied if tie is not None),
        rounds=tuple([await rounds.get(conn, RoundId(one)) for one in ids(Waits.ROUND)]),
    )
