"""The real program killed hundreds of times: each season with kills is held against the same one without them."""

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from tests.wire.season import Outcome, Plan, Season, differences

KILLS = 320
EVERY = 41
"""The bot dies at each so manieth step; the seasons of one plan begin to count at different steps."""
PLANS = {"four players": Plan()}


@dataclass
class Row:
    """A line of the table: one plan, killed in one way."""

    name: str
    seasons: int = 0
    kills: int = 0
    asked_again: int = 0
    found: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        found = (self.found[what] for what in ("lost", "doubled", "other"))
        numbers = (self.seasons, self.kills, self.asked_again, *found)
        return f"{self.name:50}" + "".join(f"{number:>9}" for number in numbers)


def played(plan: Plan) -> Outcome:
    """Play a season in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Season(plan, Path(folder)).run())


def soak(kills: int = KILLS, start: int = 0) -> bool:
    """Kill the bot at least so often, print a line for each plan, and return whether nothing was lost or doubled."""
    without = {name: played(plan) for name, plan in PLANS.items()}
    rows = {name: Row(name) for name in PLANS}
    died_at: Counter[str] = Counter()
    for turn in count(start):
        for name, plan in PLANS.items():
            with_kills = replace(plan, **_kills(turn))
            ended = played(with_kills)
            died_at.update(ended.killed_at)
            _count(rows[name], ended, differences(without[name], ended), with_kills)
        if sum(row.kills for row in rows.values()) >= kills:
            break
    _print(rows, died_at)
    return not any(row.found for row in rows.values())


def _kills(turn: int) -> dict[str, float]:
    """Return when the bot dies in the seasons of this turn: at random moments or at numbered steps."""
    if turn % 3 == 2:
        return {"at_random": 0.4 + turn / 1000, "nonces": bool(turn % 2)}
    return {"first": turn * 7 % EVERY, "every": EVERY, "nonces": bool(turn % 2)}


def _count(row: Row, ended: Outcome, found: list[tuple[str, str]], plan: Plan) -> None:
    row.seasons += 1
    row.kills += ended.kills
    row.asked_again += ended.asked_again
    row.found.update(what for what, _ in found)
    for what, text in found:
        print(f"{plan}: {what}: {text}", flush=True)


def _print(rows: dict[str, Row], died_at: Counter[str]) -> None:
    print(f"{'':50}" + "".join(f"{head:>9}" for head in ("seasons", "kills", "again", "lost", "doubled", "other")))
    for row in rows.values():
        print(row)
    print("\nkilled at")
    for step, times in sorted(died_at.items()):
        print(f"{times:5} {step}")
