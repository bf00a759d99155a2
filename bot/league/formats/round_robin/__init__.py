"""Round robin: everyone meets everyone of their group, whatever happens (docs/formats/round-robin.md)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import Any

from bot.league.bracket.tree import Bracket, Duel
from bot.league.counting.draw import Draw, Purpose, draw_of
from bot.league.counting.history import History, once
from bot.league.counting.records import Record
from bot.league.counting.standings import Row
from bot.league.counting.tiebreaks import DIFFERENCE, SCORED, SONNEBORN_BERGER
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats.round_robin import words
from bot.league.formats.round_robin.berger import calendar_of, meeting_reason, rest_reason, resting, season_round
from bot.league.formats.round_robin.everybody import by_places, moved, unmoved
from bot.league.formats.round_robin.filling import Group, divided, filling_keys, filling_order, group_name, groups_of
from bot.league.formats.round_robin.finals_of_groups import across_groups, best_of_alike, entering, finals_size
from bot.league.formats.round_robin.group_table import Tables, ordered
from bot.league.formats.round_robin.lines import Line, lines_of, played_matches, struck_players
from bot.league.formats.round_robin.reachable import Decided, of_groups, of_one_group
from bot.league.formats.round_robin.refused import FEWEST_PLAYERS, field_refusals, planned_rounds, refusals
from bot.league.formats.round_robin.shapes import shape_of
from bot.league.formats.round_robin.to_come import group_to_come
from bot.league.formats.shared.base import Rule
from bot.league.formats.shared.bracketed import require_results
from bot.league.formats.shared.groups import Calendar, GroupTable, LadderPlace, Shape
from bot.league.formats.shared.proven import Enough, NextMatch, Proven, gone
from bot.league.formats.shared.staged import StagedFormat
from bot.league.pairing.proposal import Next, Pair, Proposal
from bot.league.pairing.reasons import Key, Reason, by_draw
from bot.league.season.choices import Grouping, NoShow, Rejoin
from bot.league.season.in_words import capitalised
from bot.league.season.model import Name, Season, Stage
from bot.league.season.scales import WITHOUT_BYES
from bot.league.season.setting_values import Page
from bot.league.season.settings import SETTINGS, SeasonSettings

_POINTS_OF = "Points for a win, draw and loss"


class RoundRobin(StagedFormat):
    """Everyone meets everyone of their group by Berger tables (FIDE Handbook, C.05), then perhaps finals."""

    key = "round-robin"
    title = "Round robin"
    sentence = "everyone meets everyone of their group; then perhaps finals"
    own_settings = (
        "cut",
        "through",
        "meetings",
        "group_size",
        "grouping",
        "schedule",
        "stage_ends",
        "first_match_days",
        "tiebreaks",
        "moves",
        "points",
        "draws",
    )
    defaults = MappingProxyType({"rejoin": Rejoin.NEVER, "late_entry": 1, "no_show": NoShow.FORFEIT})
    offers = MappingProxyType({"rejoin": ("never",), "late_entry": ("1",)})
    unset = MappingProxyType({"cut": "2 of each group, or none with one group or divisions"})
    settings_here = MappingProxyType({"points": replace(SETTINGS["points"], values=WITHOUT_BYES, meaning=_POINTS_OF)})
    pages = MappingProxyType(
        {"scores": Page.MAIN, "schedule": Page.MAIN} | dict.fromkeys(("cut", "no_show"), Page.MORE)
    )
    tiebreaks = (DIFFERENCE, SCORED, SONNEBORN_BERGER)
    fewest_players = FEWEST_PLAYERS
    fixed_rounds = True
    in_groups = True
    all_qualify = False

    @cached_property
    def settings_keys(self) -> tuple[str, ...]:
        """Every key it takes: the next player always goes on for one who leaves before the finals."""
        return tuple(key for key in super().settings_keys if key != "replace")

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings, and fill in the points that are missing; raises Invalid."""
        usual = {"win": 3, "draw": 1, "loss": 0} if given.get("draws") is True else {}
        points = given.get("points", {})
        filled = {**given, "points": {**usual, **points}} if usual and isinstance(points, dict) else given
        settings = replace(super().read_settings(filled), explicit=MappingProxyType(dict(given)))
        if settings.rejoin is not Rejoin.NEVER:
            raise Invalid("no one can come back into a round robin; leave it out, or use never", place="rejoin")
        if settings.late_entry != 1:
            raise Invalid("no one can join a round robin after the start; leave it out, or use 1", place="late_entry")
        if settings.cut == 1:
            raise Invalid("one player doesn't make finals; use 2 or more, or 0 for none", place="cut")
        if settings.cut is not None and settings.through is not None:
            raise Invalid("the finals are set twice; use either cut or through", place="through")
        return settings

    def check(self, season: Season) -> None:
        """Raise Invalid, with its place in a league file, where a season has what a round robin refuses."""
        for place, wrong in refusals(season):
            raise Invalid(wrong, place=place)

    def field_refusals(self, season: Season) -> Iterable[tuple[str, str]]:
        """Return what a round robin can't have of players and groups."""
        return field_refusals(season)

    def shape(self, settings: SeasonSettings, players: int, given: Sequence[int] = ()) -> Shape | None:
        """Return how the groups of so many players would look, some of them `given`."""
        return shape_of(settings, players, given)

    # -- the groups and their rounds -----------------------------------------------------------------------------------

    @once
    def groups(self, history: History) -> tuple[Group, ...]:
        """Return the groups, each in the order of its numbers."""
        return groups_of(history)

    def kept_groups(self, season: Season) -> tuple[Group, ...]:
        """Return the groups, once the first round is there."""
        return self.groups(self.before_finals(season)) if season.rounds else ()

    def history(self, season: Season, *, before: int | None = None, earlier: History | None = None) -> History:
        """Return what happened before a round; sitting out has no effect."""
        return super().history(replace(season, sat_out=()), before=before, earlier=earlier)

    @once
    def regular_rounds(self, history: History) -> int:
        """Return how many rounds the largest group has."""
        return planned_rounds(self.groups(history), history.season.settings.meetings)

    def needs_results(self, history: History) -> bool:
        """Whether every match must have its result: only once all regular rounds are there, which need none."""
        return len(history.season.rounds) >= self.regular_rounds(history)

    def next_round(self, season: Season) -> Next:
        """Return what comes next; one round after the other waits for every result, also of who is back since."""
        history = self.before_finals(season)
        if not season.settings.schedule.open_together:
            require_results(history)
        return self.next_after(history)

    def next_after(self, history: History) -> Next:
        """Return what comes next; raises PairingImpossible for a field no round robin can have."""
        if not history.season.rounds:
            for _, wrong in field_refusals(history.season):
                raise PairingImpossible(capitalised(wrong))
        return super().next_after(history)

    def regular_next(self, history: History) -> Proposal:
        """Return the next round of every group's table."""
        settings, number = history.season.settings, history.number
        pairs = [
            Pair(
                upper=group[upper - 1],
                lower=group[lower - 1],
                tier=self._group_name(history, index),
                why=partial(self._why, history, group, index, (upper, lower)),
            )
            for index, group in enumerate(self.groups(history), start=1)
            for upper, lower in season_round(len(group), settings.meetings, number)
        ]
        return Proposal(number=number, stage=Stage.REGULAR, pairs=tuple(pairs))

    def calendar(self, season: Season) -> Calendar:
        """Return every regular round by groups."""
        return self._calendar(self.before_finals(season))

    @once
    def _calendar(self, history: History) -> Calendar:
        called = [self._group_name(history, number) for number in range(1, len(self.groups(history)) + 1)]
        return calendar_of(self.groups(history), called, history.season.settings.meetings, self.regular_rounds(history))

    def why_resting(self, season: Season, number: int, name: Name) -> tuple[Reason, ...]:
        """Return why a player has no opponent in a regular round; nothing for one who has, or whose group is done."""
        history = self.before_finals(season)
        for index, group in enumerate(self.groups(history), start=1):
            rests = resting(len(group), season.settings.meetings, number)
            if rests is not None and group[rests - 1] == name:
                called = self._group_name(history, index)
                return self._explained(history, group, index, rest_reason(group, called, number, rests, _kept(history)))
        return ()

    def how_grouped(self, season: Season) -> tuple[Reason, ...]:
        """Return step by step how divisions were filled, once the first round is there."""
        history = self.before_finals(season)
        divisions = season.settings.grouping is Grouping.DIVISIONS and season.rounds and not _kept(history)
        return self._how_grouped(history) if divisions else ()

    def _group_name(self, history: History, number: int) -> str:
        """Return what people call a group; nothing where there is one."""
        several = len(self.groups(history)) > 1
        return group_name(number, history.season.settings.grouping) if several else ""

    def _why(self, history: History, group: Group, index: int, numbers: tuple[int, int]) -> tuple[Reason, ...]:
        called = self._group_name(history, index)
        own = meeting_reason(group, called, history.number, numbers, _kept(history))
        return self._explained(history, group, index, own)

    def _explained(self, history: History, group: Group, index: int, own: Reason) -> tuple[Reason, ...]:
        """Return what the table says of a round with how groups and numbers came about."""
        if _kept(history):
            return own, Reason("Groups and numbers are as they were when a player was forgotten.")
        called, drawn = self._group_name(history, index), by_draw(draw_of(history.season, 1), Purpose.ORDER)
        numbers = Reason(f"Numbers in {called} " if called else "Numbers ", group, (drawn,))
        return (*self._how_grouped(history), own, numbers)

    @once
    def _how_grouped(self, history: History) -> tuple[Reason, ...]:
        """Return how several groups were filled."""
        groups, grouping = self.groups(history), history.season.settings.grouping
        if len(groups) < 2:
            return ()
        if grouping is Grouping.GIVEN:
            return (Reason("An organiser chose the groups."),)
        if grouping is Grouping.DIVISIONS:
            return divided(history, [len(group) for group in groups])
        how = "in rows, every second one backwards, " if grouping is Grouping.RATING else ""
        before = f"The {len(groups)} groups are filled {how}"
        return (Reason(before, filling_order(history), filling_keys(history)),)

    # -- the tables ----------------------------------------------------------------------------------------------------

    @once
    def tables(self, history: History) -> Tables:
        """Return the tables of all groups, and everybody's order."""
        groups, settings = self.groups(history), history.season.settings
        opponents = {name: settings.meetings * (len(group) - 1) for group in groups for name in group}
        struck = struck_players(history, opponents, self.regular_rounds(history))
        lines, draw = lines_of(history, opponents, struck), _table_draw(history)
        orders = tuple(ordered(group, lines, struck, settings, draw) for group in groups)
        named = [order.names for order in orders]
        divisions = settings.grouping is Grouping.DIVISIONS
        everybody = chain.from_iterable(named) if divisions else by_places(named, lines, struck, draw)
        return Tables(lines=lines, struck=struck, orders=orders, everybody=tuple(everybody))

    def table(self, history: History) -> tuple[Row, ...]:
        """Return everybody's order; those who left before the start come last, by the draw."""
        tables = self.tables(history)
        absent = [entrant.name for entrant in history.season.entrants if entrant.name not in tables.lines]
        lines = {**tables.lines, **{name: Line(record=Record(name=name)) for name in absent}}
        everyone = [*tables.everybody, *_table_draw(history).sort(Purpose.TIEBREAK, absent)]
        return tuple(Row(record=lines[name].record, tiebreaks=lines[name].tiebreaks) for name in everyone)

    def points(self, record: Record) -> int:
        """Return the points of the season's scale."""
        return record.points

    def places_in_groups(self, history: History) -> Mapping[Name, tuple[int, int]]:
        """Return the group and the place in it of everyone who was there at the start."""
        return self.tables(history).places

    def drawn_places(self, season: Season) -> Mapping[Name, str]:
        """Return the players whose place in their group the draw decided, with its texts."""
        history = self.before_finals(season)
        drawn = [name for order in self.tables(history).orders for name in order.drawn]
        return {name: _table_draw(history).text(Purpose.TIEBREAK, name) for name in drawn}

    def group_tables(self, season: Season) -> tuple[GroupTable, ...]:
        """Return the tables of the groups before the finals, once the first round is there."""
        if not season.rounds:
            return ()
        history = self.before_finals(season)
        tables = self.tables(history)
        return tuple(
            GroupTable(
                number=number,
                called=self._group_name(history, number),
                numbers=self.groups(history)[number - 1],
                order=order.names,
                tied_by=order.tied_by,
                struck=tables.struck.intersection(order.names),
                left=gone(history).intersection(order.names),
                times=season.settings.meetings,
            )
            for number, order in enumerate(tables.orders, start=1)
        )

    def struck_by_leaving(self, season: Season, name: Name) -> tuple[int, int] | None:
        """Return how many of how many matches a player has played whose results leaving now lets count for nobody."""
        history = self.before_finals(season)
        group = next((group for group in self.groups(history) if name in group), ())
        planned, matches = self.regular_rounds(history), season.settings.meetings * (len(group) - 1)
        over = len(history.table_rounds) >= planned and all(round_.finished for round_ in history.table_rounds)
        played = played_matches(history)[name]
        return None if over or not group or 2 * played >= matches else (played, matches)

    # -- the finals, and the next season -------------------------------------------------------------------------------

    def default_cut(self, history: History) -> int:
        """Return how many go on without `cut`: `through` of each group, or of the first division."""
        return finals_size(history.season.settings, len(self.groups(history)))

    def cut_size(self, history: History) -> int:
        """Return how many enter the finals, 0 for none: never more than there are."""
        grouping = history.season.settings.grouping
        return min(self.default_cut(history), len(entering(self.groups(history), grouping)))

    def contenders(self, history: History) -> frozenset[Name]:
        """Return those who play for the season: with divisions the players of the first, else everyone."""
        return frozenset(entering(self.groups(history), history.season.settings.grouping))

    def candidates(self, history: History) -> frozenset[Name]:
        """Return the players who can enter the finals: still here, not struck, with divisions of the first."""
        here = frozenset(self.remaining(history)) - self.tables(history).struck
        return here & self.contenders(history)

    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return what sorts the finalists: place in the group, points and difference per match, the draw."""
        tables = self.tables(history)
        places, draw = tables.places, by_draw(_table_draw(history), Purpose.TIEBREAK)
        if len(tables.orders) == 1 or history.season.settings.grouping is Grouping.DIVISIONS:
            ranks = tables.orders[0].ranks
            return (
                Key("points", lambda name: tables.lines[name].record.points),
                Key("place by tie-breaks", lambda name: ranks[name]),
                draw,
            )
        in_group = Key("place in their group", lambda name: places[name][1])
        points = Key("points per match", lambda name: tables.lines[name].per_match[0])
        difference = Key("difference per match", lambda name: tables.lines[name].per_match[1])
        return in_group, points, difference, draw

    def seed_in_words(self, history: History, name: Name) -> str:
        """Return what a finalist has their seed for among several groups: `the best second of 3 groups`."""
        tables = self.tables(history)
        if len(tables.orders) == 1 or history.season.settings.grouping is Grouping.DIVISIONS:
            return ""
        places = tables.places
        alike = [other for other in tables.everybody if places[other][1] == places[name][1]]
        return best_of_alike(alike.index(name) + 1, places[name][1], len(alike))

    def rearrange_first(self, history: History, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels of the first round: nobody meets someone of their group at once if that can be avoided."""
        groups = self.groups(history)
        if len(groups) < 2 or history.season.settings.grouping is Grouping.DIVISIONS:
            return tuple(planned)
        called = {name: self._group_name(history, at) for at, group in enumerate(groups, start=1) for name in group}
        return across_groups(bracket, planned, called)

    def ladder_places(self, season: Season) -> tuple[LadderPlace, ...]:
        """Return the ladder a season leaves with everyone's place; raises PairingImpossible too early."""
        history = self.before_finals(season)
        if not history.finished or len(history.table_rounds) < self.regular_rounds(history):
            raise PairingImpossible("the regular stage isn't over; the ladder is known once all its results are in")
        tables, settings = self.tables(history), season.settings
        if settings.grouping is not Grouping.DIVISIONS:
            return tuple(unmoved(tables.everybody))
        return tuple(moved([order.names for order in tables.orders], settings.moves))

    # -- what can be told ----------------------------------------------------------------------------------------------

    def endings_known(self, season: Season) -> bool:
        """Whether all endings can be listed: the score of a match can be any, and tables go by it."""
        return False

    def proven(self, history: History) -> Proven:
        """Return who is sure of the finals and who is out of them; without finals, of the first place."""
        return self._decided(history).proven

    def next_matches(self, history: History) -> Mapping[Name, NextMatch]:
        """Return what is known of the next match of those who have one, whatever its score."""
        return self._decided(history).next_matches

    def enough(self, history: History) -> Mapping[Name, Enough]:
        """Return how many more wins always get players through, where that can be proven."""
        return self._decided(history).enough

    @once
    def _decided(self, history: History) -> Decided:
        tables, groups, left = self.tables(history), self.groups(history), gone(history)
        places, divisions = self.cut_size(history) or 1, history.season.settings.grouping is Grouping.DIVISIONS
        to_come = [
            group_to_come(history, group, tables.lines, tables.struck, left, _table_draw(history))
            for group in (groups[:1] if divisions else groups)
        ]
        outlook = of_one_group(to_come[0], places) if len(to_come) == 1 else of_groups(to_come, places)
        others = {name for group in groups[1:] for name in group} if divisions else set[Name]()
        return replace(outlook, proven=Proven(sure=outlook.proven.sure, out=outlook.proven.out | left | others))

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        return words.in_words(settings, entrants)

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        return words.in_short(settings, entrants)


def _table_draw(history: History) -> Draw:
    """Return the draws of tables and of everybody's order: those of round 0."""
    return draw_of(history.season, 0)


def _kept(history: History) -> bool:
    """Whether groups and numbers are as the file says, because a player was forgotten."""
    return history.season.groups is not None
