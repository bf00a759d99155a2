"""Settings in words: what each is called, and what its values mean to people."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bot.league.settings import PointScale, RatingScale

LABELS: Mapping[str, str] = {
    "rounds": "Rounds",
    "cut": "Finals",
    "best_of": "Match",
    "finals_best_of": "Finals matches",
    "final_best_of": "The final",
    "losses": "Losses",
    "bye_among": "Byes",
    "points": "Points",
    "draws": "Draws",
    "seeding": "Bracket",
    "third_place": "Third place",
    "rejoin": "Coming back",
    "late_entry": "Late entry",
    "replace": "Replacements",
    "no_show": "No-shows",
    "rating": "Ratings",
    "salt": "Salted draw",
    "game": "Game",
    "variant": "KeyForge variant",
    "pace": "Pace",
    "advance": "Next round",
    "overdue": "At the deadline",
    "round_days": "Round length",
    "confirm_hours": "Time to confirm",
    "max_players": "Places",
}
"""What people call each setting."""

_CHOICES: Mapping[tuple[str, Any], str] = {
    ("bye_among", "all"): "for anyone",
    ("bye_among", "lowest"): "for the lowest tier",
    ("draws", True): "possible",
    ("draws", False): "not possible",
    ("seeding", "drawn"): "drawn",
    ("seeding", "seeded"): "by seeds you give",
    ("third_place", True): "played",
    ("third_place", False): "not played",
    ("rejoin", "ask"): "if an organiser agrees",
    ("rejoin", "free"): "without asking",
    ("rejoin", "never"): "not possible",
    ("replace", True): "the next player goes on",
    ("replace", False): "none, the opponent has a bye",
    ("no_show", "drop"): "lose the match and the season",
    ("no_show", "forfeit"): "lose the match",
    ("salt", True): "yes",
    ("salt", False): "no",
    ("game", "keyforge"): "KeyForge",
    ("game", "lightseekers"): "Lightseekers",
    ("variant", "archon"): "Archon",
    ("variant", "sealed"): "Sealed",
    ("pace", "days"): "rounds of days",
    ("pace", "live"): "a live event",
    ("advance", "all-in"): "when all results are in",
    ("advance", "deadline"): "at the deadline",
    ("advance", "manual"): "when an organiser posts it",
    ("overdue", "moderators"): "the moderators decide",
    ("overdue", "double_loss"): "both players lose",
    ("overdue", "extend"): "the round gets longer",
    ("rounds", None): "by the number of players",
    ("cut", None): "the usual number",
    ("cut", 0): "none",
    ("max_players", None): "no limit",
    ("game", None): "not set",
    ("variant", None): "not set",
}
_UNITS = {"round_days": "day", "confirm_hours": "hour", "losses": "loss", "max_players": "player"}
_PLURALS = {"loss": "losses"}


def value_words(key: str, value: Any) -> str:
    """Return what a value of a setting means, as it is kept or as SeasonSettings holds it."""
    if isinstance(value, PointScale | RatingScale):
        value = asdict(value)
    if (key, value if not isinstance(value, Mapping) else "") in _CHOICES:
        return _CHOICES[key, value]
    if isinstance(value, Mapping):
        return ", ".join(f"{part} {number:g}" for part, number in value.items())
    if key.endswith("best_of"):
        return "1 game" if value == 1 else f"best of {value}"
    if key == "cut":
        return f"top {value}"
    if key == "late_entry":
        return "none" if value == 1 else f"until round {value} is paired"
    return _counted(value, _UNITS.get(key, ""))


def setting_words(key: str, value: Any) -> str:
    """Return a setting with its value: `Rounds: 4`."""
    return f"{LABELS[key]}: {value_words(key, value)}"


def _counted(number: int, unit: str) -> str:
    many = _PLURALS.get(unit, f"{unit}s")
    return f"{number} {unit if number == 1 else many}" if unit else str(number)
