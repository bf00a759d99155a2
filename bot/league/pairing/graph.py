"""Which players may meet, known of each by the shorter of two lists: those they may meet, or may not."""

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Graph:
    """Players numbered from 0; of each either the `forbidden` opponents are known, or the few `allowed` ones."""

    forbidden: Mapping[int, Set[int]]
    allowed: Mapping[int, Collection[int]]

    def __len__(self) -> int:
        """Return how many players there are."""
        return len(self.forbidden) + len(self.allowed)

    def may_meet(self, player: int, other: int) -> bool:
        """Whether two may meet."""
        few = self.allowed.get(player)
        return other not in self.forbidden[player] if few is None else other in few

    def among(self, others: Collection[int], player: int) -> Iterator[int]:
        """Yield those of some other players that a player may meet, by the shorter list."""
        few = self.allowed.get(player)
        if few is not None:
            return (other for other in few if other in others)
        forbidden = self.forbidden[player]
        return (other for other in others if other not in forbidden)
