"""What becomes of a problem when its match changes or is taken back; once its season ends, it waits for no one."""

from bot.services.base.events import MatchChanged, MatchReseated, RoundTakenBack
from bot.services.base.transaction import Transaction
from bot.services.problems.evidence import ANSWERED, PROBLEM, SETTLE_PROBLEM
from storage.rows import MatchRow
from storage.tables import problems
from storage.tables.problems import ProblemEnd


def end(tx: Transaction, match: MatchRow, how: ProblemEnd) -> None:
    """End what a player said keeps a match from being played, if they did; no one is asked any more."""
    if problems.finish(tx.conn, match.id, how, tx.now):
        tx.retract_all(match, PROBLEM, ANSWERED)
        tx.invalidate(match)


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """End a problem, because there is a result."""
    end(tx, event.after, ProblemEnd.RESULT)


def match_reseated(tx: Transaction, event: MatchReseated) -> None:
    """Forget the problems of a match that gets another player."""
    tx.retract_all(event.match, PROBLEM, ANSWERED, SETTLE_PROBLEM)
    problems.forget(tx.conn, [event.match.id])


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Forget the problems of matches that are taken back; the audit keeps them."""
    problems.forget(tx.conn, [match.id for match in event.matches])
