"""Seasons of leagues: the next number, due sign-ups, check-ins, pauses, earlier meetings, orders organisers decided."""

from collections.abc import Sequence
from datetime import datetime

from storage.database import Connection
from storage.query import Change, Column, Exists, One, Rows, Table, Value, insert_many
from storage.rows import EntrantId, LeagueId, PlayerId, SeasonId, SeasonRow

_SEASONS: Table[SeasonRow, SeasonId] = Table(SeasonRow, "seasons")
add, change, get, find, some = _SEASONS.add, _SEASONS.change, _SEASONS.get, _SEASONS.find, _SEASONS.some

live = One[SeasonRow, LeagueId](
    SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND phase IN ('signup', 'running', 'finals')"
)
"""A league's season that takes sign-ups or is played, or None."""

unpublished = One[SeasonRow, LeagueId](SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND phase = 'unpublished'")
"""The season a league's organisers are preparing, or None."""

newest = One[SeasonRow, LeagueId](
    SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
)
"""A league's season of the highest number, or None."""

by_number = One[SeasonRow, LeagueId, int](SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number = ?")
"""A league's season of this number, or None."""

of_league = Rows[SeasonRow, LeagueId](
    SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number"
)
"""A league's seasons that have a number, in order."""

of_player = Rows[SeasonRow, LeagueId, PlayerId](
    SeasonRow,
    "SELECT * FROM seasons WHERE league_id = ?1 AND number IS NOT NULL AND id IN"
    " (SELECT season_id FROM entrants WHERE player_id = ?2 UNION SELECT e.season_id"
    " FROM substitutes x JOIN entrants e ON e.id = x.entrant_id WHERE x.player_id = ?2) ORDER BY number",
)
"""The seasons of a league in which a player has a seat, or sat in another's, in order."""

newest_with_rounds = One[SeasonRow, LeagueId](
    SeasonRow,
    "SELECT * FROM seasons s WHERE league_id = ? AND number IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM rounds WHERE season_id = s.id AND phase <> 'draft') ORDER BY number DESC LIMIT 1",
)
"""A league's newest season that has a published round, or None."""

last_won = One[SeasonRow, LeagueId](
    SeasonRow,
    "SELECT * FROM seasons WHERE league_id = ? AND phase = 'finished' AND champion_id IS NOT NULL"
    " ORDER BY number DESC LIMIT 1",
)
"""A league's newest finished season that has a champion, or None."""

last_played = One[SeasonRow, LeagueId](
    SeasonRow,
    "SELECT * FROM seasons WHERE league_id = ? AND phase IN ('running', 'finals', 'finished')"
    " ORDER BY number DESC LIMIT 1",
)
"""A league's newest season that is running or finished, or None."""

numbers = Column[int, LeagueId](
    "SELECT number FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC"
)
"""The numbers of a league's seasons, the newest first."""

next_number = Value[int, LeagueId](
    "SELECT max(coalesce(max(number), 0) + 1, coalesce(max(wanted_number) FILTER (WHERE phase = 'unpublished'), 1))"
    " FROM seasons WHERE league_id = ?"
)
"""The number of the league's next season: one that was given back is used again, one that is wanted isn't too low."""

number_without_gap = Value[int, SeasonId](
    "SELECT max(coalesce(max(o.number), 0) + 1, coalesce(s.wanted_number, 1)) FROM seasons s LEFT JOIN seasons o"
    " ON o.league_id = s.league_id AND o.id <> s.id WHERE s.id = ?"
)
"""The number a season has that follows on the others of its league; one that was wanted isn't too low."""

wanted_number = Value[int | None, LeagueId](
    "SELECT wanted_number FROM seasons WHERE league_id = ? AND phase = 'unpublished'"
)
"""The number the prepared season shall have as the league's first, if it was given one."""

signups_due = Column[SeasonId, datetime](
    "SELECT id FROM seasons WHERE phase = 'signup' AND signups_close <= ? ORDER BY signups_close, id"
)
"""The seasons whose sign-ups should close by now, for the clock."""

_CLOSING = "SELECT id FROM seasons WHERE phase = 'signup' AND signups_close > ?1"
_HOURS = "coalesce(json_extract(settings, '$.check_in_hours'), 0)"

last_days_due = Column[SeasonId, datetime](
    f"{_CLOSING} AND signups_close <= ?1 + 86400 AND last_day IS NOT signups_close"
)
"""The seasons whose sign-ups close within a day, where that wasn't told for this time, for the clock."""

check_ins_due = Column[SeasonId, datetime](
    f"{_CLOSING} AND signups_close <= ?1 + 3600 * {_HOURS} AND check_in IS NOT signups_close"
)
"""The seasons whose players are to check in now, where they weren't asked for this closing time."""

pauses_due = Column[SeasonId, datetime](
    "SELECT id FROM seasons WHERE paused_until <= ? AND phase IN ('running', 'finals') ORDER BY paused_until, id"
)
"""The seasons whose pause is over by now, for the clock."""

BETWEEN_ROUNDS = (
    "SELECT s.league_id, s.id, coalesce((SELECT max(a.at) FROM audit a WHERE a.season_id = s.id"
    " AND (a.action GLOB 'round.*' OR a.action = 'finals.undo')), s.started_at) AS since FROM seasons s"
    " WHERE s.phase IN ('signup', 'running', 'finals') AND s.phase <> 'signup' AND s.paused_until IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM rounds r WHERE r.season_id = s.id AND r.phase = 'open')"
    " AND NOT EXISTS (SELECT 1 FROM ties t WHERE t.season_id = s.id AND t.settled_at IS NULL)"
    " AND NOT EXISTS (SELECT 1 FROM entrants e JOIN finals_places p ON p.entrant_id = e.id"
    " WHERE e.season_id = s.id AND p.answered_at IS NULL)"
)
"""The seasons whose next round organisers post, with their league and since when; none that waits for an answer.

Its phases stand as in the index `one_live_season`, which SQLite uses only for a condition that has the index's own.
"""


def add_past_meetings(
    conn: Connection,
    league_id: LeagueId,
    season: int,
    met: Sequence[tuple[int | None, PlayerId, PlayerId]],
    *,
    import_id: int | None = None,
) -> None:
    """Note in which rounds which two players met in a season that is known only from a later one's file."""
    at = {"league_id": league_id, "season": season, "import_id": import_id}
    rows = [{**at, "round": round_, "first_id": first, "second_id": second} for round_, first, second in met]
    insert_many(conn, "past_meetings", rows)


hide_past_meetings = Change[int, LeagueId, int](
    "UPDATE past_meetings SET hidden_by = ? WHERE league_id = ? AND season = ? AND hidden_by IS NULL"
)
"""Count no more what was known of a season now that an import brings it itself."""

past_meetings_known = Exists[LeagueId, int](
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM seasons WHERE league_id = ?1 AND number = ?2)"
    " OR EXISTS (SELECT 1 FROM past_meetings WHERE league_id = ?1 AND season = ?2)"
)
"""Whether a season is known already, by itself or by its meetings."""


def add_decision(conn: Connection, season_id: SeasonId, after_round: int, order: Sequence[str]) -> None:
    """Note an order an organiser decided among equals; it's newer than those after the same round."""
    remove_decision(conn, season_id, after_round, order)
    insert_many(conn, "decisions", [{"season_id": season_id, "after_round": after_round, "names": order}])


remove_decision = Change[SeasonId, int, Sequence[str]](
    "DELETE FROM decisions WHERE season_id = ? AND after_round = ? AND names = ?"
)
"""Let an order that was decided after a round count no more."""

keep_bracket = Change[Sequence[EntrantId | None] | None, SeasonId]("UPDATE seasons SET bracket = ? WHERE id = ?")
"""Keep a season's bracket by its first slots, or none any more."""

keep_groups = Change[Sequence[Sequence[EntrantId]] | None, SeasonId]("UPDATE seasons SET groups = ? WHERE id = ?")
"""Keep a season's groups, each in the order of its numbers, or none any more."""

keep_ladder = Change[Sequence[EntrantId] | None, str | None, SeasonId](
    "UPDATE seasons SET ladder = ?, ladder_of = ? WHERE id = ?"
)
"""Keep the order in which a season's divisions are filled, and the last fingerprint of the season it comes from."""
