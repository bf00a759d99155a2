"""The marks of rounds that aren't as the rules say, and the words for a season that was changed by hand."""

from bot.league.season.model import Season

BY_HAND = "changed by an organiser"
"""What a file says of a round that an organiser changed, whatever they typed."""
FORGOTTEN = "a player was forgotten"
"""Why the rounds of a season can't be checked any more in which a player is called by a number (docs/privacy.md)."""


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
