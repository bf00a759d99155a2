"""What a season shows: where it stands and the next step, its rules, standings and bracket."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.model import Name, Rating, Stage
from bot.league.phases import RoundPhase, SeasonPhase
from bot.league.ratings import shown_ratings
from bot.league.settings import SeasonSettings
from bot.league.standings import Standing
from bot.services import find
from bot.services.matches import loading
from bot.services.matches.views import RoundView
from bot.services.seasons import careers
from bot.services.ties.words import tie_words
from storage import entrants, matches, rounds, rules_season, seasons, ties
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonView:
    """Where a season stands; `waiting` counts matches without a confirmed result, `next_step` names a command."""

    season: SeasonRow
    league: LeagueRow
    settings: SeasonSettings
    format_title: str
    entrants: tuple[EntrantRow, ...]
    waiting: int
    next_step: str
    current_round: RoundView | None
    champion: str | None
    rules: tuple[str, ...]


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


async def status(db: Database, *, league_id: LeagueId, number: int | None = None) -> SeasonView:
    """Return where a season stands, by default the newest; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        return await view(conn, await find.season(conn, league, number))


async def view(conn: Connection, season: SeasonRow) -> SeasonView:
    """Return everything about where a season stands."""
    league = await find.league(conn, season.league_id)
    people = await entrants.of_season(conn, season.id)
    latest = await rounds.latest(conn, season.id)
    waiting = 0 if latest is None else await matches.count_unfinished(conn, latest.id)
    return SeasonView(
        season=season,
        league=league,
        settings=rules_season.settings_of(season),
        format_title=by_key(season.format).title,
        entrants=people,
        waiting=waiting,
        next_step=await _next_step(conn, season, people, waiting),
        current_round=None if latest is None else await loading.round_view(conn, latest),
        champion=next((who.name for who in people if who.id == season.champion_id), None),
        rules=rules_of(season, people),
    )


def rules_of(season: SeasonRow, people: tuple[EntrantRow, ...]) -> tuple[str, ...]:
    """Return a season's rules in plain words; once it has started, for the field it started with."""
    started = season.started_at is not None
    field = sum(who.entered == 1 for who in people) if started else None
    return by_key(season.format).rules(rules_season.settings_of(season), field)


async def _next_step(conn: Connection, season: SeasonRow, people: tuple[EntrantRow, ...], waiting: int) -> str:
    match season.phase:
        case SeasonPhase.SIGNUP:
            return _before_start(season, sum(who.active for who in people))
        case SeasonPhase.RUNNING | SeasonPhase.FINALS:
            return await _during(conn, season, waiting)
        case SeasonPhase.FINISHED:
            return "The season is over: /standings shows the result, /season create opens the next season."
        case SeasonPhase.CANCELLED:
            return "The season was cancelled: /season create opens the next one."


def _before_start(season: SeasonRow, count: int) -> str:
    missing = max(2, by_key(season.format).fewest_players) - count
    if missing > 0:
        noun = "player is" if missing == 1 else "players are"
        return f"{missing} more {noun} needed: they join with /signup, then /season start posts round 1."
    if season.signups_close is not None:
        return "Players join with /signup; the season starts when sign-ups close, or at once with /season start."
    return "Players join with /signup; /season start closes sign-ups and posts round 1."


async def _during(conn: Connection, season: SeasonRow, waiting: int) -> str:
    draft = await rounds.draft(conn, season.id)
    if draft is not None:
        return f"Round {draft.number} is a draft: /round swap changes it, /round post publishes it."
    tied = await ties.waiting(conn, season.id)
    if tied:
        return f"{tie_words(tied[0])} /round tiebreak settles that; what follows waits for it."
    latest = await rounds.latest(conn, season.id)
    if latest is None:
        return "Round 1 is not posted yet: /round post pairs and posts it."
    if waiting:
        missing = "1 result is" if waiting == 1 else f"{waiting} results are"
        return f"{missing} missing in round {latest.number}: players use /report, moderators /disputes."
    if latest.phase is RoundPhase.OPEN:
        return f"All results of round {latest.number} are in: /round close ends it, or its deadline does."
    return f"Round {latest.number} is closed: /round post pairs and posts the next one."


async def standings(db: Database, *, league_id: LeagueId, number: int | None = None) -> StandingsView:
    """Return a season's standings, by default the newest's; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        row = await find.season(conn, league, number)
        season = await careers.complete(conn, row)
    return StandingsView(
        season=row,
        league=league,
        rows=await asyncio.to_thread(by_key(row.format).standings, season),
        ratings=await asyncio.to_thread(shown_ratings, season),
        tiebreaks=by_key(row.format).tiebreaks,
    )


async def bracket(db: Database, *, league_id: LeagueId, number: int | None = None) -> BracketView:
    """Return a season's finals, by default the newest's; raises NotFound while there are none."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        season = await find.season(conn, league, number)
        finals = [row for row in await rounds.published(conn, season.id) if row.stage is Stage.FINALS]
        if not finals:
            raise NotFound(f"Season {season.number} has no bracket{_yet(season)}")
        shown = [await loading.round_view(conn, row) for row in finals]
    return BracketView(season=season, league=league, rounds=tuple(shown))


def _yet(season: SeasonRow) -> str:
    if season.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED):
        return ". /standings shows how it ended."
    return " yet. /standings shows who would go on."


async def rules(db: Database, *, league_id: LeagueId) -> tuple[str, ...]:
    """Return the rules of the newest season in plain words; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        season = await find.season(conn, league, None)
        return rules_of(season, await entrants.of_season(conn, season.id))


async def numbers(db: Database, *, league_id: LeagueId) -> tuple[int, ...]:
    """Return the numbers of a league's seasons, newest first, for autocomplete."""
    async with db.snapshot() as conn:
        return await seasons.numbers(conn, league_id)
