"""The players of one list by position, and which of them met."""

from collections.abc import Callable, Iterable, Sequence, Set
from functools import cached_property
from itertools import islice

from bot.league.counting.meetings import Meetings
from bot.league.pairing.graph import Graph
from bot.league.pairing.reasons import KEPT_APART, MOST_LISTED, MOST_TOLD, Key, Reason, when
from bot.league.season.in_words import spelled
from bot.league.season.model import Meeting, Name


class Roster:
    """A list of players, known by their positions from 0; `keys` sort it."""

    def __init__(self, order: Sequence[Name], met: Meetings, keys: Sequence[Key] = ()) -> None:
        self.names = tuple(order)
        self.met = met
        self.keys = keys
        self.nearly_all = len(self.names) * 7 // 8
        """A player who has met more than these has few opponents left: to walk those is shorter."""
        self._few: dict[int, dict[int, None]] = {}

    def few_left(self, player: int) -> dict[int, None]:
        """Return the others a player has not met, in list order, kept for the next time."""
        if player not in self._few:
            name = self.names[player]
            left = self.position.keys() - self.met.of(name).keys() - {name}
            self._few[player] = dict.fromkeys(sorted(self.position[other] for other in left))
        return self._few[player]

    @cached_property
    def position(self) -> dict[Name, int]:
        """The position of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def graph(self) -> Graph:
        """Which players may meet; only a certificate needs it, and most lists need none."""
        forbidden: dict[int, Set[int]] = {}
        allowed: dict[int, dict[int, None]] = {}
        for player, name in enumerate(self.names):
            met = self.met.of(name)
            if len(met) > self.nearly_all:
                allowed[player] = self.few_left(player)
            else:
                forbidden[player] = {self.position[other] for other in met if other in self.position}
        return Graph(forbidden, allowed)

    def __len__(self) -> int:
        """Return how many players there are."""
        return len(self.names)

    def may_meet(self, player: int, other: int) -> bool:
        """Whether two have not met."""
        return self.names[other] not in self.met.of(self.names[player])

    def meeting(self, player: int, other: int) -> Meeting:
        """Return the meeting of two players who have met."""
        return self.met.of(self.names[player])[self.names[other]]

    def unpaired(
        self, players: Iterable[int], size: int, *, first: int, keys: Sequence[Key] = (), start: str = ""
    ) -> Reason:
        """Tell the first of `size` unpaired players, by default in the order of the list."""
        names = [self.names[player] for player in islice(players, min(first, MOST_LISTED + 1))]
        return Reason(f"Unpaired{start}, ", names, keys or self.keys, size=size)

    def order_in_short(self) -> str:
        """Return how the list is sorted, as a sentence begins."""
        first = self.keys[0] if self.keys else None
        if first is None:
            return ""
        if first.text is not None:
            return "In the order of the draw, "
        if first.what == "strength of schedule":
            return "By how strong their opponents were, "
        return "By group and then the draw, " if first.what == "group" else f"By {first.what}, "

    def put_in_order(self) -> str:
        """Return that the draw sorted a list of more than two, as a sentence of its own; nothing where it didn't."""
        drawn = len(self) > 2 and self.keys and self.keys[0].text is not None
        return f"The draw put all {spelled(len(self), 'player')} in an order. " if drawn else ""

    def skipped(self, chooser: int, others: Sequence[int], why_not: Callable[[int], str]) -> list[Reason]:
        """Tell why the first of those skipped were, each in the words of `why_not`, and count the others."""
        name, more = self.names[chooser], len(others) - MOST_TOLD
        reasons = [Reason(f"{name} skipped {self.names[other]}{why_not(other)}.") for other in others[:MOST_TOLD]]
        return [*reasons, Reason(f"{name} skipped {more} more for the same reasons.")] if more > 0 else reasons

    def they_met(self, chooser: int, other: int) -> str:
        """Return when two players met, or that they are kept apart, as the end of a sentence."""
        meeting = self.meeting(chooser, other)
        return f": they are {KEPT_APART}" if meeting.kept_apart else f": they met {when(meeting, self.met.season)}"

    def may_meet_in_words(self, *, apart: bool, they: str = "they", had: str = "haven't") -> str:
        """Return who a player may meet, as a sentence ends; `apart`: some of the others are kept apart from them."""
        return f"{they} could meet" if apart else f"{they} {had} met{self.met.within}"

    def kept_apart_from(self, chooser: int, others: Iterable[int]) -> bool:
        """Whether a player is kept apart from some of these."""
        return any(not self.may_meet(chooser, other) and self.meeting(chooser, other).kept_apart for other in others)
