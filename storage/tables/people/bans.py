"""Who can't take part in a league: accounts, by a keyed hash that outlives forgetting, and players without one."""

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from math import inf
from typing import NewType

from storage.database import Connection
from storage.personal import Forgotten, Moving
from storage.query import Column, Exists, Rows, Table, Value, insert, many, run
from storage.rows import LeagueId, PlayerId

BanId = NewType("BanId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class BanRow:
    """A ban, without end where `until` is None; `name` is what the person is called, None once they're forgotten."""

    id: BanId
    league_id: LeagueId
    player_id: PlayerId | None
    fingerprint: str | None
    discord_id: int | None
    name: str | None
    reason: str | None
    until: datetime | None


_SELECT = (
    "SELECT t.id, t.league_id, t.player_id, t.fingerprint, t.discord_id, coalesce(p.name, t.name) AS name, t.reason,"
    " t.until FROM bans t LEFT JOIN players p ON p.id = t.player_id"
)
_BANS: Table[BanRow, BanId] = Table(BanRow, "bans", select=_SELECT)
add, get, find = _BANS.add, _BANS.get, _BANS.find

of_league = Rows[BanRow, LeagueId](BanRow, f"{_SELECT} WHERE t.league_id = ? ORDER BY t.id")
"""The bans of a league, oldest first; those that are over by now, too."""

ended = Column[BanId, datetime](
    "SELECT id FROM bans b WHERE until <= ?1 AND NOT EXISTS"
    " (SELECT 1 FROM bans o WHERE o.player_id = b.player_id AND (o.until IS NULL OR o.until > ?1)) ORDER BY until, id"
)
"""The bans of people who have none any more that goes on, for the clock."""

_of_account = Exists[LeagueId, str]("SELECT 1 FROM bans WHERE league_id = ? AND fingerprint = ?")
_secret = Value[str | None, LeagueId]("SELECT secret FROM ban_keys WHERE league_id = ?")


def of_person(
    conn: Connection, league_id: LeagueId, *, account: int | None, player_id: PlayerId | None
) -> tuple[BanRow, ...]:
    """Return the bans of an account and of a player, and of the player's other accounts; those that are over, too."""
    account_key = None if account is None else _fingerprint(_secret(conn, league_id), account)
    own = "SELECT {} FROM bans WHERE league_id = :league AND fingerprint = :known"
    sql = (
        f"{_SELECT} WHERE t.id IN ({own.format('id')} UNION SELECT id FROM bans WHERE league_id = :league"
        f" AND player_id IN (:player, ({own.format('player_id')}))) ORDER BY t.id"
    )
    return many(conn, BanRow, sql, league=league_id, known=account_key, player=player_id)


def holding(
    conn: Connection, league_id: LeagueId, *, account: int | None, player_id: PlayerId | None, now: datetime
) -> BanRow | None:
    """Return the ban that keeps a person out at a moment, or None; of several the one that lasts longest."""
    rows = of_person(conn, league_id, account=account, player_id=player_id)
    return longest(row for row in rows if row.until is None or row.until > now)


def of_accounts(
    conn: Connection, league_id: LeagueId, player_id: PlayerId | None, accounts: Iterable[int]
) -> tuple[BanRow, ...]:
    """Return the bans of a player and of all these accounts of theirs; those that are over, too."""
    each = (of_person(conn, league_id, account=account, player_id=player_id) for account in (None, *accounts))
    return tuple({row.id: row for rows in each for row in rows}.values())


def longest(bans: Iterable[BanRow]) -> BanRow | None:
    """Return the ban that ends last, or None where there is none."""
    return max(bans, key=lambda row: (inf if row.until is None else row.until.timestamp(), row.id), default=None)


def fingerprint(conn: Connection, league_id: LeagueId, account: int) -> str:
    """Return what an account is known by in a league's bans; the first one makes the key for it."""
    secret = _secret(conn, league_id)
    if secret is None:
        secret = secrets.token_hex(32)
        insert(conn, "ban_keys", league_id=league_id, secret=secret)
    account_key = _fingerprint(secret, account)
    assert account_key is not None
    return account_key


def _fingerprint(secret: str | None, account: int) -> str | None:
    """Return the keyed hash of an account; None in a league that has never banned an account."""
    return None if secret is None else hmac.new(bytes.fromhex(secret), str(account).encode(), sha256).hexdigest()


def remove(conn: Connection, ban_id: BanId) -> None:
    """Delete a ban."""
    run(conn, "DELETE FROM bans WHERE id = ?", ban_id)


def forget_person(conn: Connection, forgotten: Forgotten) -> None:
    """Keep of a forgotten person's bans the keyed hash of each account they had and the end, nothing else."""
    rows = of_accounts(conn, forgotten.league, forgotten.player, forgotten.accounts)
    last = longest(rows)
    if last is None:
        return
    fingerprints = {row.fingerprint for row in rows if row.fingerprint is not None}
    fingerprints |= {fingerprint(conn, forgotten.league, account) for account in forgotten.accounts}
    for row in rows:
        remove(conn, row.id)
    for kept in sorted(fingerprints):
        add(conn, league_id=forgotten.league, fingerprint=kept, until=last.until)


def merge_person(moving: Moving) -> None:
    """Let the bans of someone hold for the other as well, and for the account that nobody plays with any more."""
    moving.move("bans")
    last = longest(of_person(moving.conn, moving.league, account=None, player_id=moving.into))
    (gone,), (into,) = (moving.rows("players", "id", player) for player in (moving.gone, moving.into))
    account = gone["discord_id"]
    if last is None or account is None or into["discord_id"] is None:
        return
    account_key = fingerprint(moving.conn, moving.league, account)
    if not _of_account(moving.conn, moving.league, account_key):
        until = None if last.until is None else int(last.until.timestamp())
        moving.add(
            "bans",
            league_id=moving.league,
            player_id=moving.into,
            fingerprint=account_key,
            discord_id=account,
            reason=last.reason,
            until=until,
        )
