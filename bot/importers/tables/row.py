"""A row of a table, its cells by their roles."""

from collections.abc import Sequence
from datetime import date

from bot.importers.cells import Cell, score_for_time, unreadable
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role
from bot.importers.tables.table import Table

_TYPED = (Role.SCORE, Role.WINNER, Role.POINTS)
"""Columns in which a spreadsheet may make times of scores."""


class Wrong(Exception):
    """A cell that can't be read."""

    def __init__(self, role: Role, text: str) -> None:
        super().__init__(text)
        self.role, self.text = role, text


class Row:
    """A row of a table, its cells by their roles."""

    __slots__ = ("_told", "cells", "where")

    def __init__(self, table: Table, layout: Layout, index: int) -> None:
        self.cells: Sequence[Cell] = table.rows[index]
        self.where = table.where(index)
        self._told = layout

    @property
    def place(self) -> str:
        """How people find the row, within a sentence."""
        return self.where if "," in self.where else f"{self.where[:1].lower()}{self.where[1:]}"

    @property
    def alone(self) -> str | None:
        """The text of the only cell that is filled, None where there are others."""
        filled = [cell for cell in self.cells if cell != ""]
        return filled[0].strip() if len(filled) == 1 and isinstance(filled[0], str) else None

    def cell(self, role: Role) -> Cell:
        """Return the cell of a role, empty where there is none."""
        index = self._told.columns.get(role, -1)
        return self.cells[index] if 0 <= index < len(self.cells) else ""

    def quiet(self, role: Role) -> str:
        """Return the text of a cell, whatever is in it."""
        cell = self.cell(role)
        if isinstance(cell, date):
            return cell.isoformat()
        return score_for_time(cell.strip()) if role in _TYPED else cell.strip()

    def text(self, role: Role) -> str:
        """Return the text of a cell; raises Wrong for what has no value."""
        fault = unreadable(self.cell(role))
        if fault is not None:
            raise Wrong(role, fault)
        return self.quiet(role)
