"""A break by `/season pause`: asked first, shown while it lasts, ended early by a button."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


@pytest.mark.long
async def test_a_pause_is_asked_first_told_once_and_ended_by_a_button(world: World) -> None:
    await world.started(players=4)
    asked = await world.organiser.slash(world.channel, "season pause", until="10d")
    assert "The deadline of round 1 and its reminders move by the length of the pause" in text_of(asked)
    assert labels(asked.response) == ["Pause the season", "Play on"]
    assert not world.posts("is paused")
    await world.restart()
    late = await world.organiser.click(asked.response, label="Pause the season")
    assert "This message is too old" in text_of(late)
    asked = await world.organiser.slash(world.channel, "season pause", until="10d")
    await world.env.advance_time(90)
    done = await world.organiser.click(asked.response, label="Pause the season")
    assert "Season 1 is paused until" in text_of(done)
    told = world.post("season 1 is paused")
    assert len(world.pinged(told)[0]) == 4
    assert "Paused until" in message_text(world.post("Updated <t:"))
    assert text_of(await world.players[0].slash(world.channel, "match")).count("Paused until") == 1
    assert "Paused until" in message_text(world.post("## Round 1"))
    assert "Paused until" in text_of(await world.players[0].slash(world.channel, "season status"))
    shown = await world.organiser.slash(world.channel, "season pause")
    question = await world.organiser.click(shown.response, label="End the pause")
    assert "move back by what is left of the pause" in text_of(question)
    await world.organiser.click(question.response, label="End the pause")
    assert len(world.pinged(world.post("season 1 goes on"))[0]) == 4
    assert "Paused until" not in message_text(world.post("Updated <t:"))
    assert "Paused until" not in message_text(world.post("## Round 1"))


@pytest.mark.long
async def test_the_thread_of_a_match_says_that_the_season_is_paused_as_long_as_it_is(world: World) -> None:
    await world.started(players=2, match_places="threads")
    await world.agreed("season pause", "Pause the season", until="3d")
    assert "Paused until" in message_text(world.channel.threads[0].history()[0])
    await world.jump(days=3, minutes=1)
    assert "Paused until" not in message_text(world.channel.threads[0].history()[0])


async def test_a_pause_ends_by_itself_and_players_cannot_pause(world: World) -> None:
    await world.started(players=2)
    refused = await world.players[0].slash(world.channel, "season pause", until="3d")
    assert "Only organisers" in text_of(refused)
    assert "Until when?" in text_of(await world.organiser.slash(world.channel, "season pause"))
    await world.agreed("season pause", "Pause the season", until="3d")
    await world.jump(days=3, minutes=1)
    assert "Paused until" not in message_text(world.post("Updated <t:"))
    assert len(world.posts("season 1 is paused")) == 1
