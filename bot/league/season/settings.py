"""The settings of a season: one table of keys, each with its default, its check and its meaning."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeGuard

from bot.league.errors import Invalid
from bot.league.season.list_rules import ListRules, read_list_rules
from bot.league.season.node import Node
from bot.league.season.round_end import read_round_end

_MOST_ROUNDS = 50
_LONGEST_SALT = 64  # ours has 16 hex digits; `verify` says if a file has another


class ByeAmong(StrEnum):
    """Who can get the bye: everyone, or the lowest tier."""

    ALL = "all"
    LOWEST = "lowest"


class Seeding(StrEnum):
    """How a bracket is filled."""

    DRAWN = "drawn"
    SEEDED = "seeded"


class Rejoin(StrEnum):
    """Whether players who dropped out can come back: if an organiser agrees, at once, or not at all."""

    ASK = "ask"
    FREE = "free"
    NEVER = "never"


class NoShow(StrEnum):
    """What a no-show costs: the season, or the match."""

    DROP = "drop"
    FORFEIT = "forfeit"


class Game(StrEnum):
    """A game whose documents give round lengths and say what happens when time is called."""

    KEYFORGE = "keyforge"
    LIGHTSEEKERS = "lightseekers"


class Variant(StrEnum):
    """How a game is played: a variant of KeyForge, or a format of Lightseekers."""

    ARCHON = "archon"
    SEALED = "sealed"
    STARTER_DECK = "starter-deck"
    BOOSTER_DRAFT = "booster-draft"
    BASIC_CONSTRUCTED = "basic-constructed"
    ADVANCED_CONSTRUCTED = "advanced-constructed"


_OF_KEYFORGE = (Variant.ARCHON, Variant.SEALED)
VARIANTS: Mapping[Game, tuple[Variant, ...]] = {
    Game.KEYFORGE: _OF_KEYFORGE,
    Game.LIGHTSEEKERS: tuple(variant for variant in Variant if variant not in _OF_KEYFORGE),
}
"""Which variants belong to which game (Lightseekers, choosing the format; KeyForge, round lengths)."""


class Pace(StrEnum):
    """Rounds that last days, or an event where people sit together."""

    DAYS = "days"
    LIVE = "live"


class Advance(StrEnum):
    """When the next round is paired: when all results are in, at the deadline, or when an organiser says so."""

    ALL_IN = "all-in"
    DEADLINE = "deadline"
    MANUAL = "manual"


class Overdue(StrEnum):
    """What happens at the deadline to matches without a report."""

    MODERATORS = "moderators"
    DOUBLE_LOSS = "double_loss"
    EXTEND = "extend"


class DiceOff(StrEnum):
    """Who has the first choice in a match: no rule, the smaller draw, or the player who won fewer dice-offs."""

    OFF = "off"
    DRAW = "draw"
    EQUALIZER = "equalizer"


class MatchPlaces(StrEnum):
    """Where the players of a match talk: on the round's card alone, in a public thread, or in a private one."""

    CARD = "card"
    THREADS = "threads"
    PRIVATE = "private"


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


_RATING_LIMITS = {
    "mu": (-1e6, 1e6),
    "sigma": (1e-6, 1e6),
    "beta": (1e-6, 1e6),
    "tau": (0, 1e6),
    "draw_probability": (0, 0.99),
}

Check = Callable[[Node], Any] | type[StrEnum]
"""Reads a value, or lists the words it can be."""


def _whole(low: int, high: int) -> Check:
    return lambda node: node.whole(low, high)


def _odd(node: Node) -> int:
    if node.whole(1, 9) % 2 == 0:
        raise node.refused("give 1, 3, 5, 7 or 9")
    return node.value


def _salt(node: Node) -> str:
    if not 1 <= len(node.text()) <= _LONGEST_SALT:
        raise node.refused(f"give the text published at the start, 1 to {_LONGEST_SALT} characters")
    return node.value


def _points(node: Node) -> PointScale:
    given = node.fields(**asdict(PointScale()))
    scale = PointScale(**{key: points.whole(0, 100) for key, points in given.items()})
    if not scale.loss <= scale.draw <= scale.win or scale.loss == scale.win:
        raise node.wrong("a win must give more than a loss, and a draw at most a win and at least a loss")
    return scale


def _rating(node: Node) -> RatingScale:
    given = node.fields(**asdict(RatingScale()))
    return RatingScale(**{key: number.number(*_RATING_LIMITS[key]) for key, number in given.items()})


def _common(default: Any, check: Check, meaning: str) -> Any:
    return field(default=default, metadata={"check": check, "meaning": meaning, "common": True})


def _own(default: Any, check: Check, meaning: str) -> Any:
    return field(default=default, metadata={"check": check, "meaning": meaning, "common": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """All settings of a season; a format uses those it names, the rest keep their defaults."""

    rounds: int | None = _own(None, _whole(1, _MOST_ROUNDS), "rounds of the regular stage")
    cut: int | None = _own(None, _whole(0, 64), "how many enter the finals; 0 for none")
    best_of: int = _common(1, _odd, "games of a match in the regular stage")
    finals_best_of: int = _common(1, _odd, "games of a match in the finals")
    final_best_of: int = _common(1, _odd, "games of the final")
    losses: int = _own(2, _whole(1, 5), "losses that eliminate")
    bye_among: ByeAmong = _own(ByeAmong.ALL, ByeAmong, "who can get the bye: everyone, or the lowest tier")
    points: PointScale = _own(PointScale(), _points, "points for a win, draw, loss and bye")
    draws: bool = _own(False, Node.flag, "whether a match can be drawn")
    seeding: Seeding = _own(Seeding.DRAWN, Seeding, "how the bracket is filled")
    third_place: bool = _own(False, Node.flag, "whether the losing semi-finalists play for third place")
    rejoin: Rejoin = _common(Rejoin.ASK, Rejoin, "whether players who dropped out can come back")
    late_entry: int = _common(2, _whole(1, _MOST_ROUNDS), "the last round in which new players can join")
    replace: bool = _common(True, Node.flag, "whether qualified players who leave before the finals are replaced")
    no_show: NoShow = _common(NoShow.DROP, NoShow, "what a no-show costs: the season, or the match")
    rating: RatingScale = _common(RatingScale(), _rating, "how fast ratings move (TrueSkill)")
    salt: str | None = _common(None, _salt, "whether all sign-up names are mixed into the draw")
    game: Game | None = _common(None, Game, "the game, for round lengths and time called")
    variant: Variant | None = _common(None, Variant, "the variant of KeyForge or the format of Lightseekers")
    pace: Pace = _common(Pace.DAYS, Pace, "rounds that last days, or a live event")
    advance: Advance = _common(Advance.ALL_IN, Advance, "when the next round is paired")
    overdue: Overdue = _common(Overdue.MODERATORS, Overdue, "what happens to unreported matches at the deadline")
    round_days: int = _common(7, _whole(1, 365), "how many days a round lasts")
    round_ends: str | None = _common(None, read_round_end, "the weekday and time at which rounds end")
    confirm_hours: int = _common(24, _whole(1, 24 * 14), "hours to answer whatever is asked; then a report counts")
    check_in_hours: int = _common(0, _whole(0, 24 * 7), "hours before the start in which players say they're there")
    match_places: MatchPlaces = _common(MatchPlaces.CARD, MatchPlaces, "where the players of a match talk")
    dice_off: DiceOff = _common(DiceOff.OFF, DiceOff, "who has the first choice in a match")
    lists: ListRules | None = _common(None, read_list_rules, "the army or deck lists players hand in")
    max_players: int | None = _common(None, _whole(2, 100_000), "how many players can sign up")
    explicit: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The settings an organiser chose, as plain JSON values: files and the database keep these, not the defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key: the type its value has, how it is checked, what it means, and whether every format takes it."""

    key: str
    type: Any
    default: Any
    check: Check
    meaning: str
    common: bool

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it can be."""
        return tuple(word.value for word in self.check) if _is_choice(self.check) else ()

    def read(self, value: Any) -> Any:
        """Return a plain JSON value as SeasonSettings holds it; null means the default where that is null."""
        node = Node(value, self.key, optional=self.default is None)
        if value is None and node.optional:
            return None
        return node.choice(self.check) if _is_choice(self.check) else self.check(node)


def _is_choice(check: Check) -> TypeGuard[type[StrEnum]]:
    return isinstance(check, type)


SETTINGS = {
    f.name: Setting(key=f.name, type=f.type, default=f.default, **f.metadata)
    for f in fields(SeasonSettings)
    if f.metadata
}
"""The one table of settings: files, commands, forms and documentation read it."""

GONE = frozenset({"claim_hours", "accept_hours"})
"""Settings of version 0.2; league files may still have them, and they're ignored."""

COMMON = tuple(setting.key for setting in SETTINGS.values() if setting.common)
"""The keys every format takes."""


def read_settings(given: Mapping[str, Any], *, allowed: Collection[str], defaults: Mapping[str, Any]) -> SeasonSettings:
    """Check plain JSON values and fill in a format's defaults; raises Invalid at the key."""
    for key in given:
        if key not in allowed:
            raise Invalid(f"this format has no such setting; it takes {', '.join(sorted(allowed))}", place=key)
    read = {key: SETTINGS[key].read(value) for key, value in given.items()}
    return SeasonSettings(**{**defaults, **read}, explicit=MappingProxyType(dict(given)))


def with_salt(settings: SeasonSettings, salt: str) -> SeasonSettings:
    """Return the settings with the salt made when sign-ups closed."""
    return replace(settings, salt=salt, explicit=MappingProxyType({**settings.explicit, "salt": salt}))
