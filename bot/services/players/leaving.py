"""Leaving a season: drop, disqualification, and what either costs (docs/rules.md, 9)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.league.season.model import DepartureKind
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.base import find
from bot.services.base.act import Act, Look, act, shortened
from bot.services.base.asking import ask_first
from bot.services.base.events import FieldChanged
from bot.services.base.order import Order
from bot.services.base.permissions import is_organiser
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import course, leaving_costs, transitions
from bot.services.play.eligibility import departure, next_round, settle_request
from bot.services.play.leaving_costs import Cost, require_here, round_of_replacement
from bot.services.signups import waiting_list
from storage.database import Connection
from storage.rows import EntrantRow, RoundRow, SeasonRow
from storage.tables import entrants, lists, matches, rounds

Who = Callable[[Look], tuple[EntrantRow, str | None]]
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


def drop(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> Dropped:
    """Take the actor out of the season; raises AskFirst."""

    def own(see: Look) -> tuple[EntrantRow, str | None]:
        see.live_season()
        return find.own_entrant(see), shortened(reason)

    waited = waiting_list.leave(conn, order, agreed=agreed)
    if waited is not None:
        return Dropped(name=order.actor.name, season=waited, kind=DepartureKind.DROP, waited=True)
    with act(conn, order) as do:
        return _leave(do, own, DepartureKind.DROP, leaving_costs.of_dropping, agreed)


def remove(conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None) -> Dropped:
    """Drop a player for them, as an organiser with a reason; raises AskFirst."""
    who = partial(find.entrant_and_reason, named=player, reason=reason)
    with act(conn, order) as do:
        return _leave(do, who, DepartureKind.DROP, leaving_costs.of_removing, agreed)


def disqualify(
    conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None
) -> Dropped:
    """Disqualify a player from the season, as an organiser with a reason; raises AskFirst."""
    who = partial(find.entrant_and_reason, named=player, reason=reason)
    with act(conn, order) as do:
        return _leave(do, who, DepartureKind.DISQUALIFICATION, leaving_costs.of_disqualifying, agreed)


def _leave(do: Act, who: Who, kind: DepartureKind, cost: Cost, agreed: str | None) -> Dropped:
    entrant, reason = who(do)
    words = "" if agreed is None else cost(do, entrant)
    if words:
        ask_first(words, agreed)
    if kind is DepartureKind.DISQUALIFICATION and entrant.departed is DepartureKind.DROP:
        return _disqualify_after_drop(do, entrant, reason)
    return leave(do, entrant, kind, reason)


def leave(do: Act, entrant: EntrantRow, kind: DepartureKind, reason: str | None, *, told: bool = False) -> Dropped:
    """Take a player out, the one way of leaving: before the start they were never there, later they forfeit.

    `told` is whether another message tells people of it: a decision about their match.
    """
    require_here(do, entrant)
    if do.season.phase is SeasonPhase.SIGNUP and kind is DepartureKind.DROP:
        return _withdraw(do, entrant)
    replaced = round_of_replacement(do, entrant)
    if replaced is not None:
        _depart(do, entrant, kind, reason, round_=replaced.number, after_pairing=False)
        _tell(do, entrant, kind)
        _post_again(do, entrant, replaced)
        return Dropped(name=entrant.called, season=do.season, kind=kind)
    match = matches.unfinished_of(do.conn, entrant.id)
    if match is not None:
        transitions.forfeit(do, match.id, entrant.id)
    forfeited = None if match is None else views.match_view(do.conn, match.id)
    latest = rounds.latest(do.conn, do.season.id)
    paired = latest is not None and latest.phase is RoundPhase.OPEN
    number = latest.number if latest is not None and paired else next_round(do)
    ruled = told and not is_organiser(do.league, do.actor)
    _depart(do, entrant, kind, reason, round_=number, after_pairing=paired, by_moderator=ruled)
    if not told:
        _tell(do, entrant, kind, forfeited)
    do.touch()
    course.advance(do)
    return Dropped(name=entrant.called, season=do.season, kind=kind, forfeited=forfeited)


def _depart(
    do: Act,
    entrant: EntrantRow,
    kind: DepartureKind,
    reason: str | None,
    *,
    round_: int,
    after_pairing: bool,
    by_moderator: bool = False,
) -> None:
    left = entrants.last_departure(do.conn, entrant.id)
    if left is not None and left.rejoined is not None and left.rejoined >= next_round(do):
        # A comeback that has not begun is undone: the player was gone all the time.
        entrants.change_departure(do.conn, left.id, kind=kind, rejoined=None)
    else:
        entrants.depart(
            do.conn,
            entrant_id=entrant.id,
            kind=kind,
            round=round_,
            after_pairing=after_pairing,
            by_moderator=by_moderator,
        )
    settle_request(do, entrant, accepted=False)
    after = {"status": kind, "round": round_, "after_pairing": after_pairing}
    do.note(f"entrant.{kind}", entrant.name, after=after, reason=reason)
    do.happened(FieldChanged())


def _tell(do: Act, entrant: EntrantRow, kind: DepartureKind, forfeited: MatchView | None = None) -> None:
    """Tell the league, the player unless they did it themselves, and the opponent who wins by forfeit."""
    verb = "has left" if kind is DepartureKind.DROP else "was disqualified from"
    text = f"{entrant.called} {verb} season {do.season.number}."
    pings = [] if do.actor.user_id == entrant.discord_id else [entrant.discord_id]
    if forfeited is not None:
        opponent = forfeited.opponent_of(entrant)
        text += f" {opponent.called} wins {forfeited.label} by forfeit."
        pings.append(opponent.discord_id)
    do.tell(text, pings=pings)


def _post_again(do: Act, entrant: EntrantRow, row: RoundRow) -> None:
    """Pair the first round of the finals again without a player who was in it: everyone below moves up."""
    text = f"{entrant.called} left before the first result of the finals, so the finals are paired again."
    course.take_back(do, row, text)
    do.by_itself().note("round.undo", row.words, reason=text)
    do.touch()
    course.pair_and_post(do.by_itself())


def _withdraw(do: Act, entrant: EntrantRow) -> Dropped:
    lists.withdraw(do.conn, entrant.id)
    entrants.remove(do.conn, entrant.id)
    do.note("entrant.withdraw", entrant.name, before={"name": entrant.name})
    do.happened(FieldChanged())
    do.touch()
    return Dropped(name=entrant.called, season=do.season, kind=DepartureKind.DROP, withdrew=True)


def _disqualify_after_drop(do: Act, entrant: EntrantRow, why: str | None) -> Dropped:
    """Close the way back to a player who has dropped; what they played still counts."""
    left = departure(do, entrant)
    entrants.change_departure(do.conn, left.id, kind=DepartureKind.DISQUALIFICATION)
    settle_request(do, entrant, accepted=False)
    status = {"before": {"status": "drop"}, "after": {"status": "disqualification"}}
    do.note("entrant.disqualification", entrant.name, **status, reason=why)
    _tell(do, entrant, DepartureKind.DISQUALIFICATION)
    return Dropped(name=entrant.called, season=do.season, kind=DepartureKind.DISQUALIFICATION)
