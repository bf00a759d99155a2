"""The settings of a season as people choose and type them: options of a command, lists of choices, texts."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, TypeVar, get_args

from discord import app_commands

from bot.league.errors import Invalid
from bot.league.formats.shared.base import Format
from bot.league.season.list_rules import ListRules
from bot.league.season.setting_words import LABELS, setting_words, value_words
from bot.league.season.settings import SETTINGS, PointScale, RatingScale, Setting
from bot.services.seasons.plans import Plan

OPTIONS = (
    "rounds",
    "cut",
    "best_of",
    "finals_best_of",
    "final_best_of",
    "losses",
    "rejoin",
    "late_entry",
    "round_days",
    "confirm_hours",
    "max_players",
    "advance",
    "salt",
    "match_places",
)
"""The settings `/season create` has an option for; the panel has all of them."""
USUAL, OTHER = "default", "other"
"""The choices for a setting's default, and for a value to type."""

_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "rounds": tuple(range(1, 13)),
    "cut": (0, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32),
    "best_of": (1, 3, 5, 7),
    "finals_best_of": (1, 3, 5, 7),
    "final_best_of": (1, 3, 5, 7),
    "losses": (1, 2, 3, 4, 5),
    "late_entry": (1, 2, 3, 4, 5, 6, 8),
    "round_days": (1, 2, 3, 4, 5, 7, 10, 14, 21, 28),
    "confirm_hours": (1, 2, 6, 12, 24, 36, 48, 72),
    "check_in_hours": (0, 1, 2, 6, 12, 24, 48),
    "max_players": (4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 128),
}
_LONGEST_NUMBER = 9
_SCALES = {key: tuple(asdict(SETTINGS[key].default)) for key in ("points", "rating")}
_EXAMPLES = {"points": "3-1-0-3", "rating": "25 8.3 4.2 0.08 0", "lists": "2 season 0 round 1"}
_LIST_FIELDS = tuple(asdict(ListRules()))
_TYPED: Mapping[str, tuple[str, ...]] = {
    "points": ("1-0-0-1", "2-1-0-2", "3-1-0-3"),
    "round_ends": ("sunday 21:00", "sunday 23:59", "monday 20:00", "friday 20:00"),
    "lists": ("1 season 0 due", "2 season 0 due", "1 season 0 end", "1 round 24 due", "1 round 24 match"),
}
"""Examples of what can be typed; anything else of the same form can be too."""
SALTS = ("off", "names")
"""Whether the draw is mixed with all names of the sign-up."""
_YES, _NO = ("yes", "on", "true"), ("no", "off", "false")

CallbackT = TypeVar("CallbackT", bound=Callable[..., Any])


def with_settings(callback: CallbackT) -> CallbackT:
    """Give a command that takes `**given` an option for each setting of OPTIONS."""
    own = [p for p in inspect.signature(callback).parameters.values() if p.kind is not p.VAR_KEYWORD]
    added = [_parameter(SETTINGS[key]) for key in OPTIONS]
    callback.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    meanings = {key: SETTINGS[key].meaning for key in OPTIONS}
    return app_commands.describe(**{key: f"{said[0].upper()}{said[1:100]}" for key, said in meanings.items()})(callback)


def _parameter(setting: Setting) -> inspect.Parameter:
    kind: Any = Literal[setting.choices] if setting.choices else _kind(setting)
    return inspect.Parameter(setting.key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind | None)


def _kind(setting: Setting) -> Any:
    """Return the type of a setting's option; the text of a salt is made when sign-ups close."""
    if setting.key == "salt":
        return Literal[SALTS]
    return next((kind for kind in (int, bool) if kind in (setting.type, *get_args(setting.type))), str)


def choices(plan: Plan, key: str) -> list[tuple[str, str]]:
    """Return what a setting can be, as (text to type, words): the default first, at last another one to type."""
    usual, now = _text_of(key, _default(plan, key)), _text_of(key, plan.value(key))
    there = [text for text in dict.fromkeys([*_texts(plan.format, key), now]) if text not in ("", usual)]
    if key in _NUMBERS:
        there.sort(key=int)
    made = [(USUAL, words_of(plan, key, _default(plan, key)))]
    if key != "rating":  # its numbers are typed
        made += [(text, setting_words(key, read_text(key, text))) for text in there]
    typed = [(OTHER, f"{LABELS[key]}: something else…")] if key in _NUMBERS or key in _SCALES or key in _TYPED else []
    return [*made, *typed]


def words_of(plan: Plan, key: str, value: Any) -> str:
    """Return a setting of a season with a value in words; a format says what no cut means in it."""
    return f"{LABELS[key]}: {plan.format.usual_cut}" if key == "cut" and value is None else setting_words(key, value)


def chosen(plan: Plan, key: str) -> str:
    """Return which of the choices a setting is now."""
    now = _text_of(key, plan.value(key))
    if now == _text_of(key, _default(plan, key)):
        return USUAL
    return OTHER if key == "rating" else now


def _default(plan: Plan, key: str) -> Any:
    return False if key == "salt" else plan.default(key)


def _texts(format_: Format, key: str) -> Sequence[str]:
    setting = SETTINGS[key]
    if setting.choices:
        return setting.choices
    if key == "salt":
        return SALTS
    if _kind(setting) is bool:
        return ("yes", "no")
    if key == "cut" and format_.key == "keyforge-swiss":
        return ("0", "2", "4", "8", "16", "32")
    return _TYPED[key] if key in _TYPED else [str(number) for number in _NUMBERS.get(key, ())]


def _text_of(key: str, value: Any) -> str:
    return SALTS[bool(value)] if key == "salt" else text_of(value)


def text_of(value: Any) -> str:
    """Return a value as people type it; nothing for one that isn't set."""
    if isinstance(value, PointScale | RatingScale | ListRules):
        value = asdict(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts = [f"{part:g}" if isinstance(part, int | float) else part for part in value.values()]
        return ("-" if "win" in value else " ").join(parts)
    return "" if value is None else str(value)


def read_text(key: str, text: str) -> Any:
    """Return what was typed for a setting as a plain JSON value, None for its default; raises Invalid."""
    typed = text.strip().casefold()
    if typed in ("", USUAL):
        return None
    if key in _SCALES:
        return _read_scale(key, typed)
    if key == "lists":
        return _read_lists(typed)
    if key == "round_ends":
        return SETTINGS[key].read(typed)
    if key == "salt":
        return _read_salt(typed)
    if _kind(SETTINGS[key]) is bool:
        return _read_flag(key, typed)
    if key in _NUMBERS:
        return _read_number(key, typed)
    words = {value_words(key, word).casefold(): word for word in SETTINGS[key].choices}
    if typed not in SETTINGS[key].choices and typed not in words:
        raise Invalid(f"choose one of: {', '.join(SETTINGS[key].choices)}", place=key)
    return words.get(typed, typed)


def _read_salt(typed: str) -> bool:
    if typed not in SALTS:
        raise Invalid(f"choose one of: {', '.join(SALTS)}", place="salt")
    return typed == SALTS[True]


def _read_flag(key: str, typed: str) -> bool:
    if typed not in _YES + _NO:
        raise Invalid("choose yes or no", place=key)
    return typed in _YES


def _read_number(key: str, typed: str) -> int:
    if key == "cut" and typed in ("none", "no finals"):
        return 0
    if not _is_number(typed):
        raise Invalid("give a whole number, or leave it empty for the default", place=key)
    return int(typed)


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdecimal() and len(typed) <= _LONGEST_NUMBER


def _read_lists(typed: str) -> dict[str, Any] | None:
    """Return `2 season 0 round 1` as the fields of ListRules in their order; `none` is the default."""
    if typed == "none":
        return None
    parts = dict(zip(_LIST_FIELDS, typed.split(maxsplit=len(_LIST_FIELDS) - 1), strict=False))
    if not all(_is_number(parts.get(key, "")) for key in ("number", "due_hours")) or len(parts) < len(_LIST_FIELDS):
        raise Invalid(f"say {', '.join(_LIST_FIELDS)}, for example {_EXAMPLES['lists']}", place="lists")
    return {key: int(part) if _is_number(part) else part for key, part in parts.items()}


def _read_scale(key: str, typed: str) -> dict[str, float]:
    """Return `3-1-0-3`, or `25 8.3 4.2 0.08 0`, as the numbers of points or ratings in their order."""
    names, parts = _SCALES[key], typed.split() if key == "rating" else typed.replace("-", " ").split()
    try:
        read = [float(part) if key == "rating" else int(part) for part in parts[: len(names)]]
    except ValueError:
        read = []
    if len(parts) != len(names) or len(read) != len(names):
        raise Invalid(f"give {len(names)} numbers ({', '.join(names)}), for example {_EXAMPLES[key]}", place=key)
    return dict(zip(names, read, strict=True))
