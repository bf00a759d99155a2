"""Buttons that say what no button of this version says, of other servers, or with more than a custom_id holds."""

import json
from typing import Any

import discord
import pytest
from simcord import actors
from simcord.actors import MemberActor
from simcord.components import walk_components
from simcord.results import InteractionResult

from cogs.ui.forms import OPEN_FORMS
from tests.cogs.conftest import World, buttons_of, labels, text_of

LONG = "The very long name of " + "x" * 180


async def press_forged(who: MemberActor, post: Any, custom_id: str) -> InteractionResult:
    """Press a button of a post as if it had carried another custom_id."""
    stored = actors._visible_message(who, post)
    button = _first_button(stored.components)
    kept, button["custom_id"] = button["custom_id"], custom_id
    pressed = await actors._component_interaction(who, stored, {"custom_id": custom_id, "component_type": 2})
    button["custom_id"] = kept
    return pressed


def custom_id_of(post: Any, label: str) -> str:
    """Return what stands behind a button of a message."""
    return next(str(button.custom_id) for button in buttons_of(post) if button.label == label)


def _first_button(components: list[dict[str, Any]]) -> dict[str, Any]:
    return next(part for part in walk_components(components) if part["type"] == discord.ComponentType.button.value)


@pytest.mark.long
@pytest.mark.parametrize(
    "custom_id",
    [
        "fp:retired:1",
        "fp:extend:1",
        "fp:extend:1:soon",
        "fp:extend:1:-5",
        "fp:decide:1@1:adjudicated",
        "fp:decide:1@1:adjudicated:1:upper",
        "fp:decide:1@1:loud:upper:",
        "fp:decide:1@1:open:upper:",
        "fp:time-report:1@1:nobody",
        "fp:time-report:1@1:upper:2",
        "fp:confirm:1",
        "fp:drop:1",
        "fp:why:1@1",
        "fp:report:1@1:won",
        "fp:join:1@0",
    ],
)
async def test_a_button_of_another_version_says_so(world: World, custom_id: str) -> None:
    await world.started(players=4)
    answer = await press_forged(world.organiser, world.open_matches()[0].post, custom_id)
    assert answer.ephemeral
    assert "no longer works" in text_of(answer)


@pytest.mark.long
@pytest.mark.parametrize(
    "custom_id", ["fp:join:9999999999999999999", "fp:confirm:-1@1", "fp:join", "fp:why:1:Ada\nB", "other:1"]
)
async def test_a_custom_id_that_is_none_of_ours_is_answered(world: World, custom_id: str) -> None:
    await world.started(players=4)
    answer = await press_forged(world.organiser, world.open_matches()[0].post, custom_id)
    assert answer.ephemeral
    assert "no longer works" in text_of(answer)


@pytest.mark.long
async def test_a_match_panel_is_for_moderators(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    for custom_id in ("fp:panel:1", "fp:decide:1@1:adjudicated:upper:"):
        answer = await press_forged(world.outsider, post.post, custom_id)
        assert answer.ephemeral
        assert "Only moderators" in text_of(answer)


@pytest.mark.long
async def test_a_decision_with_a_colon_in_its_score_can_be_applied(world: World) -> None:
    await world.started(players=4, best_of=3)
    post = world.open_matches()[0]
    _, lower = world.sides(post)
    asked = await world.moderator.slash(
        world.channel, "result set", match="R1 M1", outcome=lower.user.global_name, reason="seen", score="2:1"
    )
    done = await world.moderator.click(asked.response, label="Apply")
    assert f"{lower.user.global_name} won 2\u20131" in text_of(done).replace("\u2060", "")


@pytest.mark.long
async def test_an_outcome_typed_with_many_blanks_can_be_applied(world: World) -> None:
    await world.started(players=4)
    asked = await world.moderator.slash(
        world.channel, "result set", match="R1 M1", outcome=" " * 200 + "double loss", reason="both away"
    )
    done = await world.moderator.click(asked.response, label="Apply")
    assert "double loss" in text_of(done)


@pytest.mark.long
async def test_names_longer_than_a_custom_id_can_be_decided(world: World) -> None:
    await world.league()
    names = [LONG, "Bo\n# two lines"]
    match = {"players": names, "kind": "open"}
    season = {"number": 1, "stage": "regular", "bye": None, "matches": [match]}
    players = [{"name": name} for name in names]
    file = {"fairpair": 1, "league": "x", "season": 1, "format": "ohs", "players": players, "rounds": [season]}
    await world.agreed("league import", "Import", file=("a.json", json.dumps(file).encode()))
    asked = await world.moderator.slash(world.channel, "result set", match="R1 M1", outcome=LONG, reason="seen")
    assert labels(asked.response) == ["Apply", "Cancel"]
    await world.jump(days=8)
    waiting = await world.moderator.slash(world.channel, "disputes")
    panel = await world.moderator.click(waiting.response, label=labels(waiting.response)[0])
    form = await world.moderator.click(panel.response, label=labels(panel.response)[1])
    done = await world.moderator.submit_modal(form, {"reason": "seen"})
    assert "Both players will be told" in text_of(done)
    row = world.rows()[0]
    assert row.winner == "Bo # two lines"


@pytest.mark.long
async def test_a_form_sent_after_a_restart_gives_back_what_was_typed(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    await world.report(upper, "won", post)
    form = await world.answer(lower, "Dispute", world.fresh(post))
    await world.restart()
    OPEN_FORMS.clear()  # as in a new process
    answer = await lower.submit_modal(form, {"says": "won", "reason": "I *won* it"})
    assert answer.ephemeral
    assert "again" in text_of(answer)
    assert "I \\*won\\* it" in text_of(answer)
    again = await world.answer(lower, "Dispute", world.fresh(post))
    assert "moderators will decide" in text_of(await lower.submit_modal(again, {"says": "won", "reason": "I won it"}))


@pytest.mark.long
async def test_an_interaction_delivered_twice_counts_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.started(players=4)
    backend = world.env.backend
    emit = backend.emit

    def emit_twice(event: str, payload: Any, *more: Any, **named: Any) -> None:
        emit(event, payload, *more, **named)
        if event == "INTERACTION_CREATE":
            emit(event, dict(payload), *more, **named)

    backend.emit = emit_twice
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    assert "Got it" in text_of(await world.report(upper, "won", post))
    assert "It counts now" in text_of(await world.answer(lower, "Confirm", world.fresh(post)))
    backend.emit = emit
    audit = text_of(await world.organiser.slash(world.channel, "league audit"))
    assert audit.count("(round 1)") == 2, audit  # a report and its confirmation
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_file_with_an_endless_name_is_refused_with_its_reason(world: World) -> None:
    await world.league()
    answer = await world.organiser.slash(world.channel, "league import", file=("n" * 2500 + ".json", b"PK\x03\x04"))
    assert "damaged spreadsheet" in text_of(answer)
