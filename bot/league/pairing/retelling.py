"""Why each pair of a list was set, told when someone asks: the walk is gone through once more, pair by pair."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from bot.league.pairing.certified_walk import Stuck, Walk
from bot.league.pairing.graph import Edge
from bot.league.pairing.in_short import Pieces, listed, tell
from bot.league.pairing.reasons import MOST_NAMED, MOST_TOLD, Reason, forced_rematch, when
from bot.league.season.in_words import and_more, first_few, spelled
from bot.league.season.model import Name

Opening = Callable[[tuple[Name, Name]], Iterable[Reason]]
"""Tells what comes before the reasons of a pair: why these players are in this list."""

_MOST_APART = 2
"""So many pairs that were taken apart are named in short, with where their players went."""


class Left(NamedTuple):
    """The players who were left for a player who may meet none of them."""

    player: int
    others: Sequence[int]


class Retelling:
    """The reasons of all pairs of a finished walk; `group` is what the list is called in a sentence."""

    def __init__(self, walk: Walk, opening: Opening, group: str) -> None:
        self.walk = walk
        self.roster = walk.roster
        self.choices = walk.choices
        self.opening = opening
        self.group = group
        self.left: dict[int, Left] = {}
        """By the players who had nobody to meet, in the order of the pairs."""

    def of(self, number: int) -> tuple[Reason, ...]:
        """Return the reasons of one pair."""
        return self._all[number]

    @cached_property
    def _all(self) -> list[tuple[Reason, ...]]:
        """The reasons of each pair; all are told together, because each begins where the one before ended."""
        self.choices.put_back(self.walk.pairs)
        stuck = self.walk.stuck
        return [tuple(self._of_pair(*pair, stuck.get(number))) for number, pair in enumerate(self.walk.pairs)]

    @cached_property
    def _opponent(self) -> dict[int, int]:
        """The opponent of each player in the end."""
        return {player: other for pair in self.walk.pairs for player, other in (pair, pair[::-1])}

    def _of_pair(self, chooser: int, chosen: int, stuck: Stuck | None) -> Iterator[Reason]:
        names, alone = self.roster.names, len(self.roster) == 2
        yield from self.opening((names[chooser], names[chosen]))
        yield from self._earlier_pairs(chooser, chosen)
        if stuck is None:
            yield from self.choices.why(chooser, chosen)
        elif not alone:
            yield from self._stuck(chooser, chosen, stuck)
        if not self.roster.may_meet(chooser, chosen):
            nothing, alone_in = f"no pairing of {self.group}", self.group if alone else ""
            yield forced_rematch(names[chooser], names[chosen], self.roster.met, nothing, alone_in=alone_in)
        self.choices.take(chooser, chosen)

    def _earlier_pairs(self, chooser: int, chosen: int) -> Iterator[Reason]:
        """Tell the earlier pairs of the two that were taken apart for another player."""
        names, undone_for = self.roster.names, self.walk.undone_for
        for undone in dict.fromkeys((undone_for.get(chooser), undone_for.get(chosen))):
            if undone is None or undone[1] == chooser or set(undone[0]) == {chooser, chosen}:
                continue
            (upper, lower), left = undone[0], self.left[undone[1]]
            both, stuck = {"a": names[upper], "b": names[lower]}, names[left.player]
            had, opponents = self._had_to_avoid(left)
            yield Reason(
                f"{names[upper]} v {names[lower]} was set before, and undone because {stuck} had to avoid everyone "
                f"then left.",
                short=(
                    *tell("{a} and {b} were paired first, but taken apart for {c}, who", **both, c=stuck),
                    *(f"= {had} ", *opponents, "=."),
                ),
            )

    def _stuck(self, chooser: int, chosen: int, stuck: Stuck) -> Iterator[Reason]:
        names = self.roster.names
        left = self.left[chooser] = Left(chooser, self._others_left(chooser, stuck.undone))
        yield self._told_of(left)
        if stuck.undone:
            yield self._undone(chooser, stuck.undone)
        why_not = f": then there would be more {self.roster.met.all_avoided}"
        skipped = self.roster.skipped(chooser, stuck.failed, lambda _: why_not)
        yield from self.choices.why_last_resort(chooser, chosen, skipped)
        yield Reason(
            f"{names[chooser]} takes {names[chosen]}, the first choice that lets everyone else be paired with the "
            f"fewest {self.roster.met.all_avoided}.",
            short=(
                *self._left_for(left, chosen),
                *self._taken_apart(chooser, chosen, stuck.undone),
                *self._got_of_those_left(left, chosen, stuck),
                *self._would_cost_more(stuck.failed),
            ),
        )

    def _others_left(self, chooser: int, undone: Sequence[Edge]) -> list[int]:
        """Return the unpaired before the last pairs were undone: the chooser may meet none of them."""
        paired = {chooser, *(player for pair in undone for player in pair)}
        return [other for other in self.choices if other not in paired]

    def _told_of(self, left: Left) -> Reason:
        names, season = self.roster.names, self.roster.met.season
        meetings = [(other, self.roster.meeting(left.player, other)) for other in left.others[:MOST_TOLD]]
        words = ", ".join(f"{names[other]} ({when(meeting, season)})" for other, meeting in meetings)
        return Reason(
            f"{names[left.player]} had to avoid everyone then left: {words}{and_more(len(left.others) - MOST_TOLD)}."
        )

    def _undone(self, chooser: int, undone: Sequence[Edge]) -> Reason:
        names = self.roster.names
        last_first = [f"{names[upper]} v {names[lower]}" for upper, lower in reversed(undone)]
        return Reason(
            f"For {names[chooser]} the last pairs were undone until everyone could be paired with the fewest "
            f"{self.roster.met.all_avoided}: {first_few(last_first, MOST_TOLD, ', then ')}."
        )

    # -- in short ------------------------------------------------------------------------------------------------------

    def _left_for(self, left: Left, chosen: int) -> Pieces:
        """Tell who was left for a player, who had to avoid them all."""
        chooser, (had, names) = self.roster.names[left.player], self._had_to_avoid(left)
        if list(left.others) == [chosen]:
            pair = {"a": chooser, "b": self.roster.names[chosen]}
            return tell(f"{{a}} and {{b}} were the last two left, and {had.removesuffix(' from')}.", **pair)
        return (*tell(f"{{a}} {had} ", a=chooser), *names, "=.")

    def _had_to_avoid(self, left: Left) -> tuple[str, Pieces]:
        names, size = self.roster.names, len(left.others)
        apart = sum(self.roster.meeting(left.player, other).kept_apart for other in left.others)
        had = " or ".join(("had met",) * (apart < size) + ("had to be kept apart from",) * (apart > 0))
        if size > MOST_NAMED:
            return had, (f"=all {spelled(size, 'player')} left",)
        only = "=, the only one left" if size == 1 else "=, the only ones left"
        return had, (*listed(names[other] for other in left.others), only)

    def _taken_apart(self, chooser: int, chosen: int, undone: Sequence[Edge]) -> Pieces:
        """Tell which of the pairs undone are no more, and the opponents of these players instead."""
        apart = [pair for pair in undone if self._opponent[pair[0]] != pair[1]]
        if not apart:
            return ()
        named = apart if len(apart) <= _MOST_APART else sorted(apart, key=lambda pair: chosen not in pair)[:1]
        names = [tuple(self.roster.names[player] for player in pair) for pair in named]
        pairs = _joined([listed(pair) for pair in names], "=, and ")
        if len(named) == len(apart):
            words = ("= So ", *pairs, "=, already paired, were taken apart: ")
        else:
            words = (f"= So {spelled(len(apart), 'pair')} were taken apart, ", *pairs, "= among them: ")
        now = [(chooser, chosen), *((player, self._opponent[player]) for pair in named for player in pair)]
        first = {frozenset(pair): pair for pair in reversed(now)}
        got = [self._got(*first[pair]) for pair in dict.fromkeys(map(frozenset, now))]
        return (*words, *_joined([*got[:-2], _joined(got[-2:], "= and ")], "=, "), "=.")

    def _got(self, player: int, opponent: int) -> Pieces:
        names = self.roster.names
        return tell("{a} got {b}", a=names[player], b=names[opponent])

    def _got_of_those_left(self, left: Left, chosen: int, stuck: Stuck) -> Pieces:
        """Tell which of several they had to avoid a player got, where taking pairs apart wouldn't have helped."""
        if stuck.undone or len(left.others) == 1:
            return ()
        first = "" if stuck.failed else f", the {self.choices.first_of_several} of them"
        return ("= ", *self._got(left.player, chosen), f"={first}.")

    def _would_cost_more(self, failed: Sequence[int]) -> Pieces:
        """Tell the opponents a player can't get without more rematches."""
        if not failed:
            return ()
        names, more = self.roster.names, f"would have led to more {self.roster.met.all_avoided}."
        if len(failed) > MOST_NAMED:
            return (f"= Each of {len(failed)} others {more}",)
        return ("= Taking ", *listed((names[other] for other in failed), "or"), f"= {more}")


def _joined(parts: Sequence[Pieces], joint: str) -> Pieces:
    first, *others = parts
    return (*first, *(piece for part in others for piece in (joint, *part)))
