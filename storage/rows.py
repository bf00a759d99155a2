"""The rows as the rest of the program sees them: typed, frozen, with aware times."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, NewType, TypeVar, get_args, get_origin, get_type_hints

import aiosqlite

from bot.league.model import DepartureKind, Kind, Stage
from bot.league.phases import MatchState, RoundPhase, SeasonPhase

LeagueId = NewType("LeagueId", int)
PlayerId = NewType("PlayerId", int)
SeasonId = NewType("SeasonId", int)
EntrantId = NewType("EntrantId", int)
RoundId = NewType("RoundId", int)
MatchId = NewType("MatchId", int)
PostId = NewType("PostId", int)

Row = TypeVar("Row")


class Target(StrEnum):
    """Which channel of a league a post belongs to."""

    LEAGUE = "league"
    MODERATION = "moderation"


class PostState(StrEnum):
    """Whether a promised post still has to be sent or edited."""

    DUE = "due"
    DONE = "done"
    PARKED = "parked"
    WITHDRAWN = "withdrawn"


class Confirmation(StrEnum):
    """What made a result final."""

    LOSS = "loss"
    AGREEMENT = "agreement"
    OPPONENT = "opponent"
    SILENCE = "silence"
    MODERATOR = "moderator"
    DEPARTURE = "departure"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRow:
    """A league of a guild, and where it speaks."""

    id: LeagueId
    guild_id: int
    name: str
    channel_id: int
    moderation_channel_id: int | None
    moderator_role_id: int | None
    organiser_role_id: int | None
    time_zone: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A person in a league; without `discord_id` he came with an imported file."""

    id: PlayerId
    league_id: LeagueId
    discord_id: int | None
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A season; `settings` is what was said as plain JSON, `number` is None where it was given back."""

    id: SeasonId
    league_id: LeagueId
    number: int | None
    format: str
    settings: Mapping[str, Any]
    salted: bool
    salt: str | None
    phase: SeasonPhase
    signups_close: datetime | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    champion_id: EntrantId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantRow:
    """A player in one season, with his Discord id and what keeps him out of the next round, if anything."""

    id: EntrantId
    season_id: SeasonId
    player_id: PlayerId
    discord_id: int | None
    name: str
    former_names: tuple[str, ...]
    mu: float | None
    sigma: float | None
    entered: int
    seed: int | None
    deck: str | None
    signed_up_at: datetime
    departed: DepartureKind | None

    @property
    def active(self) -> bool:
        """Whether he has neither dropped nor been disqualified, or has come back since."""
        return self.departed is None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRow:
    """A drop or disqualification of an entrant."""

    id: int
    entrant_id: EntrantId
    kind: DepartureKind
    round: int
    after_pairing: bool
    rejoined: int | None
    reason: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinRow:
    """An entrant's wish to come back, and the answer."""

    id: int
    entrant_id: EntrantId
    asked_at: datetime
    answered_at: datetime | None
    accepted: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A round of a season."""

    id: RoundId
    season_id: SeasonId
    stage: Stage
    number: int
    phase: RoundPhase
    by_hand: str | None
    paired_at: datetime
    posted_at: datetime | None
    deadline: datetime | None
    closed_at: datetime | None
    reminded_at: datetime | None
    clock_started_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match; `version` grows with every change of it, `position` is its number in the round.

    `deadline` is its own where it differs from the round's, `draws` the texts whose hashes decided its pairing.
    """

    id: MatchId
    round_id: RoundId
    position: int
    upper_id: EntrantId
    lower_id: EntrantId
    state: MatchState
    version: int
    kind: Kind
    winner_id: EntrantId | None
    upper_games: int | None
    lower_games: int | None
    upper_points: int | None
    lower_points: int | None
    confirm_at: datetime | None
    decided_at: datetime | None
    confirmed_by: Confirmation | None
    deadline: datetime | None
    overdue_at: datetime | None
    rematch: bool
    why: tuple[str, ...]
    draws: tuple[str, ...]

    @property
    def players(self) -> tuple[EntrantId, EntrantId]:
        """Both entrants, upper first."""
        return (self.upper_id, self.lower_id)

    def opponent_of(self, entrant_id: EntrantId) -> EntrantId:
        """Return the other entrant."""
        return self.lower_id if entrant_id == self.upper_id else self.upper_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """An entrant's seat in a round: in a match, or without one a bye with its reasons."""

    round_id: RoundId
    entrant_id: EntrantId
    match_id: MatchId | None
    why: tuple[str, ...]
    draws: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """What a player said of his match, from his side: `won`, `lost` or `draw`."""

    id: int
    match_id: MatchId
    entrant_id: EntrantId
    result: str
    own_games: int | None
    their_games: int | None
    at: datetime
    replaced_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRow:
    """A result that moderators have to settle; without `entrant_id` two reports contradict each other."""

    id: int
    match_id: MatchId
    entrant_id: EntrantId | None
    reason: str
    at: datetime
    settled_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRow:
    """A promised post: owed while `shown` is behind `wanted`."""

    id: PostId
    key: str
    kind: str
    league_id: LeagueId
    season_id: SeasonId | None
    round_id: RoundId | None
    match_id: MatchId | None
    target: Target
    facts: Mapping[str, Any]
    state: PostState
    wanted: int
    shown: int
    due_at: datetime
    expires_at: datetime | None
    attempts: int
    tried_at: datetime | None
    problem: str | None
    channel_id: int | None
    message_id: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """Who did what, when and why, with the state before and after; `actor_id` is None for the bot itself."""

    id: int
    league_id: LeagueId
    season_id: SeasonId | None
    at: datetime
    actor_id: int | None
    actor: str
    action: str
    subject: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    reason: str | None


def seconds(moment: datetime | None) -> int | None:
    """Return an aware time as the database keeps it: whole seconds since 1970, UTC."""
    if moment is not None and moment.tzinfo is None:
        raise ValueError("times are aware")
    return None if moment is None else int(moment.timestamp())


def plain(value: Any) -> str:
    """Return a JSON column's text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain_mapping)


def _plain_mapping(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): member for key, member in value.items()}
    raise TypeError(f"{type(value).__name__} has no place in a JSON column")


def read(kind: type[Row], record: aiosqlite.Row) -> Row:
    """Turn a record of the database into its row."""
    return kind(**{name: convert(record[name]) for name, convert in _columns(kind).items()})


@cache
def _columns(kind: type[Any]) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(kind)
    return {name: _converter(hint) for name, hint in hints.items() if name in kind.__dataclass_fields__}


def _converter(hint: Any) -> Callable[[Any], Any]:
    """Return how a column becomes a field of this type; NULL stays None."""
    members = [member for member in get_args(hint) if member is not type(None)]
    if get_origin(hint) is tuple:
        return lambda value: tuple(json.loads(value))
    if get_origin(hint) is Mapping:
        return json.loads
    if members and type(None) in get_args(hint):
        inner = _converter(members[0])
        return lambda value: None if value is None else inner(value)
    if hint is datetime:
        return lambda value: datetime.fromtimestamp(value, UTC)
    if isinstance(hint, type) and (hint is bool or issubclass(hint, StrEnum)):
        return hint
    return lambda value: value
