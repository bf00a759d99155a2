"""Read the results in FIDE's tournament reports (TRF16, TRF26): fixed columns, a line a player, both sides compared."""

import re
from dataclasses import dataclass, field
from datetime import date

from bot.importers.cells import shortened
from bot.importers.found import FoundBye, FoundMatch
from bot.importers.gathering import LATEST_ROUND, UNPLAYED, Gathering, require_few
from bot.importers.programs.people import People
from bot.importers.reader import Content, Reader
from bot.importers.tables.dates import date_of, full_year
from bot.league.errors import InvalidFile
from bot.league.season.model import Kind

_NAME, _RANK = slice(14, 47), slice(4, 8)
_FIRST_ROUND, _WIDTH, _DATE = 91, 10, 8
_PLAYER = re.compile(r"(?:^|[\r\n])001 [ \d]{3}\d\b")
_NO_ONE = 0
"""What stands in place of an opponent, as four zeros or blanks."""
_WINS, _LOSSES, _DRAWS = "1W+", "0L-", "=D"
_FORFEITS = "+-"
_BYES = f"FUH{_WINS}{_DRAWS}"
"""Without an opponent, a win is a full-point bye and a draw is one of half a point."""
_ABSENT = f"Z{_LOSSES}"


@dataclass(frozen=True, slots=True)
class _Game:
    opponent: int
    result: str


@dataclass(slots=True)
class _Report:
    """One tournament: its players by starting rank, with the line, the name and the games by round of each."""

    title: str
    started: date | None = None
    days: dict[int, date] = field(default_factory=dict[int, date])
    lines: dict[int, str] = field(default_factory=dict[int, str])
    names: dict[int, str] = field(default_factory=dict[int, str])
    games: dict[int, dict[int, _Game]] = field(default_factory=dict[int, dict[int, _Game]])


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read players and results; a line is named as its number in the file."""
    reports = [_Report(title)]
    for number, line in enumerate(content.text.splitlines(), start=1):
        tag = line[:3]
        if tag == "012":
            if reports[-1].lines:
                reports.append(_Report(title))
            reports[-1].title = line[4:].strip() or title
        elif tag == "042":
            reports[-1].started = date_of(line[4:].strip(), begins_with_day=True)
        elif tag == "132":
            for round_, start in _rounds_of(line):
                day = _day(line[start : start + _DATE])
                reports[-1].days |= {} if day is None else {round_: day}
        elif tag == "001":
            _read_player(f"Line {number}", line, reports[-1], gathering)
    if len(reports) > 1 and not reports[-1].lines:
        end = reports.pop()  # a head can stand below its players
        reports[-1].title, reports[-1].started = end.title, reports[-1].started or end.started
    last = max((max(of, default=0) for report in reports for of in report.games.values()), default=0)
    if last > LATEST_ROUND:
        raise InvalidFile(f"has {last:,} rounds; at most {LATEST_ROUND:,} can be read.")
    games = (game for report in reports for of in report.games.values() for game in of.values())
    require_few(sum(game.opponent != _NO_ONE for game in games) // 2)
    for key, report in enumerate(reports):
        gathering.season(key, report.title, None)
        _Tournament(key, report, gathering).read()


def _day(text: str) -> date | None:
    """Return the day of a round, such as 26/01/10; the year comes first."""
    year = text[:2]
    return date_of(f"{full_year(int(year))}{text[2:]}", begins_with_day=True) if year.isdecimal() else None


def _rounds_of(line: str) -> enumerate[int]:
    return enumerate(range(_FIRST_ROUND, len(line), _WIDTH), start=1)


def _read_player(where: str, line: str, report: _Report, gathering: Gathering) -> None:
    rank, name = line[_RANK].strip(), line[_NAME].strip()
    gathering.rows += 1
    if not (rank.isascii() and rank.isdigit()) or int(rank) == _NO_ONE or int(rank) in report.lines:
        text = f"“{shortened(rank)}” isn't a number of its own. Give each player another one."
        gathering.wrong(where, "starting rank", text)
        return
    if not name:
        gathering.wrong(where, "name", "empty. Write the name in columns 15 to 47.")
        return
    report.lines[int(rank)], report.names[int(rank)] = where, name
    games = report.games[int(rank)] = dict[int, _Game]()
    for round_, start in _rounds_of(line):
        opponent, result = line[start : start + 4].strip() or "0", line[start + 7 : start + 8].strip().upper()
        if opponent.isascii() and opponent.isdigit():
            if int(opponent) != _NO_ONE or result:
                games[round_] = _Game(int(opponent), result)
        else:
            text = f"“{shortened(opponent)}” is no starting rank. Write it, or 0000."
            gathering.wrong(where, f"round {round_}", text)


class _Tournament:
    """Reads the games of one tournament."""

    def __init__(self, key: int, report: _Report, gathering: Gathering) -> None:
        self.key, self.report, self.gathering = key, report, gathering
        met = ((rank, game.opponent) for rank, of in report.games.items() for game in of.values())
        self.people = People({**report.names}, met, gathering)
        self.seen = set[int]()

    def read(self) -> None:
        """Read all rounds, and say who was in none."""
        order = [(round_, rank) for rank, of in self.report.games.items() for round_ in of]
        for round_, rank in sorted(order, key=lambda place: place[0]):
            if rank not in self.people.dummies:
                self._game(rank, round_, self.report.games[rank][round_])
        self.people.note_idle(self.seen)

    def _game(self, rank: int, round_: int, game: _Game) -> None:
        where, column = self.report.lines[rank], f"round {round_}"
        if game.opponent == _NO_ONE:
            if game.result and game.result in _BYES:
                self._bye(rank, round_)
            elif game.result and game.result not in _ABSENT:
                text = f"“{game.result}” is no result without an opponent. Write U, F, H or Z."
                self.gathering.wrong(where, column, text)
        elif game.opponent not in self.people:
            self.gathering.wrong(where, column, f"there is no player {game.opponent}. Fix the starting rank.")
        elif game.opponent in self.people.dummies:
            if game.result and game.result in _BYES:
                self._bye(rank, round_)
        else:
            self._pair(rank, round_, game)

    def _bye(self, rank: int, round_: int) -> None:
        self.seen.add(rank)
        bye = FoundBye(where=self.report.lines[rank], name=self.people.called[rank], round=round_)
        self.gathering.bye(self.key, bye)

    def _pair(self, rank: int, round_: int, game: _Game) -> None:
        where, column, names = self.report.lines[rank], f"round {round_}", self.people.called
        other = self.report.games[game.opponent].get(round_)
        if other is None or other.opponent != rank:
            opponent = "nobody" if other is None else names.get(other.opponent, "nobody")
            text = f"says {names[game.opponent]} was the opponent, but their line says {opponent}. Fix one of them."
            self.gathering.wrong(where, column, text)
            return
        if rank > game.opponent:
            return  # told by the line of the other
        if not game.result and not other.result:
            self.gathering.left_out[UNPLAYED] += 1
            return
        codes = game.result + other.result
        drawn, both_lost = set(codes) <= set(_DRAWS), set(codes) <= set(_LOSSES)
        decided = len(codes) == 2 and any(code in _WINS for code in codes) and any(code in _LOSSES for code in codes)
        if len(codes) != 2 or not (drawn or both_lost or decided):
            text = f"the results “{game.result}” and “{other.result}” of the two don't fit. Fix one of them."
            self.gathering.wrong(where, column, text)
            return
        self.seen |= {rank, game.opponent}
        players = (names[rank], names[game.opponent])
        forfeit = any(code in _FORFEITS for code in codes)
        self.gathering.match(
            self.key,
            FoundMatch(
                where=where,
                players=players,
                winner=players[game.result not in _WINS] if decided else None,
                kind=Kind.DOUBLE_LOSS if both_lost else Kind.FORFEIT if forfeit else Kind.PLAYED,
                round=round_,
                day=self.report.days.get(round_, self.report.started),
            ),
            columns=(column, column),
        )


READER = Reader(
    name="TRF",
    file="the report of a Swiss chess program (TRF16 or TRF26); of several tournaments, one below the other",
    knows=lambda content: content.json is None and _PLAYER.search(content.text) is not None,
    read=_read,
)
