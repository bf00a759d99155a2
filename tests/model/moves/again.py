"""Buttons and forms pressed once more: at once, or late, when much has changed meanwhile."""

from tests.model.moves.moving import Move, often
from tests.model.walk import Walk


async def twice(walk: Walk) -> None:
    """Let the person who did the last thing do the same once more."""
    if walk.earlier:
        await walk.repeat(walk.earlier[-1])


async def late(walk: Walk) -> None:
    """Let someone do what they or others did before, from a message or form that is still open."""
    if walk.earlier:
        await walk.repeat(walk.chance.choice(walk.earlier))


MOVES: tuple[Move, ...] = (*often(4, twice), *often(4, late))
