"""Time zones as people find theirs: by what time it is for them now, then by a city."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.league.errors import Invalid
from bot.league.season.local_time import offset_at

_CONTINENTS = {
    "Africa",
    "America",
    "Antarctica",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
}
_WELL_KNOWN = """
America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Anchorage Pacific/Honolulu
America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Halifax America/St_Johns
America/Mexico_City America/Bogota America/Lima America/Caracas America/Santiago America/Sao_Paulo
America/Argentina/Buenos_Aires America/Montevideo America/Puerto_Rico America/Panama America/Costa_Rica America/Havana
America/Nuuk Atlantic/Azores Europe/London Europe/Dublin Europe/Lisbon Atlantic/Reykjavik Europe/Berlin Europe/Paris
Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Brussels Europe/Vienna Europe/Zurich Europe/Stockholm Europe/Oslo
Europe/Copenhagen Europe/Warsaw Europe/Prague Europe/Budapest Europe/Belgrade Europe/Athens Europe/Helsinki
Europe/Kyiv Europe/Bucharest Europe/Sofia Europe/Vilnius Europe/Istanbul Europe/Moscow Africa/Lagos Africa/Cairo
Africa/Johannesburg Africa/Nairobi Africa/Casablanca Africa/Accra Africa/Algiers Asia/Jerusalem Asia/Beirut
Asia/Riyadh Asia/Baghdad Asia/Tehran Asia/Dubai Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Colombo Asia/Kathmandu
Asia/Dhaka Asia/Almaty Asia/Yangon Asia/Bangkok Asia/Ho_Chi_Minh Asia/Jakarta Asia/Singapore Asia/Kuala_Lumpur
Asia/Manila Asia/Hong_Kong Asia/Shanghai Asia/Taipei Australia/Perth Asia/Tokyo Asia/Seoul Australia/Adelaide
Australia/Darwin Australia/Sydney Australia/Melbourne Australia/Brisbane Asia/Vladivostok Pacific/Guam Pacific/Noumea
Pacific/Auckland Pacific/Fiji Pacific/Tongatapu
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offset:
    """Places whose clocks show the same now: how far they are ahead of UTC, and their cities, well-known ones first."""

    offset: timedelta
    cities: tuple[str, ...]


@cache
def zone_names() -> tuple[str, ...]:
    """Return the name of every time zone there is, in order."""
    return tuple(sorted(available_timezones()))


def zone_called(name: str) -> ZoneInfo:
    """Return the time zone of an IANA name, however its letters are written; raises Invalid."""
    try:
        return ZoneInfo(_by_key()[name.strip().replace(" ", "_").casefold()])
    except KeyError:
        raise Invalid(f"“{name[:50]}” isn't a time zone. Choose one from the list, such as Europe/Berlin.") from None


@cache
def _by_key() -> Mapping[str, str]:
    return {name.casefold(): name for name in zone_names()}


def city_of(name: str) -> str:
    """Return what people call the place of a zone: `New York`, of `America/New_York`."""
    return name.rpartition("/")[2].replace("_", " ")


def offsets(now: datetime) -> tuple[Offset, ...]:
    """Return every distance from UTC in use now, from the west to the east."""
    by_offset: dict[timedelta, list[str]] = {}
    for name, zone in _places().items():
        by_offset.setdefault(offset_at(now, zone), []).append(name)
    return tuple(Offset(offset=offset, cities=tuple(by_offset[offset])) for offset in sorted(by_offset))


@cache
def _places() -> Mapping[str, ZoneInfo]:
    """Return the zones named after a place, the well-known ones first; they take some 2 MB, and 50 ms to read."""
    names = dict.fromkeys(name for name in _WELL_KNOWN.split() if name in zone_names())
    names |= dict.fromkeys(name for name in zone_names() if name.partition("/")[0] in _CONTINENTS)
    return {name: ZoneInfo(name) for name in names}
