"""What players and organisers do in many of these tests."""

from typing import Any

from bot.league.checking.league_file import reading
from bot.services.base.order import Order
from bot.services.leagues import exporting
from bot.services.people import rejoining
from bot.services.signups import signing_up
from tests.services.conftest import ORGANISER, World


async def enter(
    world: World, user: str, *, name: str | None = None, agreed: int = 1, **typed: str
) -> signing_up.SignedUp:
    done = await world.db.write(
        signing_up.sign_up,
        Order(actor=world.player(user), now=world.now, league_id=world.league_id),
        display_name=user,
        name=name,
        typed=typed,
        agreed=agreed,
    )
    assert isinstance(done, signing_up.SignedUp)
    return done


def by_organiser(world: World, **more: Any) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "asked for it", **more}


async def season_file(world: World) -> Any:
    exported = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return reading.read(exported.text.encode())


async def pinged(world: World, words: str) -> list[str]:
    """Return the players a notice with these words mentions."""
    posts = (*await world.posts("notice"), *await world.posts("own-place"))
    (post,) = [post for post in posts if words in str(post.facts["text"])]
    ids = {actor.user_id: name for name, actor in world.players.items()}
    return sorted(ids[known] for known in post.facts.get("pings", ()))


async def rejoin(world: World, name: str) -> rejoining.Comeback:
    return await world.db.write(
        rejoining.rejoin, Order(actor=world.player(name), now=world.now, league_id=world.league_id)
    )
