"""What someone who reported tells the moderators once their report is disputed; only they and the opponent read it."""

from collections.abc import Sequence

from bot.league.errors import Conflict, NotAllowed
from bot.league.season.phases import MatchState
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.base.transaction import required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView
from bot.services.play.round_posts import DISPUTE
from storage.database import Connection
from storage.rows import EntrantRow, ReportRow
from storage.tables import reports


def own_report(view: MatchView, actor: Actor) -> ReportRow:
    """Return the actor's report that is disputed; raises NotAllowed, and Conflict once that is over."""
    side = view.side_of(actor.user_id)
    if side is None:
        raise NotAllowed(f"Only {view.upper.called} and {view.lower.called} can do this in {view.label}.")
    report = view.report_of(side)
    if view.match.state is not MatchState.DISPUTED or view.stopped:
        raise Conflict(f"There's nothing left to tell the moderators: {view.label} is now {view.news}.")
    if report is None:
        raise Conflict(f"The moderators have read what you said. They decide {view.label} and tell you.")
    return report


def can_tell(view: MatchView, side: EntrantRow | None) -> bool:
    """Whether a player can tell the moderators what happened: their report is disputed."""
    disputed = view.match.state is MatchState.DISPUTED and not view.stopped
    return side is not None and disputed and view.report_of(side) is not None


def tell(conn: Connection, order: Order, *, match: int, text: str) -> MatchView:
    """Keep what a player tells the moderators, in place of what they told before; raises NotAllowed and Conflict."""
    words = required(text)
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    report = own_report(view, order.actor)
    reports.state(tx.conn, report.id, words)
    tx.note("result.statement", view.label, reason=words)
    tx.invalidate(view.match)
    return views.match_view(tx.conn, view.match.id)


def _disputes(rows: Sequence[MatchView]) -> Section:
    return Section("Disputes", "Press Decide to see what was said, or use /result set.", [view.label for view in rows])


DISPUTES = PendingItems("disputes", reports.DISPUTES, views.by_ids, _disputes, {DISPUTE: ""})
"""Matches whose players disagree."""
