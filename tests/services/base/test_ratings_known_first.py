"""What players bring into a season is worked out before the transaction that asks for it, and is always true."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from bot import steps
from bot.league.counting.ratings import after_each
from bot.league.errors import WrongPhase
from bot.league.season.model import Rating
from bot.services.base import cached
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.matches import views
from bot.services.matches.outcome import read_outcome
from bot.services.people import forgetting, merging
from bot.services.play import decisions
from bot.services.reads import tables
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from bot.services.signups import signing_up
from bot.worker import Worker, WorkerFailed
from storage import rated_seasons
from storage.database import Connection, Database
from storage.query import records
from storage.rows import PlayerId
from storage.tables import seasons
from tests.examples import mostly_long
from tests.files import look_into
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.leagues.test_importing_records import OLD, brought

FIELD = NAMES[:4]
Change = Callable[[World], Awaitable[Any]]


@pytest.fixture(autouse=True)
def nothing_is_soon_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "MOST_IN_A_TRANSACTION", 0)


class Between(Worker):
    """A process beside the bot during whose work the league changes, so many times."""

    def __init__(self, world: World, change: Change, times: int = 1) -> None:
        super().__init__()
        self.world, self.change, self.left, self.runs = world, change, times, 0

    async def run(self, function: Any, *given: Any, seconds: float) -> Any:
        self.runs += 1
        made = await super().run(function, *given, seconds=seconds)
        if self.left:
            self.left -= 1
            await self.change(self.world)
        return made


class Killed(Worker):
    """A process that is killed whenever it works."""

    async def run(self, function: Any, *given: Any, seconds: float) -> Any:
        raise WorkerFailed("the process died")


async def nothing(world: World) -> None:
    """Change nothing."""


async def played_seasons(world: World, count: int = 2) -> None:
    for _ in range(count):
        await world.opened(format="ohs", settings={"rounds": 2, "cut": 0})
        await world.sign_up(*FIELD)
        await world.start()
        await world.play_out()


async def ready(world: World, *, first: int | None = None) -> None:
    """Play seasons, and let players sign up for the next one."""
    await world.opened(format="ohs", settings={"rounds": 2, "cut": 0}, number=first)
    await world.sign_up(*FIELD)
    await world.start()
    await world.play_out()
    await played_seasons(world, 1)
    await world.opened(format="ohs", settings={"rounds": 3, "cut": 0})
    await world.sign_up(*FIELD)


def order(world: World, actor: Any = ORGANISER) -> Order:
    return Order(actor=actor, now=world.now, league_id=world.league_id)


async def agreed(world: World, use_case: Any, **given: Any) -> Any:
    token = ""
    for _ in range(3):
        try:
            return await world.db.write(use_case, order(world), **given, agreed=token)
        except ConfirmationNeeded as question:
            token = question.token
    raise AssertionError("it asks for ever")


async def corrected(world: World) -> None:
    """Let the other one have won a match of the first season."""
    with look_into(world.db) as conn:
        ((match_id,),) = records(
            conn, "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.season_id = 1 LIMIT 1"
        )
        view = views.match_view(conn, match_id)
    loser = view.lower.name if view.winner == view.upper.name else view.upper.name
    given: Any = {"match": match_id, "outcome": read_outcome(view, loser), "reason": "typing error"}
    await agreed(world, decisions.decide, **given)


async def imported(world: World) -> None:
    """Bring in the season before the first."""
    await brought(world, OLD.replace("Chloe", FIELD[0]))


async def forgotten(world: World) -> None:
    await agreed(world, forgetting.forget, player=FIELD[3])


async def merged(world: World) -> None:
    """Let someone who never played here be one of those who did."""
    await imported(world)
    await agreed(world, merging.merge, player="Pavel", into=FIELD[2], reason="one person")


def true_ratings(world: World) -> dict[PlayerId, Rating]:
    """Work out what everyone brings into the newest season, from the matches alone."""
    with look_into(world.db) as conn:
        newest = seasons.newest(conn, world.league_id)
        assert newest is not None
        assert newest.number is not None
        return {**after_each(rated_seasons.of_league(conn, world.league_id, before=newest.number))[-1].ratings}


def noted(world: World) -> dict[PlayerId, Rating]:
    """Return what is noted at the start of the newest season."""
    newest = "SELECT id FROM seasons ORDER BY number DESC LIMIT 1"
    sql = (
        f"SELECT player_id, mu, sigma FROM entrants WHERE season_id = ({newest})"
        " UNION ALL SELECT x.player_id, x.mu, x.sigma FROM substitutes x JOIN entrants e ON e.id = x.entrant_id"
        f" WHERE e.season_id = ({newest})"
    )
    with look_into(world.db) as conn:
        return {player: Rating(mu=mu, sigma=sigma) for player, mu, sigma in records(conn, sql)}


def live_season(world: World) -> Any:
    return lambda conn: seasons.live(conn, world.league_id)


async def start(world: World, worker: Worker | None) -> None:
    await steps.with_ratings(world.db, worker, live_season(world), lifecycle.start, order(world))


def no_rating_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a transaction that rates matches fail."""
    worked_out = cached.to_rate

    def to_rate(conn: Connection, *given: Any, **named: Any) -> Any:
        past = worked_out(conn, *given, **named)
        assert not (conn.changes and past.rest), "others wait meanwhile"
        return past

    monkeypatch.setattr(cached, "to_rate", to_rate)


@pytest.mark.long
@pytest.mark.parametrize("change", mostly_long([corrected, nothing, forgotten, imported, merged]))
async def test_what_changes_before_the_transaction_begins_is_worked_out_again(
    world: World, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    await ready(world, first=5)
    no_rating_while_others_wait(monkeypatch)
    worker = Between(world, change)
    await start(world, worker)
    await worker.close()
    assert worker.runs == (1 if change is nothing else 2)
    expected = true_ratings(world)
    assert len(expected) == {imported: 6, merged: 5}.get(change, len(FIELD))
    assert noted(world) == {player: expected[player] for player in noted(world)}


@pytest.mark.long
async def test_a_league_that_changes_all_the_time_starts_all_the_same(world: World) -> None:
    await ready(world)
    worker = Between(world, corrected, times=100)
    await start(world, worker)
    await worker.close()
    assert worker.runs == steps.MOST_TRIES
    assert noted(world) == true_ratings(world)


@pytest.mark.long
@pytest.mark.parametrize("worker", [Killed, lambda: None])
async def test_without_a_process_beside_the_bot_a_reader_works_it_out(
    world: World, monkeypatch: pytest.MonkeyPatch, worker: Callable[[], Worker | None]
) -> None:
    await ready(world)
    no_rating_while_others_wait(monkeypatch)
    await start(world, worker())
    assert noted(world) == true_ratings(world)


@pytest.mark.long
async def test_two_presses_at_once_start_it_once(world: World) -> None:
    await ready(world)
    worker = Between(world, nothing)
    done = await asyncio.gather(start(world, worker), start(world, worker), return_exceptions=True)
    await worker.close()
    assert sorted(map(type, done), key=str) == [type(None), WrongPhase]
    assert noted(world) == true_ratings(world)


@pytest.mark.long
async def test_late_entries_and_substitutes_rate_nothing_again_while_a_season_runs(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(world)
    worker = Between(world, nothing)
    await start(world, worker)
    no_rating_while_others_wait(monkeypatch)
    late = order(world, world.player(NAMES[5]))
    enter = partial(steps.with_ratings, world.db, worker, live_season(world))
    await enter(signing_up.sign_up, late, display_name=NAMES[5], name=NAMES[5], agreed=2)
    await world.play_round()
    newcomer = Newcomer(discord_id=77, wanted="Uma", display_name="Uma", by_organiser=True)
    given: Any = {"old": FIELD[0], "newcomer": newcomer}
    with pytest.raises(ConfirmationNeeded) as question:
        await enter(substitutes.substitute, order(world), **given, agreed="")
    await enter(substitutes.substitute, order(world), **given, agreed=question.value.token)
    assert worker.runs == 1, "what the running season changes isn't before it"
    restarted = await Database.open(world.db.path)
    assert await restarted.read(cached.ratings_before, world.league_id, 3) == true_ratings(world)
    await restarted.close()
    await worker.close()


@pytest.mark.long
async def test_an_import_while_a_season_runs_counts_for_who_comes_late_only_in_the_next(world: World) -> None:
    await world.opened(number=5, format="ohs", settings={"rounds": 3, "cut": 0})
    await world.sign_up(*FIELD)
    worker = Between(world, nothing)
    await start(world, worker)
    await brought(world, OLD.replace("Pavel", FIELD[1]))
    enter = partial(steps.with_ratings, world.db, worker, live_season(world))
    new = {"display_name": "Quinn", "discord_id": 78, "name": "Quinn"}
    await enter(signing_up.add, order(world), **new)
    await worker.close()
    assert len(set(map(str, noted(world).values()))) == 1, "everyone was new when it started"
    assert (
        len({str(rating) for rating in (await world.db.read(cached.ratings_before, world.league_id, 5)).values()}) > 1
    )


async def test_a_merge_is_worked_out_again(world: World) -> None:
    await world.opened(format="ohs", settings={"rounds": 2, "cut": 0})
    await world.sign_up(*NAMES[:4])
    await world.start()
    await world.play_out()
    await world.opened(format="ohs", settings={"rounds": 2, "cut": 0})
    await world.sign_up(*NAMES[1:5])
    await world.start()
    await world.play_out()
    before = await world.db.read(cached.ratings_before, world.league_id, 3)
    await agreed(world, merging.merge, player=NAMES[0], into=NAMES[4], reason="one person")
    after = await world.db.read(cached.ratings_before, world.league_id, 3)
    assert len(after) == len(before) - 1
    with look_into(world.db) as conn:
        assert after == after_each(rated_seasons.of_league(conn, world.league_id))[-1].ratings


@pytest.mark.long
async def test_the_ranking_goes_on_from_what_is_known_before_the_running_season(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(world)
    await world.start()
    await world.db.read(tables.ranking, order(world))
    await world.play_round()
    rated: list[int] = []
    worked_out = rated_seasons.of_league

    def of_league(*given: Any, **named: Any) -> Any:
        made = worked_out(*given, **named)
        rated.extend(season.number for season in made)
        return made

    monkeypatch.setattr(rated_seasons, "of_league", of_league)
    view = await world.db.read(tables.ranking, order(world))
    assert rated == [3]
    monkeypatch.undo()
    restarted = await Database.open(world.db.path)
    assert await restarted.read(tables.ranking, order(world)) == view
    await restarted.close()


@pytest.mark.long
async def test_the_clock_starts_a_season_with_what_is_known_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(world)
    no_rating_while_others_wait(monkeypatch)
    await world.db.write(planning.change_settings, order(world), signups_close=world.later(hours=2))
    assert await steps.tick(world.db, world.later(hours=3), Killed()) >= 1
    assert noted(world) == true_ratings(world)
