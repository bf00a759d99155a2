"""The menus of members and messages: the same as the buttons, for the two of a match, and a sentence for others."""

from typing import Any

import pytest
from discord import AppCommandType

from tests.cogs.conftest import World, labels, text_of


async def test_there_is_room_for_all_menus(world: World) -> None:
    bot: Any = world.env.bot
    tree = bot.tree
    names = {kind: [one.name for one in tree.get_commands(type=kind)] for kind in AppCommandType}
    assert names[AppCommandType.user] == ["Report our match", "Propose a time", "League profile"]
    assert names[AppCommandType.message] == ["Report this match"]


@pytest.mark.long
async def test_propose_a_time_on_the_opponent(world: World) -> None:
    await world.started(players=4, rounds=2)
    match = world.open_matches()[0]
    upper, lower = world.sides(match)
    other = next(player for player in world.players[:4] if player not in (upper, lower))
    by_menu = await upper.context_menu(world.channel, "Propose a time", lower)
    assert by_menu.ephemeral
    card = await upper.slash(world.channel, "match")
    assert card.response is not None
    by_button = await upper.click(card.response, label="Propose times")
    assert text_of(by_menu) == text_of(by_button)
    assert labels(by_menu.response) == labels(by_button.response)
    assert "That's you" in text_of(await upper.context_menu(world.channel, "Propose a time", upper))
    for stranger, target in ((upper, other), (world.outsider, upper)):
        answer = await stranger.context_menu(world.channel, "Propose a time", target)
        assert answer.ephemeral
        assert text_of(answer) == "You have no open match with them. `/match` shows who you play."


@pytest.mark.long
async def test_report_on_the_pairings_is_ones_own_match(world: World) -> None:
    await world.started(players=4, rounds=2)
    match = world.open_matches()[0]
    upper, lower = world.sides(match)
    form = await lower.context_menu(world.channel, "Report this match", match.post)
    assert form.modal is not None
    done = await lower.submit_modal(form, {"result": "lost"})
    assert "It counts now" in text_of(done)
    again = await upper.context_menu(world.channel, "Report this match", match.post)
    assert again.modal is None
    assert "You won against" in text_of(again)
    outside = await world.outsider.context_menu(world.channel, "Report this match", match.post)
    assert outside.ephemeral
    assert "You're not in season 1." in text_of(outside)


@pytest.mark.long
async def test_report_on_the_message_of_a_match_is_for_its_two_players(world: World) -> None:
    await world.started(players=4, rounds=2)
    match = world.open_matches()[0]
    upper, lower = world.sides(match)
    other = next(player for player in world.players[:4] if player not in (upper, lower))
    await world.report(upper, "won", match)
    question = world.post("Is that right?")
    refused = await other.context_menu(world.channel, "Report this match", question)
    assert refused.modal is None
    assert "Only" in text_of(refused)
    assert "can report this match." in text_of(refused)
    assert (await upper.context_menu(world.channel, "Report this match", question)).modal is not None


@pytest.mark.long
@pytest.mark.parametrize("what", ["the board", "someone's words"])
async def test_report_on_another_message_says_what_to_do(world: World, what: str) -> None:
    await world.started(players=4)
    upper = world.sides(world.open_matches()[0])[0]
    said = await upper.send(world.channel, "who won?") if what != "the board" else world.channel.history()[0]
    answer = await upper.context_menu(world.channel, "Report this match", said)
    assert answer.ephemeral
    assert "This message isn't about a match." in text_of(answer)
