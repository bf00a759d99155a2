"""Whether players are still on the server: who to look for next, and what follows from the answer."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from bot.services.base import find
from bot.services.base.events import AccountChanged
from bot.services.base.order import by_bot
from bot.services.base.transaction import Transaction, transaction
from bot.services.play.time_to_play import PLAY
from bot.services.problems import stay_or_leave
from storage.database import Connection
from storage.rows import EntrantRow, PlayerRow
from storage.tables import held_roles, seasons
from storage.tables.field import entrants
from storage.tables.people import memberships, players
from storage.tables.people.memberships import Sought, StayAnswer, StayReason

DAY = timedelta(days=1)


def due(
    conn: Connection, now: datetime, looked: Mapping[Sought, datetime] = MappingProxyType({})
) -> tuple[Sought, ...]:
    """Return players with an open match to look for: once a day, and at half of the round.

    `looked` is when they were last looked for without anything having changed.
    """
    everyone = memberships.playing(conn)
    due_checks: list[tuple[bool, datetime, int, Sought]] = []
    for number, person in enumerate(everyone):
        sought = Sought(guild_id=person.guild_id, discord_id=person.discord_id)
        checks = [at for at in (person.checked_at, looked.get(sought)) if at is not None]
        last = max(checks, default=None)
        half = person.half is not None and last is not None and last < person.half <= now
        if last is None or last <= now - DAY or half:
            due_checks.append((last is not None, last or now, number, sought))
    return tuple(sought for *_, sought in sorted(due_checks))


def gone(conn: Connection, batch: Iterable[Sought]) -> frozenset[Sought]:
    """Return who of some people wasn't there when they were last looked for."""
    return frozenset(sought for sought in batch if _was_gone(conn, sought))


def seen(conn: Connection, sought: Sought, *, now: datetime, present: bool | None) -> None:
    """Note whether a person is on a server, in all its leagues; None where Discord didn't say.

    Where that is as it was, nothing is written. Where the clock went back, they are gone since now at the latest.
    """
    if present is None or (present and not _was_gone(conn, sought)):
        return
    if not present:
        held_roles.taken_by_leaving(conn, sought.guild_id, sought.discord_id, now)
    for player in players.on_server(conn, sought.guild_id, sought.discord_id):
        membership = memberships.of_player(conn, player.id)
        before = None if membership is None else membership.gone_since
        gone = None if present else min(before or now, now)
        memberships.note(conn, player.id, now, gone)
        season = seasons.live(conn, player.league_id)
        if season is not None:
            tx = transaction(conn, by_bot(now), season_id=season.id)
            _follow(tx, player, gone, before)


def _was_gone(conn: Connection, sought: Sought) -> bool:
    """Whether someone wasn't on a server when they were last looked for."""
    rows = [
        memberships.of_player(conn, player.id) for player in players.on_server(conn, sought.guild_id, sought.discord_id)
    ]
    return any(row is not None and row.gone_since is not None for row in rows)


def _follow(tx: Transaction, player: PlayerRow, gone: datetime | None, before: datetime | None) -> None:
    entrant = entrants.by_discord(tx.conn, tx.season.id, player.discord_id or 0)
    if entrant is None or not entrant.active or entrant.person_id != player.id:
        return
    if gone is not None:
        stay_or_leave.ask_about_gone(tx, entrant, gone)
        stay_or_leave.tell_opponent_gone(tx, entrant)
    elif before is not None:
        _back(tx, entrant)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Settle the question about a player who is on the server with a new account."""
    entrant = find.seat_of(tx, event.after)
    if entrant is not None:
        _back(tx, entrant)


def _back(tx: Transaction, entrant: EntrantRow) -> None:
    """Settle the question about a player who is on the server after all, and tell their opponent."""
    stay = memberships.last_stay(tx.conn, entrant.id, StayReason.GONE)
    if stay is not None and stay.answered_at is None:
        stay_or_leave.settle(tx, entrant, stay, StayAnswer.BACK)
    stay_or_leave.tell_opponent(tx, entrant, f"is on the server again. {PLAY}")
