"""Organisers take a player out of the season: drop and disqualification (docs/formats/shared.md)."""

from dataclasses import dataclass

from bot.league.season.model import DepartureKind
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, Transaction, live, required, transaction
from bot.services.play.field import withdrawals
from bot.services.play.field.eligibility import departure, next_round, settle_request
from bot.services.play.field.withdrawals import Dropped
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import audit
from storage.tables.field import entrants

_DISQUALIFIED = f"entrant.{DepartureKind.DISQUALIFICATION}"


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
    """Close the way back to a player who has dropped; what they played counts as before."""
    left = departure(tx, entrant)
    entrants.change_departure(tx.conn, left.id, kind=DepartureKind.DISQUALIFICATION, by_moderator=False)
    settle_request(tx, entrant, accepted=False)
    before = {"status": left.kind, "by_moderator": left.by_moderator}
    after = {"status": DepartureKind.DISQUALIFICATION, "round": next_round(tx), "after_pairing": False}
    tx.note(_DISQUALIFIED, entrant.name, before=before, after=after, reason=why)
    withdrawals.tell(tx, entrant, DepartureKind.DISQUALIFICATION)
    struck = withdrawals.is_struck(tx, entrant)
    return Dropped(name=entrant.called, season=tx.season, kind=DepartureKind.DISQUALIFICATION, struck=struck)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOver:
    """An earlier drop that a disqualification took over; `comeback` if its player was to come back in the next round.

    `first` is the first round the disqualification itself costs.
    """

    comeback: bool
    by_moderator: bool
    first: int


def taken_over(tx: Transaction, entrant: EntrantRow) -> TakenOver | None:
    """Return the earlier drop that a player's disqualification took over, as the audit log knows it; else None."""
    note = audit.last_about(tx.conn, tx.season.id, _DISQUALIFIED, entrant.name)
    if entrant.departed is not DepartureKind.DISQUALIFICATION or note is None:
        return None
    before, after = note.before, note.after
    if before is None or after is None or "round" not in after:
        return None
    return TakenOver(
        comeback="from_round" in before,
        by_moderator=bool(before.get("by_moderator")),
        first=after["round"] + after["after_pairing"],
    )
