"""A player drops out: off the waiting list, off the sign-up list, or out of the season (docs/formats/shared.md)."""

from bot.league.season.model import DepartureKind
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import live, shortened, transaction
from bot.services.play.field import withdrawals
from bot.services.play.field.withdrawals import Dropped
from bot.services.signups import approval, recognising, waiting_list
from storage.database import Connection


def drop(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> Dropped:
    """Take the actor out of the season, or off its waiting list; raises ConfirmationNeeded."""
    tx = transaction(conn, order, live)
    season = tx.season
    queued = waiting_list.own(tx)
    if queued is not None:
        waiting_list.leave(tx, queued, agreed)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, waited=True)
    request = approval.own(tx)
    if request is not None:
        approval.stop(tx, request)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, asked=True)
    claim = recognising.own(tx)
    if claim is not None and claim.own is None:
        recognising.end(tx, claim, accepted=None)
        return Dropped(name=order.actor.name, season=season, kind=DepartureKind.DROP, asked=True)
    entrant = find.own_entrant(tx)
    cost = withdrawals.of_dropping(tx, entrant)
    if cost:
        require_confirmation(cost, agreed)
    return withdrawals.leave(tx, entrant, DepartureKind.DROP, shortened(reason))
