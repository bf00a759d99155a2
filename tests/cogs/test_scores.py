"""Seasons whose matches have scores, on Discord: asked for, told to the opponent, disputed, decided, in files."""

import io
import zipfile
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.cogs.conftest import MatchRow, World, labels, message_text, text_of


async def scored(world: World, **settings: Any) -> tuple[MatchRow, MemberActor, MemberActor]:
    """Return the match of a season with scores, and its two players."""
    await world.started(players=2, scores=True, **settings)
    row = world.open_matches()[0]
    return (row, *world.sides(row))


async def report(world: World, who: MemberActor, row: MatchRow, result: str, score: str) -> InteractionResult:
    form = await world.press(who, row)
    assert form.modal is not None, text_of(form)
    return await who.submit_modal(form, {"result": result, "score": score})


@pytest.mark.long
async def test_the_form_asks_for_the_score_and_the_opponent_is_told_it(world: World) -> None:
    row, upper, lower = await scored(world)
    told = await report(world, upper, row, "won", "87-62")
    assert f"Got it: you won 87–62 against {lower.user.global_name}." in text_of(told)
    assert f"**{upper.user.global_name}** reported a win over you, 87–62. Is that right?" in message_text(
        world.post("Is that right?")
    )
    assert world.fresh(row).pairing == f"{upper.user.global_name} 87–62 {lower.user.global_name}"
    done = await world.answer(lower, "Confirm", world.fresh(row))
    assert "you lost 62–87 against" in text_of(done)
    details = text_of(await world.press(world.outsider, world.fresh(row)))
    assert f"{upper.user.global_name} reported: won 87–62" in details


@pytest.mark.long
async def test_a_score_that_can_not_be_opens_the_form_again_with_what_was_typed(world: World) -> None:
    row, upper, _ = await scored(world)
    refused = await report(world, upper, row, "won", "62-87")
    assert "A score of 62-87 isn't possible: the winner's isn't the lower one." in text_of(refused)
    again = await upper.click(refused.response, label="Edit and try again")
    assert "62-87" in str(again.modal)
    done = await upper.submit_modal(again, {"result": "lost", "score": "62-87"})
    assert "It counts now" in text_of(done)


@pytest.mark.long
async def test_in_a_best_of_three_both_are_shown(world: World) -> None:
    row, upper, lower = await scored(world, best_of=3)
    await report(world, upper, row, "won 2-1", "87-62")
    asked = message_text(world.post("Is that right?"))
    assert "reported a 2–1 win over you, 87–62. Is that right?" in asked
    assert world.fresh(row).pairing == f"{upper.user.global_name} 2–1 87–62 {lower.user.global_name}"
    assert "you lost 1–2 62–87 against" in text_of(await world.answer(lower, "Confirm", world.fresh(row)))


@pytest.mark.long
async def test_the_command_needs_the_score(world: World) -> None:
    row, upper, lower = await scored(world, best_of=3)
    for typed, words in (
        ({}, "Each match of this season has a score: add it like 87-62, yours first. Games go before it"),
        ({"score": "2-1"}, "Is 2-1 the games or the score? Type both, games first, like 2-1 87-62."),
        ({"score": "1-2 87-62"}, "in a best of 3, a win is 2-0 or 2-1"),
    ):
        refused = await upper.slash(world.channel, "report", result="won", **typed)
        assert refused.ephemeral
        assert words in text_of(refused)
    done = await upper.slash(world.channel, "report", result="won", score="2-1 87-62")
    assert f"you won 2–1 87–62 against {lower.user.global_name}" in text_of(done)
    again = await upper.slash(world.channel, "report", result="won", score="2-1, 87-62")
    assert "Already reported" in text_of(again)
    assert world.fresh(row).label == "Answer"


@pytest.mark.long
async def test_another_score_goes_to_the_moderators_who_decide_with_one(world: World) -> None:
    row, upper, lower = await scored(world)
    await upper.slash(world.channel, "report", result="won", score="87-62")
    told = await lower.slash(world.channel, "report", result="lost", score="61-87")
    assert "so the moderators will decide" in text_of(told)
    dispute = world.post("Dispute: ", world.back_room)
    assert "reports: won 87–62" in message_text(dispute)
    assert "reports: lost 61–87" in message_text(dispute)
    form = await world.moderator.click(dispute, label=f"{upper.user.global_name} won")
    wrong = await world.moderator.submit_modal(form, {"reason": "saw it", "score": "87"})
    assert "'87' isn't a score. Type it like 87-62, the winner's first." in text_of(wrong)
    form = await world.moderator.click(dispute, label=f"{upper.user.global_name} won")
    done = await world.moderator.submit_modal(form, {"reason": "saw it", "score": "87-61"})
    assert f"{upper.user.global_name} won 87–61" in text_of(done)
    assert world.fresh(row).pairing == f"{upper.user.global_name} 87–61 {lower.user.global_name}"


@pytest.mark.long
async def test_a_wrong_score_can_be_disputed_by_a_press(world: World) -> None:
    row, upper, lower = await scored(world)
    await report(world, upper, row, "won", "87-62")
    form = await lower.click(world.post("Is that right?"), label="Dispute")
    assert "The score is wrong" in str(form.modal)
    await lower.submit_modal(form, {"says": "score"})
    assert "the score is wrong" in message_text(world.post("Dispute: ", world.back_room))


@pytest.mark.long
async def test_moderators_type_a_correction_with_the_winners_first(world: World) -> None:
    await world.started(players=4, scores=True)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await report(world, lower, row, "lost", "62-87")
    asked = await world.moderator.slash(
        world.channel,
        "result set",
        match=f"{upper.user.global_name} v {lower.user.global_name} (round 1)",
        outcome=lower.user.global_name,
        score="70-69",
        reason="mixed up",
    )
    assert f"Now: {upper.user.global_name} won 87–62" in text_of(asked)
    assert f"Then: **{lower.user.global_name} won 70–69" in text_of(asked)
    await world.moderator.click(asked.response, label="Apply")
    assert world.fresh(row).pairing == f"{upper.user.global_name} 69–70 {lower.user.global_name}"


async def test_the_panel_and_the_rules_say_it(world: World) -> None:
    await scored(world)
    rules = await world.players[0].slash(world.channel, "rules")
    assert "Scores: each match has one, such as 87-62" in text_of(rules)
    form = await world.outsider.slash(world.channel, "report", result="won", score="87-62")
    assert form.ephemeral


@pytest.mark.long
async def test_what_is_taken_out_has_games_and_score(world: World) -> None:
    row, upper, _ = await scored(world, best_of=3)
    await report(world, upper, row, "lost 1-2", "62-87")
    done = await world.organiser.slash(world.channel, "league export", **{"as": "csv"})
    with zipfile.ZipFile(io.BytesIO(await done.response.attachments[0].read())) as files:
        name = next(name for name in files.namelist() if "matches" in name)
        head, line, *_ = files.read(name).decode("utf-8-sig").splitlines()
    titles = head.split(",")
    cells = dict(zip(titles, line.split(","), strict=True))
    assert (cells["games"], cells["score"]) == ("1-2", "62-87")


@pytest.mark.long
async def test_a_match_that_time_ended_is_reported_with_its_score(world: World) -> None:
    row, upper, lower = await scored(world, best_of=3)
    form = await upper.slash(world.channel, "time-called", game="keyforge")
    await upper.submit_modal(form, {"keys": "1-2", "aember": "9-3", "potential": "8-7"})
    post = world.post("Time called in")
    assert "Only" in text_of(await world.outsider.click(post, label="Report this result"))
    asked = await lower.click(post, label="Report this result")
    done = await lower.submit_modal(asked, {"score": "62-87"})
    assert "It counts now" in text_of(done)
    assert world.fresh(row).winner == upper.user.global_name
    assert labels(post) == ["Report this result"]
