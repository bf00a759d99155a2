"""The real program killed at random moments: while people act, while it posts and while it starts."""

from tests.soak.kills import at_random, killed

KILLS = 2_000


def soak() -> bool:
    """Kill the bot so often, print a line for each plan, and return whether nothing was lost or doubled."""
    return killed(KILLS, at_random)
