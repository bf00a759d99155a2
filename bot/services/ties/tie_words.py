"""A tie in plain words, and how long its question stays open."""

from datetime import datetime, timedelta

from bot.league.formats.swiss.organiser_ties import Tie
from bot.services.play.round_length import runs_from
from storage import rules_season
from storage.rows import SeasonRow, TieRow


def tie_words(tie: Tie | TieRow) -> str:
    """Return who is equal for what, in plain words."""
    names = ", ".join(tie.names[:-1]) + f" and {tie.names[-1]}"
    places = f"{tie.first} {'and' if len(tie.names) == 2 else 'to'} {tie.first + len(tie.names) - 1}"
    at_stake = f"the finals have room for {tie.going_on}" if tie.going_on else "the first wins the season"
    return f"{names} are equal in everything, for places {places}; {at_stake}."


def silent_at(row: TieRow, season: SeasonRow, now: datetime) -> datetime | None:
    """Return when the draw decides because nobody answered, if the question is sent now or was sent before.

    None while a tie-break match is played.
    """
    time = timedelta(hours=rules_season.settings_of(season).confirm_hours)
    return None if row.match_at is not None else row.until or runs_from(season, now) + time
