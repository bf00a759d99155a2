"""How a round robin of so many players would look, and what is wrong with it, in the words organisers read."""

from collections.abc import Sequence

from bot.league.formats.round_robin.berger import rounds_of
from bot.league.formats.round_robin.filling import group_name, group_sizes
from bot.league.formats.round_robin.finals_of_groups import MOST
from bot.league.formats.round_robin.refused import MOST_ROUNDS
from bot.league.formats.shared.groups import Shape
from bot.league.season.choices import Grouping
from bot.league.season.in_words import amount, capitalised
from bot.league.season.settings import SeasonSettings


def shape_of(settings: SeasonSettings, players: int, given: Sequence[int] = ()) -> Shape | None:
    """Return how a season of so many players would look; None where groups are to be given and none is.

    `given` are the sizes of those that are; players without one join the smallest.
    """
    if settings.grouping is Grouping.GIVEN:
        if not given:
            return None
        sizes = [*given]
        for _ in range(players - sum(given)):
            sizes[smallest(sizes)] += 1
    else:
        sizes = group_sizes(players, settings.group_size)
    rounds = settings.meetings * rounds_of(max(sizes))
    wrong = _too_long(settings, rounds)
    return Shape(
        sizes=tuple(sizes),
        rounds=rounds,
        words=_words(sizes, rounds, settings.grouping.unit),
        wrong=wrong or _wrong(settings, sizes),
        too_long=bool(wrong),
        notice=_notice(settings, len(sizes)),
    )


def smallest(sizes: Sequence[int]) -> int:
    """Return which group is the smallest, from 0; of equal ones the first."""
    return min(range(len(sizes)), key=lambda at: sizes[at])


def _words(sizes: Sequence[int], rounds: int, unit: str) -> str:
    """Return `3 groups of 5 and 4, 5 rounds`."""
    *most, last = [str(size) for size in sorted({*sizes}, reverse=True)]
    each = f"{', '.join(most)} and {last}" if most else last
    return f"{amount(len(sizes), unit)} of {each}, {amount(rounds, 'round')}"


def _too_long(settings: SeasonSettings, rounds: int) -> str:
    if rounds <= MOST_ROUNDS:
        return ""
    once = " or let players meet once," if settings.meetings == 2 else ""
    smaller = f"Make the {settings.grouping.unit}s smaller,{once} then try again."
    return f"This takes {rounds} rounds, and {MOST_ROUNDS} are the most. {smaller}"


def _wrong(settings: SeasonSettings, sizes: Sequence[int]) -> str:
    alone = next((number for number, size in enumerate(sizes, start=1) if size < 2), None)
    if settings.grouping is Grouping.GIVEN and alone is not None:
        name = group_name(alone, settings.grouping)
        step = "Put someone else into it with Groups under /season settings, or give it up."
        return f"{capitalised(name)} has one player, and a group needs two or more. {step}"
    if settings.through == 1 and (len(sizes) == 1 or settings.grouping is Grouping.DIVISIONS):
        unit = settings.grouping.unit
        return f"The first of one {unit} doesn't make finals. Choose 2 or more for Through, or make smaller {unit}s."
    return ""


def _notice(settings: SeasonSettings, groups: int) -> str:
    """Return that not everyone a setting lets through has room in the finals."""
    through = settings.through or 0
    if settings.grouping is Grouping.DIVISIONS or through * groups <= MOST:
        return ""
    return (
        f"{through} of each of {groups} groups are {through * groups} players, and the finals have room for {MOST}: "
        f"the best {MOST} of them go on."
    )
