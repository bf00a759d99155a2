"""What was typed with a command, kept in memory until the button of its question is pressed."""

import secrets
from collections.abc import Mapping
from typing import Any

from bot.league.errors import Conflict

KEY = "[0-9a-f]{16}"
"""The pattern of what a custom_id says of it."""
_MOST = 5000
"""The newest are kept: questions are answered within minutes."""
_KEPT: dict[str, dict[str, Any]] = {}


def keep(typed: Mapping[str, Any]) -> str:
    """Keep what was typed, by option, and return its key; an empty one where nothing was."""
    said = {option: value for option, value in typed.items() if value is not None}
    if not said:
        return ""
    key = secrets.token_hex(8)
    _KEPT[key] = said
    if len(_KEPT) > _MOST:
        del _KEPT[next(iter(_KEPT))]
    return key


def kept(key: str) -> Mapping[str, Any]:
    """Return what was kept under a key; raises Conflict where that is gone, after a restart for example."""
    if key and key not in _KEPT:
        raise Conflict("This message is too old, so nothing was changed. Use the command again.")
    return _KEPT[key] if key else {}


def forget_all() -> None:
    """Keep nothing any more, as after a restart."""
    _KEPT.clear()
