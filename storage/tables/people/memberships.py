"""Whether players are still on the server, and organisers' answers to whether players stay in the season."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from storage.database import Connection
from storage.query import Change, One, Rows, Table
from storage.rows import EntrantId, EntrantRow, PlayerId, RoundId
from storage.tables.field.substitutions import sitting

StayDecisionId = NewType("StayDecisionId", int)


class StayReason(StrEnum):
    """Why organisers are asked whether a player stays."""

    ABSENT = "absent"
    GONE = "gone"


class StayAnswer(StrEnum):
    """What became of the question; a player who left the season needs no answer."""

    STAYS = "stays"
    BACK = "back"


@dataclass(frozen=True, slots=True, kw_only=True)
class MembershipRow:
    """When a player was last looked for on their server, and since when they aren't there."""

    player_id: PlayerId
    checked_at: datetime
    gone_since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StayDecisionRow:
    """The question whether a player stays in the season."""

    id: StayDecisionId
    entrant_id: EntrantId
    reason: StayReason
    asked_at: datetime
    answered_at: datetime | None
    how: StayAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A person to look for on a server, by their Discord ids."""

    guild_id: int
    discord_id: int


_STAYS: Table[StayDecisionRow, StayDecisionId] = Table(StayDecisionRow, "stay_decisions")
ask, change, find_stay_decision, some_stay_decisions = _STAYS.add, _STAYS.change, _STAYS.find, _STAYS.some

remove = Change[PlayerId]("DELETE FROM memberships WHERE player_id = ?")
"""Delete when someone was looked for who has no account any more."""

_HERE = "NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """A person with an open match: when they were last known to be gone or back, and half of their round."""

    guild_id: int
    discord_id: int
    checked_at: datetime | None
    half: datetime | None


playing = Rows[Playing](
    Playing,
    "SELECT l.guild_id, p.discord_id, min(k.checked_at) AS checked_at,"
    " max((r.posted_at + r.paused + r.deadline) / 2) AS half FROM rounds r INDEXED BY open_rounds"
    " CROSS JOIN seasons s ON s.id = r.season_id CROSS JOIN leagues l ON l.id = s.league_id"
    " CROSS JOIN matches m ON m.round_id = r.id JOIN entrants e ON e.id IN (m.upper_id, m.lower_id)"
    f" JOIN players p ON p.id = {sitting('e', 'r.number')} LEFT JOIN memberships k ON k.player_id = p.id"
    " WHERE r.phase = 'open' AND s.phase IN ('running', 'finals') AND m.state <> 'confirmed'"
    f" AND p.discord_id IS NOT NULL AND {_HERE} GROUP BY l.guild_id, p.discord_id ORDER BY min(k.checked_at), p.id",
)
"""Everyone who has to play a match of an open round, in the seat they sit in there."""

of_player = One[MembershipRow, PlayerId](MembershipRow, "SELECT * FROM memberships WHERE player_id = ?")
"""What is known of a player, None before anyone looked."""

note = Change[PlayerId, datetime, datetime | None](
    "INSERT INTO memberships (player_id, checked_at, gone_since) VALUES (?, ?, ?)"
    " ON CONFLICT (player_id) DO UPDATE SET checked_at = excluded.checked_at, gone_since = excluded.gone_since"
)
"""Note when a player was looked for, and since when they aren't there."""

last_stay = One[StayDecisionRow, EntrantId, StayReason](
    StayDecisionRow, "SELECT * FROM stay_decisions WHERE entrant_id = ? AND reason = ? ORDER BY id DESC LIMIT 1"
)
"""The last time organisers were asked about a player for this reason, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absences:
    """How many matches a person lost because they didn't appear, and when the round of the first was posted."""

    count: int
    first: datetime | None


_absences = One[Absences, EntrantId, PlayerId, RoundId | None](
    Absences,
    "SELECT count(*) AS count, min(r.posted_at) AS first FROM entrants e JOIN rounds r ON r.season_id = e.season_id"
    " JOIN matches m ON m.round_id = r.id AND e.id IN (m.upper_id, m.lower_id)"
    " WHERE e.id = ? AND m.kind = 'forfeit' AND m.winner_id <> e.id"
    f" AND m.confirmed_by = 'moderator' AND {sitting('e', 'r.number')} = ? AND r.id IS NOT ?",
)


def absences(conn: Connection, entrant: EntrantRow, *, without: RoundId | None = None) -> Absences:
    """Return the matches in a seat, `without` a round, that its person missed, as moderators decided."""
    rows = _absences(conn, entrant.id, entrant.person_id, without)
    assert rows is not None  # an aggregate always has a row
    return rows


take_back = Change[StayDecisionId]("DELETE FROM stay_decisions WHERE id = ?")
"""Delete a question whose reason is gone: it can be asked again."""

STAYS = (
    "SELECT s.league_id, t.id, t.asked_at AS since FROM stay_decisions t"
    " JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id"
    f" WHERE t.answered_at IS NULL AND s.phase IN ('signup', 'running', 'finals') AND {_HERE}"
)
"""The questions whether a player stays that wait for organisers, with their league and since when."""

withdraw = Change[EntrantId]("DELETE FROM stay_decisions WHERE entrant_id = ?")
"""Delete the questions whether an entrant stays who withdraws before the start."""
