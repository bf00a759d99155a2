"""Fingerprints in the news: what everyone can note down, to see later that nothing of it was changed."""

from bot.league.checking.fingerprints import fingerprints as made
from bot.services.base.events import RoundClosed
from bot.services.base.transaction import Transaction
from storage.tables import proofs


def round_closed(tx: Transaction, event: RoundClosed) -> None:
    """Keep what the news of a round says of fingerprints: its own, and what was corrected since others were shown."""
    proofs.tell(tx.conn, tx.season.id, [*made(event.season)], event.round.number)
