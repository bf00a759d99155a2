"""Organisers take a player out of the season: drop and disqualification (docs/rules.md, 9)."""

from bot.league.season.model import DepartureKind
from bot.services.base import find
from bot.services.base.act import ORGANISER, Act, act, live, required
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from bot.services.play import departing
from bot.services.play.departing import Dropped
from bot.services.play.eligibility import departure, settle_request
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import entrants


def remove(conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None) -> Dropped:
    """Drop a player for them, as an organiser with a reason; raises AskFirst."""
    do = act(conn, order, live, by=ORGANISER)
    entrant, why = find.entrant(do, player), required(reason)
    ask_first(departing.of_removing(do, entrant), agreed)
    done = departing.leave(do, entrant, DepartureKind.DROP, why)
    if done.withdrew:
        departing.tell_taken_off(do, entrant)
    return done


def disqualify(
    conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None
) -> Dropped:
    """Disqualify a player from the season, as an organiser with a reason; raises AskFirst."""
    do = act(conn, order, live, by=ORGANISER)
    entrant, why = find.entrant(do, player), required(reason)
    ask_first(departing.of_disqualifying(do, entrant), agreed)
    if entrant.departed is DepartureKind.DROP:
        return _disqualify_after_drop(do, entrant, why)
    return departing.leave(do, entrant, DepartureKind.DISQUALIFICATION, why)


def _disqualify_after_drop(do: Act, entrant: EntrantRow, why: str | None) -> Dropped:
    """Close the way back to a player who has dropped; what they played still counts."""
    left = departure(do, entrant)
    entrants.change_departure(do.conn, left.id, kind=DepartureKind.DISQUALIFICATION)
    settle_request(do, entrant, accepted=False)
    status = {"before": {"status": "drop"}, "after": {"status": "disqualification"}}
    do.note("entrant.disqualification", entrant.name, **status, reason=why)
    departing.tell(do, entrant, DepartureKind.DISQUALIFICATION)
    return Dropped(name=entrant.called, season=do.season, kind=DepartureKind.DISQUALIFICATION)
