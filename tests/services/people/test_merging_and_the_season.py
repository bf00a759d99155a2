"""A merge while a season takes sign-ups or is played: one person keeps one place there, and what they asked."""

from typing import Any

import pytest

from bot.league.errors import Conflict
from bot.league.season.names import written_key
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.people import banning
from bot.services.reads.details import MatchThreadPost
from bot.services.seasons import lifecycle
from bot.services.seats import substitutes
from bot.services.signups import signing_up
from bot.services.signups.approval import JoinRequestPost
from bot.services.signups.names_in_game import MatchAnswers
from storage.query import records
from tests.files import change_by_hand, do, look_into
from tests.services.conftest import NAMES, World
from tests.services.people.test_merging import A, B, C, D, back, dump, merge, seasons, there

E, F = NAMES[4:6]
TWO = ([A, C, D], [B, C, D])
"""Two seasons, in each of which one of the two names played."""


async def opened(world: World, *names: str, **settings: Any) -> None:
    """Take sign-ups for a season, into which an organiser puts players."""
    await world.opened(format="ohs", settings={"rounds": 4, "cut": 0, **settings})
    for name in names:
        await do(signing_up.add, **there(world), discord_id=world.player(name).user_id, display_name=name)


async def substitute(world: World, old: str, new: str) -> None:
    account = world.player(new).user_id or 0
    newcomer = Newcomer(discord_id=account, wanted=None, display_name=new, by_organiser=True, reason="x")
    await do(substitutes.substitute, **there(world), old=old, newcomer=newcomer)


def without_posts(world: World) -> dict[str, Any]:
    """Return every row but those of posts, which are edited to show who someone is now."""
    return {name: rows for name, rows in dump(world).items() if name != "outbox"}


@pytest.mark.long
async def test_who_takes_a_seat_from_the_next_round_on_isnt_one_with_who_asks_to_join(world: World) -> None:
    await seasons(world, *TWO)
    await opened(world, C, D, E, F, approval=True, late_entry=3)
    await world.start()
    await world.sign_up(A)
    await substitute(world, C, B)
    before = dump(world)
    with pytest.raises(Conflict, match=f"In season 3 {A} asks to join and {B} plays, but one person has one place"):
        await merge(world, A, B)
    assert dump(world) == before


@pytest.mark.long
async def test_no_one_banned_is_merged_into_who_takes_a_seat_from_the_next_round_on(world: World) -> None:
    await seasons(world, *TWO)
    await do(banning.ban, **there(world), player=A, reason="cheats")
    await opened(world, C, D, E, F)
    await world.start()
    await substitute(world, C, B)
    before = dump(world)
    with pytest.raises(Conflict, match=f"In season 3 {B} plays, but {A} is banned"):
        await merge(world, A, B)
    assert dump(world) == before
    await do(banning.ban, **there(world), player=B, reason="the same cheat", plays_out=True)
    await merge(world, A, B)


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "inside", "place"),
    [({"approval": True}, [], "asks to join"), ({"max_players": 2}, [C, D], "waits for a place")],
)
async def test_no_one_banned_is_merged_into_who_waits_or_asks_without_saying_what_they_lose(
    world: World, settings: dict[str, Any], inside: list[str], place: str
) -> None:
    await seasons(world, *TWO)
    await do(banning.ban, **there(world), player=A, reason="cheats")
    await opened(world, *inside, **settings)
    await world.sign_up(B)
    before = dump(world)
    with pytest.raises(Conflict, match=f"In season 3 {B} {place}, but {A} is banned. Ban {B} too, or let {A} in again"):
        await merge(world, A, B)
    assert dump(world) == before
    await do(banning.ban, **there(world), player=B, reason="the same cheat")
    before = without_posts(world)
    await back(world, await merge(world, A, B))
    assert without_posts(world) == before


@pytest.mark.long
async def test_who_asks_to_join_isnt_merged_into_someone_banned(world: World) -> None:
    await seasons(world, *TWO)
    await do(banning.ban, **there(world), player=B, reason="cheats")
    await opened(world, approval=True)
    await world.sign_up(A)
    with pytest.raises(Conflict, match=f"In season 3 {A} asks to join, but {B} is banned. Ban {A} too"):
        await merge(world, A, B)


async def test_a_merge_says_first_that_a_ban_goes_along(world: World) -> None:
    await seasons(world, *TWO)
    await do(banning.ban, **there(world), player=A, reason="cheats")
    with pytest.raises(ConfirmationNeeded, match=f"{A} is banned, so {B} will be banned too"):
        await merge(world, A, B, agreed="")
    await do(banning.ban, **there(world), player=B, reason="the same cheat")
    with pytest.raises(ConfirmationNeeded) as asked:
        await merge(world, A, B, agreed="")
    assert "banned" not in str(asked.value)


@pytest.mark.long
async def test_a_request_made_after_a_merge_stays_with_who_made_it(world: World) -> None:
    """The account that asks was the other name's: taken back, the wrong person would have asked."""
    await seasons(world, *TWO)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = ?", (B,))
    done = await merge(world, A, B)
    await opened(world, approval=True)
    await world.sign_up(A)
    before = dump(world)
    with pytest.raises(Conflict, match=f"because {B} has asked to join a season since"):
        await back(world, done)
    assert dump(world) == before


@pytest.mark.long
async def test_a_merge_noted_before_requests_were_looked_at_is_taken_back_as_ever(world: World) -> None:
    await seasons(world, *TWO)
    before = dump(world)
    done = await merge(world, A, B)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE merges SET as_left = json_remove(as_left, '$.asks')")
    await back(world, done)
    assert dump(world) == before


@pytest.mark.long
@pytest.mark.parametrize("announced", [True, False], ids=["message deleted", "message still there"])
async def test_organisers_are_asked_again_about_a_request_that_comes_back_with_its_name(
    world: World, announced: bool
) -> None:
    await seasons(world, *TWO)
    await opened(world, approval=True)
    await world.sign_up(A, B)
    await world.announce()
    done = await merge(world, A, B)
    if announced:
        await world.announce()
    await back(world, done)
    world.later(hours=1)
    (page,) = await world.posts("join-request")
    facts = await world.shown(page)
    assert isinstance(facts, JoinRequestPost)
    assert {row.name for row in facts.rows if row.answered_at is None} == {A, B}
    assert not [made for made in await world.announce() if made.row.kind == "join-request"], "their page grows"


@pytest.mark.long
async def test_a_private_thread_shows_what_a_person_answered_under_their_other_name(world: World) -> None:
    await seasons(world, *TWO)
    await opened(world, B, C, D, E, ask_name="user name", match_places="private")
    with change_by_hand(world.db) as conn:
        answer = (
            "INSERT INTO signup_answers (player_id, question, answer) SELECT id, ?, 'A77' FROM players WHERE name = ?"
        )
        conn.execute(answer, (written_key("user name"), A))
    await world.start()
    await world.announce()

    async def edited() -> list[str | None]:
        """Return what B is shown to have answered in threads that are due; then they are shown."""
        world.later(hours=1)
        facts = [await world.shown(post) for post in await world.posts("thread")]
        both = [one.details.part(MatchAnswers) for one in facts if isinstance(one, MatchThreadPost)]
        await world.announce()
        return [answer for one in both if one for side, answer in one.answers if side.name == B]

    assert await edited() == []
    done = await merge(world, A, B)
    assert await edited() == ["A77"]
    await back(world, done)
    assert await edited() == [None]


@pytest.mark.long
async def test_a_request_that_comes_back_too_late_to_join_waits_no_more(world: World) -> None:
    await seasons(world, *TWO)
    await opened(world, C, D, E, F, approval=True, late_entry=2)
    await world.start()
    await world.sign_up(A, B)
    done = await merge(world, A, B)
    await world.play_round()
    await back(world, done)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT id FROM join_requests WHERE answered_at IS NULL") == ()


@pytest.mark.long
@pytest.mark.parametrize("another", [False, True], ids=["no season", "another season"])
async def test_a_request_that_comes_back_after_its_season_was_cancelled_waits_no_more(
    world: World, another: bool
) -> None:
    await seasons(world, *TWO)
    await opened(world, approval=True)
    await world.sign_up(A, B)
    done = await merge(world, A, B)
    await do(lifecycle.cancel, **there(world), reason="too few")
    if another:
        await opened(world, approval=True)
    await back(world, done)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT id FROM join_requests WHERE answered_at IS NULL") == ()
