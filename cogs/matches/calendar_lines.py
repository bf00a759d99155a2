"""All rounds of a season on lines, where they are known from the first day: one player's own, and by groups."""

from collections.abc import Iterable, Iterator, Sequence

from bot.league.season.in_words import capitalised
from bot.league.season.phases import RoundPhase
from bot.services.matches.round_groups import RoundGroup
from bot.services.matches.season_calendar import PlannedRound
from cogs.matches.words import name
from cogs.ui.text import when
from storage.rows import EntrantRow, PlayerId


def own_rounds(rounds: Sequence[PlannedRound], own: PlayerId) -> Iterator[str]:
    """Yield each round a person sits in with their opponent."""
    for round_ in rounds:
        group = round_.group_of(own)
        if group is not None:
            opponent = group.opponent_of(own)
            yield f"Round {round_.number}: {'you rest' if opponent is None else _side(opponent)}{_until(round_)}"


def round_lines(rounds: Iterable[PlannedRound], own: EntrantRow | None = None) -> Iterator[str]:
    """Yield rounds with who meets in each group, or only in that of one player."""
    for round_ in rounds:
        yield f"**Round {round_.number}**{_until(round_)}"
        for group in round_.groups:
            if group.pairs and (own is None or group.has(own.id)):
                yield f"{group_words(group)}: {_pairs(group)}" if group.name else _pairs(group)


def group_words(group: RoundGroup) -> str:
    """Return a group's name where a line begins."""
    return capitalised(group.name)


def _pairs(group: RoundGroup) -> str:
    rests = [] if group.resting is None or not group.resting.active else [f"{name(group.resting)} rests"]
    return " · ".join([*(f"{_side(upper)} v {_side(lower)}" for upper, lower in group.pairs), *rests])


def _side(player: EntrantRow) -> str:
    return name(player) if player.active else f"{name(player)} (left)"


def _until(round_: PlannedRound) -> str:
    if round_.phase is RoundPhase.CLOSED:
        return " · over"
    return "" if round_.until is None else f" · by {when(round_.until)}"
