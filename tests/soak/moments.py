"""The real program killed at random moments: while people act, while it posts and while it starts."""

from tests.soak import kills, steps

KILLS = 2_000


def soak() -> bool:
    """Kill the bot so often, print a line for each plan, and return whether nothing was lost or doubled."""
    return kills.killed(KILLS, {**kills.PLANS, **steps.PLANS}, kills.at_random)
