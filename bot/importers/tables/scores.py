"""Scores in one column or two, and whether their numbers are the games of a match or its points."""

from collections.abc import Iterable

from bot.importers.cells import MOST_USUAL, Score
from bot.importers.found import About, Answers, Choice, Question
from bot.league.season.match_score import MOST_GAMES

_MOST_WINNERS = 3
"""As many lengths as the matches of a league have: in a best of 3 the winner has two games, in a best of 5 three."""


def about_scores(example: str) -> Question:
    """Return the question what a score is, such as 87-62 in row 3."""
    return Question(
        about=About.MEANING,
        key="scores",
        text=f"Is {example} the games of a match, or its points?",
        choices=(Choice(value="points", label="Points of one match"), Choice(value="games", label="Games each won")),
    )


class Scores:
    """What the numbers of a file's scores are; `question` asks where no best-of has such numbers."""

    def __init__(self, scores: Iterable[tuple[str, Score]], answers: Answers) -> None:
        winners = set[float]()
        self.question: Question | None = None
        largest, example = 0.0, ""
        for where, score in scores:
            if score.points is not None or score.sets or score.whole is None:
                continue
            most = max(score.first, score.second)
            if score.first != score.second:
                winners.add(most)
            if most > largest:
                largest, example = most, f"{score.first:g}-{score.second:g} in {where[:1].lower()}{where[1:]}"
        usual = largest <= MOST_USUAL and len(winners) <= _MOST_WINNERS
        meaning = "points" if largest > MOST_GAMES else answers.meant.get("scores", "")
        self.are_points = meaning == "points"
        self.forced = self.are_points and largest > MOST_GAMES
        if not usual and meaning not in ("games", "points"):
            self.question = about_scores(example)

    def split(self, score: Score | None) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Return the games and the points of a score."""
        if score is None or score.whole is None:
            return None, None
        if score.points is not None or score.sets or not self.are_points:
            return score.whole, score.points
        return None, score.whole
