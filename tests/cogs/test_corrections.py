"""Corrections to the end: a bracket match whose winner has played on, and the cut taken back."""

import pytest
from simcord.actors import MemberActor

from tests.cogs.conftest import World, labels, message_text, text_of


async def lose_all(world: World) -> None:
    for row in world.open_matches():
        await world.report(world.sides(row)[1], "lost", row)


@pytest.mark.long
async def test_a_semi_final_is_corrected_after_the_final_was_posted(world: World) -> None:
    await world.started(players=4, format="single-elimination")
    first = world.open_matches()[0]
    upper, lower = world.sides(first)
    await lose_all(world)
    assert ", final\n" in text_of(await upper.slash(world.channel, "match"))
    named = {"match": "R1 M1", "outcome": lower.user.global_name, "reason": "wrong way round"}
    look = await world.organiser.slash(world.channel, "result set", **named)
    assert "These matches don't count any more: Final: " in text_of(look)
    assert f"Next to play: {lower.user.global_name} v " in text_of(look) or " v " + lower.user.global_name in text_of(
        look
    )
    assert labels(look.response) == ["Play again", "Cancel"]
    done = await world.organiser.click(look.response, label="Play again")
    assert f"{lower.user.global_name} won" in text_of(done)
    notice = world.post("Corrected: ")
    assert world.pinged(notice)[0] == {upper.id, lower.id, *(side.id for side in world.sides(world.open_matches()[0]))}
    assert f"{upper.user.global_name}, your final doesn't count any more." in message_text(notice)
    assert "out" not in message_text(notice), "that is for them alone to read"
    assert world.pinged(world.post("## Final"))[0] == set()
    assert ", final\n" in text_of(await lower.slash(world.channel, "match"))
    await lose_all(world)
    assert "champion" in text_of(await world.organiser.slash(world.channel, "season status")).lower()


@pytest.mark.long
async def test_a_result_reported_meanwhile_is_shown_before_it_is_lost(world: World) -> None:
    await world.started(players=4, format="single-elimination", final_best_of=3)
    _, lower = world.sides(world.open_matches()[0])
    await lose_all(world)
    named = {"match": "R1 M1", "outcome": lower.user.global_name, "reason": "wrong way round"}
    look = await world.organiser.slash(world.channel, "result set", **named)
    final = world.open_matches()[0]
    await world.report(world.sides(final)[1], "lost 1-2", final)
    asked = await world.organiser.click(look.response, label="Play again")
    assert "won 2\N{EN DASH}1" in text_of(asked)
    assert "The season isn't over any more" in text_of(asked)
    done = await world.organiser.click(asked.response, label="Play again")
    assert "is posted again" in text_of(done)
    assert world.open_matches()


async def asked_for(world: World) -> tuple[MemberActor, MemberActor]:
    """Let a moderator ask for the other result of a semi-final; return who won it and who lost it."""
    await world.started(players=4, format="single-elimination")
    upper, lower = world.sides(world.open_matches()[0])
    await lose_all(world)
    named = {"match": "R1 M1", "outcome": lower.user.global_name, "reason": "wrong way round"}
    look = await world.moderator.slash(world.channel, "result set", **named)
    assert "only an organiser can decide that" in text_of(look)
    assert "These matches don't count any more: Final: " in text_of(look)
    assert labels(look.response) == ["Ask an organiser", "Cancel"]
    done = await world.moderator.click(look.response, label="Ask an organiser")
    assert "You'll be told what they decide" in text_of(done)
    return upper, lower


@pytest.mark.long
async def test_a_moderator_asks_an_organiser_who_corrects_it(world: World) -> None:
    _, lower = await asked_for(world)
    post = world.post("Correct ", world.back_room)
    assert "wrong way round" in message_text(post)
    assert labels(post) == ["Correct it", "Leave it"]
    assert "Only organisers of" in text_of(await world.moderator.click(post, label="Correct it"))
    look = await world.organiser.click(post, label="Correct it")
    assert labels(look.response) == ["Play again", "Cancel"]
    done = await world.organiser.click(look.response, label="Play again")
    assert f"{lower.user.global_name} won" in text_of(done)
    assert not world.posts("Correct ", world.back_room)
    assert world.pinged(world.post("You asked for a correction", world.back_room))[0] == {world.moderator.id}


async def test_an_organiser_leaves_a_result_that_a_moderator_wants_corrected(world: World) -> None:
    upper, _ = await asked_for(world)
    box = await world.organiser.slash(world.channel, "disputes")
    assert "Corrections" in text_of(box)
    (leave,) = [label for label in labels(box.response) if label.startswith("Leave ")]
    assert "stays as it is" in text_of(await world.organiser.click(box.response, label=leave))
    notice = world.post("stays as it is", world.back_room)
    assert f"{upper.user.global_name} won" in message_text(notice)
    assert world.pinged(notice)[0] == {world.moderator.id}
    assert "All clear" in text_of(await world.organiser.slash(world.channel, "disputes"))


@pytest.mark.long
async def test_the_cut_is_taken_back_after_one_question(world: World) -> None:
    await world.started(players=4, rounds=1, cut=4)
    await lose_all(world)
    row = world.open_matches()[0]
    await world.report(world.sides(row)[1], "lost", row)
    refused = await world.organiser.slash(world.channel, "round undo")
    assert "option finals" in text_of(refused)
    done = await world.agreed("round undo", "Undo the finals", finals=True, reason="a result was wrong")
    assert "Round 1 is the last one now" in text_of(done)
    notice = world.post("An organiser took back the finals (a result was wrong)")
    assert world.sides(row)[0].id in world.pinged(notice)[0]
    assert not world.open_matches()
    assert "You published" in text_of(await world.agreed("round post", "Post it"))


@pytest.mark.long
async def test_the_audit_log_is_looked_through_page_by_page_and_taken_home(world: World) -> None:
    await world.started(players=8)
    await lose_all(world)
    page = await world.organiser.slash(world.channel, "league audit", action="result", days=7)
    assert "result report" in text_of(page)
    assert "season start" not in text_of(page)
    assert labels(page.response) == ["Download"]
    made = await world.organiser.click(page.response, label="Download")
    assert "4 changes" in text_of(made)
    whole = await world.organiser.slash(world.channel, "league audit")
    older = await world.organiser.click(whole.response, label="Older")
    assert "page 2" in text_of(older)
    nothing = await world.organiser.slash(world.channel, "league audit", person="Ada", action="season start")
    assert "Nothing fits" in text_of(nothing)
