"""Find the match people mean, and list matches to choose from."""

import re
import unicodedata

from bot.league.errors import LeagueError, NotFound
from bot.league.names import look_alike_key
from bot.league.phases import MatchState, RoundPhase
from bot.services import find as services_find
from bot.services.act import Look
from bot.services.matches import loading
from bot.services.matches.views import MatchView
from bot.services.permissions import BOT, Actor
from storage import entrants, leagues, matches, rounds, seasons
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, MatchRow, RoundRow, SeasonRow

CHOICES = 25
LABEL = 100

_CODE = re.compile(r"r(?:ound)?\s*(\d{1,4})\s*,?\s*m(?:atch)?\s*(\d{1,5})\b.*", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"(?:m(?:atch)?)?\s*#?\s*(\d{1,5})", re.IGNORECASE)
_HOW = "Choose it from the list while you type, or write it like R3 M2."


async def find(conn: Connection, *, actor: Actor, league_id: LeagueId | None, match: str | int | None) -> MatchView:
    """Return the match meant by an id, a reference such as `R3 M2`, a player's name, or nothing: the actor's own.

    Raises NotFound, with what to do, also for a match of another guild.
    """
    if isinstance(match, int):
        return await _by_id(conn, actor, league_id, match)
    if league_id is None:
        raise NotFound("Which league's match is meant? Use the command in its channel or name the league.")
    league = await services_find.league(conn, league_id)
    if actor is not BOT and actor.guild_id != league.guild_id:
        raise NotFound("That league is not of this server.")
    season = await _season_meant(conn, league)
    if match is None or not match.strip():
        return await _own(conn, actor, season)
    return await _typed(conn, league, season, match.strip())


async def look(db: Database, *, actor: Actor, match: str | int | None, league_id: LeagueId | None = None) -> MatchView:
    """Return the match meant, as `find` reads it."""
    async with db.snapshot() as conn:
        return await find(conn, actor=actor, league_id=league_id, match=match)


async def _season_meant(conn: Connection, league: LeagueRow) -> SeasonRow:
    """Return the newest season that has matches: while the next one takes sign-ups, still the last one."""
    for season in reversed(await seasons.of_league(conn, league.id)):
        if await rounds.latest(conn, season.id) is not None:
            return season
    return await services_find.season(conn, league, None)


async def _by_id(conn: Connection, actor: Actor, league_id: LeagueId | None, match_id: int) -> MatchView:
    row = await matches.find(conn, match_id)
    if row is None:
        raise NotFound("This match was taken back. /pairings shows the current round.")
    view = await loading.match_view(conn, row.id)
    foreign = actor is not BOT and actor.guild_id != view.league.guild_id
    if foreign or view.round_phase is RoundPhase.DRAFT or league_id not in (None, view.league.id):
        raise NotFound("There is no such match here. /pairings shows the current round.")
    return view


async def _own(conn: Connection, actor: Actor, season: SeasonRow) -> MatchView:
    """Return the actor's open match, or else his confirmed one of the last posted round."""
    entrant = await services_find.own_entrant(await Look.inside(conn, actor, season.id))
    row = await matches.unfinished_of(conn, entrant.id)
    latest = await rounds.latest(conn, season.id)
    if row is None and latest is not None:
        row = await matches.in_round(conn, latest.id, entrant.id)
    if row is None:
        raise NotFound("You have no match to report now. /match shows where you stand, /pairings the current round.")
    return await loading.match_view(conn, row.id)


async def _typed(conn: Connection, league: LeagueRow, season: SeasonRow, typed: str) -> MatchView:
    code = _CODE.fullmatch(typed)
    if code is not None:
        return await _at(conn, await rounds.by_number(conn, season.id, int(code[1])), int(code[2]), typed)
    number = _NUMBER.fullmatch(typed)
    latest = await rounds.latest(conn, season.id)
    if number is not None:
        return await _at(conn, latest, int(number[1]), typed)
    try:
        entrant = await services_find.entrant(Look(conn=conn, actor=BOT, league=league, found=season), typed)
    except LeagueError:
        raise NotFound(f"“{typed[:50]}” is no match of season {season.number}. {_HOW}") from None
    row = await matches.unfinished_of(conn, entrant.id)
    if row is None and latest is not None:
        row = await matches.in_round(conn, latest.id, entrant.id)
    if row is None:
        raise NotFound(f"{entrant.name} has no match in this round. {_HOW}")
    return await loading.match_view(conn, row.id)


async def _at(conn: Connection, row: RoundRow | None, position: int, typed: str) -> MatchView:
    if row is not None and row.phase is not RoundPhase.DRAFT:
        for match in await matches.of_round(conn, row.id):
            if match.position == position:
                return await loading.match_view(conn, match.id)
    raise NotFound(f"“{typed[:50]}” is no match of this season. {_HOW}")


async def choices(
    db: Database, *, league_id: LeagueId, typed: str, actor: Actor | None = None
) -> tuple[tuple[str, str], ...]:
    """Return at most 25 (label, reference) of a league's matches, open ones first, then the newest round's.

    With `actor` only his own unfinished matches.
    """
    async with db.snapshot() as conn:
        league = await leagues.find(conn, league_id)
        if league is None or await seasons.newest(conn, league.id) is None:
            return ()
        season = await _season_meant(conn, league)
        people = await loading.people_of(conn, season)
        numbers = {row.id: row.number for row in await rounds.of_season(conn, season.id)}
        rows = await matches.of_season(conn, season.id)
    found: list[tuple[str, str]] = []
    wanted = _searchable(typed)
    for match in sorted(
        rows, key=lambda row: (row.state is MatchState.CONFIRMED, -numbers[row.round_id], row.position)
    ):
        sides = [people[player] for player in match.players]
        label = f"R{numbers[match.round_id]} M{match.position} {sides[0].name} v {sides[1].name} ({match.state})"
        if wanted in _searchable(label) and (actor is None or _is_open_for(actor, match, sides)):
            found.append((label[:LABEL], f"R{numbers[match.round_id]} M{match.position}"))
        if len(found) == CHOICES:
            break
    return tuple(found)


def _is_open_for(actor: Actor, match: MatchRow, sides: list[EntrantRow]) -> bool:
    mine = actor.user_id is not None and any(side.discord_id == actor.user_id for side in sides)
    return mine and match.state is not MatchState.CONFIRMED


def _searchable(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


async def find_seat(conn: Connection, season: SeasonRow, row: RoundRow, typed: str) -> EntrantRow:
    """Return the player of a round meant by a name; raises NotFound."""
    seated = {seat.entrant_id for seat in await matches.seats(conn, row.id)}
    people = [entrant for entrant in await entrants.of_season(conn, season.id) if entrant.id in seated]
    exact = [entrant for entrant in people if entrant.name == unicodedata.normalize("NFC", typed).strip()]
    alike = [entrant for entrant in people if look_alike_key(entrant.name) == look_alike_key(typed.strip())]
    if not exact and len(alike) != 1:
        raise NotFound(f"Nobody called “{typed[:50]}” plays in round {row.number}. Choose a name from the list.")
    return (exact or alike)[0]
