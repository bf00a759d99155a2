"""What a player is told of their division: why they begin in it, and where their place leads; nobody else reads it."""

from bot.league.formats import by_key
from bot.league.season.model import Name
from bot.league.summaries.divisions import newcomer_here, why_here, would_go
from bot.services.base.transaction import ReadTransaction
from bot.services.matches import season_ladders
from storage import rules_season
from storage.rows import EntrantRow
from storage.tables.people import players


def why_in_it(tx: ReadTransaction, entrant: EntrantRow) -> tuple[str, ...]:
    """Return why a player began in their division; nothing without divisions, or where the ladder isn't known now."""
    if not season_ladders.has_divisions(tx.season) or not _is_own(tx, entrant):
        return ()
    ladder = season_ladders.begun_with(tx.conn, tx.season)
    groups = by_key(tx.season.format).kept_groups(rules_season.load(tx.conn, tx.season.id))
    division = next((number for number, group in enumerate(groups, start=1) if Name(entrant.name) in group), None)
    if ladder is None or division is None:
        return ()
    place = ladder.places.get(entrant.player_id)
    if place is None:
        return (newcomer_here(division, len(groups), season=ladder.season),)
    return (why_here(place, division, len(groups), season=ladder.season),)


def leads_to(tx: ReadTransaction, entrant: EntrantRow) -> tuple[str, ...]:
    """Return where a player's place leads in the next season, once theirs is over; nothing without divisions."""
    own = season_ladders.has_divisions(tx.season) and _is_own(tx, entrant)
    ladder = season_ladders.left_by(tx.conn, tx.season) if own else None
    place = None if ladder is None else ladder.places.get(entrant.player_id)
    return () if place is None else (would_go(place),)


def _is_own(tx: ReadTransaction, entrant: EntrantRow) -> bool:
    """Whether the one who looks signed up for this seat: its place isn't a substitute's."""
    own = players.by_discord(tx.conn, tx.league.id, tx.actor.user_id or 0)
    return own is not None and own.id == entrant.player_id
