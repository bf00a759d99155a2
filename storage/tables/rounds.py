"""Rounds of seasons: which are overdue, have all results or wait for organisers, and their maps or scenarios."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.season.phases import RoundPhase
from storage.database import Connection
from storage.query import Change, Column, Joined, One, Rows, Table, insert, run
from storage.rows import LeagueRow, RoundId, RoundRow, SeasonId, SeasonRow

_ROUNDS: Table[RoundRow, RoundId] = Table(RoundRow, "rounds")
add, change, get, find, some = _ROUNDS.add, _ROUNDS.change, _ROUNDS.get, _ROUNDS.find, _ROUNDS.some


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRound:
    """A round with its season and league."""

    round: RoundRow
    season: SeasonRow
    league: LeagueRow


placed = Joined[PlacedRound, RoundId](
    PlacedRound,
    "FROM rounds round JOIN seasons season ON season.id = round.season_id"
    " JOIN leagues league ON league.id = season.league_id WHERE round.id = ?",
)
"""The round of an id where it's played; nothing where there is none."""

_BEING_PLAYED = (
    "SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id"
    " WHERE r.phase = 'open' AND s.phase IN ('running', 'finals')"
)


def remove(conn: Connection, round_id: RoundId) -> None:
    """Delete a round with its matches and seats; what others hold of a posted one is let go of before."""
    run(conn, "DELETE FROM seats WHERE round_id = ?", round_id)
    run(conn, "DELETE FROM matches WHERE round_id = ?", round_id)
    run(conn, "DELETE FROM rounds WHERE id = ?", round_id)


by_number = One[RoundRow, SeasonId, int](RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND number = ?")
"""A season's round of this number, or None."""

of_season = Rows[RoundRow, SeasonId](RoundRow, "SELECT * FROM rounds WHERE season_id = ? ORDER BY number")
"""A season's rounds in order, drafts too."""

published = Rows[RoundRow, SeasonId](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND phase <> 'draft' ORDER BY number"
)
"""A season's published rounds in order."""

latest = One[RoundRow, SeasonId](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND phase <> 'draft' ORDER BY number DESC LIMIT 1"
)
"""A season's last published round, or None."""

open_rounds = Rows[RoundRow, SeasonId](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND phase = 'open' ORDER BY number"
)
"""A season's rounds that are being played, in order: one at most, unless they're together."""

going_on = One[RoundRow, SeasonId](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND phase IN ('draft', 'open') ORDER BY number LIMIT 1"
)
"""A season's preview or open round, or None between rounds; the first of those that are together."""

draft = One[RoundRow, SeasonId](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND phase = 'draft' ORDER BY number LIMIT 1"
)
"""A season's draft, or None; the first of those that are together."""

_TOGETHER = Rows[RoundRow, SeasonId, RoundPhase](
    RoundRow, "SELECT * FROM rounds WHERE season_id = ? AND together = 1 AND phase = ? ORDER BY number"
)


PLAYED_AT_ONCE = (
    "(SELECT other.id FROM rounds r JOIN rounds other ON other.season_id = r.season_id"
    " AND (other.id = r.id OR other.together AND r.together) WHERE r.id = :round)"
)
"""The ids of a round and of those played at once with it."""


def at_once(conn: Connection, row: RoundRow) -> tuple[RoundRow, ...]:
    """Return a round with those that are previewed, played or over together with it, in order."""
    return _TOGETHER(conn, row.season_id, row.phase) if row.together else (row,)


move_deadline = Change[RoundId, datetime, int](
    "UPDATE rounds SET deadline = deadline + ?3, paused = max(0, paused + ?3)"
    " WHERE id = ?1 AND deadline > ?2 AND clock_started_at IS NULL"
)
"""Move a round's deadline for a pause if it lies after a moment; a clock goes on."""

overdue = Column[RoundId, datetime](
    f"{_BEING_PLAYED} AND s.paused_until IS NULL"
    " AND r.id IN (SELECT id FROM rounds WHERE phase = 'open' AND deadline <= ?1 UNION"
    " SELECT round_id FROM matches WHERE deadline IS NOT NULL AND state <> 'confirmed' AND deadline <= ?1)"
    " AND EXISTS (SELECT 1 FROM matches m WHERE m.round_id = r.id AND m.state = 'open'"
    " AND m.overdue_at IS NULL AND coalesce(m.deadline, r.deadline) <= ?1"
    " AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL)) ORDER BY r.id"
)
"""The rounds being played that have matches overdue that no organiser was told about, and no problem.

None of a season that is paused.
"""

played_out = Column[RoundId, datetime](
    f"{_BEING_PLAYED} AND r.posted_at <= ?"
    " AND NOT EXISTS (SELECT 1 FROM rounds o JOIN matches m ON m.round_id = o.id"
    " WHERE o.season_id = r.season_id AND o.phase = 'open' AND m.state <> 'confirmed') ORDER BY r.id"
)
"""The rounds posted by now with a confirmed result of every match in them and those open at once, being played."""

BY_HAND = (
    "SELECT s.league_id, r.id, coalesce((SELECT max(p.at) FROM matches m JOIN reports p ON p.match_id = m.id"
    " WHERE m.round_id = r.id), r.posted_at) AS since"
    " FROM rounds r JOIN seasons s ON s.id = r.season_id"
    " WHERE r.phase = 'open' AND s.phase IN ('running', 'finals') AND s.settings ->> 'advance' = 'manual'"
    " AND s.paused_until IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM rounds o WHERE o.season_id = r.season_id AND o.phase = 'open'"
    " AND (o.number < r.number OR EXISTS (SELECT 1 FROM matches m WHERE m.round_id = o.id AND m.state <> 'confirmed')))"
)
"""The rounds with all results that organisers end by hand, with their league and since when.

Of those that are open together it's the first.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRow:
    """A map of a round; `place` is the round's number, or the name of one of the finals in small letters."""

    place: str
    name: str
    note: str = ""
    link: str = ""


maps_of = Rows[MapRow, SeasonId](MapRow, "SELECT place, name, note, link FROM maps WHERE season_id = ? ORDER BY id")
"""A season's maps in the order they were given."""


def set_maps(conn: Connection, season_id: SeasonId, maps: Sequence[MapRow]) -> None:
    """Give a season these maps in place of those it has."""
    run(conn, "DELETE FROM maps WHERE season_id = ?", season_id)
    for row in maps:
        insert(conn, "maps", season_id=season_id, place=row.place, name=row.name, note=row.note, link=row.link)
