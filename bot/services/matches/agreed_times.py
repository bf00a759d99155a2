"""The times the players of a match proposed and how they were answered, for those who decide."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import times
from storage.tables.times import TimeAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedTimes:
    """Times a player proposed and what became of them; without `answer` they still wait for the opponent."""

    by: EntrantRow
    proposed_at: datetime
    starts: tuple[datetime, ...]
    answer: TimeAnswer | None
    answered_at: datetime | None
    accepted: datetime | None


def of_match(conn: Connection, match: MatchView) -> tuple[AgreedTimes, ...]:
    """Return everything that was proposed for a match, oldest first; `match.match.agreed_at` is what was agreed on."""
    return tuple(
        AgreedTimes(
            by=match.side(row.entrant_id),
            proposed_at=row.proposed_at,
            starts=row.moments,
            answer=row.answer,
            answered_at=row.answered_at,
            accepted=row.accepted,
        )
        for row in times.proposals_of(conn, match.match.id)
    )
