"""Rounds and matches as people are shown them: what they're called, who has to answer, and all it takes to show one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypedDict

from bot.league.bracket.match_names import in_sentence, with_article
from bot.league.formats import by_key
from bot.league.match_day.weighing import Said
from bot.league.season.choices import Pace
from bot.league.season.match_score import NO_NUMBERS, Result, Scoreline, result_words, score_words
from bot.league.season.model import Kind, Name, Stage
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.matches import round_byes
from bot.services.matches.round_groups import RoundGroup, groups_of
from storage import rules_season
from storage.database import Connection
from storage.rows import (
    DisputeRow,
    EntrantId,
    EntrantRow,
    LeagueRow,
    MatchId,
    MatchRow,
    ReportRow,
    RoundId,
    RoundRow,
    SeasonRow,
)
from storage.tables import matches, reports, rounds
from storage.tables.field import entrants
from storage.tables.matches import OpenMatter, WholeMatch
from storage.tables.problems import ProblemRow
from storage.tables.reports import Takeback


class Seen(TypedDict):
    """A match as a button showed it; services refuse it once its version is another."""

    match: MatchId
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A result: how it came about, its winner (None: a draw or double loss) and numbers, the upper player's first."""

    kind: Kind
    winner_id: EntrantId | None = None
    scoreline: Scoreline = NO_NUMBERS


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match with its players and what they reported.

    `draws` is whether it can be drawn, `scores` whether it has a score besides its games, `live` whether it is played
    by the round's clock, `deadline` its own or the round's, `takeback` the press that made it count, `problem` what
    a player says keeps it from being played.
    """

    match: MatchRow
    round: RoundRow
    season: SeasonRow
    league: LeagueRow
    upper: EntrantRow
    lower: EntrantRow
    best_of: int
    draws: bool
    scores: bool
    live: bool
    deadline: datetime | None
    reports: tuple[ReportRow, ...]
    dispute: DisputeRow | None
    takeback: Takeback | None
    problem: ProblemRow | None

    @property
    def code(self) -> str:
        """What people type for this match: `R3 M2`."""
        return f"R{self.round.number} M{self.match.position}"

    @property
    def seen(self) -> Seen:
        """The match with its version."""
        return Seen(match=self.match.id, version=self.match.version)

    @property
    def place(self) -> str:
        """Where in the season it is, within a sentence: `round 3`, `quarter-final 1`.

        Where all matches are open it's the group, or nothing where there is one: rounds tell apart only those of two
        who meet twice.
        """
        if self.round.together and rules_season.settings_of(self.season).meetings == 1:
            return self.match.tier
        return in_sentence(self.match.name) or self.round.words

    @property
    def in_season(self) -> str:
        """The season with the place in it: `season 2, round 3`."""
        return ", ".join(filter(None, (f"season {self.season.number}", self.place)))

    @property
    def label(self) -> str:
        """The match within a sentence: `dok v Xorlof (round 3)`, `dok v Xorlof (quarter-final 1)`."""
        return f"{self.pairing} ({self.place})" if self.place else self.pairing

    def against(self, side: EntrantRow) -> str:
        """Return the match in words to one of its players: `the final, against dok`, `your match with dok, group B`."""
        opponent = self.opponent_of(side).called
        if not self.round.together:
            return f"{with_article(self.place)}, against {opponent}"
        return ", ".join(filter(None, (f"your match with {opponent}", self.place)))

    @property
    def heading(self) -> str:
        """The match as a heading: `dok v Xorlof`, `Quarter-final 1: dok v Xorlof`."""
        return f"{self.match.name}: {self.pairing}" if self.match.name else self.pairing

    @property
    def pairing(self) -> str:
        """Who plays: `dok v Xorlof`."""
        return f"{self.upper.called} v {self.lower.called}"

    @property
    def sides(self) -> tuple[EntrantRow, EntrantRow]:
        """Both players, upper first."""
        return (self.upper, self.lower)

    @property
    def result(self) -> MatchResult:
        """Return the result as it is now; its kind is `open` while there is none."""
        row = self.match
        return MatchResult(kind=row.kind, winner_id=row.winner_id, scoreline=row.scoreline)

    @property
    def winner(self) -> str | None:
        """Return the winner's name, None while open and after a draw or double loss."""
        return next((side.called for side in self.sides if side.id == self.match.winner_id), None)

    @property
    def state_words(self) -> str:
        """Return the state or the result in plain words."""
        confirmed = self.match.state is MatchState.CONFIRMED
        return self.words(self.result) if confirmed else self.match.state.words

    @property
    def news(self) -> str:
        """Return the state with what was last reported, for someone who saw an older one."""
        waiting = self.reports and self.match.state is not MatchState.CONFIRMED
        return f"{self.state_words} ({self.said(self.reports[-1])})" if waiting else self.state_words

    @property
    def asked(self) -> EntrantRow:
        """Return who has to answer the last report, or had to."""
        return self.opponent_of(self.side(self.reports[-1].entrant_id)) if self.reports else self.lower

    @property
    def loser(self) -> EntrantRow | None:
        """Return who lost, None while open and after a draw or double loss."""
        return None if self.match.winner_id is None else self.opponent_of(self.side(self.match.winner_id))

    @property
    def stopped(self) -> bool:
        """Whether the season was cancelled before it had a result: only then is its round over without one."""
        return self.round.phase is RoundPhase.CLOSED and self.match.state is not MatchState.CONFIRMED

    def reported_result(self, report: ReportRow) -> MatchResult:
        """Return what a report says as a result of the match."""
        return self.as_result(self.side(report.entrant_id), report.said)

    def as_result(self, side: EntrantRow, result: Said) -> MatchResult:
        """Return what a player says as a result of the match."""
        winner = {Result.WON: side.id, Result.LOST: self.opponent_of(side).id}.get(result.result)
        scoreline = result.scoreline if side == self.upper else result.scoreline.flipped
        return MatchResult(kind=Kind.PLAYED, winner_id=winner, scoreline=scoreline)

    @property
    def awaited(self) -> tuple[EntrantRow, ...]:
        """Return the players who have to say something: both, the one a report waits for, or none."""
        waiting = {MatchState.OPEN: self.sides, MatchState.REPORTED: (self.asked,)}
        return waiting.get(self.match.state, ())

    @property
    def time_to_answer(self) -> timedelta:
        """Return how long a report waits for an answer, from the moment its question was sent."""
        return timedelta(hours=self.hours_to_answer)

    @property
    def hours_to_answer(self) -> int:
        """Return how many hours a player has to answer what they're asked about this match."""
        return rules_season.settings_of(self.season).confirm_hours

    def words(self, result: MatchResult) -> str:
        """Return a result of this match in plain words."""
        if result.winner_id is None:
            return result_words(result.kind, winner=None, scoreline=result.scoreline)
        winner = self.side(result.winner_id)
        scoreline = result.scoreline if winner == self.upper else result.scoreline.flipped
        return result_words(result.kind, winner=winner.called, scoreline=scoreline)

    def said(self, report: ReportRow) -> str:
        """Return a report in plain words, for example `dok reports: won 2-1`."""
        return f"{self.side(report.entrant_id).called} reports: {report.result}{score_words(*report.scoreline)}"

    def side(self, entrant_id: EntrantId) -> EntrantRow:
        """Return the player of this entry."""
        return self.upper if self.upper.id == entrant_id else self.lower

    def side_of(self, discord_id: int | None) -> EntrantRow | None:
        """Return the player with this Discord id, if they are in the match."""
        return next((side for side in self.sides if discord_id is not None and side.discord_id == discord_id), None)

    def opponent_of(self, side: EntrantRow) -> EntrantRow:
        """Return the other player."""
        return self.lower if side.id == self.upper.id else self.upper

    def report_of(self, side: EntrantRow) -> ReportRow | None:
        """Return what a player reported, if they did."""
        return next((report for report in self.reports if report.entrant_id == side.id), None)

    def said_by(self, side: EntrantRow) -> Said | None:
        """Return what a player says of the match, if they reported it."""
        report = self.report_of(side)
        return None if report is None else report.said

    def played_by(self, side: EntrantRow) -> Said | None:
        """Return what the result is to a player; None while there is none, and where the match wasn't played."""
        if self.match.kind not in (Kind.PLAYED, Kind.ADJUDICATED):
            return None
        winner, scoreline = self.match.winner_id, self.match.scoreline
        result = Result.DRAW if winner is None else Result.WON if winner == side.id else Result.LOST
        return Said(result, scoreline if side == self.upper else scoreline.flipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with all its matches, the players who have a bye, those who sit it out, and its groups if it has any."""

    round: RoundRow
    season: SeasonRow
    league: LeagueRow
    best_of: int
    matches: tuple[MatchView, ...]
    byes: tuple[EntrantRow, ...]
    sitting_out: tuple[EntrantRow, ...]
    groups: tuple[RoundGroup, ...] = ()

    @property
    def words(self) -> str:
        """What it is within a sentence: `round 3`, or `the regular rounds` where it shows several played at once."""
        several = any(match.match.round_id != self.round.id for match in self.matches)
        return self.round.stage_words if several else self.round.words

    def group_of(self, match: MatchView) -> RoundGroup | None:
        """Return the group a match is played in, if the round has groups."""
        return next((group for group in self.groups if match.upper.id in group.players), None)

    @property
    def missing(self) -> tuple[MatchView, ...]:
        """Return the matches without a confirmed result."""
        return tuple(match for match in self.matches if match.match.state is not MatchState.CONFIRMED)


def people_of(conn: Connection, season: SeasonRow) -> dict[EntrantId, EntrantRow]:
    """Return a season's entrants by id, with the people who sit in their seats now."""
    return {entrant.id: entrant for entrant in entrants.of_season(conn, season.id)}


def round_view(conn: Connection, round_id: RoundId, people: Mapping[EntrantId, EntrantRow] | None = None) -> RoundView:
    """Return a round with all its matches and byes; raises LookupError.

    `people` are the season's entrants where no seat ever had another person in it.
    """
    placed = rounds.placed(conn, round_id)
    if not placed:
        raise LookupError(f"there is no round {round_id}")
    row, season, league = placed[0].round, placed[0].season, placed[0].league
    if people is None:
        people = _people_in(conn, row)
    views = _views(conn, row, season, league, matches.whole_of_round(conn, row.id), people)
    return RoundView(
        round=row,
        season=season,
        league=league,
        best_of=max((view.best_of for view in views), default=rules_season.settings_of(season).best_of),
        matches=views,
        byes=round_byes.with_bye(conn, row, people),
        sitting_out=round_byes.sitting_out(conn, row, people),
        groups=groups_of(conn, season, row, people),
    )


def stage_view(conn: Connection, row: RoundRow) -> RoundView:
    """Return a round with the matches of all that are previewed, played or over together with it."""
    first, *others = (round_view(conn, other.id) for other in rounds.at_once(conn, row))
    if not others:
        return first
    numbers = [first.round.number, *(view.round.number for view in others)]
    every = numbers[-1] - numbers[0] == len(others)
    called = f"{numbers[0]} to {numbers[-1]}" if every else f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    named = replace(first.round, name=f"Rounds {called}")
    every = tuple(match for view in (first, *others) for match in view.matches)
    return replace(first, round=named, matches=every, groups=())


def match_view(conn: Connection, match_id: MatchId) -> MatchView:
    """Return a match with its players and what they reported; raises LookupError."""
    whole = matches.whole(conn, match_id)
    if not whole:
        raise LookupError(f"there is no match {match_id}")
    return _view(conn, whole[0])


def open_matches(conn: Connection, entrant_id: EntrantId) -> tuple[MatchView, ...]:
    """Return an entrant's published matches that have no confirmed result yet, in order of their rounds."""
    return tuple(_view(conn, whole) for whole in matches.whole_open(conn, entrant_id))


def _view(conn: Connection, whole: WholeMatch) -> MatchView:
    match, row = whole.match_row, whole.round
    people = (
        _people_in(conn, row)  # how long a final is depends on all who play in its round
        if row.stage is Stage.FINALS
        else {entrant.id: entrant for entrant in entrants.some_in_round(conn, match.players, row.number)}
    )
    return _views(conn, row, whole.season, whole.league, [whole], people)[0]


def _people_in(conn: Connection, row: RoundRow) -> dict[EntrantId, EntrantRow]:
    return {entrant.id: entrant for entrant in entrants.in_round(conn, row.season_id, row.number)}


def match_views(conn: Connection, pairs: Sequence[MatchRow]) -> tuple[MatchView, ...]:
    """Return the views of some matches, loading each of their rounds once."""
    loaded: dict[MatchId, MatchView] = {}
    for round_id in dict.fromkeys(match.round_id for match in pairs):
        view = round_view(conn, round_id)
        loaded.update({match.match.id: match for match in view.matches})
    return tuple(loaded[match.id] for match in pairs)


def by_ids(conn: Connection, ids: Sequence[int]) -> tuple[MatchView, ...]:
    """Return the views of matches in the order they are played."""
    return match_views(conn, sorted(matches.some(conn, ids), key=lambda row: (row.round_id, row.position)))


def _views(
    conn: Connection,
    row: RoundRow,
    season: SeasonRow,
    league: LeagueRow,
    pairs: Sequence[OpenMatter],
    people: Mapping[EntrantId, EntrantRow],
) -> tuple[MatchView, ...]:
    settings = rules_season.settings_of(season)
    most = _best_of_finals(conn, row, season, people) if row.stage is Stage.FINALS else {}
    reported: dict[MatchId, list[ReportRow]] = {}
    for report in reports.standing(conn, [pair.match_row.id for pair in pairs]):
        reported.setdefault(report.match_id, []).append(report)
    return tuple(
        MatchView(
            match=pair.match_row,
            round=row,
            season=season,
            league=league,
            upper=people[pair.match_row.upper_id],
            lower=people[pair.match_row.lower_id],
            best_of=most.get(pair.match_row.id, settings.best_of),
            draws=settings.draws and row.stage is Stage.REGULAR,
            scores=settings.scores,
            live=settings.pace is Pace.LIVE,
            deadline=pair.match_row.deadline or row.deadline,
            reports=tuple(reported.get(pair.match_row.id, ())),
            dispute=pair.dispute,
            takeback=pair.takeback,
            problem=pair.problem,
        )
        for pair in pairs
    )


def _best_of_finals(
    conn: Connection, row: RoundRow, season: SeasonRow, people: Mapping[EntrantId, EntrantRow]
) -> dict[MatchId, int]:
    """Return the most games each match of a round of the finals can have."""
    names = {player: Name(entrant.name) for player, entrant in people.items()}
    round_, rows = rules_season.one_round(conn, row.id, names), matches.of_round(conn, row.id)
    record = rules_season.load(conn, season.id)
    format_ = by_key(season.format)
    most = (format_.best_of(record, round_, match) for match in round_.matches)
    return {match.id: games for match, games in zip(rows, most, strict=True)}
