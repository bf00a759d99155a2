"""Forms: freed when dismissed, refused with what was typed, and opened again."""

from cogs.ui.forms import LIFE_SECONDS
from tests.cogs.conftest import World, text_of


async def disputing(world: World):  # noqa: ANN201 - a result of simcord
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await upper.click(post, label="I won")
    return lower, post, await lower.click(world.fresh(post), label="Dispute")


async def test_a_dismissed_form_is_freed(world: World) -> None:
    lower, _, form = await disputing(world)
    kept = world.env.bot._connection._view_store._modals
    assert len(kept) == 1
    await world.env.advance_time(LIFE_SECONDS + 60)
    assert len(kept) == 0
    late = await lower.submit_modal(form, {"reason": "I won it"})
    assert late.ephemeral
    assert "no longer open" in text_of(late)
    assert "I won it" in text_of(late)
    assert "restart" not in text_of(late)


async def test_a_form_with_a_mistake_opens_again_with_everything_typed(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    form = await upper.click(post, label="I won")
    refused = await upper.submit_modal(form, {"score": "two to one"})
    assert refused.ephemeral
    again = await upper.click(refused.response, label="Edit and try again")
    assert again.modal is not None
    assert "two to one" in str(again.modal)
    assert "Got it: you won 2–1" in text_of(await upper.submit_modal(again, {"score": "2-1"}))
    stolen = await lower.click(world.fresh(post), label="Confirm")
    assert "It counts now" in text_of(stolen)
