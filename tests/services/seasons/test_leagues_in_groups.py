"""Two whole leagues in groups, as the panel sets them up, with their tables as by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.league.formats.round_robin import RoundRobin
from bot.league.season.model import Season
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from storage import rules_season
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import NAMES, World

FORMAT = RoundRobin()
Told = tuple[str, str]
"""Who says it, and what: `lost 1-2`."""


async def play(world: World, tells: Callable[[str, str], Told]) -> None:
    """Play every match of the open round: one of the two, whose names come in order, tells how it went."""
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    for match in view.matches:
        await report(world, match, *tells(*sorted(side.name for side in match.sides)))


async def report(world: World, match: MatchView, name: str, told: str) -> None:
    """Let a player report; after a draw the other one says the same."""
    result, _, score = told.partition(" ")
    both = sorted((side.name for side in match.sides), key=lambda side: side != name)
    for side in both if result == "draw" else both[:1]:
        who: Any = {"db": world.db, "actor": world.player(side), "now": world.now, "league_id": world.league_id}
        await do(reporting.report, **who, match=match.match.id, result=result, score=score, agreed=None)


async def record(world: World) -> Season:
    return await world.db.read(rules_season.load, (await world.status()).season.id)


@pytest.mark.long
async def test_a_keyforge_league_of_ten_meets_twice(world: World) -> None:
    """The first three beat each other in a ring; all others lose to everyone before them."""
    first, second, third, *_ = names = sorted(NAMES[:10])
    ring = {(first, second): first, (second, third): second, (first, third): third}
    close = {second}

    def tells(one: str, other: str) -> Told:
        winner = ring.get((one, other), one)
        loser = other if winner == one else one
        games = "1-2" if (one, other) in ring or winner in close else "0-2"
        return loser, f"lost {games}"

    await world.begin(10, "round-robin", meetings=2, best_of=3, finals_best_of=3, final_best_of=3)
    for number in range(1, 19):
        assert (view := (await world.status()).current_round) is not None
        assert view.round.number == number
        await play(world, tells)
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    table = FORMAT.standings(await record(world))
    # Three with 14 wins against the rest and 2 in the ring; 28 games more than they lost for two, 14 for the other.
    assert [row.name for row in table[3:]] == names[3:]
    assert [row.points for row in table] == [16, 16, 16, 12, 10, 8, 6, 4, 2, 0]
    assert table[2].name == second
    games = {row.name: row.tiebreaks["difference"] for row in table[:3]}
    assert games == {first: 28, third: 28, second: 14}


async def test_a_blood_bowl_league_of_three_groups_goes_by_points_then_by_their_own_matches(world: World) -> None:
    """Groups of four and three: touchdowns by the place of a name in its group."""
    of_four = {(0, 1): (2, 2), (0, 2): (1, 0), (0, 3): (0, 1), (1, 2): (2, 0), (1, 3): (1, 1), (2, 3): (3, 0)}
    of_three = {(0, 1): (1, 1), (0, 2): (3, 1), (1, 2): (2, 1)}
    await world.begin(11, "round-robin", group_size=4, scores=True, draws=True)
    start = await record(world)
    groups = [sorted(group) for group in FORMAT.kept_groups(start)]
    assert [len(group) for group in groups] == [4, 4, 3]

    def tells(one: str, other: str) -> Told:
        group = next(group for group in groups if one in group)
        one_scored, other_scored = (of_four if len(group) == 4 else of_three)[group.index(one), group.index(other)]
        if one_scored > other_scored:
            return other, f"lost {other_scored}-{one_scored}"
        return one, f"{'draw' if one_scored == other_scored else 'lost'} {one_scored}-{other_scored}"

    for _ in range(3):
        await play(world, tells)
    season = await record(world)
    table = {row.name: row for row in FORMAT.standings(season)}
    for number, group in enumerate(groups, start=1):
        rows = sorted((row for row in table.values() if row.group == number), key=lambda row: row.group_rank or 0)
        found = [(group.index(row.name), row.points, row.wins, row.draws, row.losses) for row in rows]
        if len(group) == 4:  # the first and the last have 4 points each, and the last won their match
            assert found == [(1, 5, 1, 2, 0), (3, 4, 1, 1, 1), (0, 4, 1, 1, 1), (2, 3, 1, 0, 2)]
        else:  # 4 points each and a draw between them: two touchdowns more against one
            assert found == [(0, 4, 1, 1, 0), (1, 4, 1, 1, 0), (2, 0, 0, 0, 2)]
    # Two points a match are more than five of three: the smaller group's winner is the first seed.
    finalists = FORMAT.finalists_now(season)
    assert finalists[0] == groups[2][0]
    assert {*finalists} == {groups[0][1], groups[0][3], groups[1][1], groups[1][3], groups[2][0], groups[2][1]}
    assert (await world.status()).season.phase is SeasonPhase.FINALS
