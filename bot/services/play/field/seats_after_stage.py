"""Seats taken over from the finals on, where all rounds are played at once (docs/formats/round-robin.md)."""

from bot.league.formats import by_key
from bot.services.base.transaction import Transaction
from storage import rules_season
from storage.tables import rounds
from storage.tables.field import substitutions


def follow_stage(tx: Transaction) -> None:
    """Let substitutes begin after the last round of a stage that was undone, as it is now: it got longer or shorter.

    While its rounds can't be paired, no one moves: there are none to begin after.
    """
    if not tx.settings.schedule.open_together or rounds.latest(tx.conn, tx.season.id) is not None:
        return
    taken = substitutions.of_season(tx.conn, tx.season.id)
    season, format_ = rules_season.load(tx.conn, tx.season.id), by_key(tx.season.format)
    if not taken or any(format_.field_refusals(season)):
        return
    planned = format_.planned_rounds(season)
    if planned is not None:
        substitutions.move(tx.conn, taken, later=planned + 1 - min(row.round for row in taken))
