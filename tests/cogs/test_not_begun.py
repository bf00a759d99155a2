"""Players who haven't begun where all matches are open: asked on Discord, and what moderators press about them."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_open_groups import begun


async def test_players_are_asked_and_moderators_let_one_be(world: World) -> None:
    await begun(world, 4, first_match_days=3)
    await world.jump(days=3, minutes=2)
    (asked,) = world.posts("your first match")
    ada, moderator = world.player("Ada"), world.moderator
    assert f"<@{ada.id}>" in message_text(asked)
    assert {"My matches", "Drop out"} <= set(labels(asked))
    assert "0 of 3 played" in text_of(await ada.click(asked, label="My matches"))
    assert "You'll leave season 1" in text_of(await ada.click(asked, label="Drop out"))
    await world.jump(hours=25)
    waiting = await moderator.slash(world.channel, "disputes")
    assert "Players who haven't begun" in text_of(waiting)
    assert "All of Ada…" in labels(waiting.response)
    assert waiting.response is not None
    done = await moderator.click(waiting.response, label="Ada begins later")
    assert "Ada is off this list" in text_of(done)
    assert "Ada" not in text_of(await moderator.slash(world.channel, "disputes"))


@pytest.mark.long
async def test_all_matches_of_a_player_are_decided_at_once_only_where_they_have_several(world: World) -> None:
    await begun(world, 3, first_match_days=3)
    await world.jump(days=3, minutes=2)
    await world.jump(hours=25)
    await world.agreed("player drop", "Drop them", player="Chidi", reason="ill")
    waiting = await world.moderator.slash(world.channel, "disputes")
    assert "Ada begins later" in labels(waiting.response)
    assert "All of Ada…" not in labels(waiting.response)


@pytest.mark.long
async def test_the_question_says_that_it_is_settled_and_goes_when_its_time_is_over(world: World) -> None:
    await begun(world, 4, first_match_days=3)
    await world.jump(days=3, minutes=2)
    await world.player("Ada").slash(world.channel, "report", result="lost", match="Bruno")
    await world.jump(minutes=1)
    (asked,) = world.posts("your first match")
    assert "Propose times" in message_text(asked), "others have still to begin"
    await world.player("Chidi").slash(world.channel, "report", result="lost", match="Daria")
    await world.jump(minutes=1)
    (settled,) = world.posts("your first match")
    assert "that's settled" in message_text(settled)
    assert labels(settled) == []
    await world.jump(hours=25)
    assert world.posts("your first match") == []
    assert "All clear" in text_of(await world.moderator.slash(world.channel, "disputes"))
