"""KeyForge Swiss: score groups, then a cut to single elimination (docs/rules.md, 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.league.errors import Invalid
from bot.league.formats.base import Summary
from bot.league.formats.swiss import Swiss
from bot.league.formats.words import common_rules, counted
from bot.league.history import History
from bot.league.model import Name
from bot.league.proposal import Bye
from bot.league.reasons import Reason
from bot.league.settings import SeasonSettings
from bot.league.standings import Row, ranked, table_draw
from bot.league.tiebreaks import (
    EXTENDED_STRENGTH_OF_SCHEDULE,
    STRENGTH_OF_SCHEDULE,
    comparable,
    extended_strength_of_schedule,
    strength_of_schedule,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestStanding(Reason):
    """The bye of a later round goes to the lowest in the standings."""

    name: Name
    candidates: int

    def sentence(self) -> str:
        """Return whose bye it is and among how many."""
        return f"{self.name} has the bye: the lowest in the standings of the {self.candidates} with the fewest byes."


_NEXT_GAME = "In a match of several games the loser of a game chooses who goes first in the next."


class KeyForgeSwiss(Swiss):
    """Points, strength of schedule, extended strength of schedule (KeyForge, Tournament Concepts)."""

    key = "keyforge-swiss"
    title = "KeyForge Swiss"
    game = "keyforge"
    document = "KeyForge: Tournament Concepts"
    own_settings = ("rounds", "cut", "points", "draws")
    tiebreaks = (STRENGTH_OF_SCHEDULE, EXTENDED_STRENGTH_OF_SCHEDULE)
    unit = ("point", "points")

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings; the cut has to fill a bracket without byes; raises Invalid."""
        settings = super().read_settings(given)
        if settings.cut is not None and (settings.cut == 1 or settings.cut & (settings.cut - 1)):
            raise Invalid(f"cut: {settings.cut} players do not fill a bracket; use 4, 8, 16 or 32, or 0 for no finals")
        return settings

    def rules(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return the season's rules in plain words."""
        return (
            *self.opening_rules(settings, entrants),
            "The bye of round 1 is drawn; later the lowest of the standings without one has it.",
            _points_rule(settings),
            "Standings: points, strength of schedule (the mean over your opponents of their points for each round they "
            "played), extended strength of schedule (the mean of your opponents' strengths of schedule), the draw.",
            *((_NEXT_GAME,) if max(settings.best_of, settings.finals_best_of, settings.final_best_of) > 1 else ()),
            *common_rules(settings),
        )

    def summary(self, settings: SeasonSettings, entrants: int | None = None) -> Summary:
        """Return rounds, games of a match, cut, byes and tie-breaks in a few words each."""
        return (
            *self.opening_lines(settings, entrants),
            ("Points", _points_in_short(settings)),
            ("Byes", "round 1 by the draw; then the lowest without one"),
            ("Tie-breaks", "strength of schedule, extended strength of schedule, the draw"),
        )

    def scores(self, history: History) -> Mapping[Name, int]:
        """Return everybody's points."""
        return {name: record.points for name, record in history.records.items()}

    def bye(self, history: History, fewest: Sequence[Name]) -> Bye:
        """Return the lowest in the standings of those with the fewest byes."""
        among = frozenset(fewest)
        name = next(row.name for row in reversed(self.table(history)) if row.name in among)
        return Bye(name=name, reasons=(LowestStanding(name=name, candidates=len(fewest)),))

    def ranking(self, history: History) -> tuple[Row, ...]:
        """Return everybody by points, strength of schedule, extended strength of schedule, draw."""
        records = history.records
        schedule = strength_of_schedule(records)
        extended = extended_strength_of_schedule(records, schedule)
        first, second = comparable(schedule), comparable(extended)
        rows = (
            Row(record=record, tiebreaks=dict(zip(self.tiebreaks, (schedule[name], extended[name]), strict=True)))
            for name, record in records.items()
        )
        return ranked(rows, lambda r: (r.record.points, first[r.name], second[r.name]), table_draw(history))


def _points_in_short(settings: SeasonSettings) -> str:
    points = settings.points
    draw = f", draw {points.draw}" if settings.draws else ""
    return f"win {points.win}{draw}, loss {points.loss}, bye {points.bye}"


def _points_rule(settings: SeasonSettings) -> str:
    points = settings.points
    draw = f", a draw {counted(points.draw, 'point')}" if settings.draws else ""
    return (
        f"A match won is {counted(points.win, 'point')}{draw}, a loss {counted(points.loss, 'point')}, "
        f"a bye {counted(points.bye, 'point')}."
    )
