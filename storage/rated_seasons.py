"""The seasons of a league as ratings see them: who started with what, and the rated matches in order."""

from bot.league.counting.ratings import RatedSeason
from bot.league.season.model import Kind, Match, Name, Rating
from storage import rules_season
from storage.database import Connection
from storage.query import many, records
from storage.rows import LeagueId, PlayerId, SeasonRow
from storage.tables.substitutions import sitting

_STARTS = (
    "SELECT s.id, p.name, t.mu, t.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " JOIN players p ON p.id = t.player_id WHERE s.league_id = ?1 AND s.number < ?2"
    " UNION ALL SELECT s.id, p.name, x.mu, x.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " JOIN substitutes x ON x.entrant_id = t.id AND x.player_id <> t.player_id AND x.round ="
    " (SELECT min(round) FROM substitutes WHERE entrant_id = t.id AND player_id = x.player_id)"
    " JOIN players p ON p.id = x.player_id WHERE s.league_id = ?1 AND s.number < ?2"
)
_RATED = (
    " FROM seasons s JOIN rounds r ON r.season_id = s.id JOIN matches m ON m.round_id = r.id"
    " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
    " WHERE s.league_id = ?1 AND s.number < ?2 AND r.phase <> 'draft' AND m.kind IN ('played', 'adjudicated')"
)
_PLAYED = (
    f"SELECT s.id, {sitting('u', 'r.number')}, {sitting('l', 'r.number')}, m.kind, m.winner_id, m.upper_id{_RATED}"
    " ORDER BY s.number, r.number, m.position"
)
_COUNTED = (
    "SELECT person, count(*) FROM ("
    f"SELECT {sitting('u', 'r.number')} AS person{_RATED} UNION ALL SELECT {sitting('l', 'r.number')}{_RATED}"
    ") GROUP BY person"
)
_ALL = 1 << 62


def of_league(conn: Connection, league_id: LeagueId, *, before: int = _ALL) -> tuple[RatedSeason, ...]:
    """Return a league's seasons before a number, or all of them, with the names its players have now."""
    sql = "SELECT * FROM seasons WHERE league_id = ? AND number < ? ORDER BY number"
    rows = many(conn, SeasonRow, sql, league_id, before)
    names = _names(conn, league_id)
    starts: dict[int, dict[Name, Rating | None]] = {row.id: {} for row in rows}
    for season_id, name, mu, sigma in conn.execute_fetchall(_STARTS, (league_id, before)):
        starts[season_id][name] = None if mu is None else Rating(mu=mu, sigma=sigma)
    played: dict[int, list[Match]] = {row.id: [] for row in rows}
    for season_id, first, second, kind, winner, upper_id in conn.execute_fetchall(_PLAYED, (league_id, before)):
        upper, lower = names[first], names[second]
        won = None if winner is None else upper if winner == upper_id else lower
        played[season_id].append(Match(upper=upper, lower=lower, kind=Kind(kind), winner=won))
    return tuple(
        RatedSeason(
            number=row.number or 0,
            scale=rules_season.settings_of(row).rating,
            start=starts[row.id],
            matches=tuple(played[row.id]),
        )
        for row in rows
    )


def _names(conn: Connection, league_id: LeagueId) -> dict[int, Name]:
    sql = "SELECT id, name FROM players WHERE league_id = ?"
    return {player_id: Name(name) for player_id, name in conn.execute_fetchall(sql, (league_id,))}


def matches_of(conn: Connection, league_id: LeagueId) -> dict[PlayerId, int]:
    """Return how many rated matches each player has in a league."""
    return dict(records(conn, _COUNTED, league_id, _ALL))
