"""A late list, and what becomes of it."""

from bot import steps
from bot.services.lists import handing_in
from bot.services.lists.list_posts import LISTS_MISSING, SEALS
from tests.files import do
from tests.services.meeting.cells import BRACKET, ENDS, NEXT, OPPONENT, REPLACED, SEASON, UNDONE, row
from tests.services.meeting.feature import Feature, Subject
from tests.services.meeting.scene import Scene


async def late_list(scene: Scene) -> None:
    await steps.tick(scene.world.db, scene.world.now)
    await do(handing_in.hand_in, db=scene.world.db, **scene.there(scene.person), text="4 Dragons")


LISTS = Subject(
    features={
        "late list": Feature(
            begin=late_list,
            open="SELECT l.text, l.late, l.sealed_at IS NULL, p.name FROM lists l JOIN players p ON p.id = l.player_id",
            tables={"lists", "list_sets"},
            kinds={SEALS},
            settings={"lists": {"number": 1, "per": "round", "due_hours": 24, "secret": "end"}},
        ),
    },
    rows={
        "late list": row(
            kept=f"{SEASON}, {NEXT}, {BRACKET}, {UNDONE}, preview, finals undone, swapped, {REPLACED}, linked,"
            f" {OPPONENT}, dropped, disqualified, reinstated, {ENDS}",
            gone="forgotten",
        ),
    },
    quick={"late list": "substituted"},
    shows={"list", "lists", "my-lists"},
    tells={LISTS_MISSING},
)
