"""Results and scores of matches, as people type and read them, and the one rule for which scores are possible."""

import re
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from bot.league.errors import Invalid
from bot.league.season.model import Kind, Match, Name

MOST_GAMES = 99
"""Games one side can have where nobody said how many games a match is."""

HIGHEST_SCORE = 9_999
"""The highest number a score such as 87-62 can have."""

DASH = "\u2060\N{EN DASH}\u2060"
"""Stands between the numbers of a score or a record, and keeps both on one line."""

_BETWEEN = r"\s*\u2060?[-:/\N{EN DASH}]\u2060?\s*"
_GAMES = rf"(\d{{1,3}}){_BETWEEN}(\d{{1,3}})"
_TYPED = re.compile(rf"\s*{_GAMES}\s*")
_WITH_SCORE = re.compile(rf"(?:{_GAMES}[\s,;]+)?\(?(\d{{1,9}}){_BETWEEN}(\d{{1,9}})\)?")

Games = tuple[int, int]
"""Games won by the one who speaks, then by the other."""

Score = tuple[int, int]
"""The score of a match, such as 87-62, of the one who speaks, then of the other."""


class Scoreline(NamedTuple):
    """The numbers of a result: games, and the score where the season has scores; those of one side first in both."""

    games: Games | None = None
    score: Score | None = None

    @property
    def flipped(self) -> "Scoreline":
        """The same from the other side."""
        return Scoreline(flipped(self.games), flipped(self.score))


class Result(StrEnum):
    """What a player says of their own match."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"

    @property
    def seen_by_opponent(self) -> "Result":
        """Return the same result from the other side."""
        return {Result.WON: Result.LOST, Result.LOST: Result.WON}.get(self, self)


NO_NUMBERS = Scoreline()
"""A result that says only who won."""


def read_result(text: str) -> Result:
    """Return the result that `won`, `lost` or `draw` means; raises Invalid."""
    try:
        return Result(text.strip().lower())
    except ValueError:
        raise Invalid("The result is won, lost or draw, seen from your side.") from None


def _one_line(text: str) -> str:
    return " ".join(text.split())[:20]


def read_score(text: str) -> Games:
    """Return the games of a score such as `2-1` or `2:1`, own games first; raises Invalid."""
    typed = _TYPED.fullmatch(text)
    if typed is None:
        raise Invalid(
            f"'{_one_line(text)}' isn't a score. Type the games like 2-1, yours first, or leave the score out."
        )
    return int(typed[1]), int(typed[2])


def read_scoreline(
    typed: str | None, *, scores: bool, best_of: int, needed: bool = False, first: str = "yours"
) -> Scoreline:
    """Return what was typed as the score of a match; raises Invalid, which says whose numbers come `first`.

    Without `scores` those are its games, with them the score, perhaps after the games: `87-62`, `2-1 87-62`.
    """
    text, both = (typed or "").strip(), "" if best_of == 1 else " Games go before it, like 2-1 87-62."
    if not scores:
        if _WITH_SCORE.fullmatch(text) and not _TYPED.fullmatch(text):
            raise Invalid(f"Matches of this season have games only: type them like 2-1, {first} first.")
        return Scoreline(read_score(text) if text else None)
    if not text:
        if needed:
            raise Invalid(f"Each match of this season has a score: add it like 87-62, {first} first.{both}")
        return Scoreline()
    parsed = _WITH_SCORE.fullmatch(text)
    if parsed is None:
        raise Invalid(f"'{_one_line(text)}' isn't a score. Type it like 87-62, {first} first.{both}")
    games = None if parsed[1] is None else (int(parsed[1]), int(parsed[2]))
    own, other = score = (int(parsed[3]), int(parsed[4]))
    if max(score) > HIGHEST_SCORE:
        raise Invalid(f"A score of {own}-{other} isn't possible: each number is at most {HIGHEST_SCORE:,}.")
    if games is None and best_of > 1 and 0 < own + other <= best_of and max(score) <= best_of // 2 + 1:
        raise Invalid(f"Is {own}-{other} the games or the score? Type both, games first, like 2-1 87-62.")
    return Scoreline(games, score)


def flipped(numbers: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return two numbers from the other side."""
    return None if numbers is None else (numbers[1], numbers[0])


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

    Only a match that was played to its end says something of it (docs/formats/shared.md).
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


def scoreline_of(match: Match, name: Name) -> Scoreline:
    """Return the numbers of a match, those of one of its players first."""
    scoreline = Scoreline(match.games, match.score)
    return scoreline if name == match.upper else scoreline.flipped


def result_of(match: Match, name: Name) -> Result:
    """Return what a match that someone won, or that was drawn, was for one of its players."""
    if match.winner is None:
        return Result.DRAW
    return Result.WON if match.winner == name else Result.LOST


def score(*numbers: int) -> str:
    """Return a score or a record as people read it, never broken into two lines."""
    return DASH.join(map(str, numbers))


def typed_score(*pairs: tuple[int, int] | None) -> str:
    """Return games and score as people type them, each with a blank before it; nothing where there are none."""
    return "".join(f" {own}-{other}" for own, other in filter(None, pairs))


def score_words(*pairs: tuple[int, int] | None) -> str:
    """Return games and score, each with a blank before it; nothing where there are none."""
    return "".join(f" {score(*pair)}" for pair in pairs if pair is not None)


def result_words(kind: Kind, *, winner: str | None, scoreline: Scoreline) -> str:
    """Return a result in plain words; its numbers are the winner's first, after a draw the upper player's."""
    match kind:
        case Kind.OPEN:
            return "no result"
        case Kind.DOUBLE_LOSS:
            return "double loss"
        case Kind.FORFEIT:
            return f"{winner} won{score_words(*scoreline)} by forfeit"
        case Kind.PLAYED | Kind.ADJUDICATED:
            return f"{'draw' if winner is None else f'{winner} won'}{score_words(*scoreline)}"
