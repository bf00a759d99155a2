"""The rows of a text or of one sheet, as they stand there."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.importers.cells import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a text or of one sheet; `numbers` are those a person sees beside them.

    `book` is the title of the workbook a sheet is of, `stage` a round all of its rows are in,
    `part` the finals if they are. Of a `hidden` sheet there are no rows.
    """

    title: str
    rows: Sequence[Sequence[Cell]]
    numbers: Sequence[int]
    sheet: str = ""
    book: str = ""
    stage: str = ""
    part: str = ""
    hidden: bool = False

    def where(self, index: int) -> str:
        """Return how people find a row."""
        return f"{self.sheet}, row {self.numbers[index]}" if self.sheet else f"Row {self.numbers[index]}"
