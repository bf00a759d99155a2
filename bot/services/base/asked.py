"""What subjects answer when play, reads and cards ask: `bot/services/wiring.py` says who is asked what.

A subject that isn't there adds nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.services.base.act import Act

Hold = Callable[[Act, bool], str | None]
"""What keeps an open round whose results are in from ending, in words for organisers, or None.

With True the people whose answer it waits for are asked, if they weren't before.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Which functions of the subjects answer which question."""

    holds: Sequence[Hold] = ()


_tables = Tables()


def wire(tables: Tables) -> None:
    """Let these functions answer; called once, by `wiring`."""
    global _tables
    _tables = tables


def holds(do: Act, *, ask: bool) -> tuple[str, ...]:
    """Return what keeps an open round with all results from ending, in words; `ask` those it waits for."""
    return tuple(words for hold in _tables.holds if (words := hold(do, ask)) is not None)
