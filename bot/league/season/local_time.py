"""Local times of a zone: which moments they are, those that clocks skip or show twice, and how people read them."""

from datetime import UTC, datetime, time, timedelta, tzinfo

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MINUTE, _SECOND = timedelta(minutes=1), timedelta(seconds=1)


def moments(local: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Return the moments at which clocks show a local time: one; none where it's skipped; two where it comes twice."""
    both = sorted({local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)})
    return tuple(moment for moment in both if moment.astimezone(zone).replace(tzinfo=None) == local)


def first_after(local: datetime, zone: tzinfo) -> datetime:
    """Return the first moment after a local time that clocks skip: when they have just gone forward."""
    early, late = sorted(local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    after = late.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) // _SECOND // 2 * _SECOND
        early, late = (early, middle) if middle.astimezone(zone).utcoffset() == after else (middle, late)
    return late


def moments_meant(local: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Return the moments someone means by a local time: those it's shown at, or the first after it if it's skipped."""
    return moments(local, zone) or (first_after(local, zone),)


def full_words(moment: datetime, zone: tzinfo) -> str:
    """Return a moment in full, `Friday, 27 November 2026, 20:00 (8 pm)`, with its offset where that comes twice."""
    local = moment.astimezone(zone)
    day = f"{WEEKDAYS[local.weekday()]}, {local.day} {MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {clock_words(local)}{_which(moment, zone)}"


def short_words(moment: datetime, zone: tzinfo) -> str:
    """Return a moment in short: `Fri 27 Nov, 20:00 (8 pm)`, with its offset where that time comes twice."""
    local = moment.astimezone(zone)
    day = f"{WEEKDAYS[local.weekday()][:3]} {local.day} {MONTHS[local.month - 1][:3]}"
    return f"{day}, {clock_words(local)}{_which(moment, zone)}"


def clock_words(local: datetime | time) -> str:
    """Return a time of day as both halves of the world read it: `20:00 (8 pm)`."""
    minutes = f":{local.minute:02}" if local.minute else ""
    return f"{local.hour:02}:{local.minute:02} ({local.hour % 12 or 12}{minutes} {'pm' if local.hour >= 12 else 'am'})"


def offset_words(offset: timedelta) -> str:
    """Return a distance from UTC as people write it: `UTC`, `UTC+2`, `UTC-3:30`."""
    total = offset // _MINUTE
    hours, minutes = divmod(abs(total), 60)
    return f"UTC{'-' if total < 0 else '+'}{hours}" + (f":{minutes:02}" if minutes else "") if total else "UTC"


def offset_at(moment: datetime, zone: tzinfo) -> timedelta:
    """Return how far a zone's clocks are ahead of UTC at a moment."""
    return moment.astimezone(zone).utcoffset() or timedelta()


def _which(moment: datetime, zone: tzinfo) -> str:
    local = moment.astimezone(zone).replace(tzinfo=None)
    return f" ({offset_words(offset_at(moment, zone))})" if len(moments(local, zone)) > 1 else ""
