"""Lightseekers Swiss: at least five players, tie-breaks, the organiser's order, the bye (docs/rules.md, 7)."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any

from bot.league.counting.history import History, once
from bot.league.counting.standings import Row, ranked
from bot.league.counting.tiebreaks import (
    BEATEN_OPPONENTS_WINS,
    GAME_WIN_PERCENTAGE,
    GAME_WINS,
    beaten_opponents_wins,
    comparable,
    game_win_percentage,
)
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats.shared.base import Rule
from bot.league.formats.swiss import Swiss, said_or_table, words
from bot.league.pairing.byes import byes_so_far, drawn_bye
from bot.league.pairing.proposal import Bye, Proposal
from bot.league.pairing.reasons import Key
from bot.league.season.choices import Game
from bot.league.season.model import Name, Season
from bot.league.season.settings import SeasonSettings


class LightseekersSwiss(Swiss):
    """Wins, wins of the players beaten, game wins, game win percentage, the organiser (Lightseekers, 1v1 Events)."""

    key = "lightseekers-swiss"
    title = "Lightseekers Swiss"
    sentence = "best of three; the number of players decides rounds and finals"
    defaults = MappingProxyType({"best_of": 3, "finals_best_of": 3, "final_best_of": 3})
    tiebreaks = (BEATEN_OPPONENTS_WINS, GAME_WINS, GAME_WIN_PERCENTAGE)
    unit = ("win", "wins")
    fewest_players = 5
    organiser_breaks_ties = True
    game = Game.LIGHTSEEKERS

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings; a cut to one is no bracket; raises Invalid."""
        settings = super().read_settings(given)
        if settings.cut == 1:
            raise Invalid("one player can't play a bracket; use 4, 8 or 16, or 0 for no finals", place="cut")
        return settings

    def regular_next(self, history: History) -> Proposal:
        """Return the next round; raises PairingImpossible for fewer players than the document asks for."""
        starters = len(history.starters())
        if history.number == 1 and starters < self.fewest_players:
            raise PairingImpossible(
                f"{self.title} needs at least {self.fewest_players} players and has {starters}; "
                f"wait for more, or play single-elimination, which needs only 2"
            )
        return super().regular_next(history)

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        rounds, cut = said_or_table(settings, entrants)
        return words.lightseekers(settings, rounds, cut, entrants, fewest=self.fewest_players)

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        ties = "wins of the players you beat, game wins, game win percentage, the organiser, then the draw"
        rounds, cut = said_or_table(settings, entrants)
        return words.in_short(settings, rounds, cut, entrants, unit=self.unit[1], ties=ties)

    def bye(self, history: History, players: Sequence[Name]) -> Bye:
        """Return the smallest draw among the fewest wins of those with the fewest byes."""
        records = history.records
        wins = Key("wins", lambda name: records[name].wins)
        return drawn_bye(history.pairing_draw, players, byes_so_far(records), wins)

    def organisers_order(self, history: History) -> tuple[Key, ...]:
        """Return the key of the newest order the organiser has decided; players it doesn't name come last."""
        decided = _decided(history)
        return (Key("place decided", lambda name: 1 - decided.get(name, -len(decided))),) if decided else ()

    def equals(self, season: Season) -> tuple[tuple[Name, ...], ...]:
        """Return the groups equal in wins and all three tie-breaks, as they stand, best first."""
        rows = self.table(self.before_finals(season))
        groups = groupby(rows, key=lambda row: (row.record.wins, *row.tiebreaks.values()))
        listed = (tuple(row.name for row in group) for _, group in groups)
        return tuple(names for names in listed if len(names) > 1)

    @once
    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant by wins, the three tie-breaks, the organiser's decision, draw."""
        records = history.records
        beaten = beaten_opponents_wins(records)
        percentage = {name: game_win_percentage(record) for name, record in records.items()}
        share, decided = comparable(percentage), _decided(history)
        rows = (
            Row(record=r, tiebreaks=dict(zip(self.tiebreaks, (beaten[n], r.game_wins, percentage[n]), strict=True)))
            for n, r in records.items()
        )
        unnamed = -len(decided)
        return ranked(
            rows,
            lambda r: (r.record.wins, beaten[r.name], r.record.game_wins, share[r.name], decided.get(r.name, unnamed)),
            history.table_draw,
        )


def _decided(history: History) -> Mapping[Name, int]:
    """Return the newest order the organiser has decided, as numbers, the first named greatest."""
    order = newest_order(history.season, history.table_draw.round)
    return {name: -place for place, name in enumerate(order)}


def newest_order(season: Season, last: int) -> tuple[Name, ...]:
    """Return the newest order the organiser has decided up to round `last`; empty where there is none."""
    made = [decision for decision in season.decisions if decision.after_round <= last]
    return sorted(made, key=lambda decision: decision.after_round)[-1].order if made else ()
