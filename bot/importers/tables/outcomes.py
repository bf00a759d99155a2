"""How the match of a row ended: by its winner, its loser, its score, or a word, which must agree."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from bot.importers.cells import (
    LARGEST_SCORE,
    Ending,
    Score,
    Side,
    amount_of,
    forfeit_in_two,
    forfeit_of,
    how_of,
    is_blank,
    says_draw,
    score_and_word,
    score_of,
    shortened,
)
from bot.importers.found import Answers, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role, is_winners
from bot.importers.tables.results import Results
from bot.importers.tables.row import Row, Wrong
from bot.importers.tables.scores import Scores
from bot.league.season.model import Kind
from bot.league.season.names import written_key

_IN_ONE = "the spreadsheet made a date of the score. Format the column as text and write 2-1 again."
_MADE_A_DATE = re.compile(
    r"\d{1,2}[-. ]{1,2}[^\W\d]{3,9}\.?|[^\W\d]{3,9}\.?[- ]\d{1,2}"
    r"|\d{1,2}([./])\d{1,2}\1\d{2,4}|\d{4}-\d\d-\d\d.*|\d{1,4}:\d\d:\d\d"
)
"""What is left in CSV of a score that a spreadsheet took for a date: 02-Jan, 2. Jan, 01.02.2026, 02:01:30."""
_PAIRS = {
    Role.SCORE: (Role.PLAYER_SCORE, Role.OPPONENT_SCORE),
    Role.POINTS: (Role.PLAYER_POINTS, Role.OPPONENT_POINTS),
}
_WON_OR_LOST = {"w": True, "win": True, "won": True, "l": False, "loss": False, "lost": False}
OF_POINTS = "points beside"
"""What is asked of columns of points beside a result."""
RESULTS = (Role.WINNER, Role.LOSER, Role.SCORE, Role.POINTS, *_PAIRS[Role.SCORE], *_PAIRS[Role.POINTS])
"""What tells how a match ended."""


class Outcomes:
    """Tells how the match of each row ended; `questions` are what the columns leave open."""

    def __init__(self, rows: Sequence[Row], layout: Layout, answers: Answers) -> None:
        self.told = layout
        self.named = layout.seats[0] is Role.WINNER
        body = [row.cells for row in rows]
        self._results = {
            role: Results(body, layout, role, answers)
            for role in (Role.WINNER, Role.SCORE)
            if role in layout.columns and role not in layout.seats
        }
        self.scores = Scores(_quietly(rows, partial(self._score, role=Role.SCORE)), answers)
        self.noticed = not self.named and Role.WINNER in layout.columns and self._winner_first(rows)
        of_winner = Role.PLAYER_SCORE in layout.columns and is_winners(layout.title(Role.PLAYER_SCORE))
        self.winner_first = self.noticed or of_winner
        self.halves = False
        self._points_of_match = answers.meant.get(OF_POINTS) != "table"

    def questions(self) -> Iterator[Question | None]:
        """Return what the columns leave open."""
        yield from (results.question for results in self._results.values())
        yield self.scores.question

    def says_nothing(self, row: Row) -> bool:
        """Whether a row says nothing of how its match ended."""
        return all(is_blank(row.quiet(role)) for role in RESULTS if role not in self.told.seats)

    def how(self, row: Row) -> Kind | Ending:
        """Return how a row says its match ended; a column of results may say that as well."""
        text = row.text(Role.HOW)
        how = how_of(text)
        if how is None:
            words = "played, forfeit, adjudicated, double loss, bye or draw"
            raise Wrong(Role.HOW, f"“{shortened(text)}” isn't known. Write {words}.")
        ending = how_of(row.text(Role.SCORE)) if how is Kind.PLAYED else None
        return ending if isinstance(ending, Ending) else how

    def of(self, row: Row, players: tuple[str, str], how: Kind | Ending) -> tuple[Side, Score | None, Kind]:
        """Return who won, the score and the kind of a row's match; raises Wrong where it doesn't say, or says two."""
        kind = how if isinstance(how, Kind) else Kind.PLAYED
        marked = self._marked(row)
        score = self._score(row, Role.SCORE) if marked is None else None
        side, kind = self._named_side(row, players, kind)
        if marked is not None:
            if side is not None and side is not marked[0]:
                _contradicts(players, side, f"{row.text(Role.PLAYER_SCORE)} and {row.text(Role.OPPONENT_SCORE)}")
            side, kind = marked[0], kind if kind is not Kind.PLAYED else marked[1]
        typed = row.text(Role.SCORE)
        worded = score is None or score_and_word(typed) is not None
        if worded and not is_blank(typed) and Role.PLAYER_SCORE not in self.told.columns:
            other, kind = self._by_word(typed, players, kind)
            if side is not None and other is not None and side is not other:
                _contradicts(players, side, typed)
            side = side or other
        if score is None and (typed := row.text(Role.WINNER)) and not self.named:
            score = None if _is_name(typed, players) else score_of(typed)
        elif score is not None and self.winner_first and side is Side.OPPONENT:
            score = score.turned()
        if score is not None and kind is not Kind.DOUBLE_LOSS:
            if side is None:
                side = score.side
            elif side is not score.side and not (kind is not Kind.PLAYED and score.side is Side.NOBODY):
                _contradicts(players, side, f"{score.first:g}-{score.second:g}")
        if kind is Kind.DOUBLE_LOSS:
            if side in (Side.PLAYER, Side.OPPONENT):
                raise Wrong(Role.HOW, "says that both lost, but there is a winner. Fix one of them.")
            return Side.NOBODY, score, kind
        if side is None and says_draw(row.text(Role.HOW)):
            side = Side.NOBODY
        if side is None:
            points = self.points(row, None)
            if points is None:
                role = Role.WINNER if Role.WINNER in self.told.columns else Role.SCORE
                reason = "empty" if is_blank(row.text(role)) else f"“{shortened(row.text(role))}” doesn't say who won"
                text = f"{reason}. Write {_either(players)}, or draw; an unplayed match has unplayed in how."
                raise Wrong(role, text)
            side = Score(first=points[0], second=points[1]).side
        self.halves = self.halves or (score is not None and score.whole is None)
        return side, score, kind

    def points(self, row: Row, side: Side | None, kind: Kind = Kind.PLAYED) -> tuple[int, int] | None:
        """Return the points of a row, which fit who won where it was played."""
        score = self._score(row, Role.POINTS) if self._points_of_match else None
        if score is None:
            return None
        if score.whole is None and Role.PLAYER_POINTS in self.told.columns:
            raise Wrong(Role.PLAYER_POINTS, f"{score.first:g} and {score.second:g} aren't points of a match. Fix them.")
        if self.winner_first and side is Side.OPPONENT and score.side is Side.PLAYER:
            score = score.turned()
        if kind is Kind.PLAYED and side is not None and score.side not in (side, Side.NOBODY):
            text = f"{score.first:g}-{score.second:g} doesn't fit who won. Fix one of them."
            raise Wrong(Role.POINTS if Role.POINTS in self.told.columns else Role.PLAYER_POINTS, text)
        return score.whole

    def _score(self, row: Row, role: Role) -> Score | None:
        pair = _PAIRS[role]
        if {*pair} <= self.told.columns.keys():
            score = self._of_two(row, pair)
        else:
            pair = (role, role)
            if role in self.told.columns and not isinstance(row.cell(role), str):
                raise Wrong(role, _IN_ONE)
            text = row.text(role)
            beside = score_and_word(text) if role is Role.SCORE else None
            score = score_of(text) if beside is None else beside[0]
        if score is not None and score.largest > LARGEST_SCORE:
            number = f"{max(score.first, score.second, *(score.points or ())):g}"
            raise Wrong(pair[0], f"{number} is too large. A score has at most {LARGEST_SCORE:,} on each side.")
        return score

    def _marked(self, row: Row) -> tuple[Side, Kind] | None:
        """Return who won by marks in the columns of both scores: W and L, DQ, or -1 for who forfeited."""
        pair = _PAIRS[Role.SCORE]
        if not {*pair} <= self.told.columns.keys():
            return None
        first, second = (row.text(role) for role in pair)
        wins = [_WON_OR_LOST.get(text.casefold()) for text in (first, second)]
        forfeit = forfeit_in_two(first, second)
        if forfeit is not None or None in wins or wins[0] == wins[1]:
            return forfeit
        return Side.PLAYER if wins[0] else Side.OPPONENT, Kind.PLAYED

    def _of_two(self, row: Row, pair: tuple[Role, Role]) -> Score | None:
        texts = [row.text(role) for role in pair]
        if all(map(is_blank, texts)):
            return None
        numbers = [amount_of(text) for text in texts]
        for role, text, number in zip(pair, texts, numbers, strict=True):
            if number is None:
                reason = "empty" if is_blank(text) else f"“{shortened(text)}” is no number"
                raise Wrong(role, f"{reason}. Write how many games they won, for example 2.")
        return Score(first=numbers[0] or 0.0, second=numbers[1] or 0.0)

    def _named_side(self, row: Row, players: tuple[str, str], kind: Kind) -> tuple[Side | None, Kind]:
        """Return who won by the columns of winners and losers."""
        if self.named:
            return Side.PLAYER, kind
        text, lost = row.text(Role.WINNER), row.text(Role.LOSER)
        side: Side | None = None
        if not is_blank(text):
            plays = _is_name(text, players)  # someone may be called 2-1
            score, forfeit = (None, None) if plays else (score_of(text), forfeit_of(text))
            if score is not None:
                side = score.side
            elif forfeit is not None:
                side, kind = forfeit
            else:
                side = self._results[Role.WINNER].side(text, players)
            if side is None:
                raise Wrong(Role.WINNER, f"“{shortened(text)}” didn't play. Write {_either(players)}.")
        if Role.LOSER in self.told.columns and not is_blank(lost):
            keys = [written_key(name) for name in players]
            if written_key(lost) not in keys:
                raise Wrong(Role.LOSER, f"“{shortened(lost)}” didn't play. Write {_either(players)}.")
            by_loser = (Side.OPPONENT, Side.PLAYER)[keys.index(written_key(lost))]
            if side not in (None, by_loser):
                raise Wrong(Role.LOSER, f"{shortened(lost)} lost, but the winner says something else. Fix one of them.")
            side = by_loser
        return side, kind

    def _by_word(self, text: str, players: tuple[str, str], kind: Kind) -> tuple[Side | None, Kind]:
        """Return who won by what a column of results has besides a score: a name, a word, +/-, or how it ended."""
        forfeit = forfeit_of(text)
        if forfeit is not None:
            return forfeit
        beside = score_and_word(text)
        word = text if beside is None else beside[1]
        side = self._results[Role.SCORE].side(word, players) if Role.SCORE in self._results else None
        if side is not None:
            return side, kind
        how = how_of(text) if forfeit_in_two(text, "") is None else Kind.FORFEIT
        if isinstance(how, Kind):
            return None, how if kind is Kind.PLAYED else kind
        if _MADE_A_DATE.fullmatch(text):
            raise Wrong(Role.SCORE, _IN_ONE)
        if self.named or Role.WINNER in self.told.columns:
            raise Wrong(Role.SCORE, f"“{shortened(text)}” is no score. Write it like 2-1, or leave it empty.")
        raise Wrong(Role.SCORE, f"“{shortened(text)}” didn't play. Write {_either(players)}.")

    def _winner_first(self, rows: Sequence[Row]) -> bool:
        """Whether the higher score comes first even where the second player won."""
        second_won = False
        for row in rows:
            players = (row.quiet(self.told.seats[0]), row.quiet(self.told.seats[1]))
            for role in (Role.SCORE, Role.POINTS):
                score = score_of(row.quiet(role)) if role in self.told.columns else None
                if score is None or score.side is Side.NOBODY:
                    continue
                if score.side is Side.OPPONENT:
                    return False
                winner = self._results[Role.WINNER].side(row.quiet(Role.WINNER), players)
                second_won = second_won or winner is Side.OPPONENT
        return second_won


def _quietly(rows: Sequence[Row], score: partial[Score | None]) -> Iterator[tuple[str, Score]]:
    for row in rows:
        try:
            score_read = score(row)
        except Wrong:
            continue
        if score_read is not None:
            yield row.where, score_read


def _is_name(text: str, players: tuple[str, str]) -> bool:
    return written_key(text) in map(written_key, players)


def _either(players: tuple[str, str]) -> str:
    return f"{shortened(players[0])} or {shortened(players[1])}"


def _contradicts(players: tuple[str, str], side: Side, other: str) -> None:
    winner = "a draw" if side is Side.NOBODY else shortened(players[side.value])
    raise Wrong(Role.WINNER, f"says {winner}, but the score says {shortened(other)}. Fix one of them.")
