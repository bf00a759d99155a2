"""Rows with two names and no result: a match that wasn't played, or a result someone forgot to write."""

from collections.abc import Sequence

from bot.importers.cells import forfeit_of
from bot.importers.found import About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.doubts.byes import is_bye
from bot.importers.tables.headings import Role
from bot.importers.tables.outcomes import Outcomes
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


class Unplayed:
    """Tells which rows have no result; `question` asks what the first of them means."""

    def __init__(self, rows: Sequence[Row], layout: Layout, outcomes: Outcomes, answers: Answers) -> None:
        self._told, self._outcomes, self._answers = layout, outcomes, answers.meant
        results = (row.quiet(role) for row in rows for role in (Role.WINNER, Role.SCORE))
        self._chess = any("+" in text and forfeit_of(text) is not None for text in results)
        self.question = next((asked for row in rows if (asked := self._about(row)) is not None), None)

    def meaning(self, row: Row) -> str | None:
        """Return what was said of rows like this one: `unplayed`, `draw`, `lost` by both, or that it's `missing`."""
        return self._answers.get(self._key(row) or "")

    def _about(self, row: Row) -> Question | None:
        key = self._key(row)
        if key is None or key in self._answers:
            return None
        choices = _EMPTY if key == "no result" else _DASHES
        text = f"{row.where} has no result. Wasn't that match played? The answer is for all such rows."
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
        return "dashes" if self._dashes(row) and not self._chess else None

    def _dashes(self, row: Row) -> str:
        """Return the result of a row if it's -:-, which is an empty score in leagues and a double loss in chess."""
        for role in (Role.WINNER, Role.SCORE):
            text = row.quiet(role)
            if forfeit_of(text) is not None and not any(map(str.isalnum, text)) and "+" not in text:
                return text
        return ""
