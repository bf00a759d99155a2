"""How many rounds of Swiss are played and how many go on: the table of the Lightseekers document (docs/rules.md, 7)."""

_LARGE_CUT = 16
_CUTS = ((8, 0), (32, 4), (128, 8))
"""Up to so many entrants, so many go on; of more, 16."""


def default_rounds(entrants: int) -> int:
    """Return the Swiss rounds of so many players: the fewest that leave one without a loss (Lightseekers)."""
    return max(1, (entrants - 1).bit_length())


def default_cut(entrants: int) -> int:
    """Return how many of so many entrants go on to single elimination (Lightseekers, the table)."""
    return next((cut for most, cut in _CUTS if entrants <= most), _LARGE_CUT)
