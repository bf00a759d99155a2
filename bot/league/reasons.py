"""Why a pairing, bye or pair-up came about: facts of the decision, each with its sentence."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.league.draw import Draw, Purpose
from bot.league.model import Meeting, Name


class Reason(ABC):
    """One step of a decision."""

    __slots__ = ()

    @abstractmethod
    def sentence(self) -> str:
        """Return the step in plain words, without Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestDraw(Reason):
    """Somebody was chosen by the smallest draw among candidates."""

    name: Name
    what: str
    draw: Draw
    purpose: Purpose
    candidates: int

    def sentence(self) -> str:
        """Return the choice, with the text to hash and its draw."""
        text, value = self.draw.text(self.purpose, self.name), self.draw.value(self.purpose, self.name)
        one = self.candidates == 1
        why = "nobody else could" if one else f"the smallest draw among {self.candidates} who could"
        return f"{self.name} {self.what}: {why} ({text} gives {value[:16]})."


def when(meeting: Meeting, season: int | None = None) -> str:
    """Return when two players met, in words."""
    if meeting.round is None:
        return f"in season {meeting.season}"
    if meeting.season == season:
        return f"in round {meeting.round}"
    return f"in season {meeting.season}, round {meeting.round}"


MOST_TOLD = 10
"""How many who were passed over a pair names one by one; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextInList(Reason):
    """The first choice in a list."""

    chooser: Name
    chosen: Name

    def sentence(self) -> str:
        """Return who chose whom."""
        return (
            f"{self.chooser}, the first in the list without an opponent, takes {self.chosen}, the next not met before."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestRanked(Reason):
    """The first choice in a tier."""

    chooser: Name
    chosen: Name
    order: str

    def sentence(self) -> str:
        """Return who chose whom, and by which order the chooser came first."""
        return (
            f"{self.chooser}, the first by {self.order} without an opponent, takes {self.chosen}, "
            "the lowest in the ranking who can be taken."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyMet(Reason):
    """Somebody was passed over because the two met."""

    chooser: Name
    other: Name
    meeting: Meeting

    def sentence(self) -> str:
        """Return whom he passed over, and when they met."""
        return f"{self.chooser} passes over {self.other}: they met {when(self.meeting)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MayRefuse(Reason):
    """Somebody in the top half was passed over because `third` spares him this opponent (docs/rules.md, 4)."""

    chooser: Name
    other: Name
    position: int
    third: Name
    order: str

    def sentence(self) -> str:
        """Return whom he passed over, and the comparison that decided it."""
        return (
            f"{self.chooser} passes over {self.other}, who is number {self.position} by {self.order}, in the top half, "
            f"and may refuse: number {self.position} from the bottom of the ranking in the bottom half "
            f"is {self.third}, who is ranked below {self.chooser}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MorePassedOver(Reason):
    """Others were passed over too, more than are told one by one."""

    chooser: Name
    count: int

    def sentence(self) -> str:
        """Return how many."""
        return f"{self.chooser} passes over {self.count} more for the same reasons."


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalsIgnored(Reason):
    """The right to refuse was set aside, since it left a player nobody."""

    chooser: Name

    def sentence(self) -> str:
        """Return whose choice it was."""
        return f"Nobody is left for {self.chooser} who may not refuse, so the right to refuse is set aside."


@dataclass(frozen=True, slots=True, kw_only=True)
class NobodyLeft(Reason):
    """A player had met everybody still unpaired: `told` of them, and `more`."""

    chooser: Name
    told: tuple[tuple[Name, Meeting], ...]
    more: int = 0

    def sentence(self) -> str:
        """Return whom he met, and when."""
        names = ", ".join(f"{name} ({when(meeting)})" for name, meeting in self.told)
        return f"{self.chooser} has met everybody still unpaired: {names}{_and_more(self.more)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsUndone(Reason):
    """The pairs set last were undone for a player who had nobody left, the last first."""

    chooser: Name
    told: tuple[tuple[Name, Name], ...]
    more: int = 0

    def sentence(self) -> str:
        """Return the pairs in the order they were undone."""
        pairs = ", then ".join(f"{upper} v {lower}" for upper, lower in self.told)
        return (
            f"For {self.chooser} the pairs set last are undone until all can be paired with the fewest rematches: "
            f"{pairs}{_and_more(self.more)}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCompletable(Reason):
    """Somebody was passed over because the others could then not be paired."""

    chooser: Name
    other: Name

    def sentence(self) -> str:
        """Return whom he passed over."""
        others = "then the others could not all be paired without one more rematch"
        return f"{self.chooser} passes over {self.other}: {others}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCompletable(Reason):
    """The choice of a player who had nobody left."""

    chooser: Name
    chosen: Name

    def sentence(self) -> str:
        """Return who chose whom."""
        return f"{self.chooser} takes {self.chosen}, the first with whom all others can still be paired."


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedRematch(Reason):
    """The pair is a rematch, and no pairing of its list has fewer."""

    chooser: Name
    other: Name
    meeting: Meeting

    def sentence(self) -> str:
        """Return when they met."""
        return (
            f"{self.chooser} v {self.other} is a rematch (they met {when(self.meeting)}); "
            "every pairing of these players has at least as many."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WasUndone(Reason):
    """An earlier pair of one of the two was undone for somebody who had nobody left."""

    upper: Name
    lower: Name
    stuck: Name

    def sentence(self) -> str:
        """Return the earlier pair, and for whom it was undone."""
        return f"{self.upper} v {self.lower} had been set before, and was undone because {self.stuck} had nobody left."


def _and_more(count: int) -> str:
    return f" and {count} more" if count else ""
