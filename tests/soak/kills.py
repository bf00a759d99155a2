"""The real program killed hundreds of times: each season with kills is held against the same one without them."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from tests.wire.season import Outcome, Plan, Season, differences
from tests.wire.steps import Step

KILLS = 320
A_SEASON = 20
"""About so many times the bot dies in one season."""
_THREADS, _LISTS = ("match_places", "threads"), ("lists", "1 season 0 due")
_OPEN, _GROUPS, _SCORES = ("schedule", "open"), ("group_size", "3"), ("scores", "yes")
PLANS = {
    "ohs, 4 players": Plan(),
    "ohs, 8, threads, who come and go": Plan(players=8, seed=2, settings=(_THREADS,), eventful=True),
    "keyforge-swiss, 8, private threads, come and go": Plan(
        "keyforge-swiss", 8, seed=4, settings=(("match_places", "private"),), eventful=True
    ),
    "lightseekers-swiss, 6, threads, lists, come and go": Plan(
        "lightseekers-swiss", 6, seed=3, settings=(_THREADS, _LISTS), eventful=True
    ),
    "two-loss-out, 8, lists, substitute and drop": Plan("two-loss-out", 8, seed=5, settings=(_LISTS,), eventful=True),
    "single-elimination, 8, threads": Plan("single-elimination", 8, seed=6, settings=(_THREADS,)),
    "round-robin, 6, all open, threads of groups": Plan(
        "round-robin", 6, seed=9, settings=(_OPEN, _GROUPS, _SCORES, _THREADS), eventful=True
    ),
    "ohs, 6, Discord fails now and then": Plan(players=6, seed=7, faults=0.1),
}
Killing = tuple[Plan, Iterable[Step]]
"""A season, and the steps at which the bot dies in it."""


@dataclass
class Row:
    """A line of the table: one plan, killed in one way."""

    name: str
    seasons: int = 0
    kills: int = 0
    asked_again: int = 0
    found: Counter[str] = field(default_factory=Counter)

    def add(self, without: Outcome, ended: Outcome, plan: Plan) -> None:
        """Count a season with kills, and print what differs from the same one without them, and where it was killed."""
        found = differences(without, ended, times=not plan.faults)
        self.seasons += 1
        self.kills += ended.kills
        self.asked_again += ended.asked_again
        self.found.update(what for what, _ in found)
        for what, text in found:
            print(f"{plan}: {what}: {text}", flush=True)
        if found:
            print(f"{plan}: killed at {ended.killed_at}", flush=True)

    def __str__(self) -> str:
        found = (self.found[what] for what in ("lost", "doubled", "other"))
        numbers = (self.seasons, self.kills, self.asked_again, *found)
        return f"{self.name:50}" + "".join(f"{number:>9}" for number in numbers)


def played(plan: Plan, deadly: Iterable[Step] = ()) -> Outcome:
    """Play a season in a folder of its own, in which the bot dies at these steps."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Season(plan, Path(folder), deadly).run())


def soak() -> bool:
    """Kill the bot in every way in turn, and return whether nothing was lost or doubled."""
    return killed(KILLS, PLANS, _in_turn)


def killed(kills: int, plans: Mapping[str, Plan], when: Callable[[int, Plan, list[Step]], Killing]) -> bool:
    """Kill the bot at least so often, print a line for each plan, and return whether nothing was lost or doubled.

    `when` says how a season of some turn, with these steps without kills, is killed.
    """
    without = {name: played(replace(plan, faults=0)) for name, plan in plans.items()}
    rows = {name: Row(name) for name in plans}
    died_at: Counter[str] = Counter()
    for turn in count():
        for name, plan in plans.items():
            with_kills, deadly = when(turn, plan, without[name].steps)
            ended = played(with_kills, deadly)
            died_at.update(step.kind for step in ended.killed_at)
            rows[name].add(without[name], ended, with_kills)
        if sum(row.kills for row in rows.values()) >= kills:
            break
    print(heading())
    for row in rows.values():
        print(row)
    print("\nkilled at")
    for step, times in sorted(died_at.items()):
        print(f"{times:5} {step}")
    return not any(row.found for row in rows.values())


def at_random(turn: int, plan: Plan, _: list[Step]) -> Killing:
    """Let the bot die at random moments, at others in each turn."""
    return replace(plan, at_random=0.5 + turn / 1000, nonces=bool(turn % 2)), ()


def _in_turn(turn: int, plan: Plan, steps: list[Step]) -> Killing:
    """Let the bot die at steps far from each other in two turns of three, and at random moments in the third."""
    if turn % 3 == 2:
        return at_random(turn, plan, steps)
    every = max(len(steps) // A_SEASON, A_SEASON)
    return replace(plan, nonces=bool(turn % 2)), steps[turn * 7 % every :: every]


def heading() -> str:
    """Return the line above the rows."""
    return f"{'':50}" + "".join(f"{head:>9}" for head in ("seasons", "kills", "again", "lost", "doubled", "other"))
