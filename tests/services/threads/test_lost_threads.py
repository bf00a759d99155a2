"""Threads of matches that are lost, locked or private: who is asked again, which are tried again, who is led there."""

from typing import Any

import pytest

from bot import steps
from bot.services.base import failed_posts
from bot.services.delivery import delivery
from bot.services.people import linking
from bot.services.people.linking import Account
from bot.services.play import reporting
from bot.services.problems import telling
from bot.services.reads import details
from bot.services.seasons import planning
from bot.services.threads import thread_notes
from storage.rows import MatchId
from storage.tables.people import players
from storage.tables.problems import ProblemKind
from tests.files import do, look_into, see
from tests.services.conftest import CHANNEL, GUILD, ORGANISER, STRANGER, World, person
from tests.services.play.test_bracket_corrections import current

LOCKED = "The thread of a match is locked"


async def in_threads(world: World, places: str = "threads") -> list[MatchId]:
    """Begin a season whose matches have threads, and return the matches."""
    await world.begin(4, match_places=places)
    matches = (await current(world)).matches
    for view in matches:
        id_, people = view.match.id, [side.discord_id for side in view.sides if side.discord_id is not None]
        await world.db.write(thread_notes.begin, id_)
        await world.db.write(thread_notes.made, id_, 50_000 + id_, private=places == "private", now=world.now)
        await world.db.write(thread_notes.added, id_, people)
    await world.announce()
    return [view.match.id for view in matches]


async def lock(world: World, match: MatchId) -> None:
    with look_into(world.db) as conn:
        (row,) = conn.execute_fetchall("SELECT id FROM outbox WHERE key = ?", [f"thread:{match}"])
    await world.db.write(thread_notes.closed, row["id"], channel_id=50_000 + match, now=world.now, problem=LOCKED)


async def tried(world: World) -> set[MatchId | None]:
    return {post.match_id for post in await world.posts("thread")}


@pytest.mark.parametrize("first", ["question", "problem"])
async def test_what_was_asked_in_a_deleted_thread_is_asked_again_in_the_channel(world: World, first: str) -> None:
    match = (await in_threads(world))[0]
    view = next(one for one in (await current(world)).matches if one.match.id == match)
    who: Any = {"db": world.db, "actor": world.player(view.upper.name), "now": world.now, "match": match}
    if first == "question":
        await do(reporting.report, **who, result="won")
    else:
        await do(telling.tell_problem, **who, kind=ProblemKind.TOO_LATE, text="ill")
    assert [made.channel_id for made in await world.announce() if made.row.kind == first] == [50_000 + match]
    await world.db.write(thread_notes.deleted, 50_000 + match, now=world.now)
    (again,) = [made for made in await world.announce() if made.row.kind == first]
    assert again.mention.people == (view.lower.discord_id,)
    assert again.channel_id != 50_000 + match


async def test_a_thread_that_stays_locked_keeps_no_other_from_being_tried_again(world: World) -> None:
    first, second = await in_threads(world)
    await lock(world, first)
    await lock(world, second)
    for _ in range(2):
        await steps.tick(world.db, world.later(hours=1, minutes=1))
        assert await tried(world) == {first, second}
        await lock(world, first)
        await lock(world, second)


@pytest.mark.parametrize("how", ["someone changed something", "an hour passed"])
async def test_once_a_locked_thread_is_tried_again_posts_about_its_match_go_there(world: World, how: str) -> None:
    match = (await in_threads(world))[0]
    view = next(one for one in (await current(world)).matches if one.match.id == match)
    await lock(world, match)
    if how == "an hour passed":
        await steps.tick(world.db, world.later(hours=1, minutes=1))
    else:
        await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    who: Any = {"actor": world.player(view.upper.name), "now": world.now}
    await do(reporting.report, db=world.db, **who, match=match, result="won")
    assert [made.channel_id for made in await world.announce() if made.row.kind == "question"] == [50_000 + match]


async def test_a_locked_thread_that_is_deleted_leaves_no_question_behind_in_it(world: World) -> None:
    match = (await in_threads(world))[0]
    view = next(one for one in (await current(world)).matches if one.match.id == match)
    await do(
        reporting.report, db=world.db, actor=world.player(view.upper.name), now=world.now, match=match, result="won"
    )
    await world.announce()
    await lock(world, match)
    assert await world.db.write(thread_notes.deleted, 50_000 + match, now=world.now)
    assert "question" in {made.row.kind for made in await world.announce()}
    assert not await world.db.write(thread_notes.deleted, 50_000 + match, now=world.now)


async def test_no_one_is_led_to_a_thread_made_private_whatever_the_setting_is_now(world: World) -> None:
    match = (await in_threads(world, "private"))[0]
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, **who, settings={"match_places": "threads"})
    for actor, led in ((STRANGER, None), (world.player("dok"), 50_000 + match)):
        assert (await see(details.details, db=world.db, actor=actor, match=match, now=world.now)).thread == led


async def test_a_new_account_is_let_into_the_thread_of_a_match_that_is_decided(world: World) -> None:
    await in_threads(world, "private")
    match = await world.match_of("dok")
    assert match is not None
    await world.lose("dok")
    await world.announce()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(linking.propose, **who, player="dok", account=Account(discord_id=5000, name="dok2"))
    with look_into(world.db) as conn:
        known = players.by_name(conn, world.league_id, "dok")
        link = None if known is None else players.waiting_link(conn, known.id)
    assert link is not None
    await do(linking.answer, db=world.db, actor=person(5000, "dok2"), now=world.now, link=link.id, accept=True)
    assert await tried(world) == {match.match.id}


async def test_threads_locked_for_the_same_reason_are_all_tried_at_once(world: World) -> None:
    matches = await in_threads(world)
    for match in matches:
        await lock(world, match)
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    lanes = await world.db.read(delivery.due, world.now)
    due = {post.id for posts in lanes.values() for post in posts}
    assert {post.match_id for post in await world.posts("thread") if post.id in due} == {*matches}


async def test_a_channel_that_is_closed_while_a_thread_is_being_made_closes_no_thread(world: World) -> None:
    await world.begin(4, match_places="threads")
    view = (await current(world)).matches[0]
    await world.db.write(thread_notes.begin, view.match.id)
    who: Any = {"actor": world.player(view.upper.name), "now": world.now}
    await do(reporting.report, db=world.db, **who, match=view.match.id, result="won")
    (post,) = await world.posts("question")
    said: Any = {"channel_id": CHANNEL, "now": world.now, "problem": LOCKED}
    assert not await world.db.write(thread_notes.closed, post.id, **said)


async def test_no_thread_is_made_for_a_match_of_a_round_that_is_over(world: World) -> None:
    await world.begin(4, match_places="threads")
    await world.play_round()
    second = {view.match.id for view in (await current(world)).matches}
    assert await tried(world) == second
    await world.play_round()
    assert await tried(world) == {view.match.id for view in (await current(world)).matches} != second
