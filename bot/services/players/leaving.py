"""Leaving a season: drop, disqualification, and what either costs (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict
from bot.league.model import DepartureKind, Stage
from bot.league.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.settings import Rejoin
from bot.services import find
from bot.services.act import Act, Look, act, look, shortened
from bot.services.matches import views
from bot.services.matches.views import MatchView, Seen
from bot.services.permissions import Actor
from bot.services.players.eligibility import can_come_back, departure, next_round, settle_request
from bot.services.results import transitions
from bot.services.rounds import progress
from storage.database import Database
from storage.rows import EntrantRow, LeagueId, MatchId, RoundRow, SeasonRow
from storage.tables import entrants, matches, rounds


class CostsMatch(Conflict):
    """Leaving now costs an open match the person hasn't agreed to lose; `cost` says so in words."""

    def __init__(self, match: MatchView, cost: str) -> None:
        self.match, self.cost = match, cost
        super().__init__(f"{cost} To do that, use /drop and confirm it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A player who left; `withdrew` before the start, `forfeited` the match it cost."""

    name: str
    season: SeasonRow
    kind: DepartureKind
    withdrew: bool = False
    forfeited: MatchView | None = None


async def _cost(see: Look, entrant: EntrantRow, match: MatchView) -> str:
    lost = f" and forfeit your open match against {match.opponent_of(entrant).name}"
    replaced = await _round_of_replacement(see, entrant)
    if replaced is not None:
        lost = " and lose your place in the finals, which are paired again without you"
    return f"You'll leave season {see.season.number}{lost}. {await _way_back(see)}"


async def _way_back(see: Look) -> str:
    if not await can_come_back(see):
        return "You can't come back this season."
    agreed = ", if an organiser agrees" if see.settings.rejoin is Rejoin.ASK else ""
    return (
        f"You can come back with /rejoin until the last regular round is paired{agreed}. Missed rounds count as losses."
    )


async def drop(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    reason: str | None = None,
    lost: Seen | None = None,
) -> Dropped:
    """Take the actor out of the season; raises CostsMatch where they have an open match but for `lost`."""
    async with act(db, actor, now, league_id) as do:
        await do.live_season()
        entrant = await find.own_entrant(do)
        match = await matches.unfinished_of(do.conn, entrant.id)
        if match is None or not entrant.active or lost == Seen(match=match.id, version=match.version):
            return await leave(do, entrant, DepartureKind.DROP, shortened(reason))
    raise await _question(db, actor, match.id)


async def _question(db: Database, actor: Actor, match_id: MatchId) -> CostsMatch:
    """Return what leaving now would cost; a round is looked ahead for that, which must not hold up who writes."""
    async with look(db, actor, None, match_id=match_id) as see:
        view = await views.match_view(see.conn, match_id)
        return CostsMatch(view, await _cost(see, await find.own_entrant(see), view))


async def remove(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Dropped:
    """Drop a player for them, as an organiser with a reason."""
    async with act(db, actor, now, league_id) as do:
        entrant, why = await find.entrant_and_reason(do, player, reason)
        return await leave(do, entrant, DepartureKind.DROP, why)


async def disqualify(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, reason: str | None
) -> Dropped:
    """Disqualify a player from the season, as an organiser with a reason."""
    async with act(db, actor, now, league_id) as do:
        entrant, why = await find.entrant_and_reason(do, player, reason)
        if entrant.departed is DepartureKind.DROP:
            return await _disqualify_after_drop(do, entrant, why)
        return await leave(do, entrant, DepartureKind.DISQUALIFICATION, why)


def _require_here(see: Look, entrant: EntrantRow) -> None:
    if not entrant.active:
        raise Conflict(f"{entrant.name} has already left season {see.season.number}.")


async def leave(do: Act, entrant: EntrantRow, kind: DepartureKind, reason: str | None) -> Dropped:
    """Take a player out, the one way of leaving: before the start they were never there, later they forfeit."""
    _require_here(do, entrant)
    if do.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return await _withdraw(do, entrant)
    replaced = await _round_of_replacement(do, entrant)
    if replaced is not None:
        await _depart(do, entrant, kind, reason, round_=replaced.number, after_pairing=False)
        await _post_again(do, entrant, replaced)
        return Dropped(name=entrant.name, season=do.season, kind=kind)
    match = await matches.unfinished_of(do.conn, entrant.id)
    if match is not None:
        await transitions.forfeit(do, match.id, entrant.id)
    forfeited = None if match is None else await views.match_view(do.conn, match.id)
    latest = await rounds.latest(do.conn, do.season.id)
    paired = latest is not None and latest.phase is RoundPhase.OPEN
    number = latest.number if latest is not None and paired else await next_round(do)
    await _depart(do, entrant, kind, reason, round_=number, after_pairing=paired, forfeited=forfeited)
    await do.touch()
    await progress.advance(do)
    return Dropped(name=entrant.name, season=do.season, kind=kind, forfeited=forfeited)


async def _depart(
    do: Act,
    entrant: EntrantRow,
    kind: DepartureKind,
    reason: str | None,
    *,
    round_: int,
    after_pairing: bool,
    forfeited: MatchView | None = None,
) -> None:
    left = await entrants.last_departure(do.conn, entrant.id)
    if left is not None and left.rejoined is not None and left.rejoined >= await next_round(do):
        # A comeback that has not begun is undone: the player was gone all the time.
        await entrants.change_departure(do.conn, left.id, kind=kind, rejoined=None)
    else:
        await entrants.depart(do.conn, entrant_id=entrant.id, kind=kind, round=round_, after_pairing=after_pairing)
    await settle_request(do, entrant, accepted=False)
    after = {"status": kind, "round": round_, "after_pairing": after_pairing}
    await do.note(f"entrant.{kind}", entrant.name, after=after, reason=reason)
    await _tell(do, entrant, kind, forfeited)


async def _tell(do: Act, entrant: EntrantRow, kind: DepartureKind, forfeited: MatchView | None = None) -> None:
    """Tell the league, the player unless they did it themselves, and the opponent who wins by forfeit."""
    verb = "has left" if kind is DepartureKind.DROP else "was disqualified from"
    text = f"{entrant.name} {verb} season {do.season.number}."
    pings = [] if do.actor.user_id == entrant.discord_id else [entrant.discord_id]
    if forfeited is not None:
        opponent = forfeited.opponent_of(entrant)
        text += f" {opponent.name} wins {forfeited.label} by forfeit."
        pings.append(opponent.discord_id)
    await do.tell(text, pings=pings)


async def _round_of_replacement(see: Look, entrant: EntrantRow) -> RoundRow | None:
    """Return the first round of the finals where players in it are still replaced: with `replace`, before any report.

    A season that is a bracket from round 1 has no one outside who could come in.
    """
    latest = await rounds.latest(see.conn, see.season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN or not see.settings.replace:
        return None
    finals = [row for row in await rounds.published(see.conn, see.season.id) if row.stage is Stage.FINALS]
    seated = entrant.id in {seat.entrant_id for seat in await matches.seats(see.conn, latest.id)}
    untouched = all(match.state is MatchState.OPEN for match in await matches.of_round(see.conn, latest.id))
    return latest if finals == [latest] and latest.number > 1 and seated and untouched else None


async def _post_again(do: Act, entrant: EntrantRow, row: RoundRow) -> None:
    """Pair the first round of the finals again without a player who was in it: everyone below moves up."""
    text = f"{entrant.name} left before the first result of the finals, so the finals were paired again."
    await progress.take_back(do, row, text)
    await do.touch()
    await progress.pair_and_post(do.by_itself())


async def _withdraw(do: Act, entrant: EntrantRow) -> Dropped:
    await entrants.remove(do.conn, entrant.id)
    await do.note("entrant.withdraw", entrant.name, before={"name": entrant.name, "deck": entrant.deck})
    await do.touch()
    return Dropped(name=entrant.name, season=do.season, kind=DepartureKind.DROP, withdrew=True)


async def _disqualify_after_drop(do: Act, entrant: EntrantRow, why: str) -> Dropped:
    """Close the way back to a player who has dropped; what they played still counts."""
    left = await departure(do, entrant)
    await entrants.change_departure(do.conn, left.id, kind=DepartureKind.DISQUALIFICATION)
    await settle_request(do, entrant, accepted=False)
    status = {"before": {"status": "drop"}, "after": {"status": "disqualification"}}
    await do.note("entrant.disqualification", entrant.name, **status, reason=why)
    await _tell(do, entrant, DepartureKind.DISQUALIFICATION)
    return Dropped(name=entrant.name, season=do.season, kind=DepartureKind.DISQUALIFICATION)
