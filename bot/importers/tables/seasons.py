"""Which season a row is in: by its number, its name, its year, or a heading above; and who became its champion."""

import re
from collections.abc import Sequence

from bot.importers.cells import shortened
from bot.importers.found import About, Choice, Question
from bot.importers.gathering import LATEST_SEASON, Gathering
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import SEASON_WORDS, Role, heading_alone, plain
from bot.importers.tables.row import Row, Wrong
from bot.importers.tables.table import Table
from bot.league.season.names import written_key

_FIRST_YEAR = 1900
_HEADING = re.compile(
    rf"(?:{SEASON_WORDS}) ?\d{{1,6}}|(?:19|20)\d\d"
    r"|(?:season|saison|spring|summer|autumn|fall|winter|fruhling|fruhjahr|sommer|herbst|printemps|ete|automne|hiver)"
    r" (?:19|20)\d\d(?: \d{2,4})?"
)


def numbered(title: str) -> int | None:
    """Return a season's number by its name, such as Season 3; 2024 is rather a year than a number."""
    bare = re.sub(rf"^(?:{SEASON_WORDS})(?=[\s#.\d-])", "", title.casefold()).strip(" #.-")
    short = bare.isdecimal() and bare.isascii() and len(bare) <= 6
    return int(bare) if short and int(bare) < _FIRST_YEAR else None


def _is_over_new_year(heading: str) -> bool:
    """Return whether a heading is a year and the next one, as 2023/24 is; 2004/05 may be a month of 2004."""
    years = re.fullmatch(r"((?:19|20)\d\d) (\d{2}|\d{4})", heading)
    return years is not None and int(years[2]) > 12 and int(years[2][-2:]) == (int(years[1]) + 1) % 100


class Seasons:
    """Tells the season of each row, and gathers seasons and champions."""

    def __init__(self, table: Table, layout: Layout, rows: Sequence[Row], gathering: Gathering) -> None:
        self._table, self._told, self._gathering = table, layout, gathering
        self._heading: str | None = None
        self._champions: dict[object, tuple[str, Row]] = {}
        self._each_year = gathering.answers.meant.get("years") == "each"
        self.question = self._about_years(rows)

    def begin(self, heading: str) -> bool:
        """Begin a season with a heading between the rows; false if it is no such heading."""
        texts = plain(heading), plain(heading_alone(heading))
        if not any(_HEADING.fullmatch(text) or _is_over_new_year(text) for text in texts):
            return False
        self._heading = heading
        return True

    def of(self, row: Row) -> object:
        """Return the key of a row's season, which the gathering knows from here on; raises Wrong."""
        title, number = self._title(row)
        year = row.text(Role.YEAR).removesuffix(".0") if Role.YEAR in self._told.columns else ""
        if self._each_year and year and (title or number is not None):
            title, number = f"{title or number} {year}", None
        key: object = ("number", number) if number is not None else ("title", written_key(title))
        if number is None and year not in title:
            title = f"{title} {year}"  # which tells the order of seasons without dates
        self._gathering.season(key, title, number)
        return key

    def _title(self, row: Row) -> tuple[str, int | None]:
        title, stated = row.text(Role.SEASON), row.text(Role.NUMBER)
        columns = self._told.columns
        if Role.NUMBER in columns and (stated or self._heading is None):
            number = _number(stated)
            if number is None:
                reason = f"“{shortened(stated)}” is no season number" if stated else "empty"
                raise Wrong(Role.NUMBER, f"{reason}. Give a number, for example 3.")
            return title or self._table.title, number
        if not title and self._heading is not None:
            return self._heading, numbered(heading_alone(self._heading))
        if Role.SEASON in columns:
            if not title:
                raise Wrong(Role.SEASON, "empty. Give a number, for example 3.")
            return title, numbered(title)
        if Role.YEAR in columns:
            year = row.text(Role.YEAR).removesuffix(".0")
            if not year:
                raise Wrong(Role.YEAR, "empty. Give the year, for example 2024.")
            return year, None
        of_sheet = self._table.book != "" and self._table.sheet.startswith(self._table.title)
        return self._table.title, numbered(self._table.title if of_sheet else self._table.sheet)

    def _about_years(self, rows: Sequence[Row]) -> Question | None:
        """Ask where a season's name comes with several years: every spring, or one over New Year."""
        role = Role.NUMBER if Role.NUMBER in self._told.columns else Role.SEASON
        if not {role, Role.YEAR} <= self._told.columns.keys() or "years" in self._gathering.answers.meant:
            return None
        years: dict[str, str] = {}
        for row in rows:
            name, year = row.quiet(role), row.quiet(Role.YEAR)
            if name and year and years.setdefault(written_key(name), year) != year:
                before = years[written_key(name)]
                return Question(
                    about=About.MEANING,
                    key="years",
                    text=f"Season “{shortened(name)}” has rows of {shortened(before)} and of {shortened(year)}."
                    " One season, or one each year?",
                    choices=(Choice(value="each", label="One each year"), Choice(value="one", label="One season")),
                )
        return None

    def champion(self, season: object, row: Row) -> str | None:
        """Note who a row says became champion, if it does; raises Wrong where another row says someone else."""
        name = row.text(Role.CHAMPION)
        if not name:
            return None
        before, stated = self._champions.setdefault(season, (name, row))
        if written_key(before) != written_key(name):
            raise Wrong(Role.CHAMPION, f"says {shortened(name)}, but {stated.place} says {shortened(before)}. Fix one.")
        return name

    def crown(self) -> None:
        """Tell the gathering who became champion; one who didn't play is a problem."""
        for season, (raw, row) in self._champions.items():
            name = self._gathering.name(raw)
            if not self._gathering.champion(season, name):
                text = f"{shortened(name)} didn't play in this season. Write the name as it is in the rows."
                self._gathering.wrong(row.where, self._told.title(Role.CHAMPION), text)


def _number(text: str) -> int | None:
    bare = re.fullmatch(r"\D{0,20}?0*(\d{1,9})(?:\.0)?", text)
    return int(bare[1]) if bare is not None and int(bare[1]) <= LATEST_SEASON else None
