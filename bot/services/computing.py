"""Long computations of use cases: done outside the transaction, which then begins again and finds the answer there.

So no one who writes waits for them, and what is saved was computed for the season as it is at that moment.
"""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from bot.league.errors import LeagueError, Unavailable
from bot.league.season.model import Season
from bot.worker import Worker, WorkerFailed
from storage.database import Database
from storage.rules_season import SeasonRecords, season_of

LARGE = 1000
"""From this size on a season is computed elsewhere: below, that takes less than sending it there."""
MOST_COMPUTATIONS = 12
"""A use case needs a few; more are those of a season that changed each time before they could be saved."""
SECONDS = 60

_Given = ParamSpec("_Given")
_More = TypeVarTuple("_More")
_Answer = TypeVar("_Answer")


class _Missing(BaseException):
    """An answer that a use case can't go on without; it is no error, so nothing that handles errors sees it."""

    def __init__(self, function: Callable[..., Any], given: tuple[Any, ...]) -> None:
        super().__init__(function)
        self.function = function
        self.given = given


@dataclass(frozen=True, slots=True)
class _Known:
    function: Callable[..., Any]
    given: tuple[Any, ...]
    answer: Any
    problem: LeagueError | None


_known: ContextVar[list[_Known] | None] = ContextVar("known", default=None)
"""What was computed for the use case of this task; None where there's none that can begin again."""
_workers: MutableMapping[Database, Worker] = WeakKeyDictionary()


def compute_in(worker: Worker, db: Database) -> None:
    """Let the long computations of a database's use cases run in a process beside this one, not in a thread of it."""
    _workers[db] = worker


def compute(function: Callable[[Season, *_More], _Answer], season: SeasonRecords, *more: *_More) -> _Answer:
    """Return what a function of some module computes of a season, or raise its LeagueError.

    Where that takes long the use case begins again with the answer, unless the season is another one by then.
    """
    known = _known.get()
    if known is None or season.size < LARGE:
        return _work_out(function, season, *more)
    for one in known:
        if (one.function, one.given) == (function, (season, *more)):
            if one.problem is not None:
                raise one.problem
            return one.answer
    raise _Missing(function, (season, *more))


def _work_out(function: Callable[..., Any], season: SeasonRecords, *more: Any) -> Any:
    return function(season_of(season), *more)


def begins_again(
    use_case: Callable[_Given, Awaitable[_Answer]],
) -> Callable[_Given, Coroutine[Any, Any, _Answer]]:
    """Run a use case, which changes the database at most once, from its start again after each long computation.

    Raises Unavailable where the season changes again and again meanwhile.
    """

    @functools.wraps(use_case)
    async def run(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        known: list[_Known] = []
        outer = _known.set(known)
        try:
            while True:
                try:
                    return await use_case(*args, **kwargs)
                except _Missing as missing:
                    if len(known) == MOST_COMPUTATIONS:
                        problem = "The season keeps changing while this is worked out. Try again in a minute."
                        raise Unavailable(problem) from None
                    db = next(one for one in (*args, *kwargs.values()) if isinstance(one, Database))
                    known.append(await _found(missing, _workers.get(db)))
        finally:
            _known.reset(outer)

    return run


async def _found(missing: _Missing, worker: Worker | None) -> _Known:
    """Compute what is missing; what went wrong with the season, or took too long, is an answer too."""
    answer, problem = None, None
    try:
        if worker is None:
            answer = await asyncio.to_thread(_work_out, missing.function, *missing.given)
        else:
            answer = await worker.run(_work_out, missing.function, *missing.given, seconds=SECONDS)
    except LeagueError as impossible:
        problem = impossible
    except WorkerFailed as failed:
        problem = Unavailable(f"working it out was given up ({failed})")
    return _Known(missing.function, missing.given, answer, problem)
