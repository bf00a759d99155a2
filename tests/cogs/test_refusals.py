"""What Discord refuses, and what people are told: the cause is true, and whoever is asked is reached all the same."""

import pytest

from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.cogs.test_match_threads import stored, thread_of
from tests.cogs.test_times import proposing
from tests.examples import mostly_long

CLOSED = [(400, 50033), (400, 50007), (403, 50007), (403, 50278), (404, 10013)]
"""How Discord refuses a direct message for good: no account, closed or blocked, no server in common."""


async def asked_by_direct_message(world: World, path: str, *, status: int, code: int, times: int | None = None) -> int:
    """Let a player who wants direct messages be asked about a report while Discord refuses; returns their id."""
    await world.started(players=2)
    upper, lower = world.sides(world.open_matches()[0])
    card = await lower.slash(world.channel, "notify")
    assert card.response is not None
    await lower.select(card.response, values=["direct"], custom_id="pick:fp:notify:1:question")
    where = path.format(dm=lower.user.dm_channel.id)
    world.env.inject_error("POST", where, status=status, code=code, message="No", times=times)
    await world.report(upper, "won", world.open_matches()[0])
    return lower.id


@pytest.mark.long
@pytest.mark.parametrize("path", mostly_long(["/channels/{dm}/messages", "/users/@me/channels"]))
@pytest.mark.parametrize(("status", "code"), CLOSED)
async def test_a_person_no_direct_message_reaches_is_asked_in_the_channel(
    world: World, path: str, status: int, code: int
) -> None:
    lower = await asked_by_direct_message(world, path, status=status, code=code)
    question = world.post("Is that right?")
    assert world.pinged(question)[0] == {lower}
    assert not world.posts("a post is missing", world.back_room)
    await world.jump(hours=25)
    assert world.post("## Round 2"), "without an answer the report counts"


@pytest.mark.long
async def test_direct_messages_opened_too_fast_are_opened_later_and_nobody_is_told_they_are_closed(
    world: World,
) -> None:
    await asked_by_direct_message(world, "/users/@me/channels", status=403, code=40003, times=1)
    assert not world.posts("Is that right?")
    await world.jump(minutes=1)
    assert "Is that right?" in message_text(world.sides(world.rows()[0])[1].user.dm_channel.history()[-1])
    assert not world.posts("direct messages are closed")


@pytest.mark.parametrize("status", [401, 403, 404, 502, 503])
async def test_an_answer_that_is_not_discords_is_waited_out_and_troubles_no_one(world: World, status: int) -> None:
    await world.league()
    path = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", path, status=status, code=0, message="<html>error 1015</html>", times=1)
    await world.opened(world.back_room)
    assert not world.posts("Sign-ups are open")
    assert "html" not in text_of(await world.moderator.slash(world.back_room, "disputes"))
    await world.jump(minutes=1)
    assert len(world.posts("Sign-ups are open")) == 1
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_a_question_in_an_archived_thread_is_deleted_and_the_thread_archived_again(world: World) -> None:
    await world.started(players=4, match_places="threads", advance="manual")
    row = world.open_matches()[0]
    thread, (upper, lower) = thread_of(world, row.pairing), world.sides(row)
    await world.report(upper, "won", row)
    (question,) = world.posts("Is that right?", thread)
    stored(world, thread).thread_metadata.archived = True
    path = f"/channels/{thread.id}/messages/{question.id}"
    world.env.inject_error("DELETE", path, status=400, code=50083, message="Thread is archived", times=1)
    await lower.slash(world.channel, "confirm")
    assert not world.posts("Is that right?", thread)
    assert stored(world, thread).thread_metadata.archived
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_a_thread_opened_to_delete_a_question_in_it_is_archived_though_the_first_try_fails(world: World) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, (one, _) = thread_of(world, row.pairing), world.sides(row)
    await one.slash(world.channel, "availability", time_zone="Europe/Berlin")
    offered = await proposing(world, one)
    ((custom_id, options),) = selects_of(offered.response).items()
    chosen = await one.select(offered.response, values=[options[0].value], custom_id=custom_id)
    await one.click(chosen.response, label="Send")
    (question,) = world.posts("proposes a time", thread)
    path = f"/channels/{thread.id}/messages/{question.id}"
    world.env.inject_error("DELETE", path, status=400, code=50083, message="Thread is archived", times=1)
    world.env.inject_error("DELETE", path, status=502, code=0, message="", times=1)
    await world.agreed("round undo", "Undo the round", reason="oops")
    assert world.posts("proposes a time", thread)
    assert not stored(world, thread).thread_metadata.archived
    await world.jump(minutes=5)
    assert not world.posts("proposes a time", thread)
    assert stored(world, thread).thread_metadata.archived


@pytest.mark.long
async def test_the_reason_of_a_locked_thread_names_what_a_moderator_can_do(world: World) -> None:
    await world.started(players=4, match_places="threads")
    row = world.open_matches()[0]
    thread, (upper, lower) = thread_of(world, row.pairing), world.sides(row)
    path = f"/channels/{thread.id}/messages"
    for method, where in (("POST", path), ("PATCH", f"{path}/{thread.history()[0].id}")):
        world.env.inject_error(method, where, status=400, code=160005, message="Thread is locked")
    await world.report(upper, "won", row)
    assert world.pinged(world.post("Is that right?"))[0] == {lower.id}
    told = message_text(world.post("threads are missing", world.back_room))
    assert "locked" in told
    assert "Tell the person who runs the bot" not in told
    assert labels(world.post("threads are missing", world.back_room)) == ["Try again"]


@pytest.mark.long
async def test_what_is_left_in_an_archived_and_locked_thread_troubles_no_one(world: World) -> None:
    await world.started(players=4, match_places="threads", advance="manual")
    row = world.open_matches()[0]
    thread, (upper, lower) = thread_of(world, row.pairing), world.sides(row)
    await world.report(upper, "won", row)
    (question,) = world.posts("Is that right?", thread)
    path = f"/channels/{thread.id}/messages/{question.id}"
    world.env.inject_error("DELETE", path, status=400, code=50083, message="Thread is archived")
    world.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013, message="Missing Permissions")
    await lower.slash(world.channel, "confirm")
    await world.jump(hours=2)
    assert not world.posts("missing", world.back_room)
    assert not stored(world, thread).thread_metadata.archived
