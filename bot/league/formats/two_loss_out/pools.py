"""Pairing by pools of equal losses, with one bye and pair-ups from below (docs/formats/two-loss-out.md)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.formats.two_loss_out.elimination import DOCUMENTED_LOSSES
from bot.league.pairing import fewest_rematches, fewest_with, fewest_without, pair_list
from bot.league.pairing.drawn_byes import (
    byes_so_far,
    costing_more,
    drawn_bye,
    leading_to_more,
    skipped_in_draw,
    with_the_fewest,
)
from bot.league.pairing.proposal import Bye, Pair
from bot.league.pairing.reasons import Reason, by_draw, smallest_draw
from bot.league.season.in_words import group_of_losses, one_joins
from bot.league.season.model import Name

_LABELS = {0: "Undefeated", 1: "One-Loss"}


@dataclass(slots=True, kw_only=True)
class Pool:
    """Players of equal losses, and why those paired up into it were."""

    losses: int
    names: list[Name]
    paired_up: dict[Name, tuple[Reason, ...]] = field(default_factory=dict[Name, tuple[Reason, ...]])

    @property
    def label(self) -> str:
        """What the document calls it."""
        return _LABELS.get(self.losses, f"{self.losses}-Loss")


def pools_by_losses(names: Iterable[Name], history: History) -> list[Pool]:
    """Return the pools, fewest losses first."""
    grouped: dict[int, list[Name]] = {}
    for name in names:
        grouped.setdefault(history.records[name].losses, []).append(name)
    return [Pool(losses=losses, names=grouped[losses]) for losses in sorted(grouped)]


def take_bye(pools: Sequence[Pool], history: History) -> Bye:
    """Take one player out for the bye: from the lowest pool where someone has had none, else among the fewest.

    Where nobody is to meet again if that can be avoided, it's the first by the draw that allows the fewest rematches,
    with the best pair-up for it.
    """
    records, draw = history.records, history.pairing_draw
    lowest = next((pool for pool in reversed(pools) if any(not records[name].byes for name in pool.names)), None)
    asked = lowest.names if lowest else [name for pool in pools for name in pool.names]
    where = f"of {group_of_losses(lowest.losses)}, the lowest with anyone who has had no bye" if lowest else ""
    byes, met, skipped = byes_so_far(records), history.meetings(), list[Name]()
    if avoids_rematches(history):
        drawn = draw.sort(Purpose.BYE, with_the_fewest(asked, byes))
        chosen = fewest_first(drawn, lambda name: min(_rematches(_without(pools, name), met).values()))
        skipped = drawn[: drawn.index(chosen)]
    bye = drawn_bye(draw, asked, byes, where=where, skipped=skipped, fewer=met.all_avoided)
    for pool in pools:
        pool.names = [name for name in pool.names if name != bye.name]
    return bye


def avoids_rematches(history: History) -> bool:
    """Whether bye and pair-up are chosen so that nobody meets again: the document says so, of two losses."""
    return history.season.settings.losses == DOCUMENTED_LOSSES and history.number > 1


def fewest_first(names: Sequence[Name], rematches: Callable[[Name], int]) -> Name:
    """Return the first of these names with the fewest rematches."""
    best, fewest = names[0], rematches(names[0])
    for name in names[1:]:
        if not fewest:
            break
        needed = rematches(name)
        if needed < fewest:
            best, fewest = name, needed
    return best


def _without(pools: Sequence[Pool], name: Name) -> list[list[Name]]:
    return [[member for member in pool.names if member != name] for pool in pools]


def _rematches(pools: Sequence[Sequence[Name]], met: Meetings) -> Mapping[Name | None, int]:
    """Return the fewest rematches of all pools together, by who is paired up into the first, or None where nobody is.

    At most the first two have an odd number.
    """
    upper, *others = pools
    if len(upper) % 2 == 0:
        return {None: sum(fewest_rematches(pool, met) for pool in pools)}
    lower, *rest = [pool for pool in others if pool]
    in_rest = sum(fewest_rematches(pool, met) for pool in rest)
    joined, left = fewest_with(upper, lower, met), fewest_without(lower, met)
    return {name: joined[name] + left[name] + in_rest for name in lower}


def pair_pools(pools: Sequence[Pool], history: History) -> tuple[Pair, ...]:
    """Return the pairs of an even number of players: pair-ups from the top down, then every pool by `draw(order)`."""
    met, draw = history.meetings(), history.pairing_draw
    for position, pool in enumerate(pools):
        if len(pool.names) % 2:
            lower = next(lower for lower in pools[position + 1 :] if lower.names)
            if avoids_rematches(history):
                _pair_up_for_fewest(pools[position:], pool, lower, met, draw)
            else:
                _pair_up(pool, lower, met, draw)
    return tuple(pair for pool in pools for pair in _pairs(pool, met, draw))


def _pair_up_for_fewest(pools: Sequence[Pool], pool: Pool, lower: Pool, met: Meetings, draw: Draw) -> None:
    """Pair up the first by the draw that lets all pools together need the fewest rematches."""
    drawn = draw.sort(Purpose.PAIR_UP, lower.names)
    needed = _rematches([drawn_pool.names for drawn_pool in pools], met)
    skipped = drawn[: drawn.index(fewest_first(drawn, needed.__getitem__))]
    fewer = met.all_avoided
    _join(pool, lower, drawn, skipped, draw, why_not=costing_more(fewer), short=leading_to_more(fewer))


def _pair_up(pool: Pool, lower: Pool, met: Meetings, draw: Draw) -> None:
    drawn = draw.sort(Purpose.PAIR_UP, lower.names)
    chosen = next(
        (candidate for candidate in drawn if any(met.between(candidate, other) is None for other in pool.names)),
        drawn[0],
    )
    met_all = drawn[: drawn.index(chosen)]
    meetings = [met.between(name, other) for name in met_all for other in pool.names]
    apart = " or are kept apart from them" if any(meeting and meeting.kept_apart for meeting in meetings) else ""
    short = "could meet no one there" if apart else "had met everyone there"
    _join(pool, lower, drawn, met_all, draw, why_not=f"who have met everyone there{apart}", short=short)


def _join(
    pool: Pool,
    lower: Pool,
    drawn: Sequence[Name],
    skipped: Sequence[Name],
    draw: Draw,
    *,
    why_not: str,
    short: str,
) -> None:
    """Pair the first of the drawn up who isn't skipped; `why_not` is why the others are, and so is `short`."""
    among = drawn[len(skipped) :]
    chosen = among[0]
    why = Reason(f"Skipped for {pool.label}: {', '.join(skipped)}, {why_not}.")
    what = f"of {lower.label} is paired up into {pool.label}"
    odd = (f"={one_joins(pool.losses, lower.losses)}", *skipped_in_draw(skipped, short))
    smallest = smallest_draw(chosen, what, among, "left", draw, Purpose.PAIR_UP, because=odd)
    lower.names = [name for name in lower.names if name != chosen]
    pool.names = [*pool.names, chosen]
    pool.paired_up[chosen] = (why, smallest) if skipped else (smallest,)


def _pairs(pool: Pool, met: Meetings, draw: Draw) -> tuple[Pair, ...]:
    tier = f"Pool {pool.label}"

    def opening(players: tuple[Name, Name]) -> Iterator[Reason]:
        yield from (reason for name in players for reason in pool.paired_up.get(name, ()))
        yield Reason(f"{tier}: {len(pool.names)} players.")

    order = draw.sort(Purpose.ORDER, pool.names)
    return pair_list(
        order, met, (by_draw(draw, Purpose.ORDER),), tier=tier, group=group_of_losses(pool.losses), opening=opening
    )
