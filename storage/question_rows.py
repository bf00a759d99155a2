"""Questions that stand in a table of their own: which of them wait, until when, and how that moves."""

from dataclasses import dataclass
from datetime import UTC, datetime

from storage.columns import read
from storage.database import Connection
from storage.query import column, run, update
from storage.rows import SeasonId, SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRows:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """A question as it stands: whether it waits for its answer, until when and at the latest, and its season.

    `until` is None before its time began.
    """

    waits: bool
    until: datetime | None
    latest: datetime | None
    season: SeasonRow


def find(conn: Connection, asked: QuestionRows, row_id: int) -> QuestionRow | None:
    """Return a question as it stands; None where it's there no more."""
    latest = f"t.{asked.latest}" if asked.latest else "NULL"
    sql = f"SELECT s.*, {asked.waits} AS waits, t.{asked.until} AS waits_until, {latest} AS latest"
    for record in conn.execute_fetchall(f"{sql} {asked.rows} WHERE t.id = ?", (row_id,)):
        until, latest = (end and datetime.fromtimestamp(end, UTC) for end in (record["waits_until"], record["latest"]))
        season = read(SeasonRow, record)
        return QuestionRow(waits=bool(record["waits"]), until=until, latest=latest, season=season)
    return None


def set_until(conn: Connection, asked: QuestionRows, row_id: int, until: datetime | None) -> None:
    """Note until when a question can be answered; None where it is asked again."""
    update(conn, asked.table, row_id, **{asked.until: until})


def silent(
    conn: Connection, asked: QuestionRows, now: datetime, *, in_pause: bool, only: int | None = None
) -> tuple[int, ...]:
    """Return the questions, or the one, nobody answered in time, the longest silent first; perhaps not in a pause."""
    over = f"{asked.waits} AND t.{asked.until} <= :now AND {asked.live}"
    over += "" if in_pause else " AND s.paused_until IS NULL"
    over += "" if only is None else " AND t.id = :only"
    sql = f"SELECT t.id {asked.rows} WHERE {over} ORDER BY t.{asked.until}, t.id"
    return column(conn, sql, now=now, only=only)


def move(conn: Connection, asked: QuestionRows, season_id: SeasonId, *, after: datetime, seconds: int) -> None:
    """Move the ends of a season's questions that lie after a moment."""
    mine = f"SELECT t.id {asked.rows} WHERE s.id = :season AND {asked.waits}"
    for end in filter(None, (asked.until, asked.latest)):
        sql = f"UPDATE {asked.table} SET {end} = {end} + :seconds WHERE {end} > :after AND id IN ({mine})"
        run(conn, sql, season=season_id, after=after, seconds=seconds)
