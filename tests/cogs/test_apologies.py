"""Where something broke on our side, people are told where they see whether it was done, if anything was saved."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot import logs
from bot.services.play import reporting
from storage.database import Database
from tests.cogs.conftest import World, text_of

TRY_AGAIN = "Something broke on our side. Try again. Still stuck? Give the bot's owner this code: "
CHECK = "Something broke on our side. Check `{}` to see if it went through; if not, try again. Still stuck? "


def break_after(monkeypatch: pytest.MonkeyPatch, door: str) -> None:
    """Let whatever someone does break right after its first look (`read`) or its first change (`write`)."""
    run = getattr(Database, door)

    async def broken(*given: Any, **named: Any) -> Any:
        done = await run(*given, **named)
        if logs.told("actor"):
            raise RuntimeError("a bug")
        return done

    monkeypatch.setattr(Database, door, broken)


def typed(name: str, **options: Any) -> Callable[[World], Awaitable[InteractionResult]]:
    return lambda world: world.organiser.slash(world.channel, name, **options)


async def of_member(world: World) -> InteractionResult:
    return await world.player("Ada").context_menu(world.channel, "League profile", world.player("Bruno"))


async def my_match(world: World) -> InteractionResult:
    return await world.player("Ada").click(world.rows()[0].post, label="My match")


@pytest.mark.long
@pytest.mark.parametrize(
    "shows",
    [typed("profile", player="Ada"), typed("champions"), typed("match"), typed("league audit"), of_member, my_match],
    ids=["profile", "champions", "match", "audit", "menu", "button"],
)
async def test_what_only_shows_something_can_be_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch, shows: Callable[[World], Awaitable[InteractionResult]]
) -> None:
    await world.started(players=2)
    break_after(monkeypatch, "read")
    assert text_of(await shows(world)).startswith(TRY_AGAIN)


@pytest.mark.long
async def test_what_broke_before_it_was_saved_can_be_tried_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.started(players=2)
    note = reporting.transitions.note

    def broken(*given: Any, **named: Any) -> None:
        note(*given, **named)
        raise RuntimeError("a bug")

    monkeypatch.setattr(reporting.transitions, "note", broken)
    row = world.open_matches()[0]
    assert text_of(await world.report(world.player("Ada"), "won", row)).startswith(TRY_AGAIN)
    monkeypatch.undo()
    assert "Got it" in text_of(await world.report(world.player("Ada"), "won", row))


@pytest.mark.long
async def test_a_question_that_breaks_can_be_tried_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.started(players=2)
    break_after(monkeypatch, "read")
    assert text_of(await world.organiser.slash(world.channel, "season cancel")).startswith(TRY_AGAIN)


async def report(world: World) -> InteractionResult:
    return await world.report(world.player("Ada"), "won", world.open_matches()[0])


async def cancelled(world: World) -> InteractionResult:
    return await world.agreed("season cancel", "Cancel the season")


async def rules_sent(world: World) -> InteractionResult:
    form = await world.rules_form()
    return await world.organiser.submit_modal(form, {"rules": "Be kind."})


async def created(world: World) -> InteractionResult:
    there = world.guild.create_text_channel("second")
    return await world.chief.slash(world.channel, "league create", name="Second", channel=there)


async def decided(world: World) -> InteractionResult:
    what = {"match": "R1 M1", "outcome": "Ada", "kind": "adjudicated", "reason": "They agreed"}
    asked = await world.moderator.slash(world.channel, "result set", **what)
    return await world.moderator.click(asked.response, label="Apply")


async def confirmed(world: World) -> InteractionResult:
    form = await world.moderator.slash(world.channel, "confirm", match="R1 M1")
    return await world.moderator.submit_modal(form, {"reason": "They agreed"})


async def linked(world: World) -> InteractionResult:
    asked = await world.organiser.slash(world.channel, "player link", player="Ada", user=world.outsider.user)
    return await world.organiser.click(asked.response, label="Ask them")


async def test_whether_a_missing_post_was_tried_again_is_seen_among_what_waits(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=403, code=50013, times=1)
    await world.opened()
    trouble = world.post("a post is missing", world.back_room)
    break_after(monkeypatch, "write")
    pressed = await world.moderator.click(trouble, label="Try again")
    assert text_of(pressed).startswith(CHECK.format("/disputes"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("does", "seen_in"),
    [
        (report, "/match"),
        (typed("availability", time_zone="Europe/Berlin", hours="daily 9-22"), "/match"),
        (decided, "/season status"),
        (confirmed, "/season status"),
        (linked, "/league audit"),
        (cancelled, "/league audit"),
        (rules_sent, "/league audit"),
        (created, "/league audit"),
    ],
    ids=[
        "form",
        "command",
        "decided",
        "confirmed by a moderator",
        "linked",
        "cancelled",
        "form of organisers",
        "created",
    ],
)
async def test_what_broke_after_something_was_saved_says_where_to_check(
    world: World, monkeypatch: pytest.MonkeyPatch, does: Callable[[World], Awaitable[InteractionResult]], seen_in: str
) -> None:
    await world.started(players=2)
    if does is confirmed:
        assert "Got it" in text_of(await report(world))
    break_after(monkeypatch, "write")
    assert text_of(await does(world)).startswith(CHECK.format(seen_in))
