"""Claims: a Discord account says which player of the past it is, who has no account, and organisers answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.personal import Forget
from storage.query import Change, Exists, One, Rows, Table, Value
from storage.rows import LeagueId, PlayerId, SeasonId

ClaimId = NewType("ClaimId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """A claim of a season; answered without `accepted` where nobody asks any more.

    `called` is what the account is called on Discord, `name` the player it says it is, `account` the one that player
    has now, `own` the player the account is already. `answer` is what was typed for opponents.
    """

    id: ClaimId
    season_id: SeasonId
    player_id: PlayerId
    discord_id: int
    called: str
    answer: str | None
    page: int
    asked_at: datetime
    answered_at: datetime | None
    accepted: bool | None
    name: str
    account: int | None
    own: str | None


_SELECT = (
    "SELECT t.*, p.name, p.discord_id AS account, o.name AS own FROM claims t JOIN players p ON p.id = t.player_id"
    " LEFT JOIN players o ON o.league_id = p.league_id AND o.discord_id = t.discord_id AND o.id <> p.id"
)
_CLAIMS: Table[ClaimRow, ClaimId] = Table(ClaimRow, "claims", select=_SELECT)
add, change, find, some = _CLAIMS.add, _CLAIMS.change, _CLAIMS.find, _CLAIMS.some

of_page = Rows[ClaimRow, SeasonId, int](ClaimRow, f"{_SELECT} WHERE t.season_id = ? AND t.page = ? ORDER BY t.id")
"""The claims on a page of a season's post, in order of asking."""

last_page = Rows[ClaimRow, SeasonId](
    ClaimRow,
    f"{_SELECT} WHERE t.season_id = ?1 AND t.page = (SELECT max(page) FROM claims WHERE season_id = ?1) ORDER BY t.id",
)
"""The claims on the last page of a season's post, in order of asking."""

waiting = Rows[ClaimRow, SeasonId](ClaimRow, f"{_SELECT} WHERE t.season_id = ? AND t.answered_at IS NULL ORDER BY t.id")
"""The claims of a season that wait for an answer, in order of asking."""

by_discord = One[ClaimRow, SeasonId, int](
    ClaimRow, f"{_SELECT} WHERE t.season_id = ? AND t.discord_id = ? AND t.answered_at IS NULL"
)
"""The claim of a Discord account that waits for its answer, or None."""

for_player = Rows[ClaimRow, SeasonId, PlayerId](
    ClaimRow, f"{_SELECT} WHERE t.season_id = ? AND t.player_id = ? AND t.answered_at IS NULL ORDER BY t.id"
)
"""The claims that say they are a player, of those that wait."""

accepted = One[ClaimRow, PlayerId, int](
    ClaimRow, f"{_SELECT} WHERE t.player_id = ? AND t.discord_id = ? AND t.accepted = 1 ORDER BY t.id DESC LIMIT 1"
)
"""The claim by which a player has their account, or None."""

was_refused = Exists[PlayerId, int]("SELECT 1 FROM claims WHERE player_id = ? AND discord_id = ? AND accepted = 0")
"""Whether organisers said that an account isn't a player."""

remove_unaccepted = Change[SeasonId]("DELETE FROM claims WHERE season_id = ? AND accepted IS NOT 1")
"""Delete the claims of a season that is over, but those that were accepted."""

remove = Change[PlayerId]("DELETE FROM claims WHERE player_id = ?")
"""Delete what was said about a player who goes with the import they came with."""

WAITING = (
    "SELECT s.league_id, q.id, q.asked_at AS since FROM claims q JOIN seasons s ON s.id = q.season_id"
    " WHERE q.answered_at IS NULL AND s.phase IN ('signup', 'running', 'finals')"
)
"""The claims that wait for organisers, with their league and since when."""

forget_person = Forget(
    "DELETE FROM claims WHERE discord_id IN (SELECT value FROM json_each(:accounts))"
    " AND season_id IN (SELECT id FROM seasons WHERE league_id = :league)"
)
"""Delete what someone said of themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPlayer:
    """A player without an account, under one of their names."""

    player_id: PlayerId
    name: str
    alike: bool


past = Rows[PastPlayer, LeagueId, str, str](
    PastPlayer,
    "SELECT n.player_id, n.name, n.skeleton = ?2 OR n.name_key = ?3 AS alike FROM player_names n"
    " JOIN players p ON p.id = n.player_id AND p.discord_id IS NULL WHERE n.league_id = ?1 ORDER BY n.id",
)
"""The names of a league's players without an account, and whether each looks like one of this shape or key."""

without_account = Value[int, LeagueId](
    "SELECT count(*) FROM players p WHERE p.league_id = ? AND p.discord_id IS NULL AND NOT EXISTS (SELECT 1 FROM audit"
    " WHERE league_id = p.league_id AND action = 'player.forget' AND subject = p.name)"
)
"""How many people of a league have no account yet; those who were forgotten get none."""

played_here = Exists[PlayerId](
    "SELECT 1 FROM entrants e JOIN seats t ON t.entrant_id = e.id JOIN seasons s ON s.id = e.season_id"
    " WHERE (e.player_id = ?1 OR e.id IN (SELECT entrant_id FROM substitutes WHERE player_id = ?1))"
    " AND (s.phase IN ('running', 'finals') OR NOT EXISTS (SELECT 1 FROM imported_seasons WHERE season_id = s.id))"
)
"""Whether someone was ever paired by this program, and not only in seasons that were played elsewhere."""

was_imported = Exists[PlayerId](
    "SELECT 1 FROM imported_players WHERE player_id = ?1 UNION ALL SELECT 1 FROM entrants e"
    " JOIN imported_seasons i ON i.season_id = e.season_id WHERE e.player_id = ?1"
)
"""Whether someone came with an import, or is in one of its seasons."""
