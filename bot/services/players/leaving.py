"""Leaving a season: drop, disqualification, and what either costs (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict
from bot.league.model import DepartureKind, Stage
from bot.league.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.settings import Rejoin
from bot.services import find
from bot.services.act import Act, Look, shortened
from bot.services.matches import loading
from bot.services.matches.views import MatchView, Seen
from bot.services.outbox import promises
from bot.services.permissions import Actor
from bot.services.players.eligibility import next_round
from bot.services.players.entrant_change import (
    Case,
    departure,
    field_changed,
    note_case,
    of_named,
    refuse_waiting,
    tell,
)
from bot.services.results import transitions
from bot.services.rounds import progress
from storage import entrants, matches, reports, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import EntrantId, EntrantRow, LeagueId, RoundRow, SeasonRow


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


async def drop_preview(db: Database, *, actor: Actor, league_id: LeagueId) -> DropPreview:
    """Return what leaving now would cost the actor; raises NotFound and Conflict where he is not in the season."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id, actor)
        season = await find.live_season(conn, league)
        entrant = await find.own_entrant(Look(conn=conn, actor=actor, league=league, found=season))
        _require_here(season, entrant)
        match = await matches.unfinished_of(conn, entrant.id)
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
    rejoin = rules_season.settings_of(season).rejoin
    if rejoin is Rejoin.NEVER or season.phase is SeasonPhase.FINALS:
        return "There is no way back this season."
    asked = "an organiser has to agree" if rejoin is Rejoin.ASK else "nobody has to agree"
    return f"/rejoin brings you back before the finals: {asked}, and each round missed counts as a loss."


async def drop(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    reason: str | None = None,
    confirmed: bool = False,
    lost: Seen | None = None,
) -> Dropped:
    """Take the actor out of the season; with an open match only when `confirmed`, else Conflict says what it costs.

    With `lost` only while that is the actor's open match.
    """
    async with db.transaction() as conn:
        league = await find.league(conn, league_id, actor)
        season = await find.live_season(conn, league)
        entrant = await find.own_entrant(Look(conn=conn, actor=actor, league=league, found=season))
        match = await matches.unfinished_of(conn, entrant.id)
        other = lost is not None and (match is None or lost != Seen(match=match.id, version=match.version))
        if match is not None and (other or not confirmed) and entrant.active:
            view = await loading.match_view(conn, match.id)
            raise Conflict(f"{_cost(season, entrant, view, False)} Confirm that you want this.")
        case = Case(league=league, season=season, entrant=entrant, actor=actor, now=now, reason=shortened(reason))
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
        case = await of_named(conn, league_id, player, actor, now, reason)
        if kind is DepartureKind.DISQUALIFICATION and case.entrant.departed is DepartureKind.DROP:
            return await _disqualify_the_gone(conn, case)
        return await leave(conn, case, kind)


def _require_here(season: SeasonRow, entrant: EntrantRow) -> None:
    if not entrant.active:
        raise Conflict(f"{entrant.name} has left season {season.number} already.")


async def leave(conn: Connection, case: Case, kind: DepartureKind) -> Dropped:
    """Take somebody out: before the start he was never there, later his open match is lost."""
    _require_here(case.season, case.entrant)
    if case.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return await _withdraw(conn, case)
    replaced = await _round_of_replacement(conn, case)
    if replaced is not None:
        await _depart(conn, case, kind, round=replaced.number, after_pairing=False)
        await _post_anew(conn, case, replaced)
        return Dropped(name=case.entrant.name, season=case.season, withdrew=False, forfeited=None)
    latest = await rounds.latest(conn, case.season.id)
    match = await matches.unfinished_of(conn, case.entrant.id)
    if match is not None:
        do = await Act.inside(conn, case.actor, case.season.id, now=case.now)
        await transitions.forfeit(do, match.id, case.entrant.id)
    if latest is not None and latest.phase is RoundPhase.OPEN:
        await _depart(conn, case, kind, round=latest.number, after_pairing=True)
    else:
        await _depart(conn, case, kind, round=await next_round(conn, case.season), after_pairing=False)
    forfeited = None if match is None else await loading.match_view(conn, match.id)
    await field_changed(conn, case)
    return Dropped(name=case.entrant.name, season=case.season, withdrew=False, forfeited=forfeited)


async def _depart(conn: Connection, case: Case, kind: DepartureKind, *, round: int, after_pairing: bool) -> None:
    """Note that somebody is gone from a round on, and tell the league."""
    await entrants.depart(
        conn,
        entrant_id=case.entrant.id,
        kind=kind,
        round=round,
        after_pairing=after_pairing,
        at=case.now,
        reason=case.reason,
    )
    after = {"status": kind, "round": round, "after_pairing": after_pairing}
    await note_case(conn, case, f"entrant.{kind}", after=after)
    verb = "has left" if kind is DepartureKind.DROP else "is disqualified from"
    await tell(conn, case, f"{case.entrant.name} {verb} season {case.season.number}.")


async def _round_of_replacement(conn: Connection, case: Case) -> RoundRow | None:
    """Return the first round of the finals where somebody in it is still replaced: with `replace`, before any report.

    A season that is a bracket from round 1 has nobody outside who could come in.
    """
    latest = await rounds.latest(conn, case.season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN or not rules_season.settings_of(case.season).replace:
        return None
    finals = [row for row in await rounds.published(conn, case.season.id) if row.stage is Stage.FINALS]
    seated = case.entrant.id in {seat.entrant_id for seat in await matches.seats(conn, latest.id)}
    untouched = all(match.state is MatchState.OPEN for match in await matches.of_round(conn, latest.id))
    return latest if finals == [latest] and latest.number > 1 and seated and untouched else None


async def _post_anew(conn: Connection, case: Case, row: RoundRow) -> None:
    """Pair the first round of the finals again without somebody who was in it: everybody below moves up."""
    text = f"{case.entrant.name} has left before the first result of the finals: round {row.number} is posted anew."
    await promises.withdraw(conn, row.id, text=text, now=case.now)
    await entrants.leave_before_pairing(conn, case.season.id, row.number)
    await reports.forget_round(conn, row.id)
    await rounds.remove(conn, row.id)
    await promises.touch(conn, season_id=case.season.id, now=case.now)
    await seasons.change(conn, case.season.id, phase=SeasonPhase.RUNNING)
    do = await Act.inside(conn, case.actor, case.season.id, now=case.now)
    await progress.pair_and_post(do.by_itself())


async def _withdraw(conn: Connection, case: Case) -> Dropped:
    await entrants.remove(conn, case.entrant.id)
    await note_case(conn, case, "entrant.withdraw", before={"name": case.entrant.name, "deck": case.entrant.deck})
    await promises.touch(conn, season_id=case.season.id, now=case.now)
    return Dropped(name=case.entrant.name, season=case.season, withdrew=True, forfeited=None)


async def _disqualify_the_gone(conn: Connection, case: Case) -> Dropped:
    """Close the way back to somebody who has dropped; what he played stands."""
    left = await departure(conn, case.entrant)
    await entrants.change_departure(conn, left.id, kind=DepartureKind.DISQUALIFICATION, reason=case.reason)
    await refuse_waiting(conn, case)
    await note_case(
        conn, case, "entrant.disqualification", before={"status": "drop"}, after={"status": "disqualification"}
    )
    await tell(conn, case, f"{case.entrant.name} is disqualified from season {case.season.number}.")
    return Dropped(name=case.entrant.name, season=case.season, withdrew=False, forfeited=None)
