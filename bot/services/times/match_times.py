"""The time of a match as its card shows it: what is proposed, and what the players' own clocks say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.match_day.starts import Person
from bot.services.matches.views import MatchView
from bot.services.times import own_zone
from bot.services.times.proposing import can_agree
from storage.database import Connection
from storage.rows import EntrantId
from storage.tables import times
from storage.tables.times import TimeProposalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTimes:
    """What waits for an answer and when the players can play; `open` is whether they can still agree on a time.

    Proposals whose times have all passed don't wait any more.
    """

    waiting: tuple[TimeProposalRow, ...]
    people: Mapping[EntrantId, Person]
    open: bool


def of_match(conn: Connection, view: MatchView, now: datetime) -> MatchTimes:
    """Return what a match's card shows of its time."""
    waiting = times.waiting_proposals(conn, [view.match.id])
    return MatchTimes(
        waiting=tuple(row for row in waiting if now < row.moments[-1]),
        people=own_zone.people(conn, view.sides),
        open=can_agree(view, now),
    )
