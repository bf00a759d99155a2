"""The last day before sign-ups close: the board says how many are in, and organisers hear if that's too few."""

from datetime import datetime

from bot.league.formats import by_key
from bot.services.base.act import Act
from bot.services.base.notices import STUCK
from bot.services.base.permissions import BOT
from bot.services.signups import free_places
from storage.database import Connection
from storage.rows import SeasonId
from storage.tables import seasons


def tell(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Say that sign-ups close within a day; False where it isn't time."""
    if season_id not in seasons.last_days_due(conn, now):
        return False
    do = Act.inside(conn, BOT, season_id, now=now)
    do.change_season(last_day=do.season.signups_close)
    do.touch()
    count, fewest = free_places.taken(do), max(2, by_key(do.season.format).fewest_players)
    if count < fewest:
        are = "player is" if count == 1 else "players are"
        text = (
            f"Sign-ups for season {do.season.number} close within a day, but only {count} {are} in; it takes {fewest}. "
            "If it stays like that, the season doesn't start and sign-ups stay open. Invite more players, add them "
            "with /player add, or choose a later time with /season settings."
        )
        do.owe(STUCK, text=text)
    return True
