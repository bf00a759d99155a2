"""Pairing by score groups, group by group from the top, as both Swiss documents ask (docs/rules.md, 6)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.draw import Draw, Purpose
from bot.league.history import Meetings
from bot.league.matching import fewest_rematches, omissible, pair_list
from bot.league.model import Name
from bot.league.proposal import Pair
from bot.league.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Floated(Reason):
    """A player of an odd group plays in the next one."""

    name: Name
    group: str
    size: int

    def sentence(self) -> str:
        """Return where he comes from and why it was he."""
        return (
            f"{self.name} floats down from the group {self.group}: its {self.size} players are an odd number, "
            f"and he is the last by the draw without whom the others can be paired without a rematch."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged(Reason):
    """Groups that could not be paired on their own are one list."""

    groups: tuple[str, ...]

    def sentence(self) -> str:
        """Return which groups were put together."""
        return f"The groups {', '.join(self.groups)} are paired as one list: apart they could not avoid a rematch."


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Players of equal score by the draw, and how the group is called, for example `3 points`."""

    label: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """One list to pair: groups `first` to `last`, who floated into it, and who floats out of it."""

    first: int
    last: int
    floated: tuple[Name, ...]
    order: tuple[Name, ...]
    floats: Name | None


def score_groups(
    names: Iterable[Name], scores: Mapping[Name, int], draw: Draw, *, unit: tuple[str, str]
) -> tuple[Group, ...]:
    """Return the groups of equal score, best first, each by `draw(order)`; `unit` names the score, one and many."""
    groups: dict[int, list[Name]] = {}
    for name in names:
        groups.setdefault(scores[name], []).append(name)
    return tuple(
        Group(label=f"{score} {unit[score != 1]}", names=tuple(draw.sort(Purpose.ORDER, groups[score])))
        for score in sorted(groups, reverse=True)
    )


def pair_groups(groups: Sequence[Group], met: Meetings) -> tuple[Pair, ...]:
    """Return the pairs of an even number of players, the top group's first."""
    blocks: list[_Block] = []
    start = 0
    while start < len(groups):
        blocks.append(_from_the_top(groups, blocks, start, met))
        start = blocks[-1].last + 1
        if start == len(groups):
            _join_upwards(groups, blocks, met)
    reasons = _floats(groups, blocks)
    return tuple(pair for block in blocks for pair in _pairs(groups, block, reasons, met))


def _from_the_top(groups: Sequence[Group], above: Sequence[_Block], start: int, met: Meetings) -> _Block:
    """Return the smallest block from group `start` on that pairs without a rematch, or all the rest."""
    floated = _floated_into(above)
    for last in range(start, len(groups)):
        block = _block(groups, start, last, floated, met)
        if block is not None:
            return block
    return _unpaired(groups, start, len(groups) - 1, floated)


def _floated_into(above: Sequence[_Block]) -> tuple[Name, ...]:
    return () if not above or above[-1].floats is None else (above[-1].floats,)


def _unpaired(groups: Sequence[Group], first: int, last: int, floated: tuple[Name, ...]) -> _Block:
    order = (*floated, *(name for group in groups[first : last + 1] for name in group.names))
    return _Block(first=first, last=last, floated=floated, order=order, floats=None)


def _block(groups: Sequence[Group], first: int, last: int, floated: tuple[Name, ...], met: Meetings) -> _Block | None:
    """Return the groups as one block if it pairs without a rematch, one player floating out of an odd one."""
    whole = _unpaired(groups, first, last, floated)
    if len(whole.order) % 2 == 0:
        return whole if fewest_rematches(whole.order, met) == 0 else None
    could = omissible(whole.order, met)
    if not could:
        return None
    natives = [name for name in could if name not in floated]
    return replace(whole, floats=(natives or could)[-1])


def _join_upwards(groups: Sequence[Group], blocks: list[_Block], met: Meetings) -> None:
    """Let the lowest block, while it cannot avoid a rematch, join the one above, up to one list of everybody."""
    while len(blocks) > 1 and fewest_rematches(blocks[-1].order, met) > 0:
        blocks.pop()
        above = blocks.pop()
        blocks.append(_unpaired(groups, above.first, len(groups) - 1, above.floated))


def _floats(groups: Sequence[Group], blocks: Sequence[_Block]) -> dict[Name, tuple[Reason, ...]]:
    return {
        block.floats: (Floated(name=block.floats, group=_label(groups, block), size=len(block.order)),)
        for block in blocks
        if block.floats is not None
    }


def _label(groups: Sequence[Group], block: _Block) -> str:
    return " and ".join(group.label for group in groups[block.first : block.last + 1])


def _pairs(
    groups: Sequence[Group], block: _Block, floats: Mapping[Name, tuple[Reason, ...]], met: Meetings
) -> tuple[Pair, ...]:
    order = tuple(name for name in block.order if name != block.floats)
    merged: tuple[Reason, ...] = ()
    if block.first < block.last:
        merged = (Merged(groups=tuple(group.label for group in groups[block.first : block.last + 1])),)
    floated = block.floated
    return tuple(
        replace(
            pair,
            reasons=(*merged, *(r for name in pair.players if name in floated for r in floats[name]), *pair.reasons),
        )
        for pair in pair_list(order, met)
    )
