"""Which players of a league the people of an imported season are."""

from collections.abc import Iterable, Sequence

from bot.league.errors import Conflict, Invalid
from bot.league.model import Entrant, Name, Season
from bot.league.names import look_alike_key, reads_like_command
from bot.services.act import Act
from storage.rows import PlayerId, PlayerRow
from storage.tables import players


def people_of(season: Season) -> tuple[Entrant, ...]:
    """Return everyone who has a seat in a season, substitutes too, each once."""
    others = (Entrant(name=row.player, former_names=row.former_names) for row in reversed(season.substitutes))
    return tuple(({one.name: one for one in others} | {one.name: one for one in season.entrants}).values())


async def take_players(do: Act, people: Sequence[Entrant]) -> dict[Name, PlayerId]:
    """Return a player for each name, adding those the league doesn't know; raises Conflict where two are one.

    A player is known by a current or former name, then by a former name of the file, then by a name that differs
    only in looks. Each is taken once, the surest first, so that two people of a file never become one.
    """
    _require_usable(people)
    found: dict[Name, PlayerId] = {}
    for step in (_by_name, _by_former_names, _by_looks):
        for entrant in people:
            player = None if entrant.name in found else await step(do, entrant)
            if player is not None and player.id not in found.values():
                found[entrant.name] = player.id
    for entrant in people:
        if entrant.name not in found:
            found[entrant.name] = await _add(do, entrant.name)
        await _keep_names(do, found[entrant.name], (*entrant.former_names, entrant.name))
    return found


def _require_usable(people: Sequence[Entrant]) -> None:
    """Raise Invalid for a name with a zero byte, where SQLite would end it, and for one that reads like a command."""
    for number, entrant in enumerate(people):
        names = (entrant.name, *entrant.former_names)
        if any("\0" in name for name in names):
            raise Invalid(f"A name of {entrant.name!r} contains a zero byte. Fix the name in the file.")
        if any(map(reads_like_command, names)):
            # The name is not repeated: sentences show a command as one to click.
            raise Invalid(
                f"A name of players[{number}] in the file reads like a command."
                " Leave out the slash at the beginning of a word, everywhere in the file."
            )


async def _by_name(do: Act, entrant: Entrant) -> PlayerRow | None:
    return await players.by_name(do.conn, do.league.id, entrant.name)


async def _by_former_names(do: Act, entrant: Entrant) -> PlayerRow | None:
    for name in entrant.former_names:
        player = await players.by_name(do.conn, do.league.id, name)
        if player is not None:
            return player
    return None


async def _by_looks(do: Act, entrant: Entrant) -> PlayerRow | None:
    alike = await players.looking_like(do.conn, do.league.id, look_alike_key(entrant.name))
    return alike[0] if len(alike) == 1 else None


async def _add(do: Act, name: Name) -> PlayerId:
    owner = await players.by_name(do.conn, do.league.id, name)
    if owner is not None:
        raise Conflict(
            f"{name} belongs to {owner.name} in {do.league.name}, but in the file they are two players."
            " Fix the names in the file."
        )
    player = await players.add(
        do.conn, league_id=do.league.id, discord_id=None, name=name, name_key=look_alike_key(name)
    )
    return player.id


async def _keep_names(do: Act, player_id: PlayerId, names: Iterable[Name]) -> None:
    """Give the player those names that no one has yet."""
    for name in names:
        if await players.by_name(do.conn, do.league.id, name) is None:
            await players.add_name(do.conn, do.league.id, player_id, name, look_alike_key(name))
