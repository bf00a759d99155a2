"""A player asked when they play their first match, then on the moderators' list, and what becomes of that."""

from typing import Any

from bot import steps
from bot.services.problems import patience
from bot.services.problems.patience import FIRST_MATCH, IDLE
from tests.files import do
from tests.services.conftest import World
from tests.services.meeting.cells import BRACKET, ENDS, LEFT, NEXT, OPPONENT, PAST, REPLACED, UNDONE, row
from tests.services.meeting.feature import Feature, Subject
from tests.services.meeting.scene import Scene, missing


async def asked(world: World) -> Scene:
    """One player of a group of four hasn't begun, all others have a result, and one match of theirs is left."""
    settings: Any = {"group_size": 4, "round_days": 14, "overdue": "double_loss", "first_match_days": 3}
    await world.begin(8, "round-robin", schedule="open", **settings)
    scene = Scene(world=world, stage="open")
    await scene.announce()
    mine = (await scene.matches())[-1]
    scene.match, scene.person, scene.other = mine.match.id, mine.upper.name, mine.lower.name
    *others, last = [view for view in await missing(scene) if scene.person not in {side.name for side in view.sides}]
    for view in others:
        await scene.decide(view)
    assert {side.name for side in last.sides} <= {side.name for view in others for side in view.sides}
    await steps.tick(world.db, world.later(days=3, minutes=1))
    return scene


async def silent(world: World) -> Scene:
    scene = await asked(world)
    await scene.announce()
    await steps.tick(world.db, world.later(hours=25))
    return scene


_PERSON = (
    "FROM first_matches t JOIN entrants e ON e.id = t.entrant_id JOIN players p ON p.id = e.player_id"
    " JOIN seasons s ON s.id = e.season_id AND :live WHERE p.discord_id = :person AND t.settled_at IS NULL"
    " AND EXISTS (SELECT 1 FROM matches m WHERE e.id IN (m.upper_id, m.lower_id) AND m.state = 'open')"
    " AND NOT EXISTS (SELECT 1 FROM matches m WHERE e.id IN (m.upper_id, m.lower_id)"
    " AND m.state = 'confirmed' AND m.confirmed_by <> 'departure')"
)
_KEPT = (
    f"cleared, taken back, corrected before, paused, pause ended, round extended, {PAST}, {OPPONENT}, {REPLACED},"
    " reinstated"
)
_OVER = f"corrected, preview, {NEXT}, {LEFT}, {ENDS}"
_NEVER = {"bracket": BRACKET, "results": UNDONE, "finals": "finals undone", "swap": "swapped"}

PATIENCE = Subject(
    features={
        "first match asked": Feature(
            alone=asked,
            open=f"SELECT t.until IS NULL {_PERSON} AND t.silent_at IS NULL",
            tables={"first_matches"},
            kinds={FIRST_MATCH},
        ),
        "first match silent": Feature(
            alone=silent,
            open=f"SELECT t.silent_at {_PERSON} AND t.silent_at IS NOT NULL",
            tables={"first_matches"},
            kinds={IDLE},
        ),
    },
    rows={
        "first match asked": row(kept=_KEPT, gone=_OVER, moved="linked", **_NEVER),
        "first match silent": row(kept=f"{_KEPT}, linked", gone=_OVER, **_NEVER),
    },
    quick={"first match asked": "linked", "first match silent": "cleared"},
    answers={"begins-later"},
    presses={
        IDLE: lambda a: do(patience.let_be, db=a.db, **a.organiser, question=next(iter(a.shown.people))),
    },
)
