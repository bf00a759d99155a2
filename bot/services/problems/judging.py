"""What moderators decide about a problem: more time, nothing, or, with a reason, who wins and what it costs."""

from dataclasses import dataclass

from bot.league.coming_and_going import drops_absent
from bot.league.season.model import Kind
from bot.services.base.order import Order
from bot.services.base.transaction import MODERATOR, Transaction, read_transaction, required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.play import decisions, time_to_play, transitions
from bot.services.play.field import withdrawals
from bot.services.play.field.eligibility import own_standing
from bot.services.problems import evidence, problem_events
from bot.services.problems.answering import require_open
from bot.services.problems.evidence import ProblemPost
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId
from storage.tables.problems import ProblemEnd, ProblemId, ProblemKind, ProblemRow


def case(conn: Connection, order: Order, *, match: MatchId, problem: ProblemId) -> ProblemPost:
    """Return everything about an open problem, for a moderator."""
    tx = read_transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    return evidence.case(tx.conn, view, require_open(view, problem))


def would_drop(view: MatchView, loser: EntrantRow) -> bool:
    """Whether losing a match by forfeit also drops a player from the season."""
    return loser.active and drops_absent(rules_season.settings_of(view.season), Kind.FORFEIT)


def award(
    conn: Connection,
    order: Order,
    *,
    match: MatchId,
    problem: ProblemId,
    outcome: Outcome,
    only_this_match: bool,
    reason: str,
) -> MatchView:
    """Let one side win by forfeit, or both lose; raises as `decisions.decide` does, and Conflict once it is settled."""
    kind = Kind.DOUBLE_LOSS if outcome is Outcome.DOUBLE_LOSS else Kind.FORFEIT
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    gone = ABSENCE[require_open(view, problem).kind]
    return decisions.settle(tx, view, outcome, why, kind=kind, only_this_match=only_this_match, absence=gone)


ABSENCE = {
    ProblemKind.NO_ANSWER: "didn't answer",
    ProblemKind.ABSENT: "didn't turn up at the agreed time",
    ProblemKind.TOO_LATE: "couldn't play before the deadline",
}
"""Why someone leaves the season with a forfeit, by what was told about them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A forfeit or double loss that a moderator thinks about; `leaves` is who would be out of the season with it."""

    view: MatchView
    problem: ProblemRow
    outcome: Outcome
    leaves: EntrantRow | None
    cost: str


def consider(
    conn: Connection, order: Order, *, match: MatchId, problem: ProblemId, outcome: Outcome, only_this_match: bool
) -> Award:
    """Return what `award` would cost, for a moderator; raises NotAllowed and Conflict."""
    tx = read_transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    decisions.require_impartial(tx, view)
    problem_row = require_open(view, problem)
    last = decisions.follows(tx, view, order.now)
    following = f" {last}" if last else ""
    if outcome is Outcome.DOUBLE_LOSS:
        cost = f"Both lose {view.label}. They stay in the season.{following}"
        return Award(view=view, problem=problem_row, outcome=outcome, leaves=None, cost=cost)
    winner, loser = view.sides if outcome is Outcome.UPPER else view.sides[::-1]
    cost = f"{winner.called} wins {view.label} by forfeit."
    if only_this_match or not would_drop(view, loser):
        cost += f" {loser.called} stays in season {view.season.number}.{following}"
        return Award(view=view, problem=problem_row, outcome=outcome, leaves=None, cost=cost)
    line = own_standing(tx, loser)
    cost += f" {loser.called} is number {line.rank} now, {line.wins}–{line.losses}."
    cost += f" {withdrawals.of_removing(tx, loser)} /player reinstate undoes it.{following}"
    return Award(view=view, problem=problem_row, outcome=outcome, leaves=loser, cost=cost)


def give_time(conn: Connection, order: Order, *, match: MatchId, problem: ProblemId, days: int) -> MatchView:
    """Give a match more days; the round waits for it. Raises Invalid for none and for too many."""
    more = time_to_play.more_days(days)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = _ruled(tx, match, problem, ProblemEnd.MORE_TIME)
    after = time_to_play.give_days(tx, view, days)
    transitions.tell_players(tx, view, f"{more} to play it.", decided=True, until=after)
    return views.match_view(tx.conn, view.match.id)


def let_play(conn: Connection, order: Order, *, match: MatchId, problem: ProblemId) -> MatchView:
    """Change nothing: the two play their match as before."""
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = _ruled(tx, match, problem, ProblemEnd.NO_CHANGE)
    tx.note("problem.no-change", view.label)
    after = time_to_play.open_again(tx, view)
    text = "Nothing changes. Play your match."
    transitions.tell_players(tx, after, text, decided=True, until=after.deadline)
    return after


def _ruled(tx: Transaction, match: MatchId, problem: ProblemId, how: ProblemEnd) -> MatchView:
    view = match_finding.find_match(tx, match)
    decisions.require_impartial(tx, view)
    require_open(view, problem)
    problem_events.end(tx, view.match, how)
    return view
