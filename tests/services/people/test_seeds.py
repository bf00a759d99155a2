"""Seeds an organiser gives before the start of a seeded season."""

import pytest

from bot.league.errors import Invalid, NotAllowed, NotFound, PairingImpossible, WrongPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.people import seeds
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World

FIELD = ("dok", "Xorlof", "Zoë", "Kinseth")


async def rank(world: World, *names: str, first: int = 1, actor: Actor = ORGANISER) -> tuple[str, ...]:
    order = Order(actor=actor, now=world.now, league_id=world.league_id)
    return await world.db.write(seeds.rank, order, first=first, names=names)


async def listed(world: World, actor: Actor = ORGANISER) -> list[tuple[str, int | None]]:
    rows = await world.db.read(seeds.listed, Order(actor=actor, now=world.now, league_id=world.league_id))
    return [(row.name, row.seed) for row in rows]


async def signed_up(world: World) -> None:
    await world.create("single-elimination", seeding="seeded")
    await world.sign_up(*FIELD)


async def test_a_seeded_bracket_starts_once_everybody_has_a_seed(world: World) -> None:
    await signed_up(world)
    with pytest.raises(PairingImpossible, match="Seeds, under /season settings"):
        await world.start()
    assert await rank(world, "dok", "Xorlof", "zoë") == ("Kinseth",)
    with pytest.raises(PairingImpossible, match="Seeds, under /season settings"):
        await world.start()
    assert await rank(world, *FIELD) == ()
    await world.start()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert [(m.upper.name, m.lower.name) for m in view.matches] == [("dok", "Kinseth"), ("Xorlof", "Zoë")]
    for attempt in (rank(world, *FIELD), listed(world)):
        with pytest.raises(WrongPhase, match="has started"):
            await attempt


async def test_others_keep_their_order_behind_those_who_are_moved(world: World) -> None:
    await signed_up(world)
    assert [name for name, _ in await listed(world)] == [*FIELD]
    await rank(world, *FIELD[:3])
    assert await listed(world) == [("dok", 1), ("Xorlof", 2), ("Zoë", 3), ("Kinseth", None)]
    assert await rank(world, "Kinseth", "Zoë") == ()
    assert await listed(world) == [("Kinseth", 1), ("Zoë", 2), ("dok", 3), ("Xorlof", 4)]
    await rank(world, "Kinseth", first=3)
    assert await listed(world) == [("Zoë", 1), ("dok", 2), ("Kinseth", 3), ("Xorlof", 4)]
    assert {(row.subject, row.after["seed"]) for row in (await world.audit())[:3]} == {
        ("Zoë", 1), ("dok", 2), ("Kinseth", 3)
    }  # fmt: skip


@pytest.mark.parametrize("first", [0, -1, 4, 2**70])
async def test_a_seed_beyond_the_field_is_refused(world: World, first: int) -> None:
    await signed_up(world)
    await rank(world, "dok", "Zoë")
    with pytest.raises(Invalid, match="begin at 3 or before"):
        await rank(world, "Kinseth", first=first)


async def test_a_name_that_comes_twice_or_that_nobody_has_is_named(world: World) -> None:
    await signed_up(world)
    with pytest.raises(Invalid, match="dok is in the list twice"):
        await rank(world, "dok", "Zoë", "DOK")
    with pytest.raises(NotFound, match="Nobody"):
        await rank(world, "dok", "Nobody")
    assert {seed for _, seed in await listed(world)} == {None}


async def test_only_organisers_give_and_see_seeds(world: World) -> None:
    await signed_up(world)
    for attempt in (rank(world, "dok", actor=MODERATOR), listed(world, MODERATOR)):
        with pytest.raises(NotAllowed):
            await attempt
