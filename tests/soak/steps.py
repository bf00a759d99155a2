"""The real program killed at every step of one season of each format; `SOAK_FORMAT=ohs` chooses one of them.

In the first of EVERY seasons it dies at the steps 1, 1 + EVERY, 1 + 2 EVERY and so on, in the second at the step after
each of these. So each number is once that of a kill. After a kill the numbers mean other steps than without it; that's
why each kind of step is counted too, by what was done when it was taken.
"""

import os
from dataclasses import replace

from tests.soak.kills import Row, heading, played
from tests.wire.season import Plan

EVERY = 50
"""A life takes about 20 steps to start; what is left has to be enough for someone to do something."""
_SEALED, _THREADS, _PRIVATE = ("salt", "sealed"), ("match_places", "threads"), ("match_places", "private")
_LISTS, _FULL, _CHECK_IN = ("lists", "1 season 0 due"), ("max_players", "6"), ("check_in_hours", "24")
_SHORT = (("rounds", "3"), ("cut", "2"))
PLANS = {
    plan.format: plan
    for plan in (
        Plan("ohs", 4, seed=2, settings=(("rounds", "3"), _SEALED, _THREADS, ("approval", "yes")), eventful=True),
        Plan("keyforge-swiss", 6, seed=4, settings=(*_SHORT, _PRIVATE, _FULL, _CHECK_IN), eventful=True),
        Plan("lightseekers-swiss", 6, seed=3, settings=(*_SHORT, _SEALED, _THREADS, _LISTS), eventful=True),
        Plan("two-loss-out", 4, seed=5, settings=(("cut", "2"), _LISTS, ("approval", "yes")), eventful=True),
        Plan("single-elimination", 6, seed=6, settings=(_THREADS, _FULL, _CHECK_IN), eventful=True),
    )
}


def soak() -> bool:
    """Kill the bot at every step, print a line for each season and format, and return whether all was as without."""
    chosen = [PLANS[os.environ["SOAK_FORMAT"]]] if "SOAK_FORMAT" in os.environ else [*PLANS.values()]
    without = {plan.format: played(plan) for plan in chosen}
    rows = {plan.format: Row(plan.format) for plan in chosen}
    left = {plan.format: set(without[plan.format].around) for plan in chosen}
    for first in range(1, EVERY + 1):
        for plan in chosen:
            key, with_kills = plan.format, replace(plan, first=first, every=EVERY, nonces=bool(first % 2))
            ended = played(with_kills)
            rows[key].add(without[key], ended, with_kills)
            left[key] -= set(ended.killed_at)
            print(f"{key}, first {first}: {ended.kills} kills", flush=True)
    print(heading())
    for key, row in rows.items():
        kinds = len(without[key].around)
        print(f"{row}   killed at {kinds - len(left[key])} of {kinds} kinds of steps, not at {sorted(left[key])}")
    return not any(row.found or without[key].problems for key, row in rows.items())
