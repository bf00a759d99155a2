"""The table of formats: adding one is one file and one entry here."""

from bot.league.errors import Invalid
from bot.league.formats.base import Format
from bot.league.formats.ohs import Ohs
from bot.league.formats.single_elimination import SingleElimination
from bot.league.formats.swiss.keyforge import KeyForgeSwiss
from bot.league.formats.swiss.lightseekers import LightseekersSwiss
from bot.league.formats.two_loss_out import TwoLossOut

ALL: tuple[Format, ...] = (Ohs(), TwoLossOut(), KeyForgeSwiss(), LightseekersSwiss(), SingleElimination())
"""Every format a season can be played in, in the order people see them."""


def by_key(key: str) -> Format:
    """Return the format of a key; raises Invalid naming the keys there are."""
    for format_ in ALL:
        if format_.key == key:
            return format_
    raise Invalid(f"there is no format {key!r}; the formats are {', '.join(f.key for f in ALL)}")
