"""What can become of something that is held, in the words of the table, and the events in groups."""

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
OVER = f"corrected, finals undone, preview, {NEXT}, {LEFT}, opponent forgotten, opponent dropped, reinstated, {ENDS}"
"""What ends a match, or takes it back."""
UNDONE = "round undone, paired again"
REPLACED = "substituted, substitute taken back"
PAST = "imported, merged"
"""What brings in the past, or joins it: the season that is played goes on as it was."""
UNTOUCHED = f"{PAST}, corrected before, {REPLACED}, paused, pause ended, round extended"
"""What is about another round, or only about time: a substitute plays from the next round on."""
TIME = "cleared, taken back, corrected, corrected before, paused, pause ended, round extended"
SEASON = f"{TIME}, {PAST}"
"""What matches of others don't change."""


def row(kept: str = "", gone: str = "", again: str = "", moved: str = "", **never: str) -> Mapping[str, str]:
    """Return one feature's cells; `never` are the words of why, each with its events."""
    said = {KEPT: kept, GONE: gone, AGAIN: again, MOVED: moved}
    said |= {f"{NEVER}{why.replace('_', ' ')}": events for why, events in never.items()}
    cells = [(event, became) for became, events in said.items() for event in events.split(", ") if event]
    assert len(cells) == len(dict(cells)), f"decided twice: {sorted(event for event, _ in cells)}"
    assert dict(cells).keys() <= EVENTS.keys(), f"no such event: {dict(cells).keys() - EVENTS.keys()}"
    return dict(cells)
