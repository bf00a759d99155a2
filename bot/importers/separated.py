"""Read a text of cells with something between them, as CSV has them."""

import csv
import io
import re

from bot.importers.cells import Cell, Plain
from bot.importers.reader import Reader
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile

_SEPARATORS = ",;\t|"
_MOST_COLUMNS = 256
_ESCAPED = re.compile(r"'+[=+\-@]")


def table_of(text: str, title: str) -> Table:
    """Return the rows of a text, blank ones left out; raises InvalidFile."""
    kept = list[list[Cell]]()
    numbers = list[int]()
    last = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text))
    try:
        for row in reader:
            # A cell may hold line breaks: a row has the number of its first line.
            number, last = last + 1, reader.line_num
            if len(row) > _MOST_COLUMNS:
                raise InvalidFile(
                    f"has {len(row)} columns; at most {_MOST_COLUMNS} can be read.", place=f"row {number}"
                )
            if any(cell.strip() for cell in row):
                kept.append([_cell(cell) for cell in row])
                numbers.append(number)
    except csv.Error:
        raise InvalidFile("a cell never ends. Look for a quotation mark too many.", place=f"row {last + 1}") from None
    return Table(title=title, rows=kept, numbers=numbers)


def _cell(text: str) -> Cell:
    """Return a cell; where it would be a formula, exporters put an apostrophe before it, as ours does."""
    text = text.strip()
    return Plain(text[1:]) if _ESCAPED.match(text) else text


def _separator(text: str) -> str:
    """Return what cuts the first lines into the most columns, the same number in each if possible."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:20]

    def rank(separator: str) -> tuple[int, int]:
        counts = [line.count(separator) for line in lines]
        usual = max(counts, key=counts.count, default=0)
        return (sum(count == usual for count in counts) if usual else 0, usual)

    return max(_SEPARATORS, key=rank)


READER = Reader(
    name="CSV",
    file='"Save as" or "Download" as CSV in any spreadsheet; commas, semicolons or tabs',
    knows=lambda content: content.json is None and not content.packed,
    tables=lambda content, title: [table_of(content.text, title)],
)
