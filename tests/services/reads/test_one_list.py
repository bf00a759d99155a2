"""What waits for moderators is one list: inbox, help, status and the daily reminder count the same."""

from typing import Any

from bot.services import clock
from bot.services.base.permissions import BOT
from bot.services.play import reporting
from bot.services.reads import guidance, inbox, overview, questions
from tests.services.conftest import MODERATOR, ORGANISER, World


async def counted(world: World) -> tuple[int, str, str]:
    """Return how many things wait, what help says about it, and what the status says."""
    who: dict[str, Any] = {"now": world.now, "league_id": world.league_id}
    found = await inbox.inbox(world.db, actor=MODERATOR, **who)
    told = (await guidance.guidance(world.db, actor=MODERATOR, **who)).parts["As a moderator"][0]
    return found.count, told, (await overview.status(world.db, actor=ORGANISER, league_id=world.league_id)).next_step


async def test_help_says_nothing_waits_only_where_the_inbox_is_empty(world: World) -> None:
    await world.begin(4)
    count, told, status = await counted(world)
    assert (count, told.startswith("Nothing waits for you")) == (0, True)
    assert "/disputes" not in status
    match = (await questions.current(world.db, actor=BOT, league_id=world.league_id)).matches[0]
    upper = world.player(match.upper.name)
    await reporting.report(world.db, actor=upper, now=world.now, match=match.match.id, result="won")
    count, told, status = await counted(world)
    assert count == 1, "an unanswered report"
    assert told.startswith("1 thing waits for you")
    assert "1 thing waits for you: /disputes" in status


async def test_a_report_in_time_and_a_round_to_go_on_by_hand_are_mentioned_after_a_day(world: World) -> None:
    await world.begin(4, advance="manual", confirm_hours=72)
    await world.lose((await questions.current(world.db, actor=BOT, league_id=world.league_id)).matches[0].lower.name)
    match = (await questions.current(world.db, actor=BOT, league_id=world.league_id)).matches[1]
    upper = world.player(match.upper.name)
    await reporting.report(world.db, actor=upper, now=world.now, match=match.match.id, result="won")
    await world.announce()
    world.later(hours=49)
    await clock.tick(world.db, world.now)
    assert await world.posts("waiting") == (), "it counts by itself, and nobody has to do anything"
    world.later(hours=24)
    await clock.tick(world.db, world.now)
    await world.announce()
    found = await inbox.inbox(world.db, actor=MODERATOR, now=world.now, league_id=world.league_id)
    assert [row.number for row in found.rounds] == [1]
    world.later(hours=24)
    await clock.tick(world.db, world.now)
    assert len(await world.posts("waiting")) == 1
