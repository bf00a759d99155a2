"""The picture of a bracket: a staircase from the first round on the left to the final on the right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from bot.pictures.layout import MARGIN, Box, Colour, Line, Measure, Page, Style, Weight
from bot.pictures.marks import arrow, cup
from bot.pictures.sheet import CHECK_IT, RIGHT_EDGE, Align, Part, Sheet, note
from bot.pictures.tree import BracketMatch, Cut, Side, State, cut, trees

_HEADER = 37
_SIDE = 44
_HEIGHT = _HEADER + 2 * _SIDE
_GAP = 24
_MAP_WIDTH = 124
_GEOMETRY = {1: (560, 0), 2: (500, 162), 3: (548, 190), 4: (496, 144)}
"""By rounds on a page: how wide a box is, and how far each round stands right of the one before."""

_LABEL = Style(size=28, weight=Weight.SEMIBOLD)
_NOTE = Style(size=28)
_SEED = Style(size=28)
_NAME = Style(size=32)
_WINNER = Style(size=32, weight=Weight.BOLD)
_TO_COME = Style(size=28, italic=True)

_LEAST_WIDTH = 300
"""The match for third place stands beside another one where so much is left."""

_STATES = {
    State.TO_PLAY: (("still to play", "to play"), Colour.BLUE),
    State.REPORTED: (("not confirmed", "reported"), Colour.AMBER),
    State.DISPUTED: (("disputed",), Colour.ORANGE),
}
"""What stands beside a match that isn't over: the longest words that fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPicture:
    """What the picture of a bracket shows; `champion` is a player's name, `notes` stand below."""

    league: str
    subtitle: str
    matches: tuple[BracketMatch, ...]
    champion: str | None = None
    notes: tuple[str, ...] = ()

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages: one, or those of the first rounds and then the last rounds."""
        cuts = cut(trees(self.matches))
        return tuple(_page(self, cuts, here, Sheet(measure)) for here in cuts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the box of a match stands, how wide it is, and how far right in it the names begin, after the seeds."""

    match: BracketMatch
    left: float
    top: float
    width: float
    name: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + _HEIGHT


def _page(picture: BracketPicture, cuts: Sequence[Cut], here: Cut, sheet: Sheet) -> Page:
    top = _header(picture, cuts, here, sheet)
    places = _places(here.matches, top, sheet)
    _paths(picture, places, sheet)
    for place in places:
        _match(picture, place, sheet)
    top = _third_place(picture, places, sheet) if here is cuts[-1] else places[-1].bottom
    height = sheet.footer(top + 32, tuple(_legend(picture, cuts, here)))
    names = (side.name for match in here.matches for side in match.sides if side.name)
    return sheet.page(height, _alt(picture, cuts, here), title=here.title, names=dict.fromkeys(names))


def _header(picture: BracketPicture, cuts: Sequence[Cut], here: Cut, sheet: Sheet) -> float:
    if len(cuts) == 1:
        return sheet.header(picture.league, picture.subtitle, "Bracket")
    _map(cuts, here, sheet)
    return sheet.header(picture.league, f"Page {here.title} · {picture.subtitle}", taken=_MAP_WIDTH + 24)


def _places(matches: Sequence[BracketMatch], top: float, sheet: Sheet) -> list[_Place]:
    first = min(match.round for match in matches)
    width, step = _GEOMETRY[1 + max(match.round for match in matches) - first]
    seeds = (str(side.seed) for match in matches for side in match.sides if side.seed is not None)
    name = 35 + max(sheet.widest(seeds, _SEED), 29)
    return [
        _Place(match=match, left=MARGIN + step * (match.round - first), top=y, width=width, name=name)
        for match, y in zip(matches, count(top, _HEIGHT + _GAP), strict=False)
    ]


def _paths(picture: BracketPicture, places: Sequence[_Place], sheet: Sheet) -> None:
    """Draw an arrow from each match to the one its winner plays in, dashed while that isn't known."""
    by_label = {place.match.label: place for place in places}
    for place in places:
        for side in place.match.sides:
            if side.source in by_label:
                _path(picture, by_label[side.source], place, sheet)


def _path(picture: BracketPicture, start: _Place, end: _Place, sheet: Sheet) -> None:
    x = max(start.right - (end.left - start.left) / 2, end.left + 24)
    down = start.top < end.top
    points = ((x, start.bottom), (x, end.top)) if down else ((x, start.top), (x, end.bottom))
    winner = next((side.name for side in start.match.sides if side.won), None)
    if winner is None:
        sheet.add(Line(points=points, colour=Colour.PATH, thickness=4, dash=(10, 7)))
    else:
        sheet.add(*arrow(*points, Colour.GOLD if winner == picture.champion else Colour.GREEN))


def _match(picture: BracketPicture, place: _Place, sheet: Sheet) -> None:
    left, top, width = place.left, place.top, place.width
    sheet.add(
        Box(left=left, top=top, width=width, height=_HEADER, fill=Colour.HEADER, radius=10, round_bottom=False),
        Box(left=left, top=top + _HEADER, width=width, height=2 * _SIDE, fill=Colour.ROW, radius=10, round_top=False),
    )
    words, colour = _beside(picture, place.match)
    if colour is not Colour.SECOND:
        _frame(place, colour, sheet)
    _heading(place, words, colour, sheet)
    for at, side in enumerate(place.match.sides):
        _side(picture, place, side, top + _HEADER + at * _SIDE, sheet)


def _beside(picture: BracketPicture, match: BracketMatch) -> tuple[tuple[str, ...], Colour]:
    """Return what stands beside the label of a match, and its colour: second where the match has no frame."""
    final = max((m for m in picture.matches if not m.third_place), key=lambda m: m.round)
    if match is final and any(side.won and side.name == picture.champion for side in match.sides):
        return ("champion",), Colour.GOLD
    return _STATES.get(match.state, ((match.note,), Colour.SECOND))


def _frame(place: _Place, colour: Colour, sheet: Sheet) -> None:
    left, top, width = place.left - 2, place.top - 2, place.width + 4
    sheet.add(Box(left=left, top=top, width=width, height=_HEIGHT + 4, outline=colour, radius=12, thickness=4))


def _heading(place: _Place, words: tuple[str, ...], colour: Colour, sheet: Sheet) -> None:
    label, style = (Colour.SECOND, _NOTE) if colour is Colour.SECOND else (Colour.TEXT, _LABEL)
    baseline, left, right = place.top + 28, place.left + 16, place.right - 16
    left += sheet.text(place.match.label, left, baseline, _LABEL, label, room=right - left) + 16
    fitting = next((w for w in words if sheet.measured(w, style) <= right - left), "")
    width = sheet.text(fitting, right, baseline, style, colour, align=Align.RIGHT) if fitting else 0
    if colour is Colour.GOLD:
        sheet.add(*cup((right - width - 26, baseline - 10), 26, colour))


def _side(picture: BracketPicture, place: _Place, side: Side, top: float, sheet: Sheet) -> None:
    baseline = top + 33
    if side.name is None:
        words = _to_come(place.match, side)
        sheet.text(words, place.left + 20, baseline - 2, _TO_COME, Colour.MUTED, room=place.width - 40)
        return
    champion = side.won and side.name == picture.champion
    winner = Colour.GOLD if champion else Colour.GREEN
    lost = place.match.state is State.DONE and not side.won
    if side.won:
        sheet.add(Box(left=place.left, top=top + 3, width=8, height=_SIDE - 6, fill=winner, radius=3))
    if side.seed is not None:
        sheet.text(str(side.seed), place.left + place.name - 15, baseline - 1, _SEED, _shade(lost), align=Align.RIGHT)
    score = Colour.MUTED if lost else winner if side.won else Colour.SECOND
    taken = sheet.text(side.score, place.right - 18, baseline, _WINNER, score, align=Align.RIGHT) if side.score else 0
    style = _WINNER if side.won else _NAME
    name = Colour.MUTED if lost else Colour.GOLD if champion else Colour.TEXT
    sheet.text(side.name, place.left + place.name, baseline, style, name, room=place.width - place.name - 34 - taken)


def _shade(lost: bool) -> Colour:
    return Colour.MUTED if lost else Colour.SECOND


def _to_come(match: BracketMatch, side: Side) -> str:
    if side.source is None:
        return "No opponent: bye" if match.state is State.BYE else "Not known yet"
    label = side.source[:1].lower() + side.source[1:]
    return f"{'Loser' if match.third_place else 'Winner'} of {label}"


def _third_place(picture: BracketPicture, places: Sequence[_Place], sheet: Sheet) -> float:
    """Draw the match for third place, beside the final or the last box if it fits; return where the boxes end."""
    last, final = places[-1], max(places, key=lambda place: place.match.round)
    third = next((match for match in picture.matches if match.third_place), None)
    if third is None:
        return last.bottom
    left, right, top = MARGIN, final.left - _GAP, final.top
    if right - left < _LEAST_WIDTH:
        left, right, top = last.right + _GAP, RIGHT_EDGE, last.top
    if right - left < _LEAST_WIDTH:
        left, right, top = MARGIN, MARGIN + last.width, last.bottom + 2 * _GAP
        ends = ((MARGIN, top - _GAP), (RIGHT_EDGE, top - _GAP))
        sheet.add(Line(points=ends, colour=Colour.RULE, dash=(8, 7)))
    _match(picture, replace(final, match=third, left=left, top=top, width=right - left), sheet)
    return max(top + _HEIGHT, last.bottom)


def _map(cuts: Sequence[Cut], here: Cut, sheet: Sheet) -> None:
    """Draw where this page is: a column of blocks for each level, this page's lit."""
    levels = [[page for page in cuts if page.level == level] for level in range(1, cuts[-1].level + 1)]
    width = (_MAP_WIDTH - 16 * (len(levels) - 1)) / len(levels)
    for column, pages in enumerate(levels):
        pitch = 96 / len(pages)
        for at, page in enumerate(pages):
            gap = min(6, pitch / 4)
            fill = Colour.BLUE if page is here else Colour.RULE
            left = RIGHT_EDGE - _MAP_WIDTH + column * (width + 16)
            top, height = 36 + at * pitch, pitch - gap
            sheet.add(Box(left=left, top=top, width=width, height=height, fill=fill, radius=round(min(4, height / 3))))


def _legend(picture: BracketPicture, cuts: Sequence[Cut], here: Cut) -> Iterator[Part]:
    if any(side.seed is not None for match in here.matches for side in match.sides):
        yield note("Number before a name: seed.")
    won = {side.name for match in here.matches for side in match.sides if side.won}
    if picture.champion in won:
        yield note(f"Gold: {picture.champion}’s way to the title.", Colour.GOLD, lambda at: cup(at, 28, Colour.GOLD))
    if won - {picture.champion}:
        yield note("Bar: winner.", Colour.GREEN)
    yield from (note(f"The winner goes on to page {page.title}.") for page in _next(cuts, here))
    yield from map(note, picture.notes)
    yield CHECK_IT


def _next(cuts: Sequence[Cut], here: Cut) -> list[Cut]:
    """Return the page on which the last winner of this one plays on, if there is one."""
    labels = {match.label for match in here.matches}
    later = cuts[cuts.index(here) + 1 :]
    return [cut for cut in later if any(side.source in labels for match in cut.matches for side in match.sides)][:1]


def _alt(picture: BracketPicture, cuts: Sequence[Cut], here: Cut) -> Iterator[str]:
    """Say what it is, the champion, and the matches, the last rounds first."""
    page = f", page {here.title}" if len(cuts) > 1 else ""
    yield f"Bracket of {picture.league}: {picture.subtitle}{page}."
    if picture.champion:
        yield f"Champion: {picture.champion}."
    third = [match for match in picture.matches if match.third_place and here is cuts[-1]]
    for match in [*sorted(here.matches, key=lambda match: -match.round), *third]:
        yield f"{match.label}: {_told(match)}."


def _told(match: BracketMatch) -> str:
    upper, lower = (side.name or _to_come(match, side).lower() for side in match.sides)
    state = f", {_STATES[match.state][0][0]}" if match.state in _STATES else ""
    score = "–".join(side.score for side in match.sides if side.score)
    winner = next((side.name for side in match.sides if side.won), None)
    result = f", {winner} won {score}".rstrip() if winner else ""
    return f"{upper} v {lower}{state}{result}"
