"""A match by hand for a player who sits a round out, against the one who has its bye (docs/formats/shared.md)."""

from collections.abc import Sequence

from bot.league.errors import Conflict
from bot.league.season.phases import RoundPhase
from bot.services.base import outbox
from bot.services.base.transaction import Transaction
from storage.rows import EntrantRow, RoundRow
from storage.tables import matches


def pair_with_bye(tx: Transaction, row: RoundRow, players: Sequence[EntrantRow]) -> bool:
    """Pair a player who sits the round out with one who has its bye; False where both have a seat in it.

    Raises Conflict where neither has the bye, or one has left.
    """
    seats = {seat.entrant_id: seat for seat in matches.seats(tx.conn, row.id)}
    away = [player for player in players if player.id not in seats]
    if not away:
        return False
    resting = [player for player in players if player.id in seats and seats[player.id].match_id is None]
    if not resting:
        raise Conflict(
            f"{away[0].called} sits out {row.words}. They can only play against someone who has a bye in it: choose "
            "those two."
        )
    if not away[0].active:
        raise Conflict(f"{away[0].called} has left the season and can't be paired.")
    _pair(tx, row, resting[0], away[0])
    return True


def _pair(tx: Transaction, row: RoundRow, resting: EntrantRow, away: EntrantRow) -> None:
    matches.remove_bye(tx.conn, row.id, resting.id)
    last = max((match.position for match in matches.of_round(tx.conn, row.id)), default=0)
    sides = {"upper_id": resting.id, "lower_id": away.id}
    matches.add(tx.conn, round_id=row.id, position=last + 1, **sides)
    if row.phase is RoundPhase.OPEN:
        pairs, byes = matches.of_round(tx.conn, row.id), matches.byes(tx.conn, row.id)
        outbox.enqueue_round(tx.conn, tx.season, row, pairs, byes, now=tx.now)
