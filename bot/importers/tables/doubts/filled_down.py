"""Cells that are empty because the one above counts for them, as a spreadsheet saves what was merged."""

from collections.abc import Sequence
from dataclasses import replace

from bot.importers.cells import Cell, shortened
from bot.importers.found import About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role
from bot.importers.tables.rounds import is_late, stage_of
from bot.importers.tables.row import Row
from bot.importers.tables.table import Table

_GOES_ON = (Role.SEASON, Role.NUMBER, Role.YEAR, Role.ROUND, Role.DATE)
"""What may be written once for several rows."""


class FilledDown:
    """Gives rows what stands above them where someone said so; `question` asks about the first column of such cells."""

    def __init__(self, table: Table, layout: Layout, answers: Answers) -> None:
        self.table, self._layout = table, layout
        self.question: Question | None = None
        rows = [Row(table, layout, index) for index in range(layout.head + 1, len(table.rows))]
        matches = [(at, row) for at, row in enumerate(rows, start=layout.head + 1) if self._has_match(row)]
        headed = any(row.alone is not None for row in rows)
        for role in _GOES_ON if not headed else ():
            filled = self._filled(role, matches)
            if not filled or (role is Role.DATE and self.table is table):
                continue  # dates may be missing, unless other cells go on
            meaning = answers.meant.get(_key(role))
            if meaning == "above":
                self._fill(role, filled)
            elif meaning is None and self.question is None:
                at, above = next(iter(filled.items()))
                self.question = self._about(role, Row(table, layout, at), above)

    def _has_match(self, row: Row) -> bool:
        return all(row.quiet(role) for role in self._layout.seats)

    def _filled(self, role: Role, matches: Sequence[tuple[int, Row]]) -> dict[int, Cell]:
        """Return the empty cells of a column by their rows, each with what stands above it; the first row has one."""
        above: Cell = ""
        filled: dict[int, Cell] = {}
        for at, row in matches if role in self._layout.columns else ():
            cell = row.cell(role)
            if cell == "" and above == "":
                return {}
            if cell != "":
                above = cell
            elif role is not Role.ROUND or not _has_stage(row):
                filled[at] = above
        return filled

    def _fill(self, role: Role, filled: dict[int, Cell]) -> None:
        index = self._layout.columns[role]
        rows = [list(row) for row in self.table.rows]
        for at, cell in filled.items():
            rows[at] += [""] * (index + 1 - len(rows[at]))
            rows[at][index] = cell
        self.table = replace(self.table, rows=rows)

    def _about(self, role: Role, row: Row, above: Cell) -> Question:
        title = self._layout.title(role)
        left = "Unknown: leave it empty" if role is Role.DATE else "It's missing: I'll write it"
        return Question(
            about=About.MEANING,
            key=_key(role),
            text=f"“{title}” is empty in {row.place}. Does what stands above go on, {shortened(str(above))}?"
            " The answer is for all such rows.",
            choices=(Choice(value="above", label="It goes on"), Choice(value="empty", label=left)),
        )


def _has_stage(row: Row) -> bool:
    part = row.quiet(Role.STAGE)
    return stage_of(part) is not None or is_late(part)


def _key(role: Role) -> str:
    return f"empty {role}"
