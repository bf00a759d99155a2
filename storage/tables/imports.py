"""Imports of past seasons: what each brought, the names organisers explained for it, and what to delete again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NewType

from storage.database import Connection
from storage.personal import ACCOUNTS, Forget, Moving
from storage.query import Change, Column, Exists, One, Rows, Table, Value, insert, insert_many, records, run
from storage.rows import LeagueId, PlayerId, SeasonId

ImportId = NewType("ImportId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRow:
    """One import into a league."""

    id: ImportId
    league_id: LeagueId
    at: datetime
    newest_name: int
    newest_merge: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtPlayer:
    """A player of an import's seasons, or one it made: what they were called then, and what they are now."""

    player_id: PlayerId
    called: str
    now: str
    discord_id: int | None
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtSeason:
    """A season of an import: its days as its file says, and whether it has its number by them."""

    season_id: SeasonId
    number: int
    import_id: ImportId
    at: datetime
    first_day: str | None
    last_day: str | None
    by_date: bool
    digest: str | None

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day."""
        if self.first_day is None or self.last_day is None:
            return None
        return date.fromisoformat(self.first_day), date.fromisoformat(self.last_day)


_BROUGHT = (
    "SELECT s.id AS season_id, s.number, b.id AS import_id, b.at, i.first_day, i.last_day, i.by_date, i.digest"
    " FROM imported_seasons i JOIN seasons s ON s.id = i.season_id JOIN imports b ON b.id = i.import_id"
)

_IMPORTS: Table[ImportRow, ImportId] = Table(ImportRow, "imports")
add, find = _IMPORTS.add, _IMPORTS.find


def bring_season(
    conn: Connection,
    season_id: SeasonId,
    import_id: ImportId,
    *,
    days: tuple[date, date] | None = None,
    by_date: bool = False,
    digest: str | None = None,
    ratings: str = "given",
) -> None:
    """Note that a season came with an import, when it was played, and whether it has its number by that.

    `ratings` is what those at its start count as: `given` by its file, or `noted` or `outdated` where it was played.
    """
    first, last = (None, None) if days is None else (day.isoformat() for day in days)
    values = {"first_day": first, "last_day": last, "by_date": by_date, "digest": digest, "ratings": ratings}
    insert(conn, "imported_seasons", season_id=season_id, import_id=import_id, **values)


of_season = One[BroughtSeason, SeasonId](BroughtSeason, f"{_BROUGHT} WHERE s.id = ?")
"""What is known of an imported season, None for one of the league's own."""

of_league = Rows[BroughtSeason, LeagueId](BroughtSeason, f"{_BROUGHT} WHERE s.league_id = ? ORDER BY s.number")
"""What is known of a league's imported seasons, by their numbers."""

_AWAY = 1 << 40
"""Above every number a season has."""


def renumber(conn: Connection, numbers: Mapping[SeasonId, int]) -> None:
    """Give seasons other numbers, also each other's."""
    for season in numbers:
        run(conn, "UPDATE seasons SET number = number + ? WHERE id = ?", _AWAY, season)
    for season, number in numbers.items():
        run(conn, "UPDATE seasons SET number = ? WHERE id = ?", number, season)


def note_moved(conn: Connection, import_id: ImportId, before: Mapping[SeasonId, int]) -> None:
    """Note which numbers seasons had before an import."""
    rows = [{"import_id": import_id, "season_id": season, "number": number} for season, number in before.items()]
    insert_many(conn, "moved_seasons", rows)


def moved(conn: Connection, import_id: ImportId) -> dict[SeasonId, int]:
    """Return which numbers seasons had before an import."""
    return dict(records(conn, "SELECT season_id, number FROM moved_seasons WHERE import_id = ?", import_id))


note_newest = Change[ImportId](
    "UPDATE imports SET newest_name = (SELECT coalesce(max(id), 0) FROM player_names),"
    " newest_merge = (SELECT coalesce(max(id), 0) FROM merges) WHERE id = ?"
)
"""Note what was there when an import was done."""

numbers = Column[int, ImportId](
    "SELECT s.number FROM imported_seasons i JOIN seasons s ON s.id = i.season_id WHERE i.import_id = ?"
    " ORDER BY s.number"
)
"""The numbers of the seasons of an import."""

with_given_ratings = Column[SeasonId, LeagueId](
    "SELECT i.season_id FROM seasons s JOIN imported_seasons i ON i.season_id = s.id"
    " WHERE s.league_id = ? AND i.ratings = 'given'"
)
"""The seasons of a league whose ratings at the start are what their files say."""

season_ids = Column[SeasonId, ImportId]("SELECT season_id FROM imported_seasons WHERE import_id = ? ORDER BY season_id")
"""The ids of the seasons of an import."""


def bring_players(conn: Connection, import_id: ImportId, ids: Iterable[PlayerId]) -> None:
    """Note which players are in the league because of an import."""
    insert_many(conn, "imported_players", [{"player_id": player, "import_id": import_id} for player in ids])


def explain(conn: Connection, league_id: LeagueId, import_id: ImportId, names: Mapping[str, PlayerId]) -> None:
    """Note which player a name in files is, for good."""
    at = {"league_id": league_id, "import_id": import_id}
    insert_many(conn, "aliases", [{**at, "name": name, "player_id": player} for name, player in names.items()])


def aliases(conn: Connection, league_id: LeagueId) -> dict[str, PlayerId]:
    """Return which player each name in files is that an organiser explained."""
    return dict(records(conn, "SELECT name, player_id FROM aliases WHERE league_id = ?", league_id))


def played(conn: Connection, player_id: PlayerId) -> tuple[tuple[int, int], ...]:
    """Return the numbers of the seasons a player entered, each with their matches there."""
    sql = (
        "SELECT s.number, (SELECT count(*) FROM matches WHERE upper_id = e.id)"
        " + (SELECT count(*) FROM matches WHERE lower_id = e.id)"
        " FROM entrants e JOIN seasons s ON s.id = e.season_id"
        " WHERE e.player_id = ? AND s.number IS NOT NULL ORDER BY s.number"
    )
    return tuple((number, matches) for number, matches in records(conn, sql, player_id))


name_account = Change[PlayerId, ImportId, int | None, str | None](
    "INSERT INTO imported_accounts (player_id, import_id, discord_id, called) VALUES (?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET import_id = excluded.import_id, discord_id = excluded.discord_id,"
    " called = excluded.called"
)
"""Note the account a file names for a player: by its id, or as someone wrote it."""

proposed_account = Value[str | None, PlayerId]("SELECT called FROM imported_accounts WHERE player_id = ?")
"""What a file says a player is called on Discord, or None."""

accounts_given = Column[PlayerId, ImportId](
    "SELECT i.player_id FROM imported_accounts i JOIN players p ON p.id = i.player_id AND p.discord_id = i.discord_id"
    " WHERE i.import_id = ? AND NOT EXISTS (SELECT 1 FROM entrants e WHERE e.player_id = p.id AND NOT EXISTS"
    " (SELECT 1 FROM imported_seasons WHERE season_id = e.season_id))"
    " AND NOT EXISTS (SELECT 1 FROM waitlist WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM join_requests WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM substitutes WHERE player_id = p.id)"
)
"""The players who have the account an import gave them and have done nothing here with it."""

remove_accounts = Change[ImportId]("DELETE FROM imported_accounts WHERE import_id = ?")
"""Delete what an import says of accounts."""

started_since = Exists[LeagueId, ImportId](
    "SELECT 1 FROM seasons s WHERE s.league_id = ?1 AND s.newest_import >= ?2"
    " AND NOT EXISTS (SELECT 1 FROM imported_seasons WHERE season_id = s.id)"
)
"""Whether a season has started that knew of an import."""

followed = Column[int, LeagueId, ImportId]("SELECT id FROM imports WHERE league_id = ? AND id > ? ORDER BY id")
"""The ids of the imports after one."""

merged_since = Exists[PlayerId, int]("SELECT 1 FROM merges WHERE into_id = ? AND id > ?")
"""Whether someone was merged with someone else after the merge of an id."""

people = Rows[BroughtPlayer, ImportId](
    BroughtPlayer,
    "SELECT p.id AS player_id, iif(n.id > b.newest_name, e.name, p.name) AS called, p.name AS now, p.discord_id,"
    " 0 AS new FROM imports b JOIN imported_seasons i ON i.import_id = b.id"
    " JOIN entrants e ON e.season_id = i.season_id JOIN players p ON p.id = e.player_id"
    " LEFT JOIN player_names n ON n.league_id = p.league_id AND n.name = p.name WHERE b.id = ?1"
    " AND NOT EXISTS (SELECT 1 FROM imported_players WHERE player_id = p.id AND import_id = ?1)"
    " UNION SELECT p.id, (SELECT name FROM player_names WHERE player_id = p.id ORDER BY id LIMIT 1), p.name,"
    " p.discord_id, 1 FROM imported_players i JOIN players p ON p.id = i.player_id WHERE i.import_id = ?1"
    " ORDER BY 1, 2",
)
"""Everyone who came with an import or is in one of its seasons."""

_SEASONS = "SELECT season_id FROM imported_seasons WHERE import_id = :import"
_ROUNDS = f"SELECT id FROM rounds WHERE season_id IN ({_SEASONS})"
_ENTRANTS = f"SELECT id FROM entrants WHERE season_id IN ({_SEASONS})"
_UNDONE = (
    f"UPDATE seasons SET champion_id = NULL WHERE id IN ({_SEASONS})",
    f"DELETE FROM seats WHERE round_id IN ({_ROUNDS})",
    f"DELETE FROM matches WHERE round_id IN ({_ROUNDS})",
    f"DELETE FROM rounds WHERE season_id IN ({_SEASONS})",
    *(
        f"DELETE FROM {table} WHERE season_id IN ({_SEASONS})"
        for table in ("decisions", "met_before", "sealed_salts", "fingerprints")
    ),
    *(f"DELETE FROM {table} WHERE entrant_id IN ({_ENTRANTS})" for table in ("sat_out", "substitutes", "departures")),
    f"DELETE FROM entrants WHERE season_id IN ({_SEASONS})",
    *(
        f"DELETE FROM {table} WHERE import_id = :import"
        for table in ("aliases", "apart", "past_meetings", "moved_seasons")
    ),
    "UPDATE past_meetings SET hidden_by = NULL WHERE hidden_by = :import",
)


def remove_seasons(conn: Connection, import_id: ImportId) -> None:
    """Delete the seasons of an import and the names that were explained for it.

    Raises sqlite3.IntegrityError where something else rests on one of them.
    """
    for sql in _UNDONE:
        run(conn, sql, **{"import": import_id})
    for season in records(conn, _SEASONS, **{"import": import_id}):
        run(conn, "DELETE FROM imported_seasons WHERE season_id = ?", *season)
        run(conn, "DELETE FROM seasons WHERE id = ?", *season)


_RESTS = (
    ("is in a season since", "SELECT 1 FROM entrants WHERE player_id = ?1"),
    ("is in a season since", "SELECT 1 FROM substitutes WHERE player_id = ?1"),
    ("waits for a place", "SELECT 1 FROM waitlist WHERE player_id = ?1"),
    ("has asked to join a season", "SELECT 1 FROM join_requests WHERE player_id = ?1"),
    ("is banned (/league settings lets them in again)", "SELECT 1 FROM bans WHERE player_id = ?1"),
    (
        "is kept apart from someone (/league settings ends that)",
        "SELECT 1 FROM apart WHERE first_id = ?1 UNION ALL SELECT 1 FROM apart WHERE second_id = ?1",
    ),
    ("was asked about a Discord account", "SELECT 1 FROM links WHERE player_id = ?1"),
)


def rests_on(conn: Connection, player_id: PlayerId) -> str | None:
    """Return what of a player an import made keeps them in the league, in words; None where nothing known does."""
    return next((words for words, sql in _RESTS if records(conn, f"{sql} LIMIT 1", player_id)), None)


def remove_player(conn: Connection, player_id: PlayerId) -> None:
    """Delete a player an import made; raises sqlite3.IntegrityError where something else rests on them."""
    for table in ("imported_players", "player_names"):
        run(conn, f"DELETE FROM {table} WHERE player_id = ?", player_id)
    run(conn, "DELETE FROM players WHERE id = ?", player_id)


def remove_names(conn: Connection, import_id: ImportId) -> None:
    """Delete the names an import gave to players who were there before, but those they go by now."""
    now = "name = (SELECT name FROM players WHERE id = player_id)"
    run(conn, f"UPDATE player_names SET import_id = NULL WHERE import_id = ? AND {now}", import_id)
    run(conn, "DELETE FROM player_names WHERE import_id = ?", import_id)


remove = Change[ImportId]("DELETE FROM imports WHERE id = ?")
"""Delete an import of which nothing is left."""

forget_person = Forget(
    f"DELETE FROM imported_accounts WHERE discord_id IN {ACCOUNTS}"
    " AND player_id IN (SELECT id FROM players WHERE league_id = :league)",
    "UPDATE imported_seasons SET digest = NULL WHERE season_id IN"
    " (SELECT season_id FROM entrants WHERE player_id = :player)",
)
"""Delete what files said of a person's accounts, and what their seasons are in short, which was made of names."""


def merge_person(moving: Moving) -> None:
    """Let the newest import that either name came with be the other's.

    That import and those before it stay as long as the merge does.
    """
    gone, into = (moving.rows("imported_players", "player_id", player_id) for player_id in (moving.gone, moving.into))
    if gone and into and gone[0]["import_id"] > into[0]["import_id"]:
        moving.delete("imported_players", into[0])
    moving.move("imported_players")
