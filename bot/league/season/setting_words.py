"""Settings in words: what each is called, and what its values mean to people."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from bot.league.season.list_rules import ListRules, ListsPer, SecretUntil
from bot.league.season.settings import SETTINGS, PointScale, RatingScale, SeasonSettings, Variant

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
    "variant": "Variant",
    "pace": "Pace",
    "advance": "Next round",
    "overdue": "At the deadline",
    "round_days": "Round length",
    "round_ends": "Rounds end",
    "confirm_hours": "Time to answer",
    "check_in_hours": "Check-in",
    "match_places": "Match places",
    "dice_off": "Dice-off",
    "lists": "Lists",
    "max_players": "Places",
}
"""What people call each setting."""

VARIANT_NAMES: Mapping[Variant, str] = {
    Variant.ARCHON: "Archon",
    Variant.SEALED: "Sealed",
    Variant.STARTER_DECK: "Starter Deck",
    Variant.BOOSTER_DRAFT: "Booster Draft",
    Variant.BASIC_CONSTRUCTED: "Basic Constructed",
    Variant.ADVANCED_CONSTRUCTED: "Advanced Constructed",
}
"""What the documents call each variant."""

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
    ("salt", True): "with all names",
    ("salt", False): "no",
    ("game", "keyforge"): "KeyForge",
    ("game", "lightseekers"): "Lightseekers",
    **{("variant", variant.value): words for variant, words in VARIANT_NAMES.items()},
    ("pace", "days"): "rounds of days",
    ("pace", "live"): "a live event",
    ("advance", "all-in"): "when all results are in",
    ("advance", "deadline"): "at the deadline",
    ("advance", "manual"): "when an organiser posts it",
    ("overdue", "moderators"): "the moderators decide",
    ("overdue", "double_loss"): "both players lose",
    ("overdue", "extend"): "the round gets longer",
    ("round_ends", None): "a full round length after they start",
    ("check_in_hours", 0): "none",
    ("match_places", "card"): "the round's card alone",
    ("match_places", "threads"): "a public thread for each match",
    ("match_places", "private"): "a private thread for each match",
    ("dice_off", "off"): "none",
    ("dice_off", "draw"): "by the draw",
    ("dice_off", "equalizer"): "for the player who won fewer",
    ("lists", None): "none",
    ("rounds", None): "by the number of players",
    ("cut", None): "the default number",
    ("cut", 0): "none",
    ("max_players", None): "no limit",
    ("game", None): "not set",
    ("variant", None): "not set",
}
_UNITS = {
    "round_days": "day",
    "confirm_hours": "hour",
    "losses": "loss",
    "max_players": "player",
}
_PLURALS = {"loss": "losses"}


def value_words(key: str, value: Any) -> str:
    """Return what a value of a setting means, as it is kept or as SeasonSettings holds it."""
    if key == "lists" and isinstance(value, Mapping):
        value = SETTINGS[key].read(value)
    if isinstance(value, PointScale | RatingScale):
        value = asdict(value)
    if (key, value if not isinstance(value, Mapping) else "") in _CHOICES:
        return _CHOICES[key, value]
    if isinstance(value, ListRules):
        return lists_words(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{part} {number:g}" for part, number in value.items())
    if key.endswith("best_of"):
        return "1 game" if value == 1 else f"best of {value}"
    if key == "cut":
        return f"top {value}"
    if key == "round_ends":
        return value.capitalize()
    if key == "check_in_hours":
        return f"from {_counted(value, 'hour')} before the start"
    if key == "late_entry":
        return "none" if value == 1 else f"until round {value} is paired"
    return _counted(value, _UNITS.get(key, ""))


def lists_words(rules: ListRules) -> str:
    """Return which lists players hand in: `2 for the season, before it starts, secret until round 1`."""
    season = rules.per is ListsPer.SEASON
    how_often = "for the season" if season else "for each round"
    start = "the season starts" if season else "it is posted"
    due = f"before {start}" if rules.due_hours == 0 else f"until {_counted(rules.due_hours, 'hour')} after {start}"
    return f"{rules.number} {how_often}, {due}, {_SECRET[rules.secret]}"


_SECRET = {
    SecretUntil.DUE: "secret until then",
    SecretUntil.ROUND_1: "secret until round 1",
    SecretUntil.MATCH: "shown to each opponent",
    SecretUntil.END: "secret until the end",
}


def setting_words(key: str, value: Any) -> str:
    """Return a setting with its value: `Rounds: 4`."""
    return f"{LABELS[key]}: {value_words(key, value)}"


IN_SHORT = frozenset(
    {
        "rounds",
        "cut",
        "losses",
        "best_of",
        "finals_best_of",
        "final_best_of",
        "seeding",
        "third_place",
        "round_days",
        "confirm_hours",
        "overdue",
    }
)
"""Settings that the rules in short tell by themselves."""


def changed_words(settings: SeasonSettings, keys: Iterable[str], defaults: Mapping[str, Any]) -> tuple[str, ...]:
    """Return in words each setting that isn't its format's default, but those the rules in short tell anyway."""
    values = {key: getattr(settings, key) for key in LABELS if key in keys and key not in IN_SHORT}
    said = {key: value is not None if key == "salt" else value for key, value in values.items()}
    usual = {key: defaults.get(key, SETTINGS[key].default) for key in said} | {"salt": False}
    return tuple(setting_words(key, value) for key, value in said.items() if value != usual[key])


def _counted(number: int, unit: str) -> str:
    many = _PLURALS.get(unit, f"{unit}s")
    return f"{number} {unit if number == 1 else many}" if unit else str(number)
