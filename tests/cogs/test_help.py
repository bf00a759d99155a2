"""`/help` says what each person can do at this moment, and nothing that only others can."""

import pytest
from simcord.actors import MemberActor

from tests.cogs.conftest import World, text_of


async def helped(world: World, person: MemberActor) -> str:
    answer = await person.slash(world.channel, "help")
    assert answer.ephemeral
    return text_of(answer)


async def test_without_a_league_the_steps_are_for_those_who_can_take_them(world: World) -> None:
    assert "1. `/league create`" in await helped(world, world.chief)
    newcomer = await helped(world, world.outsider)
    assert "Someone with Manage Server can set one up" in newcomer
    assert "/league create" not in newcomer


@pytest.mark.long
async def test_help_follows_the_season(world: World) -> None:
    ada, bruno = world.players[:2]
    await world.league()
    assert "No season is running" in await helped(world, ada)
    assert "`/season create`" in await helped(world, world.organiser)
    await world.season(players=2)
    assert "Join season 1 with `/signup`." in await helped(world, world.outsider)
    assert "`/season start`" in await helped(world, world.organiser)
    assert "/season start" not in await helped(world, ada)
    await world.organiser.slash(world.channel, "season start")
    assert "or uses `/report`." in await helped(world, ada)
    assert "says first what missed rounds cost" in await helped(world, world.outsider)
    assert "Nothing waits for you" in await helped(world, world.moderator)
    await ada.slash(world.channel, "report", result="won")
    assert "Answer with `/confirm` or `/dispute`." in await helped(world, bruno)
    assert "Nothing waits for you" in await helped(world, world.moderator), "the opponent is asked first"
    await bruno.slash(world.channel, "dispute", reason="I won")
    waiting = await helped(world, world.moderator)
    assert "1 thing waits for you: `/disputes`" in waiting
    assert "organiser" not in waiting
    assert "moderator" not in (await helped(world, ada)).replace("The moderators will decide", "")
