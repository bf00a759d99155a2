"""Accept a time the opponent proposed."""

from datetime import datetime

from bot.league.errors import Conflict, Invalid, NotFound
from bot.league.season.local_time import full_words
from bot.services.base.order import Order
from bot.services.base.transaction import Transaction, transaction
from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.times import own_zone, time_events
from bot.services.times.proposing import require_possible, require_side
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import times
from storage.tables.times import TimeAnswer, TimeProposalRow


def accept(conn: Connection, order: Order, *, match: int, proposal: int, start: datetime) -> MatchView:
    """Agree on one of the times a player's opponent proposed; returns the match as it is now.

    Raises NotAllowed, NotFound, and WrongPhase, Conflict or Invalid where it can't be agreed on any more.
    """
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = require_side(view, tx, order.now)
    row = times.find_proposal(tx.conn, proposal)
    if row is None or row.match_id != view.match.id or start not in row.moments:
        raise NotFound("These times are gone. /match shows what's proposed for your match.")
    _require_waiting(tx, view, side, row)
    if start <= order.now:
        raise Invalid("That time has passed. To propose others, press None of these work.")
    me = own_zone.people(tx.conn, [side]).get(side.id)
    require_possible(view, start, me.zone if me else None, order.now)
    return time_events.agree(tx, view, view.opponent_of(side), start)


def _require_waiting(tx: Transaction, view: MatchView, side: EntrantRow, row: TimeProposalRow) -> None:
    """Raise Conflict unless this player can still answer a proposal, with what became of it."""
    if row.entrant_id == side.id:
        raise Conflict(f"You proposed these times yourself. {view.opponent_of(side).called} can accept one.")
    if row.answer is TimeAnswer.ACCEPTED and row.accepted == view.match.agreed_at and row.accepted is not None:
        me = own_zone.people(tx.conn, [side]).get(side.id)
        at = f": {full_words(row.accepted, me.zone)}" if me else ""
        raise Conflict(f"You've agreed on a time already{at}. To change it, press Propose times on /match.")
    if row.answer is not None:
        raise Conflict("These times aren't open any more. /match shows what's proposed or agreed now.")
