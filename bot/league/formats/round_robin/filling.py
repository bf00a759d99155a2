"""How the players of a round robin come into groups, and their numbers there (docs/formats/round-robin.md)."""

from collections.abc import Sequence

from bot.league.counting.draw import Purpose, draw_of
from bot.league.counting.history import History
from bot.league.counting.ratings import ranking_value
from bot.league.pairing.reasons import Key, Reason, by_draw
from bot.league.season.choices import Grouping
from bot.league.season.model import Name

Group = tuple[Name, ...]
"""The players of a group in the order of their numbers, 1, 2, ..."""

_LAST = 1 << 30
"""Stands behind every place of a ladder."""


def groups_of(history: History) -> tuple[Group, ...]:
    """Return the groups of a season: as they were kept when a player was forgotten, else by its settings."""
    kept = history.season.groups
    if kept is not None:
        return kept
    draw = draw_of(history.season, 1)
    return tuple(tuple(draw.sort(Purpose.ORDER, names)) for names in _filled(history))


def _filled(history: History) -> list[list[Name]]:
    """Return who is in which group."""
    settings, order = history.season.settings, filling_order(history)
    if settings.grouping is Grouping.GIVEN:
        given = {entrant.name: entrant.group or 0 for entrant in history.season.entrants}
        return [[name for name in order if given[name] == group] for group in sorted({given[name] for name in order})]
    sizes = group_sizes(len(order), settings.group_size)
    return dealt(order, len(sizes)) if settings.grouping is Grouping.RATING else cut_up(order, sizes)


def group_sizes(players: int, most: int | None) -> list[int]:
    """Return the sizes of as few groups as hold at most so many, as equal as possible, the larger ones first."""
    groups = 1 if most is None else max(1, -(-players // most))
    size, larger = divmod(players, groups)
    return [size + (number < larger) for number in range(groups)]


def cut_up(order: Sequence[Name], sizes: Sequence[int]) -> list[list[Name]]:
    """Return groups that take their number of players from the top, one after the other."""
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    return [list(order[start : start + size]) for start, size in zip(starts, sizes, strict=True)]


def dealt(order: Sequence[Name], groups: int) -> list[list[Name]]:
    """Return groups dealt in rows, every second one backwards; the last from group 1 if it isn't full."""
    filled: list[list[Name]] = [[] for _ in range(groups)]
    for start in range(0, len(order), groups):
        row = list(order[start : start + groups])
        backwards = start // groups % 2 == 1 and len(row) == groups
        for group, name in zip(reversed(filled) if backwards else filled, row, strict=False):
            group.append(name)
    return filled


def filling_order(history: History) -> list[Name]:
    """Return who was there at the start, in the order the groups are filled by."""
    names, keys = history.starters(), filling_keys(history)
    for key in reversed(keys):
        names.sort(key=lambda name, key=key: key.of(name))
    return names


def filling_keys(history: History) -> tuple[Key, ...]:
    """Return what sorts players before groups are filled, the smallest first."""
    season, grouping = history.season, history.season.settings.grouping
    if grouping in (Grouping.DRAWN, Grouping.GIVEN):
        return (by_draw(draw_of(season, 1), Purpose.ORDER),)
    ratings = History(season, before=1).ratings()
    ranking = Key("ranking, best first", lambda name: -ranking_value(ratings[name]))
    drawn = by_draw(draw_of(season, 0), Purpose.TIEBREAK)
    if grouping is Grouping.RATING:
        return ranking, drawn
    place = {name: number for number, name in enumerate(season.ladder or (), start=1)}
    return Key("place in the ladder", lambda name: place.get(name, _LAST)), ranking, drawn


def divided(history: History, sizes: Sequence[int]) -> tuple[Reason, ...]:
    """Return step by step how divisions of these sizes were filled by the ladder, then by rating."""
    order, ladder = filling_order(history), frozenset(history.season.ladder or ())
    above, below = [name for name in order if name in ladder], [name for name in order if name not in ladder]
    _, *by_rating = filling_keys(history)
    first, *others = sizes
    takes = [f"division {number} the next {size}" for number, size in enumerate(others, start=2)]
    after = "Everyone else comes after them, " if above else "There was no ladder, so the order is "
    return (
        *([Reason("First come the players who are in the ladder of an earlier season, ", above)] if above else []),
        *([Reason(after, below, by_rating)] if below else []),
        Reason(f"Of this order, {', '.join([f'division 1 takes the first {first}', *takes])}."),
    )


def group_name(number: int, grouping: Grouping) -> str:
    """Return what people call a group: `group B`, `division 2`."""
    if grouping is Grouping.DIVISIONS:
        return f"division {number}"
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = f"{chr(ord('A') + letter)}{letters}"
    return f"group {letters}"
