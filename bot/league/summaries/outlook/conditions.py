"""What a player needs: which other results decide whether they get through, where a few of them do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from bot.league.season.model import Match, Name
from bot.league.summaries.outlook.endings import Ending, ToCome

MOST_NEEDED = 3
"""A condition names at most so many results."""

# A set of endings is a whole number here: bit k is set where ending k is in it. That makes thousands of them quick.


class Need(NamedTuple):
    """A result of someone else's match: `winner` beats `loser`, or with `or_draw` the loser only doesn't win."""

    winner: Name
    loser: Name
    or_draw: bool = False


class Condition(NamedTuple):
    """The results that get a player through: all of them are needed, or one is enough."""

    needs: tuple[Need, ...]
    all_needed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """In how many endings a player gets through, in how many an organiser decides a tie, and on what it depends."""

    endings: int
    through: int
    tied: int = 0
    condition: Condition | None = None

    @property
    def plain(self) -> bool:
        """Whether it can be said without counting endings: they're in, out, or need a few results."""
        return self.sure or self.hopeless or self.condition is not None

    @property
    def sure(self) -> bool:
        """Whether they get through in every ending."""
        return self.through == self.endings

    @property
    def hopeless(self) -> bool:
        """Whether they get through in no ending."""
        return self.through == self.tied == 0


def set_of(numbers: Iterable[int]) -> int:
    """Return a set of endings."""
    return sum(1 << number for number in numbers)


Happens = Mapping[Match, int]
"""The results of one match, each with the endings it happens in."""


def happens(coming: Sequence[ToCome], endings: Sequence[Ending]) -> tuple[Happens, ...]:
    """Return for every match of the first round in which endings each of its results happens."""
    return tuple(_happens(place, upcoming, endings) for place, upcoming in enumerate(coming))


def _happens(place: int, upcoming: ToCome, endings: Sequence[Ending]) -> Happens:
    numbers: dict[tuple[object, object], list[int]] = {(result.winner, result.games): [] for result in upcoming.results}
    for number, ending in enumerate(endings):
        result = ending.results[place]
        numbers[result.winner, result.games].append(number)
    return {result: set_of(numbers[result.winner, result.games]) for result in upcoming.results}


def needs(coming: Sequence[ToCome], held: Sequence[Happens]) -> dict[Need, int]:
    """Return every result of the first round that someone can need, each with the endings it happens in."""
    needed: dict[Need, int] = {}
    for upcoming, results in zip(coming, held, strict=True):
        drawn = sum(held for result, held in results.items() if result.winner is None)
        for winner in upcoming.match.players:
            need = Need(winner, upcoming.match.opponent_of(winner))
            needed[need] = sum(held for result, held in results.items() if result.winner == winner)
            if drawn:
                needed[need._replace(or_draw=True)] = needed[need] | drawn
    return needed


def chance(name: Name, among: int, through: int, tied: int, needed: Mapping[Need, int]) -> Chance:
    """Return a player's chance among some endings, given those in which they get through or are tied."""
    through, tied = through & among, tied & among
    others = {need: held & among for need, held in needed.items() if name not in (need.winner, need.loser)}
    condition = None if tied or through in (0, among) else _condition(others, among, through)
    return Chance(endings=among.bit_count(), through=through.bit_count(), tied=tied.bit_count(), condition=condition)


def _condition(needs: Mapping[Need, int], among: int, through: int) -> Condition | None:
    """Return the results that hold in exactly the endings in which the player gets through, if there are a few."""
    needed = {need: held for need, held in needs.items() if through & ~held == 0 and held != among}
    enough = {need: held for need, held in needs.items() if held & ~through == 0 and held}
    for deciding, joined in ((needed, and_), (enough, or_)):
        if deciding and reduce(joined, deciding.values()) == through:
            fewest = _fewest(deciding, joined, through)
            if len(fewest) <= MOST_NEEDED:
                return Condition(fewest, all_needed=joined is and_)
    return None


def _fewest(needed: Mapping[Need, int], joined: Callable[[int, int], int], wanted: int) -> tuple[Need, ...]:
    """Leave out, one by one, what the others say already."""
    kept = dict(needed)
    for need in needed:
        rest = [held for other, held in kept.items() if other != need]
        if rest and reduce(joined, rest) == wanted:
            del kept[need]
    return tuple(kept)
