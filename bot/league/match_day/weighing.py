"""What a player's report means, by what both said and what counts; how long it can be taken back.

See docs/formats/shared.md.
"""

from enum import Enum
from typing import NamedTuple

from bot.league.season.match_score import NO_NUMBERS, Result, Scoreline
from bot.league.season.phases import MatchState

TAKE_BACK_MINUTES = 10
"""As long as someone can take back the press that made a result count."""


class Said(NamedTuple):
    """What someone says of their match, from their own side: the numbers are theirs first."""

    result: Result
    scoreline: Scoreline = NO_NUMBERS

    def agrees_with(self, opponent: "Said") -> bool:
        """Whether both say the same; games or a score that only one of them gives contradict nothing."""
        both = zip(self.scoreline, opponent.scoreline.flipped, strict=True)
        return self.result is opponent.result.seen_by_opponent and all(
            None in (mine, theirs) or mine == theirs for mine, theirs in both
        )

    def adds_to(self, earlier: "Said | None") -> bool:
        """Whether it says something else than what was said before, or more."""
        if earlier is None or self.result is not earlier.result:
            return True
        return any(now not in (None, before) for now, before in zip(self.scoreline, earlier.scoreline, strict=True))

    def with_score_of(self, opponent: "Said | None") -> "Said":
        """Return it with the games and the score that only the opponent gave."""
        if opponent is None:
            return self
        mine, theirs = self.scoreline, opponent.scoreline.flipped
        return self._replace(scoreline=Scoreline(mine.games or theirs.games, mine.score or theirs.score))


class Meaning(Enum):
    """What a report means for its match."""

    WAITS = "the opponent is asked"
    CONFIRMED = "it counts"
    DISPUTED = "the moderators decide"
    SAME = "nothing changes: it was said before, or counts already"
    REFUSED = "the result is final"


def weigh(
    result: Said,
    state: MatchState,
    *,
    mine: Said | None = None,
    theirs: Said | None = None,
    counted: Said | None = None,
    final: bool = True,
) -> Meaning:
    """Return what a report means; `mine` and `theirs` are what the two have said that stands until now.

    `counted` is what a confirmed result is to the one who reports, None where the match wasn't played. One that rests
    only on a loss the opponent reported isn't `final`: the other player may know better.
    """
    confirmed = state is MatchState.CONFIRMED
    if not result.adds_to(counted if confirmed else mine):
        return Meaning.SAME
    if confirmed and (final or theirs is None):
        return Meaning.REFUSED
    if theirs is not None:
        return Meaning.CONFIRMED if result.agrees_with(theirs) else Meaning.DISPUTED
    if result.result is Result.LOST:
        return Meaning.CONFIRMED
    return Meaning.DISPUTED if state is MatchState.DISPUTED else Meaning.WAITS
