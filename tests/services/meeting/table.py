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
    REPLACED,
    SEASON,
    TIME,
    UNDONE,
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
        reported=f"{UNDONE}, swapped",
    ),
    "dispute": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, {OVER}, {BRACKET}",
        again="taken back",
        moved="linked",
        disputed=f"{UNDONE}, swapped",
    ),
    "problem asked": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, {UNDONE}, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem answered": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, {UNDONE}, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem handed on": row(
        kept=f"{UNTOUCHED}, linked",
        gone=f"cleared, taken back, {UNDONE}, swapped, {OVER}, {BRACKET}",
        moved="opponent linked",
    ),
    "proposed time": row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, {UNDONE}, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "agreed time": row(
        kept=UNTOUCHED,
        gone=f"{UNDONE}, swapped, {OVER}, {BRACKET}",
        again="cleared, taken back",
        moved="linked, opponent linked",
    ),
    "thread": row(
        kept=f"{UNTOUCHED}, cleared, taken back",
        gone=f"{UNDONE}, {OVER}, bracket corrected here",
        again="bracket corrected elsewhere",
        moved="swapped, linked, opponent linked",
    ),
    "own deadline": row(
        kept=f"{UNTOUCHED}, cleared, taken back, swapped, linked, opponent linked",
        gone=f"{UNDONE}, {OVER}, {BRACKET}",
    ),
    "waiting list": row(
        kept=f"{SEASON}, {UNDONE}, preview, swapped, linked",
        gone=f"forgotten, dropped, next round, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season=f"substitute plays, {REPLACED}, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "offered place": row(
        kept=f"{SEASON}, preview",
        gone=f"forgotten, dropped, reinstated, next round, {ENDS}",
        moved="linked",
        finals=f"{BRACKET}, finals undone",
        forfeit=f"{UNDONE}, swapped",
        season=f"substitute plays, {REPLACED}, disqualified",
        opponent=OPPONENT,
    ),
    "join request": row(
        kept=f"{SEASON}, {UNDONE}, preview, swapped, linked",
        gone=f"forgotten, dropped, next round, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season=f"substitute plays, {REPLACED}, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "claim": row(
        kept=f"{SEASON}, {UNDONE}, preview, swapped, next round",
        gone=f"forgotten, dropped, linked, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season=f"substitute plays, {REPLACED}, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "check-in": row(
        kept=PAST,
        gone=f"{LEFT}, cancelled, finished by itself",
        moved="linked",
        no_match="cleared, taken back, corrected, swapped",
        posted="next round, corrected before",
        bracket=BRACKET,
        started=f"substitute plays, preview, {UNDONE}, finals undone, {REPLACED}, paused, pause ended, round extended,"
        " finished by an organiser",
        season="reinstated",
        opponent=OPPONENT,
    ),
    "comeback asked": row(
        kept=f"{SEASON}, preview, linked, {OPPONENT}",
        gone=f"forgotten, disqualified, reinstated, next round, {ENDS}",
        left=f"{BRACKET}, finals undone, {REPLACED}, substitute plays, dropped",
        forfeit=f"{UNDONE}, swapped",
    ),
    "stay asked": row(
        kept=f"{SEASON}, {BRACKET}, {UNDONE}, preview, finals undone, swapped, next round, {OPPONENT}, reinstated",
        gone=f"linked, substituted, substitute plays, {LEFT}, {ENDS}",
        again="substitute taken back",
    ),
    "new account asked": row(
        asked="merged",
        kept=f"{TIME}, imported, {BRACKET}, {UNDONE}, preview, finals undone, swapped, {REPLACED}, {NEXT}, {OPPONENT},"
        f" reinstated, dropped, disqualified, {ENDS}",
        gone="linked, forgotten",
    ),
    "moving up": row(
        kept=f"{PAST}, corrected before, paused, pause ended, preview",
        gone=f"reinstated, {ENDS}",
        again="substitute taken back",
        moved=f"substituted, linked, {LEFT}",
        no_match="cleared, taken back, corrected, swapped",
        bracket=BRACKET,
        open=f"{UNDONE}, round extended",
        finals="finals undone",
        missing=NEXT,
        opponent=OPPONENT,
    ),
    "correction asked": row(
        kept=f"{SEASON}, {UNDONE}, linked, {OPPONENT}, bracket corrected elsewhere, dropped, disqualified, preview,"
        f" swapped, {REPLACED}, reinstated, {NEXT}",
        gone=f"bracket corrected here, forgotten, {ENDS}",
        no_cut="finals undone",
    ),
    "answer for opponents": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, {UNDONE}, preview, finals undone, swapped, {REPLACED}, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "name in files": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, {UNDONE}, preview, finals undone, swapped, {REPLACED}, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "merge": row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, {UNDONE}, preview, finals undone, swapped, {REPLACED}, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "sit-out": row(
        kept=f"{SEASON}, {UNDONE}, swapped, {REPLACED}, linked, {OPPONENT}, reinstated",
        gone=f"{LEFT}, preview, {NEXT}, {ENDS}",
        sit=f"{BRACKET}, finals undone",
    ),
}
