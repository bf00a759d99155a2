"""A match cleared by the moderators: it is open again, as if nothing had been said about it."""

from bot.league.errors import Conflict, WrongPhase
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import RoundReopened
from bot.services.base.order import Order
from bot.services.base.transaction import MODERATOR, Transaction, required, transaction
from bot.services.matches import match_finding
from bot.services.matches.decision_posts import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.play import decisions, progression, transitions
from bot.services.play.news import NEWS
from storage.database import Connection
from storage.rows import EntrantRow, RoundRow
from storage.tables import entrants, rounds


def clear(
    conn: Connection,
    order: Order,
    *,
    match: str | int,
    reason: str,
    version: int | None = None,
    agreed: str | None = None,
) -> MatchView:
    """Clear a match as moderator: without its result, reports and dispute it is open again.

    A closed round opens again, as long as nothing was paired after it. Who left in this round and is back since has
    never left: the match is theirs to play. Raises ConfirmationNeeded, and as `decisions.decide` does.
    """
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    own = decisions.require_impartial(tx, view)
    transitions.require_current(view, version)
    _require_clearable(tx, view)
    require_confirmation(_cost(view), agreed)
    if view.round.phase is RoundPhase.CLOSED:
        _open_round(tx, view.round)
    for side in view.sides:
        _forget_absence(tx, side, view.round)
    after = transitions.reopen(tx, view)
    progression.results_missing(tx, view.round)
    text = "It was cleared, so nothing that was reported counts. Play your match and report it."
    kind, until = OPEN_AGAIN, after.deadline
    transitions.tell_players(tx, after, text, kind=kind, decided=True, why=why, until=until)
    now_ = {"state": "open", **own}
    tx.note("result.clear", view.label, before={"state": view.news}, after=now_, reason=why)
    return after


def _cost(view: MatchView) -> str:
    """Return what clearing a match does."""
    opened = " Its round is open again, too." if view.round.phase is RoundPhase.CLOSED else ""
    lost = f"{view.label}: {view.news}. That doesn't count any more, and the match is open again."
    return f"{lost}{opened} Both players will be told."


def _open_round(tx: Transaction, row: RoundRow) -> None:
    """Open a closed round again; its news is deleted, and told again once it's over."""
    reopened = rounds.change(tx.conn, row.id, phase=RoundPhase.OPEN)
    tx.retract(NEWS, row)
    tx.happened(RoundReopened(round=reopened))


def _forget_absence(tx: Transaction, side: EntrantRow, row: RoundRow) -> None:
    """Forget that a player who is here left in this round."""
    left = entrants.last_departure(tx.conn, side.id)
    if left is not None and left.round == row.number:
        entrants.forget_departure(tx.conn, left.id)


def _require_clearable(tx: Transaction, view: MatchView) -> None:
    if view.match.state is MatchState.OPEN:
        raise WrongPhase(f"{view.label} has no result and no report, so there's nothing to clear.")
    decisions.require_not_cancelled(tx)
    if tx.season.phase is SeasonPhase.FINISHED:
        raise Conflict(
            f"Season {tx.season.number} is over, so {view.label} can't be played again. Fix its result with /result "
            "set."
        )
    latest, draft = rounds.latest(tx.conn, tx.season.id), rounds.draft(tx.conn, tx.season.id)
    at_once = () if latest is None else rounds.at_once(tx.conn, latest)
    last = draft is None and any(row.id == view.match.round_id for row in at_once)
    if view.round.phase is RoundPhase.CLOSED and not last:
        raise Conflict(
            f"The round is over and the next one is paired, so {view.label} can't be played again. Fix "
            "its result with /result set."
        )
    gone = next((side for side in view.sides if not side.active), None)
    if gone is not None:
        raise Conflict(
            f"{gone.called} has left the season, so {view.label} can't be played. Fix the result with /result set, or "
            "an organiser can undo the drop with /player reinstate."
        )
