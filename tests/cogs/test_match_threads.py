"""A place for each match: its thread is made once, shows the match to both players, and ends with it."""

import contextlib
import sqlite3
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.services.base.outbox import THREAD
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery, Loaded
from storage.database import Connection
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.cogs.test_times import proposing
from tests.files import change_by_hand

THREAD_LINE = 18
"""Discord's type of the line it writes into a channel about a new thread."""


def threads(world: World) -> list[ChannelHandle]:
    return world.channel.threads


def thread_of(world: World, name: str) -> ChannelHandle:
    return next(thread for thread in threads(world) if name in str(thread.name))


def stored(world: World, thread: ChannelHandle) -> Any:
    return world.env.backend.get_channel(thread.id)


def lines(world: World) -> list[Any]:
    """Return the lines Discord wrote into the channel about new threads."""
    posts = world.env.backend.messages[world.channel.id].values()
    return [post for post in posts if post.type == THREAD_LINE]


@pytest.mark.long
async def test_each_match_has_a_thread_that_opens_with_its_card(world: World) -> None:
    await world.started(players=4, match_places="threads")
    rows = world.open_matches()
    assert sorted(str(thread.name) for thread in threads(world)) == sorted(f"Round 1: {row.pairing}" for row in rows)
    for row in rows:
        (card,) = thread_of(world, row.pairing).history()
        assert row.pairing in message_text(card)
        assert "Ends" in message_text(card)
        assert labels(card) == ["Report", "Propose times", "Problem", "Details", "Check it yourself"]
        assert world.pinged(card) == (set(), set()), "the card of the round has notified them"
        inside = set(stored(world, thread_of(world, row.pairing)).thread_members) - {world.env.backend.bot_user.id}
        assert inside == {player.id for player in world.sides(row)}
    assert lines(world) == []


def allow(world: World, **rights: bool) -> None:
    """Change what the bot may do in the server."""
    guild, bot = world.env.backend.get_guild(world.guild.id), world.env.backend.bot_user.id
    role = next(guild.roles[role_id] for role_id in guild.members[bot].role_ids)
    changed = discord.Permissions(role.permissions)
    changed.update(**rights)
    world.env.backend.edit_role(guild.id, role.id, {"permissions": changed.value})


@pytest.mark.long
async def test_a_private_thread_is_open_to_its_two_players_alone(world: World) -> None:
    await world.started(players=4, match_places="private")
    for row in world.open_matches():
        thread = thread_of(world, row.pairing)
        assert set(stored(world, thread).thread_members) - {world.env.backend.bot_user.id} == {
            player.id for player in world.sides(row)
        }
        assert len(thread.history(viewer=world.sides(row)[0])) == 1
    assert lines(world) == []


@pytest.mark.long
async def test_what_is_about_a_match_is_told_in_its_thread_and_commands_there_need_no_match(world: World) -> None:
    await world.started(players=4, match_places="threads", advance="manual")
    row = world.open_matches()[0]
    thread, (one, other) = thread_of(world, row.pairing), world.sides(row)
    before = len(world.channel.history())
    assert row.pairing in text_of(await world.outsider.slash(thread, "match"))
    assert f"Talk about it in <#{thread.id}>" in text_of(await one.slash(world.channel, "match"))
    assert "Talk about it" not in text_of(await one.slash(thread, "match"))
    assert "Got it" in text_of(await one.slash(thread, "report", result="won"))
    asked = thread.history()[-1]
    assert "Is that right?" in message_text(asked)
    assert world.pinged(asked)[0] == {other.id}
    assert "Waiting for" in message_text(thread.history()[0])
    assert "The moderators will decide" in text_of(await other.slash(thread, "dispute", reason="no"))
    assert len(world.channel.history()) == before


@pytest.mark.long
async def test_a_thread_is_archived_a_day_after_the_result_and_revived_when_something_happens(world: World) -> None:
    await world.started(players=4, match_places="threads", advance="manual")
    row = world.open_matches()[0]
    thread = thread_of(world, row.pairing)
    await world.report(world.sides(row)[0], "lost", row)
    await world.jump(hours=23)
    assert not stored(world, thread).thread_metadata.archived
    await world.jump(hours=2)
    assert stored(world, thread).thread_metadata.archived
    world.env.inject_error("PATCH", f"/channels/{thread.id}/messages/{thread.history()[0].id}", status=400, code=50083)
    await world.agreed("result clear", "Clear it", match="R1 M1", reason="wrong")
    await world.env.settle()
    assert not stored(world, thread).thread_metadata.archived
    assert labels(thread.history()[0])[0] == "Report"


@pytest.mark.long
async def test_an_undone_round_ends_its_threads_and_keeps_what_was_written_in_them(world: World) -> None:
    await world.started(players=4, match_places="threads")
    before = threads(world)
    await world.players[0].send(before[0], "When can you play?")
    await world.agreed("round undo", "Undo the round", reason="oops")
    for thread in before:
        assert stored(world, thread).thread_metadata.archived
        assert "undid round 1" in message_text(thread.history()[0])
        assert labels(thread.history()[0]) == []
    assert before[0].history()[-1].content == "When can you play?"
    await world.agreed("round post", "Post it")
    assert len(threads(world)) == 4
    assert lines(world) == []


@pytest.mark.long
async def test_an_undone_round_archives_a_thread_whose_card_a_moderator_deleted_and_says_nothing_elsewhere(
    world: World,
) -> None:
    await world.started(players=4, match_places="threads")
    thread, other = threads(world)
    await world.chief.delete(thread.history()[0])
    await world.agreed("round undo", "Undo the round", reason="oops")
    assert stored(world, thread).thread_metadata.archived
    assert thread.history() == []
    assert "undid round 1" in message_text(other.history()[0])
    told = [text for text in map(message_text, world.channel.history()) if "undid round 1" in text]
    assert len(told) == 2, "the card of the round, and a message that mentions its players"
    assert not any("Something broke" in message_text(post) for post in world.back_room.history())


def _is_card(message: Any, pairing: str) -> bool:
    return message_text(message).startswith(f"### {pairing}")


@pytest.mark.long
async def test_a_card_stays_in_its_thread_where_that_is_noted_as_closed_while_the_card_is_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, one = thread_of(world, row.pairing), world.sides(row)[0]
    await world.chief.delete(thread.history()[0])
    addressed = delivery.addressed

    def closed_meanwhile(conn: Connection, found: Loaded) -> Delivery:
        if found.row.kind == THREAD:
            with contextlib.closing(sqlite3.connect(world.env.bot.database.path, isolation_level=None)) as beside:
                beside.execute("UPDATE threads SET lost = 'closed' WHERE thread_id = ?", (thread.id,))
        return addressed(conn, found)

    monkeypatch.setattr(delivery, "addressed", closed_meanwhile)
    await world.report(one, "won", row)
    await world.env.settle()
    cards = [place for place in (thread, world.channel) for post in place.history() if _is_card(post, row.pairing)]
    assert cards == [thread]
    assert not any("Something broke" in message_text(post) for post in world.back_room.history())


@pytest.mark.long
@pytest.mark.parametrize("kinds", ["'question'", "'question', 'thread'"], ids=["one message", "its card as well"])
async def test_what_was_sent_into_a_thread_before_a_crash_stands_once_where_that_can_not_be_opened_again(
    world: World, kinds: str
) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, (one, other) = thread_of(world, row.pairing), world.sides(row)
    await world.report(one, "won", row)
    with change_by_hand(world.env.bot.database) as conn:
        lost = "state = 'due', message_id = NULL, channel_id = NULL, shown = 0"
        conn.execute(f"UPDATE outbox SET {lost} WHERE kind IN ({kinds})")
    (asked,) = filter(_asks, thread.history())
    for post in thread.history():
        world.env.inject_error("PATCH", f"/channels/{thread.id}/messages/{post.id}", status=400, code=50083)
    world.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013)
    await world.restart()
    for _ in range(3):
        await world.jump(hours=1)
    places = [place for place in (thread, world.channel) for post in place.history() if _asks(post)]
    assert places == [thread]
    world.env.backend.faults.clear()
    await world.jump(hours=2)
    assert "Confirmed" in text_of(await other.click(asked, label="Confirm"))
    assert not [post for place in (thread, world.channel) for post in place.history() if _asks(post)]


@pytest.mark.long
@pytest.mark.parametrize("answered", [False, True])
async def test_what_was_sent_into_the_channel_before_a_crash_is_found_where_its_match_has_a_thread_now(
    world: World, answered: bool
) -> None:
    allow(world, create_private_threads=False)
    await world.league()
    await world.season(players=4, match_places="private")
    await world.organiser.slash(world.channel, "season start")
    row = world.open_matches()[0]
    await world.report(world.sides(row)[0], "won", row)
    allow(world, create_private_threads=True)
    await world.moderator.click(world.post("threads are missing", world.back_room), label="Try again")
    with change_by_hand(world.env.bot.database) as conn:
        lost = "state = 'due', message_id = NULL, channel_id = NULL"
        conn.execute(f"UPDATE outbox SET {lost}, removed = ? WHERE kind = 'question'", (answered,))
    await world.restart()
    await world.jump(minutes=5)
    places = [world.channel, *threads(world)]
    assert len(places) == 3
    stands = [place for place in places for post in place.history() if _asks(post)]
    assert stands == ([] if answered else [world.channel])


def _asks(message: Any) -> bool:
    return "Is that right?" in message_text(message)


@pytest.mark.long
async def test_a_pairing_changed_by_hand_gets_another_thread(world: World) -> None:
    await world.started(players=4, match_places="threads")
    rows = world.open_matches()
    first, second = world.sides(rows[0])[0], world.sides(rows[1])[0]
    names = {"a": first.user.global_name, "b": second.user.global_name}
    await world.agreed("round swap", "Swap", **names, reason="asked")
    open_ = [thread for thread in threads(world) if not stored(world, thread).thread_metadata.archived]
    assert sorted(str(thread.name) for thread in open_) == sorted(
        f"Round 1: {row.pairing}" for row in world.open_matches()
    )
    assert len(threads(world)) == 4


@pytest.mark.long
async def test_a_deleted_thread_sends_its_posts_to_the_channel_and_says_so(world: World) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, (one, other) = thread_of(world, row.pairing), world.sides(row)
    await world.report(one, "won", row)
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    asked = world.post("Is that right?")
    assert world.pinged(asked)[0] == {other.id}
    assert len(world.posts("was deleted", world.back_room)) == 1
    assert "Confirmed" in text_of(await other.click(asked, label="Confirm"))
    assert len(threads(world)) == 1


@pytest.mark.long
async def test_a_thread_deleted_while_the_bot_was_away_sends_its_posts_to_the_channel_too(world: World) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, (one, other) = thread_of(world, row.pairing), world.sides(row)
    world.env.bot.extra_events.pop("on_raw_thread_delete")
    world.env.backend.delete_channel(thread.id)
    await world.report(one, "won", row)
    await world.env.settle()
    assert world.pinged(world.post("Is that right?"))[0] == {other.id}
    assert len(world.posts("was deleted", world.back_room)) == 1


@pytest.mark.long
async def test_without_the_right_matches_stay_in_the_channel_until_it_is_given(world: World) -> None:
    allow(world, create_private_threads=False)
    await world.league()
    await world.season(players=6, match_places="private")
    await world.organiser.slash(world.channel, "season start")
    assert threads(world) == []
    (told,) = world.posts("threads are missing", world.back_room)
    await world.jump(hours=1)
    assert len(world.posts("threads are missing", world.back_room)) == 1
    row = world.open_matches()[0]
    await world.report(world.sides(row)[0], "won", row)
    assert world.posts("Is that right?")
    allow(world, create_private_threads=True)
    await world.moderator.click(told, label="Try again")
    assert len(threads(world)) == 3


@pytest.mark.long
async def test_a_server_full_of_threads_is_told_of_once(world: World) -> None:
    await world.league()
    await world.season(players=4, match_places="threads")
    path = f"/channels/{world.channel.id}/threads"
    world.env.inject_error("POST", path, status=400, code=160006, message="Maximum number of active threads reached")
    await world.organiser.slash(world.channel, "season start")
    await world.jump(minutes=30)
    assert threads(world) == []
    assert "Maximum number" in message_text(world.post("threads are missing", world.back_room))


async def test_choosing_threads_without_the_rights_says_what_is_missing(world: World) -> None:
    allow(world, create_private_threads=False)
    await world.league()
    await world.organiser.slash(world.channel, "season create", format="ohs")
    choice = {"setting": "match_places", "value": "private"}
    panel = await world.organiser.slash(world.channel, "season settings", **choice)
    assert "Create Private Threads" in text_of(panel)
    check = text_of(await world.organiser.slash(world.channel, "league settings"))
    assert "for threads the bot still needs **Create Private Threads**" in check
    assert "can't read private threads" in check
    allow(world, create_private_threads=True)
    world.env.backend.edit_role(
        world.guild.id,
        world.roles["moderator_role"].id,
        {"permissions": discord.Permissions(manage_threads=True).value},
    )
    assert "can make threads for matches" in text_of(await world.organiser.slash(world.channel, "league settings"))


@pytest.mark.long
async def test_a_new_account_is_let_into_the_private_thread_and_asked_about_the_proposed_times(world: World) -> None:
    await world.started(players=4, match_places="private")
    row = world.open_matches()[0]
    thread, (one, other) = thread_of(world, row.pairing), world.sides(row)
    await one.slash(world.channel, "availability", time_zone="Europe/Berlin")
    offered = await proposing(world, one)
    ((custom_id, options),) = selects_of(offered.response).items()
    chosen = await one.select(offered.response, values=[options[0].value], custom_id=custom_id)
    await one.click(chosen.response, label="Send")
    await world.agreed("player link", "Ask them", player=other.user.global_name, user=world.outsider)
    await world.outsider.click(world.post("Are you"), label="That's me")
    inside = set(stored(world, thread).thread_members) - {world.env.backend.bot_user.id}
    assert inside == {one.id, world.outsider.id}
    (asked,) = world.posts("proposes a time", thread)
    assert world.pinged(asked)[0] == {world.outsider.id}
    assert "Agreed" in text_of(await world.outsider.click(asked, label=labels(asked)[0]))
