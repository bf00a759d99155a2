"""A round robin from its sign-ups to its champion: groups, rounds, finals across groups, and as a file."""

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from bot.by_chance.season import texts
from bot.league.checking.league_file import reading, writing
from bot.league.checking.verify import verify
from bot.league.formats import by_key
from bot.league.season.model import Name, Round, Season
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.organising import rounds_by_hand
from storage import rules_season
from tests.files import look_into
from tests.league.builders import proposed, season, with_round, won
from tests.league.turmoil import forgotten
from tests.services.conftest import ADMIN, World
from tests.services.leagues.test_kept_apart import exported, imported

ROUND_ROBIN = by_key("round-robin")


async def record(world: World) -> Season:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return rules_season.load(conn, season_id)


async def file_of(world: World) -> Season:
    return reading.read((await exported(world, world.league_id)).encode())


def without_dice(season: Season) -> list[Round]:
    """Return the rounds without first choices, which are worked out where a file doesn't say them."""
    return [
        replace(round_, matches=tuple(replace(match, dice_off=None) for match in round_.matches))
        for round_ in season.rounds
    ]


async def test_everyone_meets_everyone_of_their_group_and_the_best_play_finals(world: World) -> None:
    await world.begin(9, "round-robin", group_size=5)
    groups = ROUND_ROBIN.groups(ROUND_ROBIN.before_finals(await record(world)))
    assert sorted(map(len, groups)) == [4, 5]
    view = await world.play_out()
    assert view.season.phase is SeasonPhase.FINISHED
    assert view.champion is not None
    played = await file_of(world)
    regular = [match.players for round_ in played.rounds if round_.stage == "regular" for match in round_.matches]
    assert {frozenset(pair) for pair in regular} == {
        frozenset(pair) for group in groups for pair in combinations(group, 2)
    }
    assert [line.strip() for line in verify(played).lines() if "as the rules say" not in line] == []


@pytest.mark.parametrize(
    "settings", [{}, {"meetings": 2}, {"group_size": 4, "through": 1}, {"group_size": 3, "cut": 0}, {"cut": 4}]
)
async def test_every_kind_of_round_robin_ends(world: World, settings: dict[str, Any]) -> None:
    await world.begin(7, "round-robin", **settings)
    assert (await world.play_out()).champion is not None
    assert verify(await file_of(world)).agrees


@pytest.mark.parametrize("seed", range(12))
async def test_a_file_comes_in_and_goes_out_as_it_was(world: World, seed: int) -> None:
    *_, text = texts("round-robin", seed)
    season = reading.read(text.encode())
    copy = await imported(world, json.loads(text))
    again = reading.read((await exported(world, copy)).encode())
    names = {entrant.name for entrant in season.entrants}
    ladder = season.ladder and tuple(name for name in season.ladder if name in names)
    assert again.ladder_of == season.ladder_of
    assert (again.entrants, again.groups, again.ladder) == (season.entrants, season.groups, ladder)
    assert (without_dice(again), again.departures) == (without_dice(season), season.departures)


async def test_a_season_with_kept_groups_goes_on_here(world: World) -> None:
    start = season("round-robin", 6, number=1, group_size=3, cut=0)
    now = with_round(start, *(won(*pair.players) for pair in proposed(start).pairs))
    now = forgotten(now, Name("p01"))
    copy = await imported(world, json.loads(writing.to_json(now)))
    again = reading.read((await exported(world, copy)).encode())
    assert (again.groups, again.forgotten) == (now.groups, True)
    view = await world.db.write(rounds_by_hand.post, Order(actor=ADMIN, now=world.now, league_id=copy))
    shown = {frozenset((match.upper.name, match.lower.name)) for match in view.matches}
    assert shown == {frozenset(pair.players) for pair in proposed(now).pairs}
