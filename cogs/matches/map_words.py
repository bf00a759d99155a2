"""Maps of rounds: short on a card, with note and link where there is room."""

from collections.abc import Iterator, Sequence

from cogs.ui.text import cut, quoted, shown
from storage.tables.maps import MapRow

_ON_CARD = 200
"""Characters of maps on a round's card."""


def on_card(maps: Sequence[MapRow]) -> list[str]:
    """Return the line of a round's card with its maps; nothing where it has none."""
    names = ", ".join(shown(row.name) for row in maps)
    return [f"🗺️ {cut(names, _ON_CARD)}"] if maps else []


def in_full(maps: Sequence[MapRow]) -> list[str]:
    """Return a line for each map with its note and link."""
    return [f"🗺️ {map_words(row)}" for row in maps]


def map_words(row: MapRow) -> str:
    """Return a map with its note and its link, which shows where it leads."""
    return " · ".join([f"**{quoted(row.name, 80)}**", *filter(None, [quoted(row.note, 200)]), *_link(row)])


def _link(row: MapRow) -> Iterator[str]:
    if row.link:
        yield f"<{row.link}>"


def chapter_lines(maps: Sequence[MapRow]) -> list[str]:
    """Return the lines of the rules' chapter on maps: the round of each first."""
    return [f"- {_where(row.place)}: {map_words(row)}" for row in maps]


def _where(place: str) -> str:
    return f"Round {place}" if place.isdecimal() else place.capitalize()
