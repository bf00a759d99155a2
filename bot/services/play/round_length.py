"""How long a round lasts: by its season's settings in its league's time zone, and after a pause of the season."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.league.errors import WrongPhase
from bot.league.season.round_end import end_of_round
from bot.league.season.settings import Pace
from bot.services.base import open_questions
from bot.services.base.act import Act, Look


def deadline_now(do: Act) -> datetime | None:
    """Return the deadline of a round that starts now, or after the pause.

    None for a live one, which has a clock its organiser starts.
    """
    return None if do.settings.pace is Pace.LIVE else deadline_from(do, time_runs_from(do))


def time_runs_from(do: Act) -> datetime:
    """Return from when on the days of a round count: now, or the end of the season's pause."""
    return open_questions.runs_from(do.season, do.now)


def require_no_pause(do: Act) -> None:
    """Raise WrongPhase while the season is paused."""
    if do.season.paused_until is not None:
        raise WrongPhase(
            f"Season {do.season.number} is paused, so no round is posted. /season pause shows until when, and can end"
            " it early. /round pair shows a preview of the next round."
        )


def deadline_from(see: Look, start: datetime) -> datetime:
    """Return when a round of days that starts at a moment ends."""
    return end_of_round(start, see.settings.round_days, see.settings.round_ends, ZoneInfo(see.league.time_zone))
