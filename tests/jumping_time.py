"""An event loop whose clock stands still while anyone works, and then jumps to what comes next."""

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

THREADS_SECONDS = 0.002
"""How long to wait for threads that work before looking at them again."""
STUCK_SECONDS = 60
"""How long to wait for threads where nothing else is to come."""


class Stuck(AssertionError):
    """Someone waits, and nothing in the program will ever wake them."""


class _Waiting(selectors.DefaultSelector):
    """Lets the time pass that everyone waits for, instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self.passed = 0.0
        self.busy: Callable[[], bool] = lambda: False

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            ready = super().select(STUCK_SECONDS)
            if not ready:
                raise Stuck("everyone waits for someone else")
            return ready
        ready = super().select(THREADS_SECONDS if timeout and self.busy() else 0)
        if not ready and not self.busy():
            self.passed += timeout
        return ready


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose seconds pass as soon as nobody has anything to do."""

    def __init__(self) -> None:
        self._waiting = _Waiting()
        super().__init__(self._waiting)

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self._waiting.passed

    def let_work(self, busy: Callable[[], bool]) -> None:
        """Let no time pass while this says that threads work."""
        self._waiting.busy = busy
