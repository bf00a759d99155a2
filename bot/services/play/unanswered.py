"""A report that waits for the opponent: asked, asked again, confirmed by silence after the setting `confirm_hours`."""

from collections.abc import Sequence
from datetime import datetime

from bot.league.season.in_words import amount
from bot.league.season.phases import PLAYING
from bot.services.base import outbox
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import by_bot
from bot.services.base.pending_questions import Question
from bot.services.base.transaction import Transaction, transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import progression, transitions
from bot.services.play.round_posts import QUESTION
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import Confirmation, LeagueId, MatchId
from storage.tables import matches


def _meant(conn: Connection, post: PostRow) -> tuple[MatchId, ...]:
    """Return the match a question is about; none where it was reported again since."""
    match = None if post.match_id is None else matches.find(conn, post.match_id)
    return () if match is None or match.version != QUESTION.facts(post).version else (match.id,)


def _begun(conn: Connection, match_id: int, now: datetime) -> None:
    """Ask again at half time, and show until when there is time."""
    match = matches.get(conn, MatchId(match_id))
    if match.confirm_at is not None:
        matches.change(conn, match.id, ask_again_at=now + (match.confirm_at - now) / 2)
    outbox.invalidate(conn, match, now=now)


def ask_again(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Ask once more at half time, in place of the first question; False where something happened meanwhile."""
    view = views.match_view(conn, match_id)
    tx = transaction(conn, by_bot(now), match_id=match_id)
    due = view.match.ask_again_at
    if tx.season.phase not in PLAYING or due is None or due > now:
        return False
    matches.change(conn, match_id, ask_again_at=None)
    outbox.retract_all(conn, view.match, QUESTION, now=now)
    transitions.ask(tx, view.match, view.asked)
    return True


def _confirm(tx: Transaction, match_id: int) -> None:
    """Confirm a report nobody answered in time, and tell who was asked."""
    view = views.match_view(tx.conn, MatchId(match_id))
    accept(tx, view, Confirmation.SILENCE)
    transitions.tell_it_counts(tx, view, view.asked)
    progression.advance(tx)


def accept(tx: Transaction, view: MatchView, by: Confirmation, reason: str | None = None) -> MatchView:
    """Confirm the last report as it is; returns the match as it is now."""
    after = transitions.confirm(tx, view, view.reported_result(view.reports[-1]), by)
    transitions.note(tx, "result.confirm", view, after, reason)
    return after


REPORT = Question(
    kind=QUESTION,
    asked=matches.ASKED,
    about=_meant,
    words="confirm match {}",
    silence=_confirm,
    stands_still=False,
    begun=_begun,
)
"""Whether a report is right; it counts by silence in a pause, too."""


def young(conn: Connection, league_id: LeagueId) -> str:
    """Return how many reports wait for the opponent, who was asked once; nothing where none does."""
    count = matches.young_reports(conn, league_id)
    waits = "waits for the opponent" if count == 1 else "wait for their opponents"
    return f"{amount(count, 'report')} {waits}." if count else ""


def _unanswered(rows: Sequence[MatchView]) -> Section:
    step = "Wait for the countdown, /confirm it for them, or press Decide."
    return Section("Unanswered reports", step, [view.label for view in rows])


STUCK = PendingItems("stuck_reports", matches.STUCK_REPORTS, views.by_ids, _unanswered)
"""Matches whose report no one has answered, though they were asked twice."""
