"""Leagues of guilds, what waits in them, and the guilds where the bot has said hello."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from storage.database import Connection
from storage.query import Change, Rows, Table, many, run
from storage.rows import LeagueId, LeagueRow

_LEAGUES: Table[LeagueRow, int] = Table(LeagueRow, "leagues")
add, change, get, find = _LEAGUES.add, _LEAGUES.change, _LEAGUES.get, _LEAGUES.find

of_guild = Rows[LeagueRow, int](LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id")
"""A guild's leagues, oldest first."""

everywhere = Rows[LeagueRow](LeagueRow, "SELECT * FROM leagues ORDER BY id")
"""All leagues, oldest first."""


def remove(conn: Connection, league_id: LeagueId) -> None:
    """Delete a league with everything that belongs to it."""
    seasons = "SELECT id FROM seasons WHERE league_id = ?"
    rounds = "SELECT r.id FROM seasons s JOIN rounds r ON r.season_id = s.id WHERE s.league_id = ?"
    matches = f"SELECT m.id FROM matches m WHERE m.round_id IN ({rounds})"
    entrants = "SELECT e.id FROM seasons s JOIN entrants e ON e.season_id = s.id WHERE s.league_id = ?"
    claims = f"SELECT id FROM claims WHERE match_id IN ({matches})"
    for sql in (
        "DELETE FROM outbox WHERE league_id = ?",
        "DELETE FROM audit WHERE league_id = ?",
        f"DELETE FROM screenshots WHERE claim_id IN ({claims})",
        f"DELETE FROM claims WHERE match_id IN ({matches})",
        f"DELETE FROM takebacks WHERE match_id IN ({matches})",
        f"DELETE FROM disputes WHERE match_id IN ({matches})",
        f"DELETE FROM reports WHERE match_id IN ({matches})",
        f"DELETE FROM time_proposals WHERE match_id IN ({matches})",
        f"DELETE FROM threads WHERE match_id IN ({matches})",
        f"DELETE FROM seats WHERE round_id IN ({rounds})",
        f"DELETE FROM matches WHERE round_id IN ({rounds})",
        f"DELETE FROM rounds WHERE season_id IN ({seasons})",
        f"DELETE FROM decisions WHERE season_id IN ({seasons})",
        f"DELETE FROM tie_reports WHERE tie_id IN (SELECT id FROM ties WHERE season_id IN ({seasons}))",
        f"DELETE FROM ties WHERE season_id IN ({seasons})",
        f"DELETE FROM rejoin_requests WHERE entrant_id IN ({entrants})",
        f"DELETE FROM departures WHERE entrant_id IN ({entrants})",
        f"DELETE FROM stays WHERE entrant_id IN ({entrants})",
        f"DELETE FROM sat_out WHERE entrant_id IN ({entrants})",
        f"DELETE FROM substitutes WHERE entrant_id IN ({entrants})",
        f"DELETE FROM finals_places WHERE entrant_id IN ({entrants})",
        "DELETE FROM waitlist WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        f"DELETE FROM lists WHERE entrant_id IN ({entrants})",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One thing that waits, since when."""

    kind: str
    id: int
    since: datetime


def waiting_in(conn: Connection, league_id: LeagueId, waits: Mapping[str, str]) -> tuple[Waiting, ...]:
    """Return everything that waits in a league, of the kinds that these queries find."""
    sql = f"SELECT kind, id, since FROM ({_all(waits)}) WHERE league_id = ? ORDER BY since, id"
    return many(conn, Waiting, sql, league_id)


def waiting_since(conn: Connection, waits: Mapping[str, str]) -> dict[LeagueId, datetime]:
    """Return the leagues in which something waits for moderators, with the moment the oldest of it began to wait."""
    sql = f"SELECT league_id, min(since) AS since FROM ({_all(waits)}) GROUP BY league_id"
    return {row[0]: datetime.fromtimestamp(row[1], UTC) for row in conn.execute_fetchall(sql)}


def _all(waits: Mapping[str, str]) -> str:
    return " UNION ALL ".join(f"SELECT '{kind}' AS kind, * FROM ({sql})" for kind, sql in waits.items())


def greet(conn: Connection, guild_id: int, *, joined_at: datetime, now: datetime) -> bool:
    """Note that the bot says hello in a server, unless it has since it joined; return whether it was noted."""
    sql = (
        "INSERT INTO guilds (guild_id, said_hello_at) VALUES (?1, max(?2, ?3))"  # the server's clock may be ahead
        " ON CONFLICT (guild_id) DO UPDATE SET said_hello_at = excluded.said_hello_at WHERE said_hello_at < ?2"
    )
    return run(conn, sql, guild_id, joined_at, now) > 0


forget_guild = Change[int]("DELETE FROM guilds WHERE guild_id = ?")
"""Forget a server the bot was removed from."""
