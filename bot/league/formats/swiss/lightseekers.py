"""Lightseekers Swiss: at least five players, tie-breaks, the organiser's order, the bye.

See docs/formats/lightseekers-swiss.md.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
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
    games_of,
)
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats.shared.base import Rule
from bot.league.formats.swiss import Swiss, said_or_table, words
from bot.league.pairing.drawn_byes import byes_so_far, drawn_bye
from bot.league.pairing.proposal import Bye, Proposal
from bot.league.pairing.reasons import Key
from bot.league.season.choices import Game
from bot.league.season.model import Name, Season
from bot.league.season.settings import SeasonSettings


class LightseekersSwiss(Swiss):
    """Wins, wins of the players beaten, game wins, game win percentage, the organiser (Lightseekers, 1v1 Events)."""

    key = "lightseekers-swiss"
    title = "Lightseekers Swiss"
    sentence = "everyone plays every round, best of three; in larger fields the best play finals"
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
        names = self.named_tiebreaks.values()
        return words.lightseekers(settings, rounds, cut, entrants, fewest=self.fewest_players, tiebreaks=names)

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        ties = "It goes by wins of the players you beat, then games won. Then an organiser or the lot decides."
        rounds, cut = said_or_table(settings, entrants)
        return words.in_short(settings, rounds, cut, entrants, unit=self.unit[1], ties=ties)

    def bye(self, history: History, players: Sequence[Name]) -> Bye:
        """Return the smallest draw among the fewest wins of those with the fewest byes."""
        records = history.records
        wins = Key("wins", lambda name: records[name].wins)
        return drawn_bye(history.pairing_draw, players, byes_so_far(records), wins)

    def organisers_order(self, history: History) -> tuple[Key, ...]:
        """Return the key of the orders of the organiser that count."""
        places = self._places_decided(history)
        return (Key("place decided", lambda name: places.get(name, "none")),) if places else ()

    def equals(self, history: History) -> tuple[tuple[Name, ...], ...]:
        """Return the groups equal in wins and all three tie-breaks, as they stand, best first."""
        group_of = self._groups(history)
        groups = groupby((row.name for row in self.table(history)), key=group_of.__getitem__)
        listed = (tuple(names) for _, names in groups)
        return tuple(names for names in listed if len(names) > 1)

    def counting_decisions(self, season: Season) -> frozenset[int]:
        """Return which orders of the organiser count: the newest of each that names exactly one group of equals."""
        return frozenset(self._decided(self.before_finals(season)).values())

    @once
    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant by wins, the three tie-breaks, the organiser's decision, draw."""
        values, places = self._values(history), self._places_decided(history)
        share = comparable({name: percentage for name, (_, _, percentage) in values.items()})
        rows = (
            Row(record=record, tiebreaks=dict(zip(self.tiebreaks, values[name], strict=True)))
            for name, record in history.records.items()
        )

        def key(row: Row) -> tuple[int, ...]:
            beaten, games, _ = values[row.name]
            return row.record.wins, beaten, games, share[row.name], -places.get(row.name, 0)

        return ranked(rows, key, history.table_draw)

    @once
    def _values(self, history: History) -> Mapping[Name, tuple[int, int, Fraction]]:
        """Return everyone's three tie-breaks."""
        records, best_of = history.records, history.season.settings.best_of
        beaten, games = beaten_opponents_wins(records), {name: games_of(records[name], best_of) for name in records}
        return {name: (beaten[name], games[name][0], game_win_percentage(*games[name])) for name in records}

    @once
    def _groups(self, history: History) -> Mapping[Name, frozenset[Name]]:
        """Return everyone's group of equals, themselves included."""
        groups: dict[tuple[int, int, int, Fraction], set[Name]] = {}
        values = self._values(history)
        for name, record in history.records.items():
            groups.setdefault((record.wins, *values[name]), set()).add(name)
        return {name: group for group in map(frozenset, groups.values()) for name in group}

    def _decided(self, history: History) -> Mapping[frozenset[Name], int]:
        """Return the number of the decision that counts for each group that has one: the newest, the later in turn."""
        group_of, last = self._groups(history), history.table_draw.round
        in_order = sorted(enumerate(history.season.decisions), key=lambda decision: decision[1].after_round)
        return {
            group: number
            for number, decision in in_order
            if decision.after_round <= last and len(group := frozenset(decision.order)) > 1
            if group_of.get(decision.order[0]) == group
        }

    @once
    def _places_decided(self, history: History) -> Mapping[Name, int]:
        """Return the places within their groups that decisions give players, from 1 on."""
        orders = (history.season.decisions[number].order for number in self._decided(history).values())
        return {name: place for order in orders for place, name in enumerate(order, start=1)}
