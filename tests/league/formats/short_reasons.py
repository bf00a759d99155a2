"""Reads each short reason of a round against the round: whoever is called left, met, lowest or unbeaten has to be so.

`python -m tests.league.formats.short_reasons FORMAT ROUNDS` reads so many rounds and counts what isn't so.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from typing import Any, cast

import networkx as nx

from bot.league.bracket.tree import Duel, duels
from bot.league.counting.draw import Purpose
from bot.league.counting.meetings import after_past, meetings_before, with_kept_apart
from bot.league.formats import by_key
from bot.league.formats.ohs.tiers import Orders, was_paired_up
from bot.league.pairing.in_short import told_to
from bot.league.pairing.proposal import Bye, Pair, Proposal
from bot.league.pairing.retelling import Retelling
from bot.league.pairing.tier_opponent import TierOpponents
from bot.league.season.choices import ByeAmong
from bot.league.season.model import Entrant, Name, Season, Stage
from bot.services.play.prepared import prepared
from tests.league.builders import by_chance, names, play_season, season, until
from tests.league.formats.test_ohs_reference import past
from tests.league.pairing.literal_pairing import Literal, Stuck, walked_list, walked_tier
from tests.league.turmoil import Turmoil

NAME = r"(?:p\d\d|late\d+)"
SOME = rf"((?:{NAME}(?:, | and | or )?)+)"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
PAST = {"": 2, " this season": 0, " this season or the one before": 1, " this season or in the two before": 2}
"""How many earlier seasons a sentence is about; without a word on it, the league had none."""


def many(text: str) -> list[Name]:
    return [Name(name) for name in re.findall(NAME, text)]


def number(text: str) -> int:
    return NUMBERS.index(text) if text in NUMBERS else int(text)


@dataclass(frozen=True)
class List:
    """One list as it was paired: its pairs in order, and a slow walk of its own to the same pairs."""

    pairs: tuple[tuple[Name, Name], ...]
    walk: Literal
    order: tuple[Name, ...]
    ranking: tuple[Name, ...]

    def left_at(self, pair: tuple[Name, Name]) -> list[Name]:
        earlier = {name for other in self.pairs[: self.pairs.index(pair)] for name in other}
        return [name for name in self.order if name not in earlier]

    def opponent(self, name: Name) -> Name:
        return next(other for pair in self.pairs if name in pair for other in pair if other != name)

    @property
    def rematches(self) -> int:
        return sum(self.walk.met(*pair) for pair in self.pairs)


def list_of(retelling: Retelling) -> List:
    """Return the list behind the reasons of a pair."""
    names_of, choices, met = retelling.roster.names, retelling.choices, retelling.roster.met
    ranking = tuple(names_of[at] for at in reversed(choices.by_height)) if isinstance(choices, TierOpponents) else ()
    return walked(names_of, ranking, frozenset(frozenset((a, b)) for a in names_of for b in met.of(a) if b in names_of))


def walked(order: Sequence[Name], ranking: Sequence[Name], forbidden: frozenset[frozenset[Name]]) -> List:
    walk = walked_tier(order, ranking, forbidden) if ranking else walked_list(order, forbidden)
    return List(tuple(walk.pairs), walk, tuple(order), tuple(ranking))


@dataclass(frozen=True)
class Reading:
    """What was decided of one pair or bye, and what the season was like before the round."""

    before: Season
    proposal: Proposal
    decided: Pair | Bye

    @cached_property
    def both(self) -> tuple[Name, ...]:
        return (self.decided.name,) if isinstance(self.decided, Bye) else self.decided.players

    @cached_property
    def history(self) -> Any:
        format_ = by_key(self.before.format)
        return cast(Any, format_).before_finals(self.before)

    @cached_property
    def records(self) -> Any:
        return self.history.records

    @cached_property
    def paired_list(self) -> List:
        """The list the pair was set in."""
        assert isinstance(self.decided, Pair)
        if isinstance(self.decided.why, partial):
            return list_of(self.decided.why.func.__self__)  # func is a method
        return next(layer for layer in self.layers() if self.both[0] in layer.order)

    def layers(self) -> Iterator[List]:
        if self.before.format == "single-elimination":
            players = [name for pair in self.proposal.pairs for name in pair.players]
            yield walked(self.history.pairing_draw.sort(Purpose.ORDER, players), (), frozenset())
            return
        seeds = cast(Any, by_key("ohs")).finalists_now(self.before)
        size = 1 << (len(seeds) - 1).bit_length()
        byes = size - len(seeds)
        met = with_kept_apart(meetings_before(self.before, self.proposal.number), self.before, self.proposal.number)
        orders = Orders(self.history, self.history.table_draw)
        for layer in (seeds[byes:], seeds[size // 2 - byes : byes]):
            forbidden = frozenset(frozenset((a, b)) for a in layer for b in met.of(a))
            yield walked(layer, orders.by_ranking(layer), forbidden)

    def met(self, one: Name, other: Name, within: str = "") -> bool:
        met = after_past(meetings_before(self.before, self.proposal.number), self.before, PAST[within])
        if not within:
            assert not self.before.past
        return met.between(one, other) is not None

    def met_in(self, one: Name, other: Name, when: str) -> bool:
        met = after_past(meetings_before(self.before, self.proposal.number), self.before, 2).between(one, other)
        assert met is not None
        told = f"round {met.round}" if met.season == self.before.number else f"season {met.season}"
        return when.removeprefix("in ") in (told, f"{told}, round {met.round}")

    def avoided(self, one: Name, other: Name) -> bool:
        return self.paired_list.walk.met(one, other)

    def in_group(self, group: str, players: Sequence[Name]) -> list[Name]:
        """Return those of some players who are of a group by their records."""
        if group in ("this round", "the group with no bye", "the group with one bye"):
            return [*players]
        if group in ("the unbeaten group", "unbeaten players"):
            return [name for name in players if not self.records[name].losses]
        amounts = re.findall(r"(\d+) (loss|point|win)", group)
        assert amounts, group
        of = {"loss": "losses", "point": "points", "win": "wins"}
        return [name for name in players if any(getattr(self.records[name], of[unit]) == int(n) for n, unit in amounts)]

    # -- the sentences -------------------------------------------------------------------------------------------------

    def records_of_both(self, record: str) -> None:
        assert {score(self.records[name]) for name in self.both} == {plain(record)}

    def record_of_each(self, one: str, record: str, other: str, theirs: str) -> None:
        assert [score(self.records[name]) for name in (one, other)] == [plain(record), plain(theirs)]

    def put_in_order(self, amount: str) -> None:
        order = self.paired_list.order
        assert number(amount) == len(order)
        assert [*order] == self.history.pairing_draw.sort(Purpose.ORDER, order)

    def last_two(self, one: str, other: str, had: str) -> None:
        assert {*self.paired_list.left_at(cast(Any, self.both))} == {one, other} == {*self.both}
        assert self.avoided(*self.both) == bool(had)
        assert not had or self.met(*self.both, self.past)

    @property
    def past(self) -> str:
        return " this season or in the two before" if self.before.past else ""

    def next_one(self, order: str, one: str, which: str, other: str) -> None:
        a, b = Name(one), Name(other)
        left = self.paired_list.left_at((a, b))
        assert left[0] == a
        if order == "In the order of the draw":
            draw = self.history.pairing_draw
            assert left == draw.sort(Purpose.ORDER, left)
        skipped = left[1 : left.index(b)]
        assert bool(skipped) == bool(which)
        assert all(self.avoided(a, name) for name in skipped)
        self.is_new(a, b, which)

    def is_new(self, one: Name, other: Name, which: str) -> None:
        assert not self.avoided(one, other)
        if "hadn't met" in (which or ""):
            within = re.search(r"hadn't met([a-z ]*)", which)
            assert within is not None
            assert not self.met(one, other, within[1])

    def lowest(self, rule: str, one: str, which: str, other: str) -> None:
        a, b = Name(one), Name(other)
        left = self.paired_list.left_at((a, b))
        below = [name for name in reversed(self.paired_list.ranking) if name in left and name != a]
        skipped = below[: below.index(b)]
        assert left[0] == a
        if which == " left":
            assert not skipped
            return
        self.is_new(a, b, which)
        new = [name for name in skipped if not self.avoided(a, name)]
        refusing = [name for name in left[1:] if not self.avoided(a, name) and self.can_refuse(a, name, left)]
        if rule:
            assert {*refusing} == {name for name in left[1:] if not self.avoided(a, name)}
            assert not new
        elif "refuse" in which:
            assert new
            assert {*new} <= {*refusing}
            assert b not in refusing
        else:
            assert not new
            assert b not in refusing

    def can_refuse(self, one: Name, other: Name, left: list[Name]) -> bool:
        half = len(left) // 2
        if other not in left[:half]:
            return False
        worst_first = [*reversed(self.paired_list.ranking)]
        third = sorted(left[half:], key=worst_first.index)[left.index(other)]
        return worst_first.index(third) < worst_first.index(one)

    @property
    def stuck(self) -> Stuck:
        return next(stuck for name, stuck in self.paired_list.walk.stuck.items() if name in self.both)

    def only_left(self, one: str, had: str, who: str, rest: str = "") -> None:
        self.left_for(self.paired_list.walk.stuck[Name(one)], Name(one), had, who)

    def left_for(self, stuck: Stuck, one: Name, had: str, who: str) -> None:
        if match := re.fullmatch(r"all (\w+) players left", who):
            assert len(stuck.left) == number(match[1])
        else:
            assert {*many(who)} == {*stuck.left}
            assert who.endswith("the only one left" if len(stuck.left) == 1 else "the only ones left")
        assert all(self.avoided(one, name) for name in stuck.left)
        met = [self.met(one, name, self.past) for name in stuck.left]
        assert ("had met" in had, "kept apart" in had) == (any(met), not all(met))

    def apart(self, pairs: str, got: str) -> None:
        stuck = self.stuck
        gone = [pair for pair in stuck.undone if self.paired_list.opponent(pair[0]) != pair[1]]
        told = [tuple(many(pair)) for pair in pairs.split(", and ")]
        assert {frozenset(pair) for pair in told} == {frozenset(pair) for pair in gone}
        self.who_got(got, [name for pair in told for name in pair])

    def many_apart(self, amount: str, pair: str, got: str) -> None:
        stuck = self.stuck
        gone = [{*pair} for pair in stuck.undone if self.paired_list.opponent(pair[0]) != pair[1]]
        assert len(gone) == number(amount)
        assert {*many(pair)} in gone
        self.who_got(got, many(pair))

    def who_got(self, got: str, told: Sequence[Name]) -> None:
        pairs = [many(each) for each in re.split(r", | and ", got)]
        assert all(self.paired_list.opponent(one) == other for one, other in pairs)
        assert {*told, *self.both} <= {name for pair in pairs for name in pair}
        assert {*pairs[0]} == {*self.both}

    def got_first(self, one: str, other: str, which: str) -> None:
        stuck = self.paired_list.walk.stuck[Name(one)]
        assert not stuck.undone
        assert {one, other} == {*self.both}
        order = [*reversed(self.paired_list.ranking)] if which == "lowest ranked" else self.paired_list.order
        assert not which or other == next(name for name in order if name in stuck.left)

    def would_cost(self, who: str) -> None:
        assert [*many(who)] == self.stuck.failed

    def many_would_cost(self, amount: str) -> None:
        assert len(self.stuck.failed) == int(amount)

    def was_apart(self, one: str, other: str, third: str, had: str, who: str) -> None:
        stuck = self.paired_list.walk.stuck[Name(third)]
        assert {one, other} in [{*pair} for pair in stuck.undone]
        assert self.paired_list.opponent(Name(one)) != other
        assert len({one, other} & {*self.both}) == 1
        self.left_for(stuck, Name(third), had, who)

    def fewest(self, when: str, group: str) -> None:
        assert self.paired_list.rematches == self.paired_list.walk.fewest
        self.rematch(when, group)

    def rematch(self, when: str, group: str) -> None:
        assert self.avoided(*self.both)
        assert self.met_in(*self.both, when)
        of_it = self.in_group(group, self.paired_list.order)
        joined = self.paired_list.order.__len__() - len(of_it)
        assert joined <= 1, "at most one came from another group"

    def only_ones(self, when: str, group: str) -> None:
        if group in ("the final", "the bracket without a bye"):
            matches = [duel for duel in self.planned() if duel.lower is not None]
            assert len(matches) == 1
            assert (len(self.planned()) > 1) == group.endswith("without a bye")
            assert self.met_in(*self.both, when)
            return
        assert {*self.paired_list.order} == {*self.both}
        self.rematch(when, group)

    def planned(self) -> tuple[Duel, ...]:
        format_ = cast(Any, by_key(self.before.format))
        bracket = format_._bracket(self.history)
        return duels(bracket, lambda name: self.history.is_active(name, at=self.proposal.number))

    def no_exchange(self, when: str) -> None:
        assert self.met_in(*self.both, when)
        matches = [(duel.upper, duel.lower) for duel in self.planned() if duel.lower is not None]
        uppers, lowers = zip(*matches, strict=True)
        assert {*self.both} & {*uppers}
        graph = nx.Graph()
        graph.add_nodes_from(uppers)
        graph.add_edges_from((a, b) for a in uppers for b in lowers if not self.met(a, b, self.past and " this season"))
        most = sum(name in uppers for name in nx.bipartite.maximum_matching(graph, top_nodes=uppers))
        met = sum(pair.rematch for pair in self.proposal.pairs if {*pair.players} & {*uppers})
        assert met == len(uppers) - most

    def joins(self, players: str, one: str) -> None:
        assert isinstance(self.decided, Pair)
        own = self.in_group(players, self.paired_list.order)
        assert len(own) % 2
        (joined,) = {*self.paired_list.order} - {*own}
        assert joined in self.both
        assert self.in_group(one, [joined])

    def draw_between(self, skipped: str, amount: str, which: str, who: str, chosen: str) -> None:
        candidates = [name for name in self.candidates() if name not in many(skipped or "")]
        if who:
            assert {*candidates} == {*many(who)}
        elif not skipped or many(skipped):
            assert len(candidates) == number(amount)
        purpose = Purpose.BYE if isinstance(self.decided, Bye) else Purpose.PAIR_UP
        assert chosen == self.history.pairing_draw.sort(purpose, candidates)[0]
        assert chosen in self.both

    def only_candidate(self, skipped: str, name: str, who: str) -> None:
        assert name in self.both
        assert [name for name in self.candidates() if name not in many(skipped or "")] == [name]

    def highest_ranked(self, chosen: str) -> None:
        assert chosen in self.both
        ranked = Orders(self.history, self.history.pairing_draw).by_ranking(self.candidates())
        assert chosen == ranked[0]

    @cached_property
    def everyone(self) -> list[Name]:
        return [*(n for pair in self.proposal.pairs for n in pair.players), *(bye.name for bye in self.proposal.byes)]

    def candidates(self) -> list[Name]:
        """Return who could have the bye, or be paired up, before rematches are looked at."""
        return self.for_the_bye() if isinstance(self.decided, Bye) else self.to_pair_up()

    def for_the_bye(self) -> list[Name]:
        players, records, format_ = self.everyone, self.records, self.before.format
        byes = {name: records[name].byes for name in players}
        if self.proposal.stage is Stage.TIEBREAK:
            ties = [name for round_ in self.before.rounds if round_.stage is Stage.TIEBREAK for name in round_.byes]
            byes = {name: byes[name] + ties.count(name) for name in players}
        elif format_ == "two-loss-out" and not all(byes.values()):
            most = max(records[name].losses for name in players if not byes[name])
            return [name for name in players if records[name].losses == most and not byes[name]]
        few = [name for name in players if byes[name] == min(byes.values())]
        if format_ == "lightseekers-swiss":
            return [name for name in few if records[name].wins == min(records[other].wins for other in few)]
        if format_ == "ohs" and self.before.settings.bye_among is ByeAmong.LOWEST:
            return [name for name in few if records[name].losses == max(records[other].losses for other in few)]
        return few

    def to_pair_up(self) -> list[Name]:
        records, resting = self.records, {bye.name for bye in self.proposal.byes}
        losses = max(records[name].losses for name in self.both)
        lower = [name for name in self.everyone if records[name].losses == losses and name not in resting]
        if self.before.format != "ohs":
            return lower
        orders = Orders(self.history, self.history.pairing_draw)
        order = orders.by_schedule(lower)
        fresh = [name for name in order if not was_paired_up(records[name], records)]
        half = [name for name in fresh if losses > 1 or name in order[len(order) // 2 :]]
        return half or fresh or order

    def lowest_in_standings(self, chosen: str) -> None:
        rows = [row.name for row in cast(Any, by_key(self.before.format)).table(self.history)]
        fewest = min(self.records[name].byes for name in self.everyone)
        among = [name for name in rows if name in self.everyone and self.records[name].byes == fewest]
        assert chosen == among[-1] == self.both[0]

    def goes_down(self, levels: str, came: str, chosen: str, last: str, later: str, avoided: str) -> None:
        assert chosen in self.both
        assert self.in_group(levels, [Name(chosen)]) or came

    def once_one_list(self, levels: str) -> None:
        assert {*self.in_group(levels, self.paired_list.order)} >= {*self.paired_list.order[1:]}

    def swapped(self, one: str, before: str, when: str, after: str) -> None:
        assert self.met_in(Name(one), Name(before), when)
        assert {one, after} == {*self.both}
        assert {one, before} in [{duel.upper, duel.lower} for duel in self.planned()]

    def changed(self, one: str, other: str, third: str) -> None:
        assert {other, third} == {*self.both}
        assert {one, other} in [{duel.upper, duel.lower} for duel in self.planned()]

    def seeds(self, one: str, seed: str, other: str, theirs: str) -> None:
        slots = [name for duel in self.planned() for name in (duel.upper, duel.lower)]
        assert {one, other} == {*self.both}
        assert int(seed) < int(theirs)
        assert 2 * len([1 for duel in self.planned()]) + 1 == int(seed) + int(theirs), slots

    def left_season(self, name: str) -> None:
        assert not self.history.is_active(Name(name), at=self.proposal.number)

    def rematch_up(self) -> None:
        assert self.avoided(*self.both)
        assert len({self.records[name].losses for name in self.both}) == 2

    def odd(self) -> None:
        assert len(self.everyone) % 2

    def tied(self, players: str, places: str) -> None:
        assert len(self.everyone) == int(players)
        assert len({self.records[name].losses for name in self.everyone}) == 1

    def mixed(self, one: str, before: str, after: str) -> None:
        assert {one, after} == {*self.both}
        losses = [self.records[Name(name)].losses for name in (one, before, after)]
        played = [bool(loss) for loss in losses]
        assert played[0] == played[1] != played[2]

    def fine(self, *_: str) -> None:
        """Nothing in it could be otherwise."""


def score(record: Any) -> str:
    numbers = (record.wins, record.losses, *((record.draws,) if record.draws else ()))
    return "-".join(map(str, numbers))


def plain(record: str) -> str:
    return "-".join(re.findall(r"\d+", record))


ORDERS = "In the order of the draw|By group and then the draw|By ranking"
HAD = r"(had met|had to be kept apart from|had met or had to be kept apart from)"
WHO = rf"((?:{NAME}(?:, | and )?)+, the only ones? left|all \w+ players left)"
GROUP = r"((?:the|this) .*?)"
WHEN = r"(in round \d+|in season \d+(?:, round \d+)?)"
FIRST = rf"(?: First in the draw came {SOME}, but (?:that would have led to more rematches|had met everyone there)\.)?"
JOINED = r"The (.*?) were an odd number, so one player (with \d+ loss(?:es)?) joined them\."
SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"Both were (\S+)\.", Reading.records_of_both),
    (rf"({NAME}) had (\S+), ({NAME}) had (\S+)\.", Reading.record_of_each),
    (r"The draw put all (\w+) players in an order\.", Reading.put_in_order),
    (rf"({NAME}) and ({NAME}) were the last two left(, and had met|, and had to be kept apart)?\.", Reading.last_two),
    (
        rf"(?:({ORDERS}), )?({NAME}) came first of the players left and got the next one( they [a-z' ]*)?: ({NAME})\.",
        Reading.next_one,
    ),
    (
        rf"(Everyone {NAME} could still get had the right to refuse, so that right didn't count\. |)"
        rf"(?:By how strong their opponents were, |By seed, )?({NAME}) (?:came first and )?got the lowest ranked player"
        rf"( left| they [a-z', ]*): ({NAME})\.",
        Reading.lowest,
    ),
    (rf"({NAME}) {HAD} {WHO}\.", Reading.only_left),
    (
        rf"So ({NAME} and {NAME}(?:, and {NAME} and {NAME})*), already paired, were taken apart: ([^.]*)\.",
        Reading.apart,
    ),
    (rf"So (\w+) pairs were taken apart, ({NAME} and {NAME}) among them: ([^.]*)\.", Reading.many_apart),
    (rf"({NAME}) got ({NAME})(?:, the (first|lowest ranked) of them)?\.", Reading.got_first),
    (rf"Taking {SOME} would have led to more rematches\.", Reading.would_cost),
    (r"Each of (\d+) others would have led to more rematches\.", Reading.many_would_cost),
    (
        rf"({NAME}) and ({NAME}) were paired first, but taken apart for ({NAME}), who {HAD} {WHO}\.",
        Reading.was_apart,
    ),
    (rf"{NAME} and {NAME} met {WHEN}, but no pairing of {GROUP} has fewer rematches\.", Reading.fewest),
    (rf"{NAME} and {NAME} met {WHEN}, but were the only ones in {GROUP}\.", Reading.only_ones),
    (
        rf"{NAME} and {NAME} met {WHEN}, but no exchange of lower players in this round has fewer rematches\.",
        Reading.no_exchange,
    ),
    (JOINED, Reading.joins),
    (
        rf"{FIRST} ?The draw was between (?:(\d+) players ?([a-z0-9, ]*)|{SOME}), and picked ({NAME})\.",
        Reading.draw_between,
    ),
    (rf"{FIRST} ?({NAME}) was the only one (.*)\.", Reading.only_candidate),
    (rf"It was the highest ranked (?:not|there).*: ({NAME})\.", Reading.highest_ranked),
    (
        r"Who joins a group is chosen before opponents are; the rules don't look at rematches there\.",
        Reading.rematch_up,
    ),
    (r"The number of players was odd, so one had a bye\.", Reading.odd),
    (
        rf"The number of players was odd, so one had a bye: of those with the fewest byes, the lowest in the "
        rf"standings\. That was ({NAME})\.",
        Reading.lowest_in_standings,
    ),
    (
        rf"The (players with .*?)(, with the one who came down to them,)? were an odd number, so one had to play "
        rf"a group lower: ({NAME})(, the last in their order)?\."
        r"(?: Later in their order came (.*), but without (?:them|any of them) "
        r"the others would need (a rematch)\.)?",
        Reading.goes_down,
    ),
    (
        r"(Players with .*) were paired as one list, because group by group they would have had a rematch\.",
        Reading.once_one_list,
    ),
    (
        rf"The bracket had ({NAME}) against ({NAME}), but that was a rematch \({WHEN}\)\. So ({NAME}) took the place "
        rf"of {NAME}\.",
        Reading.swapped,
    ),
    (rf"({NAME}) changed places in the bracket to avoid a rematch, so ({NAME}) met ({NAME})\.", Reading.changed),
    (rf"The best seeds meet the worst: ({NAME}) \((\d+)\) and ({NAME}) \((\d+)\)\.", Reading.seeds),
    (rf"In the bracket {NAME} had a bye, because ({NAME}) had left the season\.", Reading.left_season),
    (rf"In the bracket {NAME} had a bye, because the slot opposite was empty\.", Reading.fine),
    (rf"The bracket brings {NAME} and {NAME} together\.", Reading.fine),
    (r"The players with (?:no|one) bye were paired like this and got new seeds\.", Reading.fine),
    (r"A tie-break round: (\d+) players were tied for (\w+) places? in the finals\.", Reading.tied),
    (
        rf"The bracket had ({NAME}) against ({NAME})\. Undefeated .* so ({NAME}) took the place of {NAME}\.",
        Reading.mixed,
    ),
    (rf"{NAME} and {NAME} lost their semi-finals, so they play for third place\.", Reading.fine),
    (rf"Third place went to {NAME}, because .*\.", Reading.fine),
)
"""How each sentence begins and ends, and what reads it; several can stand in one line."""


def read(reading: Reading, line: str) -> None:
    """Read all sentences of a line; raises AssertionError for one that isn't so, or has no reader."""
    rest = line
    while rest:
        for form, check in SENTENCES:
            match = re.match(rf"{form}(?: |$)", rest)
            if match:
                check(reading, *match.groups())
                rest = rest[match.end() :]
                break
        else:
            raise AssertionError(f"no reader for: {rest}")


def told(before: Season, proposal: Proposal) -> Iterator[tuple[Reading, str]]:
    """Yield each line of the short reasons of a round, with what reads it."""
    made = prepared(before, proposal)
    decided = [*(match.decided for match in made.matches), *(decided for _, decided in made.byes)]
    for what, why in zip((*proposal.pairs, *proposal.byes), decided, strict=True):
        reading = Reading(before, proposal, what)
        for line in told_to(why.in_short, (), None).split("\n"):
            yield reading, line


def rounds(format_key: str, seed: int) -> Iterator[tuple[Season, Proposal]]:
    """Yield the rounds of a season by chance, each with the season before it."""
    format_ = by_key(format_key)
    players = 4 + seed % 14
    wanted = {"rounds": 2 + seed % 5, "bye_among": ("all", "lowest")[seed % 2], "third_place": seed % 3 == 0}
    settings = {key: value for key, value in wanted.items() if key in format_.own_settings}
    entrants = [Entrant(name=name, seed=1 + at) for at, name in enumerate(names(max(players, format_.fewest_players)))]
    start = season(format_, entrants, **settings)
    if seed % 2:
        start = replace(start, past=past(players, seed))
    result = play_season(start, by_chance(seed), Turmoil(seed))
    for proposal in result.proposals:
        yield until(result.season, proposal.number), proposal


def main(format_key: str, most: int) -> int:
    """Read so many rounds, and print what isn't so."""
    read_so_far, lines, wrong = 0, 0, Counter[str]()
    for seed in count():
        for before, proposal in rounds(format_key, seed):
            read_so_far += 1
            for reading, line in told(before, proposal):
                lines += 1
                try:
                    read(reading, line)
                except (AssertionError, ValueError, KeyError, StopIteration) as problem:
                    wrong[re.sub(NAME, "P", line)] += 1
                    if sum(wrong.values()) < 6:
                        print(seed, proposal.number, line, problem, sep=" | ")
        if read_so_far >= most:
            break
    print(f"{format_key}: {read_so_far} rounds, {lines} lines, {sum(wrong.values())} not so")
    for line, times in wrong.most_common(20):
        print(f"  {times} {line}")
    return min(1, len(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
