"""Agreeing on a time: zones, proposed and typed times, the answer, reminders, the schedule."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from storage.files.server_rows import REGION
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of

BERLIN, ANGELES = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Los_Angeles")


async def live_in(world: World, player: MemberActor, zone: str, **more: str) -> InteractionResult:
    return await player.slash(world.channel, "availability", time_zone=zone, **more)


async def jump_to(world: World, moment: datetime) -> None:
    await world.jump(seconds=(moment - world.now()).total_seconds())


def pick(select: list[discord.SelectOption], words: str) -> str:
    return next(option.value for option in select if words in f"{option.label} {option.description}")


async def proposing(world: World, player: MemberActor) -> InteractionResult:
    mine = await player.slash(world.channel, "match")
    assert mine.response is not None
    return await player.click(mine.response, label="Propose times")


@pytest.mark.long
async def test_berlin_and_los_angeles_agree_in_at_most_four_presses_each_in_the_week_clocks_change(
    world: World,
) -> None:
    await jump_to(world, datetime(2026, 10, 26, 12, tzinfo=UTC))
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    await live_in(world, upper, "Europe/Berlin", hours="mon-fri 18-22, sun 17-22")
    await live_in(world, lower, "america/los angeles", hours="daily 9-14")
    assert "13:00 (1 pm) for" in text_of(await upper.slash(world.channel, "match")), "the deadline on both clocks"
    assert "13:00 (1 pm) for" not in text_of(await world.press(world.outsider, world.open_matches()[0]))
    offered = await proposing(world, upper)  # press 1
    assert offered.response is not None
    ((custom_id, options),) = selects_of(offered.response).items()
    assert "in both your hours" in (options[0].description or "")
    # Berlin has left daylight saving time already, Los Angeles hasn't: eight hours until Sunday, nine from then on.
    friday = pick(options, "Fri 30 Oct, 19:00 (7 pm)")
    sunday = pick(options, "Sun 1 Nov, 19:00 (7 pm)")
    assert "Fri 30 Oct, 11:00 (11 am) for" in next(o.description or "" for o in options if o.value == friday)
    assert "Sun 1 Nov, 10:00 (10 am) for" in next(o.description or "" for o in options if o.value == sunday)
    chosen = await upper.select(offered.response, values=[sunday, friday], custom_id=custom_id)  # press 2
    assert chosen.response is not None
    done = await upper.click(chosen.response, label="Send")  # press 3
    assert "Sent to" in text_of(done)
    asked = world.post("proposes times")
    assert world.pinged(asked)[0] == {lower.user.id}
    assert labels(asked) == ["1. Fri 30 Oct, 11:00 (11 am)", "2. Sun 1 Nov, 10:00 (10 am)", "None of these work"]
    agreed = await lower.click(asked, label="2. Sun 1 Nov, 10:00 (10 am)")  # the opponent's press 1
    start = datetime(2026, 11, 1, 19, tzinfo=BERLIN)
    assert start == datetime(2026, 11, 1, 10, tzinfo=ANGELES)
    assert f"<t:{int(start.timestamp())}:F>" in text_of(agreed)
    assert not world.posts("proposes times"), "the question is tidied away"
    told = world.post("Agreed:")
    assert world.pinged(told)[0] == {upper.user.id}
    assert "19:00 (7 pm) for" in message_text(told)
    assert f"🗓 Agreed: <t:{int(start.timestamp())}:R> · <t:{int(start.timestamp())}:F>" in world.rows()[0].text
    assert f"🗓 **<t:{int(start.timestamp())}:F>" in text_of(await lower.slash(world.channel, "match"))


@pytest.mark.long
async def test_who_proposes_times_to_someone_who_is_told_of_none_reads_that_they_have_to_say_so(world: World) -> None:
    await jump_to(world, datetime(2026, 11, 21, 12, tzinfo=UTC))
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    for player in (upper, lower):
        await live_in(world, player, "Europe/Berlin")
    card = await lower.slash(world.channel, "notify")
    assert card.response is not None
    await lower.select(card.response, values=["off"], custom_id="pick:fp:notify:1:time")
    offered = await proposing(world, upper)
    assert offered.response is not None
    ((custom_id, options),) = selects_of(offered.response).items()
    chosen = await upper.select(offered.response, values=[options[0].value], custom_id=custom_id)
    assert chosen.response is not None
    assert "gets no messages about times" in text_of(await upper.click(chosen.response, label="Send"))
    assert not world.posts("proposes times")
    shown = await lower.slash(world.channel, "match")
    assert "None of these work" in labels(shown.response), "there they can accept it"


@pytest.mark.long
async def test_someone_without_a_zone_is_asked_for_it_and_then_goes_on(world: World) -> None:
    await jump_to(world, datetime(2026, 11, 21, 12, tzinfo=UTC))
    await world.started(players=2)
    ada = world.player("Ada")
    asked = await proposing(world, ada)
    assert "What time is it for you now?" in text_of(asked)
    assert asked.response is not None
    east = list(selects_of(asked.response).items())[1]
    assert len(east[1]) <= 25
    city = await ada.select(asked.response, values=[pick(east[1], "17:30 (5:30 pm)")], custom_id=east[0])
    assert city.response is not None
    ((custom_id, cities),) = selects_of(city.response).items()
    offered = await ada.select(city.response, values=[pick(cities, "Kolkata")], custom_id=custom_id)
    assert "They're in your own time, Kolkata" in text_of(offered)
    shown = await ada.slash(world.channel, "availability")
    assert "Kolkata, where it's Saturday 17:3" in text_of(shown)


async def test_weekly_hours_are_shown_as_they_were_understood(world: World) -> None:
    await world.league()
    ada = world.player("Ada")
    assert "Set your time zone first" in text_of(await ada.slash(world.channel, "availability", hours="fri 18-20"))
    card = await live_in(world, ada, "Europe/Berlin")
    assert card.response is not None
    form = await ada.click(card.response, label="Weekly hours")
    done = await ada.submit_modal(form, {"hours": "mon-fri 6pm-10pm; sun 10-18"})
    assert "Mon–Fri 18:00–22:00, Sun 10:00–18:00" in text_of(done)


async def typed(world: World, player: MemberActor, words: str) -> InteractionResult:
    offered = await proposing(world, player)
    assert offered.response is not None
    form = await player.click(offered.response, label="Other time")
    return await player.submit_modal(form, {"when": words})


@pytest.mark.long
async def test_a_typed_time_is_shown_as_understood_asked_about_or_refused(world: World) -> None:
    await jump_to(world, datetime(2026, 12, 5, 12, tzinfo=UTC))
    await world.started(players=2, round_days=30)
    ada = world.player("Ada")
    await live_in(world, ada, "Europe/Berlin")
    sure = await typed(world, ada, "11.12. 20:00")
    assert "Friday, 11 December 2026, 20:00 (8 pm) in Berlin is" in text_of(sure)
    asked = await typed(world, ada, "11/12 8pm")
    assert "Which one do you mean?" in text_of(asked)
    assert labels(asked.response)[:2] == [
        "Friday, 11 December 2026, 20:00 (8 pm)",
        "Friday, 12 November 2027, 20:00 (8 pm)",
    ]
    assert "has passed" in text_of(await typed(world, ada, "today 10:00 am"))
    assert "is after the deadline" in text_of(await typed(world, ada, "2027-02-01 20:00"))
    assert "isn't a day and a time" in text_of(await typed(world, ada, "whenever"))
    assert not world.posts("proposes")
    assert asked.response is not None
    await ada.click(asked.response, label="Friday, 11 December 2026, 20:00 (8 pm)")
    assert world.posts("proposes a time")


@pytest.mark.long
async def test_none_of_these_work_proposes_back_and_an_old_button_is_answered(world: World) -> None:
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    await live_in(world, upper, "Europe/Berlin")
    await live_in(world, lower, "Asia/Tokyo")
    for player, others in ((upper, False), (lower, True)):
        old = world.post("proposes") if others else None
        offered = await (player.click(old, label="None of these work") if old else proposing(world, player))
        assert offered.response is not None
        ((custom_id, options),) = selects_of(offered.response).items()
        chosen = await player.select(offered.response, values=[options[-1 - others].value], custom_id=custom_id)
        assert chosen.response is not None
        await player.click(chosen.response, label="Send")
    (question,) = world.posts("proposes")
    assert world.pinged(question)[0] == {upper.user.id}
    assert "Only" in text_of(await world.outsider.click(question, label=labels(question)[0]))
    assert "You proposed these times yourself" in text_of(await lower.click(question, label=labels(question)[0]))
    await world.restart()
    mine = await upper.slash(world.channel, "match")
    assert mine.response is not None
    assert "Agreed: you play" in text_of(await upper.click(question, label=labels(question)[0]))
    assert "agreed on a time already" in text_of(await upper.click(mine.response, label=labels(question)[0]))


async def agree(world: World, upper: MemberActor, lower: MemberActor) -> None:
    """Let two players agree to play at 20:00 on 24 November."""
    await live_in(world, upper, "Europe/London")
    asked = await typed(world, upper, "2026-11-24 20:00")
    assert asked.response is not None
    await upper.click(asked.response, label="Send")
    await lower.click(world.post("proposes"), label="Time 1")


@pytest.mark.long
async def test_both_are_reminded_a_day_and_an_hour_before_and_not_after_a_result(world: World) -> None:
    await jump_to(world, datetime(2026, 11, 21, 12, tzinfo=UTC))
    await world.started(players=4)
    rows = world.open_matches()
    for row in rows:
        upper, lower = world.sides(row)
        await agree(world, upper, lower)
    await jump_to(world, datetime(2026, 11, 23, 20, 1, tzinfo=UTC))
    assert len(world.posts("Soon:")) == 2
    first = world.sides(rows[0])
    assert {one.user.id for one in first} in [world.pinged(post)[0] for post in world.posts("Soon:")]
    await world.report(first[0], "lost", world.fresh(rows[0]))
    assert len(world.posts("Soon:")) == 1
    await jump_to(world, datetime(2026, 11, 24, 19, 1, tzinfo=UTC))
    assert len(world.posts("Soon:")) == 2, "the match that is still open, a day and an hour before"


@pytest.mark.long
async def test_what_was_deleted_about_a_time_that_has_passed_is_not_posted_again(world: World) -> None:
    await jump_to(world, datetime(2026, 11, 21, 12, tzinfo=UTC))
    await world.started(players=4)
    upper, lower = world.sides(world.open_matches()[0])
    await agree(world, upper, lower)
    await jump_to(world, datetime(2026, 11, 24, 19, 1, tzinfo=UTC))
    assert len(world.posts("### 🗓")) == 2, "what is agreed, and that it's soon"
    for post in world.posts("### 🗓"):
        await world.chief.delete(post)
    await jump_to(world, datetime(2026, 11, 24, 20, 1, tzinfo=UTC))
    asked = await world.organiser.slash(world.channel, "player forget", player="Ada")
    for _ in range(2):
        asked = await world.organiser.click(asked.response, label="Forget them")
    await world.jump(minutes=2)
    assert "Player " in message_text(world.post("Round 1")), "each post of the season was made again"
    assert world.posts("### 🗓") == []


@pytest.mark.long
async def test_at_half_of_a_round_the_players_are_told_and_the_moderators_hear_nothing(world: World) -> None:
    await world.started(players=4)
    rows = world.open_matches()
    upper, _ = world.sides(rows[0])
    await live_in(world, upper, "Europe/London")
    await world.jump(days=2)
    asked = await typed(world, upper, "in 60 hours")
    assert asked.response is not None
    await upper.click(asked.response, label="Send")
    await world.jump(days=1.6)
    (reminder,) = world.posts(": still to play")
    assert set(world.pinged(reminder)[0]) == {side.user.id for row in rows for side in world.sides(row)}
    assert world.posts("", world.back_room) == []
    inbox = await world.moderator.slash(world.back_room, "disputes")
    assert "Nothing needs you" in text_of(inbox)
    schedule = await world.outsider.slash(world.channel, "schedule")
    assert schedule.ephemeral
    assert "Times proposed" in text_of(schedule)
    assert "Nothing proposed yet" in text_of(schedule)
    assert schedule.response is not None
    assert labels(schedule.response) == ["Calendar file", "Show to everyone"]


@pytest.mark.long
@pytest.mark.parametrize("moved", [False, True])
async def test_times_in_a_direct_message_are_answered_there(world: World, *, moved: bool) -> None:
    """`moved` gives ids as they are in a database that a server was moved to."""
    if moved:
        with contextlib.closing(sqlite3.connect(world.env.bot.database.path, isolation_level=None)) as conn:
            counted = "SELECT name, ? FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
            conn.execute(f"INSERT INTO sqlite_sequence (name, seq) {counted}", (1000 * REGION,))
    await world.league()
    await world.season(players=2)
    assert "has started" in text_of(await world.organiser.slash(world.channel, "season start"))
    upper, lower = world.sides(world.open_matches()[0])
    card = await lower.slash(world.channel, "notify")
    assert card.response is not None
    time = next(custom_id for custom_id in selects_of(card.response) if custom_id.endswith(":time"))
    await lower.select(card.response, values=["direct"], custom_id=time)
    await live_in(world, upper, "Europe/Berlin")
    chosen = await typed(world, upper, "in 5 hours")
    assert chosen.response is not None
    await upper.click(chosen.response, label="Send")
    assert not world.posts("proposes")
    (question,) = lower.user.dm_channel.history()
    zone = await lower.user.click(question, label="None of these work")
    assert zone.response is not None
    west = next(iter(selects_of(zone.response)))
    city = await lower.user.select(zone.response, values=["-180"], custom_id=west)
    assert city.response is not None
    ((custom_id, cities),) = selects_of(city.response).items()
    longest = max((one.value for one in cities), key=len)
    offered = await lower.user.select(city.response, values=[longest], custom_id=custom_id)
    assert offered.response is not None
    form = await lower.user.click(offered.response, label="Other time")
    back = await lower.user.submit_modal(form, {"when": "in 7h"})
    assert back.response is not None
    await lower.user.click(back.response, label="Send")
    assert not lower.user.dm_channel.history(), "the question is tidied away"
    await upper.click(world.post("proposes a time"), label=labels(world.post("proposes a time"))[0])
    (told,) = lower.user.dm_channel.history()
    assert "Agreed" in message_text(told)


@pytest.mark.long
async def test_proposed_times_that_have_all_passed_make_room_for_others(world: World) -> None:
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    await live_in(world, upper, "Europe/Berlin")
    offered = await proposing(world, upper)
    assert offered.response is not None
    ((custom_id, options),) = selects_of(offered.response).items()
    chosen = await upper.select(offered.response, values=[options[0].value], custom_id=custom_id)
    assert chosen.response is not None
    await upper.click(chosen.response, label="Send")
    waiting = await lower.slash(world.channel, "match")
    assert "None of these work" in labels(waiting.response)
    assert "waiting for" in text_of(await lower.slash(world.channel, "schedule"))
    await world.jump(days=2)
    passed = await lower.click(world.post("proposes a time"), label=labels(world.post("proposes a time"))[0])
    assert "To propose others, press None of these work" in text_of(passed)
    for player in (upper, lower):
        mine = await player.slash(world.channel, "match")
        assert "Agree on a time with **Propose times**" in text_of(mine)
        assert "None of these work" not in labels(mine.response)
    assert "waiting for" not in text_of(await lower.slash(world.channel, "schedule"))
