"""Players who are asked whether they play the finals, into which they move up because others left."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from storage.query import Change, Rows, Table
from storage.question_rows import QuestionRows
from storage.rows import EntrantId, SeasonId

FinalsPlaceId = NewType("FinalsPlaceId", int)


class FinalsPlaceAnswer(StrEnum):
    """What came of the question; `gone` is one that nobody has to answer any more."""

    PLAYS = "plays"
    DECLINED = "declined"
    SILENT = "silent"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalsPlaceRow:
    """The question to one player, whose time begins once it was sent and ends `until`, at the latest at `latest`.

    The finals wait for it until they are posted at `posted_at`.
    """

    id: FinalsPlaceId
    entrant_id: EntrantId
    asked_at: datetime
    latest: datetime | None
    until: datetime | None
    answered_at: datetime | None
    how: FinalsPlaceAnswer | None
    posted_at: datetime | None


_PLACES: Table[FinalsPlaceRow, FinalsPlaceId] = Table(FinalsPlaceRow, "finals_places")
add, change, get, find = _PLACES.add, _PLACES.change, _PLACES.get, _PLACES.find
ASKED = QuestionRows(
    table="finals_places",
    latest="latest",
    waits="t.answered_at IS NULL",
    joined="JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id",
)

of_season = Rows[FinalsPlaceRow, SeasonId](
    FinalsPlaceRow,
    "SELECT t.* FROM entrants e JOIN finals_places t ON t.entrant_id = e.id WHERE e.season_id = ? ORDER BY t.id",
)
"""Everyone a season has asked, the first asked first."""

posted = Change[SeasonId, datetime](
    "UPDATE finals_places SET posted_at = ?2 WHERE posted_at IS NULL"
    " AND entrant_id IN (SELECT id FROM entrants WHERE season_id = ?1)"
)
"""Note that the finals of a season are posted, so that they wait for no answer any more."""
