"""Coming back into a season: rejoin with or without being asked, and taking a departure back (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.coming_and_going import can_return
from bot.league.errors import Conflict, NotAllowed, NotFound, WrongPhase
from bot.league.model import DepartureKind, Kind
from bot.league.phases import PLAYING, RoundPhase
from bot.league.settings import Rejoin
from bot.services import find
from bot.services.act import Look
from bot.services.matches import loading
from bot.services.matches.views import MatchView
from bot.services.outbox import promises
from bot.services.permissions import Actor, require_organiser
from bot.services.players.eligibility import next_round, require_before_finals, require_open_stage
from bot.services.players.entrant_change import (
    Case,
    departure,
    field_changed,
    note_case,
    of_named,
    refuse_waiting,
    tell,
)
from storage import entrants, matches, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import EntrantId, LeagueId, SeasonRow, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejoined:
    """Somebody wants back: `asked` where an organiser has to answer, else back from `round` on."""

    name: str
    asked: bool
    round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinAnswer:
    """An organiser's answer; `round` is the first one played again."""

    name: str
    accepted: bool
    round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstated:
    """A drop or disqualification taken back; `missed` rounds stay lost, and so does a `forfeited` match."""

    name: str
    round: int
    forfeited: MatchView | None


async def rejoin(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Rejoined:
    """Bring the actor back into the season, or ask the organisers, as the season's `rejoin` says."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id, actor)
        season = await find.playing_season(conn, league)
        entrant = await find.own_entrant(Look(conn=conn, actor=actor, league=league, found=season))
        case = Case(league=league, season=season, entrant=entrant, actor=actor, now=now)
        if entrant.active:
            raise Conflict(f"You are in season {season.number}. /match shows what comes next.")
        await _require_way_back(conn, case)
        if rules_season.settings_of(season).rejoin is Rejoin.FREE:
            return Rejoined(name=entrant.name, asked=False, round=await _come_back(conn, case))
        await _ask(conn, case)
        return Rejoined(name=entrant.name, asked=True, round=None)


async def _require_way_back(conn: Connection, case: Case) -> None:
    """Raise unless the rules let somebody who left come back now."""
    if case.entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{case.entrant.name} is disqualified from season {case.season.number}: no way back.")
    if not can_return(rules_season.settings_of(case.season)):
        raise NotAllowed(f"In season {case.season.number} who has left cannot come back. Join the next season.")
    require_before_finals(case.season)


async def _ask(conn: Connection, case: Case) -> None:
    if await entrants.waiting_request(conn, case.entrant.id) is not None:
        raise Conflict("You have asked already; an organiser answers with the buttons of the request.")
    request_id = await entrants.ask_back(conn, case.entrant.id, case.now)
    await promises.promise(
        conn,
        key=f"rejoin:{request_id}",
        kind=promises.PostKind.REJOIN,
        league_id=case.league.id,
        season_id=case.season.id,
        target=Target.MODERATION,
        now=case.now,
        facts={"request_id": request_id},
    )
    await note_case(conn, case, "entrant.ask_rejoin", after={"request": request_id})


async def answer_rejoin(db: Database, *, actor: Actor, now: datetime, request_id: int, accept: bool) -> RejoinAnswer:
    """Answer a wish to come back; raises Conflict where somebody has answered it."""
    async with db.transaction() as conn:
        asked = await entrants.request(conn, request_id)
        if asked is None:
            raise NotFound("That request is gone. /disputes shows what waits for an answer.")
        entrant = await entrants.get(conn, asked.entrant_id)
        season = await seasons.get(conn, entrant.season_id)
        league = await find.league(conn, season.league_id)
        require_organiser(league, actor)
        if asked.answered_at is not None:
            raise Conflict(f"This request was {'accepted' if asked.accepted else 'refused'} already.")
        if accept and season.phase not in PLAYING:
            raise WrongPhase(f"Season {season.number} is over; {entrant.name} can join the next one.")
        case = Case(league=league, season=season, entrant=entrant, actor=actor, now=now)
        return await _answer(conn, case, request_id, accept=accept)


async def _answer(conn: Connection, case: Case, request_id: int, *, accept: bool) -> RejoinAnswer:
    await entrants.answer(conn, request_id, accepted=accept, at=case.now)
    number = None
    if accept and not case.entrant.active:
        await _require_way_back(conn, case)
        number = await _come_back(conn, case)
    else:
        await note_case(conn, case, "entrant.answer_rejoin", after={"accepted": accept})
    await promises.touch(conn, season_id=case.season.id, now=case.now)
    return RejoinAnswer(name=case.entrant.name, accepted=accept, round=number)


async def _come_back(conn: Connection, case: Case) -> int:
    """Let somebody play from the next round on; the rounds between are lost without an opponent."""
    left, number = await departure(conn, case.entrant), await next_round(conn, case.season)
    if number > left.round:
        await entrants.change_departure(conn, left.id, rejoined=number)
    else:  # nothing was paired since: as if he had never left
        await entrants.forget_departure(conn, left.id)
    await require_open_stage(conn, case.season, case.entrant.name)
    await note_case(conn, case, "entrant.rejoin", before={"status": left.kind}, after={"from_round": number})
    await tell(conn, case, f"{case.entrant.name} is back in season {case.season.number} from round {number} on.")
    await field_changed(conn, case)
    return number


async def reinstate(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Reinstated:
    """Take a drop or disqualification back before the next round is paired; a drop later too, with rounds missed."""
    async with db.transaction() as conn:
        case = await of_named(conn, league_id, player, actor, now, reason)
        if case.entrant.active:
            raise Conflict(f"{case.entrant.name} is in season {case.season.number}; there is nothing to take back.")
        left, number = await departure(conn, case.entrant), await next_round(conn, case.season)
        first_missed = left.round + 1 if left.after_pairing else left.round
        if number > first_missed:
            await _require_way_back_late(conn, case)
            await _come_back(conn, case)
            return Reinstated(name=case.entrant.name, round=number, forfeited=None)
        await entrants.forget_departure(conn, left.id)
        await refuse_waiting(conn, case)
        await note_case(conn, case, "entrant.reinstate", before={"status": left.kind}, after={"from_round": number})
        await tell(conn, case, f"{case.entrant.name} is back in season {case.season.number}.")
        await field_changed(conn, case)
        return Reinstated(
            name=case.entrant.name, round=number, forfeited=await _forfeited(conn, case.season, case.entrant.id)
        )


async def _require_way_back_late(conn: Connection, case: Case) -> None:
    if case.entrant.departed is DepartureKind.DISQUALIFICATION:
        raise Conflict(
            f"The next round was paired without {case.entrant.name}: a disqualification can be taken back only before."
        )
    await _require_way_back(conn, case)


async def _forfeited(conn: Connection, season: SeasonRow, entrant_id: EntrantId) -> MatchView | None:
    """Return the match that leaving cost, where it could still be played after clearing its result."""
    latest = await rounds.latest(conn, season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN:
        return None
    match = await matches.in_round(conn, latest.id, entrant_id)
    lost = match is not None and match.kind is Kind.FORFEIT and match.winner_id != entrant_id
    return await loading.match_view(conn, match.id) if lost and match is not None else None
