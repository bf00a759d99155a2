"""The rules of a season in plain words: the sentences all formats share."""

from bot.league.formats.base import Rule
from bot.league.settings import NoShow, Rejoin, SeasonSettings

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DISQUALIFIED = "Disqualified players are out at once and can't come back."


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words: `four rounds`, `two losses`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {one if number == 1 else many or f'{one}s'}"


def matches(settings: SeasonSettings, *, finals: bool = True) -> Rule:
    """Say how many games a match has; `finals` is False where no bracket follows."""
    first, later, last = settings.best_of, settings.finals_best_of, settings.final_best_of
    said = f"Each match is {_best_of(first)}"
    if finals and later != first:
        said += f"; in the finals it is {_best_of(later)}"
    if finals and last != later:
        said += f"; the final is {_best_of(last)}"
    return Rule(f"{said}.", "Matches")


def _best_of(games: int) -> str:
    return "a single game" if games == 1 else f"best of {games}"


def cut(size: int, entrants: int | None) -> Rule:
    """Say how many play the finals; never more than there are entrants."""
    if size == 0:
        return Rule("None. The first in the standings wins the season.", "Cut")
    return Rule(f"The best {min(size, entrants or size)} go on to single elimination.", "Cut")


def replaced(settings: SeasonSettings) -> Rule:
    """Say what happens when a qualified player leaves before the finals."""
    if settings.replace:
        return Rule(
            "A qualified player who leaves before the first result of the finals is replaced. Everyone below "
            "moves up and "
            "the next player goes in last."
        )
    return Rule("Qualified players who leave before the finals aren't replaced: their opponent has a bye.")


def coming_and_going(
    settings: SeasonSettings, *, comes_back: bool = True, enters_late: bool = True
) -> tuple[Rule, ...]:
    """Say what all formats say last, on leaving, coming back, joining late, not showing up, and the draw.

    `comes_back` and `enters_late` are False where a format has neither, whatever the settings say.
    """
    return (
        Rule(
            "Players who drop out are no longer paired. If their match is still open, they lose it and their opponent "
            "wins. Confirmed results stand."
        ),
        Rule(_return(settings.rejoin if comes_back else Rejoin.NEVER)),
        Rule(_late_entry(min(settings.late_entry, settings.rounds or settings.late_entry) if enters_late else 1)),
        Rule(_DISQUALIFIED),
        Rule(_no_show(settings)),
        Rule(_draw(settings)),
    )


def _return(rejoin: str) -> str:
    if rejoin is Rejoin.NEVER:
        return "Players who dropped out can't come back this season."
    asked = ", if an organiser agrees" if rejoin is Rejoin.ASK else ""
    return (
        "Players who dropped out can come back until the last regular round is paired"
        f"{asked}. Each round they missed counts as a loss."
    )


def _late_entry(last: int) -> str:
    if last == 1:
        return "No one can join after round 1 is paired."
    return (
        f"New players can join until round {last} is paired, but not in the finals. "
        "Each round they missed counts as a loss."
    )


def _no_show(settings: SeasonSettings) -> str:
    dropped = " and drop you from the season" if settings.no_show is NoShow.DROP else ""
    return (
        f"If you don't show up, a moderator can give your opponent the match{dropped}. "
        "You can concede a match at any time; that counts as a loss."
    )


def _draw(settings: SeasonSettings) -> str:
    salt = "" if settings.salt is None else f"{settings.salt}/"
    return (
        'Every "random" order can be checked: it sorts players by a fingerprint (SHA-256) of the text '
        f"SEASON/ROUND/PURPOSE/{salt}NAME, smallest first. /why shows yours."
    )
