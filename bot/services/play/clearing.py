"""What is open again: a match that moderators cleared, and rounds that ended, with a match or a player who is back."""

from collections.abc import Sequence

from bot.league.errors import Conflict, WrongPhase
from bot.league.season.choices import Pace
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import RoundReopened
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD
from bot.services.base.transaction import MODERATOR, Transaction, required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.decision_posts import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.play import decisions, progression, transitions
from bot.services.play.news import NEWS
from bot.services.play.time_to_play import PLAY, deadline_now
from storage.database import Connection
from storage.posts import Target
from storage.rows import EntrantRow, RoundRow
from storage.tables import matches, rounds
from storage.tables.field import entrants


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

    A closed round opens again, with those that ended at once with it, as long as nothing was paired after it. Who left
    in this round and is back since has never left: the match is theirs to play. Raises ConfirmationNeeded, and as
    `decisions.decide` does.
    """
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    own = decisions.require_impartial(tx, view)
    transitions.require_current(view, version)
    _require_clearable(tx, view)
    require_confirmation(_cost(view), agreed)
    if view.round.phase is RoundPhase.CLOSED:
        for row in rounds.at_once(tx.conn, view.round):
            reopen(tx, row)
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


def reopen(tx: Transaction, row: RoundRow) -> None:
    """Open the last round again, which had ended; its news is deleted, and told again once it's over."""
    reopened = rounds.change(tx.conn, row.id, phase=RoundPhase.OPEN)
    tx.retract(NEWS, row)
    tx.happened(RoundReopened(round=reopened))


def reopen_earlier(tx: Transaction, earlier: Sequence[RoundRow]) -> None:
    """Open rounds that ended, whichever they are: they are played at once with the last one, and end with it.

    They have the time a round has, and as long as the last one at least. A preview of the next round is deleted.
    """
    if not earlier:
        return
    _drop_preview(tx)
    last = rounds.latest(tx.conn, tx.season.id)
    assert last is not None
    if last.phase is RoundPhase.CLOSED:
        reopen(tx, last)
    together = any(row.id != last.id for row in earlier)
    for row in rounds.open_rounds(tx.conn, tx.season.id):
        progression.results_missing(tx, row)
        tx.invalidate(rounds.change(tx.conn, row.id, together=together))
    for row in earlier:
        if row.id != last.id:
            tx.invalidate(row, NEWS)
            reopened = rounds.change(tx.conn, row.id, phase=RoundPhase.OPEN, together=True)
            tx.happened(RoundReopened(round=reopened))
        if tx.settings.pace is not Pace.LIVE:
            _give_time(tx, row, last)


def reopen_as_imported(tx: Transaction) -> None:
    """Let earlier rounds of a season that comes in be open as they were, and tell the players of their open matches."""
    published = rounds.published(tx.conn, tx.season.id)
    earlier = [row for row in published if row.phase is RoundPhase.CLOSED and matches.count_unfinished(tx.conn, row.id)]
    reopen_earlier(tx, earlier)
    for row in earlier:
        for view in views.round_view(tx.conn, row.id).matches:
            if view.match.state is MatchState.OPEN:
                text = f"Your match of {row.words} is still open. {PLAY}"
                transitions.tell_players(tx, view, text, kind=OPEN_AGAIN, until=view.deadline)


def _give_time(tx: Transaction, row: RoundRow, last: RoundRow) -> None:
    moments = (deadline_now(tx), row.deadline, last.deadline)
    tx.invalidate(rounds.change(tx.conn, row.id, deadline=max(moment for moment in moments if moment is not None)))
    for match in matches.of_round(tx.conn, row.id):
        matches.change(tx.conn, match.id, reminded_at=tx.now)  # who is told that it's open again is reminded by that


def _drop_preview(tx: Transaction) -> None:
    """Delete a preview: results are missing before it again."""
    draft = rounds.draft(tx.conn, tx.season.id)
    if draft is None:
        return
    progression.drop_draft(tx, draft)
    tx.invalidate(None, BOARD)
    why = "matches of earlier rounds are open again"
    tx.tell(f"The preview of {draft.words} is gone, because {why}.", to=Target.MODERATION)
    tx.note("round.undo", draft.words, reason=why)
