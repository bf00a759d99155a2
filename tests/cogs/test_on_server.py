"""Players who left the server, and players who have a new Discord account."""

from typing import Any

import discord
import pytest

from cogs.runtime.on_server import PAUSE_SECONDS, SECONDS
from tests.cogs.conftest import World, labels, message_text, text_of


async def until_looked_for(world: World) -> None:
    """Let enough time pass for everyone to be looked for once."""
    await world.env.advance_time(PAUSE_SECONDS + 1)
    await world.env.advance_time(SECONDS + 1)


async def test_someone_gone_is_noticed_and_organisers_decide(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    world.guild.remove_member(lower)
    await until_looked_for(world)
    question = world.post("does ", world.back_room)
    name = lower.user.global_name or ""
    assert "isn't on the server any more" in message_text(question)
    assert f"{name} leaves season 1 and forfeits the open match" in message_text(question)
    assert labels(question) == [f"{name} stays", f"{name} leaves the season"]
    told = world.post("The organisers decide")
    assert world.pinged(told) == ({upper.id}, set())
    refused = await world.moderator.click(question, label=f"{name} stays")
    assert "Only organisers" in text_of(refused)
    await world.restart()
    asked = await world.organiser.click(question, label=f"{name} leaves the season")
    assert "leaves season 1" in text_of(asked)
    assert asked.response is not None
    done = await world.organiser.click(asked.response, label="Drop them")
    assert f"{name} has left season 1" in text_of(done)
    assert "has left the season" in message_text(world.post("does ", world.back_room))
    assert len(world.posts("The organisers decide")) == 1


@pytest.mark.long
async def test_a_new_account_accepts_in_the_channel_and_plays_on(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    name, newcomer = upper.user.global_name or "", world.member("Newcomer")
    await world.report(lower, "won", row)
    given = {"player": name, "user": newcomer.user}
    assert "Only " in text_of(await lower.slash(world.channel, "player link", **given))
    asked = await upper.slash(world.channel, "player link", **given)
    assert f"Results, rating and history of {name} stay" in text_of(asked)
    assert asked.response is not None
    done = await upper.click(asked.response, label="Ask them")
    assert "Newcomer is asked" in text_of(done)
    await world.restart()
    question = world.post(f"Are you {name}?".replace(name, f"**{name}**"))
    assert world.pinged(question) == ({newcomer.id}, set())
    assert "Only the person mentioned" in text_of(await lower.click(question, label="That's me"))
    linked = await newcomer.click(question, label="That's me")
    assert f"You play as **{name}** now" in text_of(linked)
    assert world.pinged(world.post("plays with another account")) == ({upper.id}, set())
    again = world.post("Is that right?")
    assert world.pinged(again) == ({newcomer.id}, set())
    assert "It counts now" in text_of(await newcomer.click(again, label="Confirm"))
    assert labels(world.post("plays with this account now")) == []
    other = await world.organiser.slash(world.channel, "player link", player=name, user=lower.user)
    assert "already, as" in text_of(other)


def counted(monkeypatch: pytest.MonkeyPatch, *fails: Exception) -> list[int]:
    """Note of how many people Discord is asked at once, one by one too; the first questions fail."""
    asked: list[int] = []
    query, fetch, wrong = discord.Guild.query_members, discord.Guild.fetch_member, list(fails)

    async def query_members(guild: discord.Guild, *given: Any, **named: Any) -> Any:
        asked.append(len(named.get("user_ids") or ()))
        if wrong:
            raise wrong.pop(0)
        return await query(guild, *given, **named)

    async def fetch_member(guild: discord.Guild, person: int, /) -> discord.Member:
        asked.append(1)
        return await fetch(guild, person)

    monkeypatch.setattr(discord.Guild, "query_members", query_members)
    monkeypatch.setattr(discord.Guild, "fetch_member", fetch_member)
    return asked


@pytest.mark.long
async def test_a_league_is_looked_for_with_one_question_and_who_is_missing_once_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=8)
    world.guild.remove_member(world.sides(world.open_matches()[0])[0])
    asked = counted(monkeypatch)
    await until_looked_for(world)
    assert asked == [8, 1]
    assert len(world.posts("isn't on the server any more", world.back_room)) == 1
    await until_looked_for(world)
    assert asked == [8, 1], "once a day"


@pytest.mark.long
@pytest.mark.parametrize(
    "wrong",
    [discord.RateLimited(60), ConnectionResetError(), TimeoutError(), RuntimeError("no connection")],
    ids=lambda wrong: type(wrong).__name__,
)
async def test_where_discord_does_not_say_nobody_is_gone_and_it_is_asked_again(
    world: World, monkeypatch: pytest.MonkeyPatch, wrong: Exception
) -> None:
    await world.started(players=2)
    world.guild.remove_member(world.players[0])
    asked = counted(monkeypatch, wrong)
    await until_looked_for(world)
    assert asked == [2]
    assert not world.posts("isn't on the server any more", world.back_room)
    await until_looked_for(world)
    assert asked == [2, 2, 1]
    assert len(world.posts("isn't on the server any more", world.back_room)) == 1
