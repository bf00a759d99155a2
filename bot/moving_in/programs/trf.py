"""Read the results in a tournament report of FIDE (TRF16): fixed columns, one line a player, both sides compared."""

import re
from dataclasses import dataclass
from datetime import date

from bot.league.errors import InvalidFile
from bot.league.season.model import Kind
from bot.moving_in.cells import date_of
from bot.moving_in.found import FoundBye, FoundMatch
from bot.moving_in.gathering import UNPLAYED, Gathering, require_few
from bot.moving_in.reader import Content, Reader

_NAME, _RANK = slice(14, 47), slice(4, 8)
_FIRST_ROUND, _WIDTH = 91, 10
_PLAYER = re.compile(r"001 [ \d]{3}\d\b", re.MULTILINE)
_WINS, _LOSSES, _DRAWS = "1W+", "0L-", "=D"
_FORFEITS = "+-"
_BYES = "FUH"


@dataclass(frozen=True, slots=True)
class _Game:
    where: str
    opponent: int
    result: str


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read players and results; a line is named as its number in the file."""
    names, games, started = dict[int, str](), dict[int, dict[int, _Game]](), None
    for number, line in enumerate(content.text.splitlines(), start=1):
        if line.startswith("012"):
            title = line[4:].strip() or title
        elif line.startswith("042"):
            started = date_of(line[4:].strip(), begins_with_day=True)
        elif line.startswith("001"):
            _read_player(f"Line {number}", line, names, games, gathering)
    if not names:
        raise InvalidFile("has no players (lines that begin with 001).")
    gathering.season("trf", title, None)
    require_few(sum(map(len, games.values())) // 2)
    for round_ in range(1, max((max(of, default=0) for of in games.values()), default=0) + 1):
        for rank, of in games.items():
            if round_ in of:
                _read_game(rank, round_, names, games, started, gathering)


def _read_player(
    where: str, line: str, names: dict[int, str], games: dict[int, dict[int, _Game]], gathering: Gathering
) -> None:
    rank, name = line[_RANK].strip(), line[_NAME].strip()
    gathering.rows += 1
    if not (rank.isascii() and rank.isdigit()) or int(rank) in names:
        gathering.wrong(where, "starting rank", f"“{rank}” isn't a number of its own. Give each player another one.")
    elif not name:
        gathering.wrong(where, "name", "empty. Write the name in columns 15 to 47.")
    else:
        names[int(rank)] = gathering.name(name)
        games[int(rank)] = {}
        for round_, start in enumerate(range(_FIRST_ROUND, len(line), _WIDTH), start=1):
            opponent, result = line[start : start + 4].strip(), line[start + 7 : start + 8].upper()
            if not opponent and not result.strip():
                continue
            if not (opponent.isascii() and opponent.isdigit()):
                gathering.wrong(where, f"round {round_}", f"“{opponent}” is no starting rank. Write it, or 0000.")
                continue
            games[int(rank)][round_] = _Game(where, int(opponent), result)


def _read_game(
    rank: int,
    round_: int,
    names: dict[int, str],
    games: dict[int, dict[int, _Game]],
    played: date | None,
    gathering: Gathering,
) -> None:
    game, column = games[rank][round_], f"round {round_}"
    if game.opponent == 0:
        if game.result in _BYES and game.result:
            gathering.bye("trf", FoundBye(where=game.where, name=names[rank], round=round_))
        return
    if game.opponent not in names:
        gathering.wrong(game.where, column, f"there is no player {game.opponent}. Fix the starting rank.")
        return
    other = games[game.opponent].get(round_)
    if other is None or other.opponent != rank:
        there = "nobody" if other is None or not other.opponent else names.get(other.opponent, "someone else")
        text = f"says {names[game.opponent]} was the opponent, but their line says {there}. Fix one of them."
        gathering.wrong(game.where, column, text)
        return
    if rank > game.opponent:
        return  # told by the line of the other
    if not game.result.strip() and not other.result.strip():
        gathering.left_out[UNPLAYED] += 1
        return
    codes = game.result + other.result
    known = len(codes) == 2 and all(code in _WINS + _LOSSES + _DRAWS for code in codes)
    drawn = known and all(code in _DRAWS for code in codes)
    both_lost = known and all(code in _LOSSES for code in codes)
    if (
        not known
        or not (drawn or both_lost or (game.result in _WINS) != (other.result in _WINS))
        or (not drawn and any(code in _DRAWS for code in codes))
    ):
        text = f"the results “{game.result}” and “{other.result}” of the two don't fit. Fix one of them."
        gathering.wrong(game.where, column, text)
        return
    players = (names[rank], names[game.opponent])
    forfeit = any(code in _FORFEITS for code in codes)
    gathering.match(
        "trf",
        FoundMatch(
            where=f"{game.where}, {column}",
            players=players,
            winner=None if drawn or both_lost else players[game.result not in _WINS],
            kind=Kind.DOUBLE_LOSS if both_lost else Kind.FORFEIT if forfeit else Kind.PLAYED,
            round=round_,
            day=played,
        ),
        columns=(column, column),
    )


READER = Reader(
    name="TRF",
    file="the report of a Swiss chess program",
    knows=lambda content: content.json is None and _PLAYER.search(content.text) is not None,
    read=_read,
)
