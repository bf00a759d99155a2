"""Dates as people write them, in several orders and languages, and as spreadsheets count them."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from bot.importers.cells import Cell, unaccented

_MONTHS = (
    "jan ene gen; feb fev; mar maa mrz; apr abr avr; may mai mei mag; jun juin giu; jul juil lug; aug aou ago;"
    " sep set; oct okt ott; nov; dec dez dic"
)
"""How the months begin in English, German, French, Spanish, Italian and Dutch."""
_MONTH_OF = {start: number for number, starts in enumerate(_MONTHS.split(";"), start=1) for start in starts.split()}
_SERIAL_START = date(1899, 12, 30)
_LAST_CENTURY = 69
_TWO_WAYS = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T,].*)?")
_NAMED = re.compile(
    r"(?:[a-z]{2,10}\.?,? )?"
    r"(?:(\d{1,2})(?:st|nd|rd|th|er)?[. -]+(?:de |of )?([a-z]{3,10})|([a-z]{3,9})[. ]+(\d{1,2})(?:st|nd|rd|th)?)"
    r"[,.]?[. -]+(?:de )?(\d{4})(?:[ ,].*)?"
)


def day_first(texts: Iterable[str]) -> tuple[bool, bool]:
    """Return whether some dates like 13/04/2024 can only begin with the day, and whether some only with the month."""
    day = month = False
    for text in texts:
        parts = _TWO_WAYS.fullmatch(text.strip())
        if parts is not None and parts[2] != ".":
            day, month = day or int(parts[1]) > 12, month or int(parts[3]) > 12
    return day, month


def ambiguous(text: str) -> bool:
    """Return whether a date can be read in two ways."""
    parts = _TWO_WAYS.fullmatch(text.strip())
    return parts is not None and parts[2] != "." and parts[1] != parts[3]


def date_of(cell: Cell, *, begins_with_day: bool) -> date | None:
    """Return a date, also from the number a spreadsheet counts days with."""
    if isinstance(cell, date):
        return cell
    text = cell.strip()
    try:
        if re.fullmatch(r"\d{5}(\.\d+)?", text):
            return _SERIAL_START + timedelta(days=int(text[:5]))
        iso = re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", text)
        if iso is not None:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        two = _TWO_WAYS.fullmatch(text)
        if two is not None:
            first, second, year = int(two[1]), int(two[3]), int(two[4])
            day, month = (first, second) if begins_with_day or two[2] == "." else (second, first)
            return date(full_year(year), month, day)
        named = _NAMED.fullmatch(unaccented(text.casefold()))
        if named is not None:
            month = _month_of(named[2] or named[3])
            return date(int(named[5]), month, int(named[1] or named[4]))
    except ValueError:
        return None
    return None


def full_year(year: int) -> int:
    """Return the year that two digits mean, as POSIX has it: 69 to 99 are of the last century."""
    return year if year >= 100 else year + (1900 if year >= _LAST_CENTURY else 2000)


def _month_of(name: str) -> int:
    """Return the number of the month with a name, by how it begins; raises ValueError."""
    month = _MONTH_OF.get(name[:4]) or _MONTH_OF.get(name[:3])
    if month is None:
        raise ValueError(name)
    return month
