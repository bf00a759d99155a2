"""Of several tables, as the sheets of a workbook are: which hold matches or people, and which are left out."""

from collections.abc import Sequence
from dataclasses import replace

from bot.importers.found import About, Answers, Choice, Question
from bot.importers.gathering import Gathering
from bot.importers.tables.columns import Layout, layout
from bot.importers.tables.headings import Role, recognised
from bot.importers.tables.reading import read_all
from bot.importers.tables.rounds import stage_of
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile

_LOOKED_AT = 12
_OPPONENTS = {Role.OPPONENT, Role.LOSER}
_PEOPLE = {Role.DISCORD, Role.IN_GAME, Role.SEED}


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
    read_all(_of_one_season(chosen or (filled if alone else [])), gathering)
    left = [table.sheet for table in filled if table not in chosen] if chosen or not alone else []
    if left:
        gathering.note(f"Left out, because no matches were found there: {', '.join(left)[:200]}.")


def _of_one_season(tables: Sequence[Table]) -> Sequence[Table]:
    """Return sheets named Week 1, Week 2 and so on as the rounds of one season, others as they are."""
    names = [table.sheet for table in tables]
    if all(any(map(str.isalpha, name)) and stage_of(name) is not None for name in names):
        return [replace(table, title=table.book or table.title, stage=table.sheet) for table in tables]
    return tables


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
