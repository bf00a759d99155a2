"""Tables as CSV and workbook, read back by programs that take such files in."""

import csv
import io
import zipfile
from datetime import UTC, datetime

import python_calamine

from bot.exporters.sheets import Sheet, to_csv, to_workbook, to_zip

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
HOSTILE = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'a "b", c', "two\nlines", "שלום", "名前", "'quoted")
ROWS = tuple((text, 3, 0.5, NOW) for text in HOSTILE)
SHEET = Sheet(name="people", titles=("name", "wins", "share", "at"), rows=ROWS)


def test_a_csv_file_holds_every_text_and_none_is_a_formula() -> None:
    read = list(csv.reader(io.StringIO(to_csv(SHEET).decode("utf-8-sig"), newline="")))
    assert tuple(read[0]) == SHEET.titles
    for (name, wins, share, at), text in zip(read[1:], HOSTILE, strict=True):
        assert name.removeprefix("'") == text.removeprefix("'")
        assert not name.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert (wins, share, at) == ("3", "0.5", "2026-03-01 12:30")


def test_a_zip_holds_a_file_for_each_table_and_is_the_same_each_time() -> None:
    packed = to_zip((SHEET,))
    assert packed == to_zip((SHEET,))
    assert zipfile.ZipFile(io.BytesIO(packed)).read("people.csv") == to_csv(SHEET)


def test_a_workbook_holds_texts_as_texts_and_numbers_as_numbers() -> None:
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(to_workbook((SHEET,), NOW)))
    rows = book.get_sheet_by_name("people").to_python()
    assert tuple(rows[0]) == SHEET.titles
    for row, text in zip(rows[1:], HOSTILE, strict=True):
        assert str(row[0]).replace("\r", "").strip() == text.replace("\r", "").strip()
        assert row[1:3] == [3, 0.5]
        assert row[3] == NOW.replace(tzinfo=None)
