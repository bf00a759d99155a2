"""Pairing by pools of equal losses, with one bye and pair-ups from below (docs/rules.md, 5)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.pairing import pair_list
from bot.league.pairing.byes import byes_so_far, drawn_bye
from bot.league.pairing.proposal import Bye, Pair
from bot.league.pairing.reasons import Reason, by_draw, smallest_draw
from bot.league.season.model import Name


@dataclass(slots=True, kw_only=True)
class Pool:
    """Players of equal losses, and why those paired up into it were."""

    label: str
    names: list[Name]
    paired_up: dict[Name, tuple[Reason, ...]] = field(default_factory=dict[Name, tuple[Reason, ...]])


def pools_by_losses(names: Iterable[Name], history: History) -> list[Pool]:
    """Return the pools, fewest losses first."""
    grouped: dict[int, list[Name]] = {}
    for name in names:
        grouped.setdefault(history.records[name].losses, []).append(name)
    labels = {0: "Undefeated", 1: "One-Loss"}
    return [Pool(label=labels.get(losses, f"{losses}-Loss"), names=grouped[losses]) for losses in sorted(grouped)]


def take_bye(pools: Sequence[Pool], history: History) -> Bye:
    """Take one player out for the bye: from the lowest pool where someone has had none, else among the fewest."""
    records = history.records
    lowest = next((pool for pool in reversed(pools) if any(not records[name].byes for name in pool.names)), None)
    asked = lowest.names if lowest else [name for pool in pools for name in pool.names]
    where = f"of {lowest.label}, the lowest pool with anyone who has had no bye" if lowest else ""
    bye = drawn_bye(history.pairing_draw, asked, byes_so_far(records), where=where)
    for pool in pools:
        pool.names = [name for name in pool.names if name != bye.name]
    return bye


def pair_pools(pools: Sequence[Pool], met: Meetings, draw: Draw) -> tuple[Pair, ...]:
    """Return the pairs of an even number of players: pair-ups from the top down, then every pool by `draw(order)`."""
    for position, pool in enumerate(pools):
        if len(pool.names) % 2:
            _pair_up(pool, next(lower for lower in pools[position + 1 :] if lower.names), met, draw)
    return tuple(pair for pool in pools for pair in _pairs(pool, met, draw))


def _pair_up(pool: Pool, lower: Pool, met: Meetings, draw: Draw) -> None:
    drawn = draw.sort(Purpose.PAIR_UP, lower.names)
    chosen = next((one for one in drawn if any(met.between(one, other) is None for other in pool.names)), drawn[0])
    met_all, among = drawn[: drawn.index(chosen)], drawn[drawn.index(chosen) :]
    meetings = [met.between(one, other) for one in met_all for other in pool.names]
    apart = " or are kept apart from them" if any(one and one.kept_apart for one in meetings) else ""
    skipped = Reason(f"Skipped for {pool.label}: {', '.join(met_all)}, who have met everyone there{apart}.")
    what = f"of {lower.label} is paired up into {pool.label}"
    odd = f"Pool {pool.label} had an odd number, so one player of {lower.label} joined it."
    smallest = smallest_draw(chosen, what, among, "left", draw, Purpose.PAIR_UP, because=odd)
    lower.names = [name for name in lower.names if name != chosen]
    pool.names = [*pool.names, chosen]
    pool.paired_up[chosen] = (skipped, smallest) if met_all else (smallest,)


def _pairs(pool: Pool, met: Meetings, draw: Draw) -> tuple[Pair, ...]:
    tier = f"Pool {pool.label}"

    def opening(players: tuple[Name, Name]) -> Iterator[Reason]:
        yield from (reason for name in players for reason in pool.paired_up.get(name, ()))
        yield Reason(f"{tier}: {len(pool.names)} players.")

    order = draw.sort(Purpose.ORDER, pool.names)
    return pair_list(order, met, (by_draw(draw, Purpose.ORDER),), tier=tier, opening=opening)
