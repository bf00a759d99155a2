"""Find what people mean: a league, a season, a player; every miss tells what to do instead."""

import unicodedata

from bot.league.errors import NotFound, WrongPhase
from bot.league.names import look_alike_key
from bot.league.phases import PLAYING, SeasonPhase
from bot.services.act import Look
from bot.services.permissions import BOT, Actor
from storage import entrants, leagues, players, seasons
from storage.database import Connection
from storage.rows import EntrantRow, LeagueId, LeagueRow, PlayerRow, SeasonRow


async def league(conn: Connection, league_id: LeagueId, actor: Actor | None = None) -> LeagueRow:
    """Return a league, for an actor only one of his server; raises NotFound."""
    row = await leagues.find(conn, league_id)
    if row is None or (actor is not None and actor is not BOT and actor.guild_id != row.guild_id):
        raise NotFound("That league is gone. /league create sets up a new one.")
    return row


async def live_season(conn: Connection, league: LeagueRow) -> SeasonRow:
    """Return the season that takes sign-ups or is played; raises WrongPhase."""
    row = await seasons.live(conn, league.id)
    if row is None:
        raise WrongPhase(f"{league.name} has no season going on. An organiser opens the next one with /season create.")
    return row


async def playing_season(conn: Connection, league: LeagueRow) -> SeasonRow:
    """Return the season that is played; raises WrongPhase."""
    row = await live_season(conn, league)
    if row.phase not in PLAYING:
        raise WrongPhase(f"Season {row.number} has not started yet. An organiser starts it with /season start.")
    return row


async def season(conn: Connection, league: LeagueRow, number: int | None) -> SeasonRow:
    """Return the season of a number, by default the newest; raises NotFound."""
    if number is None:
        row = await seasons.newest(conn, league.id)
        if row is None:
            raise NotFound(f"{league.name} has had no season yet. An organiser opens one with /season create.")
        return row
    row = await seasons.by_number(conn, league.id, number)
    if row is None:
        raise NotFound(
            f"{league.name} has no season {number}. {_seasons_there(await seasons.numbers(conn, league.id))}"
        )
    return row


def _seasons_there(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "It has had none yet; an organiser opens one with /season create."
    return f"Its seasons are {', '.join(str(number) for number in reversed(numbers[:10]))}."


async def player(see: Look, named: str) -> PlayerRow:
    """Return the player who has or had a name, or the one whose name looks like it; raises NotFound."""
    name = unicodedata.normalize("NFC", named).strip()
    exact = await players.by_name(see.conn, see.league.id, name)
    if exact is not None:
        return exact
    alike = await players.looking_like(see.conn, see.league.id, look_alike_key(name))
    if len(alike) != 1:
        raise NotFound(f"No one in {see.league.name} is called “{name[:50]}”. Choose a name from the list as you type.")
    return alike[0]


async def entrant(see: Look, named: str) -> EntrantRow:
    """Return a named player's entry in the season; raises NotFound."""
    who = await player(see, named)
    row = await entrants.by_player(see.conn, see.season.id, who.id)
    if row is None:
        step = see.hint("/player add puts someone into the season.")
        raise NotFound(f"{who.name} isn't in season {see.season.number}.{step}")
    return row


async def own_entrant(see: Look) -> EntrantRow:
    """Return the actor's entry in the season; raises NotFound."""
    known = see.actor.user_id
    row = None if known is None else await entrants.by_discord(see.conn, see.season.id, known)
    if row is None:
        way = {SeasonPhase.SIGNUP: " Join with /signup.", SeasonPhase.RUNNING: " /signup joins if it's not too late."}
        raise NotFound(f"You're not in season {see.season.number}.{way.get(see.season.phase, '')}")
    return row
