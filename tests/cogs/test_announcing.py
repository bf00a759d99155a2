"""Announcements as organisers make them: a preview, a post, and mentions of the people it is for alone."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.hostile import TEXTS


async def test_an_organiser_sees_a_preview_and_posts_it_once(world: World) -> None:
    await world.league()
    await world.season(players=3)
    role = world.roles["moderator_role"]
    text = f"**Hi** @everyone <@&{role.id}> <@{world.outsider.id}>: use /signup"
    asked, again = [await world.organiser.slash(world.channel, "announce", text=text) for _ in range(2)]
    assert asked.ephemeral
    assert "**Mentions 3 players**: Ada, Bruno, " in text_of(asked)
    assert labels(asked.response) == ["Post it", "Don't post"]
    assert not world.posts("from the organisers")
    done = await world.organiser.click(asked.response, label="Post it")
    assert "3 players of season 1 will be told" in text_of(done)
    post = world.post("from the organisers")
    assert world.pinged(post) == ({player.id for player in world.players[:3]}, set())
    assert "**Hi**" in message_text(post)
    twice = await world.organiser.click(again.response, label="Post it")
    assert "less than a minute ago" in text_of(twice)
    assert len(world.posts("from the organisers")) == 1
    assert "told players something" in text_of(await world.organiser.slash(world.channel, "league audit"))


@pytest.mark.long
async def test_whatever_is_typed_mentions_no_one_else(world: World) -> None:
    await world.league()
    await world.season(players=2)
    for text in TEXTS:
        asked = await world.organiser.slash(world.channel, "announce", text=text[:1800])
        if "Post it" in labels(asked.response):
            await world.organiser.click(asked.response, label="Post it")
            assert world.pinged(world.posts("from the organisers")[-1])[0] == {one.id for one in world.players[:2]}
            assert not world.posts("@everyone")
            await world.jump(minutes=2)
    assert len(world.posts("from the organisers")) == len(TEXTS) - 1, "spaces alone say nothing"


@pytest.mark.long
async def test_the_longest_text_fits(world: World) -> None:
    await world.league()
    await world.season(players=8)
    asked = await world.organiser.slash(world.channel, "announce", text="é" * 1799 + ".", to="in")
    await world.organiser.click(asked.response, label="Post it")
    assert "é." in message_text(world.post("from the organisers"))
