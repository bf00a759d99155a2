"""Who has, or is to have, a role of the server through the bot."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storage.database import Connection
from storage.query import Change, Column, Exists, One, Rows, Value, run
from storage.rows import LeagueId


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRole:
    """A role one person is to have, or no more; promised while `given` isn't `wanted`, and not known where None.

    Without a league it was deleted, and the role is only to be taken.
    """

    id: int
    guild_id: int
    league_id: LeagueId | None
    discord_id: int
    role_id: int
    wanted: bool
    given: bool | None
    due_at: datetime
    attempts: int
    problem: str | None


of_league = Rows[HeldRole, LeagueId](HeldRole, "SELECT * FROM held_roles WHERE league_id = ? ORDER BY id")
"""Everyone who has, or is to have, a role through a league."""

due = Rows[HeldRole, datetime, Sequence[LeagueId]](
    HeldRole,
    "SELECT * FROM held_roles WHERE given IS NOT wanted AND (due_at <= ?1 OR due_at > ?1 + 86400)"
    " AND ifnull(league_id, 0) NOT IN (SELECT value FROM json_each(?2)) ORDER BY due_at, id",
)
"""What is to be given and taken by now, but in some leagues.

None waits for longer than a day, unless a clock that was ahead said until when.
"""

find = One[HeldRole, int](HeldRole, "SELECT * FROM held_roles WHERE id = ?")
"""What was promised by this id, or None."""

wanted_elsewhere = Exists[int, int, int](
    "SELECT 1 FROM held_roles WHERE discord_id = ? AND role_id = ? AND id <> ? AND wanted = 1"
)
"""Whether someone is to have a role through another league too."""

taken_by_leaving = Change[int, int, datetime](
    "UPDATE held_roles SET given = NULL, due_at = ?3 WHERE guild_id = ?1 AND discord_id = ?2 AND wanted = 1"
)
"""Note that Discord took the roles from someone who left a server; they are to have them again."""

unseen = Column[LeagueId, datetime](
    "SELECT id FROM leagues l WHERE roles_seen IS NOT NULL AND ?1 > 0"
    " AND roles_seen IS NOT (SELECT max(id) FROM audit WHERE league_id = l.id)"
)
"""The leagues with roles in which something has changed since it was looked at who should have them."""

see = Change[LeagueId]("UPDATE leagues SET roles_seen = (SELECT max(id) FROM audit WHERE league_id = ?1) WHERE id = ?1")
"""Note that it was looked at who should have a league's roles."""


def want(conn: Connection, league_id: LeagueId, people: Sequence[tuple[int, int]], now: datetime) -> None:
    """Let these accounts have these roles through a league, and nobody else any."""
    sql = (
        "INSERT INTO held_roles (guild_id, league_id, discord_id, role_id, due_at)"
        " VALUES ((SELECT guild_id FROM leagues WHERE id = ?1), ?1, ?2, ?3, ?4)"
        " ON CONFLICT (discord_id, role_id, league_id) DO UPDATE SET wanted = 1, due_at = ?4, attempts = 0"
        " WHERE wanted = 0"
    )
    for discord_id, role_id in people:
        run(conn, sql, league_id, discord_id, role_id, now)
    kept = {*people}
    for row in of_league(conn, league_id):
        if row.wanted and (row.discord_id, row.role_id) not in kept:
            run(conn, "UPDATE held_roles SET wanted = 0, due_at = ?, attempts = 0 WHERE id = ?", now, row.id)


done = Change[int, bool]("UPDATE held_roles SET given = ?2, attempts = 0, problem = NULL WHERE id = ?1")
"""Note that a role was given, or taken."""

leave = Change[LeagueId, datetime](
    "UPDATE held_roles SET league_id = NULL, wanted = 0, due_at = ?2, attempts = 0, problem = NULL WHERE league_id = ?1"
)
"""Let every role of a league that is deleted be taken."""

forget = Change[int]("DELETE FROM held_roles WHERE id = ? AND wanted = 0")
"""Forget who has no role any more, unless they are to have it again."""

failed = Change[int, datetime, str | None](
    "UPDATE held_roles SET given = NULL, attempts = attempts + 1, due_at = ?2, problem = ?3 WHERE id = ?1"
)
"""Note that a role couldn't be given or taken, when it's tried again, and what organisers can do, if anything."""

problem_of = Value[str | None, LeagueId](
    "SELECT problem FROM held_roles WHERE league_id = ? AND problem IS NOT NULL LIMIT 1"
)
"""Why roles of a league can't be given, None where they can."""

try_league = Change[LeagueId, datetime](
    "UPDATE held_roles SET due_at = min(due_at, ?2) WHERE league_id = ?1 AND problem IS NOT NULL"
)
"""Try the roles of a league again that couldn't be given."""

try_guild = Change[int, datetime](
    "UPDATE held_roles SET due_at = min(due_at, ?2) WHERE guild_id = ?1 AND problem IS NOT NULL"
)
"""Try the roles of a server's leagues again that couldn't be given, or taken."""
