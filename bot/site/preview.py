"""The pictures that links to a league's pages are shown with: a season's table, a player's rating."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.league.season.in_words import amount
from bot.league.summaries.careers import Played
from bot.pictures.drawing import Picture, draw
from bot.pictures.rating import RatingPicture, RatingPoint
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import Mark, StandingsRow
from bot.site.lines import Line
from bot.site.season_view import SeasonView

_MARKS = {"in": Mark.IN, "out": Mark.OUT, "dropped": Mark.LEFT}


@dataclass(frozen=True, slots=True)
class Preview:
    """Where the picture of a page is, and what it shows, in words."""

    path: str
    alt: str


class Previews:
    """Pictures under names that change with what they show, so that one painted before isn't painted again.

    `earlier` gives the content of a file that was written the last time, if there is one.
    """

    def __init__(self, earlier: Callable[[str], bytes | None]) -> None:
        self._earlier = earlier
        self._wanted: dict[str, Picture] = {}

    def of(self, name: str, picture: Picture, alt: str) -> Preview:
        """Return where a picture is going to be."""
        path = f"{name}-{hashlib.sha256(repr(picture).encode()).hexdigest()[:12]}.png"
        self._wanted[path] = picture
        return Preview(path, alt)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the path and content of each picture, once."""
        for path, picture in self._wanted.items():
            yield path, self._earlier(path) or draw(picture, 0).png


def of_season(league: str, season: SeasonView, previews: Previews) -> Preview:
    """Return the picture of the beginning of a season's table."""
    picture = StandingsPicture(
        league=league,
        subtitle=f"Season {season.number} · {season.table_title[:1].lower()}{season.table_title[1:]}",
        columns=season.columns,
        rows=tuple(_row(line) for line in season.lines),
        cut_after=season.cut_after if season.cut_words else None,
        cut_words=season.cut_words.removeprefix("cut: "),
    )
    return previews.of(f"season-{season.number}/table", picture, f"The table of {league}, season {season.number}")


def _row(line: Line) -> StandingsRow:
    return StandingsRow(
        rank=line.rank or 0,
        name=line.name,
        mark=Mark.CHAMPION if line.champion else _MARKS.get(line.mark),
        cells=line.cells,
        rating=line.rating.value if line.rating else None,
        uncertainty=line.rating.uncertainty if line.rating else None,
        provisional=line.rating is not None and line.rating.provisional,
    )


def of_player(league: str, number: int, name: str, rated: Sequence[Played], previews: Previews) -> Preview:
    """Return the picture of the rating of a player who has one, match by match."""
    points = [RatingPoint.of(entry.season, entry.rating) for entry in rated if entry.rating is not None]
    seasons = amount(len({point.season for point in points}), "season")
    picture = RatingPicture(
        player=name,
        subtitle=f"{league} · {seasons}, {amount(len(points), 'rated match')}",
        points=tuple(points),
    )
    return previews.of(f"players/{number}", picture, f"{name}'s rating after each match")
