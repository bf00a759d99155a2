"""Settings of a season drawn by chance, so that every value of every setting comes up."""

import random
from typing import Any

from bot.league.formats import by_key
from bot.league.season.settings import SETTINGS
from tests.services.conftest import MODERATOR_ROLE

VALUES: dict[str, tuple[Any, ...]] = {
    "rounds": (None, 1, 2, 3, 4),
    "cut": (None, 0, 1, 2, 4, 8),
    "best_of": (1, 3),
    "finals_best_of": (1, 3),
    "final_best_of": (1, 3, 5),
    "losses": (1, 2, 3),
    "points": ({"win": 3, "draw": 1, "loss": 0, "bye": 3}, {"win": 1, "draw": 0, "loss": 0, "bye": 1}),
    "late_entry": (1, 2, 3, 4),
    "rating": ({"mu": 30, "sigma": 5},),
    "round_days": (1, 3, 7),
    "round_ends": (None, "sunday 02:30", "friday 21:00"),
    "stage_ends": (None, None, "2026-04-12 21:00"),
    "first_match_days": (None, None, 1, 7),
    "confirm_hours": (1, 24, 72),
    "check_in_hours": (0, 1, 24),
    "lists": (
        None,
        {"number": 1},
        {"number": 2, "per": "round", "secret": "match"},
        {"due_hours": 24, "secret": "end"},
        {"secret": "round 1"},
    ),
    "max_players": (None, 3, 5, 8),
    "join_role": (*(None,) * 9, MODERATOR_ROLE),
    "ask_name": (None, "KeyForge user name"),
    "salt": (None, "sealed", "sealed"),
}
"""Values that suit walks better than those a setting offers."""
THEMES: tuple[dict[str, Any], ...] = (
    {},
    {"max_players": 3},
    {"check_in_hours": 24, "max_players": 4},
    {"lists": {"number": 1}},
    {"lists": {"number": 1, "per": "round", "secret": "match"}},
    {"match_places": "threads", "confirm_hours": 1},
    {"match_places": "private", "no_show": "forfeit"},
    {"pace": "live", "game": "keyforge", "advance": "manual"},
    {"rejoin": "ask", "late_entry": 3, "rounds": 3},
    {"rounds": 1, "cut": 2, "rejoin": "free"},
    {"rounds": 1, "cut": 2, "match_places": "threads"},
    *3 * ({"rounds": 1, "cut": 4},),  # the one format in which organisers break ties has no more of its own
    {"scores": True, "confirm_hours": 1},
    {"scores": True, "best_of": 3, "finals_best_of": 3, "draws": True},
    {"overdue": "double_loss", "round_days": 1},
    {"overdue": "extend", "round_days": 1},
)
"""Settings whose consequences are rare otherwise, one of which each walk begins with."""
_OPEN: dict[str, Any] = {"schedule": "open", "pace": "days", "round_ends": None}
OPEN_THEMES: tuple[dict[str, Any], ...] = (
    *2 * (_OPEN | {"group_size": 4, "match_places": "card", "lists": None, "first_match_days": 1},),
    *2 * (_OPEN | {"group_size": None, "grouping": "drawn", "match_places": "threads", "lists": None},),
    _OPEN | {"group_size": 3, "meetings": 2, "match_places": "card", "through": 1, "lists": {"number": 1}},
    _OPEN | {"group_size": 5, "match_places": "threads", "stage_ends": None, "round_days": 1, "overdue": "double_loss"},
    _OPEN | {"group_size": 5, "match_places": "card", "stage_ends": None, "round_days": 1, "overdue": "extend"},
    _OPEN | {"group_size": 3, "grouping": "divisions", "match_places": "card", "scores": True, "lists": None},
    _OPEN
    | {"group_size": None, "grouping": "drawn", "match_places": "card", "first_match_days": 1, "confirm_hours": 1},
)
"""The same for a stage whose rounds are all open at once, where a format has one: a third of its walks."""


def some(chance: random.Random, format_: str, *, most: int = 12) -> dict[str, Any]:
    """Return values for some of a format's settings; not all of them go together."""
    keys = sorted(by_key(format_).settings_keys)
    return {key: chance.choice(values_of(key)) for key in chance.sample(keys, chance.randint(0, min(most, len(keys))))}


def theme(chance: random.Random, format_: str) -> dict[str, Any]:
    """Return the settings of one theme that a format takes."""
    keys = by_key(format_).settings_keys
    themes = (*THEMES, *OPEN_THEMES) if "schedule" in keys else THEMES
    return {key: value for key, value in chance.choice(themes).items() if key in keys}


def values_of(key: str) -> tuple[Any, ...]:
    """Return the values a setting is drawn from."""
    setting = SETTINGS[key]
    return VALUES[key] if key in VALUES else tuple(map(setting.typed, setting.values.offered))
