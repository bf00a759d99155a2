"""After a ban, an import taken back, a backup restored or other groups, what is held in a round robin is right.

In each way a round robin has groups, and with its rounds one after the other or all open.
"""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.hosting import restoring
from bot.league.errors import Conflict, LeagueError
from bot.services.leagues import taking_back
from bot.services.organising import rounds_by_hand
from bot.services.people import banning
from bot.services.seasons import given_groups
from storage.files import copies
from tests.files import do
from tests.services.conftest import Watched, World, opened
from tests.services.meeting.cells import GONE, KEPT, NEVER
from tests.services.meeting.features import FEATURES
from tests.services.meeting.scene import PEOPLE, Moment, Scene, bring_people, played_once, with_match
from tests.services.meeting.table import TABLE
from tests.services.test_features_meet import became, held, require_laws, require_never
from tests.services.test_round_robins_meet import CELLS

WAYS = tuple(product(("rounds", "open"), ("drawn", "divisions", "given")))
"""Rounds one after the other or all at once, in groups that are drawn, divisions, and groups that are given."""
NOT_OPEN = {"thread": "threads are public, one for each group", "late list": "lists are for the season"}
"""What no season has in which all rounds are open, with a word of why it's refused."""


async def banned(scene: Scene) -> None:
    """The person is banned for good, and leaves the season."""
    await _ban(scene)


async def banned_for_a_while(scene: Scene) -> None:
    """The person is banned for a month, and plays the season out."""
    await _ban(scene, until=scene.world.now + timedelta(days=30), plays_out=True)


async def ban_lifted(scene: Scene) -> None:
    """A ban for good, by which the person left, is lifted."""
    await _ban(scene)
    await scene.announce()
    ((ban,),) = await scene.rows("SELECT id FROM bans")
    await do(banning.unban, db=scene.world.db, **scene.organiser, ban=ban, reason="a mistake")


async def _ban(scene: Scene, **how: Any) -> None:
    await do(banning.ban, db=scene.world.db, **scene.organiser, player=scene.person, reason="cheats", **how)


async def import_taken_back(scene: Scene) -> None:
    await bring_people(scene, "Old Friend")
    ((newest,),) = await scene.rows("SELECT max(id) FROM imports")
    await do(taking_back.take_back, db=scene.world.db, **scene.organiser, import_id=newest)


async def regrouped(scene: Scene) -> None:
    """All rounds are undone, the person changes places with someone of another group, and they are posted again."""
    other = PEOPLE[4] if scene.person in PEOPLE[:4] else PEOPLE[0]
    names = {"first": scene.person, "second": other}
    if await scene.rows("SELECT 1 FROM seasons WHERE settings ->> 'schedule' = 'open'"):
        await do(rounds_by_hand.undo, db=scene.world.db, **scene.organiser)
    await do(given_groups.exchange, db=scene.world.db, **scene.organiser, **names)
    await do(rounds_by_hand.post, db=scene.world.db, **scene.organiser)


EVENTS: Mapping[str, Callable[[Scene], Awaitable[None]]] = {
    "banned": banned,
    "banned for a while": banned_for_a_while,
    "ban lifted": ban_lifted,
    "import taken back": import_taken_back,
    "regrouped": regrouped,
}
OF_A_MATCH = frozenset(
    {
        "report", "dispute", "problem asked", "problem answered", "problem handed on", "proposed time", "agreed time",
        "thread", "own deadline", "stay asked",
    }
)  # fmt: skip
"""What is over once the person has left; a stay is decided by it."""


def expected(feature: str, event: str, schedule: str) -> str:
    """Return what becomes of a feature: everything else of a person, such as an answer or a merge, stays."""
    if event == "regrouped":
        return TABLE[feature]["paired again"] if schedule == "open" else f"{NEVER}its groups are fixed"
    leaves = event in ("banned", "ban lifted")
    if feature == "new account asked" and (leaves or event == "banned for a while"):
        return GONE  # no one who is banned is given an account
    return GONE if leaves and feature in OF_A_MATCH else KEPT


async def begun(db: Watched, feature: str, schedule: str, grouping: str) -> Moment:
    """Return when someone of two groups of four holds something of a feature, in the second round or in all of them."""
    settings = {"schedule": schedule, "grouping": grouping, **FEATURES[feature].settings}
    before = await played_once(repr(settings), lambda world: in_groups(world, **settings))
    return Moment.of(await FEATURES[feature].held(before.again(db)))


async def in_groups(world: World, **settings: Any) -> Scene:
    """Open the second round of two groups of four, or all of them."""
    given: dict[str, Any] = {"group_size": 4, "round_days": 14, "overdue": "double_loss"}
    await world.create("round-robin", **{**given, **settings})
    await world.sign_up(*PEOPLE)
    scene = Scene(world=world, stage="group")
    if settings["grouping"] == "given":
        groups = {1: PEOPLE[:4], 2: PEOPLE[4:]}
        await do(given_groups.assign, db=world.db, **scene.organiser, groups=groups, without=[])
    await world.start()
    if settings["schedule"] == "rounds":
        await world.play_round()
    return await with_match(scene)


@asynccontextmanager
async def restored(moment: Moment, folder: Path) -> AsyncGenerator[Scene]:
    """Go on from a backup of a moment after the person has left and everyone was told of it."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    path, backup = folder / "league.db", folder / "league.backup"
    async with opened(path) as db:
        scene = moment.again(db)
        copies.write_copy(path, backup)
        await scene.world.drop(scene.person)
        await scene.announce()
    assert await asyncio.to_thread(restoring.restore, backup, path, lambda _: True) is not None
    async with opened(path) as db:
        yield moment.seen_in(db)


async def require_all(db: Watched, feature: str, ways: tuple[tuple[str, str], ...]) -> None:
    """Let everything happen to what is held, in each way; all cells that are wrong are said at once."""
    wrong: list[Exception] = []
    for schedule, grouping in ways:
        if schedule == "open" and feature in NOT_OPEN:
            with pytest.raises(Conflict, match=NOT_OPEN[feature]):
                await begun(db, feature, schedule, grouping)
            continue
        moment = await begun(db, feature, schedule, grouping)
        for event in (*EVENTS, "restored"):
            if event == "regrouped" and grouping != "given":
                continue
            try:
                await _require(moment, db, feature, event, expected(feature, event, schedule))
            except Exception as error:
                error.add_note(f"{feature}: {event}, {schedule}, {grouping}")
                wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} cells of {feature}", wrong)


async def _require(moment: Moment, db: Watched, feature: str, event: str, became_of: str) -> None:
    scene = moment.again(db)
    before = await held(scene, FEATURES[feature])
    assert before[0], "nothing is held"
    async with restored(moment, db.path.parent) if event == "restored" else nullcontext(scene) as scene:
        if event != "restored":
            lines = len(await scene.rows("SELECT id FROM audit"))
            try:
                await EVENTS[event](scene)
            except LeagueError as refused:
                require_never(became_of, refused)
                return
            assert len(await scene.rows("SELECT id FROM audit")) > lines, "no line in the audit log"
        await scene.announce()
        found = became(before, await held(scene, FEATURES[feature]))
        assert found == became_of
        await require_laws(scene, FEATURES[feature], found)


@pytest.mark.parametrize(("feature", "way"), [("report", WAYS[2]), ("agreed time", WAYS[4]), ("merge", WAYS[0])])
async def test_what_is_held_is_right_after_what_seldom_happens(db: Watched, feature: str, way: tuple[str, str]) -> None:
    await require_all(db, feature, (way,))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("feature", CELLS)
async def test_so_it_is_in_every_way_a_round_robin_is_played(db: Watched, feature: str) -> None:
    await require_all(db, feature, WAYS)
