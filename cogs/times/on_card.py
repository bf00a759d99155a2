"""The time of a match on its card: what is agreed, what waits for an answer, and what the players can press."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from bot.league.match_day.starts import Person
from bot.league.season.local_time import clock_words, short_words
from bot.league.season.phases import MatchState
from bot.services.matches.views import MatchView
from bot.services.reads.details import Details
from cogs.matches.words import name
from cogs.ui.actions import ACCEPT_TIME, PROPOSE
from cogs.ui.buttons import SUCCESS, ActionButton
from cogs.ui.text import when
from storage.rows import EntrantId, EntrantRow
from storage.tables.time_proposals import TimeProposalRow


def numbered(starts: Iterable[datetime], below: Callable[[datetime], Iterable[str]] = lambda _: ()) -> str:
    """Return numbered starts, each in every reader's own time, with the lines that belong below it."""
    # In bold, because Discord takes the line after a list for a part of its last item.
    lines = [(f"**{number}.** {when(start)}", *below(start)) for number, start in enumerate(starts, 1)]
    return "\n".join(line for one in lines for line in one)


def time_lines(found: Details) -> list[str]:
    """Return what is agreed for an open match, for its players else when it ends for each, and what waits."""
    view = found.match
    if view.match.state is not MatchState.OPEN or view.stopped:
        return []
    start, people = view.match.agreed_at, found.times.people
    agreed = [] if start is None else [f"🗓 **{when(start)}**"]
    ends = view.deadline if found.shared or found.side is not None else None
    agreed += own_clocks(view, start or ends, people)
    waiting = found.times.waiting if found.times.open else ()
    return [*agreed, *(line for row in waiting for line in _proposed(found, row))]


def time_hint(found: Details) -> list[str]:
    """Return what to do about the time of a match for which none is agreed or proposed."""
    quiet = found.match.match.agreed_at is None and not found.times.waiting
    return ["Agree on a time with **Propose times**."] if found.times.open and quiet else []


def own_clocks(view: MatchView, at: datetime | None, people: Mapping[EntrantId, Person]) -> list[str]:
    """Return what a moment is on the clocks of both players, where both have said where they live."""
    if at is None or len(people) < len(view.sides):
        return []
    told = [f"{clock_words(at.astimezone(people[side.id].zone))} for {name(side)}" for side in view.sides]
    return [f"-# {' · '.join(told)}"]


def _proposed(found: Details, row: TimeProposalRow) -> list[str]:
    by = found.match.side(row.entrant_id)
    other = found.match.opponent_of(by)
    if found.side is None:
        head = f"{name(by)} proposes, waiting for {name(other)}:"
    elif found.side.id == by.id:
        head = f"You proposed, waiting for {name(other)}:"
    else:
        head = f"{name(by)} proposes:"
    return [head, numbered(row.moments)]


def time_buttons(found: Details) -> tuple[ActionButton, ...]:
    """Return what a player can press to agree on a time: the opponent's times, and their own."""
    side, view = found.side, found.match
    if side is None or not found.times.open:
        return ()
    theirs = [row for row in found.times.waiting if row.entrant_id != side.id]
    accept = [button for row in theirs for button in accept_buttons(view, row, found.times.people.get(side.id))]
    return (*accept, *(() if theirs else (propose_button(view),)))


def propose_button(view: MatchView) -> ActionButton:
    """Return the button by which a player of a match begins to propose times."""
    return PROPOSE.button("Propose times", view.match.id)


def accept_buttons(view: MatchView, row: TimeProposalRow, person: Person | None) -> tuple[ActionButton, ...]:
    """Return a button for each time a player is asked about, and the one to propose others instead."""
    labels = _labels(row.moments, person)
    taken = [
        ACCEPT_TIME.button(label, view.match.id, extra=f"{row.id}:{start}", style=SUCCESS)
        for label, start in zip(labels, row.starts, strict=True)
    ]
    return (*taken, PROPOSE.button("None of these work", view.match.id, extra=str(row.id)))


def _labels(starts: Sequence[datetime], person: Person | None) -> list[str]:
    """Return what the buttons of some starts say: their number in the list, and the time of the player who is asked."""
    if person is None:
        return [f"Time {number}" for number, _ in enumerate(starts, 1)]
    words = [short_words(start, person.zone) for start in starts]
    return words if len(words) == 1 else [f"{number}. {said}" for number, said in enumerate(words, 1)]


def opponent_words(opponent: EntrantRow, start: datetime, them: Person | None) -> str:
    """Return what a start is for the opponent: `11:00 (11 am) for Daria`; nothing where that isn't known."""
    return "" if them is None else f"{short_words(start, them.zone)} for {opponent.called}"
