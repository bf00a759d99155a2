"""What a season shows everyone: standings, bracket, rules, and the numbers of a league's seasons."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.model import Name, Rating, Stage
from bot.league.phases import SeasonPhase
from bot.league.ratings import shown_ratings
from bot.league.standings import Standing, at_the_end
from bot.services.act import look
from bot.services.matches import views
from bot.services.matches.views import RoundView
from bot.services.permissions import Actor
from bot.services.seasons import careers
from storage.database import Database
from storage.rows import LeagueId, LeagueRow, SeasonRow
from storage.tables import rounds, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView:
    """A season's table with the ratings it shows, and its tie-breaks in order."""

    season: SeasonRow
    league: LeagueRow
    rows: tuple[Standing, ...]
    ratings: Mapping[Name, Rating]
    tiebreaks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketView:
    """The finals of a season, round by round."""

    season: SeasonRow
    league: LeagueRow
    rounds: tuple[RoundView, ...]


async def standings(db: Database, *, actor: Actor, league_id: LeagueId, number: int | None = None) -> StandingsView:
    """Return a season's standings, by default the newest's; once it is over the champion leads. Raises NotFound."""
    async with look(db, actor, league_id) as see:
        row = await see.in_season(number)
        season = await careers.complete(see.conn, row)
    table = await asyncio.to_thread(by_key(row.format).standings, season)
    return StandingsView(
        season=row,
        league=see.league,
        rows=at_the_end(season, table) if row.phase is SeasonPhase.FINISHED else table,
        ratings=await asyncio.to_thread(shown_ratings, season),
        tiebreaks=by_key(row.format).tiebreaks,
    )


async def bracket(db: Database, *, actor: Actor, league_id: LeagueId, number: int | None = None) -> BracketView:
    """Return a season's finals, by default the newest's; raises NotFound while there are none."""
    async with look(db, actor, league_id) as see:
        season = await see.in_season(number)
        finals = [row for row in await rounds.published(see.conn, season.id) if row.stage is Stage.FINALS]
        if not finals:
            raise NotFound(f"Season {season.number} has no bracket{_yet(season)}")
        shown = [await views.round_view(see.conn, row) for row in finals]
    return BracketView(season=season, league=see.league, rounds=tuple(shown))


def _yet(season: SeasonRow) -> str:
    if season.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED):
        return f". /standings season:{season.number} shows how it ended."
    return " yet. /standings shows the table, /rules who goes on to the finals."


async def numbers(db: Database, *, actor: Actor, league_id: LeagueId) -> tuple[int, ...]:
    """Return the numbers of a league's seasons, newest first, for autocomplete."""
    async with look(db, actor, league_id) as see:
        return await seasons.numbers(see.conn, league_id)
