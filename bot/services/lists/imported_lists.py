"""The sealed lists of an imported season."""

from collections.abc import Mapping

from bot.league.season.model import Name, Season
from bot.services.base.act import Act
from bot.services.lists import list_sets
from storage.rows import EntrantId
from storage.tables import entrants, lists


def take_lists(do: Act, season: Season, ids: Mapping[Name, EntrantId]) -> None:
    """Take the lists of a season as they are in its file; those still secret there have no text here either."""
    for one in season.lists:
        scope = list_sets.begin(do.conn, do.season, one.round)
        shown = scope.revealed_at or (do.now if one.text is not None else None)
        lists.change_set(do.conn, scope.id, sealed_at=do.now, revealed_at=shown)
        owner = entrants.one_in_round(do.conn, ids[one.name], one.round or 1)
        said = {
            "player_id": owner.person_id,
            "number": one.number,
            "sha256": one.sha256,
            "key": one.key,
            "text": one.text,
        }
        at = {"handed_in_at": do.now, "sealed_at": do.now}
        lists.add(do.conn, set_id=scope.id, entrant_id=ids[one.name], **said, **at)
    list_sets.prepare(do.conn, do.season)
