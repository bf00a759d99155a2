"""Values that were worked out once, up to a size; what was used last goes last."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Cache:
    """Values, each with the version it holds for and its size. Several threads share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._values = OrderedDict[Hashable, tuple[int, int, Any]]()
        self._lock = threading.Lock()

    def find(self, key: Hashable, version: int) -> tuple[Any] | None:
        """Return the value of a key, in a tuple, or None where there is none of this version."""
        with self._lock:
            found = self._values.get(key)
            if found is None or found[0] != version:
                return None
            self._values.move_to_end(key)
            return (found[2],)

    def keep(self, key: Hashable, version: int, value: Any, *, size: int) -> None:
        """Keep a value in place of the one before it, and let go of what was not used for longest."""
        with self._lock:
            self._size += size - self._values.pop(key, (0, 0, None))[1]
            self._values[key] = version, size, value
            while self._size > self._most:
                self._size -= self._values.popitem(last=False)[1][1]
