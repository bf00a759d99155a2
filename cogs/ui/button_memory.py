"""What a button stands for beyond its custom_id, kept in memory: it's pressed within minutes, or asked for again."""

import secrets
from collections import Counter
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from bot.league.errors import Conflict

MOST = 5000
"""So many things are kept, the newest."""
BYTES_OF_SERVER, BYTES = 20_000_000, 100_000_000
"""So many bytes are kept for each server and for all: what is older goes first, and the newest always stays."""
LIGHT = 4_000
"""Bytes that what is typed with a command counts; larger things say how large they are."""
server: ContextVar[int | None] = ContextVar("server", default=None)
"""The server someone is answered in, which what is kept counts for."""


@dataclass(frozen=True, slots=True)
class _Kept:
    what: Any
    server: int | None
    size: int


_KEPT: dict[str, _Kept] = {}
_bytes: Counter[int | None] = Counter()


def keep(what: Any, *, size: int = LIGHT) -> str:
    """Keep something of so many bytes and return its key; what is older makes room."""
    key, mine = secrets.token_hex(8), server.get()
    _KEPT[key] = _Kept(what, mine, size)
    _bytes[mine] += size
    if _bytes[mine] > BYTES_OF_SERVER:
        for old in [old for old, entry in _KEPT.items() if entry.server == mine]:
            if _bytes[mine] <= BYTES_OF_SERVER or old == key:
                break
            forget(old)
    while len(_KEPT) > MOST or (_bytes.total() > BYTES and len(_KEPT) > 1):
        forget(next(iter(_KEPT)))
    return key


def kept(key: str) -> Any:
    """Return what was kept under a key; raises Conflict where that is gone, after a restart for example."""
    if key not in _KEPT:
        raise Conflict("This message is too old, so nothing was changed. Use the command again.")
    return _KEPT[key].what


def forget(key: str) -> None:
    """Keep something no longer: it is answered, or others came since."""
    gone = _KEPT.pop(key, None)
    if gone is not None:
        _bytes[gone.server] -= gone.size
        if not _bytes[gone.server]:
            del _bytes[gone.server]


def forget_all() -> None:
    """Keep nothing any more, as after a restart."""
    _KEPT.clear()
    _bytes.clear()
