"""A season out of the database as a league file, and into it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, LeagueError
from bot.league.formats import by_key
from bot.league.league_file import reading, writing
from bot.league.model import Kind, Match, Name, Round, Season, Stage
from bot.league.phases import LIVE, MatchState, RoundPhase, SeasonPhase
from bot.league.proposal import Proposal
from bot.services import find
from bot.services.act import note
from bot.services.leagues.imported_players import take_players
from bot.services.permissions import BOT, Actor, require_organiser
from bot.services.rounds import progress
from bot.services.seasons import careers
from storage import entrants, matches, rounds, seasons
from storage.database import Connection, Database
from storage.rows import EntrantId, LeagueId, LeagueRow, PlayerId, SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A league file and the name to save it under; nothing of it comes from people."""

    filename: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came in; a `record` counts for ratings and rematches alone, `live` is played on from here."""

    season_number: int
    players: int
    matches: int
    record: bool
    live: bool


async def export(db: Database, *, actor: Actor, league_id: LeagueId, season_number: int | None = None) -> ExportedFile:
    """Return a season as a league file for an organiser."""
    async with db.snapshot() as conn:
        require_organiser(await find.league(conn, league_id), actor)
    return await export_file(db, league_id=league_id, season_number=season_number)


async def export_file(db: Database, *, league_id: LeagueId, season_number: int | None = None) -> ExportedFile:
    """Return a season, by default the newest, as a league file; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        row = await find.season(conn, league, season_number)
        season = await careers.complete(conn, row)
    text = await asyncio.to_thread(writing.to_json, season)
    return ExportedFile(filename=f"fairpair-season-{row.number}.json", text=text)


async def import_file(
    db: Database, *, actor: Actor | None, now: datetime, league_id: LeagueId, text: str | bytes
) -> Imported:
    """Take a league file into a league as the season it is; without actor it is the program that asks.

    Raises InvalidFile with place and mend, and Conflict where the season or another live one is there already.
    """
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    season = await asyncio.to_thread(reading.read, data)
    end = await asyncio.to_thread(_end_of, season)
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        if actor is not None:
            require_organiser(league, actor)
        await _require_room(conn, league, season, end)
        row = await _take_season(conn, league, season, end, actor or BOT, now)
        played = sum(len(round_.matches) for round_ in season.rounds)
        after = {"format": season.format, "players": len(season.entrants), "matches": played, "phase": end.phase}
        await note(
            conn, actor=actor or BOT, now=now, league=league, season=row, action="league.import",
            subject=f"season {season.number}", after=after,
        )  # fmt: skip
    return Imported(
        season_number=season.number,
        players=len(season.entrants),
        matches=played,
        record=not by_key(season.format).paired,
        live=end.phase in LIVE,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """How far a season of a file is."""

    phase: SeasonPhase
    champion: Name | None = None


def _end_of(season: Season) -> _End:
    """Return where a season stands: recorded ones are over, others where their rules say so."""
    if not by_key(season.format).paired:
        return _End(phase=SeasonPhase.FINISHED)
    if not season.rounds:
        return _End(phase=SeasonPhase.SIGNUP)
    going_on = SeasonPhase.FINALS if season.rounds[-1].stage is Stage.FINALS else SeasonPhase.RUNNING
    if not season.rounds[-1].finished:
        return _End(phase=going_on)
    try:
        answer = by_key(season.format).next_round(season)
    except LeagueError:
        return _End(phase=going_on)
    if isinstance(answer, Proposal):
        return _End(phase=going_on)
    return _End(phase=SeasonPhase.FINISHED, champion=answer.name)


async def _require_room(conn: Connection, league: LeagueRow, season: Season, end: _End) -> None:
    if await seasons.by_number(conn, league.id, season.number) is not None:
        raise Conflict(f"{league.name} has a season {season.number} already: a season is imported once.")
    live = await seasons.live(conn, league.id)
    if live is None:
        return
    if end.phase in LIVE:
        raise Conflict(
            f"Season {season.number} of the file is not over, and season {live.number} is going on."
            " End that one first with /season finish or /season cancel."
        )
    if season.number > (live.number or 0):
        raise Conflict(
            f"Season {season.number} would come after season {live.number}, which is going on."
            " Import history before the next season is created (/season cancel gives its number back)."
        )


async def _take_season(
    conn: Connection, league: LeagueRow, season: Season, end: _End, actor: Actor, now: datetime
) -> SeasonRow:
    players = await take_players(conn, league, season.entrants, now)
    over = end.phase is SeasonPhase.FINISHED
    row = await seasons.add(
        conn,
        league_id=league.id,
        number=season.number,
        format=season.format,
        settings={key: value for key, value in season.settings.explicit.items() if key != "salt"},
        salted=season.settings.salt is not None,
        salt=season.settings.salt,
        phase=end.phase,
        signups_close=None,
        created_at=now,
        started_at=now if season.rounds or over else None,
        ended_at=now if over else None,
    )
    ids = await _take_entrants(conn, row, season, players, now)
    for round_ in season.rounds:
        await _take_round(conn, row, round_, ids, actor, now)
    await _take_the_rest(conn, row, season, ids, players, now)
    champion = None if end.champion is None else ids[end.champion]
    return await seasons.change(conn, row.id, champion_id=champion)


async def _take_entrants(
    conn: Connection, row: SeasonRow, season: Season, players: Mapping[Name, PlayerId], now: datetime
) -> dict[Name, EntrantId]:
    ids: dict[Name, EntrantId] = {}
    for entrant in season.entrants:
        added = await entrants.add(
            conn,
            season_id=row.id,
            player_id=players[entrant.name],
            name=entrant.name,
            former_names=entrant.former_names,
            signed_up_at=now,
            entered=entrant.entered,
            mu=None if entrant.rating is None else entrant.rating.mu,
            sigma=None if entrant.rating is None else entrant.rating.sigma,
            seed=entrant.seed,
        )
        ids[entrant.name] = added.id
    return ids


async def _take_round(
    conn: Connection, season: SeasonRow, round_: Round, ids: Mapping[Name, EntrantId], actor: Actor, now: datetime
) -> None:
    """Take a round as it was played; one of a live season with open matches is published here."""
    publish = season.phase in LIVE and not round_.finished
    row = await rounds.add(
        conn,
        season_id=season.id,
        number=round_.number,
        stage=round_.stage,
        phase=RoundPhase.DRAFT if publish else RoundPhase.CLOSED,
        paired_at=now,
        posted_at=None if publish else now,
        closed_at=None if publish else now,
        by_hand=round_.by_hand,
    )
    for position, match in enumerate(round_.matches, start=1):
        await matches.add(
            conn,
            round_id=row.id,
            position=position,
            upper_id=ids[match.upper],
            lower_id=ids[match.lower],
            **_result(match, ids),
        )
    for name in round_.byes:
        await matches.add_bye(conn, row.id, ids[name])
    if publish:
        await progress.publish(conn, season, row, now, actor)


def _result(match: Match, ids: Mapping[Name, EntrantId]) -> matches.Result:
    """Return the columns of a match's result, none of them while it is open."""
    if match.kind is Kind.OPEN:
        return {}
    games, points = match.games or (None, None), match.points or (None, None)
    return {
        "state": MatchState.CONFIRMED,
        "kind": match.kind,
        "winner_id": None if match.winner is None else ids[match.winner],
        "upper_games": games[0],
        "lower_games": games[1],
        "upper_points": points[0],
        "lower_points": points[1],
    }


async def _take_the_rest(
    conn: Connection,
    row: SeasonRow,
    season: Season,
    ids: Mapping[Name, EntrantId],
    players: Mapping[Name, PlayerId],
    now: datetime,
) -> None:
    for gone in season.departures:
        await entrants.depart(
            conn,
            entrant_id=ids[gone.name],
            kind=gone.kind,
            round=gone.round,
            after_pairing=gone.after_pairing,
            rejoined=gone.rejoined,
            at=now,
        )
    for decision in season.decisions:
        await seasons.add_decision(conn, row.id, after_round=decision.after_round, names=decision.order, at=now)
    await seasons.forget_past_meetings(conn, row.league_id, season.number)
    for past in season.past:
        if await seasons.past_meetings_known(conn, row.league_id, past.number):
            continue
        for match in past.matches:
            first, second = (players[name] for name in match.players)
            await seasons.add_past_meeting(
                conn,
                league_id=row.league_id,
                season=past.number,
                round=match.round,
                first_id=first,
                second_id=second,
            )
