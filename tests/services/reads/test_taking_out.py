"""What is taken along of a season says what /standings, round cards and /schedule say, read back by programs."""

import random
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.exporters.sheets import to_csv
from bot.league.errors import LeagueError, NotAllowed, NotFound
from bot.league.formats import ALL
from bot.league.season.phases import PLAYING
from bot.league.summaries.outlook.prospects import Verdict
from bot.services.base.order import Order, by_bot
from bot.services.matches.outcome import Outcome
from bot.services.organising import rounds_by_hand
from bot.services.play import decisions, reporting
from bot.services.reads import season_sheets, tables
from bot.services.seasons import lifecycle
from bot.services.times import calendars, proposing
from bot.steps import TakenAs
from bot.worker import Worker
from tests.examples import mostly_long
from tests.files import do, see
from tests.services.conftest import ORGANISER, STRANGER, World, new_world
from tests.services.reads import read_back
from tests.services.seats.test_seats import change_seats, substitute, unstick
from tests.services.times.test_calendars import meet

every_format = pytest.mark.parametrize("format_", [format_.key for format_ in ALL])


def there(world: World, **more: Any) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}


async def read_through(world: World, format_: str, seed: int, *, often: float = 1) -> None:
    """Play a season by chance, with times, sit-outs, substitutes and drops, and read its files back so often."""
    chance, looks = random.Random(f"{format_}/{seed}"), random.Random(f"looks {format_}/{seed}")

    async def read_it_back() -> None:
        if looks.random() < often:
            await read_back.require_read_back(world.db, world.league_id, 1, actor=ORGANISER, now=world.now)

    await world.begin(9, format_, best_of=3, **({"draws": True} if format_ == "keyforge-swiss" else {}))
    for _ in range(40):
        await read_it_back()
        view = await world.status()
        if view.season.phase not in PLAYING:
            return
        if view.current_round is None or not view.current_round.missing:
            await unstick(world)
            continue
        names = [side.name for match in view.current_round.missing for side in match.sides]
        with suppress(LeagueError):
            await meet(world, chance.choice(names), world.now + timedelta(hours=chance.randint(1, 40)))
            match = chance.choice(view.current_round.missing)
            who: Any = {"db": world.db, "now": world.now, "actor": world.player(match.upper.person or match.upper.name)}
            await do(proposing.propose, **who, match=match.match.id, chosen=[world.now + timedelta(hours=50)])
        await change_seats(world, chance)
        world.later(hours=1)
        await read_it_back()
        view = await world.status()
        if view.current_round is None or not view.current_round.missing:
            continue
        match = chance.choice(view.current_round.missing).match.id
        with suppress(LeagueError):
            await do(rounds_by_hand.extend, **there(world), days=2, match=match)
        for outcome in chance.sample([Outcome.UPPER, Outcome.LOWER, Outcome.DRAW, Outcome.DOUBLE_LOSS], 2):
            match = chance.choice(view.current_round.missing).match.id
            score = {Outcome.UPPER: "2-1", Outcome.DRAW: "1-1"}.get(outcome)
            with suppress(LeagueError):
                await do(decisions.decide, **there(world), match=match, outcome=outcome, score=score, reason="seen")
        side = chance.choice(view.current_round.missing).lower
        with suppress(LeagueError):
            said: Any = {"db": world.db, "now": world.now, "actor": world.player(side.person or side.name)}
            await do(reporting.report, **said, match=match, result="won", score="2-0")
        await read_it_back()
        if chance.random() < 0.05:
            with suppress(LeagueError):
                await do(lifecycle.cancel, **there(world))
        else:
            await world.play_round()
    raise AssertionError("the season does not end")


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(format_.key for format_ in ALL))
async def test_every_fact_people_see_is_in_the_files(world: World, format_: str) -> None:
    await read_through(world, format_, 0)


@pytest.mark.long
@pytest.mark.timeout(600)
@every_format
async def test_every_fact_people_see_is_in_the_files_of_many_seasons(tmp_path: Path, format_: str) -> None:
    for seed in range(1, 5):  # every life of tests/model reads its files back as well
        async with new_world(tmp_path / f"season {seed}.db") as world:
            await read_through(world, format_, seed, often=0.4)


@pytest.mark.long
@pytest.mark.parametrize("as_", [TakenAs.CSV, TakenAs.XLSX])
async def test_who_is_sure_of_the_finals_is_in_the_file_as_in_the_table(world: World, as_: TakenAs) -> None:
    await world.begin(6, "keyforge-swiss", rounds=3, cut=2)
    await world.play_round()
    await world.play_round()
    worker = Worker()
    try:
        view = await see(tables.standings, **there(world))
        while all(row.verdict is Verdict.OPEN for row in view.rows):
            view = await steps.with_verdicts(world.db, worker, view)
        order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        made = await steps.take_out(world.db, order, worker, season_number=None, as_=as_)
    finally:
        await worker.close()
    read = read_back.from_zip if as_ is TakenAs.CSV else read_back.from_workbook
    rows = read(made.content)["standings"]
    read_back.require_standings(rows, view)
    assert {"out", "sure of the finals"} & {row["status"] for row in rows}


async def test_only_organisers_take_a_season_and_nothing_is_no_calendar(world: World) -> None:
    await world.begin()
    for taken in (season_sheets.taken, calendars.of_season):
        with pytest.raises(NotAllowed):
            await do(taken, **there(world, actor=STRANGER))
    with pytest.raises(NotFound, match="You have no match"):
        await do(calendars.own, **there(world, actor=STRANGER))


@pytest.mark.long
async def test_matches_are_under_the_names_of_who_played_them(world: World) -> None:
    await world.begin(8, rounds=4)
    await world.play_round()
    await substitute(world, "dok", "Uma")
    await world.play_out()
    found = await world.db.read(season_sheets.taken, by_bot(world.now, world.league_id), season_number=1)
    matches = {sheet.name: sheet for sheet in season_sheets.sheets(found)}["matches"]
    file = await steps.look_through([steps.File(name="matches.csv", data=to_csv(matches))])
    assert file is not None
    names = {one.name for one in file.names}
    assert {"dok", "Uma"} <= names
    assert not [name for name in names if "(for" in name]
    at = matches.titles.index("seat of the player")
    assert {seat for row in matches.rows for seat in row[at : at + 2] if seat} == {"dok"}
