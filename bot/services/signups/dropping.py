"""A player drops out: off the waiting list, off the sign-up list, or out of the season (docs/rules.md, 9)."""

from bot.league.season.model import DepartureKind
from bot.services.base import find
from bot.services.base.act import act, live, shortened
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from bot.services.play import departing
from bot.services.play.departing import Dropped
from bot.services.signups import join_requests, recognising, waiting_list
from storage.database import Connection


def drop(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> Dropped:
    """Take the actor out of the season, or off its waiting list; raises AskFirst."""
    do = act(conn, order, live)
    season = do.season
    queued = waiting_list.own(do)
    if queued is not None:
        waiting_list.leave(do, queued, agreed)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, waited=True)
    request = join_requests.own(do)
    if request is not None:
        join_requests.stop(do, request)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, asked=True)
    claim = recognising.own(do)
    if claim is not None and claim.own is None:
        recognising.end(do, claim, accepted=None)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, asked=True)
    entrant = find.own_entrant(do)
    cost = departing.of_dropping(do, entrant)
    if cost:
        ask_first(cost, agreed)
    return departing.leave(do, entrant, DepartureKind.DROP, shortened(reason))
