"""What a button stands for beyond its custom_id, kept in memory: it's pressed within minutes, or asked for again."""

import secrets
from typing import Any

from bot.league.errors import Conflict

_MOST = 5000
"""The newest are kept."""
_KEPT: dict[str, Any] = {}


def keep(what: Any) -> str:
    """Keep something and return its key."""
    key = secrets.token_hex(8)
    _KEPT[key] = what
    if len(_KEPT) > _MOST:
        del _KEPT[next(iter(_KEPT))]
    return key


def kept(key: str) -> Any:
    """Return what was kept under a key; raises Conflict where that is gone, after a restart for example."""
    if key not in _KEPT:
        raise Conflict("This message is too old, so nothing was changed. Use the command again.")
    return _KEPT[key]


def let_go(key: str) -> None:
    """Keep something no longer: it is done, or it is large and others came since."""
    _KEPT.pop(key, None)


def forget_all() -> None:
    """Keep nothing any more, as after a restart."""
    _KEPT.clear()
