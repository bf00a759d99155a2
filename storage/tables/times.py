"""Times proposed for matches and how they were answered, when people can play, and what calendar files said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NewType

from storage.database import Connection
from storage.personal import ACCOUNTS, PLAYED, Forget
from storage.query import Change, Rows, Table, many, run
from storage.rows import EntrantId, LeagueId, MatchId, PlayerId, SeasonId

ProposalId = NewType("ProposalId", int)


class TimeAnswer(StrEnum):
    """What became of proposed times."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    REPLACED = "replaced"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposalRow:
    """Starts a player proposes for their match, in seconds since 1970; `accepted` is the one agreed on."""

    id: ProposalId
    match_id: MatchId
    entrant_id: EntrantId
    proposed_at: datetime
    starts: tuple[int, ...]
    answer: TimeAnswer | None
    answered_at: datetime | None
    accepted: datetime | None

    @property
    def moments(self) -> tuple[datetime, ...]:
        """The starts, the earliest first."""
        return tuple(datetime.fromtimestamp(start, UTC) for start in self.starts)


_PROPOSALS: Table[TimeProposalRow, ProposalId] = Table(TimeProposalRow, "time_proposals")
propose, find_proposal = _PROPOSALS.add, _PROPOSALS.find

proposals_of = Rows[TimeProposalRow, MatchId](
    TimeProposalRow, "SELECT * FROM time_proposals WHERE match_id = ? ORDER BY id"
)
"""Everything that was proposed for a match, oldest first."""

waiting_proposals = Rows[TimeProposalRow, Sequence[MatchId]](
    TimeProposalRow,
    "SELECT * FROM time_proposals WHERE match_id IN (SELECT value FROM json_each(?)) AND answered_at IS NULL"
    " ORDER BY id",
)
"""What is proposed for some matches and not answered, oldest first."""


def end_proposals(
    conn: Connection,
    match_id: MatchId,
    answer: TimeAnswer,
    now: datetime,
    *,
    by: EntrantId | None = None,
    accepted: datetime | None = None,
) -> None:
    """Note what became of the waiting proposals of a match: those of one player, or of both."""
    sql = (
        "UPDATE time_proposals SET answer = ?2, answered_at = ?3, accepted = ?5"
        " WHERE match_id = ?1 AND answered_at IS NULL AND (?4 IS NULL OR entrant_id = ?4)"
    )
    run(conn, sql, match_id, answer, now, by, accepted)


forget = Change[Sequence[MatchId]]("DELETE FROM time_proposals WHERE match_id IN (SELECT value FROM json_each(?))")
"""Delete what was proposed for matches that are taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityRow:
    """A person's time zone (an IANA name) and weekly hours as they are shown; empty where they gave none."""

    discord_id: int
    time_zone: str
    hours: str


def hours_of(conn: Connection, people: Iterable[int]) -> Mapping[int, AvailabilityRow]:
    """Return what people said about when they can play, by Discord id; those who said nothing are left out."""
    sql = "SELECT * FROM availability WHERE discord_id IN (SELECT value FROM json_each(?))"
    return {row.discord_id: row for row in many(conn, AvailabilityRow, sql, list(people))}


def keep_hours(conn: Connection, discord_id: int, *, time_zone: str, hours: str) -> None:
    """Keep what a person says about when they can play."""
    sql = (
        "INSERT INTO availability (discord_id, time_zone, hours) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET time_zone = excluded.time_zone, hours = excluded.hours"
    )
    run(conn, sql, discord_id, time_zone, hours)


copy_hours = Change[int, int](
    "INSERT INTO availability (discord_id, time_zone, hours)"
    " SELECT ?2, time_zone, hours FROM availability WHERE discord_id = ?1 ON CONFLICT DO NOTHING"
)
"""Keep for another account of a person what they said from the old one, unless the new one has said something."""


forget_hours = Change[int]("DELETE FROM availability WHERE discord_id = ?")
"""Delete what a person said about when they can play."""

forget_saying = Change[LeagueId, int, str](
    "UPDATE audit SET actor = ?3, actor_id = NULL, subject = ?3"
    " WHERE league_id = ?1 AND actor_id = ?2 AND action = 'player.availability'"
)
"""Leave out of a league's log who said when they can play."""


remove_hours = Change[LeagueId](
    "DELETE FROM availability WHERE discord_id IN (SELECT discord_id FROM players WHERE league_id = ?1)"
    " AND NOT EXISTS (SELECT 1 FROM players p WHERE p.discord_id = availability.discord_id AND p.league_id <> ?1)"
)
"""Delete what the players of a league said who are in no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarRow:
    """What the newest file of a player says of a moment, or without one, the newest organisers' file of a season."""

    season_id: SeasonId
    player_id: PlayerId | None
    uid: str
    sequence: int
    starts_at: datetime
    cancelled: bool


_SAID = "SELECT season_id, player_id, uid, sequence, starts_at, cancelled FROM calendar_entries"

calendar_of_season = Rows[CalendarRow, SeasonId](
    CalendarRow, f"{_SAID} WHERE season_id = ? AND player_id IS NULL ORDER BY id"
)
"""What the organisers' file of a season said."""

calendar_of_player = Rows[CalendarRow, PlayerId](CalendarRow, f"{_SAID} WHERE player_id = ? ORDER BY id")
"""What a player's file said."""

in_calendars = Rows[CalendarRow, Sequence[str]](
    CalendarRow, f"{_SAID} WHERE uid IN (SELECT value FROM json_each(?)) ORDER BY sequence"
)
"""What all files said of these moments, the highest sequence last."""

say_in_calendar = Change[SeasonId, PlayerId | None, str, int, datetime, bool](
    "INSERT INTO calendar_entries (season_id, player_id, uid, sequence, starts_at, cancelled) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (uid, coalesce(player_id, 0)) DO UPDATE SET sequence = excluded.sequence,"
    " starts_at = excluded.starts_at, cancelled = excluded.cancelled"
)
"""Keep what a file says of a moment, in place of what the one before it said."""


forget_person = Forget(
    f"DELETE FROM time_proposals WHERE match_id IN {PLAYED}",
    f"UPDATE matches SET agreed_at = NULL WHERE id IN {PLAYED}",
    f"DELETE FROM availability WHERE discord_id IN {ACCOUNTS}"
    " AND NOT EXISTS (SELECT 1 FROM players p WHERE p.discord_id = availability.discord_id AND p.id <> :player)",
)
"""Delete when someone can play or could, and the times of their matches."""
