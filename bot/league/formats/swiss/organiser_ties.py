"""Ties that matter: equals an organiser orders before the finals are paired, or the season ends.

See docs/formats/lightseekers-swiss.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.league.counting.draw import Purpose, draw_of
from bot.league.counting.history import History
from bot.league.formats import by_key
from bot.league.pairing.proposal import Next, Proposal, Qualified
from bot.league.season.model import Name, Season, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Players equal in everything, in the order of the draw, from place `first` on.

    `going_on` enter the finals; 0 where there are none, so that only the first place matters.
    """

    names: tuple[Name, ...]
    first: int
    going_on: int

    @property
    def last(self) -> int:
        """Return the last place they are equal for."""
        return self.first + len(self.names) - 1


def ties_that_matter(season: Season, next_: Next) -> tuple[Tie, ...]:
    """Return the ties that decide who enters the finals and with which seed, or who is first where there are none.

    `next_` is what the rules say comes next. Nobody is asked about other ties, nor in formats whose document leaves
    nothing to the organiser. A group that a decision orders is no longer tied.
    """
    if not by_key(season.format).organiser_breaks_ties or season.finals_begun:
        return ()
    if isinstance(next_, Proposal) and next_.stage is Stage.FINALS:
        entering = {*(bye.name for bye in next_.byes), *(name for pair in next_.pairs for name in pair.players)}
        return tuple(_ties(season, entering, len(entering)))
    if isinstance(next_, Qualified):
        return tuple(_ties(season, set(next_.names[:1]), 0))
    return ()


def _ties(season: Season, entering: set[Name], going_on: int) -> Iterator[Tie]:
    """Find undecided equals who can still go on, where at least one of them does."""
    format_ = by_key(season.format)
    here = entering.union(History(season).active())
    places = [standing.name for standing in format_.standings(season) if standing.name in here]
    counting = format_.counting_decisions(season)
    decided = {frozenset(season.decisions[number].order) for number in counting}
    for group in format_.equals(format_.before_finals(season)):
        names = tuple(name for name in group if name in here and frozenset(group) not in decided)
        # The two of a final meet each other whichever seed they have.
        of_final = len(entering) == 2 and entering.issuperset(names)
        if len(names) > 1 and entering.intersection(names) and not of_final:
            yield Tie(names=names, first=places.index(names[0]) + 1, going_on=going_on)


def whole_order(season: Season, order: tuple[Name, ...]) -> tuple[Name, ...]:
    """Return the decision about a group of equals once those still here are ordered: those who left come last."""
    format_ = by_key(season.format)
    groups = format_.equals(format_.before_finals(season))
    group = next((names for names in groups if set(order) <= set(names)), ())
    return (*order, *(name for name in group if name not in order))


def seats(season: Season, after_round: int, names: tuple[Name, ...]) -> tuple[tuple[Name, str], ...]:
    """Return the seats of a tie-break match, by `draw(seat)` of the round that left them equal, with the draws."""
    draw = draw_of(season, after_round)
    return tuple((name, draw.text(Purpose.SEAT, name)) for name in draw.sort(Purpose.SEAT, names))
