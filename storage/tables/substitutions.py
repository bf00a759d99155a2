"""Who sits in an entrant's seat, round by round."""

from dataclasses import dataclass
from typing import Any

from storage.database import Connection
from storage.query import insert, many, run, update
from storage.rows import EntrantId, PlayerId, SeasonId


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
        f"SELECT player_id FROM substitutes WHERE entrant_id = {entrant}.id AND round <= {number}"  # noqa: S608 (our own words)
        " ORDER BY round DESC LIMIT 1"
    )
    return f"coalesce(({latest}), {entrant}.player_id)"


def sit_down(conn: Connection, **columns: Any) -> None:
    """Note who sits in a seat from a round on; raises sqlite3.IntegrityError for a person with another seat."""
    insert(conn, "substitutes", **columns)


def stay(conn: Connection, entrant_id: EntrantId, number: int) -> None:
    """Forget who would have taken a seat over in a round or later."""
    run(conn, "DELETE FROM substitutes WHERE entrant_id = ? AND round >= ?", entrant_id, number)


def rate(conn: Connection, substitution_id: int, *, mu: float, sigma: float) -> None:
    """Note the rating a substitute starts with."""
    update(conn, "substitutes", substitution_id, mu=mu, sigma=sigma)


def of_season(conn: Connection, season_id: SeasonId) -> tuple[SubstitutionRow, ...]:
    """Return a season's substitutions, seat by seat in order of rounds."""
    sql = (
        "SELECT x.* FROM entrants e JOIN substitutes x ON x.entrant_id = e.id WHERE e.season_id = ?"
        " ORDER BY e.id, x.round"
    )
    return many(conn, SubstitutionRow, sql, season_id)


def of_entrant(conn: Connection, entrant_id: EntrantId) -> tuple[SubstitutionRow, ...]:
    """Return the substitutions of one seat in order of rounds."""
    return many(conn, SubstitutionRow, "SELECT * FROM substitutes WHERE entrant_id = ? ORDER BY round", entrant_id)
