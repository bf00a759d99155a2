"""The picture of a bracket: a staircase from the first round on the left to the final on the right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.pictures.layout import MARGIN, Box, Colour, Line, Measure, Page, Style, Weight
from bot.pictures.marks import arrow
from bot.pictures.sheet import CHECK_IT, RIGHT_EDGE, Align, Part, Sheet, Sign, note
from bot.pictures.tree import BracketMatch, Cut, Side, State, cut, trees

_HEADER = 37
_SIDE = 44
_HEIGHT = _HEADER + 2 * _SIDE
_GAP = 24
_MAP_WIDTH = 124
_GEOMETRY = {1: (560, 0), 2: (442, 162), 3: (500, 214), 4: (442, 162)}
"""By rounds on a page: how wide a box is, and how far each round stands right of the one before."""

_LABEL = Style(size=28, weight=Weight.SEMIBOLD)
_NOTE = Style(size=28)
_SEED = Style(size=28)
_NAME = Style(size=32)
_WINNER = Style(size=32, weight=Weight.BOLD)
_TO_COME = Style(size=28, italic=True)

_STATES = {
    State.TO_PLAY: ("still to play", Colour.BLUE),
    State.REPORTED: ("not confirmed", Colour.AMBER),
    State.DISPUTED: ("disputed", Colour.ORANGE),
}


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
    """Where the box of a match stands, and how wide it is."""

    match: BracketMatch
    left: float
    top: float
    width: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + _HEIGHT


def _page(picture: BracketPicture, cuts: Sequence[Cut], here: Cut, sheet: Sheet) -> Page:
    top = _header(picture, cuts, here, sheet)
    places = _places(here.matches, top)
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
    return sheet.header(picture.league, f"{picture.subtitle} · page {here.title}", taken=_MAP_WIDTH + 24)


def _places(matches: Sequence[BracketMatch], top: float) -> list[_Place]:
    first = min(match.round for match in matches)
    width, step = _GEOMETRY[1 + max(match.round for match in matches) - first]
    return [
        _Place(match=match, left=MARGIN + step * (match.round - first), top=top + at * (_HEIGHT + _GAP), width=width)
        for at, match in enumerate(matches)
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
    state = _STATES.get(place.match.state)
    sheet.add(
        Box(left=left, top=top, width=width, height=_HEADER, fill=Colour.HEADER, radius=10, round_bottom=False),
        Box(left=left, top=top + _HEADER, width=width, height=2 * _SIDE, fill=Colour.ROW, radius=10, round_top=False),
    )
    if state:
        _frame(place, state[1], sheet)
    _heading(place, state or (place.match.note, Colour.SECOND), sheet)
    for at, side in enumerate(place.match.sides):
        _side(picture, place, side, top + _HEADER + at * _SIDE, sheet)


def _frame(place: _Place, colour: Colour, sheet: Sheet) -> None:
    left, top, width = place.left - 2, place.top - 2, place.width + 4
    sheet.add(Box(left=left, top=top, width=width, height=_HEIGHT + 4, outline=colour, radius=12, thickness=4))


def _heading(place: _Place, beside: tuple[str, Colour], sheet: Sheet) -> None:
    words, colour = beside
    label = Colour.SECOND if colour is Colour.SECOND else Colour.TEXT
    baseline, left, right = place.top + 28, place.left + 16, place.right - 16
    left += sheet.text(place.match.label, left, baseline, _LABEL, label, room=place.width - 32) + 16
    if words and left + sheet.measured("…", _NOTE) < right:
        style = _NOTE if colour is Colour.SECOND else _LABEL
        sheet.text(words, right, baseline, style, colour, align=Align.RIGHT, room=right - left)


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
        sheet.text(str(side.seed), place.left + 49, baseline - 1, _SEED, _shade(lost), align=Align.RIGHT)
    score = Colour.MUTED if lost else winner if side.won else Colour.SECOND
    taken = sheet.text(side.score, place.right - 18, baseline, _WINNER, score, align=Align.RIGHT) if side.score else 0
    style = _WINNER if side.won else _NAME
    name = Colour.MUTED if lost else Colour.GOLD if champion else Colour.TEXT
    sheet.text(side.name, place.left + 64, baseline, style, name, room=place.width - 64 - 18 - 16 - taken)


def _shade(lost: bool) -> Colour:
    return Colour.MUTED if lost else Colour.SECOND


def _to_come(match: BracketMatch, side: Side) -> str:
    if side.source is None:
        return "No opponent: bye" if match.state is State.BYE else "Not known yet"
    label = side.source[:1].lower() + side.source[1:]
    return f"{'Loser' if match.third_place else 'Winner'} of {label}"


def _third_place(picture: BracketPicture, places: Sequence[_Place], sheet: Sheet) -> float:
    """Draw the match for third place, right of the last box where there is room; return where the boxes end."""
    last = places[-1]
    third = next((match for match in picture.matches if match.third_place), None)
    if third is None:
        return last.bottom
    left, top, width = last.right + _GAP, last.top, min(442.0, RIGHT_EDGE - last.right - _GAP)
    if width < 300:
        left, top, width = MARGIN, last.bottom + 2 * _GAP, 442
        middle = last.bottom + _GAP
        sheet.add(Line(points=((MARGIN, middle), (RIGHT_EDGE, middle)), colour=Colour.RULE, dash=(8, 7)))
    _match(picture, _Place(match=third, left=left, top=top, width=width), sheet)
    return top + _HEIGHT


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
    if picture.champion:
        yield note(f"Gold: {picture.champion}’s way to the title.", Colour.GOLD, Sign.CUP)
    elif any(match.state is State.DONE for match in here.matches):
        yield note("Bar: winner.", Colour.GREEN)
    if len(cuts) > 1 and here is not cuts[-1]:
        yield note(f"The winner goes on to page {cuts[-1].title}.")
    yield from map(note, picture.notes)
    yield CHECK_IT


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
    state = f", {_STATES[match.state][0]}" if match.state in _STATES else ""
    score = "–".join(side.score for side in match.sides if side.score)
    winner = next((side.name for side in match.sides if side.won), None)
    result = f", {winner} won {score}".rstrip() if winner else ""
    return f"{upper} v {lower}{state}{result}"
