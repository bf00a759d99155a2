"""Profiles as people see them: private, with a picture, all of it as text, shown to everyone without a "you"."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_champion import play_out
from tests.cogs.test_private_tables import SHOW, first_round, shown


@pytest.mark.long
async def test_a_profile_is_private_has_a_picture_and_is_shown_to_everyone(world: World) -> None:
    await first_round(world)
    ada = world.player("Ada")
    match = next(row for row in world.open_matches() if ada in world.sides(row))
    [name] = [str(side.user.global_name) for side in world.sides(match) if side is not ada]
    await world.report(ada, "lost", match)
    answer = await ada.slash(world.channel, "profile", player=name)
    assert answer.ephemeral
    assert answer.response is not None
    assert [file.filename for file in answer.response.message.attachments] == ["rating.png"]
    assert labels(answer.response) == ["Head-to-head", "All seasons", "As text", SHOW]
    text = text_of(answer)
    assert "You two" in text
    assert "You're **" in text
    as_text = text_of(await ada.click(answer.response, label="As text"))
    assert "Seasons" in as_text
    assert name in as_text
    met = text_of(await ada.click(answer.response, label="Head-to-head"))
    assert "**Ada** · 1–0" in met
    assert f"Season 1, round 2: {name} won" in met
    assert "**1** ·" in text_of(await ada.click(answer.response, label="All seasons"))
    await ada.click(answer.response, label=SHOW)
    [post] = shown(world)
    assert "You" not in post
    assert f"Ada and {name}" in post
    [message] = [one for one in world.channel.history() if "Shown by" in message_text(one)]
    assert "As text" in labels(message)
    assert SHOW not in labels(message)
    other = await world.outsider.click(message, label="As text")
    assert other.ephemeral
    assert "You two" not in text_of(other)


@pytest.mark.long
async def test_the_menu_of_a_member_shows_the_same(world: World) -> None:
    await first_round(world)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    by_menu = await ada.context_menu(world.channel, "League profile", bruno)
    assert by_menu.ephemeral
    assert text_of(by_menu) == text_of(await ada.slash(world.channel, "profile", player="Bruno"))
    missing = await ada.context_menu(world.channel, "League profile", world.outsider)
    assert text_of(missing) == f"<@{world.outsider.id}> hasn't joined a league here yet."
    own = await world.outsider.context_menu(world.channel, "League profile", world.outsider)
    assert "You haven't joined a league here yet. Join one with" in text_of(own)


async def test_a_profile_before_the_first_match_has_no_picture(world: World) -> None:
    await world.league()
    await world.season(players=2)
    answer = await world.player("Ada").slash(world.channel, "profile")
    assert answer.response is not None
    assert answer.response.message.attachments == []
    assert "Signed up for season 1." in text_of(answer)
    assert labels(answer.response) == ["As text", SHOW]


@pytest.mark.long
async def test_champions_are_listed_with_their_finals(world: World) -> None:
    await world.league()
    await world.season(players=2)
    nothing = await world.player("Ada").slash(world.channel, "champions")
    assert nothing.ephemeral
    assert "No season has been played to its end yet." in text_of(nothing)
    await world.organiser.slash(world.channel, "season start")
    await play_out(world)
    answer = await world.outsider.slash(world.channel, "champions")
    assert "**1** · 🏆 **" in text_of(answer)
    assert "**Bruno**: 5 wins in a row (season 1, round 1 to final)\nMost matches · **Ada**, **Bruno**" in text_of(
        answer
    )
    assert SHOW in labels(answer.response)
    profile = text_of(await world.outsider.slash(world.channel, "profile", player="Ada"))
    assert "Next match" not in profile
