"""What a cell means: a result, a score, a bye, a way a match ended, nothing that can be read."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import lru_cache

from bot.league.season.model import Kind

Cell = str | date
"""A cell as it is read: a date where the spreadsheet says that it is one."""

LARGEST_SCORE = 9_999
MOST_USUAL = 9
"""Games the winner of a usual best-of has at most; larger numbers may well be points."""


class Plain(str):
    """A text that isn't computed, also if it begins as a formula does."""

    __slots__ = ()


class Side(Enum):
    """Who a result is for, seen from the first player of the row."""

    PLAYER = 0
    OPPONENT = 1
    NOBODY = 2


class Ending(Enum):
    """Ways a row can end that are no match."""

    BYE = "bye"
    UNPLAYED = "unplayed"


_WAYS: dict[Kind | Ending, str] = {
    Kind.PLAYED: "; normal; played; regular; win; game; finished; complete; completed; confirmed; done; ok; "
    "final; verified; accepted; approved; closed; reported; gespielt; beendet; termine; joue; draw; "
    "drawn; tie; tied",
    Kind.FORFEIT: "forfeit; forfeited; ff; f; walkover; wo; w o; no show; noshow; default; dq; conceded; "
    "kampflos; forfait",
    Kind.ADJUDICATED: "timeout; time; adjudicated; adjudication; decided; ruling; moderator; organiser; organizer",
    Kind.DOUBLE_LOSS: "double loss; double forfeit; double; both lost; double dq",
    Ending.BYE: "bye; inferred bye; free; freilos; spielfrei; sits out; exempt",
    Ending.UNPLAYED: "open; unplayed; not played; pending; scheduled; cancelled; canceled; tbd; offen; abgesagt; "
    "postponed; upcoming",
}
_HOW = {word: way for way, listed in _WAYS.items() for word in listed.split("; ")}
_DRAW = frozenset(
    [
        "draw",
        "drawn",
        "tie",
        "tied",
        "½",
        "0.5",
        "0,5",
        "1/2",
        "=",
        "remis",
        "unentschieden",
        "none",
        "nobody",
        "nul",
        "match nul",
        "égalité",
        "egalite",
        "empate",
        "pareggio",
        "gelijkspel",
    ]
)
_BYE = re.compile(
    r"(?:an? )?(?:(?:inferred|automatic|auto|free|full|half|zero|point|points|first|round) )*bye\s?\d{0,3}"
    r"(?: (?:allocated|awarded|given|assigned|requested|round|week|player|win))?"
    r"|byes|(?:freilos|frei los|spielfrei|spiel frei)(?: \d{1,3})?|exempte?|no opponent|kein gegner|ohne gegner"
    r"|sans adversaire|pas d adversaire|descansa|riposo"
)
_NOBODY = re.compile(r"[-.\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]+")
_AMOUNT = r"\d{1,9}(?:[.,][05])?|\d{0,3}½"
_DASHES = "-|\N{EN DASH}|\N{EM DASH}|\N{MINUS SIGN}"
_SCORE = re.compile(rf"({_AMOUNT})\s*(?:{_DASHES}|:|to|v|à)\s*({_AMOUNT})", re.IGNORECASE)
_HALVES = re.compile(rf"1/2\s*(?:{_DASHES}|:)\s*1/2")
_BETWEEN_SCORES = re.compile(r"[\s,;|/()\[\]]*")
_FORFEITED = re.compile(r"([+-])(?:\s*[-/:]?\s*([+-]))?")
_GONE = "[-\N{MINUS SIGN}]1"
_PIECE = rf"({_GONE}|\d{{1,4}}|[a-z/]{{1,9}})"
_TWO_PIECES = re.compile(rf"{_PIECE}\s*(?:{_DASHES}|:)\s*{_PIECE}", re.IGNORECASE)
_NOTED = re.compile(r"(\d[\d\s:.,½–-]*?)\s*([(\[]?[^\W\d½][^\d]*)")
_BOTH_FORFEIT = re.compile(r"(\d)\s*ff?\s*[-:]\s*(\d)\s*ff?", re.IGNORECASE)
_WORD_FIRST = re.compile(r"([^\W\d_]{1,12})[\s:,]+(\d.*)")
_WORD_BEHIND = re.compile(r"(\d.*\d)[\s,(]+([^\W\d_]{1,12})\)?")
_AS_TIME = re.compile(r"(\d{1,4}):(\d\d):00")
_FORMULA = re.compile(r"=\s*[-+(]*[A-Za-z$][\w$.!':]*\s*[(\d!]|=\s*\d")
_ERRORS = {"#ref!", "#n/a", "#name?", "#value!", "#div/0!", "#null!", "#num!", "#nv", "#error!"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a cell says of both: what decides, the points beside it if there are any, and whether it's sets, counted."""

    first: float
    second: float
    points: tuple[int, int] | None = None
    sets: bool = False

    @property
    def whole(self) -> tuple[int, int] | None:
        """Both numbers, None where there are halves."""
        whole = self.first.is_integer() and self.second.is_integer()
        return (int(self.first), int(self.second)) if whole else None

    @property
    def side(self) -> Side:
        """Who has more."""
        if self.first == self.second:
            return Side.NOBODY
        return Side.PLAYER if self.first > self.second else Side.OPPONENT

    @property
    def largest(self) -> float:
        """The largest number of all."""
        return max(self.first, self.second, *(self.points or ()))

    def turned(self) -> "Score":
        """Return it from the other side."""
        points = None if self.points is None else (self.points[1], self.points[0])
        return Score(first=self.second, second=self.first, points=points, sets=self.sets)


@lru_cache(maxsize=4096)
def words(text: str) -> str:
    """Return a text in lower case, its letters and digits with single spaces between."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def unaccented(text: str) -> str:
    """Return a text without its accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def unreadable(cell: Cell) -> str | None:
    """Return why a cell has no value, if so."""
    if isinstance(cell, date | Plain) or cell[:1] not in "=#":
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
    return _BYE.fullmatch(words(unaccented(text))) is not None or _NOBODY.fullmatch(text.strip()) is not None


def is_blank(text: str) -> bool:
    """Return whether a cell of a result says nothing: it's empty, or a dash."""
    return not text or _NOBODY.fullmatch(text) is not None


def forfeit_of(text: str) -> tuple[Side, Kind] | None:
    """Return what a score without games says: +/-, -/+, -/- as in chess; 0 - -1, DQ - W, 2:DQ as programs write."""
    text = " ".join(text.split())  # a row of blanks that two parts can match takes long
    marks = _FORFEITED.fullmatch(text)
    if marks is None:
        pieces = _TWO_PIECES.fullmatch(text)
        forfeit = None if pieces is None else forfeit_in_two(pieces[1], pieces[2])
        return forfeit or _score_with_forfeit(text)
    if text == "-" or marks[1] == marks[2] == "+":
        return None
    if marks[1] == marks[2]:
        return Side.NOBODY, Kind.DOUBLE_LOSS
    return Side.PLAYER if marks[1] == "+" else Side.OPPONENT, Kind.FORFEIT


def _score_with_forfeit(text: str) -> tuple[Side, Kind] | None:
    """Return who won a score that says it's a forfeit, as 2-0 (ff), 1:0 kampflos or 1F-0F."""
    both = _BOTH_FORFEIT.fullmatch(text)
    if both is not None:
        text = f"{both[1]}-{both[2]} forfeit"
    noted = _NOTED.fullmatch(text)
    score = score_of(noted[1]) if noted is not None else None
    if noted is None or score is None or score.side is Side.NOBODY:
        return None
    way = words(noted[2]).removeprefix("by ").removeprefix("per ").removeprefix("par ")
    return (score.side, Kind.FORFEIT) if how_of(way) is Kind.FORFEIT else None


def forfeit_in_two(first: str, second: str) -> tuple[Side, Kind] | None:
    """Return who forfeited by what stands for each, DQ or -1, if anyone did."""
    gone = [re.fullmatch(_GONE, text) is not None or how_of(text) is Kind.FORFEIT for text in (first, second)]
    if gone[0] and gone[1]:
        return Side.NOBODY, Kind.DOUBLE_LOSS
    if not any(gone):
        return None
    return Side.OPPONENT if gone[0] else Side.PLAYER, Kind.FORFEIT


def amount_of(text: str) -> float | None:
    """Return a number that may end in a half, as 2, 2.0, 1½ or 0,5."""
    text = re.sub(r"(?:^| )1/2$", "½", text.strip()).replace(",", ".")
    if re.fullmatch(_AMOUNT, text) is None:
        return None
    return float(text[:-1] or 0) + 0.5 if text.endswith("½") else float(text)


def score_and_word(text: str) -> tuple[Score, str] | None:
    """Return the score and the word of a result such as W 2-1, Lost 0-2 or 2-1 (W), not of a forfeit."""
    first, behind = _WORD_FIRST.fullmatch(text), _WORD_BEHIND.fullmatch(text)
    word, typed = (first[1], first[2]) if first is not None else (behind[2], behind[1]) if behind else ("", "")
    score = score_of(typed)
    return None if score is None or how_of(word) is Kind.FORFEIT else (score, word)


def score_for_time(text: str) -> str:
    """Return the score a spreadsheet made a time of, 2:1 for 02:01:00; any other text as it is."""
    time = _AS_TIME.fullmatch(text)
    return text if time is None else f"{int(time[1])}:{int(time[2])}"


@lru_cache(maxsize=4096)
def score_of(text: str) -> Score | None:
    """Return a score such as 2-1; of `2-1 87-62` games and points, of `6-4 3-6 7-5` the sets each won."""
    text = _HALVES.sub("½-½", text.replace("\u2060", "").strip())
    pieces = list[tuple[float, float]]()
    position = 0
    for piece in _SCORE.finditer(text):
        first, second = amount_of(piece[1]), amount_of(piece[2])
        if first is None or second is None or _BETWEEN_SCORES.fullmatch(text[position : piece.start()]) is None:
            return None
        pieces.append((first, second))
        position = piece.end()
    if not pieces or _BETWEEN_SCORES.fullmatch(text[position:]) is None:
        return None
    if len(pieces) == 1:
        return Score(first=pieces[0][0], second=pieces[0][1])
    if not all(number.is_integer() for piece in pieces for number in piece):
        return None
    if len(pieces) == 2:
        games, points = sorted(pieces, key=max)
        if max(games) <= MOST_USUAL < max(points):
            return Score(first=games[0], second=games[1], points=(int(points[0]), int(points[1])))
    won, lost = sum(ours > other for ours, other in pieces), sum(ours < other for ours, other in pieces)
    return Score(first=float(won), second=float(lost), sets=True)
