"""The real program killed at every step of one season of each format; `SOAK_FORMAT=ohs` chooses one of them.

A round robin is played round by round, and as `open` with all of its matches open at once.

A step is known by its place in the season without kills: in which move it is taken, and how many of its name come
before it there. In each season with kills the bot dies at one step of each move, until it has died at all. Where a move
went another way its step is tried again; what can't be reached is named. Steps of the same name while the same is done
are of one kind: the first seasons reach all kinds, with more deaths in a move, of which only the first counts as a
step.
"""

import os
from collections.abc import Collection
from dataclasses import replace

from tests.soak.kills import Row, heading, played
from tests.wire.season import Outcome, Plan
from tests.wire.steps import Step

TRIES = 3
MOST_IN_A_MOVE = 6
_SEALED, _THREADS, _PRIVATE = ("salt", "sealed"), ("match_places", "threads"), ("match_places", "private")
_LISTS, _FULL, _CHECK_IN = ("lists", "1 season 0 due"), ("max_players", "6"), ("check_in_hours", "24")
_SCORES, _OPEN, _GROUPS = ("scores", "yes"), ("schedule", "open"), ("group_size", "3")
_FIRST = ("first_match_days", "1")
_SHORT = (("rounds", "3"), ("cut", "2"))
PLANS = {
    "open" if _OPEN in plan.settings else plan.format: plan
    for plan in (
        Plan("ohs", 4, seed=2, settings=(("rounds", "3"), _SEALED, _THREADS, ("approval", "yes")), eventful=True),
        Plan("keyforge-swiss", 6, seed=4, settings=(*_SHORT, _PRIVATE, _FULL, _CHECK_IN), eventful=True),
        Plan("lightseekers-swiss", 6, seed=3, settings=(*_SHORT, _SEALED, _THREADS, _LISTS), eventful=True),
        Plan("two-loss-out", 4, seed=5, settings=(("cut", "2"), _LISTS, ("approval", "yes")), eventful=True),
        Plan("single-elimination", 6, seed=6, settings=(_THREADS, _FULL, _CHECK_IN, _SCORES), eventful=True),
        Plan("round-robin", 5, seed=8, settings=(_GROUPS, _THREADS, _SEALED), eventful=True),
        Plan("round-robin", 6, seed=9, settings=(_OPEN, _GROUPS, _SCORES, _FIRST), eventful=True),
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
        self.kinds: set[str] = set()

    @property
    def to_try(self) -> list[Step]:
        return [step for step, tries in self.left.items() if tries]

    def once_more(self) -> None:
        """Play one more season with kills."""
        deadly = next_to_die_at(self.to_try, self.kinds)
        plan = replace(self.plan, nonces=bool(self.row.seasons % 2))
        ended = played(plan, deadly)
        self.row.add(self.without, ended, plan)
        self.at |= first_of_moves(ended.killed_at) & {*self.without.steps}
        self.kinds |= kinds_of(ended.killed_at) & kinds_of(self.without.steps)
        for step in first_of_moves(deadly):
            self.left[step] -= 1
        for step in self.at & self.left.keys():
            del self.left[step]
        print(self, flush=True)

    def __str__(self) -> str:
        of_kinds = f"{len(self.kinds)} of {len(kinds_of(self.without.steps))} kinds"
        return f"{self.row}   at {len(self.at)} of {len(self.without.steps)} steps, {of_kinds}"


def kinds_of(steps: Collection[Step]) -> set[str]:
    return {step.kind for step in steps}


def first_of_moves(steps: Collection[Step]) -> set[Step]:
    return {*{step.move: step for step in reversed([*steps])}.values()}


def next_to_die_at(left: Collection[Step], known: Collection[str]) -> list[Step]:
    """Choose some steps of kinds that aren't known yet in each move, in order, or else one step."""
    chosen: dict[int, list[Step]] = {}
    kinds = {*known}
    for step in left:
        if step.kind not in kinds and len(chosen.setdefault(step.move, [])) < MOST_IN_A_MOVE:
            chosen[step.move].append(step)
            kinds.add(step.kind)
    for step in left:
        if not chosen.get(step.move):
            chosen[step.move] = [step]
    return [step for steps in chosen.values() for step in steps]
