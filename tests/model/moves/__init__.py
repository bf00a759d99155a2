"""What people do in a league, by subject: each move picks who does it and to what, by chance."""

from tests.model.moves import (
    again,
    leagues,
    lists,
    matches,
    on_discord,
    people,
    places,
    problems,
    results,
    rounds,
    seasons,
)
from tests.model.moves.moving import Move

MOVES: tuple[Move, ...] = (
    *results.MOVES,
    *rounds.MOVES,
    *places.MOVES,
    *problems.MOVES,
    *matches.MOVES,
    *lists.MOVES,
    *seasons.MOVES,
    *leagues.MOVES,
    *on_discord.MOVES,
    *people.MOVES,
    *again.MOVES,
)
"""Every move, as often as it should come up."""
