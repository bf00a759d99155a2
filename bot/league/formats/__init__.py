"""The table of formats: adding one is one file and one entry here."""

from bot.league.errors import Invalid
from bot.league.formats.base import Format
from bot.league.formats.ohs import Ohs
from bot.league.formats.recorded_season import RecordedSeason
from bot.league.formats.single_elimination import SingleElimination
from bot.league.formats.swiss.keyforge import KeyForgeSwiss
from bot.league.formats.swiss.lightseekers import LightseekersSwiss
from bot.league.formats.two_loss_out import TwoLossOut

ALL: tuple[Format, ...] = (Ohs(), TwoLossOut(), KeyForgeSwiss(), LightseekersSwiss(), SingleElimination())
"""Every format a season can be played in, in the order people see them."""

_KNOWN = {format_.key: format_ for format_ in (*ALL, RecordedSeason())}


def by_key(key: str) -> Format:
    """Return the format of a key, recorded seasons too; raises Invalid naming the keys there are."""
    if key not in _KNOWN:
        raise Invalid(f"there is no format {key!r}; the formats are {', '.join(_KNOWN)}")
    return _KNOWN[key]
