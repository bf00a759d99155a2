"""Rows with two names and no result, or 0-0: a match that wasn't played, or a result someone forgot to write."""

from collections.abc import Sequence

from bot.importers.cells import amount_of, forfeit_of, is_blank, score_of
from bot.importers.found import About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.doubts.byes import is_bye
from bot.importers.tables.headings import Role
from bot.importers.tables.outcomes import RESULTS, Outcomes
from bot.importers.tables.row import Row

_EMPTY = (
    Choice(value="unplayed", label="Not played: leave it out"),
    Choice(value="draw", label="A draw"),
    Choice(value="missing", label="The result is missing: I'll write it"),
)
_DASHES = (
    Choice(value="unplayed", label="Not played: leave it out"),
    Choice(value="lost", label="Both lost"),
)

_ZEROS = (
    Choice(value="unplayed", label="Not played: leave it out"),
    Choice(value="played", label="Played: a draw"),
)
_PAIR = (Role.PLAYER_SCORE, Role.OPPONENT_SCORE)


class Unplayed:
    """Tells which rows have no result; `question` asks what the first of them means."""

    def __init__(self, rows: Sequence[Row], layout: Layout, outcomes: Outcomes, answers: Answers) -> None:
        self._told, self._outcomes, self._answers = layout, outcomes, answers.meant
        results = (row.quiet(role) for row in rows for role in (Role.WINNER, Role.SCORE))
        self._chess = any("+" in text and forfeit_of(text) is not None for text in results)
        self.question = next((asked for row in rows if (asked := self._about(row)) is not None), None)

    def meaning(self, row: Row) -> str | None:
        """Return what was said of rows like this one: `unplayed`, `played`, `draw`, `lost` by both, or `missing`."""
        return self._answers.get(self._key(row) or "")

    def _about(self, row: Row) -> Question | None:
        key = self._key(row)
        if key is None or key in self._answers:
            return None
        choices = {"no result": _EMPTY, "zeros": _ZEROS, "dashes": _DASHES}[key]
        has = "the score 0-0" if key == "zeros" else "no result"
        text = f"{row.where} has {has}. Wasn't that match played? The answer is for all such rows."
        if key == "dashes":
            text = f"What does {self._dashes(row)} in {row.place} mean?"
        return Question(about=About.MEANING, key=key, text=text, choices=choices)

    def _key(self, row: Row) -> str | None:
        """Return which question is about a row, if one is."""
        names = [row.quiet(role) for role in self._told.seats]
        if self._outcomes.named or row.quiet(Role.HOW) or not all(names):
            return None
        if any(is_bye(name, self._answers) for name in names):
            return None
        if self._outcomes.says_nothing(row):
            return "no result"
        if self._is_zero(row):
            return "zeros"
        return "dashes" if self._dashes(row) and not self._chess else None

    def _is_zero(self, row: Row) -> bool:
        """Whether a row has 0-0, which may have stood there before the match, and nothing else says how it ended."""
        scores = [row.quiet(role) for role in RESULTS if role not in _PAIR]
        pair = [row.quiet(role) for role in _PAIR]
        zeros = [score for text in scores if (score := score_of(text)) is not None and score.largest == 0]
        if len(zeros) < sum(not is_blank(text) for text in scores):
            return False
        return all(amount_of(text) == 0 for text in pair) or (bool(zeros) and all(map(is_blank, pair)))

    def _dashes(self, row: Row) -> str:
        """Return the result of a row if it's -:-, which is an empty score in leagues and a double loss in chess."""
        for role in (Role.WINNER, Role.SCORE):
            text = row.quiet(role)
            if forfeit_of(text) is not None and not any(map(str.isalnum, text)) and "+" not in text:
                return text
        return ""
