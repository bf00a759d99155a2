"""The picture of a bracket: a staircase from the first round to the final, and the match for third place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from bot.pictures.layout import MARGIN, Box, Colour, Line, Measure, Page
from bot.pictures.marks import arrow, cup
from bot.pictures.match_box import HEIGHT, SEED, SMALL_NAME, STATES, Place, draw_match
from bot.pictures.sheet import RIGHT_EDGE, Part, Sheet, check_it, note
from bot.pictures.tree import FINALS, BracketMatch, Cut, State, cut, trees

_GAP = 24
_MAP_WIDTH = 124
_GEOMETRY = {1: (560, 0), 2: (500, 162), 3: (548, 190), 4: (496, 144)}
"""By rounds on a page: how wide a box is, if no name needs more, and how far each round stands right of the last."""
_LOWEST = 1500
"""A page of a bracket that goes on below this is too tall for a phone."""
_LEAST_WIDTH = 300
"""The match for third place stands beside another one where so much is left, and room for its names."""


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


def _page(picture: BracketPicture, cuts: Sequence[Cut], here: Cut, sheet: Sheet) -> Page:
    if len(cuts) == 1:
        top = sheet.header(picture.league, picture.subtitle, "Bracket")
    else:
        _map(cuts, here, sheet)
        subtitle = f"{_page_words(cuts, here)} · {picture.subtitle}"
        top = sheet.header(picture.league, subtitle, taken=_MAP_WIDTH + 24)
    places = _places(here.matches, max(match.round for match in picture.matches), top, sheet)
    _paths(picture, places, sheet)
    for place in places:
        draw_match(place, picture.champion, sheet)
    top = _third_place(picture, places, sheet) if here is cuts[-1] else places[-1].bottom
    height = sheet.footer(top + 32, tuple(_legend(picture, cuts, here)))
    names = (side.name for match in here.matches for side in match.sides if side.name)
    return sheet.page(height, _alt(picture, cuts, here), title=here.title, names=dict.fromkeys(names))


def _page_words(cuts: Sequence[Cut], here: Cut) -> str:
    """Return which page of how many this is, or for the finals which pages come before."""
    letters, finals = [page.title for page in cuts if page.title != FINALS], cuts[-1].title == FINALS
    before = letters[0] if len(letters) == 1 else f"{letters[0]}–{letters[-1]}"
    if here.title == FINALS:
        return f"Finals, after page{'s' if len(letters) > 1 else ''} {before}"
    return f"Page {here.title} of {before}{' and Finals' if finals else ''}"


def _places(matches: Sequence[BracketMatch], last: int, top: float, sheet: Sheet) -> list[Place]:
    first = min(match.round for match in matches)
    rounds = 1 + max(match.round for match in matches) - first
    width, step = _GEOMETRY[rounds]
    seeds = (str(side.seed) for match in matches for side in match.sides if side.seed is not None)
    name = 35 + max(sheet.widest(seeds, SEED), 29)
    longest = sheet.widest((side.name for match in matches for side in match.sides if side.name), SMALL_NAME)
    width = max(width, min(name + longest + 90, RIGHT_EDGE - MARGIN - step * (rounds - 1)))

    def place(match: BracketMatch, y: float) -> Place:
        left = MARGIN + step * (match.round - first)
        return Place(match=match, left=left, top=y, width=width, name=name, is_final=match.round == last)

    return [place(match, y) for match, y in zip(matches, count(top, HEIGHT + _GAP), strict=False)]


def _paths(picture: BracketPicture, places: Sequence[Place], sheet: Sheet) -> None:
    """Draw an arrow from each match to the one its winner plays in, dashed while that isn't known."""
    by_label = {place.match.label: place for place in places}
    drawn = [(by_label[side.source], end) for end in places for side in end.match.sides if side.source in by_label]
    for start, end in drawn:
        x = max(start.right - (end.left - start.left) / 2, end.left + 24)
        down = start.top < end.top
        points = ((x, start.bottom), (x, end.top)) if down else ((x, start.top), (x, end.bottom))
        if start.match.winner is None:
            sheet.add(Line(points=points, colour=Colour.PATH, thickness=4, dash=(10, 7)))
        else:
            sheet.add(*arrow(*points, Colour.GOLD if start.match.winner == picture.champion else Colour.GREEN))


def _third_place(picture: BracketPicture, places: Sequence[Place], sheet: Sheet) -> float:
    """Draw the match for third place, beside the final or the last box if it fits; return where the boxes end."""
    last, final = places[-1], max(places, key=lambda place: place.match.round)
    third = next((match for match in picture.matches if match.third_place), None)
    if third is None:
        return last.bottom
    beside = ((MARGIN, final.left - _GAP, final.top), (last.right + _GAP, RIGHT_EDGE, last.top))
    names = sheet.widest((side.name for side in third.sides if side.name), SMALL_NAME) + final.name + 90
    to_come = sheet.widest((third.to_come(side) for side in third.sides if side.name is None), SMALL_NAME) + 40
    roomy = [place for place in beside if place[1] - place[0] >= max(_LEAST_WIDTH, names, to_come)]
    narrow = [place for place in beside if place[1] - place[0] >= _LEAST_WIDTH]
    below = last.bottom + 2 * _GAP
    if not roomy and below + HEIGHT <= _LOWEST:
        narrow.clear()
    left, right, top = next(iter(roomy or narrow), (MARGIN, MARGIN + last.width, below))
    if top == below:
        ends = ((MARGIN, top - _GAP), (RIGHT_EDGE, top - _GAP))
        sheet.add(Line(points=ends, colour=Colour.RULE, dash=(8, 7)))
    place = replace(final, match=third, left=left, top=top, width=right - left, is_final=False)
    draw_match(place, picture.champion, sheet)
    return max(top + HEIGHT, last.bottom)


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
    labels, later = {match.label for match in here.matches}, cuts[cuts.index(here) + 1 :]
    onward = (page for page in later if any(side.source in labels for match in page.matches for side in match.sides))
    if (page := next(onward, None)) is not None:
        yield note(f"The winner goes on to page {page.title}.")
    yield from map(note, picture.notes)
    yield check_it("/why")


def _alt(picture: BracketPicture, cuts: Sequence[Cut], here: Cut) -> Iterator[str]:
    """Say what it is, the champion, and the matches, the last rounds first."""
    page = f" {_page_words(cuts, here)}." if len(cuts) > 1 else ""
    yield f"Bracket of {picture.league}: {picture.subtitle}.{page}"
    if picture.champion:
        yield f"Champion: {picture.champion}."
    third = [match for match in picture.matches if match.third_place and here is cuts[-1]]
    for match in [*sorted(here.matches, key=lambda match: -match.round), *third]:
        yield f"{match.label}: {_told(match)}."


def _told(match: BracketMatch) -> str:
    if match.state is State.BYE:
        return f"{match.upper.name or match.to_come(match.upper)} has a bye"
    upper, lower = (side.name or match.to_come(side).lower() for side in match.sides)
    state = f", {STATES[match.state][0][0]}" if match.state in STATES else ""
    winner_first = sorted(match.sides, key=lambda side: not side.won)
    score = "–".join(side.score for side in winner_first if side.score)
    result = f", {match.winner} won {score}".rstrip() if match.winner else ""
    return f"{upper} v {lower}{state}{result}"
