"""Single-elimination brackets: how they are filled, and who meets whom in each of their rounds."""

from bot.league.brackets.drawn import drawn_bracket
from bot.league.brackets.layers import seeded_anew
from bot.league.brackets.rematches import avoid_rematches, without_rematches
from bot.league.brackets.tree import (
    Bracket,
    Duel,
    IsActive,
    as_played,
    duels,
    from_slots,
    listed,
    settle,
    standard,
    third_place,
)

__all__ = [
    "Bracket",
    "Duel",
    "IsActive",
    "as_played",
    "avoid_rematches",
    "drawn_bracket",
    "duels",
    "from_slots",
    "listed",
    "seeded_anew",
    "settle",
    "standard",
    "third_place",
    "without_rematches",
]
