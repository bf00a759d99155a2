"""KeyForge Swiss: points and tie-breaks, who gets the bye, a cut that fills the bracket.

See docs/formats/keyforge-swiss.md.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bot.league.counting.history import History, once
from bot.league.counting.records import Record
from bot.league.counting.standings import Row, ranked
from bot.league.counting.tiebreaks import (
    EXTENDED_STRENGTH_OF_SCHEDULE,
    STRENGTH_OF_SCHEDULE,
    comparable,
    mean_of_opponents,
    strength_of_schedule,
)
from bot.league.errors import Invalid
from bot.league.formats.shared.base import Rule
from bot.league.formats.swiss import Swiss, said_or_table, words
from bot.league.pairing.drawn_byes import byes_so_far
from bot.league.pairing.in_short import tell
from bot.league.pairing.proposal import Bye
from bot.league.pairing.reasons import Reason
from bot.league.season.choices import Game
from bot.league.season.model import Name
from bot.league.season.settings import SeasonSettings


class KeyForgeSwiss(Swiss):
    """Points, strength of schedule, extended strength of schedule (KeyForge, Tournament Concepts)."""

    key = "keyforge-swiss"
    title = "KeyForge Swiss"
    sentence = "everyone plays every round against equals; in larger fields the best play finals"
    game = Game.KEYFORGE
    own_settings = ("rounds", "cut", "points", "draws")
    offers = MappingProxyType({"cut": ("0", "2", "4", "8", "16", "32")})
    tiebreaks = (STRENGTH_OF_SCHEDULE, EXTENDED_STRENGTH_OF_SCHEDULE)
    unit = ("point", "points")

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings; the cut has to fill a bracket without byes; raises Invalid."""
        settings = super().read_settings(given)
        if settings.cut is not None and (settings.cut == 1 or settings.cut & (settings.cut - 1)):
            raise Invalid(
                f"{settings.cut} players don't fill a bracket; use 4, 8, 16 or 32, or 0 for no finals", place="cut"
            )
        return settings

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        rounds, cut = said_or_table(settings, entrants)
        return words.keyforge(settings, rounds, cut, entrants, tiebreaks=self.named_tiebreaks.values())

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        ties = "Who had the stronger opponents is ahead. Then it's drawn by lot."
        rounds, cut = said_or_table(settings, entrants)
        return words.in_short(settings, rounds, cut, entrants, unit=self.unit[1], ties=ties)

    def points(self, record: Record) -> int:
        """Return the points of the season's scale."""
        return record.points

    def bye(self, history: History, players: Sequence[Name]) -> Bye:
        """Return the lowest in the standings of those with the fewest byes."""
        lowest_first = (row.name for row in reversed(self.table(history)) if row.name in players)
        order = sorted(lowest_first, key=lambda name: history.records[name].byes)
        keys = (byes_so_far(history.records), *self.seed_keys(history))
        before = f"{order[0]} has the bye: the fewest byes, then the lowest in the standings, "
        short = tell(
            "The number of players was odd, so one had a bye: of those with the fewest byes, the lowest in the "
            "standings. That was {a}.",
            a=order[0],
        )
        return Bye(name=order[0], reasons=(Reason(before, order[:2], keys, size=len(order), short=short),))

    @once
    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant by points, strength of schedule, extended strength of schedule, draw."""
        records = history.records
        schedule = strength_of_schedule(records)
        extended = mean_of_opponents(records, schedule)
        first, second = comparable(schedule), comparable(extended)
        rows = (
            Row(record=record, tiebreaks=dict(zip(self.tiebreaks, (schedule[name], extended[name]), strict=True)))
            for name, record in records.items()
        )
        return ranked(rows, lambda r: (r.record.points, first[r.name], second[r.name]), history.table_draw)
