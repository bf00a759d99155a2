"""A disputed report on Discord: who is told, who says what, and who reads it."""

from typing import Any

import pytest

from tests.cogs.conftest import MatchRow, World, labels, message_text, text_of


async def disputed(world: World, says: str = "won", words: str = "I have the *log*", **settings: Any) -> MatchRow:
    """Let the upper player of the first match report a win, and the lower one dispute it."""
    await world.started(players=4, **settings)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    form = await lower.click(world.post("Is that right?"), label="Dispute")
    done = await lower.submit_modal(form, {"says": says, "reason": words})
    assert "The moderators will decide" in text_of(done)
    return row


@pytest.mark.long
async def test_who_reported_a_win_is_mentioned_where_it_is_disputed_and_tells_the_moderators(world: World) -> None:
    row = await disputed(world)
    upper, lower = world.sides(row)
    told = world.post("two answers")
    assert world.pinged(told) == ({upper.id}, set())
    text = message_text(told)
    assert "You reported: **you won**." in text
    assert f"{lower.user.global_name} says: **{lower.user.global_name} won**." in text
    assert f"Only {lower.user.global_name} and the moderators read what you write." in text
    assert "log" not in text, "the words are read by the two and the moderators"
    assert labels(told) == ["Tell the moderators", "Details"]
    for words in ("I won on time", "I won on time. See the stream."):
        form = await upper.click(told, label="Tell the moderators")
        assert "The moderators read it" in text_of(await upper.submit_modal(form, {"text": words}))
    (case,) = world.posts("Dispute: ", world.back_room)
    both = message_text(case)
    assert f"-# Arena League · {world.channel.mention}" in both, "two leagues can share the moderators' channel"
    assert "Bruno disputes it: Bruno won." in both
    assert r"“I have the \*log\*”" in both
    assert "“I won on time. See the stream.”" in both
    seen = text_of(await world.outsider.click(told, label="Details"))
    assert "disputed it: they won." in seen
    assert "log" not in seen
    assert "stream" not in seen
    assert "stream" in text_of(await lower.click(told, label="Details"))


async def test_who_reported_is_told_that_the_opponent_agrees_after_a_dispute(world: World) -> None:
    """The message about the dispute went, and no other came, though they were to be told."""
    row = await disputed(world)
    upper, lower = world.sides(row)
    await lower.slash(world.channel, "report", result="lost")
    assert not world.posts("two answers")
    told = world.post("agrees now")
    names = lower.user.global_name, upper.user.global_name
    assert message_text(told).endswith("{} agrees now, so it counts: {} won.".format(*names))
    assert world.pinged(told) == ({upper.id}, set())


@pytest.mark.long
async def test_a_decision_tidies_the_message_to_who_reported(world: World) -> None:
    row = await disputed(world)
    upper, _ = world.sides(row)
    mine = await upper.slash(world.channel, "match")
    form = await world.moderator.click(world.post("Dispute: ", world.back_room), label=f"{upper.user.global_name} won")
    await world.moderator.submit_modal(form, {"reason": "seen the stream"})
    assert not world.posts("two answers")
    settled = message_text(world.post("Settled: ", world.back_room))
    assert "The moderator Marco decided it. Reason: seen the stream" in settled
    assert mine.response is not None
    late = await upper.click(mine.response, label="Tell the moderators")
    assert "nothing left to tell" in text_of(late)


@pytest.mark.long
async def test_two_reports_that_differ_let_both_tell_the_moderators(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    second = await lower.slash(world.channel, "report", result="won")
    assert second.response is not None
    assert labels(second.response) == ["Tell the moderators"]
    assert world.pinged(world.post("two answers")) == ({upper.id}, set())
    assert f"{lower.user.global_name} reported: **{lower.user.global_name} won**." in message_text(
        world.post("two answers")
    )
    form = await lower.click(second.response, label="Tell the moderators")
    await lower.submit_modal(form, {"text": "The lower one speaks"})
    assert "The lower one speaks" in message_text(world.post("Dispute: ", world.back_room))
    stranger = await world.outsider.click(world.post("two answers"), label="Tell the moderators")
    assert "can do this" in text_of(stranger)


@pytest.mark.long
async def test_a_dispute_needs_words_only_where_no_choice_says_it(world: World) -> None:
    await world.started(players=4, best_of=3)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won 2-1", row)
    form = await lower.click(world.post("Is that right?"), label="Dispute")
    refused = await lower.submit_modal(form, {"says": "other", "reason": " "})
    assert "Write in a few words" in text_of(refused)
    assert refused.response is not None
    again = await lower.click(refused.response, label="Edit and try again")
    assert "will decide" in text_of(await lower.submit_modal(again, {"says": "score", "reason": ""}))
    assert "says: **the score is wrong**" in message_text(world.post("two answers"))


async def test_a_moderators_channel_that_everyone_reads_shows_no_words_of_a_dispute(world: World) -> None:
    await world.league(moderation_channel=world.channel)
    await world.season(players=4)
    await world.organiser.slash(world.channel, "season start")
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    await lower.slash(world.channel, "dispute", reason="secret words")
    assert not world.posts("secret words")
    asked = await world.moderator.click(world.post("Only moderators can read"), label="Decide")
    assert "secret words" in text_of(asked)


@pytest.mark.long
async def test_a_result_is_found_by_its_round_and_offers_only_what_isnt_refused(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    names = row.pairing.split(" v ")
    found = await world.moderator.autocomplete(world.channel, "result set", "match", "round 1")
    assert [choice["value"] for choice in found] == ["R1 M1", "R1 M2"]
    said = {"match": "R1 M1"}
    offered = await world.moderator.autocomplete(world.channel, "result set", "outcome", "", **said)
    forfeits = [f"{name} by forfeit" for name in names]
    assert [choice["value"] for choice in offered] == [*names, *forfeits, "double loss"]
    typed = {"match": "R1 M1", "outcome": forfeits[0], "reason": "never came"}
    asked = await world.moderator.slash(world.channel, "result set", **typed)
    assert f"{names[0]} won by forfeit" in text_of(asked)
    assert asked.response is not None
    await world.moderator.click(asked.response, label="Only this match")
    assert "Forfeit, decided by the moderators" in world.fresh(row).text


@pytest.mark.long
async def test_news_of_a_decision_begins_like_a_sentence(world: World) -> None:
    await disputed(world)
    what = {"match": "R1 M1", "outcome": "double loss", "reason": "both late"}
    asked = await world.moderator.slash(world.channel, "result set", **what)
    assert asked.response is not None
    await world.moderator.click(asked.response, label="Apply")
    assert message_text(world.post("decided it", world.channel)).count("\nDouble loss.") == 1
    assert "✅ Double loss." in message_text(world.post("Settled: ", world.back_room))


@pytest.mark.long
async def test_the_form_of_a_decision_says_what_the_last_result_of_a_round_starts(world: World) -> None:
    row = await disputed(world)
    upper, _ = world.sides(row)
    case = world.post("Dispute: ", world.back_room)
    assert labels(case)[2:] == [
        *(f"{side.user.global_name} wins by forfeit…" for side in world.sides(row)),
        "Both lose…",
    ]
    early = await world.moderator.click(case, label="Both lose…")
    assert early.modal is not None
    assert early.modal["title"] == "Decide: Both lose"
    assert "last result" not in str(early.modal)
    other = next(each for each in world.open_matches() if each.pairing != row.pairing)
    await world.report(world.sides(other)[0], "lost", other)
    form = await world.moderator.click(case, label=f"{upper.user.global_name} won")
    assert "This is the last result: it starts round 2 at once." in str(form.modal)
    await world.moderator.submit_modal(form, {"reason": "seen the stream"})
    assert world.posts("## Round 2")
