"""Army and deck lists: handed in, looked at."""

from bot.services.lists import handing_in, visibility
from tests.model.moves.moving import Move, often
from tests.model.walk import Walk


async def hand_in(walk: Walk) -> None:
    said = {
        "text": walk.pick(["3x Marro", "```\nall *heroes*\n```", "", "x" * 1500]),
        "number": walk.pick([None, 1, 2]),
    }
    await walk.call(handing_in.hand_in, **walk.who(walk.player()), **said, round=walk.pick([None, None, 1, 2]))


async def look_at(walk: Walk) -> None:
    actor = walk.player()
    await walk.look(visibility.own_lists, actor=actor, league_id=walk.league.id)
    await walk.look(visibility.of_player, actor=actor, league_id=walk.league.id, player=walk.name())
    match = walk.match()
    if match is not None:
        await walk.look(visibility.of_match, actor=walk.side(match), match_id=match["id"])


MOVES: tuple[Move, ...] = (*often(4, hand_in), *often(1, look_at))
