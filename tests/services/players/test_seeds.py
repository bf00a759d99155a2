"""Seeds an organiser gives before the start of a seeded season."""

import pytest

from bot.league.errors import Invalid, NotAllowed, PairingImpossible, WrongPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.players import seeds
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World

FIELD = ("dok", "Xorlof", "Zoë", "Kinseth")


async def give(world: World, player: str, seed: int, actor: Actor = ORGANISER) -> seeds.Seeded:
    return await world.db.write(
        seeds.give,
        Order(actor=actor, now=world.now, league_id=world.league_id),
        player=player,
        seed=seed,
        reason="ranking",
    )


async def signed_up(world: World) -> None:
    await world.create("single-elimination", seeding="seeded")
    await world.sign_up(*FIELD)


async def test_a_seeded_bracket_starts_once_everybody_has_a_seed(world: World) -> None:
    await signed_up(world)
    for seed, name in enumerate(FIELD, start=1):
        with pytest.raises(PairingImpossible, match="/player seed"):
            await world.start()
        done = await give(world, name, seed)
        assert done.unseeded == FIELD[seed:]
    await world.start()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert [(m.upper.name, m.lower.name) for m in view.matches] == [("dok", "Kinseth"), ("Xorlof", "Zoë")]
    with pytest.raises(WrongPhase, match="has started"):
        await give(world, "dok", 2)


async def test_two_players_exchange_their_seeds(world: World) -> None:
    await signed_up(world)
    await give(world, "dok", 1)
    await give(world, "Zoë", 3)
    done = await give(world, "Zoë", 1)
    assert done.entrant.seed == 1
    assert done.exchanged is not None
    assert (done.exchanged.name, done.exchanged.seed) == ("dok", 3)
    taken = await give(world, "Kinseth", 3)
    assert taken.exchanged is not None
    assert (taken.exchanged.name, taken.exchanged.seed) == ("dok", None)
    assert taken.unseeded == ("dok", "Xorlof")
    assert (await world.audit())[0].after == {"seed": 3}


@pytest.mark.parametrize("seed", [0, -1, 5, 2**70])
async def test_a_seed_beyond_the_field_is_refused(world: World, seed: int) -> None:
    await signed_up(world)
    with pytest.raises(Invalid, match="from 1 to 4"):
        await give(world, "dok", seed)


async def test_only_organisers_give_seeds(world: World) -> None:
    await signed_up(world)
    with pytest.raises(NotAllowed):
        await give(world, "dok", 1, MODERATOR)
