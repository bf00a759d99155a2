"""That a season was changed by hand, and where: said wherever it's shown."""

from bot.league.checking.verify import FORGOTTEN
from bot.league.season.model import Season


def is_by_organiser(by_hand: str | None) -> bool:
    """Return whether an organiser changed the round with this mark; forgetting a player changes none."""
    return by_hand not in (None, FORGOTTEN)


def changed_by_hand(season: Season) -> tuple[int, ...]:
    """Return the numbers of the rounds an organiser changed."""
    return tuple(round_.number for round_ in season.rounds if is_by_organiser(round_.by_hand))


def by_hand_words(season: Season) -> str:
    """Return that a season was changed by hand, without a full stop; nothing where it wasn't."""
    numbers = [str(number) for number in changed_by_hand(season)]
    if not numbers:
        return ""
    *others, last = numbers
    return f"Changed by hand: rounds {', '.join(others)} and {last}" if others else f"Changed by hand: round {last}"
