"""What pairing costs, beside hashing the draws and beside what others take for the same."""

from collections.abc import Callable
from functools import partial
from random import Random

from bot.league.bracket.rematches import avoid_rematches
from bot.league.counting.draw import Draw
from bot.league.formats.swiss.score_groups import Group, pair_groups
from bot.league.pairing import pair_list, pair_tier
from bot.league.season.model import Name
from tests.benchmarks import peers
from tests.benchmarks.figures import Row, Task, growth, timed
from tests.benchmarks.lists import (
    few_left,
    half_who_need_the_others,
    met_all_but,
    met_before,
    most_have_met,
    names,
    typical,
)
from tests.benchmarks.yardsticks import HASHING, hashing

SPARSE = 800
RUSTWORKX = "one matching by rustworkx"


def a_typical_list(size: int) -> Task:
    """Pair a season's players, best first, as one list."""
    season = typical(size)
    order = season.order
    return lambda: pair_list(order, season.met)


def typical_groups(size: int) -> Task:
    """Pair a season's players group by group, their draws not counted."""
    season = typical(size)
    groups = season.groups
    return lambda: pair_groups(groups, season.met, season.draw)


def groups_of_one(size: int) -> Task:
    """Pair players of whom no two have the same score and most have met: groups join on and on."""
    players = names(size)
    groups = [Group(label=str(number), names=(name,)) for number, name in enumerate(players)]
    met, draw = most_have_met(players), Draw(season=1, round=1)
    return lambda: pair_groups(groups, met, draw)


def a_typical_tier(size: int) -> Task:
    """Pair a season's players as one tier, schedules apart from the ranking."""
    season = typical(size)
    order = season.order
    ranking = Random(size).sample(order, size)
    return lambda: pair_tier(order, ranking, season.met)


def a_list(size: int, *, clique: bool = False) -> Task:
    """Pair a list at random history; with `clique` its last 21 have all met, so that pairs must be undone."""
    players = names(size)
    met = met_before(players, clique=clique)
    return lambda: pair_list(players, met)


def a_tier(size: int, rank: Callable[[list[Name]], list[Name]], *, clique: bool = False) -> Task:
    """Pair a tier at random history, its ranking made from its order by schedule."""
    players = names(size)
    met, ranking = met_before(players, clique=clique), rank(players)
    return lambda: pair_tier(players, ranking, met)


def refusing(players: list[Name]) -> list[Name]:
    """Return a ranking whose first is the best and whose top half is ranked below the bottom half."""
    half = len(players) // 2
    return [players[0], *players[half:], *players[1:half]]


def a_list_of(edges: Callable[[], peers.Edges], size: int = SPARSE) -> Task:
    """Pair a list in which only these pairs haven't met."""
    players = names(size)
    met = met_all_but(players, edges())
    return lambda: pair_list(players, met)


def a_tier_of(edges: Callable[[], peers.Edges], size: int = SPARSE) -> Task:
    """Pair a tier in which only these pairs haven't met, schedules apart from the ranking."""
    players = names(size)
    met, ranking = met_all_but(players, edges()), Random(size).sample(players, size)
    return lambda: pair_tier(players, ranking, met)


def a_bracket(matches: int) -> Task:
    """Assign the lower players of a round where each may play two of them, in a circle."""

    def has_met(upper: Name, lower: Name) -> bool:
        return (5 * int(lower) - int(upper)) % matches not in (1, 7)

    sides = [Name(str(number)) for number in range(matches)]
    return lambda: avoid_rematches(sides, sides, has_met)


def _against_hashing(title: str, task: Callable[[], Task], at_most: float) -> Row:
    return timed(title, task, yardstick=hashing, against=HASHING, at_most=at_most)


def _typical(title: str, task: Callable[[int], Task], at_most: float) -> tuple[Row, Row]:
    whole = _against_hashing(f"{title}, 10,000, five rounds played", partial(task, 10_000), at_most)
    return whole, growth(title, task, sizes=(1_000, 10_000), at_most=1.3)


def _sparse(title: str, edges: Callable[[], peers.Edges], at_most: float) -> tuple[Row, Row]:
    matching = partial(peers.rustworkx_matching, edges, SPARSE)
    pair = timed(
        f"list of 800, {title}", partial(a_list_of, edges), yardstick=matching, against=RUSTWORKX, at_most=at_most
    )
    tier = timed(
        f"tier of 800, {title}", partial(a_tier_of, edges), yardstick=matching, against=RUSTWORKX, at_most=at_most
    )
    return pair, tier


ROWS: tuple[Row, ...] = (
    *_typical("list", a_typical_list, 2.5),
    *_typical("score groups", typical_groups, 6.25),
    _against_hashing("score groups of one, 800, most have met", partial(groups_of_one, 800), 40),
    *_typical("tier", a_typical_tier, 7.5),
    _against_hashing("list, 20 met each", partial(a_list, 10_000), 2.5),
    _against_hashing("list, the last 21 met each other", partial(a_list, 10_000, clique=True), 12),
    _against_hashing("tier, schedules as the ranking", partial(a_tier, 10_000, list), 7.5),
    _against_hashing("tier, schedules against the ranking", partial(a_tier, 10_000, lambda all_: all_[::-1]), 7.5),
    _against_hashing("tier, the whole top half may refuse", partial(a_tier, 10_000, refusing), 7.5),
    _against_hashing("tier, the last 21 met", partial(a_tier, 10_000, lambda all_: all_[::-1], clique=True), 15),
    *_sparse("3 opponents left each", partial(few_left, SPARSE, 3), 40),
    *_sparse("4 opponents left each", partial(few_left, SPARSE, 4), 40),
    *_sparse("the lower half has met", partial(half_who_need_the_others, SPARSE), 350),
    _against_hashing("bracket of 64 matches, two opponents left each", partial(a_bracket, 64), 2.5),
    growth("bracket", a_bracket, sizes=(64, 256), at_most=3),
)

beside = peers.beside
