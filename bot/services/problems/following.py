"""What becomes of a problem when its match changes, is taken back, or its season ends."""

from bot.services.base import promises
from bot.services.base.act import Act
from bot.services.base.events import MatchChanged, MatchReseated, ModeratorsMoved, RoundTakenBack, SeasonOver
from bot.services.problems.evidence import ANSWERED, CASE, PROBLEM
from storage.rows import MatchId, MatchRow
from storage.tables import leagues, matches, problems
from storage.tables.problems import ProblemEnd


def end(do: Act, match: MatchRow, how: ProblemEnd) -> None:
    """End what a player said keeps a match from being played, if they did; no one is asked, and its pictures go."""
    if problems.finish(do.conn, match.id, how, do.now):
        promises.tidy(do.conn, match, PROBLEM, ANSWERED, now=do.now)
        do.touch(match)


def match_changed(do: Act, event: MatchChanged) -> None:
    """End a problem, because there is a result, and forget its pictures."""
    end(do, event.after, ProblemEnd.RESULT)


def match_reseated(do: Act, event: MatchReseated) -> None:
    """Forget the problems of a match that gets another player."""
    promises.tidy(do.conn, event.match, PROBLEM, ANSWERED, CASE, now=do.now)
    problems.forget(do.conn, [event.match.id])


def round_taken_back(do: Act, event: RoundTakenBack) -> None:
    """Forget the problems of matches that are taken back; the audit keeps them."""
    problems.forget(do.conn, [match.id for match in event.matches])


def moderators_moved(do: Act, _: ModeratorsMoved) -> None:
    """Post the problems that wait where only moderators read from now on, with the words said in private."""
    for waiting in leagues.waiting_in(do.conn, do.league.id, {"problems": problems.WAITING}):
        match = matches.get(do.conn, MatchId(waiting.id))
        problem = problems.of_match(do.conn, match.id)[-1]
        promises.tidy(do.conn, match, CASE, now=do.now)
        do.owe(CASE, match, problem_id=problem.id)


def season_over(do: Act, _: SeasonOver) -> None:
    """Forget the pictures of problems: no one decides about them any more."""
    problems.forget_screenshots(do.conn, do.season.id)
