"""Leaving a season and coming back: drop, rejoin, disqualify, reinstate (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound, WrongPhase
from bot.league.model import DepartureKind, Kind
from bot.league.season import PLAYING, RoundPhase, SeasonPhase
from bot.services import loading, lookup, posts, results, rounds
from bot.services.actors import Actor, require_organiser
from bot.services.changes import note, shortened
from bot.services.entry import discard_draft, next_round, require_before_finals, require_open_stage
from bot.services.views import MatchView
from storage import audit, entrants, outbox, seasons
from storage import rounds as stored
from storage.database import Connection, Database
from storage.rows import DepartureRow, EntrantId, EntrantRow, LeagueId, LeagueRow, SeasonRow, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class DropPreview:
    """What leaving would cost, in one sentence; `withdraws` before the start, `match` the one that would be lost."""

    withdraws: bool
    match: MatchView | None
    cost: str
    entrant_id: EntrantId


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Somebody left; `withdrew` before the start, `forfeited` the match it cost him."""

    name: str
    season: SeasonRow
    withdrew: bool
    forfeited: MatchView | None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """Who is concerned, and who does it when and why."""

    league: LeagueRow
    season: SeasonRow
    entrant: EntrantRow
    actor: Actor
    now: datetime
    reason: str | None = None


# -- leaving -----------------------------------------------------------------------------------------------------------


async def drop_preview(db: Database, *, actor: Actor, league_id: LeagueId) -> DropPreview:
    """Return what leaving now would cost the actor; raises NotFound and Conflict where he is not in the season."""
    async with db.snapshot() as conn:
        league = await lookup.league(conn, league_id)
        season = await lookup.live_season(conn, league)
        entrant = await lookup.own_entrant(conn, season, actor)
        _require_here(season, entrant)
        match = await stored.unfinished_match(conn, entrant.id)
        view = None if match is None else await loading.match_view(conn, match.id)
    withdraws = season.phase is SeasonPhase.SIGNUP
    return DropPreview(
        withdraws=withdraws, match=view, cost=_cost(season, entrant, view, withdraws), entrant_id=entrant.id
    )


def _cost(season: SeasonRow, entrant: EntrantRow, match: MatchView | None, withdraws: bool) -> str:
    if withdraws:
        return f"You leave the sign-up list of season {season.number}; you can sign up again until it starts."
    parts = [f"You leave season {season.number} and are not paired any more."]
    if match is not None:
        opponent = match.upper if match.lower.entrant_id == entrant.id else match.lower
        parts.append(f"Your open match {match.code} against {opponent.name} is lost by forfeit.")
    parts.append(_way_back(season))
    return " ".join(parts)


def _way_back(season: SeasonRow) -> str:
    rejoin = seasons.settings_of(season).rejoin
    if rejoin == "never" or season.phase is SeasonPhase.FINALS:
        return "There is no way back this season."
    asked = "an organiser has to agree" if rejoin == "ask" else "nobody has to agree"
    return f"/rejoin brings you back before the finals: {asked}, and each round missed counts as a loss."


async def drop(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    reason: str | None = None,
    confirmed: bool = False,
) -> Dropped:
    """Take the actor out of the season; with an open match only when `confirmed`, else Conflict says what it costs."""
    async with db.transaction() as conn:
        league = await lookup.league(conn, league_id)
        season = await lookup.live_season(conn, league)
        entrant = await lookup.own_entrant(conn, season, actor)
        match = await stored.unfinished_match(conn, entrant.id)
        if match is not None and not confirmed and entrant.active:
            view = await loading.match_view(conn, match.id)
            raise Conflict(f"{_cost(season, entrant, view, False)} Confirm that you want this.")
        case = _Case(league=league, season=season, entrant=entrant, actor=actor, now=now, reason=shortened(reason))
        return await leave(conn, case, DepartureKind.DROP)


async def remove(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Dropped:
    """Drop a player in his place."""
    return await _put_out(db, DepartureKind.DROP, actor, now, league_id, player, reason)


async def disqualify(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Dropped:
    """Put a player out of the season for good."""
    return await _put_out(db, DepartureKind.DISQUALIFICATION, actor, now, league_id, player, reason)


async def _put_out(
    db: Database,
    kind: DepartureKind,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    player: str,
    reason: str | None,
) -> Dropped:
    async with db.transaction() as conn:
        case = await _case(conn, league_id, player, actor, now, reason)
        if kind is DepartureKind.DISQUALIFICATION and case.entrant.departed is DepartureKind.DROP:
            return await _disqualify_the_gone(conn, case)
        return await leave(conn, case, kind)


async def _case(
    conn: Connection, league_id: LeagueId, player: str, actor: Actor, now: datetime, reason: str | None
) -> _Case:
    """Return a named player's case for an organiser, who has to give a reason."""
    league = await lookup.league(conn, league_id)
    require_organiser(league, actor)
    words = shortened(reason)
    if words is None:
        raise Invalid("Give a reason: it is kept in the league's audit (/league audit).")
    season = await lookup.live_season(conn, league)
    entrant = await lookup.entrant(conn, league, season, player)
    return _Case(league=league, season=season, entrant=entrant, actor=actor, now=now, reason=words)


def _require_here(season: SeasonRow, entrant: EntrantRow) -> None:
    if not entrant.active:
        raise Conflict(f"{entrant.name} has left season {season.number} already.")


async def leave(conn: Connection, case: _Case, kind: DepartureKind) -> Dropped:
    """Take somebody out: before the start he was never there, later his open match is lost."""
    _require_here(case.season, case.entrant)
    if case.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return await _withdraw(conn, case)
    latest = await stored.latest(conn, case.season.id)
    going_on = latest is not None and latest.phase is RoundPhase.OPEN
    match = await stored.unfinished_match(conn, case.entrant.id)
    if match is not None:
        await results.forfeit(conn, match.id, case.entrant.id, case.now)
    await entrants.depart(
        conn,
        entrant_id=case.entrant.id,
        kind=kind,
        round=latest.number if going_on and latest is not None else await next_round(conn, case.season),
        after_pairing=going_on,
        at=case.now,
        reason=case.reason,
    )
    await _note(conn, case, str(kind), after={"status": kind, "match": None if match is None else match.id})
    verb = "has left" if kind is DepartureKind.DROP else "is disqualified from"
    await _tell(conn, case, f"{case.entrant.name} {verb} season {case.season.number}.")
    forfeited = None if match is None else await loading.match_view(conn, match.id)
    await _field_changed(conn, case, f"{case.entrant.name} {verb} the season.")
    return Dropped(name=case.entrant.name, season=case.season, withdrew=False, forfeited=forfeited)


async def _withdraw(conn: Connection, case: _Case) -> Dropped:
    await entrants.remove(conn, case.entrant.id)
    await _note(conn, case, "withdrew", before={"name": case.entrant.name, "deck": case.entrant.deck})
    await posts.touch(conn, season_id=case.season.id, now=case.now)
    return Dropped(name=case.entrant.name, season=case.season, withdrew=True, forfeited=None)


async def _disqualify_the_gone(conn: Connection, case: _Case) -> Dropped:
    """Close the way back to somebody who has dropped; what he played stands."""
    departure = await _departure(conn, case.entrant)
    await entrants.change_departure(conn, departure.id, kind=DepartureKind.DISQUALIFICATION, reason=case.reason)
    await _refuse_waiting(conn, case)
    await _note(conn, case, "disqualification", before={"status": "drop"}, after={"status": "disqualification"})
    await _tell(conn, case, f"{case.entrant.name} is disqualified from season {case.season.number}.")
    return Dropped(name=case.entrant.name, season=case.season, withdrew=False, forfeited=None)


async def _field_changed(conn: Connection, case: _Case, because: str) -> None:
    """Do what follows from another field: count anew, throw a draft away, go on where nothing is waited for."""
    await posts.touch(conn, season_id=case.season.id, now=case.now)
    await discard_draft(conn, case.season, because=because, now=case.now)
    if case.season.phase in PLAYING:
        await rounds.advance(conn, case.season.id, case.now)


# -- coming back -------------------------------------------------------------------------------------------------------


async def rejoin(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> Rejoined:
    """Bring the actor back into the season, or ask the organisers, as the season's `rejoin` says."""
    async with db.transaction() as conn:
        league = await lookup.league(conn, league_id)
        season = await lookup.playing_season(conn, league)
        entrant = await lookup.own_entrant(conn, season, actor)
        case = _Case(league=league, season=season, entrant=entrant, actor=actor, now=now)
        if entrant.active:
            raise Conflict(f"You are in season {season.number}. /match shows what comes next.")
        await _require_way_back(conn, case)
        if seasons.settings_of(season).rejoin == "free":
            return Rejoined(name=entrant.name, asked=False, round=await _come_back(conn, case))
        await _ask(conn, case)
        return Rejoined(name=entrant.name, asked=True, round=None)


async def _require_way_back(conn: Connection, case: _Case) -> None:
    """Raise unless the rules let somebody who left come back now."""
    if case.entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{case.entrant.name} is disqualified from season {case.season.number}: no way back.")
    if seasons.settings_of(case.season).rejoin == "never":
        raise NotAllowed(f"In season {case.season.number} who has left cannot come back. Join the next season.")
    require_before_finals(case.season)


async def _ask(conn: Connection, case: _Case) -> None:
    if await entrants.waiting_request(conn, case.entrant.id) is not None:
        raise Conflict("You have asked already; an organiser answers with the buttons of the request.")
    request_id = await entrants.ask_back(conn, case.entrant.id, case.now)
    await posts.promise(
        conn,
        key=f"rejoin:{request_id}",
        kind=posts.PostKind.REJOIN,
        league_id=case.league.id,
        season_id=case.season.id,
        target=Target.MODERATION,
        now=case.now,
        facts={"request_id": request_id},
    )
    await _note(conn, case, "asked to rejoin", after={"request": request_id})


async def answer_rejoin(db: Database, *, actor: Actor, now: datetime, request_id: int, accept: bool) -> RejoinAnswer:
    """Answer a wish to come back; raises Conflict where somebody has answered it."""
    async with db.transaction() as conn:
        asked = await entrants.request(conn, request_id)
        if asked is None:
            raise NotFound("That request is gone. /disputes shows what waits for an answer.")
        entrant = await entrants.get(conn, asked.entrant_id)
        season = await seasons.get(conn, entrant.season_id)
        league = await lookup.league(conn, season.league_id)
        require_organiser(league, actor)
        if asked.answered_at is not None:
            raise Conflict(f"This request was {'accepted' if asked.accepted else 'refused'} already.")
        if accept and season.phase not in PLAYING:
            raise WrongPhase(f"Season {season.number} is over; {entrant.name} can join the next one.")
        case = _Case(league=league, season=season, entrant=entrant, actor=actor, now=now)
        return await _answer(conn, case, request_id, accept=accept)


async def _answer(conn: Connection, case: _Case, request_id: int, *, accept: bool) -> RejoinAnswer:
    await entrants.answer(conn, request_id, accepted=accept, at=case.now)
    number = None
    if accept and not case.entrant.active:
        await _require_way_back(conn, case)
        number = await _come_back(conn, case)
    else:
        await _note(conn, case, "rejoin answered", after={"accepted": accept})
    await outbox.touch(conn, season_id=case.season.id, kinds=(posts.PostKind.REJOIN,), now=case.now)
    return RejoinAnswer(name=case.entrant.name, accepted=accept, round=number)


async def _refuse_waiting(conn: Connection, case: _Case) -> None:
    waiting = await entrants.waiting_request(conn, case.entrant.id)
    if waiting is not None:
        await entrants.answer(conn, waiting.id, accepted=False, at=case.now)
        await outbox.touch(conn, season_id=case.season.id, kinds=(posts.PostKind.REJOIN,), now=case.now)


async def _come_back(conn: Connection, case: _Case) -> int:
    """Let somebody play from the next round on; the rounds between are lost without an opponent."""
    departure, number = await _departure(conn, case.entrant), await next_round(conn, case.season)
    if number > departure.round:
        await entrants.come_back(conn, departure.id, number)
    else:  # nothing was paired since: as if he had never left
        await entrants.forget_departure(conn, departure.id)
    await require_open_stage(conn, case.season, case.entrant.name)
    await _note(conn, case, "rejoined", before={"status": departure.kind}, after={"from_round": number})
    await _tell(conn, case, f"{case.entrant.name} is back in season {case.season.number} from round {number} on.")
    await _field_changed(conn, case, f"{case.entrant.name} is back.")
    return number


async def reinstate(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Reinstated:
    """Take a drop or disqualification back before the next round is paired; a drop later too, with rounds missed."""
    async with db.transaction() as conn:
        case = await _case(conn, league_id, player, actor, now, reason)
        if case.entrant.active:
            raise Conflict(f"{case.entrant.name} is in season {case.season.number}; there is nothing to take back.")
        departure, number = await _departure(conn, case.entrant), await next_round(conn, case.season)
        first_missed = departure.round + 1 if departure.after_pairing else departure.round
        if number > first_missed:
            await _require_way_back_late(conn, case)
            await _come_back(conn, case)
            return Reinstated(name=case.entrant.name, round=number, forfeited=None)
        await entrants.forget_departure(conn, departure.id)
        await _refuse_waiting(conn, case)
        await _note(conn, case, "reinstated", before={"status": departure.kind}, after={"from_round": number})
        await _tell(conn, case, f"{case.entrant.name} is back in season {case.season.number}.")
        await _field_changed(conn, case, f"{case.entrant.name} is back.")
        return Reinstated(
            name=case.entrant.name, round=number, forfeited=await _forfeited(conn, case.season, case.entrant.id)
        )


async def _require_way_back_late(conn: Connection, case: _Case) -> None:
    if case.entrant.departed is DepartureKind.DISQUALIFICATION:
        raise Conflict(
            f"The next round was paired without {case.entrant.name}: a disqualification can be taken back only before."
        )
    await _require_way_back(conn, case)


async def _forfeited(conn: Connection, season: SeasonRow, entrant_id: EntrantId) -> MatchView | None:
    """Return the match that leaving cost, where it could still be played after clearing its result."""
    latest = await stored.latest(conn, season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN:
        return None
    match = await stored.match_in_round(conn, latest.id, entrant_id)
    lost = match is not None and match.kind is Kind.FORFEIT and match.winner_id != entrant_id
    return await loading.match_view(conn, match.id) if lost and match is not None else None


# -- shared ------------------------------------------------------------------------------------------------------------


async def _departure(conn: Connection, entrant: EntrantRow) -> DepartureRow:
    departure = await entrants.last_departure(conn, entrant.id)
    if departure is None:
        raise Conflict(f"{entrant.name} has not left.")
    return departure


async def _note(conn: Connection, case: _Case, action: str, **states: dict[str, object]) -> None:
    await note(
        conn,
        actor=case.actor,
        now=case.now,
        league=case.league,
        season=case.season,
        action=action,
        subject=case.entrant.name,
        before=states.get("before"),
        after=states.get("after"),
        reason=case.reason,
    )


async def _tell(conn: Connection, case: _Case, text: str) -> None:
    """Promise a notice to the league; the key holds the moment, since one may leave and come back often."""
    await posts.promise(
        conn,
        key=f"season:{case.season.id}:entrant:{case.entrant.id}:{await _count(conn, case)}:notice",
        kind=posts.PostKind.NOTICE,
        league_id=case.league.id,
        season_id=case.season.id,
        now=case.now,
        facts={"text": text},
    )


async def _count(conn: Connection, case: _Case) -> int:
    """Return how much is noted of the league: a number no other change has."""
    return await audit.count(conn, case.league.id)
