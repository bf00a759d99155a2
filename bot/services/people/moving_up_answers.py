"""A player takes the place in the finals that came free, leaves it to the next, or says nothing (KTC, Making a Cut)."""

from bot.league.errors import Conflict
from bot.league.season.model import DepartureKind
from bot.league.season.phases import PLAYING
from bot.services.base import pending_questions
from bot.services.base.order import Order
from bot.services.base.pending_questions import Question
from bot.services.base.transaction import Transaction
from bot.services.play import progression
from bot.services.play.field import withdrawals
from bot.services.play.field.moving_up import MOVING_UP, close
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables.field import entrants, finals_places
from storage.tables.field.finals_places import FinalsPlaceAnswer, FinalsPlaceId


def answer(conn: Connection, order: Order, *, place_id: FinalsPlaceId, plays: bool) -> EntrantRow:
    """Take the place in the finals, or drop out before them; raises NotAllowed, NotFound and Conflict."""
    row = pending_questions.found(finals_places.find(conn, place_id))
    tx, player = pending_questions.to_answer(conn, order, row.entrant_id, own=True)
    if row.answered_at is not None or tx.season.phase not in PLAYING:
        raise Conflict("That's settled: there's nothing left to answer. /match shows what comes next.")
    close(tx, row, FinalsPlaceAnswer.PLAYS if plays else FinalsPlaceAnswer.DECLINED)
    tx.note("entrant.moving_up", player.name, after={"plays": plays})
    if plays:
        progression.advance(tx)
    else:
        withdrawals.leave(tx, player, DepartureKind.DROP, "doesn't move up into the finals")
    return player


def _leave(tx: Transaction, place_id: int) -> None:
    """Let a player who said nothing in time drop out before the finals."""
    row = finals_places.get(tx.conn, FinalsPlaceId(place_id))
    player = entrants.get(tx.conn, row.entrant_id)
    close(tx, row, FinalsPlaceAnswer.SILENT)
    tx.tell(
        f"{player.called} doesn't move up into the finals, and has left season {tx.season.number}.",
        pings=[player.discord_id],
    )
    withdrawals.leave(tx, player, DepartureKind.DROP, "didn't answer whether they move up", announced=True)


MOVING_UP_ANSWER = Question(
    kind=MOVING_UP,
    asked=finals_places.ASKED,
    about=lambda _, post: [MOVING_UP.facts(post).place_id],
    words="offer place {} in the finals to the next",
    silence=_leave,
)
"""Whether a player moves up into the finals."""
