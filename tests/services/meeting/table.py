"""What becomes of each thing someone can hold after everything that can happen: every cell is decided."""

from collections.abc import Mapping

from tests.services.meeting.events import EVENTS

KEPT, GONE, AGAIN, MOVED = "kept", "gone", "asked again", "moved"
"""As before, and no one hears of it again; over, with its messages; still open, and asked again; still open, now with
another person or account."""
NEVER = "not together: "
"""The two can't meet, or it's refused: a word of why stands in what people are told."""

ENDS = "cancelled, finished by an organiser, finished by itself"
LEFT = "forgotten, dropped, disqualified"
OPPONENT = "opponent linked, opponent forgotten, opponent dropped"
BRACKET = "bracket corrected elsewhere, bracket corrected here"
NEXT = "next round, substitute plays"
OVER = f"corrected, finals undone, {NEXT}, {LEFT}, opponent forgotten, opponent dropped, reinstated, {ENDS}"
"""What ends a match, or takes it back."""
UNTOUCHED = "corrected before, substituted, paused, pause ended, round extended"
"""What is about another round, or only about time: a substitute plays from the next round on."""
SEASON = "cleared, taken back, corrected, corrected before, paused, pause ended, round extended"
"""What matches of others don't change."""


def _row(kept: str = "", gone: str = "", again: str = "", moved: str = "", **never: str) -> Mapping[str, str]:
    """Return one feature's cells; `never` are the words of why, each with its events."""
    said = {KEPT: kept, GONE: gone, AGAIN: again, MOVED: moved}
    said |= {f"{NEVER}{why.replace('_', ' ')}": events for why, events in never.items()}
    cells = [(event, became) for became, events in said.items() for event in events.split(", ") if event]
    assert len(cells) == len(dict(cells)), f"decided twice: {sorted(event for event, _ in cells)}"
    assert dict(cells).keys() <= EVENTS.keys(), f"no such event: {dict(cells).keys() - EVENTS.keys()}"
    return dict(cells)


TABLE: Mapping[str, Mapping[str, str]] = {
    "report": _row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, {OVER}, {BRACKET}",
        again="taken back",
        moved="linked",
        reported="round undone, swapped",
    ),
    "dispute": _row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, {OVER}, {BRACKET}",
        again="taken back",
        moved="linked",
        disputed="round undone, swapped",
    ),
    "problem asked": _row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem answered": _row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "problem handed on": _row(
        kept=f"{UNTOUCHED}, linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="opponent linked",
    ),
    "proposed time": _row(
        kept=f"{UNTOUCHED}, opponent linked",
        gone=f"cleared, taken back, round undone, swapped, {OVER}, {BRACKET}",
        moved="linked",
    ),
    "agreed time": _row(
        kept=UNTOUCHED,
        gone=f"round undone, swapped, {OVER}, {BRACKET}",
        again="cleared, taken back",
        moved="linked, opponent linked",
    ),
    "late list": _row(
        kept=f"{SEASON}, {NEXT}, {BRACKET}, round undone, finals undone, swapped, substituted, linked, {OPPONENT},"
        f" dropped, disqualified, reinstated, {ENDS}",
        gone="forgotten",
    ),
    "thread": _row(
        kept=f"{UNTOUCHED}, cleared, taken back",
        gone=f"round undone, {OVER}, bracket corrected here",
        again="bracket corrected elsewhere",
        moved="swapped, linked, opponent linked",
    ),
    "own deadline": _row(
        kept=f"{UNTOUCHED}, cleared, taken back, swapped, linked, opponent linked",
        gone=f"round undone, {OVER}, {BRACKET}",
    ),
    "waiting list": _row(
        kept=f"{SEASON}, round undone, swapped, linked",
        gone=f"forgotten, dropped, next round, {ENDS}",
        finals=f"{BRACKET}, finals undone",
        season="substitute plays, substituted, disqualified, reinstated",
        opponent=OPPONENT,
    ),
    "offered place": _row(
        kept=SEASON,
        gone=f"forgotten, dropped, reinstated, next round, {ENDS}",
        moved="linked",
        finals=f"{BRACKET}, finals undone",
        forfeit="round undone, swapped",
        season="substitute plays, substituted, disqualified",
        opponent=OPPONENT,
    ),
    "check-in": _row(
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
    "comeback asked": _row(
        kept=f"{SEASON}, linked, {OPPONENT}",
        gone=f"forgotten, disqualified, reinstated, next round, {ENDS}",
        left=f"{BRACKET}, finals undone, substituted, substitute plays, dropped",
        forfeit="round undone, swapped",
    ),
    "stay asked": _row(
        kept=f"{SEASON}, {BRACKET}, round undone, finals undone, swapped, next round, {OPPONENT}, reinstated",
        gone=f"linked, substituted, substitute plays, {LEFT}, {ENDS}",
    ),
    "new account asked": _row(
        kept=f"{SEASON}, {BRACKET}, round undone, finals undone, swapped, substituted, {NEXT}, {OPPONENT}, reinstated,"
        f" dropped, disqualified, {ENDS}",
        gone="linked, forgotten",
    ),
    "moving up": _row(
        kept="corrected before, paused, pause ended",
        gone=f"reinstated, {ENDS}",
        moved=f"substituted, linked, {LEFT}",
        no_match="cleared, taken back, corrected, swapped",
        bracket=BRACKET,
        open="round undone, round extended",
        finals="finals undone",
        missing=NEXT,
        opponent=OPPONENT,
    ),
    "tie": _row(
        kept="substituted, linked, opponent linked, paused, pause ended, round extended",
        gone=f"cleared, taken back, corrected, corrected before, {LEFT}, opponent forgotten, opponent dropped, {ENDS}",
        bracket=BRACKET,
        missing=NEXT,
        result="round undone, swapped",
        finals="finals undone, reinstated",
    ),
    "tie-break match": _row(
        kept="substituted, paused, pause ended, round extended",
        gone=f"cleared, taken back, corrected, corrected before, {LEFT}, opponent forgotten, opponent dropped, {ENDS}",
        moved="linked, opponent linked",
        bracket=BRACKET,
        missing=NEXT,
        result="round undone, swapped",
        finals="finals undone, reinstated",
    ),
    "tie-break report": _row(
        kept="substituted, opponent linked, paused, pause ended, round extended",
        gone=f"cleared, taken back, corrected, corrected before, {LEFT}, opponent forgotten, opponent dropped, {ENDS}",
        moved="linked",
        bracket=BRACKET,
        missing=NEXT,
        result="round undone, swapped",
        finals="finals undone, reinstated",
    ),
    "sit-out": _row(
        kept=f"{SEASON}, round undone, swapped, substituted, linked, {OPPONENT}, reinstated",
        gone=f"{LEFT}, {NEXT}, {ENDS}",
        sit=f"{BRACKET}, finals undone",
    ),
}
