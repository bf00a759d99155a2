"""Pairing by score groups from the top: who goes down a group, which groups become one list.

See docs/formats/keyforge-swiss.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.meetings import Meetings
from bot.league.pairing import fewest_rematches, last_omissible, pair_list
from bot.league.pairing.in_short import listed, tell
from bot.league.pairing.matching import Matching
from bot.league.pairing.proposal import Pair
from bot.league.pairing.reasons import MOST_NAMED, Key, Reason, by_draw
from bot.league.pairing.roster import Roster
from bot.league.season.in_words import spelled
from bot.league.season.model import Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Players of equal score by the draw, and how the group is called, for example `3 points`."""

    label: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """One list to pair: some groups in a row, after the player who floated into it; `floats` goes on to the next."""

    groups: tuple[Group, ...]
    floated: tuple[Name, ...]
    floats: Name | None = None

    @property
    def order(self) -> tuple[Name, ...]:
        """Everyone, upper players first."""
        return (*self.floated, *(name for group in self.groups for name in group.names))

    @property
    def called(self) -> str:
        """Return `players with 3 points`, or `players with 3 points, 2 points and 1 point`."""
        return f"players with {self.levels}"

    @property
    def group(self) -> str:
        """Return what the list is called in a sentence: `the group with 3 points`."""
        return f"the group{'s' * (len(self.groups) > 1)} with {self.levels}"

    @property
    def levels(self) -> str:
        """Return the points of the groups."""
        *others, last = (group.label for group in self.groups)
        return f"{', '.join(others)} and {last}" if others else last


def score_groups(scores: Mapping[Name, int], draw: Draw, *, unit: tuple[str, str]) -> tuple[Group, ...]:
    """Return the groups of equal score, best first, each by `draw(order)`; `unit` names the score, one and many."""
    groups: dict[int, list[Name]] = {}
    for name, score in scores.items():
        groups.setdefault(score, []).append(name)
    return tuple(
        Group(label=f"{score} {unit[score != 1]}", names=tuple(draw.sort(Purpose.ORDER, groups[score])))
        for score in sorted(groups, reverse=True)
    )


def pair_groups(groups: Sequence[Group], met: Meetings, draw: Draw) -> tuple[Pair, ...]:
    """Return the pairs of an even number of players, the top group's first."""
    blocks: list[_Block] = []
    left, everyone = tuple(groups), Roster([name for group in groups for name in group.names], met)
    while left:
        floats = blocks[-1].floats if blocks else None
        block = _from_the_top(left, () if floats is None else (floats,), everyone)
        blocks.append(block)
        left = left[len(block.groups) :]
    _join_upwards(blocks, everyone)
    uppers = (None, *blocks)
    return tuple(pair for above, block in zip(uppers, blocks, strict=False) for pair in _pairs(above, block, met, draw))


def _from_the_top(groups: tuple[Group, ...], floated: tuple[Name, ...], everyone: Roster) -> _Block:
    """Return the fewest groups from the top that pair without a rematch as one list, or all of them."""
    alone = _on_its_own(_Block(groups=groups[:1], floated=floated), everyone.met)
    if alone is not None:
        return alone
    list_ = _GrowingList(everyone, (*floated, *groups[0].names))
    for size, group in enumerate(groups[1:], start=2):
        list_.enter(group.names)
        if list_.leaves_at_most_one():
            return _Block(groups=groups[:size], floated=floated, floats=list_.last_omissible())
    return _Block(groups=groups, floated=floated)


def _on_its_own(block: _Block, met: Meetings) -> _Block | None:
    """Return a block with the player who floats on; None where it can't avoid a rematch."""
    order = block.order
    if len(order) % 2:
        # The player who floated in stands first, so they float on only if nobody else will do.
        floats = last_omissible(order, met)
        return None if floats is None else replace(block, floats=floats)
    return block if fewest_rematches(order, met) == 0 else None


class _GrowingList:
    """A list that others are joined to, and how many of it are left over without a rematch."""

    def __init__(self, everyone: Roster, names: Iterable[Name]) -> None:
        self._everyone = everyone
        self._matching = Matching(everyone.graph, players=())
        self._left = 0
        """As many are left over at least: each player more can take one away."""
        self.enter(names)

    def enter(self, names: Iterable[Name]) -> None:
        """Let the next players of everyone's order come."""
        players = [self._everyone.position[name] for name in names]
        self._matching.enter(players)
        self._left -= len(players)

    def leaves_at_most_one(self) -> bool:
        """Whether all can be paired without a rematch, but for one of an odd number."""
        if self._left <= 1:
            self._left = self._matching.improve()
        return self._left <= 1

    def last_omissible(self) -> Name | None:
        """Return the last player an odd number can leave out so that the others need no rematch."""
        return self._everyone.names[max(self._matching.dispensable())] if self._matching.single else None


def _join_upwards(blocks: list[_Block], everyone: Roster) -> None:
    """Join the lowest block to the one above while it can't avoid a rematch, up to one list of everyone."""
    if len(blocks) == 1 or fewest_rematches(blocks[-1].order, everyone.met) == 0:
        return
    list_ = _GrowingList(everyone, blocks[-1].order)
    while len(blocks) > 1 and not list_.leaves_at_most_one():
        lowest, above = blocks.pop(), blocks.pop()
        blocks.append(_Block(groups=above.groups + lowest.groups, floated=above.floated))
        list_.enter(name for name in above.order if name not in lowest.floated)


def _pairs(above: _Block | None, block: _Block, met: Meetings, draw: Draw) -> tuple[Pair, ...]:
    """Pair one block, each pair with the reasons why it is out of this list."""
    order, called = block.order, block.called.capitalize()
    merged = f" are one list, because group by group they would have {met.avoided}" if len(block.groups) > 1 else ""

    def opening(players: tuple[Name, Name]) -> Iterator[Reason]:
        short = (
            tell(f"{called} were paired as one list, because group by group they would have had {met.avoided}.")
            if merged
            else ()
        )
        yield Reason(f"{called}{merged}: {len(order)} in all.", short=short)
        if above is not None and above.floats is not None and above.floats in players:
            yield _floated(above, above.floats, draw, met.avoided)

    paired = [name for name in order if name != block.floats]
    return pair_list(paired, met, _keys(block, draw), tier=called, group=block.group, opening=opening)


def _keys(block: _Block, draw: Draw) -> tuple[Key, ...]:
    label = {name: group.label for group in block.groups for name in group.names}
    group = Key("group", lambda name: label.get(name, "floated in"))
    return (*((group,) if len(block.groups) > 1 or block.floated else ()), by_draw(draw, Purpose.ORDER))


def _floated(above: _Block, name: Name, draw: Draw, avoided: str) -> Reason:
    """Say why this player floated: the last in the order that the rest can do without."""
    at, order = above.order.index(name), above.order
    kept = order[at + 1 :]
    but = f" but for {', '.join(kept)}: without them the rest would need {avoided}" if kept else ""
    came = ", with the one who came down to them," if above.floated else ""
    last = "" if kept else ", the last in their order"
    short = tell(f"The {above.called}{came} were an odd number, so one had to play a group lower: {{a}}{last}.", a=name)
    if kept:
        later = listed(kept) if len(kept) <= MOST_NAMED else (f"={spelled(len(kept), 'player')}",)
        without = "them" if len(kept) == 1 else "any of them"
        short += ("= Later in their order came ", *later, f"=, but without {without} the others would need {avoided}.")
    before = f"{name} floats down from the {above.called}, {len(order)} in all: the last in their order, which ends "
    return Reason(before, order[max(at - 1, 0) :], _keys(above, draw), after=f"{but}.", short=short)
