"""What becomes of a problem when its match changes, is taken back, or its season ends."""

from bot.services.base import promises
from bot.services.base.act import Act
from bot.services.base.events import MatchChanged, MatchReseated, RoundTakenBack
from bot.services.problems.evidence import ANSWERED, CASE, PROBLEM
from storage.rows import MatchRow
from storage.tables import problems
from storage.tables.problems import ProblemEnd


def end(do: Act, match: MatchRow, how: ProblemEnd) -> None:
    """End what a player said keeps a match from being played, if they did; no one is asked any more."""
    if problems.finish(do.conn, match.id, how, do.now):
        promises.tidy(do.conn, match, PROBLEM, ANSWERED, now=do.now)
        do.touch(match)


def match_changed(do: Act, event: MatchChanged) -> None:
    """End a problem, because there is a result."""
    end(do, event.after, ProblemEnd.RESULT)


def match_reseated(do: Act, event: MatchReseated) -> None:
    """Forget the problems of a match that gets another player."""
    promises.tidy(do.conn, event.match, PROBLEM, ANSWERED, CASE, now=do.now)
    problems.forget(do.conn, [event.match.id])


def round_taken_back(do: Act, event: RoundTakenBack) -> None:
    """Forget the problems of matches that are taken back; the audit keeps them."""
    problems.forget(do.conn, [match.id for match in event.matches])
