"""Rounds and ties: paired, posted, moved, closed, undone, and the order among equals."""

import json

from bot.services.organising import round_maps, rounds_by_hand, swapping, timer
from bot.services.play import clearing
from bot.services.ties import tie_decisions
from tests.model.moves.moving import Move, often
from tests.model.walk import Walk

MAPS = ("1, Ticalla Jungle", "1, Road to Ruin, lava\n2, Fire Isle\nfinal, *The* Arena, https://example.org/a", "", "x")


async def pair(walk: Walk) -> None:
    await walk.call(rounds_by_hand.preview, **walk.who(walk.staff()))


async def post(walk: Walk) -> None:
    await walk.call(rounds_by_hand.post, **walk.who(walk.staff()))


async def extend(walk: Walk) -> None:
    match = walk.match() if walk.maybe(0.4) else None
    more = {} if match is None else {"match": match["id"]}
    late = walk.file.rows("SELECT deadline FROM rounds WHERE phase = 'open' AND deadline IS NOT NULL LIMIT 1")
    if match is None and late and walk.maybe(0.5):
        given = {"days": walk.pick([1, 3]), "deadline": late[0]["deadline"]}
        await walk.call(rounds_by_hand.extend_overdue, **walk.who(walk.staff()), **given)
        return
    await walk.call(rounds_by_hand.extend, **walk.who(walk.staff()), days=walk.pick([1, 3, 0, 400]), **more)


async def close(walk: Walk) -> None:
    await walk.agreed(rounds_by_hand.close, **walk.who(walk.staff()))


async def undo(walk: Walk) -> None:
    await walk.agreed(rounds_by_hand.undo, **walk.who(walk.staff()), reason=walk.reason())


async def undo_finals(walk: Walk) -> None:
    await walk.agreed(rounds_by_hand.undo_finals, **walk.who(walk.staff()), reason="too early")


async def swap(walk: Walk) -> None:
    await walk.call(swapping.swap, **walk.who(walk.staff()), first=walk.name(), second=walk.name(), reason="late")


async def start_clock(walk: Walk) -> None:
    await walk.call(timer.start, **walk.who(walk.staff()), minutes=walk.pick([None, 30, 60]))


async def maps(walk: Walk) -> None:
    await walk.call(round_maps.change_maps, **walk.who(walk.staff()), lines=walk.pick(MAPS))
    await walk.look(round_maps.season_maps, actor=walk.staff(), league_id=walk.league.id)


def _tie(walk: Walk) -> tuple[int | None, list[str]]:
    row = walk.pick(walk.file.rows("SELECT * FROM ties ORDER BY settled_at IS NOT NULL, id LIMIT 2"))
    return (None, []) if row is None else (row["id"], json.loads(row["names"]))


async def order(walk: Walk) -> None:
    tie_id, names = _tie(walk)
    walk.chance.shuffle(names)
    await walk.call(tie_decisions.order, **walk.who(walk.staff()), tie_id=tie_id, named=", ".join(names[:2]))


async def correct_tied(walk: Walk) -> None:
    """Clear a result while a tie waits: that is when everyone looks at the table."""
    sql = (
        "SELECT m.id FROM ties t JOIN rounds r ON r.season_id = t.season_id AND r.phase = 'open'"
        " JOIN matches m ON m.round_id = r.id AND m.state = 'confirmed' WHERE t.settled_at IS NULL ORDER BY m.id"
    )
    match = walk.pick(walk.file.column(sql))
    if match is not None:
        await walk.call(clearing.clear, **walk.by(walk.moderator()), match=match, reason=walk.reason())


async def take_draw(walk: Walk) -> None:
    await walk.call(tie_decisions.waiting, **walk.who(walk.staff()))
    tie_id, _ = _tie(walk)
    await walk.call(tie_decisions.take_draw, **walk.who(walk.staff()), tie_id=tie_id)


async def call_match(walk: Walk) -> None:
    tie_id, _ = _tie(walk)
    await walk.call(tie_decisions.call_match, **walk.who(walk.staff()), tie_id=tie_id)


MOVES: tuple[Move, ...] = (
    *often(2, pair),
    *often(4, post),
    *often(2, extend),
    *often(1, close),
    *often(2, undo),
    *often(1, undo_finals),
    *often(3, swap),
    *often(1, start_clock),
    *often(1, maps),
    *often(2, correct_tied),
    *often(2, order),
    *often(1, take_draw),
    *often(1, call_match),
)
