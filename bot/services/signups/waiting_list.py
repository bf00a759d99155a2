"""A person joins the waiting list of a full season, leaves it, declines a place; `free_places` does what follows."""

from dataclasses import dataclass

from bot.league.errors import Conflict, NotFound
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, Transaction, transaction
from bot.services.signups import free_places
from storage.database import Connection
from storage.rows import PlayerRow, SeasonRow
from storage.tables import seasons
from storage.tables.signups import waitlist
from storage.tables.signups.waitlist import WaitingRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """A player on the waiting list, at a `place` from 1; `already` when nothing changed."""

    name: str
    season: SeasonRow
    place: int
    first_time: bool = False
    already: bool = False


def own(tx: ReadTransaction) -> WaitingRow | None:
    """Return the actor's line on the season's waiting list, or None."""
    user_id = tx.actor.user_id
    return None if user_id is None else waitlist.by_discord(tx.conn, tx.season.id, user_id)


def place_of(tx: ReadTransaction, row: WaitingRow) -> int:
    """Return a player's place on the waiting list, from 1."""
    return 1 + sum(other.id < row.id for other in waitlist.of_season(tx.conn, tx.season.id))


def join(tx: Transaction, player: PlayerRow, *, first_time: bool) -> Waits:
    """Put a player at the end of the waiting list."""
    row = waitlist.add(tx.conn, season_id=tx.season.id, player_id=player.id)
    tx.note("waitlist.join", row.name)
    tx.invalidate()
    return Waits(name=row.name, season=tx.season, place=place_of(tx, row), first_time=first_time)


def leave(tx: Transaction, row: WaitingRow, agreed: str | None) -> None:
    """Take the actor off the waiting list; raises ConfirmationNeeded where that costs something."""
    cost = _cost(tx, row)
    if cost:
        require_confirmation(cost, agreed)
    free_places.leave(tx, row, "waitlist.leave")


def _cost(tx: ReadTransaction, row: WaitingRow) -> str:
    """Return what leaving the list loses; nothing for the last in line."""
    if row.asked_at is not None:
        return f"A place in season {tx.season.number} is kept for you. It will be offered to the next player."
    behind = len(waitlist.of_season(tx.conn, tx.season.id)) - place_of(tx, row)
    return "You'll be off the waiting list. If you join it again, you're at its end." if behind else ""


def decline(conn: Connection, order: Order, *, waiting_id: int) -> SeasonRow:
    """Say no to a place, which is offered to the next; raises NotFound and Conflict as `offered` does."""
    tx, row = offered(conn, order, waiting_id)
    free_places.leave(tx, row, "waitlist.decline")
    return tx.season


def season_of(conn: Connection, *, waiting_id: int) -> SeasonRow | None:
    """Return the season someone waits for a place in, or None where they don't."""
    row = waitlist.find(conn, waiting_id)
    return None if row is None else seasons.get(conn, row.season_id)


def offered(conn: Connection, order: Order, waiting_id: int) -> tuple[Transaction, WaitingRow]:
    """Return an act of the person a place is kept for; raises NotFound for others, and Conflict for no place."""
    row = waitlist.find(conn, waiting_id)
    if row is None or row.discord_id != order.actor.user_id:
        raise NotFound("That place isn't offered to you, or not any more. /help shows what you can do now.")
    tx = transaction(conn, order, season_id=row.season_id)
    if row.asked_at is None:
        raise Conflict("That place isn't free any more. You're still on the waiting list, and will be asked again.")
    return tx, row
