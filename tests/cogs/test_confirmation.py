"""What costs something is asked first: it says what it does and to whom, and nothing changes before the button."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of

ASKED = {
    "season cancel": ("Cancel the season", "ends now without a champion", "is cancelled"),
    "round undo": ("Undo the round", "You take back round 1: ", "You undid round 1"),
}


@pytest.mark.long
@pytest.mark.parametrize("command", ASKED)
async def test_nothing_changes_before_the_button(world: World, command: str) -> None:
    button, cost, done = ASKED[command]
    await world.started(players=4)
    before = len(world.channel.history())
    asked = await world.organiser.slash(world.channel, command, reason="snow **day**")
    assert asked.ephemeral
    assert cost in text_of(asked)
    kept = await world.organiser.click(asked.response, label="Keep it")
    assert "Nothing was changed" in text_of(kept)
    assert len(world.channel.history()) == before
    assert len(world.open_matches()) == 2
    again = await world.organiser.slash(world.channel, command, reason="snow **day**")
    assert done in text_of(await world.organiser.click(again.response, label=button))
    assert any("snow" in message_text(post) for post in world.channel.history())


@pytest.mark.long
async def test_a_question_after_a_restart_is_asked_again(world: World) -> None:
    await world.started(players=4)
    asked = await world.organiser.slash(world.channel, "season cancel", reason="snow **day**")
    assert "Reason: snow \\*\\*day" in text_of(asked)
    await world.restart()
    late = text_of(await world.organiser.click(asked.response, label="Cancel the season"))
    assert late == "This message is too old, so nothing was changed. Use the command again."
    again = await world.organiser.slash(world.channel, "season cancel", reason="snow **day**")
    assert "is cancelled" in text_of(await world.organiser.click(again.response, label="Cancel the season"))


@pytest.mark.long
async def test_a_question_works_only_once(world: World) -> None:
    await world.started(players=4)
    asked = await world.organiser.slash(world.channel, "season cancel", reason="snow")
    done = await world.organiser.click(asked.response, label="Cancel the season")
    assert "is cancelled" in text_of(done)
    assert not labels(done.response)
    assert len(world.posts("was cancelled: snow")) == 1


async def test_a_cost_that_has_changed_is_asked_again(world: World) -> None:
    await world.league()
    await world.season(players=2)
    asked = await world.organiser.slash(world.channel, "season cancel")
    assert "Players concerned (2): Ada, Bruno." in text_of(asked)
    await world.players[2].slash(world.channel, "signup")
    again = await world.organiser.click(asked.response, label="Cancel the season")
    assert "This has changed since you were asked" in text_of(again)
    assert "Players concerned (3): Ada, Bruno, Chidi." in text_of(again)
    assert "is cancelled" in text_of(await world.organiser.click(again.response, label="Cancel the season"))
