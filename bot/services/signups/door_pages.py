"""Posts that grow: people who ask to be let in, or say who they were, stand on pages of one message each."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.services.base import outbox
from bot.services.base.outbox import PageFacts
from bot.services.base.post_kinds import PostKind
from bot.services.base.transaction import Transaction

MOST = 9
"""As many people as one page shows: each takes a line and two buttons."""
FRESH = timedelta(days=1)
"""How long a page takes more people; later ones begin another page, which mentions organisers again."""


class Asking(Protocol):
    """Someone who asks, or was answered."""

    @property
    def page(self) -> int:
        """The page they stand on."""
        ...

    @property
    def asked_at(self) -> datetime:
        """When they asked."""
        ...

    @property
    def answered_at(self) -> datetime | None:
        """When they were answered."""
        ...


def page_for(last: Sequence[Asking], now: datetime) -> int:
    """Return the page someone new goes to: the `last` one while it's fresh, has room, and someone on it waits."""
    if not last:
        return 1
    waits = any(row.answered_at is None for row in last)
    fresh = abs(now - min(row.asked_at for row in last)) < FRESH  # of a clock that was ahead it isn't
    return last[0].page if waits and fresh and len(last) < MOST else last[0].page + 1


def show(tx: Transaction, kind: PostKind[PageFacts], page: int) -> None:
    """Ask organisers on a page, which is posted once and grows; it's posted again where its message is gone."""
    outbox.enqueue_again(tx.conn, kind, tx.season, PageFacts(page=page), once=str(page), now=tx.now)
    tx.invalidate_once(kind, once=str(page))
