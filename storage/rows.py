"""The rows of leagues, players, seasons, entrants, rounds, matches, reports, disputes and ties: typed and frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NewType

from bot.league.bracket.match_names import in_sentence
from bot.league.match_day.weighing import Said
from bot.league.season.match_score import Result, Scoreline
from bot.league.season.model import DepartureKind, Kind, Stage
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase

LeagueId = NewType("LeagueId", int)
PlayerId = NewType("PlayerId", int)
SeasonId = NewType("SeasonId", int)
EntrantId = NewType("EntrantId", int)
RoundId = NewType("RoundId", int)
MatchId = NewType("MatchId", int)
TieId = NewType("TieId", int)


class Confirmation(StrEnum):
    """What made a result final."""

    LOSS = "loss"
    AGREEMENT = "agreement"
    OPPONENT = "opponent"
    SILENCE = "silence"
    MODERATOR = "moderator"
    DEPARTURE = "departure"


class Settled(StrEnum):
    """What settled a tie; `gone` where results or players changed, so that there is none any more."""

    DRAW = "draw"
    ORDER = "order"
    MATCH = "match"
    SILENCE = "silence"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRow:
    """A league of a guild: where it speaks, who runs it and who set it up (a Discord id), its own rules, its board.

    `site` is whether it has pages, so that its results are public.
    """

    id: LeagueId
    guild_id: int
    name: str
    channel_id: int
    moderation_channel_id: int | None
    moderator_role_id: int | None
    organiser_role_id: int | None
    participant_role_id: int | None
    champion_role_id: int | None
    time_zone: str
    created_by: int | None
    rules_text: str | None
    board: bool
    site: bool

    @property
    def moderators_apart(self) -> bool:
        """Whether moderators have a channel of their own; without one, everyone reads what is posted for them."""
        return self.moderation_channel_id not in (None, self.channel_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A person in a league; without `discord_id` they came with an imported file.

    `next_name` is what they are called once the season that is played is over.
    """

    id: PlayerId
    league_id: LeagueId
    discord_id: int | None
    name: str
    next_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A season; `settings` is what was said as plain JSON, `number` is None before sign-ups or when given back.

    `last_day` and `check_in` are the `signups_close` for which their last day was told and players asked to check in;
    Its salt is made of the names alone or, if its `salt_kind` is sealed, of a secret too; without a kind it has none.
    In one with `forgotten` a person's name was replaced.
    `newest_import` is the id of the league's newest import when it started. Where `finals_wait`, the finals follow by
    themselves once what holds them is answered.
    """

    id: SeasonId
    league_id: LeagueId
    number: int | None
    format: str
    settings: Mapping[str, Any]
    salt_kind: Literal["names", "sealed"] | None
    salt: str | None
    forgotten: bool
    phase: SeasonPhase
    copied_from: int | None
    signups_close: datetime | None
    last_day: datetime | None
    check_in: datetime | None
    paused_until: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    champion_id: EntrantId | None
    newest_import: int
    finals_wait: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantRow:
    """A seat in one season, with what keeps it out of the next round, if anything.

    `player_id` and `name` are of the player who signed up and whose name the seat has. `person_id` and `discord_id` are
    of the one who sits there in the round this is about, by default the one that is played or comes next; `person` is
    their name where it is a substitute. `asked_at` is when the question to check in was sent.
    """

    id: EntrantId
    season_id: SeasonId
    player_id: PlayerId
    person_id: PlayerId
    person: str | None
    discord_id: int | None
    name: str
    former_names: tuple[str, ...]
    mu: float | None
    sigma: float | None
    entered: int
    seed: int | None
    given_group: int | None
    checked_in: bool
    asked_at: datetime | None
    departed: DepartureKind | None

    @property
    def active(self) -> bool:
        """Whether they haven't left, or have come back since."""
        return self.departed is None

    @property
    def called(self) -> str:
        """What people call them: `Emil`, or `Hana (for Emil)` while Hana sits in Emil's seat."""
        return self.name if self.person is None else f"{self.person} (for {self.name})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRow:
    """A drop or disqualification of an entrant."""

    id: int
    entrant_id: EntrantId
    kind: DepartureKind
    round: int
    after_pairing: bool
    rejoined: int | None
    by_moderator: bool
    """Whether a moderator decided it, who isn't an organiser: moderators can undo it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A round of a season; `name` is its heading: `Round 3 of 5`, `Quarter-finals`.

    Those of a stage whose rounds are all played at once are `together`; others are played one after the other.
    """

    id: RoundId
    season_id: SeasonId
    stage: Stage
    number: int
    name: str
    phase: RoundPhase
    by_hand: str | None
    posted_at: datetime | None
    deadline: datetime | None
    paused: int
    clock_started_at: datetime | None
    together: bool

    @property
    def words(self) -> str:
        """The round within a sentence: `round 3`, `the quarter-finals`."""
        if self.stage is Stage.REGULAR:
            return f"round {self.number}"
        return f"{'the ' if self.stage is Stage.FINALS else ''}{in_sentence(self.name)}"

    @property
    def stage_words(self) -> str:
        """The round, or all that are played together with it, within a sentence: `round 3`, `the regular rounds`."""
        return "the regular rounds" if self.together else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match; `version` grows with every change of it, `position` is its number in the round, `name` only for finals.

    `tier` says the records of both when it was paired, where its round has several, and where all matches are open the
    group; `deadline` is its own where it differs from the round's, `draws` the texts whose hashes decided its pairing.
    Until the question about a report was sent, `confirm_at` is None; unanswered, it's asked once more at
    `ask_again_at`. Its players play at `agreed_at`; `dice_off_id` has the first choice. `got_time` is whether it got
    time once by what they did when it was open again.
    """

    id: MatchId
    round_id: RoundId
    position: int
    name: str
    upper_id: EntrantId
    lower_id: EntrantId
    state: MatchState
    version: int
    kind: Kind
    winner_id: EntrantId | None
    upper_games: int | None
    lower_games: int | None
    upper_score: int | None
    lower_score: int | None
    upper_points: int | None
    lower_points: int | None
    confirm_at: datetime | None
    ask_again_at: datetime | None
    confirmed_by: Confirmation | None
    deadline: datetime | None
    reminded_at: datetime | None
    overdue_at: datetime | None
    got_time: bool
    agreed_at: datetime | None
    rematch: bool
    tier: str
    why: tuple[str, ...]
    draws: tuple[str, ...]
    dice_off_id: EntrantId | None
    dice_off_why: tuple[str, ...]
    dice_off_draws: tuple[str, ...]
    in_short: tuple[str, ...]

    @property
    def players(self) -> tuple[EntrantId, EntrantId]:
        """Both entrants, upper first."""
        return (self.upper_id, self.lower_id)

    @property
    def scoreline(self) -> Scoreline:
        """The numbers of its result, the upper player's first."""
        return Scoreline(_both(self.upper_games, self.lower_games), _both(self.upper_score, self.lower_score))

    def opponent_of(self, entrant_id: EntrantId) -> EntrantId:
        """Return the other entrant."""
        return self.lower_id if entrant_id == self.upper_id else self.upper_id


def _both(first: int | None, second: int | None) -> tuple[int, int] | None:
    return None if first is None or second is None else (first, second)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """An entrant's seat in a round: in a match, or without one a bye with its reasons."""

    round_id: RoundId
    entrant_id: EntrantId
    match_id: MatchId | None
    why: tuple[str, ...]
    draws: tuple[str, ...]
    in_short: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """What a player reported, seen from their own side."""

    id: int
    match_id: MatchId
    entrant_id: EntrantId
    result: Result
    own_games: int | None
    their_games: int | None
    own_score: int | None
    their_score: int | None
    at: datetime
    statement: str | None
    """What they tell the moderators where it is disputed."""

    @property
    def scoreline(self) -> Scoreline:
        """The numbers of the result, the reporter's own first."""
        return Scoreline(_both(self.own_games, self.their_games), _both(self.own_score, self.their_score))

    @property
    def said(self) -> Said:
        """What they say of their match."""
        return Said(self.result, self.scoreline)


class Says(StrEnum):
    """What a player who disputes a report says happened instead."""

    WON = "won"
    DRAW = "draw"
    SCORE = "score"
    NOT_PLAYED = "not-played"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRow:
    """A result that moderators have to settle; without `entrant_id` two reports contradict each other."""

    id: int
    match_id: MatchId
    entrant_id: EntrantId | None
    says: Says | None
    reason: str
    at: datetime
    settled_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRow:
    """A tie from place `first` on; `going_on` enter the finals. Once settled, `names` is the order that counts.

    Without an answer the draw decides at `until`, which is None until the question was sent.
    """

    id: TieId
    season_id: SeasonId
    after_round: int
    first: int
    going_on: int
    names: tuple[str, ...]
    asked_at: datetime
    until: datetime | None
    match_at: datetime | None
    settled_at: datetime | None
    how: Settled | None

    @property
    def about_going_on(self) -> bool:
        """Whether it decides who enters the finals; else it decides the order of those who do, or a season's winner."""
        return self.first <= self.going_on < self.first + len(self.names) - 1
