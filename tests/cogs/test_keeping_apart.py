"""Two people kept apart, as an organiser meets it: a question, the answer with what to do now, and the list."""

import pytest

from tests.cogs.conftest import World, labels, selects_of, text_of


async def test_an_organiser_keeps_two_apart_and_lets_them_meet_again(world: World) -> None:
    await world.started(players=2)
    given = {"a": "Ada", "b": "Bruno", "reason": "they @everyone asked"}
    asked, again = [await world.organiser.slash(world.channel, "player apart", **given) for _ in range(2)]
    assert asked.ephemeral
    assert labels(asked.response) == ["Keep them apart", "Leave it"]
    assert "Players can see that they are kept apart, not why." in text_of(asked)
    done = await world.organiser.click(asked.response, label="Keep them apart")
    assert "**Ada** and **Bruno** are kept apart from round 2 of season 1 on." in text_of(done)
    assert "They still play each other now (" in text_of(done)
    assert "`/round swap`" in text_of(done)
    twice = await world.organiser.click(again.response, label="Keep them apart")
    assert "are kept apart already" in text_of(twice)
    shown = await world.organiser.slash(world.channel, "league settings")
    assert "Kept apart: 1 pair" in text_of(shown)
    assert "**Ada** and **Bruno**, since season 1, round 2" in text_of(shown)
    [custom_id], [[option]] = selects_of(shown.response), selects_of(shown.response).values()
    assert option.label == "Ada and Bruno"
    form = await world.organiser.select(shown.response, [option.value], custom_id=custom_id)
    asked = await world.organiser.submit_modal(form, {"reason": "they made up"})
    done = await world.organiser.click(asked.response, label="Let them meet")
    assert "can be paired with each other again" in text_of(done)
    assert "Kept apart" not in text_of(await world.organiser.slash(world.channel, "league settings"))


@pytest.mark.long
async def test_swapping_two_who_are_kept_apart_together_is_asked_first(world: World) -> None:
    await world.started(players=4)
    one, two = world.open_matches()
    (first, opponent), (third, _) = ([who.user.global_name or "" for who in world.sides(row)] for row in (one, two))
    await world.agreed("player apart", "Keep them apart", a=first, b=third, reason="they asked")
    given = {"a": opponent, "b": third}
    asked = await world.organiser.slash(world.channel, "round swap", **given)
    assert labels(asked.response) == ["Swap", "Keep"]
    assert "though they're kept apart" in text_of(asked)
    assert "Nothing was changed" in text_of(await world.organiser.click(asked.response, label="Keep"))
    done = await world.agreed("round swap", "Swap", **given)
    assert "have swapped places" in text_of(done)
