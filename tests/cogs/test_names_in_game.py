"""What a season asks at sign-up for opponents, as people type and see it."""

from typing import Any

import pytest

from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.cogs.test_hostile_buttons import press_forged
from tests.cogs.test_match_threads import thread_of
from tests.cogs.test_signing_up import write_rules

QUESTION = "KeyForge user name"
MINE = f"My {QUESTION}"


def said(name: str) -> str:
    return f"QX-{name}-77"


async def join(world: World, name: str, answer: str) -> str:
    """Press Join and fill in the form it opens."""
    who = world.player(name)
    form = await who.click(world.post("Sign-ups are open"), label="Join")
    assert form.modal is not None, text_of(form)
    assert QUESTION in str(form.modal)
    assert "Your opponents will see this." in str(form.modal)
    return text_of(await who.submit_modal(form, {"answer": answer}))


async def started(world: World, **options: Any) -> None:
    await world.league()
    await world.opened(ask_name=QUESTION, **options)
    for player in world.players[:4]:
        name = str(player.user.global_name)
        assert f"{QUESTION}: **{said(name)}**. Your opponents see it." in await join(world, name, said(name))
    await world.organiser.slash(world.channel, "season start")


def everything_posted(world: World) -> str:
    return "\n".join(message_text(post) for room in (world.channel, world.back_room) for post in room.history())


@pytest.mark.long
async def test_join_and_signup_open_the_form_and_a_mistake_can_be_mended(world: World) -> None:
    await world.league()
    await world.opened(ask_name=QUESTION)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    form = await ada.click(world.post("Sign-ups are open"), label="Join")
    refused = await ada.submit_modal(form, {"answer": "@everyone"})
    assert "reads like a mention" in text_of(refused)
    assert "Ada" not in message_text(world.post("Sign-ups are open"))
    again = await ada.click(refused.response, label="Edit and try again")
    assert "You're in season 1 as **Ada**" in text_of(await ada.submit_modal(again, {"answer": "*Ada* `77`"}))
    form, other = [await bruno.slash(world.channel, "signup", name="Bru") for _ in "12"]
    assert "You're in season 1 as **Bru**" in text_of(await bruno.submit_modal(form, {"answer": "b"}))
    assert "already in season 1" in text_of(await bruno.submit_modal(other, {"answer": "another"}))
    assert "already in season 1" in text_of(await ada.click(world.post("Sign-ups are open"), label="Join"))
    assert "77" not in everything_posted(world)


@pytest.mark.long
async def test_the_rules_are_agreed_to_first_and_a_form_in_between_goes_on(world: World) -> None:
    await world.league()
    await world.opened(ask_name=QUESTION)
    await write_rules(world, "Be kind.")
    ada = world.player("Ada")
    asked = await ada.click(world.post("Sign-ups are open"), label="Join")
    form = await ada.click(asked.response, label="I agree, join")
    assert form.modal is not None
    assert "You're in season 1" in text_of(await ada.submit_modal(form, {"answer": "Ada 77"}))


@pytest.mark.long
async def test_my_match_shows_the_opponents_and_the_button_changes_ones_own(world: World) -> None:
    await started(world)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    theirs = f"· {QUESTION}: **{said(str(lower.user.global_name))}**"
    mine = await upper.slash(world.channel, "match")
    assert theirs in text_of(mine)
    assert MINE in labels(mine.response)
    form = await upper.click(mine.response, label=MINE)
    assert said(str(upper.user.global_name)) in str(form.modal)
    assert f"Saved. {QUESTION}: **new one**" in text_of(await upper.submit_modal(form, {"answer": "new one"}))
    assert f"· {QUESTION}: **new one**" in text_of(await lower.slash(world.channel, "match"))
    for other in (world.moderator, world.organiser, world.outsider, *(set(world.players[:4]) - {upper, lower})):
        shown = text_of(await press_forged(other, row.post, f"fp:details:{row.match}"))
        assert str(upper.user.global_name) in shown
        assert "new one" not in shown
        assert "QX-" not in shown
    assert "QX-" not in everything_posted(world)
    for command in ("standings", "rules", "schedule"):
        assert "QX-" not in text_of(await world.outsider.slash(world.channel, command))
    log = await world.organiser.slash(world.channel, "league audit")
    assert "answered for opponents" in text_of(log)
    assert "QX-" not in text_of(log)


@pytest.mark.long
async def test_who_was_added_gives_it_from_their_card(world: World) -> None:
    await world.league()
    await world.opened(ask_name=QUESTION)
    ada = world.player("Ada")
    await world.organiser.slash(world.channel, "player add", user=ada.user)
    mine = await ada.slash(world.channel, "match")
    assert f"Your opponents can't see your {QUESTION} yet: press **{MINE}**." in text_of(mine)
    form = await ada.click(mine.response, label=MINE)
    assert "Saved." in text_of(await ada.submit_modal(form, {"answer": said("Ada")}))
    assert f"{QUESTION}: **{said('Ada')}**. Your opponents see it." in text_of(await ada.slash(world.channel, "match"))


@pytest.mark.long
async def test_the_card_in_a_private_thread_shows_both(world: World) -> None:
    await started(world, match_places="private")
    row = world.open_matches()[0]
    thread, (upper, lower) = thread_of(world, row.pairing), world.sides(row)
    card = message_text(thread.history()[0])
    assert all(said(str(one.user.global_name)) in card for one in (upper, lower))
    assert "QX-" not in everything_posted(world)
    form = await upper.click((await upper.slash(thread, "match")).response, label=MINE)
    await upper.submit_modal(form, {"answer": "new one"})
    assert "new one" in message_text(thread.history()[0])
    await world.organiser.slash(world.channel, "season settings", setting="ask_name", value="")
    assert "new one" not in message_text(thread.history()[0])


@pytest.mark.long
async def test_in_a_public_thread_the_details_show_it(world: World) -> None:
    await started(world, match_places="threads")
    row = world.open_matches()[0]
    thread, (upper, lower) = thread_of(world, row.pairing), world.sides(row)
    card = thread.history()[0]
    assert "QX-" not in message_text(card)
    assert said(str(lower.user.global_name)) in text_of(await upper.click(card, label="Details"))
    assert "QX-" not in text_of(await world.outsider.click(card, label="Details"))


async def test_the_question_keeps_its_capitals_and_is_at_most_a_label_long(world: World) -> None:
    await world.league()
    await world.organiser.slash(world.channel, "season create", format="ohs")
    asked = {"setting": "ask_name", "value": QUESTION}
    panel = await world.organiser.slash(world.channel, "season settings", **asked)
    panel = await world.organiser.click(panel.response, label="All settings")
    turn = next(custom_id for custom_id in selects_of(panel.response) if "plan-page" in custom_id)
    page = await world.organiser.select(panel.response, ["all"], custom_id=turn)
    assert f"Asked at sign-up: {QUESTION}" in text_of(page)
    refused = await world.organiser.slash(world.channel, "season settings", setting="ask_name", value="x" * 46)
    assert "use at most 45" in text_of(refused)
