"""The last day before sign-ups close: the board says how many are in, and organisers hear if that's too few."""

from datetime import datetime

from bot.league.formats import by_key
from bot.league.season.in_words import amount
from bot.services.base.order import by_bot
from bot.services.base.outbox import STUCK
from bot.services.base.transaction import transaction
from bot.services.play.field.eligibility import to_let_in
from bot.services.signups import free_places
from storage.database import Connection
from storage.rows import SeasonId
from storage.tables import seasons


def tell(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Say that sign-ups close within a day; False where it isn't time."""
    if season_id not in seasons.last_days_due(conn, now):
        return False
    tx = transaction(conn, by_bot(now), season_id=season_id)
    tx.change_season(last_day=tx.season.signups_close)
    tx.invalidate()
    count, fewest = free_places.taken(tx), max(2, by_key(tx.season.format).fewest_players)
    if count < fewest:
        are = amount(count, "player is", "players are")
        text = (
            f"Sign-ups for season {tx.season.number} close within a day, but only {are} in; it takes {fewest}."
            f"{to_let_in(tx)} If it stays like that, the season doesn't start and sign-ups stay open. "
            "Invite more players, add them with /player add, or choose a later time with /season settings."
        )
        tx.tell(text, kind=STUCK)
    return True
