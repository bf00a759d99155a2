"""Read a table, one row a match or one row a person, and the Discord accounts of people."""

import re

from bot.league.errors import InvalidFile
from bot.league.season.in_words import amount
from bot.moving_in.cells import shortened
from bot.moving_in.found import Question
from bot.moving_in.gathering import Gathering, require_few
from bot.moving_in.tables.columns import Layout, layout
from bot.moving_in.tables.headings import Role
from bot.moving_in.tables.matches import Matches
from bot.moving_in.tables.row import Row, Wrong
from bot.moving_in.tables.table import Table

_ACCOUNT = re.compile(r"(?:<@!?)?(\d{17,20})>?")
_ROUNDED = re.compile(r"\d[.,]\d+e\+?1\d", re.IGNORECASE)


def read_table(table: Table, gathering: Gathering) -> None:
    """Read one table; what it doesn't say becomes a question."""
    told = layout(table.rows, gathering.answers)
    if isinstance(told, Question):
        gathering.questions.append(told)
        return
    if len(table.rows) == told.head + 1:
        raise InvalidFile("has a head but no rows below it. Add one row for each match.")
    gathering.columns(told.titles, {str(role): told.title(role) for role in told.columns})
    unused = told.unused(table.rows)
    if unused:
        gathering.note(f"Not used: {amount(len(unused), 'column')}, {', '.join(unused)}.")
    if told.has_matches:
        require_few(len(table.rows) - told.head - 1)
        Matches(table, told, gathering).read()
    else:
        _read_people(table, told, gathering)


def _read_people(table: Table, told: Layout, gathering: Gathering) -> None:
    seen: dict[str, str] = {}
    owners: dict[int, str] = {}
    require_few(len(table.rows))
    for index in range(told.head + 1, len(table.rows)):
        row = Row(table, told, index)
        try:
            text, account = row.text(Role.PLAYER), row.text(Role.DISCORD)
            if not text:
                raise Wrong(Role.PLAYER, "empty. Write the person's name.")
            gathering.rows += 1
            name = gathering.name(text)
            if name in seen:
                raise Wrong(Role.PLAYER, f"{name} is in {seen[name]} already. Delete one of them.")
            seen[name] = row.place
            gathering.person(name)
            _account(name, account, owners, gathering)
        except Wrong as wrong:
            gathering.wrong(row.where, told.title(wrong.role), wrong.text)


def _account(name: str, text: str, owners: dict[int, str], gathering: Gathering) -> None:
    """Note a person's Discord id; a Discord name is only proposed, because anyone can have written it."""
    by_id = _ACCOUNT.fullmatch(text)
    if by_id is not None:
        owner = owners.setdefault(int(by_id[1]), name)
        if owner != name:
            raise Wrong(Role.DISCORD, f"{owner} has the same Discord id. Fix one of them.")
        gathering.account(name, int(by_id[1]))
    elif _ROUNDED.fullmatch(text):
        raise Wrong(
            Role.DISCORD,
            f"the spreadsheet rounded the id to {shortened(text)}. Format the column as text, type it again.",
        )
    elif text:
        gathering.proposed(name, text)
