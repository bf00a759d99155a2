"""What takes long is computed outside the transaction, and saved only for the season it was computed for."""

import asyncio
from typing import Any

import pytest

from bot.league.errors import NotFound
from bot.league.season.match_score import Result
from bot.league.season.phases import RoundPhase
from bot.services import computing
from bot.services.base.permissions import BOT
from bot.services.organising import organising
from bot.services.play import reporting
from bot.services.reads import tables
from bot.worker import Worker
from tests.services.conftest import NAMES, ORGANISER, World


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computing, "LARGE", 0)


async def test_a_round_paired_in_the_worker_is_the_one_paired_here(world: World) -> None:
    worker = Worker()
    computing.compute_in(worker, world.db)
    try:
        await world.begin(8)
        there = await tables.standings(world.db, actor=BOT, league_id=world.league_id)
        assert len(there.rows) == 8
        view = await world.status()
        assert view.current_round is not None
        assert len(view.current_round.matches) == 4
    finally:
        await worker.close()


async def test_others_write_while_a_round_is_computed_and_what_they_change_counts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.create(advance="manual")
    await world.sign_up(*NAMES[:8])
    computed, found = 0, computing._found

    async def drop_meanwhile(*given: object) -> object:
        nonlocal computed
        computed += 1
        if computed == 1:
            await world.drop(NAMES[7])  # would wait for ever were the writer held
        return await found(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(computing, "_found", drop_meanwhile)
    async with asyncio.timeout(30):
        view = await world.start()
    assert computed == 2
    assert view.current_round is not None
    seated = [side.name for match in view.current_round.matches for side in match.sides]
    assert NAMES[7] not in seated + [who.name for who in view.current_round.byes]


async def test_a_match_that_was_undone_never_lends_its_id_to_another(world: World) -> None:
    view = await world.begin(8)
    assert view.current_round is not None
    old = {match.match.id for match in view.current_round.matches}
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await organising.undo(world.db, **who)
    again = await organising.post(world.db, **who)
    assert again.round.phase is RoundPhase.OPEN
    assert old.isdisjoint(match.match.id for match in again.matches)
    pressed: Any = {"actor": world.player(NAMES[0]), "now": world.now, "match": min(old), "version": 1}
    with pytest.raises(NotFound, match="undone"):
        await reporting.report(world.db, **pressed, result=Result.WON)
