"""The opponent of a player with a problem is asked, answers or stays silent; then the moderators decide."""

from collections.abc import Sequence

from bot.league.errors import Conflict
from bot.services.base import find, pending_questions
from bot.services.base.events import AccountChanged
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.pending_questions import Question
from bot.services.base.permissions import Actor
from bot.services.base.transaction import Transaction, required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView
from bot.services.problems.evidence import ANSWERED, PROBLEM, SETTLE_PROBLEM, ProblemFacts
from storage.database import Connection
from storage.rows import EntrantRow, MatchId
from storage.tables import problems
from storage.tables.problems import ProblemId, ProblemKind, ProblemRow


def answer(conn: Connection, order: Order, *, match: MatchId, problem: ProblemId, text: str) -> MatchView:
    """Answer what the opponent said, once; raises NotAllowed and Conflict."""
    words = required(text)
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    take(tx, view, require_open(view, problem), words)
    return views.match_view(tx.conn, view.match.id)


def take(tx: Transaction, view: MatchView, problem: ProblemRow, words: str) -> None:
    """Take an answer inside a transaction: the moderators decide now, and the opponent is told."""
    require_answerable(view, problem, tx.actor)
    teller = view.side(problem.entrant_id)
    answered = problems.change(tx.conn, problem.id, answer=words, answered_at=tx.now)
    tx.note("problem.answer", view.label, after={"by": view.opponent_of(teller).name})
    tx.retract_all(view.match, PROBLEM)
    tell_answer(tx, view, answered)
    hand_over(tx, view, answered)


def tell_answer(tx: Transaction, view: MatchView, problem: ProblemRow) -> None:
    """Tell the player who told us about a problem that their opponent has answered."""
    facts, side = ProblemFacts(problem_id=problem.id), view.side(problem.entrant_id)
    tx.enqueue(ANSWERED, facts, view.match, people=[side.discord_id])


def require_answerable(view: MatchView, problem: ProblemRow, actor: Actor) -> None:
    """Raise NotAllowed for anyone but the player who is asked, and Conflict once they answered."""
    asked = view.opponent_of(view.side(problem.entrant_id))
    pending_questions.require_asked(actor, asked.discord_id, asked.called)
    if problem.answer is not None:
        raise Conflict(f"You've answered already: “{problem.answer}” The moderators will decide and tell you.")


def require_open(view: MatchView, problem_id: int) -> ProblemRow:
    """Return the problem a button is about; raises Conflict once it has ended, or the season."""
    if view.problem is None or view.problem.id != problem_id:
        raise Conflict(f"That problem is settled: {view.label} is now {view.news}.")
    require_going_on(view)
    return view.problem


def require_going_on(view: MatchView) -> None:
    """Raise Conflict for a match of a season that was cancelled."""
    if view.stopped:
        raise Conflict(f"The season was cancelled, so {view.label} isn't played any more.")


def ask(tx: Transaction, view: MatchView, problem: ProblemRow) -> None:
    """Ask the opponent of the player who told us about a problem."""
    asked = view.opponent_of(view.side(problem.entrant_id))
    quietly = problem.kind is ProblemKind.NO_ANSWER  # nobody else needs to read that
    facts = ProblemFacts(problem_id=problem.id)
    tx.enqueue(PROBLEM, facts, view.match, people=[asked.discord_id], quietly=quietly)


def hand_over(tx: Transaction, view: MatchView, problem: ProblemRow) -> None:
    """Ask the moderators, unless they were asked before; then they see what is new."""
    if problem.handed_at is None:
        problems.change(tx.conn, problem.id, handed_at=tx.now)
        tx.enqueue(SETTLE_PROBLEM, ProblemFacts(problem_id=problem.id), view.match)
        tx.invalidate(view.match, PROBLEM)
    tx.invalidate(view.match)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask the new account of a player about an opponent's problem again, or tell it how theirs was answered."""
    side = find.seat_of(tx, event.after)
    for view in () if side is None else views.open_matches(tx.conn, side.id):
        if side is not None and view.problem is not None:
            _ask_again(tx, view, view.problem, side)


def _ask_again(tx: Transaction, view: MatchView, problem: ProblemRow, side: EntrantRow) -> None:
    if problem.entrant_id != side.id and problem.answer is None:
        tx.retract_all(view.match, PROBLEM)
        pending_questions.begin_again(tx, PROBLEM, problem.id)
        ask(tx, view, problem)
    if problem.entrant_id == side.id and problem.answer is not None:
        tx.retract_all(view.match, ANSWERED)
        tell_answer(tx, view, problem)


def _pass_on(tx: Transaction, problem_id: int) -> None:
    """Ask the moderators because the opponent's time is over."""
    problem = problems.get(tx.conn, ProblemId(problem_id))
    view = views.match_view(tx.conn, problem.match_id)
    hand_over(tx, view, problem)
    tx.note("problem.no-answer", view.label)


PROBLEM_ANSWER = Question(
    kind=PROBLEM,
    asked=problems.ASKED,
    about=lambda _, post: [PROBLEM.facts(post).problem_id],
    words="pass on problem {}",
    silence=_pass_on,
)
"""What the opponent says of a problem."""


def _problems(rows: Sequence[MatchView]) -> Section:
    return Section("Problems", "Press Decide to see what both players say.", [view.label for view in rows])


PROBLEMS = PendingItems("problems", problems.WAITING, views.by_ids, _problems, {SETTLE_PROBLEM: ""})
"""Matches with a problem that moderators decide about."""
