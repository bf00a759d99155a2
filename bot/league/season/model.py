"""The facts of a season, as the rules see them: names, rounds, results and which of them are rated, departures."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from bot.league.season.settings import SeasonSettings

Name = NewType("Name", str)
"""A player's league name in NFC: the identity the rules know (docs/formats/shared.md)."""


class Stage(StrEnum):
    """The part of a season a round belongs to."""

    REGULAR = "regular"
    TIEBREAK = "tiebreak"
    FINALS = "finals"


class Kind(StrEnum):
    """How a match ended, or that it has not."""

    OPEN = "open"
    PLAYED = "played"
    FORFEIT = "forfeit"
    DOUBLE_LOSS = "double_loss"
    ADJUDICATED = "adjudicated"


class DepartureKind(StrEnum):
    """Why an entrant left."""

    DROP = "drop"
    DISQUALIFICATION = "disqualification"


class Status(StrEnum):
    """Where an entrant stands in the season."""

    ACTIVE = "active"
    QUALIFIED = "qualified"
    ELIMINATED = "eliminated"
    DROPPED = "dropped"
    DISQUALIFIED = "disqualified"
    CHAMPION = "champion"

    @property
    def inside(self) -> bool:
        """Whether an entrant can still win the season."""
        return self in (Status.ACTIVE, Status.QUALIFIED, Status.CHAMPION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A TrueSkill belief about a player's strength."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player in one season; `rating` at its start (None: new), `entered` their first round, `group` if it's given."""

    name: Name
    rating: Rating | None = None
    entered: int = 1
    seed: int | None = None
    group: int | None = None
    former_names: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A published pairing and its result; `upper` is the player who chose, or the better seed.

    `games`, `points` and `score` are in the order upper, lower: games won, points of the table where an organiser
    awarded others than the scale's, and the score of the match, as 87-62, where the season has scores. A draw is a
    finished match without a winner. `dice_off` is the player who has the first choice, as its file says.
    """

    upper: Name
    lower: Name
    kind: Kind = Kind.OPEN
    winner: Name | None = None
    games: tuple[int, int] | None = None
    points: tuple[int, int] | None = None
    score: tuple[int, int] | None = None
    dice_off: Name | None = None

    @property
    def players(self) -> tuple[Name, Name]:
        """Both players, upper first."""
        return (self.upper, self.lower)

    @property
    def drawn(self) -> bool:
        """Whether the match ended without winner and without a double loss."""
        return self.winner is None and self.kind in (Kind.PLAYED, Kind.ADJUDICATED)

    @property
    def rated(self) -> bool:
        """Whether the match counts for ratings (docs/formats/shared.md)."""
        return self.kind in (Kind.PLAYED, Kind.ADJUDICATED)

    @property
    def winless(self) -> tuple[Name, ...]:
        """The players who didn't win: none while the match is open, both after a double loss."""
        return () if self.kind is Kind.OPEN else tuple(name for name in self.players if name != self.winner)

    def opponent_of(self, name: Name) -> Name:
        """Return the other player."""
        return self.lower if name == self.upper else self.upper


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A published round; `by_hand` is the reason an organiser changed it."""

    number: int
    stage: Stage = Stage.REGULAR
    byes: tuple[Name, ...] = ()
    matches: tuple[Match, ...] = ()
    by_hand: str | None = None

    @property
    def seated(self) -> tuple[Name, ...]:
        """The players it has a place for: those with a bye, then those of the matches."""
        return (*self.byes, *(name for match in self.matches for name in (match.upper, match.lower)))

    @property
    def finished(self) -> bool:
        """Whether every match has its result."""
        return all(match.kind is not Kind.OPEN for match in self.matches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A drop or disqualification: gone from `round` on, until they come back in the round `rejoined`."""

    name: Name
    kind: DepartureKind
    round: int
    after_pairing: bool = False
    rejoined: int | None = None

    @property
    def status(self) -> Status:
        """The status of its entrant while they are gone."""
        return Status.DROPPED if self.kind is DepartureKind.DROP else Status.DISQUALIFIED

    def is_after(self, number: int) -> bool:
        """Whether they left only after round `number` was paired."""
        return self.round > number or (self.round == number and self.after_pairing)

    def gone_at(self, number: int) -> bool:
        """Whether this departure keeps its entrant out of the pairing of round `number`."""
        first = self.round + 1 if self.after_pairing else self.round
        return first <= number and (self.rejoined is None or number < self.rejoined)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitOut:
    """A regular round an entrant doesn't play in: an unpaired loss."""

    name: Name
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """Another person in an entrant's seat from `round` on, or its first person again, whose name is the seat's.

    `rating` is theirs when they first sit down; None means new.
    """

    seat: Name
    player: Name
    round: int
    rating: Rating | None = None
    former_names: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedList:
    """An army or deck list of an entrant, sealed by the SHA-256 of `key/text`; both are None until it is revealed.

    `number` counts the lists of one entrant from 1; `round` is None for a list of the whole season.
    """

    name: Name
    number: int
    round: int | None
    sha256: str
    key: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An order an organiser decided among equals after a round (docs/formats/lightseekers-swiss.md, `decisions`)."""

    after_round: int
    order: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """Two seats whose people aren't to be paired, in the rounds from `round` to before `until` (None: to the end)."""

    players: tuple[Name, Name]
    round: int
    until: int | None = None

    def holds_in(self, number: int) -> bool:
        """Whether they are kept apart in this round."""
        return self.round <= number and (self.until is None or number < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """That two players met, and when; `round` is None if a file doesn't tell.

    Two who are `kept_apart` count as having met in the round that is paired, though they never did.
    """

    season: int
    round: int | None = None
    kept_apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMatch:
    """One match of an earlier season, under the names of this one or former ones."""

    players: tuple[Name, Name]
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSeason:
    """The meetings of an earlier season of the league."""

    number: int
    matches: tuple[PastMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedSalt:
    """What a sealed salt is made of besides names: a secret, null before the draw, and the SHA-256 it was sealed by."""

    commitment: str
    secret: str | None = None


class Ended(StrEnum):
    """How a season came to its end: by its rules, or by an organiser who finished or cancelled it."""

    RULES = "rules"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalStanding:
    """A line of the standings as a file says them at the end of its season."""

    rank: int
    name: Name
    points: int
    wins: int
    losses: int
    draws: int
    byes: int
    tiebreaks: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """How a season ended, as its file says; `kept` where a draw decided it with a name that was replaced since."""

    ended: Ended
    champion: Name | None = None
    kept: bool = False
    standings: tuple[FinalStanding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """One season, complete enough to pair, rank and verify it anywhere.

    `drawn_names` are those its salt was made of, None where that isn't known; in one with `forgotten`, a person's name
    was replaced. `bracket` is the players by first slot of a bracket that had begun then, None where a slot was empty;
    `groups` are those of a round robin by their numbers. `ladder` is the order in which divisions are filled, and
    `ladder_of` the last fingerprint of the season it came from.
    """

    league: str
    number: int
    format: str
    settings: SeasonSettings
    entrants: tuple[Entrant, ...]
    past: tuple[PastSeason, ...] = ()
    rounds: tuple[Round, ...] = ()
    departures: tuple[Departure, ...] = ()
    decisions: tuple[Decision, ...] = ()
    sat_out: tuple[SitOut, ...] = ()
    substitutes: tuple[Substitution, ...] = ()
    lists: tuple[SealedList, ...] = ()
    apart: tuple[KeptApart, ...] = ()
    sealed: SealedSalt | None = None
    drawn_names: tuple[Name, ...] | None = None
    forgotten: bool = False
    bracket: tuple[Name | None, ...] | None = None
    groups: tuple[tuple[Name, ...], ...] | None = None
    ladder: tuple[Name, ...] | None = None
    ladder_of: str | None = None
    final: Final | None = None

    @property
    def keeps_its_end(self) -> bool:
        """Whether its end is as its file says: a draw that decided may have had a name that was replaced since."""
        return self.groups is not None or (self.final is not None and self.final.kept)

    @property
    def finals_begun(self) -> bool:
        """Whether a round of the finals is there."""
        return any(round_.stage is Stage.FINALS for round_ in self.rounds)

    @property
    def only_finals(self) -> bool:
        """Whether no round of it is anything but finals."""
        return all(round_.stage is Stage.FINALS for round_ in self.rounds)
