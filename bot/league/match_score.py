"""The score of a match as people type it, and which scores a match can have."""

import re
from enum import StrEnum

from bot.league.errors import Invalid
from bot.league.model import Kind

MOST_GAMES = 99

_TYPED = re.compile(r"\s*(\d{1,3})\s*[-:\N{EN DASH}]\s*(\d{1,3})\s*")

Games = tuple[int, int]
"""Games won by the one who speaks, then by the other."""


class Result(StrEnum):
    """What a player says of his own match."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"

    @property
    def seen_by_opponent(self) -> "Result":
        """Return the same result from the other side."""
        return _OTHER_SIDE[self]


_OTHER_SIDE = {Result.WON: Result.LOST, Result.LOST: Result.WON, Result.DRAW: Result.DRAW}


def read_result(text: str) -> Result:
    """Return what was meant by `won`, `lost` or `draw`; raises Invalid."""
    try:
        return Result(text.strip().lower())
    except ValueError:
        raise Invalid("The result is one of won, lost and draw, seen from your side.") from None


def read_score(text: str) -> Games:
    """Return the games of a score such as `2-1` or `2:1`, own games first; raises Invalid."""
    typed = _TYPED.fullmatch(text)
    if typed is None:
        raise Invalid(f"{text[:20]!r} is no score. Type the games like 2-1, your own first, or leave the score out.")
    return int(typed[1]), int(typed[2])


def flipped(games: Games | None) -> Games | None:
    """Return a score from the other side."""
    return None if games is None else (games[1], games[0])


def require_score(games: Games, result: Result, *, best_of: int | None, unfinished: bool = False) -> None:
    """Raise Invalid, naming what fits, unless the games fit the result, from the side of who speaks.

    `best_of` None: nobody said how many games there are, so they are a mere score and only have to agree with the
    result. `unfinished`: time may be called or a moderator decide before the last game, so being ahead is enough.
    """
    own, their = games if result is not Result.LOST else games[::-1]
    most = MOST_GAMES if best_of is None else best_of // 2 + 1
    agrees = own == their if result is Result.DRAW else own > their
    if best_of is None:
        fits = agrees and max(games) <= most
    else:
        complete = unfinished or result is Result.DRAW or own == most
        fits = agrees and complete and own + their <= best_of and own <= most
    if not fits:
        raise Invalid(f"{games[0]}-{games[1]} does not fit: {_what_fits(result, best_of, unfinished)}.")


def require_forfeit_score(games: Games, *, best_of: int | None) -> None:
    """Raise Invalid unless so many games can have been won before somebody gave up; the winner's games come first."""
    needed = MOST_GAMES + 1 if best_of is None else best_of // 2 + 1
    if max(games) > needed or games[1] == needed or (best_of is not None and sum(games) > best_of):
        raise Invalid(
            f"{games[0]}-{games[1]} does not fit a forfeit in a best of {best_of or MOST_GAMES}: the one who gave up "
            "cannot have won it. Give the games that were really played, or no score."
        )


def score_words(games: Games | None) -> str:
    """Return ` 2-1` with a leading blank, or nothing without a score."""
    return "" if games is None else f" {games[0]}-{games[1]}"


def result_words(kind: Kind, *, winner: str | None, loser: str | None, games: Games | None) -> str:
    """Return a result in plain words; `games` are the winner's first, after a draw the upper player's."""
    match kind:
        case Kind.OPEN:
            return "no result"
        case Kind.DOUBLE_LOSS:
            return "double loss"
        case Kind.FORFEIT:
            return f"{winner} won{score_words(games)} by forfeit of {loser}"
        case Kind.PLAYED | Kind.ADJUDICATED:
            decided = ", decided by the moderators" if kind is Kind.ADJUDICATED else ""
            return f"{'draw' if winner is None else f'{winner} won'}{score_words(games)}{decided}"


def _what_fits(result: Result, best_of: int | None, unfinished: bool) -> str:
    order = {Result.WON: "you won, so your games, the first, are more"}
    order[Result.LOST] = "you lost, so your games, the first, are fewer"
    order[Result.DRAW] = "after a draw both have equally many games"
    if best_of is None:
        return f"{order[result]} (at most {MOST_GAMES})"
    needed = best_of // 2 + 1
    if result is Result.DRAW:
        scores = [(games, games) for games in range(needed)]
    else:
        winners = range(1, needed + 1) if unfinished else (needed,)
        scores = [(won, lost) for won in winners for lost in range(min(won, best_of - won + 1))]
    listed = [f"{won}-{lost}" if result is not Result.LOST else f"{lost}-{won}" for won, lost in scores]
    return f"in a best of {best_of}, {'a draw' if result is Result.DRAW else result.value} can be {', '.join(listed)}"
