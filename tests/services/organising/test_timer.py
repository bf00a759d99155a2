"""A live season: the organiser starts each round's clock, which warns at its moments, once, and never too late."""

from datetime import timedelta

import pytest

from bot import steps
from bot.league.errors import Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.season.phases import RoundPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand, timer
from bot.services.organising.timer import ClockPost
from bot.services.play import clearing, time_to_play
from bot.services.seasons import lifecycle, pausing
from storage.database import Database
from tests.files import look_into
from tests.looked_up import posted_round
from tests.services.conftest import FOREIGNER, MODERATOR, ORGANISER, STRANGER, World


async def start(world: World, minutes: int | None = None) -> RoundView:
    return await world.db.write(
        timer.start, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), minutes=minutes
    )


def organiser(world: World) -> Order:
    return Order(actor=ORGANISER, now=world.now, league_id=world.league_id)


async def announce(world: World) -> list[ClockPost]:
    """Play the announcer: show what is due now, and return what the clock said."""
    return [made.post for made in await world.announce() if isinstance(made.post, ClockPost)]


async def pass_minutes(world: World, minutes: int) -> list[tuple[int, int | None]]:
    """Let every half minute pass, and return (minute, what was said)."""
    heard: list[tuple[int, int | None]] = []
    for half in range(1, 2 * minutes + 1):
        world.later(seconds=30)
        await steps.tick(world.db, world.now)
        heard += [(half // 2, facts.left) for facts in await announce(world)]
    return heard


async def live(world: World, players: int = 4, **settings: object) -> None:
    await world.begin(players, "keyforge-swiss", **{"pace": "live", "rounds": 2, "cut": 0, **settings})
    await announce(world)


async def test_a_live_round_has_no_end_before_its_clock_starts(world: World) -> None:
    await live(world)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert (view.round.deadline, view.matches[0].deadline) == (None, None)
    await steps.tick(world.db, world.later(days=9))
    assert await world.posts("reminder") == ()
    assert await world.posts("overdue") == ()


async def test_a_clock_that_runs_begins_again_only_once_an_organiser_agreed(world: World) -> None:
    await live(world)
    first = await world.db.write(timer.start, organiser(world), minutes=20, agreed="")
    world.later(minutes=5)
    with pytest.raises(ConfirmationNeeded, match="The clock of round 1 begins again: 30 minutes from now") as question:
        await world.db.write(timer.start, organiser(world), minutes=30, agreed="")
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert view.round.deadline == first.round.deadline
    again = await world.db.write(timer.start, organiser(world), minutes=30, agreed=question.value.token)
    assert again.round.deadline == world.now + timedelta(minutes=30)


@pytest.mark.long
async def test_the_clock_warns_twice_and_calls_time_each_once(world: World) -> None:
    await live(world)
    view = await start(world)
    assert view.round.deadline == world.now + timedelta(minutes=35)
    assert [facts.left for facts in await announce(world)] == [None]
    assert await pass_minutes(world, 45) == [(25, 10), (30, 5), (35, 0)]


@pytest.mark.parametrize(
    ("settings", "minutes"),
    [
        ({}, 35),
        ({"variant": "sealed"}, 45),
        ({"best_of": 3}, 90),
        ({"game": "lightseekers"}, 60),
        ({"variant": "sealed", "best_of": 3}, 100),
    ],
)
async def test_the_document_says_how_long(world: World, settings: dict[str, object], minutes: int) -> None:
    await live(world, **settings)
    assert (await start(world)).round.deadline == world.now + timedelta(minutes=minutes)


async def test_the_final_is_longer(world: World) -> None:
    await live(world, rounds=1, cut=2)
    await world.play_round()
    assert (await start(world)).round.deadline == world.now + timedelta(minutes=50)


async def test_a_game_no_document_times_needs_minutes(world: World) -> None:
    await world.begin(4, pace="live")
    with pytest.raises(Invalid, match="Give its minutes"):
        await start(world)
    assert (await start(world, 20)).round.deadline == world.now + timedelta(minutes=20)


@pytest.mark.parametrize(("minutes", "heard"), [(10, [(5, 5), (10, 0)]), (5, [(5, 0)]), (1, [(1, 0)])])
async def test_a_short_round_gets_the_warnings_it_has_room_for(
    world: World, minutes: int, heard: list[tuple[int, int]]
) -> None:
    await live(world)
    await start(world, minutes)
    await announce(world)
    assert await pass_minutes(world, 15) == heard


@pytest.mark.parametrize(("away", "heard"), [(26, [10]), (32, [5]), (36, [0]), (500, [0])])
async def test_after_downtime_only_what_still_holds_is_said(world: World, away: int, heard: list[int]) -> None:
    await live(world)
    await start(world)
    await announce(world)
    await world.db.close()
    world.db = await Database.open(world.db.path)
    world.later(minutes=away)
    assert [facts.left for facts in await announce(world)] == heard
    await steps.tick(world.db, world.now)
    assert await announce(world) == []
    await world.db.close()


async def test_a_warning_that_lapsed_is_not_sent(world: World) -> None:
    await live(world)
    await start(world)
    world.later(minutes=31)
    assert await steps.tick(world.db, world.now) >= 1
    with look_into(world.db) as conn:
        removed = conn.execute_fetchall("SELECT removed FROM outbox WHERE kind = 'clock' ORDER BY id")
    # The start and the first warning have lapsed, the second still holds, time is to come.
    assert [row["removed"] for row in removed] == [1, 1, 0, 0]


async def test_only_players_who_still_play_are_called(world: World) -> None:
    await live(world)
    view = await start(world)
    done, playing = view.matches
    await world.lose(done.lower.name)
    await announce(world)
    world.later(minutes=25)
    [warning] = await announce(world)
    assert set(warning.ping_ids) == {side.discord_id for side in playing.sides}


@pytest.mark.long
async def test_a_clock_started_again_runs_anew(world: World) -> None:
    await live(world)
    await start(world)
    await announce(world)
    world.later(minutes=20)
    await start(world, 30)
    assert [facts.left for facts in await announce(world)] == [None]
    assert await pass_minutes(world, 40) == [(20, 10), (25, 5), (30, 0)]


@pytest.mark.long
async def test_pressed_twice_it_is_one_clock(world: World) -> None:
    await live(world)
    await start(world)
    await start(world)
    assert [facts.left for facts in await announce(world)] == [None]
    assert await pass_minutes(world, 40) == [(25, 10), (30, 5), (35, 0)]


async def test_a_round_that_is_over_needs_no_warnings(world: World) -> None:
    await live(world)
    await start(world)
    await world.play_round()
    assert (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).round.number == 2
    assert [facts for facts in await announce(world) if facts.left is not None] == []
    assert await pass_minutes(world, 40) == []


@pytest.mark.long
async def test_a_round_open_again_warns_as_before(world: World) -> None:
    await live(world, advance="manual")
    view = await start(world)
    await announce(world)
    world.later(minutes=5)
    await world.play_round()
    await world.db.write(rounds_by_hand.close, organiser(world))
    world.later(minutes=1)
    await world.db.write(clearing.clear, organiser(world), match=view.matches[0].match.id, reason="wrong table")
    assert await pass_minutes(world, 40) == [(19, 10), (24, 5), (29, 0)]


@pytest.mark.long
async def test_a_round_open_again_has_only_the_warnings_to_come(world: World) -> None:
    await live(world, advance="manual")
    view = await start(world)
    await announce(world)
    await world.play_round()
    await world.db.write(rounds_by_hand.close, organiser(world))
    world.later(minutes=27)
    cleared = await world.db.write(
        clearing.clear, organiser(world), match=view.matches[0].match.id, reason="wrong table"
    )
    assert cleared.deadline is not None
    assert cleared.deadline > world.now + timedelta(minutes=8)
    assert await pass_minutes(world, 40) == []  # its players were told their own end


async def test_time_is_called_only_for_matches_that_end_then(world: World) -> None:
    await live(world)
    first, second = (await start(world)).matches
    world.later(minutes=5)
    await world.lose(first.lower.name)
    world.later(minutes=25)
    await announce(world)
    await world.db.write(clearing.clear, organiser(world), match=first.match.id, reason="wrong table")
    world.later(minutes=5)
    (called,) = await announce(world)
    assert (called.left, set(called.ping_ids)) == (0, {side.discord_id for side in second.sides})


@pytest.mark.long
async def test_nobody_is_warned_where_all_results_are_in(world: World) -> None:
    await live(world, advance="manual")
    await start(world)
    await announce(world)
    await world.play_round()
    assert await pass_minutes(world, 40) == []


async def test_a_round_that_waits_for_its_deadline_goes_on_without_a_clock(world: World) -> None:
    await live(world, advance="deadline")
    await world.play_round()
    view = await world.db.read(posted_round, organiser(world))
    assert (view.round.number, view.round.phase) == (2, RoundPhase.OPEN)


async def test_with_a_clock_it_waits_for_its_end(world: World) -> None:
    await live(world, advance="deadline")
    await start(world)
    await world.play_round()
    assert (await world.db.read(posted_round, organiser(world))).round.number == 1
    await steps.tick(world.db, world.later(minutes=36))
    assert (await world.db.read(posted_round, organiser(world))).round.number == 2


async def test_a_match_open_again_in_a_pause_ends_by_the_clock(world: World) -> None:
    await live(world)
    match = (await start(world)).matches[0]
    world.later(minutes=5)
    await world.lose(match.lower.name)
    with pytest.raises(ConfirmationNeeded, match="The clock of round 1 runs on") as asked:
        await world.db.write(pausing.pause, organiser(world), until=world.now + timedelta(days=7), agreed="")
    for_a_week = {"until": world.now + timedelta(days=7), "agreed": asked.value.token}
    await world.db.write(pausing.pause, organiser(world), **for_a_week)
    world.later(minutes=25)
    cleared = await world.db.write(clearing.clear, organiser(world), match=match.match.id, reason="wrong table")
    assert cleared.deadline is not None
    assert cleared.deadline < world.now + timedelta(hours=1)
    await world.db.write(pausing.end, organiser(world))
    await steps.tick(world.db, world.later(hours=1))
    assert (await world.match_of(match.upper.name)).match.overdue_at is not None


async def test_unreported_matches_are_late_some_minutes_after_time(world: World) -> None:
    await live(world, overdue="extend")
    await start(world)
    world.later(minutes=45)
    await steps.tick(world.db, world.now)
    assert await world.posts("overdue") == ()
    world.later(minutes=6)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("overdue")) == 1


@pytest.mark.long
async def test_a_live_round_is_taken_back_with_its_clock(world: World) -> None:
    await live(world)
    await start(world)
    await announce(world)
    await world.db.write(
        rounds_by_hand.undo, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="wrong room"
    )
    await announce(world)
    assert await pass_minutes(world, 40) == []
    await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await start(world)
    assert len(await announce(world)) == 1


async def test_days_have_no_clock_and_clocks_no_days(world: World) -> None:
    await live(world)
    with pytest.raises(WrongPhase, match="/round start-clock"):
        await world.db.write(
            rounds_by_hand.extend, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), days=2
        )
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="rain"
    )
    await world.begin(4, "keyforge-swiss")
    with pytest.raises(WrongPhase, match="last days, so"):
        await start(world)


async def test_there_has_to_be_something_to_time(world: World) -> None:
    with pytest.raises(WrongPhase):
        await start(world)
    await live(world, advance="manual")
    await world.play_round()
    with pytest.raises(WrongPhase, match="nothing left to time"):
        await start(world)
    await world.db.write(rounds_by_hand.close, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    with pytest.raises(WrongPhase, match="No round is open"):
        await start(world)


@pytest.mark.parametrize("minutes", [0, -5, 1441])
async def test_the_minutes_have_to_be_possible(world: World, minutes: int) -> None:
    await live(world)
    with pytest.raises(Invalid, match="round lasts 1 to 1440"):
        await start(world, minutes)


@pytest.mark.parametrize(("actor", "refusal"), [(STRANGER, NotAllowed), (MODERATOR, NotAllowed), (FOREIGNER, NotFound)])
async def test_only_organisers_start_the_clock(world: World, actor: Actor, refusal: type[LeagueError]) -> None:
    await live(world)
    with pytest.raises(refusal):
        await world.db.write(timer.start, Order(actor=actor, now=world.now, league_id=world.league_id))


@pytest.mark.long
async def test_a_whole_live_season_goes_by_the_clock(world: World) -> None:
    await live(world, players=8, rounds=3, cut=2)
    for number in range(1, 5):
        view = await start(world)
        assert view.round.number == number
        assert [facts.left for facts in await announce(world)] == [None]
        length = 35 if number < 4 else 50
        assert await pass_minutes(world, length) == [(length - 10, 10), (length - 5, 5), (length, 0)]
        await world.play_round()
        await announce(world)
    over = await world.status()
    assert (over.season.phase, over.champion is not None) == ("finished", True)


@pytest.mark.parametrize("days", [0, -1, 366])
def test_a_deadline_moves_by_a_day_at_least(days: int) -> None:
    with pytest.raises(Invalid, match=f"moved by 1 to 365 days, not by {days}"):
        time_to_play.more_days(days)
