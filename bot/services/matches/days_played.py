"""On which day matches were played: as their file says, when agreed, or when their result was reported."""

from datetime import date
from zoneinfo import ZoneInfo

from bot.services.base.transaction import ReadTransaction
from storage.rows import MatchId, SeasonId
from storage.tables import reports


def days_played(tx: ReadTransaction, season_id: SeasonId) -> dict[MatchId, date]:
    """Return the day of each match of a season that has a result, in the league's time zone, where it's known."""
    zone, days = ZoneInfo(tx.league.time_zone), dict[MatchId, date]()
    for match in reports.played_when(tx.conn, season_id):
        times = [at for at in (match.agreed_at, match.reported_at) if at is not None]
        if match.day is not None:
            days[match.match_id] = date.fromisoformat(match.day)
        elif match.reported_at is not None:
            days[match.match_id] = min(times).astimezone(zone).date()
    return days
