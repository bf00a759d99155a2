"""Export a season as a league file, and import one."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.league.bracket.match_names import RoundNames
from bot.league.errors import Conflict, Invalid, LeagueError
from bot.league.formats import by_key
from bot.league.league_file import reading, writing
from bot.league.model import Kind, Match, Name, Round, Season, Stage
from bot.league.phases import LIVE, MatchState, RoundPhase, SeasonPhase
from bot.league.proposal import Proposal
from bot.services.act import Act, act, look
from bot.services.leagues.imported_players import people_of, take_players
from bot.services.lists.imported_lists import take_lists
from bot.services.outbox import board
from bot.services.permissions import BOT, Actor
from bot.services.rounds import first_choice, progress
from bot.services.seasons import careers
from storage.database import Database
from storage.rows import EntrantId, LeagueId, PlayerId, RoundRow
from storage.tables import entrants, matches, rounds, sat_out, seasons, substitutions

LARGEST_FILE = 4_000_000
"""Bytes of a file that Discord brings; a season of 10,000 players fits twice. The program takes larger ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A league file and the name to save it under; nothing of it comes from people."""

    filename: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was imported; a `record` counts for ratings and rematches alone, `live` is played on from here."""

    season_number: int
    players: int
    matches: int
    record: bool
    live: bool


async def export(db: Database, *, actor: Actor, league_id: LeagueId, season_number: int | None = None) -> ExportedFile:
    """Return a season, by default the newest, as a league file for an organiser; raises NotAllowed and NotFound."""
    async with look(db, actor, league_id) as see:
        see.organiser()
        row = await see.in_season(season_number)
        season = await careers.complete(see.conn, row)
    return await asyncio.to_thread(file_of, season)


def file_of(season: Season) -> ExportedFile:
    """Return a season as a league file."""
    return ExportedFile(filename=f"fairpair-season-{season.number}.json", text=writing.to_json(season))


async def import_file(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, data: bytes) -> Imported:
    """Import a league file into a league as the season it is.

    Raises NotAllowed before anything is read, InvalidFile with the place and what to fix, and Conflict where the
    season or another live one is there already.
    """
    async with look(db, actor, league_id) as see:
        see.organiser()  # before anything is read: reading and pairing a large file takes long
    if len(data) > LARGEST_FILE and actor is not BOT:
        raise Invalid(
            f"The file is {len(data) / 1_000_000:.1f} MB; the limit here is {LARGEST_FILE / 1_000_000:.0f} MB."
            " The person who runs the bot can import larger files with python -m bot import."
        )
    season = await asyncio.to_thread(reading.read, data)
    phase, champion = await asyncio.to_thread(_end_of, season)
    async with act(db, actor, now, league_id) as do:
        await _require_room(do, season, phase)
        await _take_season(do, season, phase, champion)
        if phase in LIVE:
            await board.show(do)
        played = sum(len(round_.matches) for round_ in season.rounds)
        after = {"format": season.format, "players": len(season.entrants), "matches": played, "phase": phase}
        await do.note("league.import", f"season {season.number}", after=after)
    return Imported(
        season_number=season.number,
        players=len(season.entrants),
        matches=played,
        record=not by_key(season.format).paired,
        live=phase in LIVE,
    )


def _end_of(season: Season) -> tuple[SeasonPhase, Name | None]:
    """Return a season's phase and champion: recorded ones are over, others where their rules say so."""
    if not by_key(season.format).paired:
        return SeasonPhase.FINISHED, None
    if not season.rounds:
        return SeasonPhase.SIGNUP, None
    try:
        answer = by_key(season.format).next_round(season) if season.rounds[-1].finished else None
    except LeagueError:
        answer = None
    if answer is None or isinstance(answer, Proposal):
        finals = season.rounds[-1].stage is Stage.FINALS
        return (SeasonPhase.FINALS if finals else SeasonPhase.RUNNING), None
    return SeasonPhase.FINISHED, answer.name


async def _require_room(do: Act, season: Season, phase: SeasonPhase) -> None:
    if await seasons.by_number(do.conn, do.league.id, season.number) is not None:
        raise Conflict(f"{do.league.name} already has a season {season.number}. A season can be imported only once.")
    live = await seasons.live(do.conn, do.league.id)
    if live is None:
        return
    if phase in LIVE:
        raise Conflict(
            f"Season {season.number} of the file isn't over, and season {live.number} is still running."
            " End that one first with /season finish or /season cancel."
        )
    if season.number > (live.number or 0):
        raise Conflict(
            f"Season {season.number} would come after season {live.number}, which is still running."
            " Import earlier seasons before you create the next one"
            " (before its first round, /season cancel gives its number back)."
        )


async def _take_season(do: Act, season: Season, phase: SeasonPhase, champion: Name | None) -> None:
    players = await take_players(do, people_of(season))
    over = phase is SeasonPhase.FINISHED
    do.found = await seasons.add(
        do.conn,
        league_id=do.league.id,
        number=season.number,
        format=season.format,
        settings={key: value for key, value in season.settings.explicit.items() if key != "salt"},
        salted=season.settings.salt is not None,
        salt=season.settings.salt,
        phase=phase,
        signups_close=None,
        started_at=do.now if season.rounds or over else None,
        ended_at=do.now if over else None,
    )
    ids = await _take_entrants(do, season, players)
    await take_lists(do, season, ids)
    await _take_seats(do, season, players, ids)
    for round_, names in zip(season.rounds, by_key(season.format).names(season), strict=True):
        row = await _take_round(do, round_, names, ids)
        await first_choice.note(do, row, season, round_, ids)
    await _take_departures_and_decisions(do, season, ids)
    await _take_past(do, season, players)
    if champion is not None:
        await do.change_season(champion_id=ids[champion])


async def _take_entrants(do: Act, season: Season, players: Mapping[Name, PlayerId]) -> dict[Name, EntrantId]:
    ids: dict[Name, EntrantId] = {}
    for entrant in season.entrants:
        added = await entrants.add(
            do.conn,
            season_id=do.season.id,
            player_id=players[entrant.name],
            name=entrant.name,
            former_names=entrant.former_names,
            entered=entrant.entered,
            mu=None if entrant.rating is None else entrant.rating.mu,
            sigma=None if entrant.rating is None else entrant.rating.sigma,
            seed=entrant.seed,
        )
        ids[entrant.name] = added.id
    return ids


async def _take_seats(do: Act, season: Season, players: Mapping[Name, PlayerId], ids: Mapping[Name, EntrantId]) -> None:
    """Take who sits out which round, and who substitutes."""
    for missed in season.sat_out:
        await sat_out.add(do.conn, entrant_id=ids[missed.name], round=missed.round, at=do.now)
    for taken in season.substitutes:
        await substitutions.sit_down(
            do.conn,
            entrant_id=ids[taken.seat],
            player_id=players[taken.player],
            name=taken.player,
            round=taken.round,
            mu=None if taken.rating is None else taken.rating.mu,
            sigma=None if taken.rating is None else taken.rating.sigma,
            former_names=taken.former_names,
        )


async def _take_round(do: Act, round_: Round, names: RoundNames, ids: Mapping[Name, EntrantId]) -> RoundRow:
    """Take a round as it was played; one of a live season with open matches is published here."""
    publish = do.season.phase in LIVE and not round_.finished
    row = await rounds.add(
        do.conn,
        season_id=do.season.id,
        number=round_.number,
        name=names.round,
        stage=round_.stage,
        phase=RoundPhase.DRAFT if publish else RoundPhase.CLOSED,
        posted_at=None if publish else do.now,
        by_hand=round_.by_hand,
    )
    for position, match in enumerate(round_.matches, start=1):
        await matches.add(
            do.conn,
            round_id=row.id,
            position=position,
            name=names.matches[position - 1],
            upper_id=ids[match.upper],
            lower_id=ids[match.lower],
            dice_off_id=None if match.dice_off is None else ids[match.dice_off],
            **_result(match, ids),
        )
    for name in round_.byes:
        await matches.add_bye(do.conn, row.id, ids[name])
    if publish:
        await progress.publish(do, row)
    return row


def _result(match: Match, ids: Mapping[Name, EntrantId]) -> dict[str, Any]:
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


async def _take_departures_and_decisions(do: Act, season: Season, ids: Mapping[Name, EntrantId]) -> None:
    for gone in season.departures:
        when: dict[str, Any] = {"round": gone.round, "after_pairing": gone.after_pairing, "rejoined": gone.rejoined}
        await entrants.depart(do.conn, entrant_id=ids[gone.name], kind=gone.kind, **when)
    for decision in season.decisions:
        await seasons.add_decision(do.conn, do.season.id, after_round=decision.after_round, names=decision.order)


async def _take_past(do: Act, season: Season, players: Mapping[Name, PlayerId]) -> None:
    league_id = do.league.id
    await seasons.forget_past_meetings(do.conn, league_id, season.number)
    for past in season.past:
        if await seasons.past_meetings_known(do.conn, league_id, past.number):
            continue
        for match in past.matches:
            first, second = (players[name] for name in match.players)
            await seasons.add_past_meeting(
                do.conn, league_id=league_id, season=past.number, round=match.round, first_id=first, second_id=second
            )
