"""Two league names that were one person: what speaks against it, what moves, and what has come since."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from storage.database import Connection
from storage.personal import Forget, Moving
from storage.query import Change, Column, One, Table, Value, column, many, records
from storage.rows import LeagueId, PlayerId, PlayerRow
from storage.tables.field.substitutions import sitting

MergeId = NewType("MergeId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRow:
    """A merge: what `moved`, and the person `as_left` by it; `season` is the first one either name played."""

    id: MergeId
    league_id: LeagueId
    into_id: PlayerId
    at: datetime
    season: int | None
    moved: str
    as_left: Mapping[str, Any]


_MERGES: Table[MergeRow, MergeId] = Table(MergeRow, "merges")
add, change, find = _MERGES.add, _MERGES.change, _MERGES.find
remove = Change[MergeId]("DELETE FROM merges WHERE id = ?")
"""Delete a merge that was taken back."""

last_into = Value[MergeId | None, PlayerId]("SELECT max(id) FROM merges WHERE into_id = ?")
"""The last merge into a player, or None."""

_SEATED = (
    "SELECT season_id FROM entrants WHERE player_id = ?1"
    " UNION SELECT e.season_id FROM substitutes x JOIN entrants e ON e.id = x.entrant_id WHERE x.player_id = ?1"
)
_SEASONS = f"SELECT s.id, s.number FROM seasons s WHERE s.id IN ({_SEATED})"
_PLAYED = f"{_SEASONS} UNION SELECT s.id, s.number FROM waitlist w JOIN seasons s ON s.id = w.season_id"


def seasons_of(conn: Connection, player_id: PlayerId) -> dict[int, int | None]:
    """Return the numbers of the seasons someone played, substituted or waits in, by id."""
    return dict(records(conn, f"{_PLAYED} WHERE w.player_id = ?1", player_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """A match of two people against each other; `round` is None where it isn't known."""

    season: int
    round: int | None


met = One[Met, PlayerId, PlayerId](
    Met,
    "SELECT s.number AS season, r.number AS round FROM matches m JOIN rounds r ON r.id = m.round_id"
    " JOIN seasons s ON s.id = r.season_id JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
    f" WHERE s.id IN ({_SEATED}) AND {sitting('u', 'r.number')} IN (?1, ?2) AND {sitting('l', 'r.number')} IN (?1, ?2)"
    " UNION ALL SELECT season, round FROM past_meetings WHERE first_id = ?1 AND second_id = ?2"
    " UNION ALL SELECT season, round FROM past_meetings WHERE first_id = ?2 AND second_id = ?1 LIMIT 1",
)
"""A match two people had against each other, or None."""

titles = Value[int, PlayerId](
    "SELECT count(*) FROM seasons s JOIN entrants e ON e.id = s.champion_id"
    f" WHERE s.id IN ({_SEATED}) AND {sitting('e', str(1 << 30))} = ?1"
)
"""How many seasons someone won."""


rated_anew_after = Column[int, LeagueId, int](
    "SELECT number FROM seasons s WHERE league_id = ? AND number > ?"
    " AND NOT EXISTS (SELECT 1 FROM imported_seasons WHERE season_id = s.id AND ratings = 'given')"
)
"""The numbers of the seasons after one in which ratings at the start were worked out, here or where they were played.

Those that a file gives stay.
"""


def move(moving: Moving, *, account: int | None, now: datetime) -> None:
    """Let what the league itself keeps of someone be the other's, and delete them; `account` is the other's then."""
    _move_past(moving)
    moving.move_all()
    (gone,), (into,) = (moving.rows("players", "id", player_id) for player_id in (moving.gone, moving.into))
    moving.delete("players", gone)
    if into["discord_id"] != account:
        moving.change("players", into, discord_id=account, refused_at=gone["refused_at"])
    elif gone["discord_id"] is not None:  # an account they had, which is forgotten with them
        at = int(now.timestamp())
        moving.add("links", player_id=moving.into, discord_id=gone["discord_id"], asked_at=at, ended_at=at, accepted=1)


def _move_past(moving: Moving) -> None:
    """Let a season that has started know of earlier meetings what it knew: those of who played it."""
    for name in ("first_id", "second_id"):
        for row in moving.rows("met_before", name, moving.into):
            if row["season_id"] in moving.seasons_of_gone:
                moving.delete("met_before", row)
        for row in moving.rows("met_before", name, moving.gone):
            if row["season_id"] in moving.seasons_of_into:
                moving.delete("met_before", row)
            else:
                moving.change("met_before", row, **{name: moving.into})


def as_left(conn: Connection, league_id: LeagueId, player_id: PlayerId) -> dict[str, Any]:
    """Return what a merge can be taken back for as long as it stays: who someone is, and where they play."""
    player = many(conn, PlayerRow, "SELECT * FROM players WHERE id = ?", player_id)[0]
    return {
        "name": player.name,
        "account": player.discord_id,
        "names": column(conn, "SELECT id FROM player_names WHERE player_id = ? ORDER BY id", player_id),
        "links": column(conn, "SELECT id FROM links WHERE player_id = ? ORDER BY id", player_id),
        "played": sorted(seasons_of(conn, player_id)),
        "asks": column(conn, "SELECT id FROM join_requests WHERE player_id = ? ORDER BY id", player_id),
        "started": column(conn, "SELECT id FROM seasons WHERE league_id = ? AND started_at > 0 ORDER BY id", league_id),
        "merged": column(conn, "SELECT id FROM merges WHERE into_id = ? ORDER BY id", player_id),
        "bans": column(conn, "SELECT id FROM bans WHERE player_id = ? ORDER BY id", player_id),
        "apart": records(
            conn,
            "SELECT id, season, round, until_season, until_round FROM apart WHERE first_id = ?1 OR second_id = ?1"
            " ORDER BY id",
            player_id,
        ),
    }


def changed_since(left: Mapping[str, Any], now: Mapping[str, Any]) -> Sequence[str]:
    """Return in what someone isn't as they were left any more; an old merge may not say what they asked, or their bans.

    A season that's gone with its import changes nothing, nor does a ban that ended or was lifted.
    """
    plain = json.loads(json.dumps(now))
    for what in ("started", "bans"):
        plain[what] = sorted({*plain[what], *left.get(what, plain[what])})
    before = {"asks": plain["asks"], "bans": plain["bans"], **left}
    return [what for what in plain if before.get(what) != plain[what]]


forget_person = Forget(
    """UPDATE merges SET moved = '[]', as_left = '{"forgotten": true}' WHERE into_id = :player""",
)
"""Delete what was kept to take a merge back; that it was one stays, because ratings rest on it."""
