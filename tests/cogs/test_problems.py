"""Problems with a match on Discord: the form, the question, the moderators' post, conceding."""

import re
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.cogs.conftest import MatchRow, World, buttons_of, labels, message_text, text_of


async def a_day_later(world: World, **settings: Any) -> tuple[MatchRow, MemberActor, MemberActor]:
    """Start a season, and return its first match with both players a day after it was posted."""
    await world.started(players=4, **settings)
    await world.jump(hours=25)
    row = world.open_matches()[0]
    return row, *world.sides(row)


async def open_form(world: World, who: MemberActor) -> InteractionResult:
    mine = await who.slash(world.channel, "match")
    assert mine.response is not None
    return await who.click(mine.response, label="Problem")


async def tell(world: World, who: MemberActor, **more: Any) -> InteractionResult:
    form = await open_form(world, who)
    return await who.submit_modal(form, {"kind": "no-answer", "text": "I wrote *twice*", **more})


def name(who: MemberActor) -> str:
    return who.user.global_name or ""


def asked_in_private(who: MemberActor) -> discord.Message:
    """Return the direct message to a player of whom the opponent says that they don't answer."""
    told = [message for message in who.user.dm_channel.history() if "says you don't answer" in message_text(message)]
    (asked,) = told
    return asked


@pytest.mark.long
async def test_a_problem_is_told_answered_and_settled(world: World) -> None:
    row, upper, lower = await a_day_later(world)
    told = await tell(world, upper)
    assert told.ephemeral
    assert f"We're asking {name(lower)}, who has 24 hours to answer" in text_of(told)
    assert labels(told.response) == ["Withdraw"]
    assert "Waiting for an answer" in world.fresh(row).text
    question = asked_in_private(lower)
    assert not world.posts("don't answer"), "nobody else reads that"
    assert labels(question) == ["Answer", "I can still play", "I concede"]
    assert r"“I wrote \*twice\*” What do you say?" in message_text(question)
    form = await lower.user.click(question, label="Answer")
    assert "the moderators read your answer" in text_of(await lower.user.submit_modal(form, {"text": "I was ill"}))
    assert not world.posts("says you don't answer")
    answered = world.post("answered. The moderators decide now")
    assert world.pinged(answered) == ({upper.id}, set())
    assert "With the moderators" in world.fresh(row).text
    case = world.post("Problem: ", world.back_room)
    text = message_text(case)
    assert r"no answer. “I wrote \*twice\*”" in text
    assert "answered: “I was ill”" in text
    assert "Agreed time: none" in text
    assert "• Question about this problem" in text
    assert labels(case) == [
        "3 more days",
        "7 more days",
        "Close it, deadline stays",
        f"{name(upper)} wins by forfeit…",
        f"{name(lower)} wins by forfeit…",
        "Both lose…",
        f"{name(upper)} wins, {name(lower)} leaves the season…",
    ]
    styles = [button.style for button in buttons_of(case)]
    assert styles == [discord.ButtonStyle.secondary] * 6 + [discord.ButtonStyle.danger]
    form = await world.moderator.click(case, label=f"{name(upper)} wins by forfeit…")
    assert f"{name(lower)} stays in season 1" in str(form.modal)
    done = await world.moderator.submit_modal(form, {"reason": "both agree"})
    assert f"{name(upper)} won by forfeit" in text_of(done)
    settled = world.post("Settled: ", world.back_room)
    assert labels(settled) == []
    assert not world.posts("answered. The moderators decide now")


async def test_the_form_says_when_no_answer_can_be_told_instead_of_refusing_it_later(world: World) -> None:
    await world.started(players=4)
    upper, lower = world.sides(world.open_matches()[0])
    form = await open_form(world, upper)
    asked = str(form.modal)
    assert re.search(r"You can report “No answer” from <t:\d+:F> \(<t:\d+:R>\)\.", asked)
    assert "What's wrong?" not in asked
    assert "**Can't before the deadline**: you can't play" in asked
    told = await upper.submit_modal(form, {"text": "on holiday"})
    assert f"We're asking {name(lower)}" in text_of(told)
    assert "can't play before the deadline" in message_text(world.post("What do you say?"))


@pytest.mark.long
async def test_conceding_asks_once_and_counts_as_a_reported_loss(world: World) -> None:
    row, upper, lower = await a_day_later(world)
    await tell(world, upper)
    asked = await lower.user.click(asked_in_private(lower), label="I concede")
    assert f"{name(upper)} wins" in text_of(asked)
    assert asked.response is not None
    done = await lower.user.click(asked.response, label="I concede")
    assert "It counts now" in text_of(done)
    assert world.fresh(row).winner == name(upper)
    assert not world.posts("says you don't answer")


@pytest.mark.long
async def test_one_press_answers_and_withdrawing_ends_it(world: World) -> None:
    row, upper, lower = await a_day_later(world)
    await tell(world, upper, kind="too-late")
    pressed = await lower.click(world.post("can't play before the deadline"), label="I agree to more time")
    assert "the moderators read your answer" in text_of(pressed)
    case = world.post("I agree to more time", world.back_room)
    assert labels(case)[0] == "3 more days"
    withdrawn = await upper.click(world.post("answered"), label="Withdraw")
    assert "is open as before" in text_of(withdrawn)
    assert "It's solved" in message_text(world.post("Settled: ", world.back_room))
    assert "No time agreed yet" in world.fresh(row).text
    assert world.pinged(world.post("says the problem is solved")) == ({lower.id}, set())


@pytest.mark.long
async def test_everything_works_after_a_restart(world: World) -> None:
    row, upper, lower = await a_day_later(world)
    await tell(world, upper)
    await world.restart()
    status = text_of(await upper.slash(world.channel, "season status"))
    assert f"({name(lower)} is asked about a problem)" in status
    await world.jump(hours=25)
    assert "(the moderators decide)" in text_of(await upper.slash(world.channel, "season status"))
    assert "The moderators decide now. You can still answer." in message_text(asked_in_private(lower))
    case = world.post("didn't answer by", world.back_room)
    await world.restart()
    done = await world.moderator.click(case, label="3 more days")
    assert "has more time" in text_of(done)
    assert "More time: ends" in world.fresh(row).text
    shown = await lower.slash(world.channel, "match")
    assert "The moderators gave more time." in text_of(shown)


@pytest.mark.long
async def test_the_question_and_its_form_work_in_direct_messages(world: World) -> None:
    _, upper, lower = await a_day_later(world)
    card = await lower.slash(world.channel, "notify")
    assert card.response is not None
    await lower.select(card.response, ["direct"], custom_id="pick:fp:notify:1:question")
    await tell(world, upper)
    (question,) = lower.user.dm_channel.history()
    assert not world.posts("says you don't answer")
    form = await lower.user.click(question, label="Answer")
    assert "the moderators read your answer" in text_of(await lower.user.submit_modal(form, {"text": "sorry"}))


@pytest.mark.long
async def test_the_inbox_shows_it_and_others_read_no_words(world: World) -> None:
    row, upper, _ = await a_day_later(world)
    await tell(world, upper)
    await world.jump(hours=25)
    inbox = await world.moderator.slash(world.channel, "disputes")
    assert "**Problems**" in text_of(inbox)
    assert inbox.response is not None
    panel = await world.moderator.click(inbox.response, label=f"Decide {row.pairing}")
    assert "Close it, deadline stays" in labels(panel.response)
    details = await world.outsider.click(row.post, custom_id=row.custom_id)
    assert "told us about a problem" in text_of(details)
    assert "twice" not in text_of(details)


@pytest.mark.long
async def test_without_a_moderators_channel_only_moderators_read_what_was_said(world: World) -> None:
    _, upper, lower = await a_day_later(world)
    await world.chief.slash(world.channel, "league settings", remove="moderators' channel")
    await tell(world, upper)
    form = await lower.user.click(asked_in_private(lower), label="Answer")
    await lower.user.submit_modal(form, {"text": "I was ill"})
    case = world.post("Problem: ")
    assert "twice" not in message_text(case)
    assert "ill" not in message_text(case)
    assert not case.attachments
    assert "moderator" in text_of(await lower.click(case, label="Decide"))
    shown = await world.moderator.click(case, label="Decide")
    assert shown.ephemeral
    assert "I was ill" in text_of(shown)
    assert shown.response is not None


@pytest.mark.long
async def test_someone_without_direct_messages_is_asked_neutrally_in_the_channel(world: World) -> None:
    _, upper, lower = await a_day_later(world)
    world.env.inject_error("POST", "/users/@me/channels", status=400, code=50007, message="No", times=None)
    await tell(world, upper)
    asked = world.post("are you still playing this week?")
    assert world.pinged(asked) == ({lower.id}, set())
    assert "doesn't answer" not in message_text(asked)
    assert "don't answer" not in message_text(asked)
    assert labels(asked)[0] == "Answer"


@pytest.mark.long
async def test_putting_a_player_out_of_the_season_asks_with_its_cost_and_a_moderator_can_undo_it(world: World) -> None:
    _, upper, lower = await a_day_later(world)
    await tell(world, upper)
    await world.jump(hours=25)
    case = world.post("Problem: ", world.back_room)
    form = await world.moderator.click(case, label=f"{name(upper)} wins, {name(lower)} leaves the season…")
    asked = str(form.modal)
    assert f"{name(lower)} leaves season 1?" in asked
    assert "0–0" in asked
    assert "Results so far still count" in asked
    done = await world.moderator.submit_modal(form, {"reason": "Asked twice since Monday"})
    assert f"{name(lower)} has left season 1" in text_of(done)
    decided = message_text(world.post(" decided it"))
    assert f"{name(lower)} has left season 1." in decided
    assert "Monday" not in decided
    settled = message_text(world.post("Settled: ", world.back_room))
    assert f"{name(lower)} has left season 1." in settled
    typed = {"player": name(lower), "reason": "They wrote"}
    back = await world.moderator.slash(world.channel, "player reinstate", **typed)
    assert "Undo this?" in text_of(back)
    assert back.response is not None
    assert "is back" in text_of(await world.moderator.click(back.response, label="Undo it"))
    await world.agreed("player drop", "Drop them", player=name(lower), reason="ill")
    refused = await world.moderator.slash(world.channel, "player reinstate", **typed)
    assert "Only organisers of" in text_of(refused)
