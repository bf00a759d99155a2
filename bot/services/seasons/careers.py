"""Players over the seasons: ratings from the league's whole history, careers, head-to-heads."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.match_score import flipped, result_words
from bot.league.model import Match, Name, Rating, Season
from bot.league.ratings import new_rating, season_ratings
from bot.league.standings import Standing
from bot.services import find
from bot.services.act import look
from bot.services.permissions import Actor
from storage import rules_season
from storage.database import Connection, Database
from storage.rows import LeagueId, PlayerId, SeasonRow
from storage.tables import entrants, players, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMeeting:
    """One match against an opponent, the result in words."""

    season: int
    round: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A player's line in the table of each season, newest last; `meetings` with `opponent` where one was asked for."""

    name: str
    former_names: tuple[str, ...]
    rating: Rating
    seasons: Mapping[int, Standing]
    opponent: str | None
    meetings: tuple[PastMeeting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A season as the rules see it, and which player each of its names is."""

    season: Season
    ids: Mapping[Name, PlayerId]


async def _load(conn: Connection, row: SeasonRow) -> Played:
    ids = {Name(who.name): who.player_id for who in await entrants.of_season(conn, row.id)}
    return Played(season=await rules_season.load(conn, row.id), ids=ids)


def _carried(history: Sequence[Played]) -> dict[PlayerId, Rating]:
    """Return everyone's rating after these seasons, in their order.

    A rating noted at a season's start stands; without one a player brings what they had, or is new.
    """
    known: dict[PlayerId, Rating] = {}
    for played in history:
        ratings = season_ratings(_with_ratings(played, known))
        known.update((played.ids[name], rating) for name, rating in ratings.items())
    return known


def _with_ratings(played: Played, known: Mapping[PlayerId, Rating]) -> Season:
    season = played.season
    people = tuple(
        replace(entrant, rating=entrant.rating or known.get(played.ids[entrant.name])) for entrant in season.entrants
    )
    return replace(season, entrants=people)


async def ratings_before(conn: Connection, league_id: LeagueId, number: int) -> dict[PlayerId, Rating]:
    """Return everyone's rating after all seasons before a number."""
    rows = await seasons.of_league(conn, league_id)
    before = [await _load(conn, row) for row in rows if row.number is not None and row.number < number]
    return await asyncio.to_thread(_carried, before)


async def rating_now(conn: Connection, season: SeasonRow, player_id: PlayerId) -> Rating:
    """Return the rating a player who enters late starts with."""
    known = await ratings_before(conn, season.league_id, season.number or 0)
    return known.get(player_id) or new_rating(rules_season.settings_of(season).rating)


async def complete(conn: Connection, row: SeasonRow) -> Season:
    """Return a season with every rating at its start, those of recorded ones from the history before it."""
    played = await _load(conn, row)
    if all(entrant.rating is not None for entrant in played.season.entrants):
        return played.season
    return _with_ratings(played, await ratings_before(conn, row.league_id, row.number or 0))


async def history(
    db: Database, *, actor: Actor, league_id: LeagueId, player: str, opponent: str | None = None
) -> Career:
    """Return a player's career, and their matches against an opponent; raises NotFound."""
    async with look(db, actor, league_id) as see:
        who = await find.player(see, player)
        other = None if opponent is None else await find.player(see, opponent)
        former = await players.former_names(see.conn, who)
        everything = [await _load(see.conn, row) for row in await seasons.of_league(see.conn, league_id)]
    if other is not None and other.id == who.id:
        raise NotFound(f"Both are {who.name}. Choose a different opponent.")
    taken_part = [played for played in everything if who.id in played.ids.values()]
    begun = [played for played in taken_part if played.season.rounds]
    lines = await asyncio.to_thread(lambda: {played.season.number: _line(played, who.id) for played in begun})
    return Career(
        name=who.name,
        former_names=former,
        rating=await asyncio.to_thread(_rating_of, everything, who.id),
        seasons=lines,
        opponent=None if other is None else other.name,
        meetings=() if other is None else _meetings(taken_part, who.id, other.id),
    )


def _rating_of(everything: Sequence[Played], player_id: PlayerId) -> Rating:
    known = _carried(everything).get(player_id)
    if known is not None:
        return known
    scale = everything[-1].season.settings.rating if everything else None
    return Rating(mu=25.0, sigma=25.0 / 3) if scale is None else new_rating(scale)


def _line(played: Played, player_id: PlayerId) -> Standing:
    table = by_key(played.season.format).standings(played.season)
    return next(line for line in table if played.ids[line.name] == player_id)


def _meetings(taken_part: Sequence[Played], one: PlayerId, other: PlayerId) -> tuple[PastMeeting, ...]:
    return tuple(
        PastMeeting(season=played.season.number, round=round_.number, result=_words(match))
        for played in taken_part
        for round_ in played.season.rounds
        for match in round_.matches
        if {played.ids[match.upper], played.ids[match.lower]} == {one, other}
    )


def _words(match: Match) -> str:
    games = match.games if match.winner in (None, match.upper) else flipped(match.games)
    return result_words(match.kind, winner=match.winner, games=games)
