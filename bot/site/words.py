"""Moments and results as pages say them: dates with their zone, finals in cells (QF, SF, R16, 3rd), who lost where.

Dates have their zone, because a page is read later than it's written.
"""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.league.bracket.match_names import FINAL, THIRD_PLACE
from bot.league.counting.standings import Standing
from bot.league.season.local_time import MONTHS, WEEKDAYS
from bot.league.season.match_score import Scoreline, score, scoreline_of
from bot.league.season.model import Kind, Match, Name, Stage
from bot.league.summaries.careers import Played
from bot.league.summaries.tallies import Tally


@dataclass(frozen=True, slots=True)
class Clock:
    """Tells moments in a league's time zone."""

    zone: ZoneInfo

    def full(self, moment: date) -> str:
        """Return a moment in full: `Sunday 29 November 2026, 20:00 CET`, of a day alone the day."""
        local = self._local(moment)
        time = f", {local:%H:%M %Z}" if isinstance(local, datetime) else ""
        return f"{WEEKDAYS[local.weekday()]} {self.day(moment)}{time}"

    def day(self, moment: date) -> str:
        """Return a day: `29 November 2026`."""
        return f"{self._local(moment).day} {self.month(moment)}"

    def month(self, moment: date) -> str:
        """Return a month: `November 2026`."""
        local = self._local(moment)
        return f"{MONTHS[local.month - 1]} {local.year}"

    def _local(self, moment: date) -> date:
        return moment.astimezone(self.zone) if isinstance(moment, datetime) else moment


def record(tally: Tally | Standing) -> str:
    """Return wins and losses, and draws where there are any."""
    return score(tally.wins, tally.losses, *((tally.draws,) if tally.draws else ()))


def of_kind(name: str) -> str:
    """Return what kind of match of the finals one is, within a sentence: `semi-final`, `round of 16`."""
    kind = name.split(",")[0].rstrip("0123456789 ") if not name.startswith("Round of") else name.split(",")[0]
    return kind[:1].lower() + kind[1:]


_SHORT = {
    "quarter-finals": "QF",
    "semi-finals": "SF",
    "play-in round": "PI",
    "quarter-final": "QF",
    "semi-final": "SF",
    "final": "F",
    "third place": "3rd",
    "play-in": "PI",
}


def in_a_cell(stage: Stage, number: int, name: str) -> str:
    """Return where a match was as a cell of a cross table says it: `3`, `SF`, `R16`."""
    if stage is Stage.REGULAR:
        return str(number)
    if stage is Stage.TIEBREAK:
        return "TB"
    kind = of_kind(name)
    return _SHORT.get(kind, kind.replace("round of ", "R").replace("finals, round ", "F"))


def went_out(name: str) -> str:
    """Return what losing a match of the finals means: `lost the final`, `lost a semi-final`."""
    if name == THIRD_PLACE:
        return "fourth"
    return "lost the final" if name == FINAL else f"lost {'in the' if 'ound' in name else 'a'} {of_kind(name)}"


def how(match: Match | Played) -> str:
    """Return what is to be said of a result beside who won: ` by forfeit`."""
    return {Kind.FORFEIT: "by forfeit", Kind.ADJUDICATED: "by decision"}.get(match.kind, "")


def numbers(scoreline: Scoreline) -> str:
    """Return the games of a result and its score; nothing without any."""
    return " ".join(score(*pair) for pair in scoreline if pair is not None)


def numbers_of(match: Match, name: Name) -> str:
    """Return the games of a match and its score, those of this player first; nothing without any."""
    return numbers(scoreline_of(match, name))


def last_time(match: Played) -> str:
    """Return how a player's match ended for them, and where it was."""
    return f"{match.result}, season {match.season}, {match.where[:1].lower()}{match.where[1:]}"
