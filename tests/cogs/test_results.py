"""The life of a result on Discord: reports, scores, contradictions, stale buttons, decisions, corrections."""

from typing import Any

import pytest

from bot.league.season.match_score import DASH
from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_hostile_buttons import custom_id_of, press_forged


@pytest.mark.long
async def test_a_win_waits_and_the_post_counts_down(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    told = await world.report(upper, "won", post)
    assert told.ephemeral
    waiting = world.fresh(post)
    assert waiting.label == "Answer"
    assert f"Waiting for **{lower.user.global_name}** to confirm." in waiting.text
    assert "Without an answer it counts <t:" in message_text(world.post("Is that right?"))
    own = await world.press(upper, waiting)
    assert own.ephemeral
    assert labels(own.response) == ["Report again", "Check it yourself"]
    asked = await world.press(lower, waiting)
    assert asked.ephemeral
    assert f"{upper.user.global_name} reported a win over you. Is that right?" in text_of(asked)
    assert labels(asked.response) == ["Confirm", "Dispute", "Check it yourself"]
    assert "It counts now" in text_of(await lower.click(asked.response, label="Confirm"))
    assert world.fresh(post).label == "Details"
    assert world.fresh(post).winner == upper.user.global_name


@pytest.mark.long
async def test_a_match_waiting_for_the_opponent_offers_the_reporter_another_report_not_confirm(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won", post)
    mine = await upper.slash(world.channel, "match")
    assert labels(mine.response) == ["Report again", "Check it yourself"]
    theirs = await lower.slash(world.channel, "match")
    assert labels(theirs.response) == ["Confirm", "Dispute", "Check it yourself"]
    form = await upper.click(mine.response, label="Report again")
    assert "It counts now" in text_of(await upper.submit_modal(form, {"result": "lost"}))


@pytest.mark.long
async def test_the_command_takes_scores_own_games_first(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    _, lower = world.sides(post)
    refused = await lower.slash(world.channel, "report", result="won", score="1-2")
    assert refused.ephemeral
    assert "in a best of 3, a win is 2-0 or 2-1" in text_of(refused)
    await lower.slash(world.channel, "report", result="lost", score="1-2")
    assert "2–1" in world.fresh(post).text


@pytest.mark.long
async def test_a_best_of_three_offers_each_score_and_says_what_follows(world: World) -> None:
    await world.started(players=4, best_of=3, rounds=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    asked = f"Waits for {lower.user.global_name} to confirm"
    offered = [
        (f"I won 2{DASH}0", asked),
        (f"I won 2{DASH}1", asked),
        (f"I lost 1{DASH}2", "Counts at once"),
        (f"I lost 0{DASH}2", "Counts at once"),
    ]
    assert results_of(await world.press(upper, post)) == offered
    await world.report(upper, "won 2-0", post)
    assert world.fresh(post).pairing == f"{upper.user.global_name} 2–0 {lower.user.global_name}"
    assert "It counts now" in text_of(await lower.slash(world.channel, "confirm"))


@pytest.mark.long
async def test_the_form_for_the_last_open_match_says_what_its_result_starts(world: World) -> None:
    await world.started(players=4, rounds=2, draws=True, format="keyforge-swiss", cut=0)
    for follows in (" and starts round 2", " and ends the regular rounds"):
        first, last = world.open_matches()
        await world.report(world.sides(first)[0], "lost", first)
        upper, lower = world.sides(last)
        waits, counts = f"Waits for {lower.user.global_name} to confirm", f"Counts at once{follows}"
        assert results_of(await world.press(upper, last)) == [("I won", waits), ("I lost", counts), ("Draw", waits)]
        await upper.slash(world.channel, "report", result="won")
        await world.answer(lower, "Confirm", world.fresh(last))


async def test_more_than_ten_results_are_a_list(world: World) -> None:
    await world.started(players=2, best_of=9, draws=True, format="keyforge-swiss", cut=0, rounds=1)
    post = world.open_matches()[0]
    upper, _ = world.sides(post)
    assert len(results_of(await world.press(upper, post))) == 15
    told = await upper.submit_modal(await world.press(upper, post), {"result": ["won 5-3"]})
    assert "you won 5–3" in text_of(told)


@pytest.mark.long
async def test_everyone_else_sees_the_details_and_only_moderators_can_decide(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, _ = world.sides(post)
    for row in (post, None):
        if row is None:
            await world.report(upper, "won", post)
        now = world.fresh(post)
        shown = await world.press(world.outsider, now)
        assert shown.ephemeral
        assert labels(shown.response) == ["Check it yourself"]
        assert "**Why this pairing?**" in text_of(shown)
        assert "You don't play in this match" not in text_of(shown)
        assert labels((await world.press(world.moderator, now)).response) == ["Decide", "Check it yourself"]
    assert "What happened" in text_of(shown)


@pytest.mark.long
async def test_report_at_a_match_of_others_says_first_which_is_yours_and_opens_its_form(world: World) -> None:
    """On a narrow screen the wrong line is pressed easily."""
    await world.started(players=4)
    theirs, mine = world.open_matches()
    player = world.sides(mine)[0]
    names = " v ".join(f"**{side.user.global_name}**" for side in world.sides(mine))
    shown = await world.press(player, theirs)
    assert text_of(shown).startswith(f"You don't play in this match. Yours is {names}.")
    assert labels(shown.response)[0] == "Report my match"
    form = await player.click(shown.response, label="Report my match")
    assert form.modal["title"].startswith("Report: you v ")
    await world.report(player, "lost", mine)
    done = await world.press(player, world.fresh(theirs))
    assert "Report my match" not in labels(done.response)


@pytest.mark.long
async def test_a_match_that_counts_no_longer_says_why_it_was_paired(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    player = world.sides(post)[0]
    assert "**Why this pairing?**" in text_of(await player.slash(world.channel, "match"))
    await world.report(player, "lost", post)
    counted = await player.slash(world.channel, "match")
    assert "**Why this pairing?**" not in text_of(counted)
    assert "Check it yourself" in labels(counted.response)


def results_of(form: Any) -> list[tuple[str, str]]:
    """Return the results a form offers, each with what follows."""
    field = next(part["component"] for part in form.modal["components"] if "component" in part)
    return [(option["label"], option["description"]) for option in field["options"]]


@pytest.mark.long
async def test_contradictions_go_to_the_moderators(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await upper.slash(world.channel, "report", result="won")
    told = await lower.slash(world.channel, "report", result="won")
    assert "the moderators will decide" in text_of(told)
    dispute = world.post("Dispute: ", world.back_room)
    assert message_text(dispute).count("reports: won") == 2
    assert f"{lower.user.global_name} disputes it." in message_text(dispute)
    assert "contradict" not in message_text(dispute), "nobody wrote that"
    inbox = await world.moderator.slash(world.channel, "disputes")
    assert "**Disputes** · Press Decide to see what was said" in text_of(inbox)
    assert "(round 1)" in text_of(inbox)


@pytest.mark.long
async def test_an_old_button_says_what_changed(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won", post)
    asked = await world.press(lower, world.fresh(post))
    await upper.slash(world.channel, "report", result="lost")
    stale = await press_forged(lower, world.fresh(post).post, custom_id_of(asked.response, "Confirm"))
    assert stale.ephemeral
    assert f"{lower.user.global_name} won" in text_of(stale)
    assert world.fresh(post).label == "Details"


@pytest.mark.long
async def test_pressing_twice_or_late_changes_nothing(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, _ = world.sides(post)
    form = await world.press(upper, post)
    await world.report(upper, "won", post)
    again = await upper.submit_modal(form, {"result": "lost"})
    assert again.ephemeral
    assert "It counts now" not in text_of(again)
    assert world.fresh(post).label == "Answer"


@pytest.mark.long
async def test_a_decision_shows_first_what_it_changes(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await lower.slash(world.channel, "report", result="lost")
    name = lower.user.global_name
    asked = await world.moderator.slash(
        world.channel, "result set", match="R1 M1", outcome=name, reason="The *log* says so", kind="played"
    )
    assert asked.ephemeral
    assert "Then:" in text_of(asked)
    assert labels(asked.response) == ["Apply", "Cancel"]
    assert world.fresh(post).winner == upper.user.global_name
    done = await world.moderator.click(asked.response, label="Apply")
    assert "Both players will be told" in text_of(done)
    assert world.fresh(post).winner == name
    assert not world.posts("log"), "the channel reads the decision, not its reason"
    decision = world.post("The moderator Marco decided it; both players find the reason under Details.")
    assert {user.id for user in decision.mentions} == {upper.id, lower.id}
    for who, reads in ((upper, True), (lower, True), (world.outsider, False)):
        assert ("says so" in text_of(await who.click(decision, label="Details"))) is reads
    audit = await world.organiser.slash(world.channel, "league audit")
    assert "The \\*log\\* says so" in text_of(audit)


@pytest.mark.long
async def test_a_decision_can_be_cancelled_and_a_stale_one_is_refused(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    options = {"match": "R1 M1", "outcome": upper.user.global_name, "reason": "seen"}
    first = await world.moderator.slash(world.channel, "result set", **options)
    second = await world.moderator.slash(world.channel, "result set", **options)
    assert "Nothing was changed" in text_of(await world.moderator.click(first.response, label="Cancel"))
    await lower.slash(world.channel, "report", result="lost")
    stale = await world.moderator.click(second.response, label="Apply")
    assert stale.ephemeral
    assert "Both players will be told" not in text_of(stale)


@pytest.mark.long
async def test_clearing_opens_the_match_again(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    _, lower = world.sides(post)
    await lower.slash(world.channel, "report", result="lost")
    asked = await world.moderator.slash(world.channel, "result clear", match="R1 M1", reason="wrong match")
    assert "That doesn't count any more, and the match is open again. Both players will be told." in text_of(asked)
    cleared = await world.moderator.click(asked.response, label="Clear it")
    assert "open again" in text_of(cleared)
    assert world.fresh(post).label == "Report"


@pytest.mark.long
@pytest.mark.parametrize("typed", ["1", "M1", "R1 M1", "r1m1", "Ada"])
async def test_a_match_can_be_typed_in_many_ways(world: World, typed: str) -> None:
    await world.started(players=2)
    done = await world.players[0].slash(world.channel, "report", result="lost", match=typed)
    assert "It counts now" in text_of(done)


@pytest.mark.long
async def test_suggestions_while_one_types(world: World) -> None:
    await world.started(players=4)
    player = world.sides(world.open_matches()[0])[0]
    matches = await player.autocomplete(world.channel, "report", "match", "", result="won")
    assert len(matches) == 1
    every = await world.moderator.autocomplete(world.channel, "result set", "match", "")
    assert len(every) == 2
    of_ada = await world.moderator.autocomplete(world.channel, "result set", "match", "Round 1 ad")
    assert [choice["value"] for choice in of_ada] == [row["value"] for row in every if "Ada" in row["name"]]
    outcomes = await world.moderator.autocomplete(world.channel, "result set", "outcome", "", match="R1 M1")
    offered = {choice["value"] for choice in outcomes}
    assert {"double loss", player.user.global_name, f"{player.user.global_name} by forfeit"} <= offered
    assert "draw" not in offered, "a single game has a winner"
    people = await world.organiser.autocomplete(world.channel, "player drop", "player", "a")
    assert people[0]["value"] == "Ada"
    leagues = await world.outsider.autocomplete(world.channel, "standings", "league", "are")
    assert [choice["value"] for choice in leagues] == ["Arena League"]
    seasons = await world.outsider.autocomplete(world.channel, "standings", "season", "")
    assert [choice["value"] for choice in seasons] == [1]


@pytest.mark.long
async def test_a_result_typed_just_after_a_new_round_is_asked_about(world: World) -> None:
    await world.started(players=4)
    first, last = [world.sides(post) for post in world.open_matches()]
    await first[1].slash(world.channel, "report", result="lost")
    await last[1].slash(world.channel, "report", result="lost")
    asked = await last[0].slash(world.channel, "report", result="won")
    assert "This is for round 2, against" in text_of(asked)
    assert "Your match of round 1 is already confirmed" in text_of(asked)
    assert labels(asked.response) == ["Yes, report it", "No"]
    assert "Got it" in text_of(await last[0].click(asked.response, label="Yes, report it"))


@pytest.mark.long
async def test_the_own_match_says_you_won_and_others_read_names(world: World) -> None:
    await world.started(players=4, best_of=3)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(lower, "lost 1-2", row)
    mine, theirs = [text_of(await who.slash(world.channel, "match")) for who in (upper, lower)]
    assert f"**You won 2\N{EN DASH}1 against {lower.user.global_name}.**" in mine
    assert f"**You lost 1\N{EN DASH}2 against {upper.user.global_name}.**" in theirs
    others = text_of(await world.press(world.outsider, world.fresh(row)))
    assert f"**{upper.user.global_name}** 2\N{EN DASH}1 {lower.user.global_name}" in others


@pytest.mark.long
async def test_a_moderator_who_presses_confirm_is_asked_for_whom_and_both_players_read_it(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    question = world.post("Is that right?")
    form = await world.moderator.click(question, label="Confirm")
    assert form.modal is not None
    assert form.modal["title"] == f"Confirm it for {lower.user.global_name}?"
    assert f"You don't play in this match. {upper.user.global_name} reports: won." in str(form.modal)
    assert world.posts("Is that right?"), "nothing is confirmed yet"
    done = await world.moderator.submit_modal(form, {"reason": "they wrote it"})
    assert "you can take it back" in text_of(done)
    assert labels(done.response) == ["Take back"]
    told = world.post(" decided it")
    assert world.pinged(told) == ({upper.id, lower.id}, set())
    assert f"Confirmed for {lower.user.global_name}." in message_text(told)
    assert "they wrote it" not in message_text(told)
    seen = text_of(await lower.click(told, label="Details"))
    assert f"The moderator Marco confirmed it for {lower.user.global_name}. Reason: they wrote it" in seen
    assert not world.posts("Is that right?")


@pytest.mark.long
async def test_a_moderator_takes_back_what_they_confirmed_for_a_player_who_is_asked_again(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    form = await world.moderator.click(world.post("Is that right?"), label="Confirm")
    done = await world.moderator.submit_modal(form, {"reason": "the wrong match"})
    pressed = custom_id_of(done.response, "Take back")
    card = world.fresh(row).post
    refused = [text_of(await press_forged(who, card, pressed)) for who in (upper, lower, world.outsider)]
    assert all("can't be taken back" in text for text in refused)
    back = await world.moderator.click(done.response, label="Take back")
    assert "Both players will be told." in text_of(back)
    assert world.pinged(world.post("Is that right?")) == ({lower.id}, set())
    told = world.post("took that back, so it waits for")
    assert world.pinged(told) == ({upper.id}, set())
    assert "outdated" in text_of(await press_forged(world.moderator, card, pressed))


@pytest.mark.long
async def test_a_moderator_who_types_confirm_or_dispute_for_others_is_asked_first(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    form = await world.moderator.slash(world.channel, "confirm", match="R1 M1")
    assert f"Confirm it for {lower.user.global_name}?" in str(form.modal)
    panel = await world.moderator.click(world.post("Is that right?"), label="Dispute")
    assert f"{upper.user.global_name} won" in labels(panel.response)
    asked = await world.moderator.slash(world.channel, "dispute", match="R1 M1", reason="I saw it")
    assert labels(asked.response)[:2] == ["Dispute it", "Leave it"]
    assert f"{lower.user.global_name} wins by forfeit…" in labels(asked.response)
    assert world.posts("Is that right?"), "nothing is disputed yet"
    done = await world.moderator.click(asked.response, label="Dispute it")
    assert "is disputed, and waits for a decision" in text_of(done)
    assert world.posts("Dispute: ", world.back_room)
    late = await world.moderator.submit_modal(form, {"reason": "they wrote it"})
    assert "That button is outdated" in text_of(late)
