"""What a round robin can't have, each in one sentence with its place in a league file."""

from collections.abc import Iterable, Iterator

from bot.league.counting.history import History
from bot.league.formats.round_robin.berger import rounds_of
from bot.league.formats.round_robin.filling import Group, groups_of
from bot.league.season.choices import Grouping, Schedule
from bot.league.season.model import Season, Stage

FEWEST_PLAYERS = 3
MOST_ROUNDS = 50

Refusal = tuple[str, str]
"""The place in a league file, and what is wrong there."""


def refusals(season: Season) -> Iterator[Refusal]:
    """Yield what is wrong with a season; who takes part can change until there is a round."""
    history = History(season, before=1)
    yield from _groups(season, history)
    field = [*field_refusals(season)]
    if season.rounds:
        yield from field
    if not field:
        yield from _rounds(season, planned_rounds(groups_of(history), season.settings.meetings))


def planned_rounds(groups: Iterable[Group], meetings: int) -> int:
    """Return how many rounds the regular stage has."""
    return max((rounds_of(len(group)) for group in groups), default=0) * meetings


def field_refusals(season: Season) -> Iterator[Refusal]:
    """Yield what is wrong with how many play, and in which groups: with it no round can be paired."""
    history = History(season, before=1)
    starters, settings = history.starters(), season.settings
    if len(starters) < FEWEST_PLAYERS:
        yield "players", f"a round robin needs at least {FEWEST_PLAYERS} players and has {len(starters)}; add some"
    given = settings.grouping is Grouping.GIVEN and season.groups is None
    for index, entrant in enumerate(season.entrants):
        if given and entrant.group is None and entrant.name in starters:
            yield f"players[{index}].group", "the group is missing; say each player's, or choose another grouping"
            return
    groups = groups_of(history)
    if given:
        numbers = {entrant.group for entrant in season.entrants if entrant.name in starters}
        missing = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
        if missing <= len(numbers):
            yield "players", f"there is no group {missing}; number the groups 1, 2, ... without gaps"
            return
    small = next((number for number, group in enumerate(groups, start=1) if len(group) < 2), None)
    if season.groups is None and small is not None and len(starters) >= FEWEST_PLAYERS:
        yield "players", f"group {small} has one player; a group needs two or more"
        return
    rounds = planned_rounds(groups, settings.meetings)
    if rounds > MOST_ROUNDS:
        yield "players", f"this takes {rounds} rounds, and {MOST_ROUNDS} are the most; make the groups smaller"
    divisions = settings.grouping is Grouping.DIVISIONS
    if settings.through == 1 and (divisions or len(groups) == 1):
        where = "of the first division" if divisions else "of one group"
        yield "settings.through", f"1 {where} doesn't make finals; use 2 or more, or leave it out for none"


def _groups(season: Season, history: History) -> Iterator[Refusal]:
    """Yield what is wrong with groups that a file says."""
    if season.groups is not None:
        yield from _kept(season, history)
    for index, entrant in enumerate(season.entrants):
        if season.settings.grouping is not Grouping.GIVEN and entrant.group is not None:
            yield f"players[{index}].group", "only with the grouping “given” players have groups; take it out"
            return


def _kept(season: Season, history: History) -> Iterator[Refusal]:
    """Yield what is wrong with groups that were kept."""
    if not season.forgotten:
        yield "groups", "only a file where a player was forgotten says its groups; take them out, or add forgotten"
    kept = [name for group in season.groups or () for name in group]
    if sorted(kept) != sorted(history.starters()):
        yield "groups", "name everyone who was there at the start once, and no one else"


def _rounds(season: Season, planned: int) -> Iterator[Refusal]:
    """Yield what is wrong with what was played."""
    for index, round_ in enumerate(season.rounds):
        if round_.stage is Stage.TIEBREAK:
            yield f"rounds[{index}].stage", "a round robin has no tie-break rounds; fix the stage"
        if round_.stage is Stage.REGULAR and round_.byes:
            yield f"rounds[{index}].bye", "in a round robin players rest, and no one has a bye; take it out"
        if round_.stage is Stage.REGULAR and round_.by_hand is not None:
            yield (
                f"rounds[{index}].by_hand",
                "the regular rounds of a round robin can't be changed by hand; take it out",
            )
    for index, row in enumerate(season.substitutes):
        if season.settings.schedule is Schedule.OPEN and row.round <= planned:
            where = f"substitutes[{index}].round"
            yield where, f"with all rounds open no one takes a seat before round {planned + 1}; fix the round"
