"""A season's table as everyone is shown it: a line for each player, with movement, rating and verdict, and the cut."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.league.counting.ratings import ShownRating
from bot.league.counting.standings import Standing
from bot.league.season.model import Name
from bot.league.summaries.outlook.prospects import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A line of a player, who is `called` so; `movement` is how many places they went up in the last round.

    There is no rating before a new player's first rated match, and a verdict only where one was asked for. `drawn` is
    the text whose fingerprint put them before or after a neighbour who is equal in everything else.
    """

    standing: Standing
    called: str
    movement: int | None
    rating: ShownRating | None
    verdict: Verdict = Verdict.OPEN
    drawn: str = ""


def with_verdicts(rows: Iterable[TableRow], verdicts: Mapping[Name, Verdict]) -> tuple[TableRow, ...]:
    """Return the rows with who is sure to get through, and who can't any more."""
    return tuple(replace(row, verdict=verdicts.get(row.standing.name, row.verdict)) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTable:
    """A season's table, best first: the row after which the cut falls, and how many go on.

    `begun` is whether there is a result: without one the rows are in order of names and their ranks mean nothing.
    `all_in` is whether all rounds have all their results.
    """

    rows: tuple[TableRow, ...]
    begun: bool
    all_in: bool
    cut_after: int | None
    going_on: int
