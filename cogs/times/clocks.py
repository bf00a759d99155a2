"""A start in words: numbered, and as both players' clocks show it."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from bot.league.match_day.starts import Person
from bot.league.season.local_time import clock_words, short_words
from bot.services.matches.views import MatchView
from cogs.matches.words import name
from cogs.ui.text import when
from storage.rows import EntrantId, EntrantRow


def numbered(starts: Iterable[datetime], below: Callable[[datetime], Iterable[str]] = lambda _: ()) -> str:
    """Return numbered starts, each in every reader's own time, with the lines that belong below it."""
    # In bold, because Discord takes the line after a list for a part of its last item.
    lines = [(f"**{number}.** {when(start)}", *below(start)) for number, start in enumerate(starts, 1)]
    return "\n".join(line for one in lines for line in one)


def own_clocks(view: MatchView, at: datetime | None, people: Mapping[EntrantId, Person]) -> list[str]:
    """Return what a moment is on the clocks of both players, where both have said where they live."""
    if at is None or len(people) < len(view.sides):
        return []
    told = [f"{clock_words(at.astimezone(people[side.id].zone))} for {name(side)}" for side in view.sides]
    return [f"-# {' · '.join(told)}"]


def opponent_words(opponent: EntrantRow, start: datetime, them: Person | None) -> str:
    """Return what a start is for the opponent: `11:00 (11 am) for Daria`; nothing where that isn't known."""
    return "" if them is None else f"{short_words(start, them.zone)} for {opponent.called}"
