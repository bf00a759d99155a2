"""Players who left the server, and players who have a new Discord account."""

from cogs.runtime.on_server import PAUSE_SECONDS
from tests.cogs.conftest import World, labels, message_text, text_of


async def until_looked_for(world: World, people: int) -> None:
    """Let enough time pass for everyone to be looked for once, one person after the other."""
    await world.env.advance_time(PAUSE_SECONDS)
    for _ in range(people):
        await world.env.advance_time(16)


async def test_someone_gone_is_noticed_and_organisers_decide(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    world.guild.remove_member(lower)
    await until_looked_for(world, 4)
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
