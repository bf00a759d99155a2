"""A forgotten person on Discord: two questions, then no post of the bot shows the name any more."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


@pytest.mark.long
async def test_no_post_shows_the_name_of_a_forgotten_person(world: World) -> None:
    await world.started(players=4, format="single-elimination", match_places="threads")
    for row in world.open_matches():
        await world.report(world.sides(row)[1], "lost", row)
    final = world.open_matches()[0]
    winner, loser = world.sides(final)
    await world.report(winner, "won", final)
    name = loser.user.global_name or ""
    asked = await loser.slash(world.channel, "player forget", player=name)
    assert "is forgotten in Arena League" in text_of(asked)
    assert labels(asked.response) == ["Forget them", "Keep everything"]
    again = await loser.click(asked.response, label="Forget them")
    assert "can't be undone" in text_of(again)
    done = await loser.click(again.response, label="Forget them")
    assert "called Player " in text_of(done)
    await world.jump(minutes=5)
    shown = [message for channel in (world.channel, world.back_room) for message in channel.history()]
    assert [text for text in map(message_text, shown) if name in text] == []
    assert "A player was forgotten, so this round can't be checked any more." in message_text(world.post("Final"))
    assert not [text for text in map(message_text, shown) if "Changed by an organiser" in text]
    assert any("Player " in row.text for row in world.rows())


async def test_another_player_can_forget_nobody(world: World) -> None:
    await world.started(players=4)
    refused = await world.players[0].slash(world.channel, "player forget", player="Bruno")
    assert refused.ephemeral
    assert "Only Bruno and organisers" in text_of(refused)
