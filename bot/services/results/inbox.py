"""The moderators' inbox: everything that waits for a person, each with its safe next step."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.league.phases import MatchState
from bot.services.act import look
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.permissions import Actor
from bot.services.ties.words import tie_words
from storage import entrants, matches, outbox, seasons, ties
from storage.database import Connection, Database
from storage.rows import LeagueId, LeagueRow, PostRow, RejoinRow, TieRow


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
class TieItem:
    """Equals an organiser has to order."""

    tie: TieRow
    words: str
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
    ties: tuple[TieItem, ...]

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        matches = self.disputes or self.stuck_reports or self.overdue
        return not (matches or self.failed_posts or self.rejoin_requests or self.ties)


async def inbox(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    async with look(db, actor, league_id) as see:
        see.moderator()
        conn, league = see.conn, see.league
        waiting = await views.match_views(conn, await matches.unconfirmed_of_league(conn, league.id))
        season = await seasons.live(conn, league.id)
        requests = () if season is None else await entrants.waiting_requests(conn, season.id)
        return Inbox(
            league=league,
            disputes=_items(waiting, MatchState.DISPUTED, "Press Decide to see what was said, or use /result set."),
            stuck_reports=_items(
                waiting,
                MatchState.REPORTED,
                "No answer yet. Wait for the countdown, /confirm it for them, or press Decide.",
            ),
            overdue=_items(
                [view for view in waiting if view.match.overdue_at is not None or _is_late(view, now)],
                MatchState.OPEN,
                "No one reported in time. Press Decide, or an organiser gives more time with /round extend.",
            ),
            failed_posts=tuple(_post_item(post) for post in await outbox.parked(conn, league.id)),
            rejoin_requests=tuple([await _rejoin_item(conn, request) for request in requests]),
            ties=tuple([_tie_item(tie) for tie in await ties.waiting_of_league(conn, league.id)]),
        )


def _tie_item(tie: TieRow) -> TieItem:
    step = "An organiser chooses: an order, a tie-break match, or the draw."
    return TieItem(tie=tie, words=tie_words(tie), next_step=step)


def _items(views: Iterable[MatchView], state: MatchState, next_step: str) -> tuple[MatchItem, ...]:
    return tuple(MatchItem(view=view, next_step=next_step) for view in views if view.match.state is state)


def _is_late(view: MatchView, now: datetime) -> bool:
    return view.deadline is not None and view.deadline <= now


def _post_item(post: PostRow) -> PostItem:
    return PostItem(post=post, next_step=f"{post.problem} Then try again.")


async def _rejoin_item(conn: Connection, request: RejoinRow) -> RejoinItem:
    entrant = await entrants.get(conn, request.entrant_id)
    return RejoinItem(
        request_id=request.id,
        name=entrant.name,
        discord_id=entrant.discord_id,
        asked_at=request.asked_at,
        next_step="An organiser accepts or refuses. Players who come back are paired from the next round on.",
    )
