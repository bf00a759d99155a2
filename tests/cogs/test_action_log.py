"""One line in the log for each thing people and the clock do, without what they typed or are called."""

import logging
from typing import Any

import pytest

from bot.services.signups import signing_up
from tests.cogs.conftest import World, text_of


def actions(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    told = [record.__dict__["told"] for record in caplog.records if "told" in record.__dict__]
    caplog.clear()
    return told


async def test_commands_buttons_and_forms_leave_one_line_each(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    await world.league()
    (done,) = [one for one in actions(caplog) if "actor" in one]
    assert (done["action"], done["result"]) == ("/league create", "done")
    assert (done["guild"], done["actor"]) == (world.guild.id, world.chief.id)
    await world.season(players=2)
    pressed = [one for one in actions(caplog) if one["action"].startswith("button")]
    assert [one["action"].split()[1] for one in pressed] == ["plan-open", "join"]
    assert {one["league"] for one in pressed} == {1}

    await world.outsider.slash(world.channel, "season start")
    (refused,) = [one for one in actions(caplog) if "actor" in one]
    assert (refused["action"], refused["result"], refused["error"]) == ("/season start", "refused", "NotAllowed")

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("no such word")

    monkeypatch.setattr(signing_up, "sign_up", broken)
    told = text_of(await world.players[3].slash(world.channel, "signup", name="Secret Name"))
    (failed,) = [one for one in actions(caplog) if "actor" in one]
    assert (failed["action"], failed["result"]) == ("/signup", "failed")
    assert failed["incident"] in told


@pytest.mark.long
async def test_no_name_and_nothing_typed_is_in_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    await lower.slash(world.channel, "dispute", reason="They typed something")
    await world.agreed("season cancel", "Cancel the season", reason="the hall burned down")
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("bot", "cogs"))]
    assert any("/dispute" in line for line in ours)
    said = "\n".join(ours)
    for word in ("typed something", "burned", *(player.user.global_name or "" for player in world.players)):
        assert word not in said


@pytest.mark.long
async def test_the_clock_and_the_posts_leave_a_line_each(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await world.started(players=4)
    posts = [one for one in actions(caplog) if one["action"] in ("send post", "edit post")]
    assert {one["result"] for one in posts} == {"done"}
    assert "round" in {one["kind"] for one in posts}
    await world.jump(days=30)
    by_clock = [one for one in actions(caplog) if one["action"].startswith("clock: ")]
    assert by_clock
    assert {one["result"] for one in by_clock} <= {"done", "not needed"}
