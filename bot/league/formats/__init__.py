"""The table of formats: adding one is one file and one entry here."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bot.league.errors import Invalid

if TYPE_CHECKING:
    from bot.league.formats.shared.base import Format

    ALL: tuple[Format, ...]

_PLAYED = {
    "ohs": "ohs.Ohs",
    "two-loss-out": "two_loss_out.TwoLossOut",
    "keyforge-swiss": "swiss.keyforge.KeyForgeSwiss",
    "lightseekers-swiss": "swiss.lightseekers.LightseekersSwiss",
    "single-elimination": "single_elimination.SingleElimination",
    "round-robin": "round_robin.RoundRobin",
}
"""Where each format is that a season can be played in, in the order people see them."""

_KNOWN = {**_PLAYED, "record": "recorded_season.RecordedSeason"}


@cache
def by_key(key: str) -> "Format":
    """Return the format of a key, recorded seasons too; raises Invalid naming the keys there are."""
    if key not in _KNOWN:
        raise Invalid(f"there is no format {key[:40]!r}; the formats are {', '.join(_KNOWN)}")
    module, _, name = _KNOWN[key].rpartition(".")
    return getattr(import_module(f"{__name__}.{module}"), name)()


def __getattr__(name: str) -> Any:
    """Return `ALL`, every format a season can be played in; it is made when asked for: a file needs only its own."""
    if name != "ALL":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(by_key(key) for key in _PLAYED)
