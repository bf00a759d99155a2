"""Write the pages and files of a league: which there are, who has a page, how many lines the front shows.

They are a mapping from path to content, the same bytes for the same facts.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.exporters.calendar import to_ics
from bot.exporters.sheets import to_workbook, to_zip
from bot.league.checking.by_hand import changed_by_hand
from bot.league.counting.ratings import Carried, highest
from bot.league.formats import by_key
from bot.league.season.model import Name
from bot.league.season.phases import LIVE, SeasonPhase
from bot.league.summaries import careers, league_records
from bot.league.summaries.careers import Career, OwnSeason, SeasonPlayed
from bot.league.summaries.league_records import LeagueRecords, record_lines
from bot.site import drawings, words
from bot.site.facts import LeagueFacts, PlayerFacts, SeasonFacts
from bot.site.index_json import Index
from bot.site.preview import Preview, Previews, of_player, of_season
from bot.site.season_view import view
from bot.site.words import Clock

if TYPE_CHECKING:
    import jinja2

HERE = Path(__file__).parent
CHECKER = HERE / "checker"
FRONT_LINES = 32
"""As many lines of the table the front shows whole; of a longer one it shows the first."""

MOST_CURVES = 256
"""Links to as many players of the newest season are shown with their rating; the others with their last table."""

Pages = dict[str, bytes]


def pages(league: LeagueFacts, address: str = "") -> Pages:
    """Return every page and file of a league."""
    return {path: b"".join(parts) for path, parts in one_by_one(league, address)}


def nothing(path: str) -> None:
    """Say that a file isn't there."""


def one_by_one(
    league: LeagueFacts, address: str = "", earlier: Callable[[str], bytes | None] = nothing
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the path and the parts of every page and file; `address` is where their folder is on the web, if known.

    `earlier` gives a file that was written the last time: pictures that show the same aren't painted again, and the
    workbook of a season whose tables are as they were isn't made again.
    """
    of_seasons = (_files(season, league, earlier).items() for season in league.seasons)
    for path, content in chain(_one_for_all(league), chain.from_iterable(of_seasons)):
        yield path, (content,)
    previews = Previews(earlier)
    site = _Site(league, address, previews)
    yield "index.json", site.index().parts()
    html = ((path, page.encode()) for path, page in site.written())
    for path, content in chain(html, previews.files()):
        yield path, (content,)


def _one_for_all(league: LeagueFacts) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of the files that aren't of one season."""
    for name in ("style.css", "players.js"):
        yield name, (HERE / name).read_bytes()
    for file in sorted(CHECKER.iterdir()):
        if _is_of_pages(file):
            yield f"checker/{file.name}", file.read_bytes()
    if league.every_season is not None:
        yield "calendar.ics", to_ics(league.every_season.name, league.every_season.entries, league.now)


def _is_of_pages(file: Path) -> bool:
    return file.is_file() and file.suffix in (".js", ".css", ".html", ".svg") and file.name != "check.js"


def _has_checker() -> bool:
    return (CHECKER / "check.html").is_file()


def _files(season: SeasonFacts, league: LeagueFacts, earlier: Callable[[str], bytes | None]) -> Pages:
    folder, files = f"season-{season.number}", season.files
    packed, zip_, workbook = to_zip(files.sheets), f"{folder}/{files.name}.zip", f"{folder}/{files.name}.xlsx"
    contents = {
        f"{folder}/{files.name}.json": files.league_file,
        zip_: packed,
        workbook: (earlier(zip_) == packed and earlier(workbook)) or to_workbook(files.sheets, league.now),
        f"{folder}/season.js": season_script(files.league_file, f"{files.name}.json"),
    }
    if league.calendar is not None and league.calendar.season == season.number:
        contents[f"{folder}/fairpair.ics"] = to_ics(league.calendar.name, league.calendar.entries, league.now)
    page = CHECKER / "check.html"
    if page.is_file():
        contents[f"{folder}/check.html"] = check_page(page.read_text(encoding="utf-8")).encode()
    return contents


def season_script(league_file: bytes, name: str) -> bytes:
    """Return a script that holds a league file as a text, for pages that a folder lets load nothing but scripts."""
    given = f"fairpair.file = {json.dumps(league_file.decode())};\nfairpair.name = {json.dumps(name)};\n"
    return f"var fairpair = {{}};\n{given}".encode()


def check_page(html: str) -> str:
    """Return the checker's page for a season's folder, with the season's data before its own scripts."""
    linked = html.replace('src="', 'src="../checker/').replace('href="', 'href="../checker/')
    first, rest = linked.split("<script ", 1)
    return f'{first}<script src="season.js"></script>\n<script {rest}'


@cache
def _templates() -> "jinja2.Environment":
    import jinja2  # 5 MB that few processes need

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class _Site:
    """A league's pages while they are written."""

    def __init__(self, league: LeagueFacts, address: str, previews: Previews) -> None:
        self._league, self._address, self._previews = league, address.rstrip("/"), previews
        self._clock = Clock(ZoneInfo(league.time_zone))
        self._people = {player.id: player for player in league.players}
        named = {season.number: by_key(season.record.format).round_names(season.record) for season in league.seasons}
        self._careers, records = looked_back(league)
        self._records = list(record_lines(records, {player.id: player.name for player in league.players}))
        self._changed = {
            (season.number, round_) for season in league.seasons for round_ in changed_by_hand(season.record)
        }
        self._with_page = {
            player.id for player in league.players if not player.forgotten and self._careers[player.id].seasons
        }
        self._seasons = [view(season, named[season.number], self._clock) for season in league.seasons]
        self._by_seat = {
            season.number: {
                row.standing.name: line for row, line in zip(season.facts.table.rows, season.lines, strict=True)
            }
            for season in self._seasons
        }
        self._titles = {player: career.titles for player, career in self._careers.items() if career.titles}
        # Only a whole address helps those who show a picture with a link.
        begun = [season for season in self._seasons if season.facts.table.begun] if address else []
        self._tables = {season.number: of_season(league.name, season, previews) for season in begun}
        self._newest = begun[-1] if begun else None

    def written(self) -> Iterator[tuple[str, str]]:
        """Yield the path and text of each page."""
        newest_first = self._seasons[::-1]
        live = next((season for season in newest_first if season.facts.phase in LIVE), None)
        played = next((season for season in newest_first if season.facts.table.begun), None)
        champions = [season for season in newest_first if season.facts.phase is SeasonPhase.FINISHED]
        everyone = [
            (player, self._careers[player.id]) for player in self._league.players if player.id in self._with_page
        ]
        given: dict[str, Any] = {"live": live, "main": live if live and live.facts.table.begun else played or live}
        given |= {"records": self._records, "champions": champions, "everyone": everyone, "seasons": newest_first}
        yield self._page("index.html", "front.html", **given)
        yield self._page("seasons.html", "seasons.html", **given)
        yield self._page("players.html", "players.html", **given)
        yield self._page("files.html", "files.html", **given)
        for season in self._seasons:
            path, table = f"season-{season.number}/index.html", self._tables.get(season.number)
            yield self._page(path, "season.html", table, up="../", season=season, field=len(season.lines))
        curves = self._with_curve()
        for person, career in everyone:
            path, picture = f"players/{person.id}.html", self._picture_of(person, career, curves)
            yield self._page(path, "player.html", picture, up="../", **self._player(person, career))

    def index(self) -> Index:
        """Return the same for programs."""
        return Index(
            league=self._league,
            seasons=self._seasons,
            careers=self._careers,
            records=self._records,
            with_page=self._with_page,
            clock=self._clock,
            address=self._address,
            check=_has_checker(),
        )

    def _with_curve(self) -> set[Name]:
        """Return the seats of the newest season whose players' links are shown with their rating."""
        return {line.standing.name for line in self._newest.facts.table.rows[:MOST_CURVES]} if self._newest else set()

    def _picture_of(self, person: PlayerFacts, career: Career, curves: set[Name]) -> Preview | None:
        seats = {season.number: season.seat for season in career.seasons[::-1]}
        if self._newest is not None and career.rated and seats.get(self._newest.number) in curves:
            return of_player(self._league.name, person.id, person.name, career.rated, self._previews)
        return next((self._tables[number] for number in seats if number in self._tables), None)

    def _player(self, person: PlayerFacts, career: Career) -> dict[str, Any]:
        rated = [match.rating for match in career.rated if match.rating is not None]
        return {
            "person": person,
            "career": career,
            "lines": [(season, self._by_seat[season.number].get(season.seat)) for season in career.seasons[::-1]],
            "views": {season.number: season for season in self._seasons},
            "changed": self._changed,
            "words": words,
            "curve": drawings.curve(career.rated, career.titles) if len(rated) > 1 else None,
            "rating": rated[-1] if rated else None,
            "highest": highest(rated),
        }

    def _page(
        self, path: str, template: str, picture: Preview | None = None, *, up: str = "", **given: Any
    ) -> tuple[str, str]:
        text = (
            _templates()
            .get_template(template)
            .render(
                league=self._league,
                clock=self._clock,
                people=self._people,
                titles_of=self._titles,
                with_page=self._with_page,
                up=up,
                path=path,
                address=self._address,
                picture=picture or (self._newest and self._tables[self._newest.number]),
                front_lines=FRONT_LINES,
                check=_has_checker(),
                **given,
            )
        )
        return path, text


def looked_back(league: LeagueFacts) -> tuple[dict[int, Career], LeagueRecords]:
    """Return everyone's career by their number, and the league's records."""
    careers_of: dict[int, list[OwnSeason]] = {player.id: [] for player in league.players}
    taken: Carried[int] = Carried()
    records = LeagueRecords()
    for facts in league.seasons:
        champion = facts.champion_id if facts.phase is SeasonPhase.FINISHED else None
        played = SeasonPlayed(
            record=facts.record, people=facts.people, phase=facts.phase, champion=champion, start=facts.start
        )
        own, taken = careers.of_season(played, taken)
        records = league_records.after_season(records, own)
        for person, season in own.items():
            careers_of[person].append(season)
    return {person: Career(seasons=tuple(seasons)) for person, seasons in careers_of.items()}, records
