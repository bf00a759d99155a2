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
        return (
            f"{self.name} {self.what}: the smallest draw among {self.candidates} who could "
            f"({text} gives {value[:16]})."
        )


def when(meeting: Meeting, season: int | None = None) -> str:
    """Return when two players met, in words."""
    if meeting.round is None:
        return f"in season {meeting.season}"
    if meeting.season == season:
        return f"in round {meeting.round}"
    return f"in season {meeting.season}, round {meeting.round}"
