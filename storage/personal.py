"""A person's traces in all tables: what is deleted with them, what becomes another's, and where only names change.

Rows that refer to a player are about that person: they are deleted or become the other's, whatever table they are in.
What isn't so is written down: `STAYS` here, and what subjects do themselves, in `wiring`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from bot.league.season.names import skeleton
from storage.belonging import referring
from storage.database import Connection
from storage.query import column, records, run
from storage.rows import LeagueId, PlayerId
from storage.tables.field.substitutions import sitting
from storage.tables.outbox.outbox_rows import PERHAPS

_SEATS = (
    "(SELECT id FROM entrants WHERE player_id = :player"
    " UNION SELECT entrant_id FROM substitutes WHERE player_id = :player)"
)
_OWN_ROUNDS = (
    f"SELECT e.id AS entrant_id, r.id AS round_id FROM entrants e JOIN rounds r ON r.season_id = e.season_id"
    f" WHERE e.id IN {_SEATS} AND {sitting('e', 'r.number')} = :player"
)
"""A seat is a person's in the rounds they sat in it: others may have sat there before, or sit there since."""
OWN_SIDES = f"(SELECT m.id, o.entrant_id FROM ({_OWN_ROUNDS}) o JOIN matches m ON m.round_id = o.round_id)"
PLAYED = (
    f"(SELECT t.match_id FROM seats t WHERE t.match_id IS NOT NULL AND (t.entrant_id, t.round_id) IN ({_OWN_ROUNDS}))"
)
_SEASONS = "(SELECT season_id FROM entrants WHERE player_id = :player)"
ACCOUNTS = "(SELECT value FROM json_each(:accounts))"

_OF_GROUPS = "(stage = 'regular' AND (SELECT groups FROM seasons WHERE id = season_id) IS NOT NULL)"
"""Rounds whose pairs follow from groups that are kept; only their first choices rest on names."""

_DRAWS = ("draws", "dice_off_draws")
"""Draws of a name can't be recomputed without it."""

_OF_ROUNDS = "round_id IN (SELECT r.id FROM seasons s JOIN rounds r ON r.season_id = s.id WHERE s.league_id = :league)"
_OF_SEASONS = "season_id IN (SELECT id FROM seasons WHERE league_id = :league)"
_OF_MATCHES = f"match_id IN (SELECT id FROM matches WHERE {_OF_ROUNDS})"
_OF_ENTRANTS = f"entrant_id IN (SELECT id FROM entrants WHERE {_OF_SEASONS})"

STAYS = {
    "entrants",
    "substitutes",
    "sat_out",
    "met_before",
    "past_meetings",
    "imported_players",
    "merges",
}
"""Tables in which a forgotten person stays, under a number: results and ratings of others rest on it."""

NAMING: Mapping[str, tuple[tuple[str, ...], str]] = {
    "leagues": (("rules_text",), "id = :league"),
    "sat_out": (("reason",), _OF_ENTRANTS),
    "rounds": (("by_hand",), _OF_SEASONS),
    "maps": (("note",), _OF_SEASONS),
    "matches": (("why", "in_short", "draws", "dice_off_why", "dice_off_draws"), _OF_ROUNDS),
    "seats": (("why", "in_short", "draws"), _OF_ROUNDS),
    "disputes": (("reason",), _OF_MATCHES),
    "reports": (("statement",), _OF_MATCHES),
    "problems": (("text", "answer"), _OF_MATCHES),
    "decisions": (("names",), _OF_SEASONS),
    "ties": (("names",), _OF_SEASONS),
    "outbox": (("facts", "problem"), "league_id = :league"),
    "claims": (("called", "answer"), _OF_SEASONS),
    "bans": (("name", "reason"), "league_id = :league"),
    "audit": (("actor", "subject", "before", "after", "reason"), "league_id = :league"),
}
"""The texts of a league in which names stand, by table, and which of its records are a league's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """A player who is forgotten: what they are called from now on, and the mark of the rounds they played in.

    `names` are all they had, `accounts` the Discord ids they have or had that no other player of the league has now.
    """

    player: PlayerId
    league: LeagueId
    names: tuple[str, ...]
    accounts: tuple[int, ...]
    name: str
    name_key: str
    mark: str


class Forget:
    """What deletes something of a person: statements whose values are named as in `Forgotten`."""

    def __init__(self, *statements: str) -> None:
        self._statements = statements

    def __call__(self, conn: Connection, forgotten: Forgotten) -> None:
        """Delete it."""
        named = {field.name: getattr(forgotten, field.name) for field in fields(forgotten)}
        for sql in self._statements:
            run(conn, sql, **named, skeleton=skeleton(forgotten.name))


_forget = Forget(
    f"UPDATE disputes SET reason = '(deleted)' WHERE (match_id, entrant_id) IN {OWN_SIDES}",
    f"UPDATE reports SET statement = '(deleted)' WHERE statement IS NOT NULL AND (match_id, entrant_id) IN {OWN_SIDES}",
    f"UPDATE leagues SET created_by = NULL WHERE id = :league AND created_by IN {ACCOUNTS}",
    "UPDATE audit SET before = NULL, after = NULL WHERE league_id = :league AND action = 'result.statement'"
    f" AND actor_id IN {ACCOUNTS}",
    "UPDATE audit SET reason = NULL, actor = :name, actor_id = NULL"
    f" WHERE league_id = :league AND actor_id IN {ACCOUNTS}",
    "UPDATE outbox SET key = kind, superseded = 1 WHERE league_id = :league"
    f" AND EXISTS (SELECT 1 FROM {ACCOUNTS} WHERE instr(key, ':to:' || value))",
    "UPDATE outbox SET person_id = NULL, target = 'league' WHERE league_id = :league AND state = 'withdrawn'"
    f" AND person_id IN {ACCOUNTS}",
    "UPDATE audit SET before = NULL, after = NULL WHERE league_id = :league"
    " AND action IN ('player.ask_link', 'player.link', 'player.unlink')"
    " AND subject IN (SELECT value FROM json_each(:names))",
    "UPDATE audit SET before = NULL, after = NULL, reason = NULL WHERE league_id = :league"
    " AND action IN ('player.ban', 'player.ban-end', 'player.unban')"
    " AND subject IN (SELECT value FROM json_each(:names))",
    "INSERT INTO player_names (league_id, player_id, name, name_key, skeleton)"
    " VALUES (:league, :player, :name, :name_key, :skeleton)",
    "UPDATE players SET discord_id = NULL, refused_at = NULL, name = :name, next_name = NULL WHERE id = :player",
    "UPDATE entrants SET name = :name, former_names = '[]' WHERE player_id = :player",
    "UPDATE substitutes SET name = :name, former_names = '[]' WHERE player_id = :player",
    f"UPDATE rounds SET by_hand = :mark WHERE phase <> 'draft' AND by_hand IS NULL AND season_id IN {_SEASONS}"
    f" AND NOT {_OF_GROUPS}",
    "UPDATE matches SET dice_off_id = NULL, dice_off_why = '[]', dice_off_draws = '[]' WHERE round_id IN"
    f" (SELECT id FROM rounds WHERE season_id IN {_SEASONS} AND {_OF_GROUPS})",
    f"UPDATE seasons SET forgotten = 1 WHERE started_at IS NOT NULL AND id IN {_SEASONS}",
)
"""Delete what the league itself keeps of a person, and call them by their new name wherever they took part.

In this order.
"""


def forget(conn: Connection, forgotten: Forgotten) -> None:
    """Delete every row about a person but where they stay, and what names them there."""
    for table, name in referring(conn, "players"):
        if table not in STAYS:
            run(conn, f"DELETE FROM {table} WHERE {name} = ?", forgotten.player)
    _forget(conn, forgotten)


def rewrite(
    conn: Connection, league_id: LeagueId, words: Sequence[str], change: Callable[[str, str | None], str]
) -> tuple[int, ...]:
    """Change each text of a league that holds one of these words; returns the ids of the promised posts among them.

    The facts of a post are changed with its kind.
    """
    posts: set[int] = set()
    wanted = [*words, *(json.dumps(word, ensure_ascii=False)[1:-1] for word in words)]
    for table, (columns, where) in NAMING.items():
        for name in columns:
            held = f"EXISTS (SELECT 1 FROM json_each(:words) WHERE instr({name}, value))"
            kind = "kind" if name == "facts" else "NULL"
            sql = f"SELECT rowid, {name}, {kind} FROM {table} WHERE {where} AND {held}"
            for rowid, text, post_kind in records(conn, sql, league=league_id, words=wanted):
                changed = "[]" if name in _DRAWS else change(text, post_kind)
                conn.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = ?", (changed, rowid))
                posts |= {rowid} if table == "outbox" and changed != text else set()
    return tuple(sorted(posts))


def posts_of(conn: Connection, forgotten: Forgotten) -> tuple[int, ...]:
    """Return the ids of the posts that were sent about seasons someone played in, and of what waits in the league."""
    sql = (
        "SELECT id FROM outbox WHERE message_id IS NOT NULL AND (season_id IN"
        f" (SELECT season_id FROM entrants WHERE id IN {_SEATS}) OR (league_id = :league AND kind = 'waiting'))"
        " ORDER BY id"
    )
    return column(conn, sql, player=forgotten.player, league=forgotten.league)


def own_matches(conn: Connection, forgotten: Forgotten) -> tuple[int, ...]:
    """Return the ids of the matches someone played in."""
    return column(conn, PLAYED[1:-1], player=forgotten.player)


def own_posts(conn: Connection, forgotten: Forgotten) -> tuple[int, ...]:
    """Return the ids of the direct messages and questions to someone, and of those whether an account is theirs."""
    sql = (
        "SELECT id FROM outbox WHERE league_id = :league AND person_id IN (SELECT value FROM json_each(:accounts))"
        " UNION SELECT id FROM outbox WHERE league_id = :league AND kind = 'link'"
        " AND facts ->> 'link_id' IN (SELECT id FROM links WHERE player_id = :player) ORDER BY id"
    )
    return column(conn, sql, league=forgotten.league, accounts=forgotten.accounts, player=forgotten.player)


def reasons_of(conn: Connection, forgotten: Forgotten) -> tuple[tuple[str, str], ...]:
    """Return the reasons someone gave, each after what it's about; they stand in posts too."""
    sql = (
        "SELECT DISTINCT subject, reason FROM audit WHERE league_id = ? AND reason IS NOT NULL"
        " AND actor_id IN (SELECT value FROM json_each(?))"
    )
    return tuple((subject, reason) for subject, reason in records(conn, sql, forgotten.league, forgotten.accounts))


def accounts_of(conn: Connection, league_id: LeagueId, player_id: PlayerId, names: Sequence[str]) -> list[int]:
    """Return the Discord ids a player has or had that no other player of the league has now."""
    sql = (
        "SELECT discord_id FROM players WHERE id = :player AND discord_id IS NOT NULL"
        " UNION SELECT discord_id FROM links WHERE player_id = :player AND accepted"
        " UNION SELECT before ->> 'discord_id' FROM audit WHERE league_id = :league AND action = 'player.link'"
        " AND subject IN (SELECT value FROM json_each(:names)) AND before ->> 'discord_id' IS NOT NULL"
    )
    had = column(conn, sql, league=league_id, player=player_id, names=names)
    others = (
        "SELECT discord_id FROM players WHERE league_id = ? AND discord_id IN (SELECT value FROM json_each(?))"
        " AND id <> ?"
    )
    return sorted({*had} - {*column(conn, others, league_id, had, player_id)})


def show_again(conn: Connection, post_ids: Sequence[int], now: datetime, *, delete: bool) -> None:
    """Enqueue a new version of these posts, or their deletion; those that were never sent aren't any more.

    A direct message that was perhaps sent isn't looked for: nobody knows any more who it was for.
    """
    sql = (
        "UPDATE outbox SET wanted = wanted + 1, removed = removed OR :delete, due_at = max(due_at, :now),"
        " target = CASE WHEN :delete AND target = 'person' THEN 'league' ELSE target END,"
        " person_id = CASE WHEN :delete THEN NULL ELSE person_id END,"
        f" state = CASE WHEN message_id IS NOT NULL OR :delete AND target <> 'person' AND {PERHAPS} THEN 'due'"
        " WHEN :delete THEN 'withdrawn' ELSE state END"
        " WHERE id IN (SELECT value FROM json_each(:posts)) AND state <> 'withdrawn'"
    )
    run(conn, sql, posts=post_ids, delete=delete, now=now)


Record = Mapping[str, Any]
Step = tuple[str, str, Record, Record]
"""What was done in a table: "set", to which row as it is known since and what it had before, "deleted" or "added"."""


class Moving:
    """What moves from a person who is `gone` to the one they are."""

    def __init__(
        self,
        conn: Connection,
        *,
        league: LeagueId,
        gone: PlayerId,
        into: PlayerId,
        seasons_of_gone: Mapping[int, int | None],
        seasons_of_into: Mapping[int, int | None],
    ) -> None:
        self.conn, self.league, self.gone, self.into = conn, league, gone, into
        self.seasons_of_gone, self.seasons_of_into = seasons_of_gone, seasons_of_into
        """The numbers of the seasons each of them played, by id."""
        self._steps: list[Step] = []

    def move(self, table: str, name: str = "player_id") -> None:
        """Let rows be the other's; those in whose place the other has one of their own go."""
        for row in self.rows(table, name, self.gone):
            if run(self.conn, *_updating(f"OR IGNORE {table}", {name: self.into}, _key(row))):
                self._steps.append(("set", table, _key({**row, name: self.into}), {name: self.gone}))
            else:
                self.delete(table, row)

    def move_all(self) -> None:
        """Let all rows about the one be about the other, whatever table they are in."""
        for table, name in referring(self.conn, "players"):
            self.move(table, name)

    def rows(self, table: str, name: str, player: PlayerId) -> tuple[Record, ...]:
        """Return the rows of a table that are about a player."""
        rows = self.conn.execute_fetchall(f"SELECT * FROM {table} WHERE {name} = ? ORDER BY rowid", (player,))
        return tuple(dict(zip(row.keys(), row, strict=True)) for row in rows)

    def change(self, table: str, row: Record, **values: Any) -> None:
        """Change a row."""
        run(self.conn, *_updating(table, values, _key(row)))
        self._steps.append(("set", table, _key({**row, **values}), {name: row[name] for name in values}))

    def delete(self, table: str, row: Record) -> None:
        """Delete a row."""
        run(self.conn, *_deleting(table, _key(row)))
        self._steps.append(("deleted", table, {}, row))

    def add(self, table: str, **values: Any) -> None:
        """Add a row to a table whose rows have ids."""
        self._steps.append(("added", table, {"id": _inserted(self.conn, table, values)}, {}))

    def noted(self) -> str:
        """Return all that was done, as it is kept."""
        return json.dumps(self._steps, ensure_ascii=False, separators=(",", ":"))


def take_back(conn: Connection, noted: str) -> None:
    """Undo all that was noted; raises sqlite3.IntegrityError where something else has taken its place."""
    steps: Sequence[Step] = json.loads(noted)
    for what, table, key, values in reversed(steps):
        match what:
            case "set":
                run(conn, *_updating(table, values, key))
            case "deleted":
                _inserted(conn, table, values)
            case _:
                run(conn, *_deleting(table, key))


def gone_player(noted: str) -> Record:
    """Return the player who went, as they were."""
    steps: Sequence[Step] = json.loads(noted)
    return next(values for what, table, _, values in steps if (what, table) == ("deleted", "players"))


def _key(row: Record) -> Record:
    """Return by what a row is found: its id, or all it says."""
    return {"id": row["id"]} if "id" in row else row


def _inserted(conn: Connection, table: str, values: Record) -> int:
    """Insert a row and return its id."""
    marks = ", ".join("?" * len(values))
    return conn.execute_insert(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def _updating(table: str, values: Record, key: Record) -> tuple[Any, ...]:
    changed, where = (", ".join(f"{name} = ?" for name in values), " AND ".join(f"{name} IS ?" for name in key))
    return f"UPDATE {table} SET {changed} WHERE {where}", *values.values(), *key.values()


def _deleting(table: str, key: Record) -> tuple[Any, ...]:
    return f"DELETE FROM {table} WHERE {' AND '.join(f'{name} IS ?' for name in key)}", *key.values()
