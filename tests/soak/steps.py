"""The real program killed at every step of one season of each format; `SOAK_FORMAT=ohs` chooses one of them.

A step is known by its place in the season without kills: in which move it is taken, and the how manieth of its name it
is there. In each season with kills the bot dies at one step of each move, first at those of kinds it hasn't died at
yet, until it has died at all. Where a move went another way its step is tried again; what can't be reached is named.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import replace

from tests.soak.kills import Row, heading, played
from tests.wire.season import Outcome, Plan
from tests.wire.steps import Step

TRIES = 3
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
    formats = [Killed(plan, played(plan)) for plan in chosen]
    while formats_left := [one for one in formats if one.to_try]:
        for one in formats_left:
            one.once_more()
    print(heading())
    for one in formats:
        print(one)
        for step in one.left:
            print(f"    not at {step}")
    return not any(one.row.found or one.without.problems for one in formats)


class Killed:
    """The seasons of one plan, killed at one step after another."""

    def __init__(self, plan: Plan, without: Outcome) -> None:
        self.plan, self.without, self.row = plan, without, Row(plan.format)
        self.left = dict.fromkeys(without.steps, TRIES)
        """How often each step is still tried at which the bot hasn't died yet."""
        self.at: set[Step] = set()

    @property
    def to_try(self) -> list[Step]:
        return [step for step, tries in self.left.items() if tries]

    def once_more(self) -> None:
        """Play one more season with kills."""
        deadly = next_to_die_at(self.to_try, kinds_of(self.at))
        plan = replace(self.plan, nonces=bool(self.row.seasons % 2))
        ended = played(plan, deadly.values())
        self.row.add(self.without, ended, plan)
        self.at |= {*ended.killed_at} & {*self.without.steps}
        for step in deadly.values():
            self.left[step] -= 1
        for step in self.at & self.left.keys():
            del self.left[step]
        print(self, flush=True)

    def __str__(self) -> str:
        kinds = kinds_of(self.at)
        of_kinds = f"{len(kinds)} of {len(kinds_of(self.without.steps))} kinds"
        return f"{self.row}   at {len(self.at)} of {len(self.without.steps)} steps, {of_kinds}"


def kinds_of(steps: Collection[Step]) -> set[str]:
    return {step.kind for step in steps}


def next_to_die_at(left: Collection[Step], known: Collection[str]) -> Mapping[int, Step]:
    """Choose a step of each move, those of kinds not known yet before others, and no such kind twice."""
    chosen: dict[int, Step] = {}
    kinds = {*known}
    for step in left:
        if step.move not in chosen and step.kind not in kinds:
            chosen[step.move] = step
            kinds.add(step.kind)
    for step in left:
        chosen.setdefault(step.move, step)
    return chosen
