"""Which rounds a season has at most, by name, as far as that's known before it is played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

from bot.league.bracket.match_names import round_of
from bot.league.formats.shared.base import Format
from bot.league.formats.shared.staged import StagedFormat
from bot.league.season.choices import Grouping
from bot.league.season.model import Entrant, Name, Season
from bot.league.season.settings import SeasonSettings

_MOST_PLAYERS = 1000
"""For more places than this nothing is worked out: they are no plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLength:
    """The names of a season's rounds in order; `complete` unless players or results decide how many follow."""

    rounds: tuple[str, ...]
    complete: bool


def season_length(
    format_: Format, settings: SeasonSettings, players: int | None, groups: Sequence[int] = ()
) -> SeasonLength:
    """Return the rounds a season of at most so many players can have; None where there's no limit.

    `groups` are the sizes of those an organiser gave; before any is, they are planned as large as they can be.
    """
    season = None if players is None or players > _MOST_PLAYERS else _season_of(format_, settings, players, groups)
    if not isinstance(format_, StagedFormat):
        names = () if season is None else _bracket(len(season.entrants))
        return SeasonLength(rounds=names or ("Round 1",), complete=bool(names))
    regular = settings.rounds or (None if season is None else format_.planned_rounds(season))
    if regular is None and format_.in_groups and settings.group_size is not None:
        # However many come, no group is larger; the finals depend on how many groups there are.
        full = season_length(format_, replace(settings, cut=0, through=None), settings.group_size)
        return replace(full, complete=False)
    if regular is None:
        return SeasonLength(rounds=("Round 1",), complete=False)
    rounds = tuple(f"Round {number}" for number in range(1, regular + 1))
    cut = settings.cut if season is None else format_.cut_size(format_.before_finals(season))
    return SeasonLength(rounds=(*rounds, *_bracket(cut or 0)), complete=cut is not None)


def _season_of(format_: Format, settings: SeasonSettings, players: int, groups: Sequence[int]) -> Season:
    shape = format_.shape(settings, players, groups)
    if shape is None and settings.grouping is Grouping.GIVEN and settings.group_size is not None:
        shape = format_.shape(replace(settings, grouping=Grouping.DRAWN), players)
    sizes = groups if shape is None else shape.sizes
    given = chain.from_iterable(repeat(group, size) for group, size in enumerate(sizes, start=1))
    group_of = dict(zip(range(players), given, strict=False))
    people = tuple(Entrant(name=Name(str(number)), group=group_of.get(number)) for number in range(players))
    return Season(league="", number=1, format=format_.key, settings=settings, entrants=people)


def _bracket(players: int) -> tuple[str, ...]:
    """Return the rounds of a bracket of so many players; one with empty slots begins with a play-in round."""
    if players < 2:
        return ()
    exponent = (players - 1).bit_length()
    names = tuple(round_of(2**power) for power in range(exponent, 0, -1))
    return names if players == 2**exponent else ("Play-in round", *names[1:])
