"""Leagues of guilds."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from storage.database import Connection
from storage.query import Table, many, run
from storage.rows import LeagueId, LeagueRow

_LEAGUES: Table[LeagueRow, int] = Table(LeagueRow, "leagues")
add, change, get, find = _LEAGUES.add, _LEAGUES.change, _LEAGUES.get, _LEAGUES.find


def of_guild(conn: Connection, guild_id: int) -> tuple[LeagueRow, ...]:
    """Return a guild's leagues, oldest first."""
    return many(conn, LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id", guild_id)


def everywhere(conn: Connection) -> tuple[LeagueRow, ...]:
    """Return all leagues, oldest first."""
    return many(conn, LeagueRow, "SELECT * FROM leagues ORDER BY id")


def remove(conn: Connection, league_id: LeagueId) -> None:
    """Delete a league with everything that belongs to it."""
    seasons = "SELECT id FROM seasons WHERE league_id = ?"
    rounds = "SELECT r.id FROM seasons s JOIN rounds r ON r.season_id = s.id WHERE s.league_id = ?"
    matches = f"SELECT m.id FROM matches m WHERE m.round_id IN ({rounds})"  # noqa: S608 (our own words)
    entrants = "SELECT e.id FROM seasons s JOIN entrants e ON e.season_id = s.id WHERE s.league_id = ?"
    claims = f"SELECT id FROM claims WHERE match_id IN ({matches})"  # noqa: S608
    for sql in (
        "DELETE FROM outbox WHERE league_id = ?",
        "DELETE FROM audit WHERE league_id = ?",
        f"DELETE FROM screenshots WHERE claim_id IN ({claims})",  # noqa: S608
        f"DELETE FROM claims WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM takebacks WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM disputes WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM reports WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM time_proposals WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM threads WHERE match_id IN ({matches})",  # noqa: S608
        f"DELETE FROM seats WHERE round_id IN ({rounds})",  # noqa: S608
        f"DELETE FROM matches WHERE round_id IN ({rounds})",  # noqa: S608
        f"DELETE FROM rounds WHERE season_id IN ({seasons})",  # noqa: S608
        f"DELETE FROM decisions WHERE season_id IN ({seasons})",  # noqa: S608
        f"DELETE FROM tie_reports WHERE tie_id IN (SELECT id FROM ties WHERE season_id IN ({seasons}))",  # noqa: S608
        f"DELETE FROM ties WHERE season_id IN ({seasons})",  # noqa: S608
        f"DELETE FROM rejoin_requests WHERE entrant_id IN ({entrants})",  # noqa: S608
        f"DELETE FROM departures WHERE entrant_id IN ({entrants})",  # noqa: S608
        f"DELETE FROM stays WHERE entrant_id IN ({entrants})",  # noqa: S608
        f"DELETE FROM sat_out WHERE entrant_id IN ({entrants})",  # noqa: S608
        f"DELETE FROM substitutes WHERE entrant_id IN ({entrants})",  # noqa: S608
        f"DELETE FROM finals_places WHERE entrant_id IN ({entrants})",  # noqa: S608
        "DELETE FROM waitlist WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        f"DELETE FROM lists WHERE entrant_id IN ({entrants})",  # noqa: S608
        "DELETE FROM list_sets WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        "DELETE FROM maps WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        "DELETE FROM entrants WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        "DELETE FROM seasons WHERE league_id = ?",
        "DELETE FROM past_meetings WHERE league_id = ?",
        "DELETE FROM memberships WHERE player_id IN (SELECT id FROM players WHERE league_id = ?)",
        "DELETE FROM links WHERE player_id IN (SELECT id FROM players WHERE league_id = ?)",
        "DELETE FROM player_names WHERE league_id = ?",
        "DELETE FROM notify WHERE player_id IN (SELECT id FROM players WHERE league_id = ?)",
        "DELETE FROM players WHERE league_id = ?",
        "DELETE FROM leagues WHERE id = ?",
    ):
        run(conn, sql, league_id)


class Waits(StrEnum):
    """What can wait for moderators or organisers; its id is that of a match, a post, a round or a question."""

    DISPUTE = "dispute"
    PROBLEM = "problem"
    REPORT = "report"
    OVERDUE = "overdue"
    REJOIN = "rejoin"
    STAY = "stay"
    TIE = "tie"
    ROUND = "round"
    MISSING_POST = "missing-post"
    LATE_POST = "late-post"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One thing that waits, since when."""

    kind: Waits
    id: int
    since: datetime


_WAITING = """
SELECT s.league_id, 'dispute' AS kind, m.id, d.at AS since
 FROM disputes d INDEXED BY one_open_dispute CROSS JOIN matches m ON m.id = d.match_id
 JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id
 WHERE d.settled_at IS NULL AND r.phase = 'open'
UNION ALL SELECT s.league_id, 'problem', m.id, c.handed_at FROM claims c INDEXED BY one_open_claim
 CROSS JOIN matches m ON m.id = c.match_id
 JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id
 WHERE c.ended_at IS NULL AND c.handed_at IS NOT NULL AND r.phase = 'open'
UNION ALL SELECT s.league_id, 'report', m.id, coalesce(m.confirm_at, (SELECT max(p.at) FROM reports p
 WHERE p.match_id = m.id)) FROM matches m INDEXED BY reports_to_confirm CROSS JOIN rounds r ON r.id = m.round_id
 JOIN seasons s ON s.id = r.season_id WHERE m.state = 'reported' AND r.phase = 'open'
UNION ALL SELECT s.league_id, 'overdue', m.id, m.overdue_at FROM matches m INDEXED BY overdue_matches
 CROSS JOIN rounds r ON r.id = m.round_id
 JOIN seasons s ON s.id = r.season_id WHERE r.phase = 'open' AND m.state = 'open' AND m.overdue_at IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.match_id = m.id AND c.ended_at IS NULL)
UNION ALL SELECT s.league_id, 'rejoin', q.id, q.asked_at FROM rejoin_requests q INDEXED BY one_request_at_a_time
 CROSS JOIN entrants e ON e.id = q.entrant_id
 JOIN seasons s ON s.id = e.season_id WHERE q.answered_at IS NULL AND s.phase IN ('running', 'finals')
UNION ALL SELECT s.league_id, 'stay', t.id, t.asked_at FROM stays t INDEXED BY one_stay_at_a_time
 CROSS JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id
 WHERE t.answered_at IS NULL AND s.phase IN ('signup', 'running', 'finals')
 AND NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)
UNION ALL SELECT s.league_id, 'tie', t.id, t.asked_at FROM ties t INDEXED BY one_question_a_tie
 CROSS JOIN seasons s ON s.id = t.season_id
 WHERE t.settled_at IS NULL AND s.phase IN ('running', 'finals')
UNION ALL SELECT s.league_id, 'round', r.id, coalesce((SELECT max(p.at) FROM matches m
 JOIN reports p ON p.match_id = m.id WHERE m.round_id = r.id), r.posted_at)
 FROM rounds r INDEXED BY open_rounds CROSS JOIN seasons s ON s.id = r.season_id
 WHERE r.phase = 'open' AND s.phase IN ('running', 'finals') AND s.settings ->> 'advance' = 'manual'
 AND s.paused_until IS NULL
 AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.round_id = r.id AND m.state <> 'confirmed')
UNION ALL SELECT league_id, 'missing-post', id, parked_at FROM outbox INDEXED BY outbox_parked WHERE state = 'parked'
UNION ALL SELECT league_id, 'late-post', id, created_at FROM outbox INDEXED BY outbox_missing
 WHERE state IN ('due', 'parked') AND problem IS NOT NULL AND state = 'due'
"""
"""The one list of what waits for moderators and organisers: inbox, daily reminder, help and status all count it.

A report waits for them only once it should have counted, or while its question can't be sent.
"""


def waiting_in(conn: Connection, league_id: LeagueId) -> tuple[Waiting, ...]:
    """Return everything that waits in a league."""
    sql = f"SELECT kind, id, since FROM ({_WAITING}) WHERE league_id = ? ORDER BY since, id"  # noqa: S608 (our own words)
    return many(conn, Waiting, sql, league_id)


def waiting_since(conn: Connection) -> dict[LeagueId, datetime]:
    """Return the leagues in which something waits for moderators, with the moment the oldest of it began to wait."""
    sql = f"SELECT league_id, min(since) AS since FROM ({_WAITING}) GROUP BY league_id"  # noqa: S608 (our own words)
    return {row[0]: datetime.fromtimestamp(row[1], UTC) for row in conn.execute_fetchall(sql)}
