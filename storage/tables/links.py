"""New Discord accounts of players, which have to accept."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.query import One, Table
from storage.rows import PlayerId

LinkId = NewType("LinkId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """A Discord account that is asked to become a player's; without `accepted` a newer one was asked instead."""

    id: LinkId
    player_id: PlayerId
    discord_id: int
    asked_at: datetime
    ended_at: datetime | None
    accepted: bool | None


_LINKS: Table[LinkRow, LinkId] = Table(LinkRow, "links")
add, change, find = _LINKS.add, _LINKS.change, _LINKS.find

waiting = One[LinkRow, PlayerId](LinkRow, "SELECT * FROM links WHERE player_id = ? AND ended_at IS NULL")
"""The account that is asked to become a player's, or None."""
