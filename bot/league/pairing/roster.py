"""The players of one list by position, and which of them met."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice

from bot.league.meetings import Meetings
from bot.league.model import Meeting, Name
from bot.league.pairing.graph import Graph
from bot.league.reasons import MOST_LISTED, MOST_TOLD, Key, Reason, when


class Roster:
    """A list of players, known by their positions from 0; `keys` sort it."""

    def __init__(self, order: Sequence[Name], met: Meetings, keys: Sequence[Key] = ()) -> None:
        self.names = tuple(order)
        self.met = met
        self.keys = keys

    @cached_property
    def allowed(self) -> dict[int, dict[int, None]]:
        """The others, in list order, of each player who has met more than half of the list."""
        many = {player: met for player, name in enumerate(self.names) if 2 * len(met := self.met.of(name)) > len(self)}
        return {
            player: {other: None for other, name in enumerate(self.names) if name not in met and other != player}
            for player, met in many.items()
        }

    @cached_property
    def graph(self) -> Graph:
        """Who may meet whom; only a certificate needs it, and most lists need none."""
        position = {name: number for number, name in enumerate(self.names)}
        forbidden = {
            player: {position[other] for other in self.met.of(name) if other in position}
            for player, name in enumerate(self.names)
            if player not in self.allowed
        }
        return Graph(forbidden, self.allowed)

    def __len__(self) -> int:
        """Return how many players there are."""
        return len(self.names)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two have not met."""
        return self.names[other] not in self.met.of(self.names[one])

    def meeting(self, one: int, other: int) -> Meeting:
        """Return the meeting of two players who have met."""
        return self.met.of(self.names[one])[self.names[other]]

    def unpaired(
        self, players: Iterable[int], size: int, *, first: int, keys: Sequence[Key] = (), start: str = ""
    ) -> Reason:
        """Tell the first of `size` unpaired players, by default in the order of the list."""
        names = [self.names[player] for player in islice(players, min(first, MOST_LISTED + 1))]
        return Reason(f"Unpaired{start}, ", names, keys or self.keys, size=size)

    def skipped(self, chooser: int, others: Sequence[int], why_not: Callable[[int], str]) -> list[Reason]:
        """Tell why the first of those skipped were, each in the words of `why_not`, and count the others."""
        name, more = self.names[chooser], len(others) - MOST_TOLD
        told = [Reason(f"{name} skipped {self.names[other]}{why_not(other)}.") for other in others[:MOST_TOLD]]
        return [*told, Reason(f"{name} skipped {more} more for the same reasons.")] if more > 0 else told

    def they_met(self, chooser: int, other: int) -> str:
        """Return when two players met, as the end of a sentence."""
        return f": they met {when(self.meeting(chooser, other))}"
