"""Who is still in: too many losses eliminate; a round that would leave nobody is played again.

See docs/formats/two-loss-out.md.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from bot.league.counting.history import History, once
from bot.league.counting.standings import Row, ranked
from bot.league.counting.tiebreaks import STRENGTH_OF_SCHEDULE, comparable, win_rates
from bot.league.season.model import Kind, Name, Round

DOCUMENTED_LOSSES = 2
"""So many losses put a player out by the document."""


def still_in(names: Iterable[Name], history: History) -> tuple[Name, ...]:
    """Return the players who haven't lost too often, or play a round again."""
    pardoned = _pardoned(history)
    return tuple(name for name in names if _is_in(name, history, pardoned))


def plays_again(history: History) -> bool:
    """Whether all who are still in have lost too often, as where both of the last two lost: nobody would be left."""
    alive = still_in(history.active(), history)
    return len(alive) > 1 and not any(_is_in(name, history, {}) for name in alive)


def rows_by_schedule(history: History, names: Iterable[Name]) -> tuple[tuple[Row, ...], Mapping[Name, int]]:
    """Return the rows of some players, and whole numbers in the order of their SoS."""
    rates, names = _rates(history), tuple(names)
    rows = tuple(Row(record=history.records[name], tiebreaks=rates[name]) for name in names)
    return rows, comparable({name: rates[name][STRENGTH_OF_SCHEDULE] for name in names})


@once
def _rates(history: History) -> Mapping[Name, Mapping[str, Fraction]]:
    return win_rates(history.records)


@once
def _pardoned(history: History) -> Mapping[Name, int]:
    """Return how many losses eliminate the players of a round that is played again."""
    pardoned: dict[Name, int] = {}
    for round_ in history.table_rounds:
        if round_.matches and not round_.byes and all(match.kind is Kind.DOUBLE_LOSS for match in round_.matches):
            then = History(history.season, before=round_.number + 1)
            active = History(history.season, before=round_.number).active()  # who left since was in all the same
            if not any(_is_in(name, then, pardoned) for name in active):
                pardoned.update({name: then.records[name].losses + 1 for name in _again(then, round_)})
    return pardoned


def _again(history: History, round_: Round) -> tuple[Name, ...]:
    """Return the two of a round with the best SoS who are still here."""
    rows, schedule = rows_by_schedule(history, (name for name in history.active() if name in round_.seated))
    return tuple(row.name for row in ranked(rows, lambda row: schedule[row.name], history.table_draw))[:2]


def _is_in(name: Name, history: History, pardoned: Mapping[Name, int]) -> bool:
    return history.records[name].losses < pardoned.get(name, history.season.settings.losses)
