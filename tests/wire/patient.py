"""Chances with more time to work them out: on a busy machine there would be fewer, and the news would say less."""

from bot.league.season.model import Season
from bot.league.telling.outlook.prospects import Outlook
from bot.services.reads import looking_ahead

_SECONDS = 18
_look_ahead_in_time = looking_ahead.look_ahead_in_time


def look_ahead_in_time(season: Season, verdicts_only: bool) -> Outlook | None:
    """Do what the bot's process for long work does, with these seconds."""
    looking_ahead.EXACT_SECONDS = looking_ahead.PROVING_SECONDS = _SECONDS
    return _look_ahead_in_time(season, verdicts_only)
