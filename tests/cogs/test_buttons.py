"""What a button is about: its own match and round, as they were when it was made, and nothing that came later."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal

import pytest
from simcord.actors import MemberActor

from bot.services.base.order import Order
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.play import decisions
from cogs.play.decisions import decide
from cogs.play.reports import confirm
from cogs.signups.signup import join
from cogs.ui.actions import ACTIONS, Press, action, codec_of
from cogs.ui.cards import Answer
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from storage.rows import LeagueId
from tests.cogs.conftest import World, buttons_of, labels, message_text, text_of
from tests.cogs.test_hostile_buttons import custom_id_of, press_forged


async def next_round(world: World) -> None:
    """Play the open round: every lower player loses."""
    for post in world.open_matches():
        await world.sides(post)[1].slash(world.channel, "report", result="lost")


@pytest.mark.long
async def test_why_on_an_older_match_explains_that_match(world: World) -> None:
    await world.started(players=4)
    first = world.open_matches()[0]
    upper, lower = world.sides(first)
    await next_round(world)
    details = await world.press(world.outsider, world.fresh(first))
    why = text_of(await world.outsider.click(details.response, label="Check it yourself"))
    assert f"Round 1 of 4: {upper.user.global_name} v {lower.user.global_name}" in why
    assert "Round 2" not in why


@pytest.mark.long
async def test_why_explains_a_match_of_a_long_name_and_of_one_with_a_line_break(world: World) -> None:
    await world.league()
    names = ["The very long name of " + "x" * 180, "Bo\n# two lines"]
    match = {"players": names, "kind": "open"}
    season = {"number": 1, "stage": "regular", "bye": None, "matches": [match]}
    players = [{"name": name} for name in names]
    file = {"fairpair": 1, "league": "x", "season": 1, "format": "ohs", "players": players, "rounds": [season]}
    await world.agreed("league import", "Import", file=("a.json", json.dumps(file).encode()))
    details = await world.press(world.outsider, world.open_matches()[0])
    why = text_of(await world.outsider.click(details.response, label="Check it yourself"))
    assert "Round 1 of 4: The very long name" in why
    assert "1. " in why


@pytest.mark.long
async def test_a_stale_drop_out_forfeits_no_later_match(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    leaving, opponent = world.sides(post)
    asked = await leaving.slash(world.channel, "drop")
    assert f"your open match against {opponent.user.global_name}" in text_of(asked)
    await opponent.slash(world.channel, "report", result="lost")
    await next_round(world)
    stale = await leaving.click(asked.response, label="Drop out")
    assert "This has changed since you were asked" in text_of(stale)
    assert len(world.open_matches()) == 2


@pytest.mark.long
async def test_three_more_days_pressed_twice_are_three_days(world: World) -> None:
    await world.started(players=4)
    await world.jump(days=7, minutes=5)
    overdue = world.post("past the deadline", world.back_room)
    custom_id = custom_id_of(overdue, "3 more days for all")
    first = await world.organiser.click(overdue, label="3 more days for all")
    second = await press_forged(world.organiser, world.open_matches()[0].post, custom_id)
    assert "new deadline is <t:" in text_of(first)
    assert "outdated" in text_of(second)
    audit = text_of(await world.organiser.slash(world.channel, "league audit"))
    assert audit.count("more time") == 1


@pytest.mark.long
async def test_an_old_private_button_after_an_undo_reports_no_new_match(world: World) -> None:
    await world.started(players=4)
    player = world.sides(world.open_matches()[0])[0]
    mine = await player.slash(world.channel, "match")
    await world.agreed("round undo", "Undo the round")
    await world.agreed("player drop", "Drop them", player=other_than(world, player), reason="ill")
    await world.agreed("round post", "Post it")
    pressed = await player.click(mine.response, label="Report")
    assert pressed.ephemeral
    assert "its round was undone" in text_of(pressed)
    assert {row.text.splitlines()[1] for row in world.rows()} == {"-# No time agreed yet"}


def other_than(world: World, player: MemberActor) -> str:
    return next(name for name in ("Ada", "Bruno") if name != player.user.global_name)


@pytest.mark.long
async def test_a_match_as_shown_is_refused_once_it_has_changed_whatever_the_work_does(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []

    async def careless(press: Press, match: MatchView, *_: Any) -> Reply:
        done.append(match.match.id)
        return Answer(text="done")

    monkeypatch.setattr(decide, "work", careless)
    await world.started(players=4)
    post = world.open_matches()[0]
    custom_id = f"fp:decide:1@{1}:adjudicated:upper:"
    assert "done" in text_of(await press_forged(world.moderator, post.post, custom_id))
    await world.report(world.sides(post)[0], "won", post)
    refused = await press_forged(world.moderator, world.fresh(post).post, custom_id)
    assert "is now" in text_of(refused)
    assert len(done) == 1


def test_what_never_gets_out_of_date_knows_no_version() -> None:
    assert join(LeagueId(1)).custom_id == "fp:join:1"


def test_two_actions_cannot_have_one_name() -> None:
    async def again(press: Press) -> Reply:
        return Answer()

    with pytest.raises(ValueError, match="two actions are called join"):
        action("join")(again)
    assert ACTIONS["join"] is join


class Colour(StrEnum):
    """Something to choose from."""

    RED = "red"
    BLUE = "light blue"


@pytest.mark.parametrize(
    ("kind", "part", "text"),
    [
        (int, -180, "-180"),
        (LeagueId, LeagueId(7), "7"),
        (LeagueId | None, None, ""),
        (bool, True, "yes"),
        (bool | None, False, "no"),
        (str, "Europe/Isle_of_Man", "Europe/Isle_of_Man"),
        (Colour, Colour.BLUE, "light blue"),
        (Literal["play", "agree"] | None, "agree", "agree"),
        (datetime, datetime(2026, 11, 22, 18, tzinfo=UTC), "1795370400"),
        (tuple[int, ...], (), ""),
        (tuple[int, ...], (4, 10), "4-10"),
        (tuple[int, int] | None, (2, 1), "2-1"),
    ],
)
def test_a_part_is_written_and_read_as_it_was(kind: Any, part: Any, text: str) -> None:
    codec = codec_of(kind)
    assert codec.write(part) == text
    assert re.fullmatch(codec.pattern, text)
    assert codec.read(text) == part


@pytest.mark.parametrize(
    ("kind", "text"),
    [(int, ""), (int, "1" * 19), (Colour, "green"), (bool, "perhaps"), (tuple[int, int], "2"), (str, "x" * 101)],
)
def test_a_text_that_is_no_such_part_fits_no_pattern(kind: Any, text: str) -> None:
    assert re.fullmatch(codec_of(kind).pattern, text) is None


def test_a_part_no_custom_id_can_hold_is_found_when_it_is_declared() -> None:
    async def draw(press: Press, amount: float) -> Reply:
        return Answer()

    with pytest.raises(KeyError):
        action("unheard-of")(draw)
    assert "unheard-of" not in ACTIONS


@pytest.mark.long
async def test_a_decision_form_opened_before_a_report_is_refused(world: World) -> None:
    await world.started(players=4)
    await world.jump(days=7, minutes=5)
    overdue = world.post("past the deadline", world.back_room)
    panel = await world.moderator.click(overdue, label=labels(overdue)[0])
    form = await world.moderator.click(panel.response, label=labels(panel.response)[0])
    post = world.open_matches()[0]
    upper, _ = world.sides(post)
    await upper.slash(world.channel, "report", result="won")
    answer = await world.moderator.submit_modal(form, {"reason": "nobody answered"})
    assert answer.ephemeral
    assert "is now" in text_of(answer)
    assert world.fresh(post).label == "Answer"


@pytest.mark.long
async def test_a_form_opened_before_the_opponents_report_is_refused(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    form = await world.press(upper, post)
    await lower.slash(world.channel, "report", result="won", score="2-1")
    answer = await upper.submit_modal(form, {"result": "won 2-0"})
    assert f"is now reported, not confirmed yet ({lower.user.global_name} reports: won 2\N{EN DASH}1)" in text_of(
        answer
    )
    assert world.fresh(post).label == "Answer"


@pytest.mark.long
async def test_a_dispute_form_opened_before_the_report_was_corrected_is_refused(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await upper.slash(world.channel, "report", result="won", score="2-0")
    form = await world.answer(lower, "Dispute", world.fresh(post))
    await upper.slash(world.channel, "report", result="won", score="2-1")
    answer = await lower.submit_modal(form, {"says": "score", "reason": "I won a game"})
    assert "is now" in text_of(answer)
    assert world.posts("Dispute: ", world.back_room) == []


@pytest.mark.long
async def test_a_match_that_changes_while_a_press_is_read_is_left_as_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await lower.slash(world.channel, "report", result="won")
    asked = await world.press(upper, world.fresh(post))
    work = confirm.work

    async def late(press: Press, match: MatchView) -> Reply:
        await _both_late(world, press.who, match)
        return await work(press, match)

    monkeypatch.setattr(confirm, "work", late)
    assert "is now double loss" in text_of(await upper.click(asked.response, label="Confirm"))
    assert "Double loss" in world.fresh(post).text


async def _both_late(world: World, who: Caller, match: MatchView) -> None:
    chief = Order(actor=replace(who.actor, user_id=world.chief.id, manage_guild=True), now=world.now())
    said: Any = {"outcome": Outcome.DOUBLE_LOSS, "reason": "both were late"}
    await who.db.write(decisions.decide, chief, match=match.match.id, **said)


@pytest.mark.long
async def test_a_match_that_changes_before_a_decision_is_applied_is_left_as_it_is(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    named = world.sides(post)[0].user.global_name
    set_it: Any = {"match": "R1 M1", "reason": "seen"}
    asked = await world.moderator.slash(world.channel, "result set", outcome=named, **set_it)
    other = await world.chief.slash(world.channel, "result set", outcome="double loss", **set_it)
    await world.chief.click(other.response, label="Apply")
    answer = text_of(await world.moderator.click(asked.response, label="Apply"))
    assert "is now double loss" in answer
    assert "Double loss" in world.fresh(post).text


@pytest.mark.long
async def test_the_reason_typed_for_a_drop_is_kept_behind_its_button(world: World) -> None:
    await world.started(players=4)
    player = world.sides(world.open_matches()[0])[0]
    asked = await player.slash(world.channel, "drop", reason="moving house")
    await player.click(asked.response, label="Drop out")
    assert "moving house" in text_of(await world.organiser.slash(world.channel, "league audit"))


@pytest.mark.long
async def test_a_dispute_of_ones_own_report_is_refused_before_the_form(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won", post)
    theirs = await world.press(lower, world.fresh(post))
    refused = await press_forged(upper, post.post, custom_id_of(theirs.response, "Dispute"))
    assert refused.modal is None
    assert "You reported" in text_of(refused)


@pytest.mark.long
async def test_a_report_echoes_what_counts(world: World) -> None:
    await world.started(players=2, best_of=3)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    told = text_of(await upper.slash(world.channel, "report", result="won", score="2-1"))
    assert f"Got it: you won 2\N{EN DASH}1 against {lower.user.global_name}." in told
    assert f"We're asking {lower.user.global_name} to confirm; without an answer it counts 24 hours after that." in told
    assert "Already reported" in text_of(await upper.slash(world.channel, "report", result="won", score="2-1"))
    confirmed = text_of(await lower.slash(world.channel, "confirm"))
    assert f"Confirmed: you lost 1–2 against {upper.user.global_name}." in confirmed


@pytest.mark.long
async def test_a_post_says_nothing_of_a_version_or_a_name_in_its_custom_ids(world: World) -> None:
    await world.started(players=4)
    ids = [button.custom_id for post in world.channel.history() for button in buttons_of(post)]
    assert not any(name.lower() in custom_id for custom_id in ids for name in ("Ada", "Bruno", "Chidi", "Daria"))
    assert not any(
        "season:" in message_text(post) or "match:" in message_text(post) for post in world.channel.history()
    )


@pytest.mark.long
@pytest.mark.parametrize("label", ["Forfeit and drop", "Only this match"])
async def test_a_no_show_button_says_before_it_drops_a_player_and_offers_only_this_match(
    world: World, label: str
) -> None:
    await world.started(players=4)
    await world.jump(days=7, minutes=5)
    overdue = world.post("past the deadline", world.back_room)
    upper, lower = world.sides(world.open_matches()[0])
    panel = await world.moderator.click(overdue, label=labels(overdue)[0])
    asked = await world.moderator.click(panel.response, label=f"{upper.user.global_name} wins by forfeit…")
    assert f"This also drops {lower.user.global_name} from the season." in text_of(asked)
    form = await world.moderator.click(asked.response, label=label)
    assert "will be told" in text_of(await world.moderator.submit_modal(form, {"reason": "never answered"}))
    picture = await world.outsider.slash(world.channel, "standings")
    table = text_of(await world.outsider.click(picture.response, label="As text"))
    assert ("dropped" in table) is (label == "Forfeit and drop")
