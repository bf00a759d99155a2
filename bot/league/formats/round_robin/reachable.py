"""What points alone prove of a round robin: who is sure of the finals or the title, and who is out of it."""

from collections.abc import Collection, Mapping, Sequence

from bot.league.formats.round_robin.filling import Group
from bot.league.formats.round_robin.group_table import Line
from bot.league.formats.shared.proven import Proven, Reach, by_places
from bot.league.season.model import Name
from bot.league.season.settings import SeasonSettings

Reaches = Mapping[Name, Reach]


def reach_of(group: Group, lines: Mapping[Name, Line], settings: SeasonSettings, gone: Collection[Name]) -> Reaches:
    """Return the points the players of a group can end with, of those who count in it; who left loses what is left."""
    matches, points = settings.meetings * (len(group) - 1), settings.points
    reach: dict[Name, Reach] = {}
    for name in group:
        record = lines[name].record
        left = matches - record.rounds
        most = points.loss if name in gone else points.win
        reach[name] = Reach(record.points + left * points.loss, record.points + left * most)
    return reach


def of_one_group(reach: Reaches, places: int, gone: Collection[Name]) -> Proven:
    """Return what is proven of so many places for one group: who left ranks in it, and takes no place."""
    here = {name: own for name, own in reach.items() if name not in gone}
    return Proven(sure=by_places(reach, places).sure - frozenset(gone), out=by_places(here, places).out)


def of_groups(groups: Sequence[Reaches], places: int, gone: Collection[Name]) -> Proven:
    """Return what is proven of so many places for several groups, where the place in the group comes first.

    As many of each group are in as there are places for all groups. Out is a player behind so many that there are
    enough others with such a place or a better one, even if those who left had the best.
    """
    sure_place = places // len(groups)
    sure = frozenset(name for reach in groups for name in by_places(reach, sure_place).sure)
    last = next((place for place in range(1, max(map(len, groups)) + 1) if _at_least(groups, place, gone) >= places), 0)
    out = frozenset(name for reach in groups if last for name in by_places(reach, last).out)
    return Proven(sure=sure - frozenset(gone), out=out)


def _at_least(groups: Sequence[Reaches], place: int, gone: Collection[Name]) -> int:
    """Return how many players who are here have this place in their group or a better one, at least."""
    return sum(max(0, min(place, len(reach)) - sum(name in gone for name in reach)) for reach in groups)
