"""A moderator decides all open matches of a player with one press, where they meet them, after one question."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_open_groups import begun, card_of, choose


@pytest.mark.long
async def test_all_matches_of_a_player_are_decided_from_the_panel_of_one(world: World) -> None:
    await begun(world, 5)
    moderator = world.moderator
    await world.player("Ada").slash(world.channel, "report", result="won", match="Bruno")
    await world.player("Bruno").slash(world.channel, "dispute", match="Ada", reason="no")
    waiting = await moderator.slash(world.channel, "disputes")
    panel = await moderator.click(
        waiting.response, label=next(label for label in labels(waiting.response) if label.startswith("Decide "))
    )
    assert "All of Ada…" in labels(panel.response)
    question = await moderator.click(panel.response, label="All of Ada…")
    text = text_of(question)
    assert "has 3 matches that no one has reported" in text
    assert "win their matches against Ada by forfeit" in text
    assert all(name in text for name in ("Chidi", "Daria", "Emil"))
    assert "left as it is: " in text
    assert "Ada stays in the season" in text
    form = await moderator.click(question.response, label="Ada forfeits 3")
    done = await moderator.submit_modal(form, {"reason": "never answered"})
    assert "All of them will be told in one message" in text_of(done)
    (post,) = world.posts("3 matches of Ada")
    assert "never answered" not in message_text(post)
    assert "win their matches against Ada by forfeit" in message_text(post)
    mine = await world.player("Ada").click(card_of(world, world.player("Ada")), label="My matches")
    assert "3 of 4 played, 1 left" in text_of(mine)
    chidi = world.player("Chidi")
    found = await chidi.slash(world.channel, "match")
    shown = await choose(chidi, found, "Ada", "details")
    assert "never answered" in text_of(shown)


@pytest.mark.long
async def test_a_moderator_finds_all_of_a_player_beside_decide_on_the_card_of_a_match_of_an_open_stage(
    world: World,
) -> None:
    await begun(world, 5)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    await ada.slash(world.channel, "report", result="won", match="Bruno")
    await bruno.slash(world.channel, "dispute", match="Ada", reason="no")
    told = next(post for post in world.channel.history() if "Details" in labels(post))
    seen = await world.moderator.click(told, label="Details")
    assert labels(seen.response)[:3] == ["Decide", "All of Bruno…", "All of Ada…"]
    question = await world.moderator.click(seen.response, label="All of Ada…")
    assert "has 3 matches that no one has reported" in text_of(question)
    assert not [label for label in labels((await ada.click(told, label="Details")).response) if "All of" in label]


async def test_the_card_of_a_match_of_other_rounds_offers_no_moderator_all_matches_of_a_player(world: World) -> None:
    await world.started(players=4, match_places="threads")
    (thread, _) = world.channel.threads
    seen = await world.moderator.click(thread.history()[0], label="Details")
    assert [label for label in labels(seen.response) if label == "Decide" or "All of" in label] == ["Decide"]
