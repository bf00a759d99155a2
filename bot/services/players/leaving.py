"""Leaving a season: drop, disqualification, and what either costs (docs/rules.md, 9)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bot.league.errors import Conflict
from bot.league.season.model import DepartureKind
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.base import find
from bot.services.base.act import Act, Look, act, look, shortened
from bot.services.base.asking import ask_first
from bot.services.base.permissions import Actor, is_organiser
from bot.services.computing import begins_again
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import course, transitions
from bot.services.play.eligibility import departure, next_round, settle_request
from bot.services.players import leaving_costs
from bot.services.players.leaving_costs import Cost, State, require_here, round_of_replacement, state_of
from bot.services.signups import free_places, waiting_list
from storage.database import Database
from storage.rows import EntrantRow, LeagueId, RoundRow, SeasonRow
from storage.tables import entrants, lists, matches, rounds

Who = Callable[[Look], Awaitable[tuple[EntrantRow, str | None]]]
"""Finds the entry of the player who leaves, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A player who left; `withdrew` before the start, `waited` for a place, `forfeited` the match it cost."""

    name: str
    season: SeasonRow
    kind: DepartureKind
    withdrew: bool = False
    waited: bool = False
    forfeited: MatchView | None = None


@begins_again
async def drop(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    reason: str | None = None,
    agreed: str | None = None,
) -> Dropped:
    """Take the actor out of the season; raises AskFirst."""

    async def own(see: Look) -> tuple[EntrantRow, str | None]:
        await see.live_season()
        return await find.own_entrant(see), shortened(reason)

    waited = await waiting_list.leave(db, actor=actor, now=now, league_id=league_id, agreed=agreed)
    if waited is not None:
        return Dropped(name=actor.name, season=waited, kind=DepartureKind.DROP, waited=True)
    state = await _ask(db, actor, league_id, own, leaving_costs.of_dropping, agreed)
    async with act(db, actor, now, league_id) as do:
        return await _leave(do, own, DepartureKind.DROP, state)


@begins_again
async def remove(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    player: str,
    reason: str | None,
    agreed: str | None = None,
) -> Dropped:
    """Drop a player for them, as an organiser with a reason; raises AskFirst."""
    who = partial(find.entrant_and_reason, named=player, reason=reason)
    state = await _ask(db, actor, league_id, who, leaving_costs.of_removing, agreed)
    async with act(db, actor, now, league_id) as do:
        return await _leave(do, who, DepartureKind.DROP, state)


@begins_again
async def disqualify(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    player: str,
    reason: str | None,
    agreed: str | None = None,
) -> Dropped:
    """Disqualify a player from the season, as an organiser with a reason; raises AskFirst."""
    who = partial(find.entrant_and_reason, named=player, reason=reason)
    state = await _ask(db, actor, league_id, who, leaving_costs.of_disqualifying, agreed)
    async with act(db, actor, now, league_id) as do:
        return await _leave(do, who, DepartureKind.DISQUALIFICATION, state)


async def _ask(
    db: Database, actor: Actor, league_id: LeagueId, who: Who, cost: Cost, agreed: str | None
) -> State | None:
    """Return what the cost was worked out from; a round is looked ahead for it, which must not hold up who writes."""
    if agreed is None:
        return None
    async with look(db, actor, league_id) as see:
        entrant, _ = await who(see)
        words, state = await cost(see, entrant), await state_of(see, entrant)
    if words:
        ask_first(words, agreed)
    return state


async def _leave(do: Act, who: Who, kind: DepartureKind, state: State | None) -> Dropped:
    entrant, reason = await who(do)
    if state not in (None, await state_of(do, entrant)):
        raise Conflict("Something has just changed, so this may cost more now. Nothing was done; try again.")
    if kind is DepartureKind.DISQUALIFICATION and entrant.departed is DepartureKind.DROP:
        return await _disqualify_after_drop(do, entrant, reason)
    return await leave(do, entrant, kind, reason)


async def leave(
    do: Act, entrant: EntrantRow, kind: DepartureKind, reason: str | None, *, told: bool = False
) -> Dropped:
    """Take a player out, the one way of leaving: before the start they were never there, later they forfeit.

    `told` is whether another message tells people of it: a decision about their match.
    """
    require_here(do, entrant)
    if do.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return await _withdraw(do, entrant)
    replaced = await round_of_replacement(do, entrant)
    if replaced is not None:
        await _depart(do, entrant, kind, reason, round_=replaced.number, after_pairing=False)
        await _tell(do, entrant, kind)
        await _post_again(do, entrant, replaced)
        return Dropped(name=entrant.called, season=do.season, kind=kind)
    match = await matches.unfinished_of(do.conn, entrant.id)
    if match is not None:
        await transitions.forfeit(do, match.id, entrant.id)
    forfeited = None if match is None else await views.match_view(do.conn, match.id)
    latest = await rounds.latest(do.conn, do.season.id)
    paired = latest is not None and latest.phase is RoundPhase.OPEN
    number = latest.number if latest is not None and paired else await next_round(do)
    ruled = told and not is_organiser(do.league, do.actor)
    await _depart(do, entrant, kind, reason, round_=number, after_pairing=paired, by_moderator=ruled)
    if not told:
        await _tell(do, entrant, kind, forfeited)
    await do.touch()
    await course.advance(do)
    return Dropped(name=entrant.called, season=do.season, kind=kind, forfeited=forfeited)


async def _depart(
    do: Act,
    entrant: EntrantRow,
    kind: DepartureKind,
    reason: str | None,
    *,
    round_: int,
    after_pairing: bool,
    by_moderator: bool = False,
) -> None:
    left = await entrants.last_departure(do.conn, entrant.id)
    if left is not None and left.rejoined is not None and left.rejoined >= await next_round(do):
        # A comeback that has not begun is undone: the player was gone all the time.
        await entrants.change_departure(do.conn, left.id, kind=kind, rejoined=None)
    else:
        await entrants.depart(
            do.conn,
            entrant_id=entrant.id,
            kind=kind,
            round=round_,
            after_pairing=after_pairing,
            by_moderator=by_moderator,
        )
    await settle_request(do, entrant, accepted=False)
    after = {"status": kind, "round": round_, "after_pairing": after_pairing}
    await do.note(f"entrant.{kind}", entrant.name, after=after, reason=reason)
    await free_places.offer(do)


async def _tell(do: Act, entrant: EntrantRow, kind: DepartureKind, forfeited: MatchView | None = None) -> None:
    """Tell the league, the player unless they did it themselves, and the opponent who wins by forfeit."""
    verb = "has left" if kind is DepartureKind.DROP else "was disqualified from"
    text = f"{entrant.called} {verb} season {do.season.number}."
    pings = [] if do.actor.user_id == entrant.discord_id else [entrant.discord_id]
    if forfeited is not None:
        opponent = forfeited.opponent_of(entrant)
        text += f" {opponent.called} wins {forfeited.label} by forfeit."
        pings.append(opponent.discord_id)
    await do.tell(text, pings=pings)


async def _post_again(do: Act, entrant: EntrantRow, row: RoundRow) -> None:
    """Pair the first round of the finals again without a player who was in it: everyone below moves up."""
    text = f"{entrant.called} left before the first result of the finals, so the finals are paired again."
    await course.take_back(do, row, text)
    await do.by_itself().note("round.undo", row.words, reason=text)
    await do.touch()
    await course.pair_and_post(do.by_itself())


async def _withdraw(do: Act, entrant: EntrantRow) -> Dropped:
    await lists.withdraw(do.conn, entrant.id)
    await entrants.remove(do.conn, entrant.id)
    await do.note("entrant.withdraw", entrant.name, before={"name": entrant.name})
    await free_places.offer(do)
    await do.touch()
    return Dropped(name=entrant.called, season=do.season, kind=DepartureKind.DROP, withdrew=True)


async def _disqualify_after_drop(do: Act, entrant: EntrantRow, why: str | None) -> Dropped:
    """Close the way back to a player who has dropped; what they played still counts."""
    left = await departure(do, entrant)
    await entrants.change_departure(do.conn, left.id, kind=DepartureKind.DISQUALIFICATION)
    await settle_request(do, entrant, accepted=False)
    status = {"before": {"status": "drop"}, "after": {"status": "disqualification"}}
    await do.note("entrant.disqualification", entrant.name, **status, reason=why)
    await _tell(do, entrant, DepartureKind.DISQUALIFICATION)
    return Dropped(name=entrant.called, season=do.season, kind=DepartureKind.DISQUALIFICATION)
