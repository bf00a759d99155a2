"""The records of a league, against a slow count of its league files: after merges, forgetting, imports taken back."""

import json
import random
from typing import Any

import pytest

from bot import steps
from bot.league.errors import LeagueError
from bot.league.summaries.league_records import record_lines
from bot.services.leagues import taking_back
from bot.services.people import forgetting, merging, renaming
from bot.services.reads.past import champions
from tests.services.conftest import World
from tests.services.leagues.test_importing_records import order
from tests.services.reads.past.recounted import require_recounted

PEOPLE = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")


def drawn_season(draw: random.Random, number: int) -> bytes:
    """Return a league file of a season with all kinds of results, and perhaps a champion."""
    people, kinds = draw.sample(PEOPLE, draw.randint(4, 8)), ("played", "played", "played", "forfeit", "double_loss")
    rounds: list[dict[str, Any]] = []
    for at in range(1, draw.randint(3, 9)):
        here = draw.sample(people, len(people) // 2 * 2)
        matches: list[dict[str, Any]] = []
        for pair in zip(here[::2], here[1::2], strict=True):
            kind = draw.choice(kinds)
            winner = (
                None if kind == "double_loss" else draw.choice([*pair, *pair, "draw" if kind == "played" else pair[0]])
            )
            score = [draw.randint(0, 99), draw.randint(0, 99)] if kind == "played" else None
            if score is not None and winner is not None:
                score = [50, 50] if winner == "draw" else sorted(score, reverse=winner == pair[0])
            more = {} if score is None or score[0] == score[1] != 50 else {"score": score}
            matches.append({"players": pair, "winner": winner, "kind": kind, **more})
        rounds.append({"number": at, "matches": matches})
    file: dict[str, Any] = {"fairpair": 1, "league": "Old", "season": number, "format": "record"}
    file |= {"settings": {"scores": True}, "players": [{"name": name} for name in people], "rounds": rounds}
    if draw.random() < 0.8:
        file["final"] = {"ended": "rules", "champion": draw.choice(people), "standings": []}
    return json.dumps(file).encode()


@pytest.mark.long
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 20))])
async def test_records_are_those_of_a_slow_count_whatever_becomes_of_people_and_seasons(
    world: World, seed: int
) -> None:
    draw = random.Random(seed)
    done: list[Any] = []
    for number in range(1, draw.randint(3, 6)):
        done.append(await steps.import_file(world.db, order(world), data=drawn_season(draw, number)))
        await require_recounted(world.db, order(world), upsets=True)
    await require_recounted(world.db, order(world), upsets=True)
    if draw.random() < 0.5:
        await world.db.write(taking_back.take_back, order(world), import_id=done[-1].id)
        await require_recounted(world.db, order(world), upsets=True)
    for at in range(4):
        player, into = draw.sample(PEOPLE, 2)
        given: Any = draw.choice(
            [
                (renaming.rename, {"player": player, "new_name": f"New {at}", "reason": "so"}),
                (merging.merge, {"player": player, "into": into, "reason": "one person"}),
                (forgetting.forget, {"player": player}),
            ]
        )
        try:
            await world.db.write(given[0], order(world), **given[1])
        except LeagueError:
            continue
        await require_recounted(world.db, order(world), upsets=True)


async def test_a_league_without_a_result_has_no_records(world: World) -> None:
    await world.begin(4)
    found = await world.db.read(champions.champions, order(world))
    assert list(record_lines(found.records, found.names)) == []
