"""Army and deck lists: the sets due together, when they're to be sealed or reminded of, and the lists handed in."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.database import Connection
from storage.personal import Forget
from storage.query import Change, Column, Exists, One, Rows, Table, one, run
from storage.rows import EntrantId, PlayerId, SeasonId
from storage.tables.field.substitutions import sitting

ListSetId = NewType("ListSetId", int)
ListId = NewType("ListId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSetRow:
    """The lists of a season (`round` is None) or of one round: when they are due, were sealed and revealed to all."""

    id: ListSetId
    season_id: SeasonId
    round: int | None
    due_at: datetime | None
    reminded_at: datetime | None
    sealed_at: datetime | None
    revealed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """A list of an entrant; `key` and `text` are None where this person can't read it, or its file didn't say them.

    `player_id` is who handed it in, None once a substitute who did is forgotten. A late one is sealed as it comes in.
    """

    id: ListId
    set_id: ListSetId
    entrant_id: EntrantId
    player_id: PlayerId | None
    number: int
    key: str | None
    text: str | None
    handed_in_at: datetime
    late: bool
    sha256: str | None
    sealed_at: datetime | None


_SETS: Table[ListSetRow, ListSetId] = Table(ListSetRow, "list_sets")
_LISTS: Table[ListRow, ListId] = Table(ListRow, "lists")
add_set, change_set, get_set = _SETS.add, _SETS.change, _SETS.get
add, change, find = _LISTS.add, _LISTS.change, _LISTS.find

set_of = One[ListSetRow, SeasonId, int | None](
    ListSetRow, "SELECT * FROM list_sets WHERE season_id = ?1 AND coalesce(round, 0) = coalesce(?2, 0)"
)
"""The set of a season's lists, or of the lists of one of its rounds, or None where there is none yet."""

sets_of = Rows[ListSetRow, SeasonId](
    ListSetRow, "SELECT * FROM list_sets WHERE season_id = ? ORDER BY coalesce(round, 0)"
)
"""The sets of a season, in order."""

move_due = Change[SeasonId, datetime, int](
    "UPDATE list_sets SET due_at = due_at + ?3 WHERE season_id = ?1 AND due_at > ?2 AND sealed_at IS NULL"
)
"""Move when lists of a season are due, for a pause, if that lies after a moment and they aren't sealed."""

close_sets = Change[SeasonId, datetime](
    "UPDATE list_sets SET sealed_at = ?2 WHERE season_id = ?1 AND sealed_at IS NULL"
)
"""Let no set of a season wait for lists any more; the lists in them stay as they are."""

reveal_all = Change[SeasonId, datetime](
    "UPDATE list_sets SET revealed_at = ?2 WHERE season_id = ?1 AND sealed_at IS NOT NULL AND revealed_at IS NULL"
)
"""Reveal the sealed lists of a season to everyone."""

_IN_SEASONS = "SELECT t.id FROM list_sets t INDEXED BY list_sets_to_seal CROSS JOIN seasons s ON s.id = t.season_id"

to_seal = Column[ListSetId, datetime](
    f"{_IN_SEASONS} WHERE t.sealed_at IS NULL AND t.due_at <= ? AND s.phase IN ('running', 'finals')"
    " AND EXISTS (SELECT 1 FROM rounds r WHERE r.season_id = t.season_id AND r.number = coalesce(t.round, 1)"
    " AND r.phase <> 'draft') ORDER BY t.due_at, t.id"
)
"""The sets that are due by now and not sealed, whose round is posted."""

_DUE = "coalesce(t.due_at, CASE s.phase WHEN 'signup' THEN s.signups_close ELSE r.deadline END)"

due_within_a_day = Column[ListSetId, datetime](
    f"{_IN_SEASONS} LEFT JOIN rounds r ON r.season_id = t.season_id AND r.phase = 'open'"
    " WHERE t.sealed_at IS NULL AND t.reminded_at IS NULL AND s.phase IN ('signup', 'running', 'finals')"
    f" AND {_DUE} > ?1 AND {_DUE} - 86400 <= ?1 ORDER BY t.id"
)
"""The sets no one was reminded of that are due within a day, as far as that is known.

A set without a date is taken to be due at the close of sign-ups, or at the deadline of the open round.
"""


def hand_in(
    conn: Connection,
    scope: ListSetRow,
    entrant_id: EntrantId,
    *,
    player_id: PlayerId,
    number: int,
    key: str,
    text: str,
    late: bool,
    now: datetime,
) -> ListRow:
    """Keep a list, in place of the one there was; raises LookupError for one that is sealed."""
    _make_way(conn, scope.id, entrant_id, number)
    before = one_of(conn, scope, entrant_id, number)
    columns = {"player_id": player_id, "key": key, "text": text, "late": late, "handed_in_at": now}
    if before is None:
        return _LISTS.add(conn, set_id=scope.id, entrant_id=entrant_id, number=number, **columns)
    if before.sealed_at is not None:
        raise LookupError("this list is sealed")
    return _LISTS.change(conn, before.id, **columns)


def one_of(conn: Connection, scope: ListSetRow, entrant_id: EntrantId, number: int) -> ListRow | None:
    """Return an entrant's list of this number in a set, or None."""
    sql = f"{_VALID} AND l.set_id = ? AND l.entrant_id = ? AND l.number = ?"
    return one(conn, ListRow, sql, scope.id, entrant_id, number)


_OF_OTHERS = (
    "coalesce(t.round, 0) > coalesce((SELECT max(r.number) FROM rounds r WHERE r.season_id = t.season_id"
    f" AND r.phase <> 'draft'), 0) AND l.player_id IS NOT {sitting('e', 't.round')}"
)
"""A list for a round that isn't posted, which another person handed in than the one who sits in the seat then.

It counts again if they do after all.
"""
_FROM = "FROM lists l JOIN list_sets t ON t.id = l.set_id JOIN entrants e ON e.id = l.entrant_id"
_VALID = f"SELECT l.* {_FROM} WHERE NOT ({_OF_OTHERS})"

of_set = Rows[ListRow, ListSetId](ListRow, f"{_VALID} AND l.set_id = ? ORDER BY l.entrant_id, l.number")
"""The lists of a set, those of one entrant together."""

of_entrant = Rows[ListRow, EntrantId](ListRow, f"{_VALID} AND l.entrant_id = ? ORDER BY l.set_id, l.number")
"""Everything an entrant handed in, in order of set and number."""

withdraw = Change[EntrantId]("DELETE FROM lists WHERE entrant_id = ?")
"""Delete the lists of an entrant who withdraws before the start."""

remove_of_others = Change[ListSetId](
    f"DELETE FROM lists WHERE id IN (SELECT l.id {_FROM} WHERE l.set_id = ?"
    f" AND l.player_id IS NOT {sitting('e', 't.round')})"
)
"""Delete the lists of a set for a round that other people handed in than those who sit in the seats then."""

remove_of_strangers = Change[SeasonId, int](
    f"DELETE FROM lists WHERE id IN (SELECT l.id {_FROM} WHERE t.season_id = ? AND t.round >= ?"
    " AND l.player_id IS NOT e.player_id AND NOT EXISTS"
    " (SELECT 1 FROM substitutes x WHERE x.entrant_id = e.id AND x.player_id = l.player_id))"
)
"""Delete a season's lists for a round or later of people who neither have the seat, nor sat or will sit there."""

_make_way = Change[ListSetId, EntrantId, int](
    f"DELETE FROM lists WHERE id IN (SELECT l.id {_FROM} WHERE l.set_id = ? AND l.entrant_id = ? AND l.number = ?"
    f" AND {_OF_OTHERS})"
)


def remove_season(conn: Connection, season_id: SeasonId) -> None:
    """Delete the lists of a season."""
    run(conn, "DELETE FROM lists WHERE set_id IN (SELECT id FROM list_sets WHERE season_id = ?)", season_id)
    run(conn, "DELETE FROM list_sets WHERE season_id = ?", season_id)


have_met = Exists[PlayerId, EntrantId, int | None](
    "SELECT 1 FROM matches m JOIN rounds r ON r.id = m.round_id"
    " JOIN entrants e ON e.id = CASE m.upper_id WHEN ?2 THEN m.lower_id ELSE m.upper_id END"
    " WHERE (m.upper_id = ?2 OR m.lower_id = ?2) AND r.phase <> 'draft' AND (?3 IS NULL OR r.number = ?3)"
    f" AND {sitting('e', 'r.number')} = ?1 LIMIT 1"
)
"""Whether a player sat against an entrant in a posted match, in this round or, for None, in any."""

forget_person = Forget(
    "UPDATE lists SET player_id = NULL WHERE player_id = :player"
    " AND entrant_id NOT IN (SELECT id FROM entrants WHERE player_id = :player)"
    " AND NOT EXISTS (SELECT 1 FROM json_each(:names) WHERE instr(text, value))",
)
"""Let the list someone handed in for another player's seat stay with it, if it doesn't name who wrote it."""
