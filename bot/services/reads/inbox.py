"""The moderators' inbox: everything that waits for a person."""

from dataclasses import dataclass

from bot.services.base.act import look
from bot.services.base.order import Order
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostId, PostRow
from storage.rows import EntrantRow, LeagueRow, MatchId, RoundId, RoundRow, TieId, TieRow
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


def inbox(conn: Connection, order: Order) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    see = look(conn, order)
    see.moderator()
    return of_league(see.conn, see.league)


def of_league(conn: Connection, league: LeagueRow) -> Inbox:
    """Return everything that waits for a league's moderators."""
    waiting = leagues.waiting_in(conn, league.id)

    def ids(kind: Waits) -> list[int]:
        return [one.id for one in waiting if one.kind is kind]

    def found(kind: Waits) -> tuple[MatchView, ...]:
        rows = [matches.get(conn, MatchId(match)) for match in ids(kind)]
        return views.match_views(conn, sorted(rows, key=lambda row: (row.round_id, row.position)))

    def posts(kind: Waits) -> tuple[PostRow, ...]:
        return tuple([outbox.get(conn, PostId(post)) for post in ids(kind)])

    requests = [entrants.request(conn, request) for request in ids(Waits.REJOIN)]
    stays = [memberships.find_stay(conn, StayId(stay)) for stay in ids(Waits.STAY)]
    tied = [ties.find(conn, TieId(tie)) for tie in ids(Waits.TIE)]
    return Inbox(
        league=league,
        count=len(waiting),
        disputes=found(Waits.DISPUTE),
        stuck_reports=found(Waits.REPORT),
        overdue=found(Waits.OVERDUE),
        problems=found(Waits.PROBLEM),
        missing_posts=posts(Waits.MISSING_POST),
        late_posts=posts(Waits.LATE_POST),
        rejoin_requests={one.id: entrants.get(conn, one.entrant_id) for one in requests if one is not None},
        stays={one.id: entrants.get(conn, one.entrant_id) for one in stays if one is not None},
        ties=tuple(tie for tie in tied if tie is not None),
        rounds=tuple([rounds.get(conn, RoundId(one)) for one in ids(Waits.ROUND)]),
    )
