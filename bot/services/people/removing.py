"""Organisers take a player out of the season: drop and disqualification (docs/formats/shared.md)."""

from bot.league.season.model import DepartureKind
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, Transaction, live, required, transaction
from bot.services.play.field import withdrawals
from bot.services.play.field.eligibility import departure, settle_request
from bot.services.play.field.withdrawals import Dropped
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables.field import entrants


def remove(conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None) -> Dropped:
    """Drop a player for them, as an organiser with a reason; raises ConfirmationNeeded."""
    tx = transaction(conn, order, live, by=ORGANISER)
    entrant, why = find.entrant(tx, player), required(reason)
    require_confirmation(withdrawals.of_removing(tx, entrant), agreed)
    done = withdrawals.leave(tx, entrant, DepartureKind.DROP, why)
    if done.withdrew:
        withdrawals.tell_taken_off(tx, entrant)
    return done


def disqualify(
    conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None
) -> Dropped:
    """Disqualify a player from the season, as an organiser with a reason; raises ConfirmationNeeded."""
    tx = transaction(conn, order, live, by=ORGANISER)
    entrant, why = find.entrant(tx, player), required(reason)
    require_confirmation(withdrawals.of_disqualifying(tx, entrant), agreed)
    if entrant.departed is DepartureKind.DROP:
        return _disqualify_after_drop(tx, entrant, why)
    return withdrawals.leave(tx, entrant, DepartureKind.DISQUALIFICATION, why)


def _disqualify_after_drop(tx: Transaction, entrant: EntrantRow, why: str | None) -> Dropped:
    """Close the way back to a player who has dropped; what they played still counts."""
    left = departure(tx, entrant)
    entrants.change_departure(tx.conn, left.id, kind=DepartureKind.DISQUALIFICATION, by_moderator=False)
    settle_request(tx, entrant, accepted=False)
    status = {"before": {"status": "drop"}, "after": {"status": "disqualification"}}
    tx.note("entrant.disqualification", entrant.name, **status, reason=why)
    withdrawals.tell(tx, entrant, DepartureKind.DISQUALIFICATION)
    return Dropped(name=entrant.called, season=tx.season, kind=DepartureKind.DISQUALIFICATION)
