"""Someone who takes a seat over later, also while the round before is undone: what becomes of that, and who is told."""

from collections.abc import Awaitable, Callable

import pytest

from bot.league.errors import Conflict, NotAllowed
from bot.services.base.outbox import OWN_PLACE
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting, rejoining
from bot.services.play import clearing
from bot.services.seasons import lifecycle
from storage.query import records
from tests.files import do, look_into
from tests.services.conftest import NAMES, World
from tests.services.people.test_banning import ban
from tests.services.seasons.test_given_groups import who
from tests.services.seats.test_seats import substitute

SEAT, SUBSTITUTE = NAMES[0], "Uma"
undoing = pytest.mark.parametrize("undone", [False, True], ids=["as posted", "undone"])
formats = pytest.mark.parametrize("format", ["ohs", "round-robin"])


async def taken_over(world: World, format: str = "ohs", *, undone: bool) -> None:
    """Let someone take over a seat after what is posted, which may be undone then."""
    given = {"schedule": "open", "group_size": 4, "through": 2} if format == "round-robin" else {"cut": 0}
    await world.begin(8, format, **given)
    await world.announce()
    await substitute(world, SEAT, SUBSTITUTE)
    if undone:
        await do(rounds_by_hand.undo, **who(world))
    await world.announce()


async def told(world: World) -> list[tuple[str, set[str]]]:
    """Return what new messages say of places, and whom they mention."""
    named = {actor.user_id: name for name, actor in world.players.items()}
    made = await world.announce()
    return [
        (str(post.row.facts["text"]), {named[person] for person in post.mention.people})
        for post in made
        if post.row.kind == OWN_PLACE
    ]


def takes_over(world: World) -> list[tuple[str, str]]:
    """Return the seats someone takes over, each with them."""
    with look_into(world.db) as conn:
        rows = records(conn, "SELECT e.name, x.name FROM substitutes x JOIN entrants e ON e.id = x.entrant_id")
    return [(seat, person) for seat, person in rows]


async def forgotten(world: World) -> None:
    await do(forgetting.forget, **who(world), player=SUBSTITUTE)


async def banned(world: World) -> None:
    await ban(world, SUBSTITUTE)


@undoing
@formats
@pytest.mark.parametrize("gone", [forgotten, banned])
async def test_who_is_forgotten_or_banned_takes_no_seat_over(
    world: World, format: str, undone: bool, gone: Callable[[World], Awaitable[None]]
) -> None:
    await taken_over(world, format, undone=undone)
    await gone(world)
    assert takes_over(world) == []
    assert (f"{SEAT} plays on in season 1.", {SEAT}) in await told(world)


@undoing
@formats
async def test_who_would_take_over_a_seat_that_leaves_is_told_and_can_take_another(
    world: World, format: str, undone: bool
) -> None:
    await taken_over(world, format, undone=undone)
    await world.drop(SEAT)
    assert await told(world) == [
        (f"{SEAT}'s place has left season 1, so {SUBSTITUTE} doesn't take it over.", {SUBSTITUTE})
    ]
    assert takes_over(world) == []
    if format == "ohs":
        await substitute(world, NAMES[1], SUBSTITUTE)
        assert takes_over(world) == [(NAMES[1], SUBSTITUTE)]


@undoing
async def test_a_seat_that_left_and_is_back_is_played_by_its_own_player_as_both_were_told(
    world: World, undone: bool
) -> None:
    await taken_over(world, undone=undone)
    await world.drop(SEAT)
    await do(rejoining.reinstate, **who(world), player=SEAT, reason="a mistake")
    if undone:
        await do(rounds_by_hand.post, **who(world))
    await world.play_round()
    view = await world.match_of(SEAT)
    assert view is not None
    assert {side.name: side.person for side in view.sides}[SEAT] is None


@undoing
async def test_the_own_player_can_be_put_back_and_another_person_be_chosen(world: World, undone: bool) -> None:
    await taken_over(world, undone=undone)
    await substitute(world, SEAT, "Vic")
    ((said, people),) = await told(world)
    assert said.startswith(f"Vic plays for {SEAT} in season 1 from round")
    assert people == {"Vic", SUBSTITUTE} | ({SEAT} if undone else set())
    put_back = await substitute(world, SEAT, SEAT)
    assert (put_back.person, put_back.before) == (SEAT, "Vic")
    assert takes_over(world) == []
    with pytest.raises(Conflict, match=f"{SEAT} already plays there"):
        await substitute(world, SEAT, SEAT)


async def test_who_takes_over_later_can_begin_with_the_round_that_was_undone(world: World) -> None:
    await taken_over(world, undone=True)
    assert (await substitute(world, SEAT, SUBSTITUTE)).when == "round 1"
    await do(rounds_by_hand.post, **who(world))
    view = await world.match_of(SEAT)
    assert view is not None
    assert {side.name: side.person for side in view.sides}[SEAT] == SUBSTITUTE


@pytest.mark.parametrize(("undone", "when"), [(False, "from the next round on"), (True, "later in the season")])
async def test_who_acts_too_early_hears_when_they_take_over(world: World, undone: bool, when: str) -> None:
    await taken_over(world, undone=undone)
    with pytest.raises(
        NotAllowed, match=f"^You take {SEAT}'s place {when}. Until then {SEAT} plays. If you can't, tell"
    ):
        await world.drop(SUBSTITUTE)


@undoing
async def test_who_would_take_over_is_told_that_the_season_is_cancelled(world: World, undone: bool) -> None:
    await taken_over(world, undone=undone)
    await do(lifecycle.cancel, **who(world), reason="too few")
    (post,) = [post for post in await world.announce() if "cancelled" in str(post.row.facts.get("text"))]
    assert world.players[SUBSTITUTE].user_id in post.mention.people


async def one_after_the_other(world: World, last: str) -> None:
    """Let one person sit in a seat from round 2 on, and another be noted for round 3 before round 2 is undone."""
    await taken_over(world, undone=False)
    await world.play_round()
    await substitute(world, SEAT, last)
    await do(rounds_by_hand.undo, **who(world))
    await world.announce()


async def test_a_seat_that_leaves_keeps_who_sits_there_although_the_round_they_began_with_is_undone(
    world: World,
) -> None:
    await one_after_the_other(world, "Vic")
    await world.drop(SUBSTITUTE)
    assert await told(world) == [(f"{SEAT}'s place has left season 1, so Vic doesn't take it over.", {"Vic"})]
    assert takes_over(world) == [(SEAT, SUBSTITUTE)]
    await do(rejoining.reinstate, **who(world), player=SEAT, reason="a mistake")
    await do(rounds_by_hand.post, **who(world))
    view = await world.match_of(SEAT)
    assert view is not None
    assert {side.name: side.person for side in view.sides}[SEAT] == SUBSTITUTE


async def opened_again(world: World, last: str) -> None:
    """Let round 1 be open again, so that nobody who takes the seat over has begun."""
    await one_after_the_other(world, last)
    with look_into(world.db) as conn:
        (match,) = records(
            conn, "SELECT min(m.id) FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.number = 1"
        )
    await do(clearing.clear, **who(world), match=match[0], reason="wrong")
    await world.announce()


@pytest.mark.parametrize("gone", [forgotten, banned])
async def test_of_two_who_take_a_seat_over_one_after_the_other_one_can_go(
    world: World, gone: Callable[[World], Awaitable[None]]
) -> None:
    await opened_again(world, "Vic")
    await gone(world)
    assert takes_over(world) == [(SEAT, "Vic")]
    assert (f"{SEAT} plays on in season 1.", {SEAT}) in await told(world)


async def test_who_is_replaced_for_a_while_and_is_banned_does_not_come_back(world: World) -> None:
    await opened_again(world, SEAT)
    await ban(world, SEAT)
    assert takes_over(world) == [(SEAT, SUBSTITUTE)]
