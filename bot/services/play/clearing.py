"""A match cleared by the moderators: it is open again, as if nothing had been said about it."""

from bot.league.errors import Conflict, WrongPhase
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base import promises
from bot.services.base.act import MODERATOR, Act, act, required
from bot.services.base.ask_first import ask_first
from bot.services.base.events import RoundReopened
from bot.services.base.order import Order
from bot.services.matches import choosing
from bot.services.matches.decision_posts import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.play import course, decisions, transitions
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
    never left: the match is theirs to play. Raises AskFirst, and as `decisions.decide` does.
    """
    why = required(reason)
    do = act(conn, order, by=MODERATOR, match_id=match)
    view = choosing.find_match(do, match)
    own = decisions.require_impartial(do, view)
    transitions.require_current(view, version)
    _require_clearable(do, view)
    ask_first(_cost(view), agreed)
    if view.round.phase is RoundPhase.CLOSED:
        _open_round(do, view.round)
    for side in view.sides:
        _forget_absence(do, side, view.round)
    after = transitions.reopen(do, view)
    course.results_missing(do, view.round)
    text = "It was cleared, so nothing that was reported counts. Play your match and report it."
    kind, until = OPEN_AGAIN, after.deadline
    transitions.tell_players(do, after, text, kind=kind, decided=True, why=why, until=until)
    now_ = {"state": "open", **own}
    do.note("result.clear", view.label, before={"state": view.news}, after=now_, reason=why)
    return after


def _cost(view: MatchView) -> str:
    """Return what clearing a match does."""
    opened = " Its round is open again, too." if view.round.phase is RoundPhase.CLOSED else ""
    lost = f"{view.label}: {view.news}. That doesn't count any more, and the match is open again."
    return f"{lost}{opened} Both players will be told."


def _open_round(do: Act, row: RoundRow) -> None:
    """Open a closed round again; its news is deleted, and told again once it's over."""
    reopened = rounds.change(do.conn, row.id, phase=RoundPhase.OPEN)
    promises.unsay(do.conn, NEWS, row, now=do.now)
    do.happened(RoundReopened(round=reopened))


def _forget_absence(do: Act, side: EntrantRow, row: RoundRow) -> None:
    """Forget that a player who is here left in this round."""
    left = entrants.last_departure(do.conn, side.id)
    if left is not None and left.round == row.number:
        entrants.forget_departure(do.conn, left.id)


def _require_clearable(do: Act, view: MatchView) -> None:
    if view.match.state is MatchState.OPEN:
        raise WrongPhase(f"{view.label} has no result and no report, so there's nothing to clear.")
    decisions.require_not_cancelled(do)
    if do.season.phase is SeasonPhase.FINISHED:
        raise Conflict(
            f"Season {do.season.number} is over, so {view.label} can't be played again. Fix its result with /result "
            "set."
        )
    latest, draft = rounds.latest(do.conn, do.season.id), rounds.draft(do.conn, do.season.id)
    last = latest is not None and latest.id == view.match.round_id and draft is None
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
