"""Seasons in which organisers let each player in: who waits has no place, and is told at the start."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed, NotFound, WrongPhase
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, forgetting, merging, renaming
from bot.services.reads import inbox
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from bot.services.signups import dropping, letting_in, signing_up
from bot.services.signups.approval import Asks, JoinRequestPost
from bot.services.signups.signing_up import LateEntry
from storage.query import records
from tests.files import do, look_into, see
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, STRANGER, World

MANY = [f"Player {number}" for number in range(27)]
"""One more than can meet everyone twice in one group."""


def there(world: World, name: str | None = None) -> dict[str, Any]:
    actor = ORGANISER if name is None else world.player(name)
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id}


async def ask(world: World, name: str, **more: Any) -> Any:
    given: dict[str, Any] = {"agreed": 99, **more}
    return await do(signing_up.sign_up, **there(world, name), display_name=name, **given)


async def answer(world: World, name: str, *, accept: bool = True, **more: Any) -> None:
    with look_into(world.db) as conn:
        sql = "SELECT q.id, p.name FROM join_requests q JOIN players p ON p.id = q.player_id ORDER BY q.id DESC"
        known = {called: request for request, called in reversed(records(conn, sql))}
    who = {**there(world), **more}
    await do(letting_in.answer, **who, request_id=known[name], accept=accept)


async def let_in(world: World, names: Sequence[str], *, of: Sequence[str]) -> None:
    """Let some players in of those who ask; the others wait on."""
    for name in of:
        await ask(world, name)
    for name in names:
        await answer(world, name)


async def waiting(world: World) -> list[str]:
    found = await see(inbox.inbox, **there(world))
    return [row.name for row in (found.rows("join_requests") or {}).values()]


async def inside(world: World) -> list[str]:
    return [who.name for who in (await world.status()).entrants]


async def test_a_player_asks_and_is_let_in_or_not_in_order_of_asking(world: World) -> None:
    await world.create(approval=True)
    for name in ("Ann", "Bo", "Cy"):
        done = await ask(world, name)
        assert isinstance(done, Asks)
        assert (done.first_time, done.already) == (True, False)
    assert (await ask(world, "Ann")).already
    assert await waiting(world) == ["Ann", "Bo", "Cy"]
    assert await inside(world) == []
    assert len(await world.posts("join-request")) == 1
    await answer(world, "Bo")
    await answer(world, "Ann", accept=False)
    assert (await inside(world), await waiting(world)) == (["Bo"], ["Cy"])
    told = await world.notices()
    assert "Bo, you're in season 1: an organiser let you in." in told
    assert "Ann isn't in season 1: an organiser didn't let them in." in told
    with pytest.raises(Conflict, match="already let in"):
        await answer(world, "Bo", accept=False)
    with pytest.raises(Conflict, match="already refused"):
        await answer(world, "Ann")
    with pytest.raises(NotAllowed, match="An organiser didn't let you into season 1"):
        await ask(world, "Ann")
    who = world.player("Ann").user_id or 0
    await do(signing_up.add, **there(world), discord_id=who, display_name="Ann")
    assert await inside(world) == ["Bo", "Ann"]


async def test_only_organisers_answer(world: World) -> None:
    await world.create(approval=True)
    await ask(world, "Ann")
    for actor in (MODERATOR, STRANGER, world.player("Ann")):
        with pytest.raises(NotAllowed):
            await answer(world, "Ann", actor=actor)
    with pytest.raises(NotFound):
        await do(letting_in.answer, **there(world), request_id=99, accept=True)


async def test_of_many_who_wait_at_the_start_not_all_are_named_before_the_next_step(world: World) -> None:
    await world.create(approval=True, late_entry=2)
    for name in NAMES[:4]:
        await ask(world, name)
        await answer(world, name)
    for number in range(25):
        await ask(world, f"late {number}")
    await world.start()
    (told,) = [post.facts for post in await world.posts("own-place") if "goes on without" in str(post.facts["text"])]
    assert str(told["text"]).endswith("late 19 and 5 more. /signup asks again: new players can still join.")
    assert len(told["pings"]) == 25


async def test_who_waits_is_told_at_the_start_and_can_ask_again_where_that_is_possible(world: World) -> None:
    await world.create(approval=True, late_entry=2)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    await world.start()
    assert sorted(await inside(world)) == sorted(NAMES[:4])
    late = NAMES[4]
    (told,) = [text for text in await world.notices() if "goes on without" in text]
    assert told == (
        f"No organiser answered in time, so season 1 goes on without {late}."
        " /signup asks again: new players can still join."
    )
    with pytest.raises(Conflict, match="doesn't ask to join any more"):
        await answer(world, late)
    with pytest.raises(LateEntry):
        await ask(world, late, agreed=1)
    await ask(world, late)
    await answer(world, late)
    assert late in await inside(world)
    assert any("joins season 1 from round 2 on. Round 1 counts as a loss." in text for text in await world.notices())
    await ask(world, "Hal")
    await world.play_round()
    assert any("goes on without Hal" in text and "next season" in text for text in await world.notices())
    assert await waiting(world) == []


async def test_a_full_season_puts_who_is_let_in_on_the_waiting_list(world: World) -> None:
    await world.create(approval=True, max_players=2)
    for name in ("Ann", "Bo", "Cy"):
        await ask(world, name)
    for name in ("Bo", "Ann", "Cy"):
        await answer(world, name)
    assert await inside(world) == ["Bo", "Ann"]
    assert any(
        text.startswith("Cy, you can play in season 1, but it's full: you're 1st") for text in await world.notices()
    )
    await world.drop("Bo")
    (asked,) = await world.posts("place")
    await do(signing_up.take_place, **there(world, "Cy"), waiting_id=asked.facts["waiting_id"])
    assert await inside(world) == ["Ann", "Cy"]


async def test_leaving_while_one_waits_takes_the_question_back(world: World) -> None:
    await world.create(approval=True)
    await ask(world, "Ann")
    done = await do(dropping.drop, **there(world, "Ann"), agreed="")
    assert done.asked
    assert await waiting(world) == []
    await ask(world, "Ann")
    await do(forgetting.forget, **there(world), player="Ann")
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM join_requests") == ()
    await ask(world, "Bo")
    await do(banning.ban, **there(world), player="Bo", reason="x")
    assert await waiting(world) == []
    with pytest.raises(NotAllowed, match="You're banned"):
        await ask(world, "Bo")


async def test_once_organisers_need_not_let_players_in_everyone_who_waits_is_in(world: World) -> None:
    await world.create(approval=True, max_players=2)
    for name in ("Cy", "Ann", "Bo"):
        await ask(world, name)
    await do(planning.change_settings, **there(world), settings={"approval": None})
    assert await inside(world) == ["Cy", "Ann"]
    assert await waiting(world) == []


async def test_a_substitute_and_someone_added_ask_no_more(world: World) -> None:
    await world.begin(4, late_entry=3)
    await do(planning.change_settings, **there(world), settings={"approval": True})
    await ask(world, "Hal")
    await ask(world, "Ida")
    who = world.player("Hal").user_id or 0
    newcomer = Newcomer(discord_id=who, wanted=None, display_name="Hal", by_organiser=True)
    await do(substitutes.substitute, **there(world), old="dok", newcomer=newcomer)
    assert await waiting(world) == ["Ida"]
    await do(signing_up.add, **there(world), discord_id=world.player("Ida").user_id or 0, display_name="Ida")
    assert await waiting(world) == []


async def test_who_is_let_in_during_the_check_in_need_not_check_in_and_the_rules_are_agreed_to_first(
    world: World,
) -> None:
    await do(set_up.write_rules, **there(world), text="Be kind.")
    closes = world.now + timedelta(hours=24)
    settings = {"approval": True, "check_in_hours": 24}
    await world.opened(format="ohs", settings=settings, signups_close=closes)
    with pytest.raises(ConfirmationNeeded) as rules:
        await ask(world, "Ann", rules="")
    await ask(world, "Ann", rules=rules.value.token)
    await steps.tick(world.db, world.now)
    await answer(world, "Ann")
    (row,) = (await world.status()).entrants
    assert row.checked_in


async def test_a_cancelled_season_lets_no_one_wait_and_tells_them(world: World) -> None:
    await world.create(approval=True)
    await ask(world, "Ann")
    await do(lifecycle.cancel, **there(world))
    assert await waiting(world) == []
    (told,) = [post for post in await world.posts("own-place") if "had answered Ann" in str(post.facts["text"])]
    assert told.facts["pings"] == [world.player("Ann").user_id]


@pytest.mark.parametrize("how", ["renamed", "merged"])
async def test_who_asks_is_shown_under_the_name_they_have_now(world: World, how: str) -> None:
    await world.create(approval=True)
    await ask(world, "Ann")
    if how == "merged":
        await ask(world, "Anna")
        await answer(world, "Anna", accept=False)
    await world.announce()
    if how == "renamed":
        await do(renaming.rename, **there(world), player="Ann", new_name="Anna", reason="x")
    else:
        await do(merging.merge, **there(world), player="Ann", into="Anna", reason="x")
    shown = [await world.shown(post) for post in await world.posts("join-request")]
    assert [row.name for facts in shown if isinstance(facts, JoinRequestPost) for row in facts.rows][:1] == ["Anna"]


async def test_a_person_of_two_names_asks_once_when_they_are_merged(world: World) -> None:
    await world.create(approval=True)
    await ask(world, "Ann")
    await ask(world, "Bo")
    await do(merging.merge, **there(world), player="Ann", into="Bo", reason="x")
    assert await waiting(world) == ["Bo"]


async def test_an_answer_from_while_two_names_were_one_is_the_askers_once_they_are_two_again(world: World) -> None:
    await world.begin(4, rounds=1, cut=0)
    await world.play_out()
    await world.create(approval=True)
    await ask(world, "Ann")
    one = await do(merging.merge, **there(world), player="Ann", into="dok", reason="x")
    await answer(world, "dok", accept=False)
    await do(merging.take_back, **there(world), merge=one.id)
    with pytest.raises(NotAllowed, match="An organiser didn't let you into season 2"):
        await ask(world, "Ann")
    assert isinstance(await ask(world, "dok"), Asks)


async def test_who_asks_late_is_told_first_that_rounds_until_the_answer_count_as_missed(world: World) -> None:
    await world.begin(4, late_entry=4)
    await do(planning.change_settings, **there(world), settings={"approval": True})
    with pytest.raises(LateEntry) as first:
        await ask(world, "Hal", agreed=1)
    assert str(first.value) == (
        "You missed round 1: it counts as a loss. An organiser has to let you in, and each round that begins before "
        "they answer counts as a loss too. Join anyway?"
    )
    await ask(world, "Hal", agreed=first.value.first)
    await world.play_round()
    await answer(world, "Hal")
    assert any(
        "joins season 1 from round 3 on. Rounds 1 to 2 count as losses." in text for text in await world.notices()
    )


async def test_who_was_not_let_in_at_the_start_can_be_once_round_1_is_undone(world: World) -> None:
    await world.create(approval=True, late_entry=1)
    await let_in(world, NAMES[:4], of=NAMES[:7])
    late, banned, left = NAMES[4:7]
    world.later(minutes=5)
    await do(dropping.drop, **there(world, left), agreed="")
    world.later(minutes=5)
    await world.start()
    await world.announce()
    await do(banning.ban, **there(world), player=banned, reason="x")
    with pytest.raises(Conflict, match="doesn't ask to join any more"):
        await answer(world, late)
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    assert await waiting(world) == [late]
    assert f"Round 1 was undone, so organisers can still let {late} into season 1. You'll be told." in (
        await world.notices()
    )
    assert [post.facts["page"] for post in await world.posts("join-request") if not post.removed] == [1]
    await do(rounds_by_hand.preview, **there(world))
    assert await waiting(world) == [late], "a preview answers nobody"
    await answer(world, late)
    assert late in await inside(world)
    await do(rounds_by_hand.post, **there(world))
    await do(rounds_by_hand.undo, **there(world), reason="again")
    assert await waiting(world) == []


async def test_nobody_is_told_that_they_can_be_let_into_a_bracket_that_was_undone(world: World) -> None:
    """No organiser could do it: nobody new comes into a bracket that has begun."""
    await world.create("single-elimination", approval=True)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    await world.start()
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    assert await waiting(world) == []
    with pytest.raises(WrongPhase, match="no round left to join"):
        await ask(world, NAMES[4])


@pytest.mark.parametrize("approval", [True, False])
async def test_who_was_not_let_in_is_told_once_where_all_rounds_are_undone_at_once(
    world: World, approval: bool
) -> None:
    await world.create("round-robin", schedule="open", group_size=4, approval=True)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    await world.start()
    await do(planning.change_settings, **there(world), settings={"approval": approval})
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    (told,) = [text for text in await world.notices() if "was undone" in text]
    assert told.startswith("Round 1 was undone")


async def test_who_was_not_let_in_before_a_later_round_can_be_once_that_is_undone(world: World) -> None:
    await world.create(approval=True, late_entry=2)
    await let_in(world, NAMES[:4], of=NAMES[:4])
    await world.start()
    await ask(world, NAMES[5])
    await world.play_round()
    assert await waiting(world) == []
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    assert await waiting(world) == [NAMES[5]]
    said = f"Round 2 was undone, so organisers can still let {NAMES[5]} into season 1. You'll be told."
    assert said in await world.notices()


async def test_who_still_waits_when_round_1_is_posted_again_is_told_once_more(world: World) -> None:
    await world.create(approval=True, late_entry=1)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    await world.start()
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    await world.announce()
    await do(rounds_by_hand.post, **there(world))
    assert await waiting(world) == []
    assert [f"goes on without {NAMES[4]}" in text for text in await world.notices()].count(True) == 1


async def test_who_was_not_let_in_is_told_to_join_once_round_1_is_undone_and_anyone_may(world: World) -> None:
    await world.create(approval=True, late_entry=1)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    late = NAMES[4]
    await world.start()
    await do(planning.change_settings, **there(world), settings={"approval": False})
    await do(rounds_by_hand.undo, **there(world), reason="wrong")
    assert await waiting(world) == []
    assert f"Round 1 was undone, so {late} can still join season 1 with /signup." in await world.notices()
    await ask(world, late)
    assert late in await inside(world)


async def test_who_would_make_a_round_robin_too_long_waits_on_while_settings_change(world: World) -> None:
    await world.create("round-robin", approval=True, cut=0, meetings=2)
    await let_in(world, MANY[:26], of=MANY)
    with pytest.raises(Conflict, match="with one more player it would take"):
        await answer(world, "Player 26")
    await do(planning.change_settings, **there(world), settings={"approval": False})
    assert (await waiting(world), len(await inside(world))) == (["Player 26"], 26)
    await do(planning.change_settings, **there(world), settings={"group_size": 10})
    assert (await waiting(world), len(await inside(world))) == ([], 27)


async def test_whoever_waits_for_a_season_without_places_is_on_its_waiting_list_once_anyone_may_join(
    world: World,
) -> None:
    await world.create("round-robin", approval=True, cut=0, meetings=2, max_players=26)
    await let_in(world, MANY[:26], of=MANY)
    await do(planning.change_settings, **there(world), settings={"approval": False})
    assert (await waiting(world), len(await inside(world))) == ([], 26)
    with look_into(world.db) as conn:
        assert len(records(conn, "SELECT * FROM waitlist")) == 1


async def test_who_waited_until_sign_ups_closed_is_not_told_to_wait_for_an_organiser_nobody_needs(
    world: World,
) -> None:
    closes = world.now + timedelta(days=1)
    await world.opened(format="ohs", settings={"approval": True, "late_entry": 2}, signups_close=closes)
    await let_in(world, NAMES[:4], of=NAMES[:5])
    world.later(days=1)
    await do(planning.change_settings, **there(world), settings={"approval": False})
    await steps.tick(world.db, world.now)
    assert f"Season 1 goes on without {NAMES[4]}. New players can still join with /signup." in await world.notices()


async def test_settings_change_after_sign_ups_closed_though_someone_waits(world: World) -> None:
    await world.opened(format="ohs", settings={"approval": True}, signups_close=world.now + timedelta(days=1))
    await ask(world, "Ann")
    world.later(days=1)
    await do(planning.change_settings, **there(world), settings={"approval": False})
    assert await waiting(world) == ["Ann"]


async def test_where_too_few_are_in_organisers_hear_who_waits_to_be_let_in(world: World) -> None:
    await world.opened(format="ohs", settings={"approval": True}, signups_close=world.now + timedelta(days=2))
    await let_in(world, [], of=["Ann", "Bo", "Cy"])
    waits = "has 0. 3 players wait to be let in: an organiser can answer in /disputes. More can join"
    with pytest.raises(Conflict, match=waits):
        await do(lifecycle.start, **there(world))
    world.later(hours=24)
    await steps.tick(world.db, world.now)
    (told,) = [post for post in await world.posts("stuck") if "within a day" in str(post.facts["text"])]
    assert "it takes 2. 3 players wait to be let in: an organiser can answer in /disputes." in str(told.facts["text"])
    world.later(hours=24)
    await steps.tick(world.db, world.now)
    assert any(waits in str(post.facts["text"]) for post in await world.posts("stuck"))
