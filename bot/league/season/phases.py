"""The life of a season, its rounds and its matches: which phase can follow which."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from bot.league.errors import WrongPhase


class SeasonPhase(StrEnum):
    """Where a season is in its life; only organisers see an unpublished one."""

    UNPUBLISHED = "unpublished"
    SIGNUP = "signup"
    RUNNING = "running"
    FINALS = "finals"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class RoundPhase(StrEnum):
    """Where a round is in its life; only organisers see a draft."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"


class MatchState(StrEnum):
    """Where a match is between its publication and its result."""

    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"

    @property
    def words(self) -> str:
        """Return the state as people read it."""
        return _WAITING.get(self, self.value)


_WAITING = {MatchState.REPORTED: "reported, not confirmed yet", MatchState.DISPUTED: "disputed, with the moderators"}

LIVE: frozenset[SeasonPhase] = frozenset({SeasonPhase.SIGNUP, SeasonPhase.RUNNING, SeasonPhase.FINALS})
"""A league has at most one season in these phases."""

PLAYING: frozenset[SeasonPhase] = frozenset({SeasonPhase.RUNNING, SeasonPhase.FINALS})
"""Rounds are paired and played in these phases."""

SEASON_MOVES: Mapping[SeasonPhase, frozenset[SeasonPhase]] = {
    SeasonPhase.UNPUBLISHED: frozenset({SeasonPhase.SIGNUP, SeasonPhase.CANCELLED}),
    SeasonPhase.SIGNUP: frozenset({SeasonPhase.RUNNING, SeasonPhase.CANCELLED}),
    SeasonPhase.RUNNING: frozenset({SeasonPhase.FINALS, SeasonPhase.FINISHED, SeasonPhase.CANCELLED}),
    SeasonPhase.FINALS: frozenset({SeasonPhase.FINISHED, SeasonPhase.CANCELLED, SeasonPhase.RUNNING}),
    SeasonPhase.FINISHED: frozenset({SeasonPhase.FINALS}),
    SeasonPhase.CANCELLED: frozenset(),
}
"""A bracket without a regular stage is in its finals with round 1; taking that round back leads out of them.

A season that is over is in its finals again where a corrected match of theirs has to be played again."""

ROUND_MOVES: Mapping[RoundPhase, frozenset[RoundPhase]] = {
    RoundPhase.DRAFT: frozenset({RoundPhase.OPEN}),
    RoundPhase.OPEN: frozenset({RoundPhase.CLOSED}),
    RoundPhase.CLOSED: frozenset({RoundPhase.OPEN}),
}
"""A closed round opens again if one of its results is taken back before the next one is paired."""

MATCH_MOVES: Mapping[MatchState, frozenset[MatchState]] = {
    MatchState.OPEN: frozenset({MatchState.REPORTED, MatchState.CONFIRMED}),
    MatchState.REPORTED: frozenset(MatchState),
    MatchState.DISPUTED: frozenset({MatchState.CONFIRMED, MatchState.OPEN}),
    MatchState.CONFIRMED: frozenset(MatchState),
}
"""A confirmed result changes only when a moderator corrects or clears it, or the player whose press made it count takes
that back; a loss a player reported themselves can still be disputed, by an opponent who says something else."""


Phase = TypeVar("Phase", SeasonPhase, RoundPhase, MatchState)

_LIVES: Mapping[Any, tuple[str, Mapping[Any, frozenset[Any]], str]] = {
    SeasonPhase: ("season", SEASON_MOVES, "/season status"),
    RoundPhase: ("round", ROUND_MOVES, "/season status"),
    MatchState: ("match", MATCH_MOVES, "/match"),
}


def require_move(old: Phase, new: Phase) -> None:
    """Raise WrongPhase unless a season, round or match can go from one phase to the other."""
    what, moves, command = _LIVES[type(old)]
    if new not in moves[old]:
        raise WrongPhase(f"A {what} that is {old} can't become {new}. {command} shows what can be done now.")
