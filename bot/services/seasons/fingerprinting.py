"""Fingerprints in the news: what everyone can note down, to see later that nothing of it was changed."""

from bot.league.checking.fingerprints import fingerprints as made
from bot.services.base.act import Act
from bot.services.base.events import RoundClosed
from storage.tables import proofs


def round_closed(do: Act, event: RoundClosed) -> None:
    """Keep what the news of a round says of fingerprints: its own, and what was corrected since others were shown."""
    proofs.tell(do.conn, do.season.id, [*made(event.season)], event.round.number)
