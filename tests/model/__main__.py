"""Walk for as long as one likes: python -m tests.model [--minutes 60] [--seed 1000]; or one walk again, by its plan."""

import argparse
import itertools
import logging
import sys
import time

from bot.league.formats import ALL
from tests.model.announcing import FULL, KILLS, RENDERED
from tests.model.discord_here import FAULTS_SEEN as FAULTS
from tests.model.playing import STEPS, Failed, Plan, play, shortest
from tests.model.trace import Trace
from tests.model.walk import POSTING, TALLY

FORMATS = [format_.key for format_ in ALL]


def main() -> int:
    """Walk until the time is over, print what was done, and return 1 if anything was found."""
    logging.disable()  # lives are full of failures that the bot logs
    asked = _arguments()
    if asked.trace:
        seeds = range(asked.seed, asked.seed + asked.lives)
        plans = [Plan(format=asked.format or FORMATS[seed % len(FORMATS)], seed=seed) for seed in seeds]
        return max(map(_traced, plans[::-1] if asked.backwards else plans))
    if asked.format:
        steps = [int(step) for step in asked.steps.split(",")] if asked.steps else range(STEPS)
        return _walk(Plan(format=asked.format, seed=asked.seed, steps=steps), shorten=asked.shorten)
    end, failures = time.monotonic() + asked.minutes * 60, 0
    plans = (Plan(format=format_, seed=seed) for seed in itertools.count(asked.seed) for format_ in FORMATS)
    plans = itertools.islice(plans, FORMATS.index(asked.begin), None)
    while time.monotonic() < end and not (failures and asked.first):
        failures += _walk(next(plans), shorten=False)
    print(_counted(failures))
    return int(failures > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.model", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--first", action="store_true", help="end with the first failure")
    parser.add_argument("--from", choices=FORMATS, default=FORMATS[0], dest="begin", help="the format to begin with")
    parser.add_argument("--format", choices=FORMATS, help="walk one plan again")
    parser.add_argument("--steps", help="its steps, by number")
    parser.add_argument("--trace", action="store_true", help="say all that happens in one life, line by line")
    parser.add_argument("--lives", type=int, default=1, help="so many one after another, each with its trace")
    parser.add_argument("--backwards", action="store_true", help="the last of them first")
    parser.add_argument("--shorten", action="store_true", help="leave out the steps it fails without as well")
    return parser.parse_args()


def _walk(plan: Plan, *, shorten: bool) -> int:
    try:
        play(plan)
    except Failed as failed:
        print(f"FAILED {failed}", flush=True)
        if shorten:
            print(f"shorter: {shortest(plan)}")
        return 1
    return 0


def _traced(plan: Plan) -> int:
    trace = Trace()
    trace.wanted = True
    try:
        play(plan, trace)
    except Failed as failed:
        trace.append(f"FAILED {failed}")
        return 1
    finally:
        print(f"LIFE {plan}", *trace, sep="\n", flush=True)
    return 0


def _counted(failures: int) -> str:
    actions = sum(count for (name, _), count in TALLY.items() if name not in POSTING | {"days"})
    walks, verified = TALLY["walks", "done"], TALLY["verified", "done"]
    posts, kills = sum(RENDERED.values()), sum(KILLS.values())
    return (
        f"{walks} lives, {TALLY['days', 'passed'] / 365:.1f} league-years, {actions} actions, {kills} kills,"
        f" {sum(FAULTS.values())} faults of Discord, {FULL['writes']} writes on a full disk,"
        f" {posts} posts rendered, {verified} files verified, {failures} failures"
    )


if __name__ == "__main__":
    sys.exit(main())
