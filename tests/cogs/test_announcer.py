"""The announcer against a Discord that refuses, and a bot that makes mistakes."""

import asyncio
import concurrent.futures
import time
from typing import Any

import aiohttp
import pytest

from bot.services.base import outbox
from bot.services.base.outbox import BOARD
from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.signups import signing_up
from cogs.posting import renderings
from cogs.posting.announcer import RENDERING_TRIES
from cogs.posting.messages import LOOK_BACK, Messages
from cogs.ui.cards import Answer, Attached, texts
from storage.posts import PostRow
from storage.tables import leagues
from storage.tables.outbox import outbox_rows
from tests.cogs.conftest import World, buttons_of, labels, message_text, text_of
from tests.files import change_by_hand


def refuse(world: World, method: str, *, status: int, code: int = 0, times: int | None = None) -> None:
    path = f"/channels/{world.channel.id}/messages" + ("/{message_id}" if method == "PATCH" else "")
    if method == "PATCH":
        path = f"/channels/{world.channel.id}/messages/{world.post('Sign-ups are open').id}"
    world.env.inject_error(method, path, status=status, code=code, message="No", times=times)


@pytest.mark.long
async def test_a_post_whose_edit_was_refused_is_not_sent_a_second_time(world: World) -> None:
    await world.league()
    await world.season(players=1)
    refuse(world, "PATCH", status=403, code=50001)
    await world.players[1].slash(world.channel, "signup")
    world.env.backend.faults.clear()
    trouble = world.post("a post is missing", world.back_room)
    await world.moderator.click(trouble, label="Try again")
    assert len(world.posts("Sign-ups are open")) == 1
    assert "2 players so far" in message_text(world.post("Sign-ups are open"))
    fixed = world.post("The missing post is there now", world.back_room)
    assert (fixed.id, labels(fixed)) == (trouble.id, [])


@pytest.mark.long
async def test_the_note_about_requests_in_a_deleted_channel_ends_with_the_requests(world: World) -> None:
    await world.league()
    await world.opened(approval=True)
    board, path = world.post("Sign-ups are open"), f"/channels/{world.back_room.id}/messages"
    for player in (world.player("Ada"), world.player("Bruno")):
        await player.click(board, label="Join")
    page = world.post("who is let in?", world.back_room)
    gone: dict[str, Any] = {"status": 404, "code": 10003, "message": "Unknown Channel"}
    world.env.inject_error("POST", path, **gone)
    for method in ("PATCH", "DELETE"):
        world.env.inject_error(method, f"{path}/{page.id}", **gone)
    for button in buttons_of(page)[::2]:
        await world.organiser.click(page, custom_id=button.custom_id)
    await world.jump(minutes=1)
    note = world.post("a post is missing")
    assert "Its channel was deleted." in message_text(note)
    await world.organiser.slash(world.channel, "season start")
    await world.jump(minutes=2)
    after = world.post("no post is missing")
    assert "✅ The missing post isn't needed any more." in message_text(after)
    assert (after.id, labels(after)) == (note.id, [])


@pytest.mark.long
async def test_a_post_discord_refuses_for_good_is_parked_and_told_once(world: World) -> None:
    await world.league()
    refuse(world, "POST", status=400, code=50035)
    await world.opened(world.back_room)
    await world.jump(hours=6)
    assert len(world.posts("a post is missing", world.back_room)) == 1
    assert "Discord refuses it" in message_text(world.post("a post is missing", world.back_room))
    assert "Discord refuses it" in text_of(await world.moderator.slash(world.back_room, "disputes"))


@pytest.mark.long
@pytest.mark.parametrize("status", [408, 429, 500])
async def test_a_refusal_that_passes_by_itself_is_tried_again_and_troubles_no_one(world: World, status: int) -> None:
    await world.league()
    refuse(world, "POST", status=status, times=1)
    await world.opened(world.back_room)
    assert not world.posts("Sign-ups are open")
    await world.jump(minutes=1)
    assert len(world.posts("Sign-ups are open")) == 1
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_moderators_read_in_their_own_channel_of_a_post_that_was_refused_for_what_it_says(world: World) -> None:
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    await upper.slash(world.channel, "report", result="won")
    path = f"/channels/{world.back_room.id}/messages"
    world.env.inject_error("POST", path, status=400, code=50035, message="No", times=1)
    await lower.slash(world.channel, "report", result="won")
    assert not world.posts("Dispute: ", world.back_room)
    assert len(world.posts("a post is missing", world.back_room)) == 1
    assert not world.posts("a post is missing")


@pytest.mark.long
async def test_a_post_that_cannot_be_rendered_is_parked_after_some_tries(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    tried: list[object] = []
    known = renderings.render

    def broken(kind: PostKind, facts: object) -> Answer:
        if kind is BOARD:
            tried.append(facts)
            raise ValueError("no such word")
        return known(kind, facts)

    monkeypatch.setattr(renderings, "render", broken)
    await world.opened(world.back_room)
    for _ in range(10):
        await world.jump(minutes=5)
    assert len(tried) == RENDERING_TRIES
    assert "no such word" in message_text(world.post("a post is missing", world.back_room))


@pytest.mark.long
async def test_a_post_whose_facts_cannot_be_read_is_failed_and_the_others_are_made(world: World) -> None:
    await world.league()
    with change_by_hand(world.env.bot.database) as conn:
        (league,) = leagues.of_guild(conn, world.channel.guild.id)
        for once, text in (("broken", "Nobody reads this."), ("whole", "Everyone reads this.")):
            outbox.tell(conn, league, text, now=world.now(), once=once)
        conn.execute("UPDATE outbox SET facts = '{\"text\":7}' WHERE key LIKE '%:broken'")
    for _ in range(10):
        await world.jump(minutes=5)
    assert "NoticeFacts can't be read" in message_text(world.post("a post is missing", world.back_room))
    assert world.post("Everyone reads this.")


async def test_the_note_about_a_deleted_channel_names_the_setting(world: World) -> None:
    await world.league()
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    await world.opened(world.back_room, league="Arena League")
    assert "`/league settings` channel" in message_text(world.post("a post is missing", world.back_room))


@pytest.mark.long
async def test_what_waits_for_an_organiser_mentions_them_and_names_commands_to_click(world: World) -> None:
    await world.started(players=2, advance="manual")
    upper, _ = world.sides(world.open_matches()[0])
    await upper.slash(world.channel, "report", result="lost")
    post = world.post("All results of round 1 are in", world.back_room)
    assert world.pinged(post) == (set(), {world.roles["organiser_role"].id})
    assert "</round post:" in "\n".join(texts(post.components))


@pytest.mark.long
async def test_an_edited_post_carries_its_new_file_and_is_cut(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.league()
    shown = iter("12")

    def long(*_: object) -> Answer:
        number = next(shown)
        return Answer(text=f"{number} " + "x" * 5000, parts=(Attached(f"{number}.txt", number),))

    monkeypatch.setattr(renderings, "render", long)
    await world.opened()
    await world.players[0].slash(world.channel, "signup")
    post = world.channel.history()[-1]
    assert message_text(post).startswith("2 ")
    assert [file.filename for file in post.attachments] == ["2.txt"]
    assert len(message_text(post)) <= 4001


async def test_a_post_notifies_only_those_it_concerns_whatever_its_text_says(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    text = f"@everyone <@{world.players[0].id}>"
    answer = Answer(text=text)
    monkeypatch.setattr(renderings, "render", lambda *_: answer)
    await world.opened(world.back_room)
    post = world.post("@everyone")
    assert not post.mention_everyone
    assert world.pinged(post) == (set(), set())


@pytest.mark.long
async def test_a_cancelled_season_keeps_no_button_to_report_with(world: World) -> None:
    await world.started(players=4)
    assert world.open_matches()
    await world.agreed("season cancel", "Cancel the season", reason="the hall burned down")
    assert not world.open_matches()


async def test_a_post_taken_back_while_it_is_sent_is_deleted_though_nobody_heard_that_it_arrived(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, lost = Messages._sent, list[int]()

    async def then_lost(self: Messages, due: Delivery, row: PostRow, *more: Any) -> int:
        message = await known(self, due, row, *more)
        if row.kind != BOARD:
            return message
        lost.append(message)
        await world.env.bot.database.write(outbox_rows.delete, row.id, now=world.now())
        raise aiohttp.ClientConnectionError

    monkeypatch.setattr(Messages, "_sent", then_lost)
    await world.league()
    await world.opened()
    (message,) = lost
    assert message in [post.id for post in world.channel.history()]
    await world.jump(minutes=5)
    assert message not in [post.id for post in world.channel.history()]


@pytest.mark.parametrize("taken_back", [False, True])
async def test_a_post_that_nobody_heard_arrived_is_found_under_all_that_was_written_since(
    world: World, monkeypatch: pytest.MonkeyPatch, taken_back: bool
) -> None:
    known, lost = Messages._sent, list[PostRow]()

    async def then_lost(self: Messages, due: Delivery, row: PostRow, *more: Any) -> int:
        message = await known(self, due, row, *more)
        if row.kind != BOARD or lost:
            return message
        lost.append(row)
        raise aiohttp.ClientConnectionError

    monkeypatch.setattr(Messages, "_sent", then_lost)
    await world.league()
    await world.opened()
    for number in range(LOOK_BACK):
        await world.players[0].send(world.channel, f"Who plays? {number}")
    if taken_back:
        await world.env.bot.database.write(outbox_rows.delete, lost[0].id, now=world.now())
    await world.jump(minutes=5)
    assert len(world.posts("Sign-ups are open")) == (0 if taken_back else 1)


@pytest.mark.long
async def test_a_press_in_flight_is_answered_before_the_bot_closes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    await world.season(players=0)
    bot, closing, loop = world.env.bot, list[concurrent.futures.Future[None]](), asyncio.get_running_loop()
    known = signing_up.sign_up

    def while_closing(*args: Any, **more: Any) -> Any:
        closing.append(asyncio.run_coroutine_threadsafe(bot.close(), loop))
        time.sleep(0.05)
        return known(*args, **more)

    monkeypatch.setattr(signing_up, "sign_up", while_closing)
    answer = await world.players[0].slash(world.channel, "signup")
    assert "You're in season 1" in text_of(answer)
    await asyncio.wrap_future(closing[0])
