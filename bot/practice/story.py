"""How a match of the practice server goes when no one acts for its players: the same each time."""

import random

from bot.services.matches.views import MatchView


class Story:
    """Who wins, by how many games, and how the two tell it."""

    def __init__(self, match: MatchView) -> None:
        chance = random.Random(f"{match.season.number}/{match.label}")
        self.winner, self.loser = chance.sample(match.sides, 2)
        needed = match.best_of // 2 + 1
        lost = chance.randrange(needed)
        # Every way comes up in every season, a dispute in round 2 for the first time.
        telling = (3 * match.round.number + match.match.position) % 8
        self.modest = 1 <= telling <= 5
        self.disputed = telling == 0
        self.reporter = self.loser if self.modest else self.winner
        self.report = {"result": "lost" if self.modest else "won"}
        """What the reporter says, as options of /report."""
        if match.draws and telling == 7:
            self.report = {"result": "draw"}
        elif match.best_of > 1:
            self.report["score"] = f"{lost}-{needed}" if self.modest else f"{needed}-{lost}"
