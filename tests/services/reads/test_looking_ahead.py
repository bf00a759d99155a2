"""What players need, worked out in another process and kept while nothing changes."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from bot import steps
from bot.league.errors import NotFound, WrongPhase
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.phases import SeasonPhase
from bot.league.summaries.outlook.prospects import Verdict
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.people import rejoining
from bot.services.reads import looking_ahead
from bot.services.reads.looking_ahead import OutlookView
from bot.services.times import timetable
from bot.worker import Worker, WorkerFailed
from storage.rows import SeasonId
from tests.files import look_into
from tests.services.conftest import NAMES, ORGANISER, STRANGER, World


class CountingWorker(Worker):
    """A worker that counts what it is given."""

    asked = 0
    broken = False

    def begin(self, function: Any, *given: Any, seconds: float) -> asyncio.Future[Any]:
        self.asked += 1
        if self.broken:
            failed = asyncio.get_running_loop().create_future()
            failed.set_exception(WorkerFailed("broken for a test"))
            return failed
        return super().begin(function, *given, seconds=seconds)


@pytest.fixture
async def worker() -> AsyncGenerator[CountingWorker]:
    made = CountingWorker()
    yield made
    await made.close()


async def needed(world: World, worker: Worker, name: str, player: str | None = None) -> OutlookView:
    asks: Any = {"actor": world.player(name), "league_id": world.league_id}
    return await steps.outlook(world.db, worker, Order(**asks, now=world.now), player=player)


@pytest.mark.long
@pytest.mark.parametrize(
    "format_",
    [
        pytest.param(one, id=one.key, marks=pytest.mark.long if one.key in ("keyforge-swiss", "ohs") else ())
        for one in ALL
    ],
)
async def test_players_are_told_what_they_need_until_the_season_ends(
    world: World, worker: Worker, format_: Format
) -> None:
    view = await world.begin(9, format_.key)
    while view.season.phase is not SeasonPhase.FINISHED:
        found = await steps.outlook_of(world.db, worker, view.season.id)
        assert found is not None
        assert {*found.players} == {*NAMES[:9]}
        assert any(prospect.verdict is not Verdict.OUT for prospect in found.players.values())
        await world.play_round()
        view = await world.status()
    assert await steps.outlook_of(world.db, worker, view.season.id) is None


@pytest.mark.long
async def test_it_is_worked_out_once_until_a_result_changes(world: World, worker: CountingWorker) -> None:
    season = (await world.begin(4, "keyforge-swiss", cut=4, rounds=1)).season
    await asyncio.gather(*(steps.outlook_of(world.db, worker, season.id) for _ in range(3)))
    assert worker.asked == 1
    match = await world.match_of("dok")
    assert match is not None
    await world.lose(match.lower.name)
    await steps.outlook_of(world.db, worker, season.id)
    assert worker.asked == 2


@pytest.mark.long
async def test_a_worker_that_fails_is_asked_again(world: World, worker: CountingWorker) -> None:
    season = (await world.begin(4)).season
    worker.broken = True
    assert await steps.outlook_of(world.db, worker, season.id) is None
    worker.broken = False
    assert await steps.outlook_of(world.db, worker, season.id) is not None


@pytest.mark.long
async def test_one_hears_of_oneself_and_of_others(world: World, worker: Worker) -> None:
    await world.begin(4, "single-elimination")
    own, other = await needed(world, worker, "dok"), await needed(world, worker, "dok", "Zoë")
    assert (own.name, own.own) == ("dok", True)
    assert own.prospect.words == "Win and you're in the final. Lose and you're out."
    assert (other.name, other.own) == ("Zoë", False)
    assert other.prospect.about == "If they win, they're in the final. If they lose, they're out."


async def test_nothing_is_said_before_round_1_or_of_strangers(world: World, worker: Worker) -> None:
    await world.create()
    await world.sign_up(*NAMES[:4])
    with pytest.raises(WrongPhase, match="hasn't started yet"):
        await needed(world, worker, "dok")
    await world.start()
    with pytest.raises(NotFound):
        await steps.outlook(world.db, worker, Order(actor=STRANGER, now=world.now, league_id=world.league_id))


@pytest.mark.parametrize("asks", [timetable.timetable, looking_ahead.asked_about, rejoining.rejoin])
async def test_before_the_start_only_who_isnt_in_is_told_to_sign_up(world: World, asks: Any) -> None:
    """Who was in or on the waiting list was told to join."""
    await world.create(max_players=2)
    await world.sign_up(*NAMES[:3])
    people = [*map(world.player, NAMES[:3]), STRANGER, ORGANISER]
    hints = ["You're in. /match says when round 1 comes."] * 2 + ["/match shows where you stand."]
    hints += ["Join it with /signup.", "Start it with /season start."]
    for person, hint in zip(people, hints, strict=True):
        with pytest.raises(WrongPhase) as refused:
            await world.db.write(asks, Order(actor=person, now=world.now, league_id=world.league_id))
        assert str(refused.value) == f"Season 1 hasn't started yet. {hint}"


@pytest.mark.long
async def test_outlooks_of_seasons_nobody_asks_about_any_more_are_let_go(
    world: World, worker: CountingWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "MOST_KEPT", 15)
    season = (await world.begin(4, "keyforge-swiss", cut=4, rounds=1)).season
    await steps.outlook_of(world.db, worker, season.id)
    for number in range(4):  # as other seasons are asked about, the first isn't kept any more
        with look_into(world.db) as conn:
            other = cached.complete(conn, season)
        await steps.worked_out(worker, SeasonId(100 + number), other, verdicts_only=True)
    before = worker.asked
    await steps.outlook_of(world.db, worker, season.id)
    assert worker.asked == before + 1
