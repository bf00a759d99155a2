"""Who sits in an entrant's seat, round by round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storage.database import Connection
from storage.query import Change, Rows, insert, update
from storage.rows import EntrantId, PlayerId, SeasonId
from storage.tables.field.entrants import CURRENT


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionRow:
    """A person in an entrant's seat from `round` on: another one, or its own again; `name` is theirs in this season."""

    id: int
    entrant_id: EntrantId
    player_id: PlayerId
    name: str
    round: int
    mu: float | None
    sigma: float | None
    former_names: tuple[str, ...]


def sitting(entrant: str, number: str) -> str:
    """Return the SQL of the player who sits in an entrant's seat in a round."""
    latest = (
        f"SELECT player_id FROM substitutes WHERE entrant_id = {entrant}.id AND round <= {number}"
        " ORDER BY round DESC LIMIT 1"
    )
    return f"coalesce(({latest}), {entrant}.player_id)"


def sit_down(conn: Connection, **columns: Any) -> None:
    """Note who sits in a seat from a round on; raises sqlite3.IntegrityError for a person with another seat."""
    insert(conn, "substitutes", **columns)


stay = Change[EntrantId, int]("DELETE FROM substitutes WHERE entrant_id = ? AND round >= ?")
"""Forget who would have taken a seat over in a round or later."""


def move(conn: Connection, rows: Sequence[SubstitutionRow], *, later: int) -> None:
    """Let substitutions begin some rounds later, or earlier where that is below zero."""
    for row in sorted(rows, key=lambda row: row.round, reverse=later > 0):  # a seat has one of each round
        update(conn, "substitutes", row.id, round=row.round + later)


def rate(conn: Connection, substitution_id: int, *, mu: float, sigma: float) -> None:
    """Note the rating a substitute starts with."""
    update(conn, "substitutes", substitution_id, mu=mu, sigma=sigma)


of_season = Rows[SubstitutionRow, SeasonId](
    SubstitutionRow,
    "SELECT x.* FROM entrants e JOIN substitutes x ON x.entrant_id = e.id WHERE e.season_id = ? ORDER BY e.id, x.round",
)
"""A season's substitutions, seat by seat in order of rounds."""

of_entrant = Rows[SubstitutionRow, EntrantId](
    SubstitutionRow, "SELECT * FROM substitutes WHERE entrant_id = ? ORDER BY round"
)
"""The substitutions of one seat in order of rounds."""

_COMING = f"x.round > {CURRENT.format(season='e.season_id')} ORDER BY e.id, x.round"
_FROM = "SELECT x.* FROM entrants e JOIN substitutes x ON x.entrant_id = e.id"

coming = Rows[SubstitutionRow, EntrantId](SubstitutionRow, f"{_FROM} WHERE e.id = ? AND {_COMING}")
"""Those of one seat that haven't begun: with the next round, or later where rounds were undone."""

coming_in_season = Rows[SubstitutionRow, SeasonId](SubstitutionRow, f"{_FROM} WHERE e.season_id = ? AND {_COMING}")
"""All of a season that haven't begun."""


def stand_down(conn: Connection, rows: Sequence[SubstitutionRow]) -> None:
    """Let people not take seats over."""
    for row in rows:
        _take_back(conn, row.id)


_take_back = Change[int]("DELETE FROM substitutes WHERE id = ?")
