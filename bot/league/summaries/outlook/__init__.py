"""What each player of a season needs: in, out, or what their next match means (docs/formats/outlook.md)."""

from bot.league.formats import by_key
from bot.league.formats.shared.bracketed import BracketedFormat
from bot.league.formats.shared.staged import StagedFormat
from bot.league.season.model import Season, Stage
from bot.league.summaries.outlook.endings import MOST_RANKED
from bot.league.summaries.outlook.knock_out import in_the_bracket
from bot.league.summaries.outlook.prospects import Outlook
from bot.league.summaries.outlook.to_the_cut import before_the_finals


def look_ahead(season: Season, verdicts_only: bool = False, *, most: int = MOST_RANKED) -> Outlook | None:
    """Return what every entrant needs; None before round 1 and for a season without rules.

    All endings are looked at if all their tables together have at most `most` places. Otherwise it says what can be
    proven, and unless `verdicts_only`, what each result of the next matches decides.
    """
    format_ = by_key(season.format)
    if not season.rounds or not isinstance(format_, BracketedFormat):
        return None
    if isinstance(format_, StagedFormat) and not any(round_.stage is Stage.FINALS for round_ in season.rounds):
        return before_the_finals(format_, season, most, verdicts_only=verdicts_only)
    return in_the_bracket(format_, season)
