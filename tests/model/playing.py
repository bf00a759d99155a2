"""One walk from its beginning to its end, which a format and a number say completely; a failing one made shorter."""

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.model import ending, invariants, one_thread
from tests.model.announcing import announce, discord_of
from tests.model.moves import MOVES
from tests.model.moves.moving import Move
from tests.model.trace import Trace
from tests.model.walk import START, TALLY, Walk

STEPS = 60
TOGETHER = 0.25
"""How often several people act in the same moment."""
ANOTHER = 0.3
"""How often, once a season is over, the next step begins another one."""
MEANWHILE = 0.15
"""How often people act while the bot posts."""
NEIGHBOURS = 0.3
"""How often another server has a league in the same file."""
NEXT_DOOR = 0.3
"""How often it's there that someone acts."""
DIES = 0.15
"""How often the bot dies while it posts."""
DIES_BUSY = 0.4
"""How often it dies while people act at the same time."""
EXPORTED_EVERY = 10
"""After so many steps the season's file is read and verified, and the database looked through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens in a walk: each step depends on its own number alone, so that any of them can be left out."""

    format: str
    seed: int
    steps: Sequence[int] = range(STEPS)

    def __str__(self) -> str:
        steps = ",".join(map(str, self.steps)) if self.steps != range(STEPS) else ""
        return f"--format {self.format} --seed {self.seed}" + (f" --steps {steps}" if steps else "")


class Failed(Exception):
    """A walk that found a mistake, with the plan to walk it again and what people did last."""


def play(plan: Plan, trace: Trace | None = None) -> None:
    """Walk a plan to its end, with a database of its own, in one thread; raises Failed."""
    one_thread.run(_play(plan, Trace() if trace is None else trace), f"{plan.format}/{plan.seed}")
    TALLY["walks", "done"] += 1


async def _play(plan: Plan, trace: Trace) -> None:
    with tempfile.TemporaryDirectory(prefix="fairpair-model-") as folder:
        walk = await Walk.begin(Path(folder) / "league.db", plan.format, _chance(plan, -1))
        walk.trace = trace
        try:
            one_thread.turns.seed(f"{plan.format}/{plan.seed}/-1")  # a process makes its first file otherwise
            await _step(walk, -1, _beginning(walk))
            for number in plan.steps:
                walk.chance = _chance(plan, number)
                one_thread.turns.seed(f"{plan.format}/{plan.seed}/{number}")
                await _step(walk, number, _doing(walk))
            walk.chance = _chance(plan, -2)
            await ending.end(walk)
            TALLY["days", "passed"] += max((walk.now - START).days, 0)
        except Exception as error:
            last = "\n  ".join(walk.said[-25:])
            raise Failed(f"python -m tests.model {plan}\n{type(error).__name__}: {error}\n  {last}") from error
        finally:
            await walk.close()


def _chance(plan: Plan, number: int) -> random.Random:
    return random.Random(f"{plan.format}/{plan.seed}/{number}")


async def _beginning(walk: Walk) -> None:
    await ending.begin_season(walk)
    discord_of(walk)
    if walk.maybe(NEIGHBOURS):
        await walk.move_in()
        async with walk.next_door() as there:
            await ending.begin_season(there)


async def _doing(walk: Walk) -> None:
    """Do what happens in a step: mostly what one person does; once a season is over, perhaps another begins."""
    if walk.maybe(TOGETHER):
        await _some(walk)
    elif walk.neighbour is not None and walk.maybe(NEXT_DOOR):
        async with walk.next_door() as there:
            await _one(there)
    else:
        await _one(walk)


async def _one(walk: Walk) -> None:
    if walk.file.facts().live(walk.league.id) is None and walk.maybe(ANOTHER):
        await ending.begin_season(walk)
    else:
        await walk.chance.choice(MOVES)(walk)


async def _step(walk: Walk, number: int, doing: Awaitable[None]) -> None:
    walk.trace.note(walk.now, f"step {number}")
    await doing
    await _announce(walk)
    if walk.trace.wanted:
        walk.trace.note(walk.now, "the file holds", walk.file.digest())
    if number % EXPORTED_EVERY == 0:
        await ending.require_exported(walk)


async def _announce(walk: Walk) -> None:
    """Let the bot post; now and then much of Discord fails, or the bot dies and is started again."""
    dies = walk.maybe(DIES)
    if walk.maybe(MEANWHILE):
        await _meanwhile(walk, dies=walk.maybe(DIES_BUSY))
    if walk.maybe(0.15):
        await announce(walk, failing=walk.chance.choice([0.05, 0.2, 0.5]), dies=dies)
        if walk.maybe(0.5):
            return
        walk.pass_time(hours=1)
        await ending.back_to_normal(walk)
        dies = False
    await announce(walk, dies=dies)
    walk.told.require(walk)


async def _meanwhile(walk: Walk, *, dies: bool) -> None:
    """Let some people act while the bot posts; if it dies, what they asked for ends there."""
    walk.together = []
    walk.acting = [asyncio.create_task(_after(5 * turns, move, walk)) for turns, move in enumerate(_several(walk))]
    await announce(walk, dies=dies)
    answers = await asyncio.gather(*walk.acting, return_exceptions=True)
    walk.together, walk.acting = None, []
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    invariants.require(walk.file)


async def _some(walk: Walk) -> None:
    """Let some people act in the same moment; one of them may give up midway."""
    before, walk.together = walk.file.facts(), []
    tasks = [asyncio.create_task(_after(turns, move, walk)) for turns, move in enumerate(_several(walk))]
    cancelled = walk.maybe(0.3)
    if cancelled:
        for _ in range(walk.chance.randrange(40)):
            await asyncio.sleep(0)
        tasks[0].cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    done, walk.together = walk.together, None
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    ending.require_group(walk, done, before, walk.file.facts(), cancelled=cancelled)


def _several(walk: Walk) -> list[Move]:
    return [walk.chance.choice(MOVES) for _ in range(walk.chance.randint(2, 5))]


async def _after(turns: int, move: Move, walk: Walk) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    if walk.neighbour is not None and walk.maybe(NEXT_DOOR):
        async with walk.next_door() as there:
            await move(there)
    else:
        await move(walk)


def shortest(plan: Plan) -> Plan:
    """Return a failing plan without the steps it fails without as well: halves, then quarters, and so on."""
    steps, size = list(plan.steps), len(plan.steps) // 2
    while size:
        start = 0
        while start < len(steps):
            fewer = [*steps[:start], *steps[start + size :]]
            if _fails(Plan(format=plan.format, seed=plan.seed, steps=fewer)):
                steps = fewer
            else:
                start += size
        size //= 2
    return Plan(format=plan.format, seed=plan.seed, steps=steps)


def _fails(plan: Plan) -> bool:
    try:
        play(plan)
    except Failed:
        return True
    return False
