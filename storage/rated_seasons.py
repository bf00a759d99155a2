"""The seasons of a league as ratings see them: which matches are rated, in order, which ratings at a start count."""

from bot.league.counting.ratings import RatedMatch, RatedSeason
from bot.league.season.model import Rating
from storage import rules_season
from storage.database import Connection
from storage.query import Value, column, many, records, value
from storage.rows import LeagueId, PlayerId, SeasonId, SeasonRow
from storage.tables.field.substitutions import sitting

_STARTS = (
    "SELECT s.id, t.player_id, t.mu, t.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " WHERE s.league_id = ?1 AND s.number >= ?2 AND s.number < ?3"
    " UNION ALL SELECT s.id, x.player_id, x.mu, x.sigma FROM seasons s JOIN entrants t ON t.season_id = s.id"
    " JOIN substitutes x ON x.entrant_id = t.id AND x.player_id <> t.player_id AND x.round ="
    " (SELECT min(round) FROM substitutes WHERE entrant_id = t.id AND player_id = x.player_id)"
    " WHERE s.league_id = ?1 AND s.number >= ?2 AND s.number < ?3"
)
_RATED = (
    " FROM seasons s JOIN rounds r ON r.season_id = s.id JOIN matches m ON m.round_id = r.id"
    " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
    " WHERE s.league_id = ?1 AND s.number >= ?2 AND s.number < ?3 AND r.phase <> 'draft'"
    " AND m.kind IN ('played', 'adjudicated')"
)
_PLAYED = (
    f"SELECT s.id, {sitting('u', 'r.number')}, {sitting('l', 'r.number')}, m.winner_id, m.upper_id{_RATED}"
    " ORDER BY s.number, r.number, m.position"
)
_COUNTED = (
    "SELECT person, count(*) FROM ("
    f"SELECT {sitting('u', 'r.number')} AS person{_RATED} UNION ALL SELECT {sitting('l', 'r.number')}{_RATED}"
    ") GROUP BY person"
)
EVERY_SEASON = EVERY_IMPORT = 1 << 62
_SEASONS = "SELECT * FROM seasons s WHERE league_id = ? AND number >= ? AND number < ? ORDER BY number"
_LATER_IMPORTS = (
    "SELECT s.id FROM seasons s JOIN imported_seasons i ON i.season_id = s.id WHERE s.league_id = ? AND i.import_id > ?"
)
_IMPORTS = (
    "SELECT s.id, s.number, s.started_at, s.newest_import, i.import_id, ifnull(i.ratings, 'noted') FROM seasons s"
    " LEFT JOIN imported_seasons i ON i.season_id = s.id WHERE s.league_id = ? AND s.number < ?"
)


def of_league(
    conn: Connection, league_id: LeagueId, *, since: int = 0, before: int = EVERY_SEASON, imports: int = EVERY_IMPORT
) -> tuple[RatedSeason[PlayerId], ...]:
    """Return a league's seasons from one number to before another, or all of them.

    Nothing is in those that came with imports after the one of the id `imports`. A rating noted at a season's start
    counts no more once an earlier season was imported after that start, or someone who had played before turned out to
    be someone else.
    """
    rows = many(conn, SeasonRow, _SEASONS, league_id, since, before)
    left_out = {*column(conn, _LATER_IMPORTS, league_id, imports)} if imports != EVERY_IMPORT else set[SeasonId]()
    starts = starts_of(conn, league_id, since=since, before=before, imports=imports)
    played: dict[SeasonId, list[RatedMatch[PlayerId]]] = {row.id: [] for row in rows}
    for season_id, upper, lower, winner, upper_id in records(conn, _PLAYED, league_id, since, before):
        played[season_id].append((upper, lower, None if winner is None else upper if winner == upper_id else lower))
    return tuple(
        RatedSeason(
            number=row.number or 0,
            scale=rules_season.settings_of(row).rating,
            start={} if row.id in left_out else starts.get(row.id, {}),
            matches=() if row.id in left_out else tuple(played[row.id]),
        )
        for row in rows
    )


def starts_of(
    conn: Connection, league_id: LeagueId, *, since: int = 0, before: int = EVERY_SEASON, imports: int = EVERY_IMPORT
) -> dict[SeasonId, dict[PlayerId, Rating | None]]:
    """Return the ratings at the start of seasons that count, as `of_league` has them; None for what people bring."""
    outdated = outdated_starts(conn, league_id, before=before, imports=imports)
    starts: dict[SeasonId, dict[PlayerId, Rating | None]] = {}
    for season_id, player, mu, sigma in records(conn, _STARTS, league_id, since, before):
        noted = None if mu is None or season_id in outdated else Rating(mu=mu, sigma=sigma)
        starts.setdefault(season_id, {})[player] = noted
    return starts


def last_that_counts(conn: Connection, season: SeasonRow) -> int:
    """Return the id of the last import whose seasons count for one that started; EVERY_IMPORT where none came later."""
    if season.started_at is None:
        return EVERY_IMPORT
    later = value(conn, _LATER_IMPORTS, season.league_id, season.newest_import)
    return EVERY_IMPORT if later is None else season.newest_import


how_many = Value[int, LeagueId, int, int](f"SELECT count(*){_RATED}")
"""How many rated matches a league has in the seasons from one number to before another."""


def outdated_starts(
    conn: Connection, league_id: LeagueId, *, before: int = EVERY_SEASON, imports: int = EVERY_IMPORT
) -> set[SeasonId]:
    """Return the seasons whose ratings at the start were worked out without what is known of earlier ones since.

    Those of a season that came with a whole league were worked out where it was played.
    """
    rows = records(conn, _IMPORTS, league_id, before)
    brought = [(number, by) for _, number, _, _, by, _ in rows if by is not None and by <= imports]
    merged = records(conn, "SELECT season, at FROM merges WHERE league_id = ? AND season IS NOT NULL", league_id)
    return {
        season
        for season, number, started, newest, _, ratings in rows
        if ratings == "outdated"
        or (
            ratings == "noted"
            and (
                any(earlier < number and rating > newest for earlier, rating in brought)
                or any(earlier < number and (started or 0) <= at for earlier, at in merged)
            )
        )
    }


def matches_of(conn: Connection, league_id: LeagueId) -> dict[PlayerId, int]:
    """Return how many rated matches each player has in a league."""
    return conn.once(("rated matches", league_id), lambda: dict(records(conn, _COUNTED, league_id, 0, EVERY_SEASON)))
