"""The settings of a season as options of a command, made from the table of settings and the formats there are."""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args

from discord import app_commands

from bot.league import formats
from bot.league.errors import Invalid
from bot.league.settings import SETTINGS, Setting

_IN_MORE = ("rating", "points", "seeding", "replace")
"""Typed into `more` as `key=value` where a command has no room for them; the first never has an option."""
_MOST_OPTIONS = 25

CallbackT = TypeVar("CallbackT", bound=Callable[..., Any])


def with_settings(*, leave_out: tuple[str, ...] = ()) -> Callable[[CallbackT], CallbackT]:
    """Give a command that takes `**given` one option for every setting, and `more` for the rest."""

    def wrap(callback: CallbackT) -> CallbackT:
        own = [p for p in inspect.signature(callback).parameters.values() if p.kind is not p.VAR_KEYWORD]
        taken = {key for format_ in formats.ALL for key in format_.settings_keys}.difference(leave_out)
        known = [setting for setting in SETTINGS.values() if setting.key in taken]
        # `self` and the interaction are no options, `more` is one.
        room = _MOST_OPTIONS - (len(own) - 2) - 1
        others = _IN_MORE[: max(1, len(known) - room)]
        listed = [setting for setting in known if setting.key not in others]
        added = [_parameter(setting.key, _kind(setting)) for setting in listed]
        callback.__signature__ = inspect.Signature([*own, *added, _parameter("more", str)])  # type: ignore[attr-defined]
        words = {one.key: f"{one.meaning[0].upper()}{one.meaning[1:100]}" for one in listed}
        words["more"] = f"Other settings as name=value, separated by spaces: {', '.join(others)}"
        return app_commands.describe(**words)(callback)

    return wrap


def _parameter(name: str, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind | None)


def _kind(setting: Setting) -> Any:
    if setting.choices:
        return Literal[setting.choices]
    if setting.key == "salt":
        return bool  # the text itself is made when sign-ups close
    return next((kind for kind in (int, bool) if kind in (setting.type, *get_args(setting.type))), str)


def read_options(given: Mapping[str, Any]) -> tuple[dict[str, Any], bool | None]:
    """Return the chosen settings as plain JSON values, and whether to salt the draw (None: not said)."""
    said = {key: value for key, value in given.items() if value is not None}
    salted = said.pop("salt", None)
    said |= _read_more(said.pop("more", ""))
    if isinstance(said.get("points"), str):
        said["points"] = _read_points(said["points"])
    return said, salted


def _read_points(text: str) -> dict[str, int]:
    """Return `3-1-0-1` as points for a win, draw, loss and bye (a bye counts as a win if left out); raises Invalid."""
    parts = text.replace("/", "-").replace(" ", "").split("-")
    if len(parts) not in (3, 4) or not all(part.isascii() and part.isdigit() for part in parts):
        raise Invalid("give win-draw-loss-bye, for example 3-1-0-3", place="points")
    numbers = [int(part) for part in parts]
    return dict(zip(("win", "draw", "loss", "bye"), [*numbers, numbers[0]], strict=False))


def _read_more(text: str) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for piece in text.replace(";", " ").split():
        key, equals, value = piece.partition("=")
        if key not in _IN_MORE or not equals or not value:
            raise Invalid(f"{piece!r} isn't name=value with one of the settings {', '.join(_IN_MORE)}", place="more")
        try:
            said[key] = json.loads(value)
        except ValueError:
            said[key] = value
    return said
