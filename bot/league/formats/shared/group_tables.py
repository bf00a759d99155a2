"""A group of a season as its table has it: who is in it, in which order and why, and their matches."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.season.in_words import capitalised
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """A group: what people call it, its players in the order of their numbers, and best first.

    `called` is nothing where there is one group. `tied_by` says what put players behind the one before who has as many
    points. Nothing of a `struck` player counts; they come last. Everyone meets everyone so many `times`, but for those
    who `left`.
    """

    number: int
    called: str
    numbers: tuple[Name, ...]
    order: tuple[Name, ...]
    tied_by: Mapping[Name, str]
    struck: frozenset[Name]
    left: frozenset[Name]
    times: int

    @property
    def title(self) -> str:
        """Return what stands over its table."""
        return capitalised(self.called) if self.called else "Everyone’s matches"

    @property
    def counting(self) -> tuple[Name, ...]:
        """Return the players whose results count, best first."""
        return tuple(name for name in self.order if name not in self.struck)

    def resting(self, round_: Round) -> tuple[Name, ...]:
        """Return who rests in a round of the group; nobody where the group has no match in it."""
        playing = {name for match in round_.matches for name in match.players}.intersection(self.numbers)
        return tuple(name for name in self.numbers if playing and name not in playing | self.left)

    def matches(self, season: Season) -> dict[frozenset[Name], tuple[Match | None, ...]]:
        """Return the matches of every two players that count, in order of rounds, None for one that isn't paired yet.

        Of players who left none is still to be paired.
        """
        both = [frozenset((upper, lower)) for at, upper in enumerate(self.counting) for lower in self.counting[:at]]
        paired: dict[frozenset[Name], list[Match | None]] = {pair: [] for pair in both}
        for round_ in season.rounds:
            for match in round_.matches if round_.stage is Stage.REGULAR else ():
                paired.get(frozenset(match.players), []).append(match)
        for pair, matches in paired.items():
            matches += [] if pair & self.left else [None] * (self.times - len(matches))
        return {pair: tuple(matches) for pair, matches in paired.items()}


def results_in(matches: Mapping[frozenset[Name], tuple[Match | None, ...]]) -> tuple[int, int]:
    """Return how many matches have a result, and how many there are."""
    every = [match for pair in matches.values() for match in pair]
    return sum(match is not None and match.kind is not Kind.OPEN for match in every), len(every)
