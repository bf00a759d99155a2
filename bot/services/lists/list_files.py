"""The sealed lists in league files: of a season that is exported, and of one that is imported."""

from collections.abc import Mapping
from dataclasses import replace

from bot.league.season.model import Name, SealedList, Season
from bot.services.base.transaction import Transaction
from bot.services.lists import list_sets
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, SeasonRow
from storage.tables import lists
from storage.tables.field import entrants


def add(conn: Connection, row: SeasonRow, season: Season) -> Season:
    """Return a season with its sealed lists."""
    return replace(season, lists=of_season(conn, row))


def of_season(conn: Connection, season: SeasonRow) -> tuple[SealedList, ...]:
    """Return a season's sealed lists for its file: key and text are said only once everyone can read them."""
    if rules_season.settings_of(season).lists is None:
        return ()
    names = {entrant.id: Name(entrant.name) for entrant in entrants.of_season(conn, season.id)}
    return tuple(
        [
            SealedList(
                name=names[row.entrant_id],
                number=row.number,
                round=scope.round,
                sha256=row.sha256,
                key=row.key if scope.revealed_at else None,
                text=row.text if scope.revealed_at else None,
            )
            for scope in lists.sets_of(conn, season.id)
            for row in lists.of_set(conn, scope.id)
            if row.sha256 is not None
        ]
    )


def take(tx: Transaction, season: Season, ids: Mapping[Name, EntrantId]) -> None:
    """Take the lists of a season as they are in its file; those still secret there have no text here either."""
    for list in season.lists:
        scope = list_sets.begin(tx.conn, tx.season, list.round)
        shown = scope.revealed_at or (tx.now if list.text is not None else None)
        lists.change_set(tx.conn, scope.id, sealed_at=tx.now, revealed_at=shown)
        owner = entrants.one_in_round(tx.conn, ids[list.name], list.round or 1)
        columns = {
            "player_id": owner.person_id,
            "number": list.number,
            "sha256": list.sha256,
            "key": list.key,
            "text": list.text,
        }
        at = {"handed_in_at": tx.now, "sealed_at": tx.now}
        lists.add(tx.conn, set_id=scope.id, entrant_id=ids[list.name], **columns, **at)
    list_sets.prepare(tx.conn, tx.season)
