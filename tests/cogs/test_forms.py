"""Forms: freed when dismissed, refused with what was typed, and opened again."""

import pytest

from bot.league.errors import Invalid
from cogs.ui import button_memory
from cogs.ui.forms import LIFE_SECONDS, Form, picked
from tests.cogs.conftest import World, text_of
from tests.cogs.test_hostile_buttons import custom_id_of, press_forged


async def disputing(world: World):  # noqa: ANN201 - a result of simcord
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won", post)
    return lower, post, await world.answer(lower, "Dispute", world.fresh(post))


@pytest.mark.long
async def test_a_dismissed_form_is_freed(world: World) -> None:
    lower, _, form = await disputing(world)
    kept = world.env.bot._connection._view_store._modals
    assert len(kept) == 1
    await world.env.advance_time(LIFE_SECONDS + 60)
    assert len(kept) == 0
    late = await lower.submit_modal(form, {"says": "won", "reason": "I won it"})
    assert late.ephemeral
    assert "no longer open" in text_of(late)
    assert "I won it" in text_of(late)
    assert "restart" not in text_of(late)


@pytest.mark.long
async def test_a_form_with_a_mistake_opens_again_with_everything_typed(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won 2-1", post)
    form = await world.answer(lower, "Dispute", world.fresh(post))
    refused = await lower.submit_modal(form, {"says": "other", "reason": " " * 20})
    assert refused.ephemeral
    again = await lower.click(refused.response, label="Edit and try again")
    assert again.modal is not None
    assert " " * 20 in str(again.modal)
    stolen = await press_forged(upper, post.post, custom_id_of(refused.response, "Edit and try again"))
    assert "no longer open" in text_of(stolen)
    assert "The moderators will decide" in text_of(await lower.submit_modal(again, {"says": "won", "reason": "I won"}))


@pytest.mark.long
async def test_a_form_that_waits_to_be_edited_counts_with_all_that_was_typed(world: World) -> None:
    lower, _, form = await disputing(world)
    button_memory.forget_all()
    await lower.submit_modal(form, {"says": "other", "reason": " " * 250})
    assert button_memory._bytes == {world.guild.id: button_memory.LIGHT + 4 * 250}
    await world.env.advance_time(LIFE_SECONDS + 60)
    assert not button_memory._bytes


@pytest.mark.parametrize("said", ["", "won2"])
async def test_a_choice_that_is_none_of_those_asked_is_refused(said: str) -> None:
    """Discord sends only what was asked; another program might not."""
    field = Form(title="What?").choose("says", "What happened?", {"won": "I won"})
    field._value = said
    with pytest.raises(Invalid, match="Choose one of the answers"):
        picked(field)
    field._value = "won"
    assert picked(field) == "won"
