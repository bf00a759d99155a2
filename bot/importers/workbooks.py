"""Read .xlsx and .ods: which sheets, merged cells, and how large they can be, unpacked and measured here first.

So no file takes more memory than its size allows.
"""

import io
import re
import zipfile
import zlib
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from xml.parsers import expat

import python_calamine

from bot.importers.cells import Cell, Plain
from bot.importers.reader import Content, Reader
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile

_LARGEST = 64 * 1024 * 1024
"""Bytes of all parts of a workbook, unpacked."""
_MOST_PARTS = 2_000
_MOST_COLUMNS = 256
_MOST_ROWS = 120_000
_MOST_CELLS = 4_000_000
"""The cells of the rectangle around all that is filled, which is what reading takes memory for."""
_REFERENCE = re.compile(r"([A-Za-z]{1,3})(\d{1,7})")
_HUGE = "reaches to row {row:,} and column {column:,}. Delete the empty rows and columns beyond the table."


def _tables(content: Content, title: str) -> list[Table]:
    safe = _unpacked(content.data)
    try:
        with python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(safe)) as book:
            sheets = [meta for meta in book.sheets_metadata if meta.typ == python_calamine.SheetTypeEnum.WorkSheet]
            shown = [meta.name for meta in sheets if meta.visible == python_calamine.SheetVisibleEnum.Visible]
            tables = [_table(book.get_sheet_by_name(name), title, name if len(shown) > 1 else "") for name in shown]
            hidden = [
                Table(title=meta.name, rows=(), numbers=(), sheet=meta.name, hidden=True)
                for meta in sheets
                if meta.name not in shown
            ]
            return [*(replace(table, title=table.sheet or title) for table in tables), *hidden]
    except python_calamine.PasswordError:
        raise InvalidFile("is locked with a password. Save it without one.") from None
    except InvalidFile:
        raise
    except BaseException as wrong:
        # A panic of the library is no Exception; nothing of it stays behind.
        if isinstance(wrong, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise InvalidFile("is a damaged spreadsheet. Open it, save it again, or save it as CSV.") from None


def _table(sheet: Any, title: str, name: str) -> Table:
    start = sheet.start
    if start is None:
        return Table(title=title, rows=(), numbers=(), sheet=name, book=title)
    # Rows and columns are numbered as people see them, so nothing before the first cell is skipped.
    rows: list[list[Any]] = sheet.to_python(skip_empty_area=False)
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if top != bottom and left == right:
            # A cell merged over several rows counts for each of them.
            for index in range(top + 1, min(bottom + 1, len(rows))):
                if left < len(rows[index]) and top < len(rows):
                    rows[index][left] = rows[top][left]
    kept, numbers = list[list[Cell]](), list[int]()
    for number, row in enumerate(rows, start=1):
        cells = [_cell(value) for value in row]
        if any(cells):
            kept.append(cells)
            numbers.append(number)
    return Table(title=title, rows=kept, numbers=numbers, sheet=name, book=title)


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        # Of a formula there is only the value here.
        return Plain(value.strip()) if value.startswith("=") else value.strip()
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, float) and value.is_integer():
        # Beyond 15 digits a spreadsheet doesn't keep a number as it was typed.
        return str(int(value)) if abs(value) < 1e15 else f"{value:.5E}"
    if isinstance(value, timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    return str(value)


def _unpacked(data: bytes) -> bytes:
    """Return the same archive without compression, no part larger than what was really unpacked."""
    unpacked, whole = io.BytesIO(), 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(unpacked, "w") as safe:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            _require_workbook(names, archive)
            if len(parts) > _MOST_PARTS or len(names) < len(parts):
                raise InvalidFile("is no spreadsheet as programs write them. Save it again as .xlsx or CSV.")
            for part in parts:
                if part.is_dir() or not part.filename.endswith((".xml", ".rels", "mimetype")):
                    continue
                with archive.open(part) as packed:
                    content = packed.read(_LARGEST + 1 - whole)
                whole += len(content)
                if whole > _LARGEST:
                    raise InvalidFile(f"unpacks to more than {_LARGEST >> 20} MB. Keep the table, delete the rest.")
                _measure(part.filename, content)
                safe.writestr(part.filename, content)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, KeyError):
        raise InvalidFile("is a damaged spreadsheet. Open it, save it again, or save it as CSV.") from None
    except RuntimeError:
        raise InvalidFile("is locked with a password. Save it without one.") from None
    return unpacked.getvalue()


def _require_workbook(names: set[str], archive: zipfile.ZipFile) -> None:
    if "xl/workbook.xml" in names:
        return
    if "content.xml" in names and "mimetype" in names:
        with archive.open("mimetype") as kind:
            if b"spreadsheet" in kind.read(200):
                return
    if "xl/workbook.bin" in names or any(name.startswith("Index/") for name in names):
        raise InvalidFile("is a spreadsheet of another kind. Save it as .xlsx, .ods or CSV.")
    raise InvalidFile("is a zip without a spreadsheet. Send the CSV, .xlsx, .ods or JSON file itself.")


def _measure(name: str, content: bytes) -> None:
    """Raise InvalidFile for a sheet whose cells lie far apart, because everything between takes memory."""
    extent = _Extent(ods=name == "content.xml")
    if not (extent.ods or name.startswith("xl/worksheets/")):
        return
    parser = expat.ParserCreate()
    parser.StartElementHandler = extent.begin
    parser.EndElementHandler = extent.end
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError):
        raise InvalidFile("is a damaged spreadsheet. Open it, save it again, or save it as CSV.") from None


def _refuse_entities(*_: object) -> None:
    raise InvalidFile("is no spreadsheet as programs write them. Save it again as .xlsx or CSV.")


class _Extent:
    """How far the filled cells of a sheet reach."""

    def __init__(self, *, ods: bool) -> None:
        self.ods = ods
        self._row = self._column = self._width = self._repeated = 0
        self._rows_to_come = 1
        self._filled_to = 0

    def begin(self, element: str, attributes: dict[str, str]) -> None:
        """Look at an element that begins."""
        if self.ods:
            self._begin_ods(element, attributes)
        elif element.rpartition(":")[2] == "c" and "r" in attributes:
            parsed = _REFERENCE.fullmatch(attributes["r"])
            if parsed is None:
                raise ValueError
            column = 0
            for char in parsed[1].upper():
                column = column * 26 + ord(char) - 64
            self._reach(int(parsed[2]), column)

    def _begin_ods(self, element: str, given: dict[str, str]) -> None:
        if element == "table:table":
            self._row = self._width = 0
        elif element == "table:table-row":
            self._rows_to_come = int(given.get("table:number-rows-repeated", "1"))
            self._column = self._filled_to = 0
        elif element in ("table:table-cell", "table:covered-table-cell"):
            self._column += int(given.get("table:number-columns-repeated", "1"))
            if any(key.startswith("office:") for key in given):
                self._filled_to = self._column
        elif element == "text:p" and self._column:
            self._filled_to = self._column

    def end(self, element: str) -> None:
        """Look at an element that ends."""
        if self.ods and element == "table:table-row":
            self._row += self._rows_to_come
            if self._filled_to:
                self._reach(self._row, self._filled_to)

    def _reach(self, row: int, column: int) -> None:
        self._width, self._repeated = max(self._width, column), max(self._repeated, row)
        if column > _MOST_COLUMNS or row > _MOST_ROWS or self._width * self._repeated > _MOST_CELLS:
            raise InvalidFile(_HUGE.format(row=self._repeated, column=self._width))


READER = Reader(
    name=".xlsx, .ods",
    file="the spreadsheet itself",
    knows=lambda content: content.packed and not content.holds_files,
    tables=_tables,
)
