"""Of several tables, as the sheets of a workbook are: which hold matches or people, and which are left out."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.importers.found import About, Answers, Choice, Question
from bot.importers.gathering import Gathering
from bot.importers.tables.columns import Layout, layout
from bot.importers.tables.headings import GROUPED, SEASON_WORDS, Role, heading_alone, plain, recognised
from bot.importers.tables.reading import read_all
from bot.importers.tables.rounds import is_late, stage_of
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile

_LOOKED_AT = 12
_OPPONENTS = {Role.OPPONENT, Role.LOSER}
_PEOPLE = {Role.DISCORD, Role.IN_GAME, Role.SEED}
_SEASONS = {Role.SEASON, Role.NUMBER, Role.YEAR}
_SEASON = re.compile(rf"(?:{SEASON_WORDS}) ?\d{{1,6}}\b|(?:19|20)\d\d\b", re.IGNORECASE)
_PART = re.compile(
    rf"\b(?:div|{'|'.join(sorted(GROUPED))}|(?:make|catch) ?ups?|nachhol\w*|play ?offs?|(?:top ?)?cut|finals?)\b"
)
"""What sheets are called that rather have a part of a season than the whole of it."""
_KEY = "sheets"
_CHOICES = (
    Choice(value="one", label="Parts of one season"),
    Choice(value="each", label="A season each"),
)


def read_tables(tables: Sequence[Table], gathering: Gathering, *, alone: bool = True) -> None:
    """Read the tables that hold matches or people; where none is recognised it's a question, if nothing else is there.

    Tables that aren't `alone` stand beside files of other kinds.
    """
    filled = [table for table in tables if table.rows]
    hidden = [table.sheet for table in tables if table.hidden]
    if hidden:
        gathering.note(f"Left out, because they're hidden: {', '.join(hidden)[:200]}. Unhide a sheet to bring it in.")
    if not filled:
        raise InvalidFile("has no cells that are filled. Choose the right file, or save it again.")
    chosen = [table for table in filled if table.sheet == gathering.answers.sheet] or _recognised(filled)
    if not chosen and alone and len(filled) > 1:
        choices = tuple(Choice(value=table.sheet, label=table.sheet) for table in filled[:25])
        text = "Which sheet has the matches, one in each row?"
        gathering.questions.append(Question(about=About.SHEET, key="sheet", text=text, choices=choices))
        return
    read_all(_of_seasons(chosen or (filled if alone else []), gathering), gathering)
    left = [table.sheet for table in filled if table not in chosen] if chosen or not alone else []
    if left:
        gathering.note(f"Left out, because no matches were found there: {', '.join(left)[:200]}.")


def _of_seasons(tables: Sequence[Table], gathering: Gathering) -> Sequence[Table]:
    """Return sheets named Week 1, or S1 Div A, as parts of their seasons; asks where others may be parts of one."""
    stages = all(_stage(table) for table in tables)
    told = [stages or (_is_part(table) and _SEASON.match(table.sheet) is not None) for table in tables]
    left = [table for table, known in zip(tables, told, strict=True) if not known and _says_no_season(table)]
    meaning = gathering.answers.meant.get(_KEY)
    part = next((table for table in left if _is_part(table)), None)
    if part is not None and len(left) > 1 and meaning is None:
        other = left[-1] if left[-1] is not part else left[0]
        text = f"Are sheets such as {part.sheet} and {other.sheet} parts of one season, or a season each?"
        gathering.questions.append(Question(about=About.MEANING, key=_KEY, text=text, choices=_CHOICES))
        return ()
    one = left if meaning == "one" else []
    return [_in_season(table) if known or table in one else table for table, known in zip(tables, told, strict=True)]


def _says_no_season(table: Table) -> bool:
    """Whether neither the columns nor the name of a sheet of matches say its season."""
    roles = _roles(table)
    return bool(_OPPONENTS & roles) and not _SEASONS & roles and _SEASON.match(table.sheet) is None


def _name(table: Table) -> str:
    """Return what a sheet is called behind the season it begins with, if it does."""
    season = _SEASON.match(table.sheet)
    return heading_alone(table.sheet[season.end() if season is not None else 0 :].strip(" -:,|"))


def _stage(table: Table) -> str:
    """Return the round that a sheet is named after, nothing for other names."""
    name = _name(table)
    return name if any(map(str.isalpha, name)) and stage_of(name) is not None else ""


def _is_part(table: Table) -> bool:
    return bool(_stage(table)) or _PART.search(plain(_name(table))) is not None


def _in_season(table: Table) -> Table:
    """Return a sheet as a part of the season its name begins with, or of the one that the workbook is."""
    season, name = _SEASON.match(table.sheet), _name(table)
    title = table.book or table.title if season is None else season[0]
    return replace(table, title=title, stage=_stage(table), part=name if is_late(name) else "")


def _recognised(tables: list[Table]) -> list[Table]:
    """Return the tables that say what they are; beside matches only lists of people are read, no standings."""
    roles = {table.sheet: _roles(table) for table in tables if len(_roles(table)) > 1}
    matches = [table for table in tables if _OPPONENTS & roles.get(table.sheet, set()) and len(table.rows) > 1]
    if not matches:
        return [table for table in tables if table.sheet in roles]
    people = [table for table in tables if _PEOPLE & roles.get(table.sheet, set()) and table not in matches]
    return [*matches, *filter(_lists_people, people)]


def _roles(table: Table) -> set[Role]:
    return set(max((recognised(row) for row in table.rows[:_LOOKED_AT]), key=len))


def _lists_people(table: Table) -> bool:
    try:
        return isinstance(layout(table.rows, Answers()), Layout)
    except InvalidFile:
        return False
