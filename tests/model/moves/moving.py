"""The shape of a move."""

from collections.abc import Awaitable, Callable

from tests.model.walk import Walk

Move = Callable[[Walk], Awaitable[None]]


def often(times: int, move: Move) -> tuple[Move, ...]:
    """Return a move as many times as it should come up."""
    return (move,) * times
