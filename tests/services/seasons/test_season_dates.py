"""By when each round ends at the latest: from the close of sign-ups on, with the weekday, and after a pause."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.services.leagues import set_up
from bot.services.seasons import pausing, plans
from bot.services.seasons.season_dates import SeasonDates
from tests.files import do, see
from tests.services.conftest import ADMIN, ORGANISER, World

CLOSING = datetime(2026, 11, 30, 18, tzinfo=UTC)  # a Monday
WEEK = timedelta(days=7)


async def dates(world: World) -> SeasonDates:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    return (await see(plans.plan, db=world.db, **who)).dates


async def test_every_round_with_the_finals_before_sign_ups_open(world: World) -> None:
    await world.opened(format="ohs", settings={"cut": 4}, signups_close=CLOSING)
    found = await dates(world)
    assert found.complete
    assert [one.name for one in found.rounds][-3:] == ["Round 4", "Semi-finals", "Final"]
    assert [one.by for one in found.rounds] == [CLOSING + number * WEEK for number in range(1, 7)]
    assert (await world.status()).ends == CLOSING + 6 * WEEK


async def test_rounds_that_end_on_a_weekday_in_the_leagues_zone(world: World) -> None:
    who: Any = {"actor": ADMIN, "now": world.now, "league_id": world.league_id}
    await do(set_up.change, db=world.db, **who, changes={"time_zone": "Europe/Berlin"})
    given = {"cut": 0, "rounds": 2, "round_ends": "sunday 21:00"}
    await world.opened(format="ohs", settings=given, signups_close=CLOSING)
    assert [one.by for one in (await dates(world)).rounds] == [
        datetime(2026, 12, 6, 20, tzinfo=UTC),
        datetime(2026, 12, 13, 20, tzinfo=UTC),
    ]


async def test_a_season_that_is_played_counts_from_its_open_round_and_its_pause(world: World) -> None:
    await world.begin(4, cut=2, rounds=2)
    await world.play_round()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(pausing.pause, db=world.db, **who, until=world.now + timedelta(days=10))
    found = await dates(world)
    assert [one.name for one in found.rounds] == ["Round 2", "Final"]
    assert [one.by for one in found.rounds] == [world.now + timedelta(days=days) for days in (17, 24)]


async def test_without_a_closing_time_the_dates_are_an_example(world: World) -> None:
    await world.create()
    found = await dates(world)
    assert found.if_closed is not None
    assert found.rounds[0].by == found.if_closed + timedelta(days=7)
    assert (await world.status()).ends is None
