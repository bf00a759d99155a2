"""How people choose to be told, and what they are told in the way they chose."""

import pytest

from tests.cogs.conftest import World, labels, message_text, selects_of, text_of


@pytest.mark.long
async def test_a_choice_is_kept_and_shown_and_survives_a_restart(world: World) -> None:
    await world.started(players=2)
    ada = world.player("Ada")
    card = await ada.slash(world.channel, "notify")
    assert card.ephemeral
    assert "tells you" in text_of(card)
    assert [option.label for option in selects_of(card.response)["pick:fp:notify:1:question"]] == [
        "Mention me in the channel",
        "Direct message",
    ]
    await world.restart()
    assert card.response is not None
    await ada.select(card.response, values=["off"], custom_id="pick:fp:notify:1:news")
    again = await ada.slash(world.channel, "notify")
    shown = selects_of(again.response).items()
    assert {name: [one.value for one in options if one.default] for name, options in shown} == {
        "pick:fp:notify:1:question": ["mention"],
        "pick:fp:notify:1:round": ["mention"],
        "pick:fp:notify:1:time": ["mention"],
        "pick:fp:notify:1:deadline": ["mention"],
        "pick:fp:notify:1:news": ["off"],
    }


@pytest.mark.long
async def test_a_question_in_a_direct_message_is_answered_there_and_deleted(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    card = await lower.slash(world.channel, "notify")
    assert card.response is not None
    await lower.select(card.response, values=["direct"], custom_id="pick:fp:notify:1:question")
    assert not lower.user.dm_channel.history(), "choosing sends nothing"
    await world.report(upper, "won", post)
    (question,) = lower.user.dm_channel.history()
    assert "Is that right?" in message_text(question)
    assert labels(question) == ["Confirm", "Dispute"]
    assert not world.posts("Is that right?")
    done = await lower.user.click(question, label="Confirm")
    assert "It counts now" in text_of(done)
    assert not lower.user.dm_channel.history()


async def test_someone_who_never_signed_up_is_told_to(world: World) -> None:
    await world.league()
    assert "You haven't signed up in Arena League yet" in text_of(await world.outsider.slash(world.channel, "notify"))
