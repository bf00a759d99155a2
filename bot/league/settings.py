"""The settings of a season: one table of keys, with their checks, defaults and meaning."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from bot.league.errors import Invalid

MAX_CUT = 64
MAX_ROUNDS = 50
MAX_DAYS = 365
LONGEST_SALT = 64
"""Ours has 16 hex digits; `verify` says where another stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointScale:
    """Points a match result gives in a format that counts points."""

    win: int = 1
    draw: int = 0
    loss: int = 0
    bye: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingScale:
    """The TrueSkill environment of a season (docs/rules.md, 3)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    tau: float = 25.0 / 300
    draw_probability: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """All settings of a season; a format uses those it names, the rest keep their defaults."""

    rounds: int | None = None
    cut: int | None = None
    best_of: int = 1
    finals_best_of: int = 1
    final_best_of: int = 1
    losses: int = 2
    bye_among: str = "all"
    points: PointScale = PointScale()
    draws: bool = False
    seeding: str = "drawn"
    third_place: bool = False
    rejoin: str = "ask"
    late_entry: int = 2
    replace: bool = True
    no_show: str = "drop"
    rating: RatingScale = RatingScale()
    salt: str | None = None
    game: str | None = None
    variant: str | None = None
    pace: str = "days"
    advance: str = "all-in"
    overdue: str = "moderators"
    round_days: int = 7
    confirm_hours: int = 24
    max_players: int | None = None
    explicit: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """What was said, as plain JSON values: a file and a database keep this, not the defaults."""


Check = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key: how a JSON value is checked and turned into what SeasonSettings holds."""

    key: str
    check: Check
    meaning: str
    choices: tuple[str, ...] = ()


def _whole(low: int, high: int, *, or_null: bool = False) -> Check:
    def check(value: Any) -> int | None:
        if value is None and or_null:
            return None
        if type(value) is not int or not low <= value <= high:
            raise Invalid(f"must be a whole number from {low} to {high}{' or null' if or_null else ''}")
        return value

    return check


def _odd(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 9 or value % 2 == 0:
        raise Invalid("must be odd, from 1 to 9 (1, 3 and 5 are usual)")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise Invalid("must be true or false")
    return value


def _choice(*choices: str, or_null: bool = False) -> Check:
    def check(value: Any) -> str | None:
        if value is None and or_null:
            return None
        if value not in choices:
            raise Invalid(f"must be one of {', '.join(choices)}{' or null' if or_null else ''}")
        return value

    return check


def _salt(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_SALT:
        raise Invalid(f"must be null or the text published at the start, 1 to {LONGEST_SALT} characters")
    return value


def _number(value: Any, key: str, low: float, high: float) -> float:
    if type(value) not in (int, float) or not low <= value <= high:
        raise Invalid(f"{key} must be a number from {low:g} to {high:g}")
    return float(value)


def _members(value: Any, kind: type[Any]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Invalid("must be an object")
    known = [f.name for f in fields(kind)]
    for key in value:
        if key not in known:
            raise Invalid(f"does not know {key!r}; it takes {', '.join(known)}")
    return dict(value)


def _points(value: Any) -> PointScale:
    given = _members(value, PointScale)
    for key, points in given.items():
        if type(points) is not int or not 0 <= points <= 100:
            raise Invalid(f"{key} must be a whole number from 0 to 100")
    scale = PointScale(**given)
    if not scale.loss <= scale.draw <= scale.win or scale.loss == scale.win:
        raise Invalid("a win must give more than a loss, a draw something between")
    return scale


def _rating(value: Any) -> RatingScale:
    given = _members(value, RatingScale)
    limits = {"mu": (-1e6, 1e6), "sigma": (1e-6, 1e6), "beta": (1e-6, 1e6), "tau": (0, 1e6)}
    read = {key: _number(number, key, *limits.get(key, (0, 0.99))) for key, number in given.items()}
    return RatingScale(**read)


SETTINGS: tuple[Setting, ...] = (
    Setting(key="rounds", check=_whole(1, MAX_ROUNDS, or_null=True), meaning="rounds of the regular stage"),
    Setting(key="cut", check=_whole(0, MAX_CUT, or_null=True), meaning="how many enter the finals; 0 for none"),
    Setting(key="best_of", check=_odd, meaning="games of a match in the regular stage"),
    Setting(key="finals_best_of", check=_odd, meaning="games of a match in the finals"),
    Setting(key="final_best_of", check=_odd, meaning="games of the final match"),
    Setting(key="losses", check=_whole(1, 5), meaning="losses that eliminate"),
    Setting(
        key="bye_among",
        check=_choice("all", "lowest"),
        choices=("all", "lowest"),
        meaning="who can get the bye: everybody, or the lowest tier",
    ),
    Setting(key="points", check=_points, meaning="points for a win, draw, loss and bye"),
    Setting(key="draws", check=_flag, meaning="whether a match can be drawn"),
    Setting(
        key="seeding",
        check=_choice("drawn", "seeded"),
        choices=("drawn", "seeded"),
        meaning="how the bracket is filled",
    ),
    Setting(key="third_place", check=_flag, meaning="whether the losing semi-finalists play for third place"),
    Setting(
        key="rejoin",
        check=_choice("ask", "free", "never"),
        choices=("ask", "free", "never"),
        meaning="whether who dropped may come back",
    ),
    Setting(key="late_entry", check=_whole(1, MAX_ROUNDS), meaning="the last round one may still enter at"),
    Setting(key="replace", check=_flag, meaning="whether who qualified and leaves before the finals is replaced"),
    Setting(
        key="no_show",
        check=_choice("drop", "forfeit"),
        choices=("drop", "forfeit"),
        meaning="what not appearing costs: the season, or the match",
    ),
    Setting(key="rating", check=_rating, meaning="the TrueSkill environment"),
    Setting(key="salt", check=_salt, meaning="the salt of the draw"),
    Setting(
        key="game",
        check=_choice("keyforge", "lightseekers", or_null=True),
        choices=("keyforge", "lightseekers"),
        meaning="the game, for round lengths and time called",
    ),
    Setting(
        key="variant",
        check=_choice("archon", "sealed", or_null=True),
        choices=("archon", "sealed"),
        meaning="the KeyForge variant, for round lengths",
    ),
    Setting(
        key="pace", check=_choice("days", "live"), choices=("days", "live"), meaning="rounds of days, or a live event"
    ),
    Setting(
        key="advance",
        check=_choice("all-in", "deadline", "manual"),
        choices=("all-in", "deadline", "manual"),
        meaning="when the next round is paired",
    ),
    Setting(
        key="overdue",
        check=_choice("moderators", "double_loss", "extend"),
        choices=("moderators", "double_loss", "extend"),
        meaning="what happens to unreported matches at the deadline",
    ),
    Setting(key="round_days", check=_whole(1, MAX_DAYS), meaning="days a round lasts"),
    Setting(key="confirm_hours", check=_whole(1, 24 * 14), meaning="hours until silence confirms a report"),
    Setting(key="max_players", check=_whole(2, 100_000, or_null=True), meaning="how many may sign up"),
)
"""The one table of settings: files, commands, forms and documentation read it."""

COMMON: tuple[str, ...] = (
    "best_of", "finals_best_of", "final_best_of", "rejoin", "late_entry", "replace", "no_show", "rating", "salt",
    "game", "variant", "pace", "advance", "overdue", "round_days", "confirm_hours", "max_players",
)  # fmt: skip
"""What every format takes."""

_BY_KEY = {setting.key: setting for setting in SETTINGS}


def read_settings(given: Mapping[str, Any], *, allowed: tuple[str, ...], defaults: Mapping[str, Any]) -> SeasonSettings:
    """Check plain JSON values and fill in a format's defaults; raises Invalid with `key: what would work`."""
    read: dict[str, Any] = dict(defaults)
    for key, value in given.items():
        if key not in allowed:
            raise Invalid(f"{key}: this format has no such setting; it takes {', '.join(sorted(allowed))}")
        try:
            read[key] = _BY_KEY[key].check(value)
        except Invalid as wrong:
            raise Invalid(f"{key}: {wrong}") from None
    return SeasonSettings(**read, explicit=MappingProxyType(dict(given)))


def with_salt(settings: SeasonSettings, salt: str) -> SeasonSettings:
    """Return the settings with the salt made when sign-ups closed."""
    return replace(settings, salt=salt, explicit=MappingProxyType({**settings.explicit, "salt": salt}))
