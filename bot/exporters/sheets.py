"""Tables as CSV files in a zip, or as the sheets of one workbook; no text is computed as a formula."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.exporters.archives import packed

Cell = str | int | float | datetime | None
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so would be computed by spreadsheets; an apostrophe before it, which imports take off, says no."""
_SPREADSHEET_DATE = "yyyy-mm-dd hh:mm"
_MOMENT = len("2026-11-23 19:00")
_WIDEST = 40
"""Characters a column shows without being widened by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table with its name and the titles of its columns; times are aware, and written in UTC."""

    name: str
    titles: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def to_zip(sheets: Sequence[Sheet]) -> bytes:
    """Return a zip with a CSV file for each table, byte for byte the same for the same tables."""
    return packed((f"{sheet.name}.csv", to_csv(sheet)) for sheet in sheets)


def to_csv(sheet: Sheet) -> bytes:
    """Return a table as a CSV file: UTF-8 with the mark at its beginning by which Excel knows it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(sheet.titles)
    writer.writerows([_as_text(cell) for cell in row] for row in sheet.rows)
    return text.getvalue().encode("utf-8-sig")


def _as_text(cell: Cell) -> str | int | float | None:
    """Return a cell as no spreadsheet takes it for a formula: what begins like one gets an apostrophe in front."""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    if isinstance(cell, str) and cell.lstrip("'").startswith(FORMULA_SIGNS):
        return f"'{cell}"
    return cell


def to_workbook(sheets: Sequence[Sheet], now: datetime) -> bytes:
    """Return tables as the sheets of an Excel workbook; texts stay texts, whatever they begin with."""
    import xlsxwriter  # 40 modules that few processes need

    whole = io.BytesIO()
    with xlsxwriter.Workbook(whole, {"in_memory": True}) as book:
        book.set_properties({"created": now.astimezone(UTC).replace(tzinfo=None)})
        bold, moment = book.add_format({"bold": True}), book.add_format({"num_format": _SPREADSHEET_DATE})
        for sheet in sheets:
            page = book.add_worksheet(sheet.name)
            page.freeze_panes(1, 0)
            for column, title in enumerate(sheet.titles):
                page.write_string(0, column, title, bold)
                wanted = max((_width(row[column]) for row in sheet.rows), default=0)
                page.set_column(column, column, min(max(len(title), wanted) + 2, _WIDEST))
            for at, row in enumerate(sheet.rows, start=1):
                for column, cell in enumerate(row):
                    match cell:
                        case "" | None:
                            pass
                        case str():
                            page.write_string(at, column, cell)
                        case datetime():
                            page.write_datetime(at, column, cell.astimezone(UTC).replace(tzinfo=None), moment)
                        case int() | float():
                            page.write_number(at, column, cell)
    return whole.getvalue()


def _width(cell: Cell) -> int:
    if cell is None:
        return 0
    return _MOMENT if isinstance(cell, datetime) else len(cell if isinstance(cell, str) else str(cell))
