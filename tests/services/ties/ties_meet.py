"""Ties that wait for an organiser, tie-break matches and their reports, and what becomes of them."""

from bot.services.base.order import Order
from bot.services.ties import tie_decisions, tie_match_reports
from bot.services.ties.tie_posts import TIE, TIE_MATCH, TIE_QUESTION
from tests.files import do
from tests.services.conftest import ORGANISER, World
from tests.services.meeting.cells import BRACKET, ENDS, LEFT, NEXT, PAST, REPLACED, UNDONE, row
from tests.services.meeting.feature import Feature, Subject
from tests.services.meeting.scene import Scene
from tests.services.ties.test_tie_match_reports import called
from tests.services.ties.test_ties import tied


async def tie(world: World) -> Scene:
    found = await tied(world)
    scene = Scene(world=world, stage="before the finals", person=found.names[0], other=found.names[1])
    view = next(match for match in await scene.matches() if scene.person in {side.name for side in match.sides})
    scene.match = view.match.id
    return scene


async def tie_match(world: World) -> Scene:
    scene = await tie(world)
    await scene.announce()
    await world.db.write(tie_decisions.call_match, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return scene


async def tie_report(world: World) -> Scene:
    """The other reports that they won the tie-break match of two."""
    found = await called(world)
    scene = Scene(world=world, stage="before the finals", person=found.names[0], other=found.names[1])
    view = next(match for match in await scene.matches() if scene.person in {side.name for side in match.sides})
    scene.match = view.match.id
    await do(tie_match_reports.report, db=world.db, **scene.by(scene.other), tie_id=found.id, won=True)
    return scene


_TIE = (
    "SELECT t.names FROM ties t JOIN seasons s ON s.id = t.season_id AND :live"
    " WHERE t.settled_at IS NULL AND t.match_at IS"
)
_OVER = f"cleared, taken back, corrected, corrected before, {LEFT}, opponent forgotten, opponent dropped, {ENDS}"

TIES = Subject(
    features={
        "tie": Feature(alone=tie, open=f"{_TIE} NULL", tables={"ties"}, kinds={TIE}),
        "tie-break match": Feature(
            alone=tie_match,
            open=f"{_TIE} NOT NULL",
            tables={"ties"},
            kinds={TIE, TIE_MATCH},
        ),
        "tie-break report": Feature(
            alone=tie_report,
            open="SELECT e.name FROM tie_reports x JOIN entrants e ON e.id = x.entrant_id"
            " JOIN ties t ON t.id = x.tie_id JOIN seasons s ON s.id = t.season_id AND :live"
            " WHERE t.settled_at IS NULL AND x.disputed_at IS NULL",
            tables={"tie_reports"},
            kinds={TIE_QUESTION},
        ),
    },
    rows={
        "tie": row(
            kept=f"{PAST}, {REPLACED}, preview, linked, opponent linked, paused, pause ended, round extended",
            gone=_OVER,
            bracket=BRACKET,
            missing=NEXT,
            result=f"{UNDONE}, swapped",
            finals="finals undone, reinstated",
        ),
        "tie-break match": row(
            kept=f"{PAST}, {REPLACED}, preview, paused, pause ended, round extended",
            gone=_OVER,
            moved="linked, opponent linked",
            bracket=BRACKET,
            missing=NEXT,
            result=f"{UNDONE}, swapped",
            finals="finals undone, reinstated",
        ),
        "tie-break report": row(
            kept=f"{PAST}, {REPLACED}, preview, opponent linked, paused, pause ended, round extended",
            gone=_OVER,
            moved="linked",
            bracket=BRACKET,
            missing=NEXT,
            result=f"{UNDONE}, swapped",
            finals="finals undone, reinstated",
        ),
    },
    quick={"tie": "cleared", "tie-break match": "linked", "tie-break report": "cancelled"},
    answers={"tie", "tie-report"},
    deleted={TIE_QUESTION},
    presses={
        TIE_MATCH: lambda a: do(tie_match_reports.report, db=a.db, **a.by, tie_id=a.facts["tie_id"], won=False),
        TIE_QUESTION: lambda a: do(tie_match_reports.answer, db=a.db, **a.by, tie_id=a.shown.tie.id, right=False),
        TIE: lambda a: do(tie_decisions.take_draw, db=a.db, **a.organiser, tie_id=a.facts["tie_id"]),
    },
)
