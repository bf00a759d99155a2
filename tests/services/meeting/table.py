"""What becomes of each thing someone can hold after everything that can happen: every cell is decided."""

from collections.abc import Mapping

from tests.services.meeting.cells import (
    BRACKET,
    ENDS,
    LEFT,
    NEXT,
    OPPONENT,
    OVER,
    PAST,
    SEASON,
    TIME,
    UNTOUCHED,
    row,
)
from tests.services.meeting.subjects import SUBJECTS

TABLE: Mapping[str, Mapping[str, str]] = {
    **{name: cells for subject in SUBJECTS for name, cells in subject.rows.items()},
    "report": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, {OVER}, {BRACKET}",
        again="taken back",
        moved="linked",
        reported="round undone, swapped",
    ),
    "dispute": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, {OVER}, {BRACKET}",
        again="taken back",
        moved="linked",
        disputed="round undone, swapped",
    ),
    "problem asked": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem answered": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem handed on": row(
        kept=f"{UNTOUCHED}, linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="opponent linked",
    ),
    "proposed time": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "agreed time": row(
        kept=UNTOUCHED,
        gone=f"round undone, swapped, {OVER}, {BRACKET}",
        again="cleared, taken back",
        moved="linked, opponent linked",
    ),
    "thread": row(
        kept=f"{UNTOUCHED}, cleared, taken back",
        gone=f"round undone, {OVER}, bracket corrected here",
        again="bracket corrected elsewhere",
        moved="swapped, linked, opponent linked",
    ),
    "own deadline": row(
        kept=f"{UNTOUCHED}, cleared, taken back, swapped, linked, opponent linked",
        gone=f"round undone, {OVER}, {BRACKET}",
    ),
    "waiting list": row(
        kept=f"{SEASON}, round undone, swapped, linked",
        gone=f"forgotten, dropped, next round, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season="substitute plays, substituted, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "offered place": row(
        kept=SEASON,
        gone=f"forgotten, dropped, reinstated, next round, {ENDS}",
        moved="linked",
        finals=f"{BRACKET}, finals undone",
        forfeit="round undone, swapped",
        season="substitute plays, substituted, disqualified",
        opponent=OPPONENT,
    ),
    "join request": row(
        kept=f"{SEASON}, round undone, swapped, linked",
        gone=f"forgotten, dropped, next round, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season="substitute plays, substituted, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "check-in": row(
        kept=PAST,
        gone=f"{LEFT}, cancelled, finished by itself",
        moved="linked",
        no_match="cleared, taken back, corrected, swapped",
        posted="next round, corrected before",
        bracket=BRACKET,
        started="substitute plays, round undone, finals undone, substituted, paused, pause ended, round extended,"
        " finished by an organiser",
        season="reinstated",
        opponent=OPPONENT,
    ),
    "comeback asked": row(
        kept=f"{SEASON}, linked, {OPPONENT}",
        gone=f"forgotten, disqualified, reinstated, next round, {ENDS}",
        left=f"{BRACKET}, finals undone, substituted, substitute plays, dropped",
        forfeit="round undone, swapped",
    ),
    "stay asked": row(
        kept=f"{SEASON}, {BRACKET}, round undone, finals undone, swapped, next round, {OPPONENT}, reinstated",
        gone=f"linked, substituted, substitute plays, {LEFT}, {ENDS}",
    ),
    "new account asked": row(
        asked="merged",
        kept=f"{TIME}, imported, {BRACKET}, round undone, finals undone, swapped, substituted, {NEXT}, {OPPONENT},"
        f" reinstated, dropped, disqualified, {ENDS}",
        gone="linked, forgotten",
    ),
    "moving up": row(
        kept=f"{PAST}, corrected before, paused, pause ended",
        gone=f"reinstated, {ENDS}",
        moved=f"substituted, linked, {LEFT}",
        no_match="cleared, taken back, corrected, swapped",
        bracket=BRACKET,
        open="round undone, round extended",
        finals="finals undone",
        missing=NEXT,
        opponent=OPPONENT,
    ),
    "answer for opponents": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, round undone, finals undone, swapped, substituted, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "name in files": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, round undone, finals undone, swapped, substituted, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "merge": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, round undone, finals undone, swapped, substituted, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "sit-out": row(
        kept=f"{SEASON}, round undone, swapped, substituted, linked, {OPPONENT}, reinstated",
        gone=f"{LEFT}, {NEXT}, {ENDS}",
        sit=f"{BRACKET}, finals undone",
    ),
}
