"""What a format tells of a season in groups: its shape before the start, rounds, tables, and the ladder it leaves."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.season.in_words import capitalised
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Groups of these sizes, and how many rounds they take.

    `words` says both. `wrong` is why a season can't start like this, with what organisers do next; `too_long` whether
    that is the number of rounds. `notice` is what they should know before.
    """

    sizes: tuple[int, ...]
    rounds: int
    words: str
    wrong: str = ""
    too_long: bool = False
    notice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRound:
    """A round in a group, upper players first, and who rests; a group without matches is done.

    `group` is what people call it, nothing where there is one group.
    """

    group: str
    pairs: tuple[tuple[Name, Name], ...]
    resting: Name | None = None

    def opponent_of(self, name: Name) -> Name | None:
        """Return who a player meets, if anyone."""
        return next((other for pair in self.pairs if name in pair for other in pair if other != name), None)


Calendar = tuple[tuple[GroupRound, ...], ...]
"""Each regular round by groups, the first round first."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPlace:
    """A player's place in a division of so many players, and the division it leads to if everyone comes back.

    Where the season had no divisions, both are None, and the place is that in everybody's order.
    """

    name: Name
    place: int
    players: int
    division: int | None = None
    leads_to: int | None = None

    @property
    def steps(self) -> int:
        """How many divisions it leads up; fewer than none where it leads down."""
        return 0 if self.division is None or self.leads_to is None else self.division - self.leads_to
