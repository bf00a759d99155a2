"""Matches of rounds, seats and byes; when players are reminded (half time, a day before), and what is overdue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from bot.league.season.phases import MatchState
from storage.database import Connection
from storage.query import Change, Column, Joined, One, Rows, Table, Value, insert, insert_many, many, run, update
from storage.question_rows import QuestionRows
from storage.rows import (
    DisputeRow,
    EntrantId,
    LeagueId,
    LeagueRow,
    MatchId,
    MatchRow,
    PlayerId,
    RoundId,
    RoundRow,
    SeasonId,
    SeasonRow,
    SeatRow,
)
from storage.tables.field.substitutions import sitting
from storage.tables.problems import ProblemRow
from storage.tables.reports import Takeback


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatter:
    """A match with its open dispute, the press that made it count, and what keeps it from being played."""

    match_row: MatchRow
    dispute: DisputeRow | None
    takeback: Takeback | None
    problem: ProblemRow | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeMatch(OpenMatter):
    """The same with where the match is played."""

    round: RoundRow
    season: SeasonRow
    league: LeagueRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A match of two people that has a result: the number of its season and round, and who won, if anyone."""

    id: MatchId
    season: int
    round: int
    winner_id: PlayerId | None


_MATCHES: Table[MatchRow, MatchId] = Table(MatchRow, "matches")
get, find, some = _MATCHES.get, _MATCHES.find, _MATCHES.some
ASKED = QuestionRows(
    table="matches",
    until="confirm_at",
    waits="t.state = 'reported'",
    joined="JOIN rounds r ON r.id = t.round_id JOIN seasons s ON s.id = r.season_id",
    live="r.phase = 'open' AND +s.phase IN ('running', 'finals')",
)
"""The opponent is asked whether a report is right."""

_KEPT = ("id", "round_id", "version")
_IN_ROUNDS = "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id"
_IN_SEASONS = f"{_IN_ROUNDS} JOIN seasons s ON s.id = r.season_id"
_BEING_PLAYED = "r.phase = 'open' AND s.phase IN ('running', 'finals')"


def add(conn: Connection, **columns: Any) -> MatchRow:
    """Insert a match and its two seats; raises sqlite3.IntegrityError where a player already sits in the round."""
    match = _MATCHES.add(conn, **columns)
    for entrant_id in match.players:
        _sit(conn, match.round_id, entrant_id, match.id)
    return match


def add_round(
    conn: Connection, round_id: RoundId, *, pairs: Sequence[Mapping[str, Any]], byes: Sequence[Mapping[str, Any]]
) -> None:
    """Insert the matches of a new round in order, with their seats, and its byes; each with the same columns.

    Raises sqlite3.IntegrityError where a player has two seats.
    """
    numbered = [{"round_id": round_id, "position": position, **pair} for position, pair in enumerate(pairs, start=1)]
    insert_many(conn, "matches", numbered)
    run(conn, _SEATS_OF_ROUND, round_id)
    insert_many(conn, "seats", [{"round_id": round_id, **bye} for bye in byes])


_SEATS_OF_ROUND = (
    "INSERT INTO seats (round_id, entrant_id, match_id)"
    " SELECT round_id, CASE side WHEN 0 THEN upper_id ELSE lower_id END, id"
    " FROM matches, (SELECT 0 AS side UNION ALL SELECT 1) WHERE round_id = ?"
    " AND NOT EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id) ORDER BY position, side"
)

remove_bye = Change[RoundId, EntrantId]("DELETE FROM seats WHERE round_id = ? AND entrant_id = ? AND match_id IS NULL")
"""Delete a bye of a player who is to have a match."""


def _sit(conn: Connection, round_id: RoundId, entrant_id: EntrantId, match_id: MatchId | None) -> None:
    insert(conn, "seats", round_id=round_id, entrant_id=entrant_id, match_id=match_id)


def swap(conn: Connection, first: EntrantId, second: EntrantId, round_id: RoundId) -> None:
    """Swap two players' seats in a round, byes too; their matches must have no result yet."""
    taken = {seat.entrant_id: seat for seat in seats(conn, round_id)}
    run(conn, "DELETE FROM seats WHERE round_id = ? AND entrant_id IN (?, ?)", round_id, first, second)
    for old, new in ((first, second), (second, first)):
        seat = taken[old]
        _sit(conn, round_id, new, seat.match_id)
        if seat.match_id is not None and seat.match_id != taken[new].match_id:
            _replace(conn, get(conn, seat.match_id), old, new)


def _replace(conn: Connection, match: MatchRow, old: EntrantId, new: EntrantId) -> None:
    place = "upper_id" if match.upper_id == old else "lower_id"
    again: dict[str, Any] = {"why": (), "in_short": (), "dice_off_id": None, "dice_off_why": (), "dice_off_draws": ()}
    update(conn, "matches", match.id, **{place: new}, **again, version=match.version + 1)


def save(conn: Connection, match: MatchRow) -> MatchRow:
    """Write a changed match back whole, with its version one higher; without a result it was played on no day."""
    columns = {f.name: getattr(match, f.name) for f in fields(match) if f.name not in _KEPT}
    if match.state is not MatchState.CONFIRMED:
        columns["played_on"] = None
    return _MATCHES.change(conn, match.id, **columns, version=match.version + 1)


def change(conn: Connection, match_id: MatchId, **columns: Any) -> None:
    """Change a match's times or what people call it; its version stays, as its buttons mean the same as before."""
    update(conn, "matches", match_id, **columns)


forget_overdue = Change[RoundId, datetime](
    "UPDATE matches SET overdue_at = NULL, deadline = CASE WHEN deadline > ?2 THEN deadline END"
    " WHERE round_id = ?1 AND state <> 'confirmed'"
)
"""Let a round's new deadline count for its matches, except those with a later one of their own."""

move_deadlines = Change[RoundId, datetime, int](
    "UPDATE matches SET deadline = deadline + ?3 WHERE round_id = ?1 AND deadline > ?2 AND state <> 'confirmed'"
)
"""Move the deadlines that matches of a round have of their own, if they lie after a moment."""

_WITH_MATTERS = (
    "FROM matches match_row"
    " LEFT JOIN disputes dispute ON dispute.match_id = match_row.id AND dispute.settled_at IS NULL"
    " LEFT JOIN takebacks takeback ON takeback.match_id = match_row.id"
    " LEFT JOIN problems problem ON problem.match_id = match_row.id AND problem.ended_at IS NULL"
)

whole_of_round = Joined[OpenMatter, RoundId](
    OpenMatter, f"{_WITH_MATTERS} WHERE match_row.round_id = ? ORDER BY match_row.position"
)
"""A round's matches in order, with what is open about each."""

_WHOLE = (
    f"{_WITH_MATTERS} JOIN rounds round ON round.id = match_row.round_id"
    " JOIN seasons season ON season.id = round.season_id JOIN leagues league ON league.id = season.league_id"
)

whole = Joined[WholeMatch, MatchId](WholeMatch, f"{_WHOLE} WHERE match_row.id = ?")
"""The match of an id with what is open about it and where it's played; nothing where there is none."""

whole_open = Joined[WholeMatch, EntrantId](
    WholeMatch,
    f"{_WHOLE} WHERE (match_row.upper_id = ?1 OR match_row.lower_id = ?1) AND match_row.state <> 'confirmed'"
    " AND round.phase = 'open' ORDER BY round.number",
)
"""An entrant's published matches that have no confirmed result yet, in the same way, in order."""

of_round = Rows[MatchRow, RoundId](MatchRow, "SELECT * FROM matches WHERE round_id = ? ORDER BY position")
"""A round's matches in order."""

of_season = Rows[MatchRow, SeasonId](
    MatchRow, f"{_IN_ROUNDS} WHERE r.season_id = ? AND r.phase <> 'draft' ORDER BY r.number, m.position"
)
"""A season's published matches, in order of round and of match."""

with_own_times = Rows[MatchRow, SeasonId](
    MatchRow,
    f"{_IN_ROUNDS} WHERE r.season_id = ? AND r.phase <> 'draft'"
    " AND (m.agreed_at IS NOT NULL OR m.deadline IS NOT NULL) ORDER BY r.number, m.position",
)
"""The published matches of a season that are to be played at an agreed time, or have a deadline of their own."""

of_player_in = Rows[MatchRow, SeasonId, PlayerId](
    MatchRow,
    "SELECT m.* FROM entrants e JOIN seats t ON t.entrant_id = e.id JOIN rounds r ON r.id = t.round_id"
    " JOIN matches m ON m.id = t.match_id WHERE e.id IN (SELECT id FROM entrants WHERE player_id = ?2"
    " UNION SELECT entrant_id FROM substitutes WHERE player_id = ?2)"
    f" AND +e.season_id = ?1 AND r.phase <> 'draft' AND {sitting('e', 'r.number')} = ?2 ORDER BY r.number",
)
"""The published matches of a season in which a player sits, in order."""

in_round = One[MatchRow, RoundId, EntrantId](
    MatchRow, "SELECT m.* FROM seats s JOIN matches m ON m.id = s.match_id WHERE s.round_id = ? AND s.entrant_id = ?"
)
"""An entrant's match in a round, or None."""

open_of = Rows[MatchRow, EntrantId](
    MatchRow,
    f"{_IN_ROUNDS} WHERE (m.upper_id = ?1 OR m.lower_id = ?1) AND m.state <> 'confirmed' AND r.phase = 'open'"
    " ORDER BY r.number",
)
"""An entrant's published matches that have no confirmed result yet, in order; several where rounds are together."""

count_left = Value[int, SeasonId, Sequence[EntrantId]](
    "SELECT count(*) FROM rounds r JOIN matches m ON m.round_id = r.id WHERE r.season_id = ? AND r.phase = 'open'"
    " AND m.state <> 'confirmed' AND m.upper_id IN (SELECT value FROM json_each(?))"
)
"""How many matches of some players, as the upper ones, have no confirmed result in the rounds being played."""

in_open_rounds = Rows[MatchRow, SeasonId, EntrantId](
    MatchRow,
    "SELECT m.* FROM rounds r JOIN seats s ON s.round_id = r.id AND s.entrant_id = ?2"
    " JOIN matches m ON m.id = s.match_id WHERE r.season_id = ?1 AND r.phase = 'open' ORDER BY r.number",
)
"""An entrant's matches in the rounds that are being played, with a result or without, in order."""

between = Rows[Meeting, PlayerId, PlayerId](
    Meeting,
    "SELECT DISTINCT m.id, s.number AS season, r.number AS round,"
    f" CASE m.winner_id WHEN u.id THEN {sitting('u', 'r.number')} WHEN l.id THEN {sitting('l', 'r.number')} END"
    " AS winner_id FROM entrants own JOIN matches m ON m.upper_id = own.id OR m.lower_id = own.id"
    " JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
    " WHERE own.id IN (SELECT id FROM entrants WHERE player_id = ?1"
    " UNION SELECT entrant_id FROM substitutes WHERE player_id = ?1) AND m.state = 'confirmed'"
    f" AND {sitting('u', 'r.number')} IN (?1, ?2) AND {sitting('l', 'r.number')} IN (?1, ?2)"
    " ORDER BY s.number, r.number",
)
"""The matches two players of a league had in all its seasons, those with a result, in order."""

finals = Rows[MatchRow, LeagueId, str](
    MatchRow,
    "SELECT m.* FROM seasons s JOIN rounds r ON r.season_id = s.id"
    " AND r.number = (SELECT max(number) FROM rounds WHERE season_id = s.id AND phase <> 'draft')"
    " JOIN matches m ON m.round_id = r.id"
    " WHERE s.league_id = ? AND s.phase = 'finished' AND r.stage = 'finals' AND m.name = ?",
)
"""The match of this name in the last round of each season of a league that was played to its end, in the finals."""

count_confirmed = Value[int, SeasonId](
    "SELECT count(*) FROM rounds r JOIN matches m ON m.round_id = r.id WHERE r.season_id = ? AND m.state = 'confirmed'"
)
"""How many matches of a season have a result."""

count_unfinished = Value[int, RoundId]("SELECT count(*) FROM matches WHERE round_id = ? AND state <> 'confirmed'")
"""How many matches of a round have no confirmed result."""


def count_missing(conn: Connection, row: RoundRow) -> int:
    """Return how many matches of a round, and of those open together with it, have no confirmed result."""
    return _MISSING(conn, row.season_id) if row.together else count_unfinished(conn, row.id)


_MISSING = Value[int, SeasonId](
    "SELECT count(*) FROM rounds r JOIN matches m ON m.round_id = r.id"
    " WHERE r.season_id = ? AND r.phase = 'open' AND m.state <> 'confirmed'"
)

unconfirmed_of_league = Rows[MatchRow, LeagueId](
    MatchRow,
    f"{_IN_SEASONS} WHERE s.league_id = ? AND {_BEING_PLAYED} AND m.state <> 'confirmed' ORDER BY r.number, m.position",
)
"""A league's published matches without a confirmed result, in order."""

questions_due = Column[MatchId, datetime](
    "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id WHERE m.ask_again_at <= ? AND r.phase = 'open'"
    " ORDER BY m.ask_again_at, m.id"
)
"""The reported matches whose question is to be asked again, the longest waiting first."""

_NEAR_HALF = (
    "IN (SELECT id FROM rounds WHERE phase = 'open' AND (posted_at + paused + deadline) / 2 <= ?1"
    " UNION ALL SELECT round_id FROM matches WHERE deadline IS NOT NULL AND state <> 'confirmed')"
)
"""The rounds with matches that may be past their half."""


def reminders_due(conn: Connection, now: datetime, *, round_id: RoundId | None = None) -> tuple[MatchRow, ...]:
    """Return the matches, perhaps of one round, whose players are reminded now: at half time and a day before the end.

    Where less than 12 hours lie between the two it's once, at the later one. Live rounds have a clock that warns, and
    no one is reminded in a pause, or once there's a result.
    """
    among = _NEAR_HALF if round_id is None else "= ?2"
    near = (
        " AND r.id {among} AND s.paused_until IS NULL AND r.clock_started_at IS NULL"
        " AND m.state IN ('open', 'reported') AND {end} > ?1"
        " AND ({last} <= ?1 AND coalesce(m.reminded_at, 0) < {last}"
        " OR {half} <= ?1 AND {last} - {half} >= 43200 AND m.reminded_at IS NULL) ORDER BY r.id, m.position"
    )
    end = "coalesce(m.deadline, r.deadline)"
    half = f"(r.posted_at + r.paused + {end}) / 2"
    sql = near.format(among=among, end=end, half=half, last=f"max({half}, {end} - 86400)")
    return many(conn, MatchRow, f"{_IN_SEASONS} WHERE {_BEING_PLAYED}{sql}", now, *filter(None, [round_id]))


def rounds_to_remind(conn: Connection, now: datetime) -> tuple[RoundId, ...]:
    """Return the rounds with matches whose players are reminded now, for the clock."""
    return tuple(dict.fromkeys(match.round_id for match in reminders_due(conn, now)))


overdue = Rows[MatchRow, RoundId, datetime](
    MatchRow,
    f"{_IN_SEASONS} WHERE r.id = ? AND {_BEING_PLAYED} AND m.state = 'open' AND m.overdue_at IS NULL"
    " AND coalesce(m.deadline, r.deadline) <= ? AND s.paused_until IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL) ORDER BY m.position",
)
"""The matches of a round nobody reported by their deadline and no organiser was told about yet.

One with an open problem isn't among them: the moderators decide about that. Nor is any while the season is paused.
"""

seats = Rows[SeatRow, RoundId](SeatRow, "SELECT * FROM seats WHERE round_id = ? ORDER BY rowid")
"""A round's seats."""

with_several_open = Column[EntrantId, Sequence[EntrantId]](
    "SELECT s.entrant_id FROM seats s CROSS JOIN rounds r ON r.id = s.round_id"
    " CROSS JOIN matches m ON m.id = s.match_id"
    " WHERE s.entrant_id IN (SELECT value FROM json_each(?)) AND r.phase = 'open' AND m.state = 'open'"
    " GROUP BY s.entrant_id HAVING count(*) > 1"
)
"""Those of some players who have several matches that no one has reported."""

byes = Rows[SeatRow, RoundId](SeatRow, "SELECT * FROM seats WHERE round_id = ? AND match_id IS NULL ORDER BY rowid")
"""A round's byes, in the order they were given."""

STUCK_REPORTS = (
    "SELECT s.league_id, m.id, coalesce(m.confirm_at, (SELECT max(p.at) FROM reports p WHERE p.match_id = m.id))"
    " AS since FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE m.state = 'reported' AND m.ask_again_at IS NULL"
    " AND r.phase = 'open' AND s.phase IN ('signup', 'running', 'finals')"
)
"""The matches whose report no one has answered though they were asked twice, with their league.

It waits for moderators only once it should have counted, or while its question can't be sent.
"""
young_reports = Value[int, LeagueId](
    "SELECT count(*) FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE s.league_id = ? AND m.state = 'reported' AND m.ask_again_at IS NOT NULL AND r.phase = 'open'",
)
"""How many reports of a league wait for opponents who weren't asked again yet."""
OVERDUE = (
    "SELECT s.league_id, m.id, m.overdue_at AS since FROM matches m"
    " JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE r.phase = 'open' AND s.phase IN ('signup', 'running', 'finals')"
    " AND m.state = 'open' AND m.overdue_at IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL)"
)
"""The matches no one reported in time, with their league and since when moderators know."""
