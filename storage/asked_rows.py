"""Questions that stand in a table of their own: which of them wait, until when, and how that moves."""

from dataclasses import dataclass
from datetime import UTC, datetime

from storage.database import Connection
from storage.query import column, records, run, update, value
from storage.rows import SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where questions of one kind stand: rows `t` of a table, with how they are `joined` to their season `s`.

    From `until` on silence counts, None until the question was sent, and never later than `latest`. `waits` says which
    rows still wait for an answer, `live` in which rounds and seasons the clock looks at them.
    """

    table: str
    waits: str
    joined: str
    until: str = "until"
    latest: str | None = None
    live: str = "s.phase IN ('running', 'finals')"

    @property
    def rows(self) -> str:
        """Return what is read from."""
        return f"FROM {self.table} t {self.joined}"


def waiting(conn: Connection, asked: Asked, row_id: int) -> bool:
    """Whether a question waits for its answer."""
    sql = f"SELECT 1 FROM {asked.table} t WHERE t.id = ? AND {asked.waits}"
    return value(conn, sql, row_id) is not None


def ends(conn: Connection, asked: Asked, row_id: int) -> tuple[datetime | None, datetime | None]:
    """Return until when a question can be answered, None before its time began, and at the latest if there is one."""
    sql = f"SELECT {asked.until}, {asked.latest or 'NULL'} FROM {asked.table} WHERE id = ?"
    until, latest = (end and datetime.fromtimestamp(end, UTC) for end in records(conn, sql, row_id)[0])
    return until, latest


def set_until(conn: Connection, asked: Asked, row_id: int, until: datetime | None) -> None:
    """Note until when a question can be answered; None where it is asked again."""
    update(conn, asked.table, row_id, **{asked.until: until})


def season_of(conn: Connection, asked: Asked, row_id: int) -> SeasonId:
    """Return the season a question is about."""
    return SeasonId(value(conn, f"SELECT s.id {asked.rows} WHERE t.id = ?", row_id))


def silent(
    conn: Connection, asked: Asked, now: datetime, *, in_pause: bool, only: int | None = None
) -> tuple[int, ...]:
    """Return the questions, or the one, nobody answered in time, the longest silent first; perhaps not in a pause."""
    over = f"{asked.waits} AND t.{asked.until} <= :now AND {asked.live}"
    over += "" if in_pause else " AND s.paused_until IS NULL"
    over += "" if only is None else " AND t.id = :only"
    sql = f"SELECT t.id {asked.rows} WHERE {over} ORDER BY t.{asked.until}, t.id"
    return column(conn, sql, now=now, only=only)


def move(conn: Connection, asked: Asked, season_id: SeasonId, *, after: datetime, seconds: int) -> None:
    """Move the ends of a season's questions that lie after a moment."""
    mine = f"SELECT t.id {asked.rows} WHERE s.id = :season AND {asked.waits}"
    for end in filter(None, (asked.until, asked.latest)):
        sql = f"UPDATE {asked.table} SET {end} = {end} + :seconds WHERE {end} > :after AND id IN ({mine})"
        run(conn, sql, season=season_id, after=after, seconds=seconds)
