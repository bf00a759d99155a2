"""Answers that take longer than Discord waits: acknowledged first, and then as they would have been at once."""

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.ui import replies
from tests.cogs import slow_answers
from tests.cogs.conftest import World, buttons_of, labels, message_text, selects_of, text_of

pytestmark = pytest.mark.at_once


@pytest.fixture
def slow(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    slow_answers.use(monkeypatch, slow=True)
    return world


async def test_a_slow_red_button_leaves_no_question_behind(slow: World) -> None:
    await slow.league()
    asked = await slow.chief.slash(slow.channel, "league delete")
    assert asked.response is not None
    done = await slow.chief.click(asked.response, label=labels(asked.response)[0])
    assert done.response is not None
    assert done.response.id == asked.response.id
    assert not buttons_of(done.response)
    assert "deleted" in message_text(done.response)
    assert not done.followups


async def test_a_slow_choice_changes_the_panel_it_is_on(slow: World) -> None:
    await slow.league()
    panel = await slow.organiser.slash(slow.channel, "season create", format="ohs")
    assert panel.response is not None
    (page, *_) = selects_of(panel.response)
    chosen = selects_of(panel.response)[page][-1].value
    done = await slow.organiser.select(panel.response, [chosen], custom_id=page)
    assert done.response is not None
    assert done.response.id == panel.response.id
    assert not done.followups


@pytest.mark.long
async def test_a_slow_press_on_a_post_leaves_the_post_and_answers_in_private(slow: World) -> None:
    await slow.league()
    await slow.season(players=2)
    post = slow.post("Sign-ups are open")
    before = len(slow.channel.history())
    done = await slow.players[0].click(post, label="Join")
    assert done.response is not None
    assert done.response.id != post.id
    assert done.ephemeral
    assert "Sign-ups are open" in message_text(slow.post("Sign-ups are open"))
    assert len(slow.channel.history()) == before


@pytest.mark.long
async def test_a_form_that_comes_too_late_is_opened_by_one_more_press(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=2)
    row = world.open_matches()[0]
    slow_answers.late(monkeypatch, form=True)
    late = await world.sides(row)[0].click(row.post, custom_id=row.custom_id)
    assert late.modal is None
    (offered,) = late.followups
    assert offered.ephemeral
    form = await world.sides(row)[0].click(offered, label="Open the form")
    assert "you won" in text_of(await world.sides(row)[0].submit_modal(form, {"result": "won"}))


async def test_a_late_form_keeps_what_was_filled_in_beforehand(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.league()
    shown = await world.chief.slash(world.channel, "league settings")
    form = await world.chief.click(shown.response, label="Your own rules")
    await world.chief.submit_modal(form, {form.modal["components"][0]["component"]["custom_id"]: "Be kind."})
    slow_answers.late(monkeypatch, form=True)
    late = await world.chief.click(shown.response, label="Your own rules")
    form = await world.chief.click(late.followups[0], label="Open the form")
    assert "Be kind." in str(form.modal)


@pytest.mark.long
async def test_what_opens_a_form_waits_longer_than_what_can_be_acknowledged(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=2)
    row = world.open_matches()[0]
    slow_answers.late(monkeypatch, form=False)
    assert (await world.sides(row)[0].click(row.post, custom_id=row.custom_id)).modal is not None
    assert replies.PATIENCE_SECONDS < replies.FORM_SECONDS < 3


async def test_an_acknowledgement_that_fails_cancels_nothing_and_is_logged(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Gone:
        status, reason = 404, "Not Found"

    async def gone(*_: Any, **__: Any) -> None:
        raise discord.NotFound(Gone(), {"code": 10062, "message": "Unknown interaction"})  # type: ignore[arg-type]

    await world.league()
    caplog.set_level(logging.INFO)
    slow_answers.late(monkeypatch, form=False)
    monkeypatch.setattr(discord.InteractionResponse, "defer", gone)
    monkeypatch.setattr(discord.InteractionResponse, "send_message", gone)
    await world.organiser.slash(world.channel, "league settings", name="Renamed")
    (line,) = [record for record in caplog.records if record.getMessage().startswith("/league settings: ")]
    assert "result=not answered" in line.getMessage()
    assert line.levelno == logging.WARNING
    monkeypatch.undo()
    slow_answers.use(monkeypatch, slow=False)
    assert "Renamed" in text_of(await world.organiser.slash(world.channel, "league settings"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("tests", "runs"),
    [
        (["test_a_win_waits_and_the_post_counts_down"], 2),
        (["test_suggestions_while_one_types"], 1),
        (["test_more_than_ten_results_are_a_list"], 2),
        (["test_a_win_waits_and_the_post_counts_down", "test_more_than_ten_results_are_a_list"], 3),
    ],
)
def test_each_answer_to_a_button_a_choice_or_a_form_comes_late_once_more(tests: list[str], runs: int) -> None:
    asked = [f"{Path(__file__).with_name('test_results.py')}::{test}" for test in tests]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-q", "-m", "", *asked], capture_output=True, text=True, check=True
    )
    assert f"{runs} passed" in done.stdout
