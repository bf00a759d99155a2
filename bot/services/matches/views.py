"""What people are shown of rounds and matches: everything it takes to render one, in one piece."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from bot.league.match_score import Games, Result, flipped, result_words, score_words
from bot.league.model import Kind, Stage
from bot.league.phases import MatchState, RoundPhase
from storage.rows import EntrantId, LeagueRow, MatchId, MatchRow, RoundRow, SeasonId, SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One player of a match; `active` is whether they are still in the season."""

    entrant_id: EntrantId
    name: str
    discord_id: int | None
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """What one player reported of their match; `games` are their own first."""

    side: SideView
    result: Result
    games: Games | None
    at: datetime

    @property
    def words(self) -> str:
        """Return the report in plain words, for example `dok reports: won 2-1`."""
        return f"{self.side.name} reports: {self.result}{score_words(self.games)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeView:
    """Why moderators have to decide a match; `by` is the player who disputes, None where a moderator did."""

    by: str | None
    reason: str
    at: datetime


class Seen(TypedDict):
    """A match as a button showed it; services refuse it once its version is another."""

    match: MatchId
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A result: how it came about, its winner (None: a draw or double loss) and games, the upper player's first."""

    kind: Kind
    winner_id: EntrantId | None = None
    games: Games | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match with its players, deadline and what was reported; `label` is `R3 M2 dok v Xorlof`, `code` `R3 M2`.

    `draws` is whether it can be drawn, `deadline` its own or the round's.
    """

    match: MatchRow
    league: LeagueRow
    season_id: SeasonId
    season_number: int
    upper: SideView
    lower: SideView
    round_number: int
    round_phase: RoundPhase
    stage: Stage
    best_of: int
    draws: bool
    deadline: datetime | None
    reports: tuple[ReportView, ...]
    dispute: DisputeView | None

    @property
    def code(self) -> str:
        """Return the short reference people can type."""
        return f"R{self.round_number} M{self.match.position}"

    @property
    def label(self) -> str:
        """Return the reference with both names."""
        return f"{self.code} {self.upper.name} v {self.lower.name}"

    @property
    def sides(self) -> tuple[SideView, SideView]:
        """Both players, upper first."""
        return (self.upper, self.lower)

    @property
    def result(self) -> MatchResult:
        """Return the result as it is now; its kind is `open` while there is none."""
        row = self.match
        games = None if row.upper_games is None or row.lower_games is None else (row.upper_games, row.lower_games)
        return MatchResult(kind=row.kind, winner_id=row.winner_id, games=games)

    @property
    def winner(self) -> str | None:
        """Return the winner's name, None while open and after a draw or double loss."""
        return next((side.name for side in self.sides if side.entrant_id == self.match.winner_id), None)

    @property
    def state_words(self) -> str:
        """Return the state or the result in plain words."""
        confirmed = self.match.state is MatchState.CONFIRMED
        return self.words(self.result) if confirmed else self.match.state.words

    @property
    def news(self) -> str:
        """Return the state with what was last reported, for someone who saw an older one."""
        said = "" if self.match.state is MatchState.CONFIRMED or not self.reports else f" ({self.reports[-1].words})"
        return f"{self.state_words}{said}"

    def words(self, result: MatchResult) -> str:
        """Return a result of this match in plain words."""
        if result.winner_id is None:
            return result_words(result.kind, winner=None, loser=None, games=result.games)
        winner = self.side(result.winner_id)
        games = result.games if winner == self.upper else flipped(result.games)
        return result_words(result.kind, winner=winner.name, loser=self.opponent_of(winner).name, games=games)

    def side(self, entrant_id: EntrantId) -> SideView:
        """Return the player of this entry."""
        return self.upper if self.upper.entrant_id == entrant_id else self.lower

    def side_of(self, discord_id: int | None) -> SideView | None:
        """Return the player with this Discord id, if they are in the match."""
        if discord_id is None:
            return None
        return next((side for side in self.sides if side.discord_id == discord_id), None)

    def opponent_of(self, side: SideView) -> SideView:
        """Return the other player."""
        return self.lower if side.entrant_id == self.upper.entrant_id else self.upper

    def report_of(self, side: SideView) -> ReportView | None:
        """Return what a player reported, if they did."""
        return next((said for said in self.reports if said.side.entrant_id == side.entrant_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """A player with a bye, and why."""

    entrant_id: EntrantId
    name: str
    discord_id: int | None
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with all its matches and byes."""

    round: RoundRow
    season: SeasonRow
    league: LeagueRow
    best_of: int
    matches: tuple[MatchView, ...]
    byes: tuple[ByeView, ...]

    @property
    def missing(self) -> tuple[MatchView, ...]:
        """Return the matches without a confirmed result."""
        return tuple(match for match in self.matches if match.match.state is not MatchState.CONFIRMED)
