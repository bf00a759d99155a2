"""Moments as a calendar file (RFC 5545) that calendars take in again when something moved."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_LINE = 75
"""Octets of a line; longer ones go on in the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A moment: `uid` is its own for good, `sequence` rises when it moves or is called off.

    Without `lasts` it's a point in time, such as a deadline.
    """

    uid: str
    sequence: int
    start: datetime
    summary: str
    description: str = ""
    lasts: timedelta | None = None
    cancelled: bool = False


def to_ics(name: str, entries: Iterable[Entry], now: datetime) -> bytes:
    """Return a calendar with this name, as it is now; a valid one has at least one entry."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Fairpair//Fairpair//EN", "METHOD:PUBLISH"]
    lines.append(f"X-WR-CALNAME:{_escaped(name)}")
    for entry in entries:
        lines += _lines(entry, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line)).encode()


def _lines(entry: Entry, now: datetime) -> Iterator[str]:
    yield from ("BEGIN:VEVENT", f"UID:{entry.uid}", f"DTSTAMP:{_utc(now)}", f"SEQUENCE:{entry.sequence}")
    yield f"DTSTART:{_utc(entry.start)}"
    if entry.lasts is not None:
        yield f"DTEND:{_utc(entry.start + entry.lasts)}"
    yield f"SUMMARY:{_escaped(entry.summary)}"
    if entry.description:
        yield f"DESCRIPTION:{_escaped(entry.description)}"
    yield f"STATUS:{'CANCELLED' if entry.cancelled else 'CONFIRMED'}"
    yield from ("TRANSP:TRANSPARENT",) if entry.lasts is None else ()
    yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """Return a text as a value: no character in it ends the line or the value."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = "".join(letter for letter in text if letter in "\n\t" or unicodedata.category(letter) != "Cc")
    for special, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        shown = shown.replace(special, written)
    return shown


def _folded(line: str) -> Iterator[str]:
    """Yield a line in pieces of at most 75 octets, each but the first after a blank; no letter is cut in two."""
    piece, left = "", _LINE
    for letter in line:
        size = len(letter.encode())
        if size > left:
            yield piece
            piece, left = " ", _LINE - 1
        piece, left = piece + letter, left - size
    yield piece
