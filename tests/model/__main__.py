"""Walk for as long as one likes: python -m tests.model [--minutes 60] [--seed 1000]; or one walk again, by its plan."""

import argparse
import asyncio
import sys
import time

from bot.league.formats import ALL
from tests.model.announcing import RENDERED
from tests.model.playing import STEPS, Failed, Plan, play, shortest
from tests.model.walk import POSTING, TALLY

FORMATS = [format_.key for format_ in ALL]


def main() -> int:
    """Walk until the time is over, print what was done, and return 1 if anything was found."""
    asked = _arguments()
    if asked.format:
        steps = [int(step) for step in asked.steps.split(",")] if asked.steps else range(STEPS)
        return _walk(Plan(format=asked.format, seed=asked.seed, steps=steps), shorten=asked.shorten)
    end, failures, seed = time.monotonic() + asked.minutes * 60, 0, asked.seed
    while time.monotonic() < end:
        failures += sum(_walk(Plan(format=format_, seed=seed), shorten=False) for format_ in FORMATS)
        seed += 1
    print(_counted(failures))
    return int(failures > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.model", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--format", choices=FORMATS, help="walk one plan again")
    parser.add_argument("--steps", help="its steps, by number")
    parser.add_argument("--shorten", action="store_true", help="leave out the steps it fails without as well")
    return parser.parse_args()


def _walk(plan: Plan, *, shorten: bool) -> int:
    try:
        asyncio.run(play(plan))
    except Failed as failed:
        print(f"FAILED {failed}", flush=True)
        if shorten:
            print(f"shorter: {shortest(plan)}")
        return 1
    return 0


def _counted(failures: int) -> str:
    actions = sum(count for (name, _), count in TALLY.items() if name not in POSTING)
    walks, verified = TALLY["walks", "done"], TALLY["verified", "done"]
    posts = sum(RENDERED.values())
    return f"{walks} walks, {actions} actions, {verified} files verified, {posts} posts rendered, {failures} failures"


if __name__ == "__main__":
    sys.exit(main())
