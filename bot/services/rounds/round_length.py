"""How long a round lasts, by its season's settings, in its league's time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.league.round_end import end_of_round
from bot.league.settings import Pace
from bot.services.act import Act, Look


def deadline_now(do: Act) -> datetime | None:
    """Return the deadline of a round that starts now; None for a live one, which has a clock its organiser starts."""
    return None if do.settings.pace is Pace.LIVE else deadline_from(do, do.now)


def deadline_from(see: Look, start: datetime) -> datetime:
    """Return when a round of days that starts at a moment ends."""
    return end_of_round(start, see.settings.round_days, see.settings.round_ends, ZoneInfo(see.league.time_zone))
