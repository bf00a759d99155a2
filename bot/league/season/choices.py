"""What some settings of a season can be chosen from: each value as it's kept, and in words."""

from collections.abc import Mapping

from bot.league.season.setting_values import Choice


class ByeAmong(Choice):
    """Who can get the bye."""

    ALL = "all", "for anyone"
    LOWEST = "lowest", "for those with the most losses"


class Seeding(Choice):
    """How a bracket is filled."""

    DRAWN = "drawn", "drawn"
    SEEDED = "seeded", "by seeds you give"


class Grouping(Choice):
    """How the players of a round robin come into groups."""

    DRAWN = "drawn", "drawn"
    RATING = "rating", "by rating, equally strong groups"
    DIVISIONS = "divisions", "divisions by the ladder, the best in the first"
    GIVEN = "given", "by groups you give"

    @property
    def unit(self) -> str:
        """What people call one of them."""
        return "division" if self is Grouping.DIVISIONS else "group"


class Schedule(Choice):
    """When the rounds of a round robin are played."""

    ROUNDS = "rounds", "one round after the other"
    OPEN = "open", "all at once, until one deadline"

    @property
    def open_together(self) -> bool:
        """Whether all regular rounds are played at the same time."""
        return self is Schedule.OPEN


class TableTiebreak(Choice):
    """A value that puts players of a round robin in order who have the same points."""

    HEAD_TO_HEAD = "head-to-head", "their own matches"
    DIFFERENCE = "difference", "score difference"
    SCORED = "scored", "own score"
    SONNEBORN_BERGER = "sonneborn-berger", "the opponents beaten"
    WINS = "wins", "wins"


class Rejoin(Choice):
    """Whether players who dropped out can come back."""

    ASK = "ask", "if an organiser agrees"
    FREE = "free", "without asking"
    NEVER = "never", "not possible"


class NoShow(Choice):
    """What a no-show costs."""

    DROP = "drop", "lose the match and the season"
    FORFEIT = "forfeit", "lose the match"


class Game(Choice):
    """A game whose documents give round lengths and say what happens when time is called."""

    KEYFORGE = "keyforge", "KeyForge"
    LIGHTSEEKERS = "lightseekers", "Lightseekers"


class Variant(Choice):
    """How a game is played: a variant of KeyForge, or a format of Lightseekers, called as in their documents."""

    ARCHON = "archon", "Archon"
    SEALED = "sealed", "Sealed"
    STARTER_DECK = "starter-deck", "Starter Deck"
    BOOSTER_DRAFT = "booster-draft", "Booster Draft"
    BASIC_CONSTRUCTED = "basic-constructed", "Basic Constructed"
    ADVANCED_CONSTRUCTED = "advanced-constructed", "Advanced Constructed"


_OF_KEYFORGE = (Variant.ARCHON, Variant.SEALED)
VARIANTS: Mapping[Game, tuple[Variant, ...]] = {
    Game.KEYFORGE: _OF_KEYFORGE,
    Game.LIGHTSEEKERS: tuple(variant for variant in Variant if variant not in _OF_KEYFORGE),
}
"""Which variants belong to which game (Lightseekers, choosing the format; KeyForge, round lengths)."""


class Pace(Choice):
    """Rounds that last days, or an event where people sit together."""

    DAYS = "days", "rounds of days"
    LIVE = "live", "a live event"


class Advance(Choice):
    """When the next round is paired."""

    ALL_IN = "all-in", "when all results are in"
    DEADLINE = "deadline", "at the deadline"
    MANUAL = "manual", "when an organiser posts it"


class Overdue(Choice):
    """What happens at the deadline to matches without a report."""

    MODERATORS = "moderators", "the moderators decide"
    DOUBLE_LOSS = "double_loss", "both players lose, but not in finals"
    EXTEND = "extend", "the round gets longer"


class DiceOff(Choice):
    """Who has the first choice in a match: no rule, the smaller draw, or the player who won fewer dice-offs."""

    OFF = "off", "none"
    DRAW = "draw", "by the draw"
    EQUALIZER = "equalizer", "for the player who had it less often"


class MatchPlaces(Choice):
    """Where the players of a match talk."""

    CARD = "card", "the cards in the channel alone"
    THREADS = "threads", "a public thread for each match, or for each group whose matches are all open"
    PRIVATE = "private", "a private thread for each match"
