"""Results and scores of matches, as people type and read them, and the one rule for which scores are possible."""

import re
from enum import StrEnum
from itertools import product

from bot.league.errors import Invalid
from bot.league.season.model import Kind, Match, Name

MOST_GAMES = 99
"""Games one side can have where nobody said how many games a match is."""

HIGHEST_SCORE = 9_999
"""The highest number a score such as 87-62 can have."""

DASH = "\u2060\N{EN DASH}\u2060"
"""Stands between the numbers of a score or a record, and keeps both on one line."""

_TYPED = re.compile(r"\s*(\d{1,3})\s*\u2060?[-:/\N{EN DASH}]\u2060?\s*(\d{1,3})\s*")

Games = tuple[int, int]
"""Games won by the one who speaks, then by the other."""

Score = tuple[int, int]
"""The score of a match, such as 87-62, of the one who speaks, then of the other."""


class Result(StrEnum):
    """What a player says of their own match."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"

    @property
    def seen_by_opponent(self) -> "Result":
        """Return the same result from the other side."""
        return {Result.WON: Result.LOST, Result.LOST: Result.WON}.get(self, self)


def read_result(text: str) -> Result:
    """Return the result that `won`, `lost` or `draw` means; raises Invalid."""
    try:
        return Result(text.strip().lower())
    except ValueError:
        raise Invalid("The result is won, lost or draw, seen from your side.") from None


def read_score(text: str) -> Games:
    """Return the games of a score such as `2-1` or `2:1`, own games first; raises Invalid."""
    typed = _TYPED.fullmatch(text)
    if typed is None:
        raise Invalid(f"{text[:20]!r} isn't a score. Type the games like 2-1, yours first, or leave the score out.")
    return int(typed[1]), int(typed[2])


def flipped(games: Games | None) -> Games | None:
    """Return a score from the other side."""
    return None if games is None else (games[1], games[0])


def is_possible(
    games: Games, *, kind: Kind, result: Result | None, best_of: int | None, finished: bool = False
) -> bool:
    """Whether a match can have this score; `result` is of the side whose games come first, None for a double loss.

    `best_of` None: nobody said how many games a match is, so they only have to agree with the result. `finished`:
    the match was played to its end, not cut short by time, so the winner has all the games a winner needs.
    """
    won, lost = games if result is not Result.LOST else games[::-1]
    most = MOST_GAMES if best_of is None else best_of // 2 + 1
    if max(games) > most or (best_of is not None and won + lost > best_of):
        return False
    if kind is not Kind.PLAYED:  # the games before someone gave up or a moderator decided
        return result is None or result is Result.DRAW or best_of is None or lost < most
    if result is Result.DRAW:
        return won == lost
    return won > lost and (won == most or best_of is None or not finished)


def require_possible(
    games: Games, *, kind: Kind, result: Result | None, best_of: int | None, finished: bool = False
) -> None:
    """Raise Invalid, saying which scores are possible, unless the match can have this one; see `is_possible`."""
    if not is_possible(games, kind=kind, result=result, best_of=best_of, finished=finished):
        raise Invalid(f"{games[0]}-{games[1]} isn't possible: {_possible(kind, result, best_of, finished=finished)}.")


def require_agreeing(score: Score, *, kind: Kind, result: Result | None) -> None:
    """Raise Invalid unless a score such as 87-62 goes with the result, which is of the side that comes first.

    Only a match that was played to its end says something of it (docs/rules.md, 10).
    """
    own, other = score
    wrong = {Result.WON: own < other, Result.LOST: own > other}.get(result or Result.DRAW, own != other)
    if kind is Kind.PLAYED and wrong:
        law = "after a draw both scores are the same" if result is Result.DRAW else "the winner's isn't the lower one"
        raise Invalid(f"A score of {own}-{other} isn't possible: {law}.")


def possible_scores(
    result: Result | None, best_of: int, *, kind: Kind = Kind.PLAYED, finished: bool = False
) -> tuple[Games, ...]:
    """Return every score a match can have, of the side with this result, its own games first; see `is_possible`.

    They are in the order people look for theirs: most games first.
    """
    each = range(best_of // 2 + 2)
    fits = (
        games
        for games in product(each, each)
        if is_possible(games, kind=kind, result=result, best_of=best_of, finished=finished)
    )
    return tuple(sorted(fits, key=lambda games: (-games[0], games[1])))


_NAMES = {Result.WON: "a win", Result.LOST: "a loss", Result.DRAW: "a draw", None: "a double loss"}


def _possible(kind: Kind, result: Result | None, best_of: int | None, *, finished: bool) -> str:
    if best_of is None:
        agree = "after a draw both have the same number" if result is Result.DRAW else "the winner has more games"
        return f"{agree}, at most {MOST_GAMES}"
    possible = possible_scores(result, best_of, kind=kind, finished=finished)
    listed = " or ".join(f"{own}-{their}" for own, their in sorted(possible))
    if best_of == 1:
        return f"a match here is one game, so its score is {listed}"
    return f"in a best of {best_of}, {_NAMES[result]} is {listed}"


def result_of(match: Match, name: Name) -> Result:
    """Return what a match that someone won, or that was drawn, was for one of its players."""
    if match.winner is None:
        return Result.DRAW
    return Result.WON if match.winner == name else Result.LOST


def score(*numbers: int) -> str:
    """Return a score or a record as people read it, never broken into two lines."""
    return DASH.join(map(str, numbers))


def typed_score(games: Games | None) -> str:
    """Return a score as people type it, with a blank before it, or nothing without one."""
    return "" if games is None else f" {games[0]}-{games[1]}"


def score_words(games: Games | None) -> str:
    """Return a score with a blank before it, or nothing without one."""
    return "" if games is None else f" {score(*games)}"


def result_words(kind: Kind, *, winner: str | None, games: Games | None) -> str:
    """Return a result in plain words; `games` are the winner's first, after a draw the upper player's."""
    match kind:
        case Kind.OPEN:
            return "no result"
        case Kind.DOUBLE_LOSS:
            return "double loss"
        case Kind.FORFEIT:
            return f"{winner} won{score_words(games)} by forfeit"
        case Kind.PLAYED | Kind.ADJUDICATED:
            decided = ", decided by the moderators" if kind is Kind.ADJUDICATED else ""
            return f"{'draw' if winner is None else f'{winner} won'}{score_words(games)}{decided}"
