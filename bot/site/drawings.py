"""Brackets, wide or tall for phones, and rating curves as the places of lines and boxes within a page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import THIRD_PLACE
from bot.league.bracket.whole_tree import Slot, TreeMatch
from bot.league.season.model import Kind, Match, Name
from bot.league.telling.careers import Played

BOX_WIDTH, BOX_HEIGHT = 216, 74
_GAP, _BETWEEN = 22, 64
_TALL_WIDTH, _STEP, _TALL_GAP = 348, 26, 30


@dataclass(frozen=True, slots=True)
class Side:
    """A line of a box: who plays, or the match they come from."""

    name: str
    seed: int | None
    score: str
    won: bool
    known: bool
    champion: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A match of a bracket with its place in the picture."""

    label: str
    note: str
    sides: tuple[Side, Side]
    round: int
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """How the winner of one match comes into another."""

    points: str
    decided: bool
    champion: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of boxes and ways between them."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    ways: tuple[Way, ...]


def boxes(
    tree: Sequence[TreeMatch],
    seeds: Mapping[Name, int],
    called_in: Callable[[Match | None], Mapping[Name, str]],
    champion: Name | None,
) -> dict[str, Box]:
    """Return the matches of a bracket by their names; `called_in` says what all were called when one was played."""
    found: dict[str, Box] = {}
    for match in tree:
        called = called_in(match.match)
        sides = (_side(match, 0, seeds, called, champion), _side(match, 1, seeds, called, champion))
        found[match.name] = Box(label=match.name, note=_note(match, called), sides=sides, round=match.round)
    return found


def _note(match: TreeMatch, called: Mapping[Name, str]) -> str:
    if match.absent is not None:
        return f"{called.get(match.absent, match.absent)} left"
    return "by forfeit" if match.match is not None and match.match.kind is Kind.FORFEIT else ""


def _side(
    match: TreeMatch, at: int, seeds: Mapping[Name, int], called: Mapping[Name, str], champion: Name | None
) -> Side:
    slot: Slot = match.slots[at]
    if slot.name is None:
        which = "Loser" if match.name == THIRD_PLACE else "Winner"
        text = f"{which} of {slot.source[:1].lower()}{slot.source[1:]}" if slot.source else "no opponent"
        return Side(text, None, "", won=False, known=False, champion=False)
    played = match.match
    won = match.absent is not None or (played is not None and played.winner == slot.name)
    score = ""
    if played is not None and played.games is not None:
        score = str(played.games[played.players.index(slot.name)])
    return Side(
        called.get(slot.name, slot.name),
        seeds.get(slot.name),
        score,
        won=won,
        known=True,
        champion=won and slot.name == champion,
    )


def wide(tree: Sequence[TreeMatch], found: Mapping[str, Box]) -> Drawing:
    """Return a bracket from left to right, a column a round."""
    by_name = {match.name: match for match in tree}
    middle: dict[str, int] = {}
    below = 0
    for match in _in_order(tree):
        before = [middle[name] for name in _sources(match, by_name) if name in middle]
        if not before:
            middle[match.name] = below + BOX_HEIGHT // 2
            below += BOX_HEIGHT + _GAP
    for match in sorted(tree, key=lambda one: (one.round, one.name == THIRD_PLACE)):
        if match.name == THIRD_PLACE:
            middle[match.name] = below + BOX_HEIGHT // 2
            below += BOX_HEIGHT + _GAP
        elif match.name not in middle:
            before = [middle[name] for name in _sources(match, by_name)]
            middle[match.name] = sum(before) // len(before)
    placed = {
        name: replace(box, x=(box.round - 1) * (BOX_WIDTH + _BETWEEN), y=middle[name] - BOX_HEIGHT // 2)
        for name, box in found.items()
    }
    ways = tuple(
        Way(
            f"M{source.x + BOX_WIDTH} {source.y + BOX_HEIGHT // 2}H{box.x - _BETWEEN // 2}"
            f"V{box.y + 37 + 24 * at}H{box.x - 3}",
            decided=side.known,
            champion=side.champion
            or (side.known and any(one.champion and one.name == side.name for one in source.sides)),
        )
        for name, box in placed.items()
        for at, source, side in _into(by_name[name], placed)
    )
    last = max(match.round for match in tree)
    return Drawing((last - 1) * (BOX_WIDTH + _BETWEEN) + BOX_WIDTH, below - _GAP, tuple(placed.values()), ways)


def tall(tree: Sequence[TreeMatch], found: Mapping[str, Box]) -> Drawing:
    """Return a bracket from top to bottom, a match a band, further in the later its round: for phones."""
    by_name = {match.name: match for match in tree}
    ordered = [*_in_order(tree), *(match for match in tree if match.name == THIRD_PLACE)]
    step = min(_STEP, (_TALL_WIDTH - BOX_WIDTH) // max(1, max(match.round for match in tree) - 1))
    placed = {
        match.name: replace(found[match.name], x=(match.round - 1) * step, y=at * (BOX_HEIGHT + _TALL_GAP))
        for at, match in enumerate(ordered)
    }
    ways: list[Way] = []
    for name, box in placed.items():
        for _, source, side in _into(by_name[name], placed):
            x, down = box.x + 14 if source.y < box.y else box.x + 34, source.y < box.y
            start, end = (source.y + BOX_HEIGHT, box.y - 3) if down else (source.y, box.y + BOX_HEIGHT + 3)
            ways.append(Way(f"M{x} {start}V{end}", decided=side.known, champion=side.champion))
    return Drawing(
        _TALL_WIDTH, len(ordered) * (BOX_HEIGHT + _TALL_GAP) - _TALL_GAP, tuple(placed.values()), tuple(ways)
    )


def _sources(match: TreeMatch, by_name: Mapping[str, TreeMatch]) -> list[str]:
    if match.name == THIRD_PLACE:
        return []
    return [slot.source for slot in match.slots if slot.source in by_name and slot.source is not None]


def _into(match: TreeMatch, placed: Mapping[str, Box]) -> Iterator[tuple[int, Box, Side]]:
    if match.name != THIRD_PLACE:
        for at, slot in enumerate(match.slots):
            if slot.source is not None and slot.source in placed:
                yield at, placed[slot.source], placed[match.name].sides[at]


def _in_order(tree: Sequence[TreeMatch]) -> Iterator[TreeMatch]:
    """Yield the matches that lead to the last one, each between those its players come from."""
    by_name = {match.name: match for match in tree}
    goes_on = {source for match in tree for source in _sources(match, by_name)}

    def walk(match: TreeMatch) -> Iterator[TreeMatch]:
        upper, *lower = [*_sources(match, by_name), None][:2] if _sources(match, by_name) else [None]
        if upper is not None:
            yield from walk(by_name[upper])
        yield match
        for name in lower:
            if name is not None:
                yield from walk(by_name[name])

    for match in tree:
        if match.name not in goes_on and match.name != THIRD_PLACE:
            yield from walk(match)


CURVE_WIDTH, CURVE_HEIGHT = 1000, 250
_LEFT, _TOP, _BOTTOM = 54, 10, 34


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over time: the band of uncertainty, the line, dotted while provisional, seasons, numbers beside."""

    band: str
    dotted: str
    line: str
    seasons: tuple[tuple[int, int, int], ...]
    numbers: tuple[tuple[int, int], ...]
    last: tuple[int, int]
    titles: tuple[tuple[int, int], ...]


def curve(rated: Sequence[Played], titles: Sequence[int]) -> Curve:
    """Return the curve of a player's rating, one step a rated match; there is at least one."""
    shown = [one.rating for one in rated if one.rating is not None]
    low = min(one.value - one.uncertainty for one in shown)
    high = max(one.value + one.uncertainty for one in shown)
    grid = next(size for size in (100, 200, 400, 800, 1600, 10**9) if (high - low) / size <= 5 or size > 1600)
    low, high = low // grid * grid, -(-high // grid) * grid
    across = (CURVE_WIDTH - _LEFT - 20) / max(1, len(shown) - 1)
    height = CURVE_HEIGHT - _TOP - _BOTTOM

    def x(at: int) -> int:
        return round(_LEFT + 10 + at * across)

    def y(value: int) -> int:
        return round(_TOP + height * (high - value) / max(1, high - low))

    dots = [(x(at), y(one.value)) for at, one in enumerate(shown)]
    first = next((at for at, one in enumerate(shown) if not one.provisional), len(shown))
    upper = [(x(at), y(one.value + one.uncertainty)) for at, one in enumerate(shown)]
    lower = [(x(at), y(one.value - one.uncertainty)) for at, one in enumerate(shown)]
    numbers = [one.season for one in rated]
    seasons: list[tuple[int, int, int]] = []
    for season in dict.fromkeys(numbers):
        start, end = numbers.index(season), len(numbers) - 1 - numbers[::-1].index(season)
        left = _LEFT if start == 0 else round((x(start) + x(start - 1)) / 2)
        right = CURVE_WIDTH if end == len(numbers) - 1 else round((x(end) + x(end + 1)) / 2)
        seasons.append((season, left, right))
    won = [(dots[len(numbers) - 1 - numbers[::-1].index(season)]) for season in titles if season in numbers]
    return Curve(
        band=_points([*upper, *reversed(lower)]),
        dotted=_points(dots[: first + 1]),
        line=_points(dots[first:]),
        seasons=tuple(seasons),
        numbers=tuple((value, y(value)) for value in range(low, high + 1, grid)),
        last=dots[-1],
        titles=tuple(won),
    )


def _points(points: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
