"""What each entrant has done so far, round by round, and what it counts for (docs/formats/shared.md)."""

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from bot.league.season.model import Match, Name
from bot.league.season.scales import PointScale


class Outcome(StrEnum):
    """What one round meant for one entrant."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    BYE = "bye"
    UNPAIRED = "unpaired"
    """A round missed by a late or returned entrant, or sat out: a loss without opponent."""


class Entry(NamedTuple):
    """One entrant's share in one round; a plain tuple, because a large season has hundreds of thousands of them."""

    round: int
    outcome: Outcome
    match: Match | None = None
    opponent: Name | None = None


@dataclass(slots=True, kw_only=True)
class Record:
    """One entrant's rounds in order; byes count as wins, unpaired losses as losses."""

    name: Name
    entries: list[Entry] = field(default_factory=list[Entry])
    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    points: int = 0
    game_wins: int = 0
    game_losses: int = 0
    opponents: list[Name] = field(default_factory=list[Name])
    """Every opponent, each meeting once, in order of rounds."""
    beaten: list[Name] = field(default_factory=list[Name])
    """Every opponent beaten, in order of rounds."""
    lost_in: list[int] = field(default_factory=list[int])
    """The round of each loss, in order."""

    @property
    def rounds(self) -> int:
        """How many rounds count: matches with a result, byes and unpaired losses."""
        return len(self.entries)

    def copy(self) -> "Record":
        """Return a record that can go on without changing this one."""
        return Record(
            name=self.name,
            entries=[*self.entries],
            wins=self.wins,
            losses=self.losses,
            draws=self.draws,
            byes=self.byes,
            points=self.points,
            game_wins=self.game_wins,
            game_losses=self.game_losses,
            opponents=[*self.opponents],
            beaten=[*self.beaten],
            lost_in=[*self.lost_in],
        )

    def losses_before(self, number: int) -> int:
        """Return how many of the losses were in rounds before round `number`."""
        return bisect_left(self.lost_in, number)

    def add(self, entry: Entry, scale: PointScale) -> None:
        """Count one more round."""
        outcome, match, opponent, points = entry.outcome, entry.match, entry.opponent, scale.loss
        self.entries.append(entry)
        if opponent is not None:
            self.opponents.append(opponent)
            if outcome is Outcome.WIN:
                self.beaten.append(opponent)
        if outcome is Outcome.WIN:
            self.wins += 1
            points = scale.win
        elif outcome is Outcome.BYE:
            self.wins += 1
            self.byes += 1
            points = scale.bye
        elif outcome is Outcome.DRAW:
            self.draws += 1
            points = scale.draw
        else:
            self.losses += 1
            insort(self.lost_in, entry.round)
        self.points += points
        if match is not None:
            self._count_match(match, points)

    def _count_match(self, match: Match, usual_points: int) -> None:
        mine = int(self.name != match.upper)
        if match.games is not None:
            self.game_wins += match.games[mine]
            self.game_losses += match.games[1 - mine]
        if match.points is not None:
            self.points += match.points[mine] - usual_points
