"""Which players of a league the people of an imported season are."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.league.errors import Conflict, Invalid
from bot.league.model import Entrant, Name
from bot.league.names import look_alike_key
from storage import players
from storage.database import Connection
from storage.rows import LeagueRow, PlayerId, PlayerRow


async def take_players(
    conn: Connection, league: LeagueRow, people: Sequence[Entrant], now: datetime
) -> dict[Name, PlayerId]:
    """Return a player for each name, adding those the league does not know; raises Conflict where two are one.

    A player is known by a name he has or had, then by a former name of the file, then by a name that differs
    only in looks. Each is taken once, the surest first, so that two people of a file never become one.
    """
    _require_storable(people)
    found: dict[Name, PlayerId] = {}
    taken: set[PlayerId] = set()
    for step in (_by_name, _by_former_names, _by_looks):
        for entrant in people:
            if entrant.name in found:
                continue
            player = await step(conn, league, entrant)
            if player is not None and player.id not in taken:
                found[entrant.name] = player.id
                taken.add(player.id)
    for entrant in people:
        if entrant.name not in found:
            found[entrant.name] = await _add(conn, league, entrant.name, people, now)
        await _note_names(conn, league, found[entrant.name], (*entrant.former_names, entrant.name))
    return found


def _require_storable(people: Sequence[Entrant]) -> None:
    """Raise Invalid for a zero byte in a name: SQLite would end the name there."""
    for entrant in people:
        if any("\0" in name for name in (entrant.name, *entrant.former_names)):
            raise Invalid(f"A name of {entrant.name!r} holds a zero byte. Mend the name in the file.")


async def _by_name(conn: Connection, league: LeagueRow, entrant: Entrant) -> PlayerRow | None:
    return await players.by_name(conn, league.id, entrant.name)


async def _by_former_names(conn: Connection, league: LeagueRow, entrant: Entrant) -> PlayerRow | None:
    for name in entrant.former_names:
        player = await players.by_name(conn, league.id, name)
        if player is not None:
            return player
    return None


async def _by_looks(conn: Connection, league: LeagueRow, entrant: Entrant) -> PlayerRow | None:
    alike = await players.looking_like(conn, league.id, look_alike_key(entrant.name))
    return alike[0] if len(alike) == 1 else None


async def _add(conn: Connection, league: LeagueRow, name: Name, people: Sequence[Entrant], now: datetime) -> PlayerId:
    owner = await players.by_name(conn, league.id, name)
    if owner is not None:
        raise Conflict(
            f"{name} is a name of {owner.name} in {league.name}, and the file has both as different players."
            " Mend the names in the file."
        )
    player = await players.add(
        conn,
        league_id=league.id,
        discord_id=None,
        name=name,
        name_key=look_alike_key(name),
        created_at=now,
    )
    return player.id


async def _note_names(conn: Connection, league: LeagueRow, player_id: PlayerId, names: Iterable[Name]) -> None:
    """Note names that nobody has yet as the player's."""
    for name in names:
        if await players.by_name(conn, league.id, name) is None:
            await players.add_name(conn, league.id, player_id, name, look_alike_key(name))
