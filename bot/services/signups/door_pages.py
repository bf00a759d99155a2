"""Posts that grow: people who ask to be let in, or say who they were, stand on pages of one message each."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

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
    fresh = now - min(row.asked_at for row in last) < FRESH
    return last[0].page if waits and fresh and len(last) < MOST else last[0].page + 1
