"""Threads of matches against time, numbers and crashes: each is made once, whatever happens in between."""

from typing import Any

import pytest

from bot.league import formats
from bot.services.threads import thread_notes
from cogs.posting.match_threads import MatchThreads
from tests.cogs.conftest import World, labels, message_text
from tests.cogs.test_match_threads import lines, stored, thread_of, threads
from tests.examples import mostly_long


@pytest.mark.long
async def test_two_hundred_matches_have_their_threads_and_leave_no_line_in_the_channel(world: World) -> None:
    world.players = [world.member(f"Player {number:03}") for number in range(400)]
    await world.started(players=400, match_places="private", rounds=1, cut=0)
    await world.jump(minutes=1)
    rows = world.open_matches()
    assert len(rows) == 200
    named = {str(thread.name): thread for thread in threads(world)}
    assert set(named) == {f"Round 1: {row.pairing}" for row in rows}
    assert len(threads(world)) == 200
    bot = world.env.backend.bot_user.id
    for row in rows:
        thread = named[f"Round 1: {row.pairing}"]
        assert set(stored(world, thread).thread_members) - {bot} == {player.id for player in world.sides(row)}
        (card,) = thread.history()
        assert row.pairing in message_text(card)
    assert lines(world) == []


async def stop_after(world: World, monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> None:
    """Let the bot break off after it did something for a thread, before it can note that; then start it again."""

    def broken(*_: Any, **__: Any) -> None:
        raise OSError("the bot stops here")

    with monkeypatch.context() as patched:
        patched.setattr(where, name, broken)
        await world.organiser.slash(world.channel, "season start")
        await world.env.settle()
    await world.restart()
    await world.jump(minutes=5)


@pytest.mark.parametrize(
    ("where", "name"),
    [(thread_notes, "begin"), (thread_notes, "made"), (MatchThreads, "keep"), (thread_notes, "added")],
)
async def test_a_thread_is_made_once_wherever_the_bot_stops(
    world: World, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    await world.league()
    await world.season(players=6, match_places="private")
    await stop_after(world, monkeypatch, where, name)
    rows = world.open_matches()
    assert sorted(str(thread.name) for thread in threads(world)) == sorted(f"Round 1: {row.pairing}" for row in rows)
    for row in rows:
        thread = thread_of(world, row.pairing)
        assert len(thread.history()) == 1
        assert {player.id for player in world.sides(row)} <= set(stored(world, thread).thread_members)
    assert lines(world) == []


@pytest.mark.long
@pytest.mark.parametrize("format", mostly_long(format_.key for format_ in formats.ALL))
async def test_matches_of_every_formats_finals_have_threads(world: World, format: str) -> None:
    settings: dict[str, Any] = {"swiss": {"cut": 2, "rounds": 1}, "ohs": {"cut": 2, "rounds": 2}, "robin": {"cut": 2}}
    given = next((more for key, more in settings.items() if key in format), {})
    score = {"score": "0-2"} if format == "lightseekers-swiss" else {}  # it plays best of three
    await world.started(players=8, format=format, match_places="threads", **given)
    for _ in range(100):
        rows = world.open_matches()
        tied = [post for post in world.back_room.history() if "Use the draw" in labels(post)]
        if not rows and tied:
            await world.organiser.click(tied[-1], label="Use the draw")
            continue
        if not rows:
            break
        thread = next(one for one in reversed(threads(world)) if rows[0].pairing in str(one.name))
        assert rows[0].pairing in message_text(thread.history()[0])
        await world.sides(rows[0])[0].slash(thread, "report", result="lost", **score)
    assert world.posts("is the champion")
    assert any("Final" in str(thread.name) for thread in threads(world))
    assert lines(world) == []
