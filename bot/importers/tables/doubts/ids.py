"""Ids beside the names of a table: they say who won, and that two people of one name are two."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from bot.importers.cells import Cell, says_bye, shortened
from bot.importers.found import About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role, plain, seat_of
from bot.importers.tables.row import Row
from bot.importers.tables.table import Table
from bot.league.season.names import written_key

_ID = re.compile(r"(?P<before>.+?) ?(?:id|nr|no|number|nummer|numero)|(?:id|nr|number|nummer) ?(?P<behind>.+)")
_KEY = "ids"


class Ids:
    """Writes names in place of ids; `question` asks whether people of one name with several ids are one person."""

    def __init__(self, table: Table, layout: Layout, answers: Answers) -> None:
        self.table, self._layout = table, layout
        self.question: Question | None = None
        self._columns = self._found()
        if self._columns is None:
            return
        rows = [(at, Row(table, layout, at)) for at in range(layout.head + 1, len(table.rows))]
        matches = [(at, row) for at, row in rows if all(map(row.quiet, layout.seats))]
        seated = [(at, [self._person(row, seat) for seat in (0, 1)]) for at, row in matches]
        named: dict[str, dict[str, str]] = {}
        for _, people in seated:
            for number, name in people:
                if number and not says_bye(name):
                    named.setdefault(written_key(name), {}).setdefault(number, name)
        shared = next((numbers for numbers in named.values() if len(numbers) > 1), None)
        meaning = answers.meant.get(_KEY)
        if shared is not None and meaning is None:
            self.question = _about(shared)
        else:
            self._write(seated, _called(named) if meaning == "ids" else {})

    def _found(self) -> tuple[int, int] | None:
        """Return the columns of the ids of both seats, if there are such columns."""
        used = set(self._layout.columns.values())
        columns: dict[int, int] = {}
        for index, title in enumerate(self._layout.titles):
            heading = _ID.fullmatch(plain(title))
            seat = None if heading is None or index in used else seat_of(heading["before"] or heading["behind"])
            if seat is not None:
                columns.setdefault(seat, index)
        return (columns[0], columns[1]) if len(columns) == 2 else None

    def _person(self, row: Row, seat: int) -> tuple[str, str]:
        index = (self._columns or (0, 0))[seat]
        cell = row.cells[index] if index < len(row.cells) else ""
        return str(cell).strip(), row.quiet(self._layout.seats[seat])

    def _write(self, seated: Iterable[tuple[int, Sequence[tuple[str, str]]]], called: Mapping[str, str]) -> None:
        """Write the names of those called otherwise, and the winner's in place of the id."""
        rows: list[Sequence[Cell]] = [*self.table.rows]
        for at, people in seated:
            cells = [*rows[at]]
            for role, (number, name) in zip(self._layout.seats, people, strict=True):
                cells[self._layout.columns[role]] = called.get(number, name)
            for role in {Role.WINNER, Role.LOSER} - {*self._layout.seats}:
                index = self._layout.columns.get(role, len(cells))
                for number, name in people if index < len(cells) else ():
                    if number and str(cells[index]).strip() == number:
                        cells[index] = called.get(number, name)
                        break
            rows[at] = cells
        self.table = replace(self.table, rows=rows)


def _called(named: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return what those are called who share a name with someone before them, by their ids."""
    taken, called = {*named}, dict[str, str]()
    for numbers in named.values():
        for number, name in [*numbers.items()][1:]:
            proposals = (f"{name} ({at})" for at in count(2))
            called[number] = next(text for text in proposals if written_key(text) not in taken)
            taken.add(written_key(called[number]))
    return called


def _about(shared: Mapping[str, str]) -> Question:
    numbers, name = [*shared], shortened(next(iter(shared.values())))
    return Question(
        about=About.MEANING,
        key=_KEY,
        text=f"{name} has the ids {shortened(numbers[0])} and {shortened(numbers[1])}. Is each name one person, or each"
        " id? The answer is for all names.",
        choices=(
            Choice(value="names", label="Each name is one person"),
            Choice(value="ids", label=f"Each id is one person, such as {name} and {name} (2)"[:100]),
        ),
    )
