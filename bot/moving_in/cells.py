"""What a cell of a table means: a result, a score, a round, a date, a way a match ended."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from enum import Enum

from bot.league.season.model import Kind
from bot.league.season.names import written_key

Cell = str | date
"""A cell as it is read: a date where the spreadsheet says that it is one."""


class Side(Enum):
    """Who a result is for, seen from the first player of the row."""

    PLAYER = 0
    OPPONENT = 1
    NOBODY = 2


class Ending(Enum):
    """Ways a row can end that are no match."""

    BYE = "bye"
    UNPLAYED = "unplayed"


_HOW: dict[str, Kind | Ending] = {
    **dict.fromkeys(
        ("", "normal", "played", "regular", "win", "game", "finished", "complete", "completed"), Kind.PLAYED
    ),
    **dict.fromkeys(
        ("forfeit", "forfeited", "ff", "f", "walkover", "wo", "w o", "no show", "noshow", "default", "dq", "conceded"),
        Kind.FORFEIT,
    ),
    **dict.fromkeys(
        ("timeout", "time", "adjudicated", "adjudication", "decided", "ruling", "moderator", "organiser", "organizer"),
        Kind.ADJUDICATED,
    ),
    **dict.fromkeys(("double loss", "double forfeit", "double", "both lost", "double dq"), Kind.DOUBLE_LOSS),
    **dict.fromkeys(("bye", "inferred bye", "free", "freilos", "sits out"), Ending.BYE),
    **dict.fromkeys(
        ("open", "unplayed", "not played", "pending", "scheduled", "cancelled", "canceled", "tbd"), Ending.UNPLAYED
    ),
    **dict.fromkeys(("draw", "drawn", "tie", "tied"), Kind.PLAYED),
}
_DRAW = {"draw", "drawn", "tie", "tied", "d", "t", "½", "0.5", "1/2", "remis", "unentschieden", "none", "nobody"}
_WON = {"w", "win", "won", "player", "a", "victory", "sieg", "p1", "player 1", "player a"}
_LOST = {"l", "loss", "lost", "lose", "opponent", "b", "defeat", "niederlage", "p2", "player 2", "player b"}
_BYE = re.compile(
    r"(?:an? )?(?:(?:inferred|automatic|auto|free|full|half|zero|point|points|first|round) )*bye\s?\d{0,3}"
    r"(?: (?:allocated|awarded|given|assigned|requested|round|week|player|win))?"
    r"|byes|freilos|spielfrei|exempte?|no opponent|kein gegner|sans adversaire|descansa|riposo"
)
_NOBODY = re.compile(r"[-.\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]+")
_SCORE = re.compile(
    r"\s*(\d{1,5}(?:[.,]5)?|½)\s*(?:-|\N{EN DASH}|\N{EM DASH}|\N{MINUS SIGN}|:|to|v)\s*(\d{1,5}(?:[.,]5)?|½)\s*"
)
_FORMULA = re.compile(r"=\s*[-+(]*[A-Za-z$][\w$.!':]*\s*[(\d!]|=\s*\d")
_ERRORS = {"#ref!", "#n/a", "#name?", "#value!", "#div/0!", "#null!", "#num!", "#nv", "#error!"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SERIAL_START = date(1899, 12, 30)


def words(text: str) -> str:
    """Return a text in lower case, its letters and digits with single spaces between."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def unreadable(cell: Cell) -> str | None:
    """Return why a cell has no value, if so."""
    if isinstance(cell, date) or cell[:1] not in "=#":
        return None
    if _FORMULA.match(cell):
        return f"“{shortened(cell)}” is a formula. Put its value there (copy, then paste values only)."
    if cell.casefold() in _ERRORS:
        return f"“{cell}” is an error of the spreadsheet. Put the value there."
    return None


def shortened(text: str) -> str:
    """Return a text short enough for a sentence, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:39]}…"


def how_of(text: str) -> Kind | Ending | None:
    """Return how a match ended, None for unknown words."""
    return _HOW.get(words(text))


def says_draw(text: str) -> bool:
    """Return whether this word stands for a draw."""
    return text.strip().casefold() in _DRAW


def says_bye(text: str) -> bool:
    """Return whether a text in place of a name says that there was no opponent: bye, BYE 1, (bye), spielfrei, -."""
    return _BYE.fullmatch(words(text)) is not None or _NOBODY.fullmatch(text.strip()) is not None


def score_of(text: str) -> tuple[int, int] | None:
    """Return a score as two numbers; halves, as in 1.5-0.5, are doubled."""
    found = _SCORE.fullmatch(text)
    if found is None:
        return None
    first, second = (float(part.replace(",", ".").replace("½", "0.5")) for part in found.groups())
    if first.is_integer() and second.is_integer():
        return int(first), int(second)
    return int(2 * first), int(2 * second)


def side_of(text: str, players: tuple[str, str], *, names_winner: bool) -> Side | None:
    """Return who won by a name or a word; `names_winner` tells 1 for the first player from 1 for a point."""
    key = written_key(text)
    for side, name in zip((Side.PLAYER, Side.OPPONENT), players, strict=True):
        if written_key(name) == key:
            return side
    word = text.strip().casefold()
    if word in _DRAW:
        return Side.NOBODY
    if word in _WON or word == "1":
        return Side.PLAYER
    if word in _LOST or word == ("2" if names_winner else "0"):
        return Side.OPPONENT
    return None


def number_in(text: str, most: int) -> int | None:
    """Return the only whole number in a text such as `Round 3`, if there is exactly one up to `most`."""
    found = re.findall(r"\d+", re.sub(r"\.0\b", "", text))
    if len(found) != 1 or len(found[0]) > 9:
        return None
    number = int(found[0])
    return number if number <= most else None


_TWO_WAYS = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T].*)?")
_NAMED = re.compile(
    r"(?:[A-Za-z]{2,9},? )?"
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[. -]+([A-Za-z]{3,9})|([A-Za-z]{3,9})[. ]+(\d{1,2})(?:st|nd|rd|th)?)"
    r",?[. -]+(\d{4})"
)


def day_first(texts: Iterable[str]) -> tuple[bool, bool]:
    """Return whether some dates like 13/04/2024 can only begin with the day, and whether some only with the month."""
    day = month = False
    for text in texts:
        found = _TWO_WAYS.fullmatch(text.strip())
        if found is not None and found[2] != ".":
            day, month = day or int(found[1]) > 12, month or int(found[3]) > 12
    return day, month


def ambiguous(text: str) -> bool:
    """Return whether a date can be read in two ways."""
    found = _TWO_WAYS.fullmatch(text.strip())
    return found is not None and found[2] != "." and found[1] != found[3]


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
            return date(year + 2000 if year < 100 else year, month, day)
        named = _NAMED.fullmatch(text)
        if named is not None:
            month = _MONTHS.index((named[2] or named[3])[:3].casefold()) + 1
            return date(int(named[5]), month, int(named[1] or named[4]))
    except ValueError:
        return None
    return None
