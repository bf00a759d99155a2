"""Texts longer than Discord takes, dates nobody means, halves of characters."""

import sys
from typing import Any

import discord
import pytest

from cogs.ui.cards import TEXT_LIMIT, Answer
from cogs.ui.replies import message_parts
from cogs.ui.text import MESSAGE_LIMIT
from tests.cogs.conftest import World, message_text, text_of

HALF = "\ud83d"


async def test_an_answer_longer_than_a_message_is_cut() -> None:
    view = message_parts(Answer(text="x" * 3000, parts=("y" * 3000,)))["view"]
    shown = "".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))
    assert len(shown) == TEXT_LIMIT
    assert shown.endswith("…")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("season create", {"format": "ohs", "signups_close": "x" * 4000}),
        ("season settings", {"setting": "*" * 4000, "value": "*" * 4000}),
        ("signup", {"name": "*" * 4000}),
        ("standings", {"league": "*" * 4000}),
        ("profile", {"player": "*" * 4000}),
        ("league settings", {"time_zone": "*" * 4000}),
        ("league settings", {"name": "*" * 4000}),
        ("result set", {"match": "*" * 4000, "outcome": "*" * 4000, "reason": "*" * 500, "score": "*" * 4000}),
    ],
)
async def test_four_thousand_characters_are_refused_in_words(
    world: World, command: str, options: dict[str, Any]
) -> None:
    await world.league()
    answer = await world.organiser.slash(world.channel, command, **options)
    assert answer.ephemeral
    assert 20 < len(text_of(answer)) <= MESSAGE_LIMIT
    assert "broke on our side" not in text_of(answer)


@pytest.mark.at_once
async def test_an_answer_discord_refuses_is_told_of(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.league()
    monkeypatch.setattr(sys.modules["cogs.reads.inbox"], "inbox_answer", lambda *_, **__: Answer())
    answer = await world.organiser.slash(world.channel, "disputes")
    assert answer.ephemeral
    assert "broke on our side" in text_of(answer)


@pytest.mark.long
@pytest.mark.parametrize("typed", ["9999-12-31 23:59", "2062-01-01 10:00", "9999d"])
async def test_a_date_no_clock_can_hold_is_refused(world: World, typed: str) -> None:
    await world.league()
    await world.organiser.slash(world.channel, "league settings", time_zone="America/New_York")
    answer = await world.organiser.slash(world.channel, "season create", format="ohs", signups_close=typed)
    assert answer.ephemeral
    assert "ten years" in text_of(answer)
    assert "no season yet" in text_of(await world.organiser.slash(world.channel, "season status"))


@pytest.mark.long
async def test_half_a_character_is_no_bug_of_ours(world: World) -> None:
    await world.started(players=4)
    for command, options in (
        ("why", {"player": HALF}),
        ("profile", {"player": HALF}),
        ("result clear", {"match": HALF, "reason": HALF}),
        ("report", {"result": "won", "match": HALF}),
    ):
        answer = await world.organiser.slash(world.channel, command, **options)
        assert answer.ephemeral
        assert "broke on our side" not in text_of(answer), command
    await world.agreed("player drop", "Drop them", player="Ada", reason=HALF)
    assert "?" in message_text((await world.organiser.slash(world.channel, "league audit")).response)
