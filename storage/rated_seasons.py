"""The seasons of a league as ratings see them: which matches are rated, in order, which ratings at a start count."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.league.counting.ratings import RatedSeason
from bot.league.season.model import Kind, Match, Name, Rating
from bot.league.season.scales import RatingScale
from storage import rules_season
from storage.database import Connection
from storage.query import many, records
from storage.rows import LeagueId, PlayerId, SeasonId, SeasonRow
from storage.tables.substitutions import sitting

_STARTS = (
    "SELECT s.id, t.player_id, t.mu, t.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " WHERE s.league_id = ?1 AND s.number < ?2"
    " UNION ALL SELECT s.id, x.player_id, x.mu, x.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " JOIN substitutes x ON x.entrant_id = t.id AND x.player_id <> t.player_id AND x.round ="
    " (SELECT min(round) FROM substitutes WHERE entrant_id = t.id AND player_id = x.player_id)"
    " WHERE s.league_id = ?1 AND s.number < ?2"
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
_ALL = EVERY_IMPORT = 1 << 62
_IMPORTS = (
    "SELECT s.id, s.number, s.started_at, s.newest_import, i.import_id FROM seasons s"
    " LEFT JOIN imported_seasons i ON i.season_id = s.id WHERE s.league_id = ? AND s.number < ?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that ratings rest on, as plain records: quickly read, and quickly sent to another process.

    Of `outdated` seasons the ratings noted at their start count no more; `names` are those the players have now.
    """

    seasons: tuple[tuple[SeasonId, int, RatingScale], ...]
    starts: tuple[tuple[Any, ...], ...]
    played: tuple[tuple[Any, ...], ...]
    outdated: frozenset[int]
    names: Mapping[int, Name]


def known(conn: Connection, league_id: LeagueId, *, before: int = _ALL, imports: int = EVERY_IMPORT) -> Known:
    """Return what the ratings of a league's seasons before a number, or of all of them, rest on.

    Imports after the one of the id `imports` are left out. A rating noted at a season's start counts no more once an
    earlier season was imported after that start, or someone who had played before turned out to be someone else.
    """
    sql = (
        "SELECT * FROM seasons s WHERE league_id = ? AND number < ?"
        " AND NOT EXISTS (SELECT 1 FROM imported_seasons WHERE season_id = s.id AND import_id > ?) ORDER BY number"
    )
    rows = many(conn, SeasonRow, sql, league_id, before, imports)
    return Known(
        seasons=tuple((row.id, row.number or 0, rules_season.settings_of(row).rating) for row in rows),
        starts=records(conn, _STARTS, league_id, before),
        played=records(conn, _PLAYED, league_id, before),
        outdated=frozenset(_outdated(conn, league_id, before, imports)),
        names=_names(conn, league_id),
    )


def of_league(
    conn: Connection, league_id: LeagueId, *, before: int = _ALL, imports: int = EVERY_IMPORT
) -> tuple[RatedSeason, ...]:
    """Return a league's seasons before a number, or all of them, with the names its players have now."""
    return in_order(known(conn, league_id, before=before, imports=imports))


def in_order(known: Known) -> tuple[RatedSeason, ...]:
    """Return the seasons as ratings see them."""
    names = known.names
    starts: dict[int, dict[Name, Rating | None]] = {season_id: {} for season_id, _, _ in known.seasons}
    for season_id, player, mu, sigma in known.starts:
        if season_id in starts:
            noted = None if mu is None or season_id in known.outdated else Rating(mu=mu, sigma=sigma)
            starts[season_id][names[player]] = noted
    played: dict[int, list[Match]] = {season_id: [] for season_id, _, _ in known.seasons}
    for season_id, first, second, kind, winner, upper_id in known.played:
        if season_id not in played:
            continue
        upper, lower = names[first], names[second]
        won = None if winner is None else upper if winner == upper_id else lower
        played[season_id].append(Match(upper=upper, lower=lower, kind=Kind(kind), winner=won))
    return tuple(
        RatedSeason(number=number, scale=scale, start=starts[season_id], matches=tuple(played[season_id]))
        for season_id, number, scale in known.seasons
    )


def _outdated(conn: Connection, league_id: LeagueId, before: int, imports: int) -> set[int]:
    """Return the seasons whose ratings at the start were worked out without what is known of earlier ones since."""
    there = records(conn, _IMPORTS, league_id, before)
    brought = [(number, by) for _, number, _, _, by in there if by is not None and by <= imports]
    merged = records(conn, "SELECT season, at FROM merges WHERE league_id = ? AND season IS NOT NULL", league_id)
    return {
        season
        for season, number, started, newest, by in there
        if by is None
        and (
            any(earlier < number and one > newest for earlier, one in brought)
            or any(earlier < number and (started or 0) <= at for earlier, at in merged)
        )
    }


def _names(conn: Connection, league_id: LeagueId) -> dict[int, Name]:
    sql = "SELECT id, name FROM players WHERE league_id = ?"
    return {player_id: Name(name) for player_id, name in conn.execute_fetchall(sql, (league_id,))}


def matches_of(conn: Connection, league_id: LeagueId) -> dict[PlayerId, int]:
    """Return how many rated matches each player has in a league."""
    return conn.once(("rated matches", league_id), lambda: dict(records(conn, _COUNTED, league_id, _ALL)))
