"""Players of leagues, every name they have had, and the new accounts that are asked to become theirs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, NewType

from bot.league.season.model import Name
from bot.league.season.names import look_alike_key, similar_name, skeleton
from storage.database import Connection
from storage.query import One, Rows, Table, column, insert, insert_many, records, run
from storage.rows import LeagueId, PlayerId, PlayerRow

_PLAYERS: Table[PlayerRow, PlayerId] = Table(PlayerRow, "players")
change, get, find = _PLAYERS.change, _PLAYERS.get, _PLAYERS.find


def add(conn: Connection, *, league_id: LeagueId, name: str, name_key: str, **columns: Any) -> PlayerRow:
    """Insert a player with their first name; raises sqlite3.IntegrityError where either is taken."""
    player = _PLAYERS.add(conn, league_id=league_id, name=name, **columns)
    looks = {"name_key": name_key, "skeleton": skeleton(name)}
    insert(conn, "player_names", league_id=league_id, player_id=player.id, name=name, **looks)
    return player


class KnownName(NamedTuple):
    """A name of a league, what it looks like, and the player who has or had it, with the name they have now."""

    name: Name
    name_key: str
    player_id: PlayerId
    called: str


def every_name(conn: Connection, league_id: LeagueId) -> tuple[KnownName, ...]:
    """Return every name that players of a league have or had, oldest first."""
    sql = (
        "SELECT n.name, n.name_key, p.id, p.name FROM player_names n JOIN players p ON p.id = n.player_id"
        " WHERE n.league_id = ? ORDER BY n.id"
    )
    return tuple(KnownName(*record) for record in records(conn, sql, league_id))


def add_many(conn: Connection, league_id: LeagueId, names: Sequence[Name]) -> dict[Name, PlayerId]:
    """Insert players without a Discord account, and return their ids; their names are noted with `add_names`."""
    insert_many(conn, "players", [{"league_id": league_id, "name": name} for name in names])
    sql = "SELECT name, id FROM players WHERE league_id = ? AND name IN (SELECT value FROM json_each(?))"
    return dict(records(conn, sql, league_id, names))


def add_names(
    conn: Connection, league_id: LeagueId, names: Iterable[tuple[PlayerId, Name, str]], *, import_id: int | None = None
) -> None:
    """Note names that no one of the league had before, with what they look like, in order."""
    at = {"league_id": league_id, "import_id": import_id}
    rows = [
        {**at, "player_id": owner, "name": name, "name_key": key, "skeleton": skeleton(name)}
        for owner, name, key in names
    ]
    insert_many(conn, "player_names", rows)


def add_name(conn: Connection, league_id: LeagueId, player_id: PlayerId, name: str, name_key: str) -> None:
    """Note a name a player has or had, unless it is noted already."""
    sql = (
        "INSERT INTO player_names (league_id, name, name_key, player_id, skeleton) SELECT ?1, ?2, ?3, ?4, ?5"
        " WHERE NOT EXISTS (SELECT 1 FROM player_names WHERE league_id = ?1 AND name = ?2 AND player_id = ?4)"
    )
    run(conn, sql, league_id, name, name_key, player_id, skeleton(name))


def rename(conn: Connection, player: PlayerRow, name: str, name_key: str) -> PlayerRow:
    """Give a player another name; the old one stays theirs."""
    add_name(conn, player.league_id, player.id, name, name_key)
    return change(conn, player.id, name=name, next_name=None)


to_rename = Rows[PlayerRow, LeagueId](
    PlayerRow, "SELECT * FROM players WHERE league_id = ? AND next_name IS NOT NULL ORDER BY id"
)
"""The players who get another name when the season ends, oldest first."""


by_discord = One[PlayerRow, LeagueId, int](PlayerRow, "SELECT * FROM players WHERE league_id = ? AND discord_id = ?")
"""The player a Discord user is in a league, or None."""

on_server = Rows[PlayerRow, int, int](
    PlayerRow,
    "SELECT p.* FROM leagues l JOIN players p ON p.league_id = l.id AND p.discord_id = ?2"
    " WHERE l.guild_id = ?1 ORDER BY p.id",
)
"""The players a Discord user is in the leagues of a server."""

by_name = One[PlayerRow, LeagueId, str](
    PlayerRow,
    "SELECT p.* FROM players p JOIN player_names n ON n.player_id = p.id WHERE n.league_id = ? AND n.name = ?",
)
"""The player who has or had exactly this name, or None."""

looking_like = Rows[PlayerRow, LeagueId, str](
    PlayerRow,
    "SELECT * FROM players WHERE id IN (SELECT player_id FROM player_names WHERE league_id = ? AND name_key = ?)"
    " ORDER BY id",
)
"""The players who have or had a name of this key."""

of_league = Rows[PlayerRow, LeagueId](PlayerRow, "SELECT * FROM players WHERE league_id = ? ORDER BY name")
"""A league's players in order of their names."""


def former_names(conn: Connection, player: PlayerRow) -> tuple[str, ...]:
    """Return the other names a player has had, oldest first."""
    sql = "SELECT name FROM player_names WHERE player_id = ? AND name <> ? ORDER BY id"
    return column(conn, sql, player.id, player.name)


def all_former_names(conn: Connection, league_id: LeagueId) -> dict[PlayerId, tuple[str, ...]]:
    """Return the other names a league's players have had, each player's oldest first."""
    sql = (
        "SELECT n.player_id, n.name FROM player_names n JOIN players p ON p.id = n.player_id"
        " WHERE n.league_id = ? AND n.name <> p.name ORDER BY n.id"
    )
    names: dict[PlayerId, tuple[str, ...]] = {}
    for player_id, name in records(conn, sql, league_id):
        names[player_id] = (*names.get(player_id, ()), name)
    return names


def mistakable(conn: Connection, league_id: LeagueId, name: str, *, but: PlayerId | None = None) -> tuple[Name, ...]:
    """Return the names of a league that one could be mistaken for, oldest first, but those of one player.

    Those that wait for the end of the season come after them.
    """
    sql = (
        "SELECT name FROM player_names WHERE league_id = ?1 AND (skeleton = ?2 OR name_key = ?3)"
        " AND player_id IS NOT ?4 ORDER BY id"
    )
    had = column(conn, sql, league_id, skeleton(name), look_alike_key(name), but)
    waiting = [row.next_name for row in to_rename(conn, league_id) if row.id != but and row.next_name is not None]
    other = similar_name(Name(name), map(Name, waiting))
    return tuple(map(Name, (*had, *([] if other is None else [other]))))


LinkId = NewType("LinkId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """A Discord account that is asked to become a player's; without `accepted` it isn't asked any more."""

    id: LinkId
    player_id: PlayerId
    discord_id: int
    asked_at: datetime
    ended_at: datetime | None
    accepted: bool | None


_LINKS: Table[LinkRow, LinkId] = Table(LinkRow, "links")
ask_account, change_link, find_link = _LINKS.add, _LINKS.change, _LINKS.find

waiting_link = One[LinkRow, PlayerId](LinkRow, "SELECT * FROM links WHERE player_id = ? AND ended_at IS NULL")
"""The account that is asked to become a player's, or None."""
waiting_links_to = Rows[LinkRow, LeagueId, int](
    LinkRow,
    "SELECT k.* FROM links k JOIN players p ON p.id = k.player_id"
    " WHERE p.league_id = ? AND k.discord_id = ? AND k.ended_at IS NULL ORDER BY k.id",
)
"""What an account is asked in a league: to become one player's, or one of several."""
