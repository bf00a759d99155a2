"""Another league name for a player, between seasons (docs/rules.md, 1)."""

from datetime import datetime

from bot.league.errors import WrongPhase
from bot.league.model import Name
from bot.league.names import check_name, look_alike_key, require_free
from bot.league.phases import PLAYING
from bot.services import find
from bot.services.act import Act, act
from bot.services.permissions import Actor
from storage.database import Database
from storage.rows import LeagueId, PlayerRow
from storage.tables import entrants, players, seasons


async def rename(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, new_name: str, reason: str | None
) -> PlayerRow:
    """Give a player another league name between seasons; past seasons keep the one they were drawn with."""
    name = check_name(new_name)
    async with act(db, actor, now, league_id) as do:
        do.organiser()
        do.found = await seasons.live(do.conn, league_id)
        if do.found is not None and do.found.phase in PLAYING:
            raise WrongPhase(
                f"Season {do.found.number} is running, and its draws use the names. Rename players between seasons."
            )
        row = await find.player(do, player)
        own = (row.name, *await players.former_names(do.conn, row))
        if name not in own:
            taken = await players.names_of(do.conn, league_id)
            require_free(name, [Name(other) for other in taken if other not in own])
        renamed = await players.rename(do.conn, row, name, look_alike_key(name))
        await _rename_entry(do, renamed)
        await do.note("player.rename", name, before={"name": row.name}, after={"name": name}, reason=reason)
        return renamed


async def _rename_entry(do: Act, player: PlayerRow) -> None:
    """Carry a new name into the season that takes sign-ups: nothing is drawn in it yet."""
    entrant = None if do.found is None else await entrants.by_player(do.conn, do.found.id, player.id)
    if entrant is None or entrant.player_id != player.id:  # a substitute's seat keeps its name
        return
    former = await players.former_names(do.conn, player)
    await entrants.change(do.conn, entrant.id, name=player.name, former_names=list(former))
    await do.touch()
