"""Ban people from a league, for a time or for good: what becomes of their season, what they read, and the way back.

What becomes of a ban when its person is merged or forgotten is in `storage/tables/people/bans.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.league.errors import Conflict, NotAllowed
from bot.league.season.phases import PLAYING
from bot.services.base import find
from bot.services.base.confirmation import ConfirmationNeeded, require_confirmation
from bot.services.base.events import AccountBanned, PlayerBanned
from bot.services.base.order import Order, by_bot
from bot.services.base.permissions import is_moderator, is_organiser
from bot.services.base.transaction import (
    ORGANISER,
    ReadTransaction,
    Transaction,
    live_if_any,
    read_transaction,
    required,
    transaction,
)
from bot.services.people import places
from bot.services.people.places import Place
from bot.services.play.field import withdrawals
from storage import personal
from storage.database import Connection
from storage.rows import LeagueRow, PlayerRow
from storage.tables.people import bans, players
from storage.tables.people.bans import BanId, BanRow

_MENTION = re.compile(r"<@!?(\d{15,20})>|(\d{15,20})", re.ASCII)


class BanFirst(ConfirmationNeeded):
    """What a ban does; `in_season` where the person plays, and can be dropped now or play the season out."""

    in_season: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A Discord account someone mentioned, as it is called."""

    discord_id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Who is meant: a player, an account, or both."""

    name: str
    account: int | None
    player: PlayerRow | None


def mentioned(typed: str) -> int | None:
    """Return the Discord id of a member who was mentioned in place of a league name, or None."""
    parsed = _MENTION.fullmatch(typed.strip())
    return None if parsed is None else int(parsed[1] or parsed[2])


def ban(
    conn: Connection,
    order: Order,
    *,
    player: str | Member,
    reason: str | None,
    until: datetime | None = None,
    plays_out: bool = False,
    agreed: str | None = None,
) -> str:
    """Ban a player or member and return their name; in a season they play they're dropped, or play it out.

    Raises BanFirst, and Conflict for one who is banned like that already.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    why, person = required(reason), _meant(tx, player)
    before = bans.holding(conn, tx.league.id, **_known(person), now=order.now)
    if before is not None and (before.until, before.reason) == (until, why):
        raise Conflict(f"{person.name} is banned {until_words(tx.league, until)} already.")
    place = None if tx.found is None or person.player is None else places.place_of(tx, person.player)
    place = place if person.player is not None and place is not None and place.is_played_by(person.player) else None
    playing = place is not None and tx.season.phase in PLAYING
    try:
        require_confirmation(_cost(tx, person, place, until, before), agreed)
    except ConfirmationNeeded as asked:
        first = BanFirst(asked.cost, token=asked.token, changed=asked.changed)
        first.in_season = playing
        raise first from None
    _keep(tx, person, until, why)
    states = {"before": _state(before.until) if before else None, "after": _state(until)}
    tx.note("player.ban", person.name, **states, reason=why)
    for account in sorted(_accounts(tx, person)):
        tx.happened(AccountBanned(account=account))
    if person.player is not None:
        if place is not None and not (playing and plays_out):
            places.play_no_more(tx, person.player, place)
            if not playing:
                withdrawals.tell_taken_off(tx, place.now)
        tx.happened(PlayerBanned(player=person.player))
    return person.name


def _meant(tx: Transaction, typed: str | Member) -> _Person:
    if isinstance(typed, Member):
        player = players.by_discord(tx.conn, tx.league.id, typed.discord_id) or _player_of(tx, typed.discord_id)
        return _Person(name=typed.name if player is None else player.name, account=typed.discord_id, player=player)
    player = find.player(tx, typed)
    return _Person(name=player.name, account=player.discord_id, player=player)


def _player_of(tx: Transaction, account: int) -> PlayerRow | None:
    """Return who is banned with an account that no player has now, such as that of a name they were merged with."""
    rows = bans.of_person(tx.conn, tx.league.id, account=account, player_id=None)
    ids = {row.player_id for row in rows if row.player_id is not None}
    return players.get(tx.conn, ids.pop()) if ids else None


def _known(person: _Person) -> dict[str, Any]:
    return {"account": person.account, "player_id": None if person.player is None else person.player.id}


def _cost(tx: Transaction, person: _Person, place: Place | None, until: datetime | None, before: BanRow | None) -> str:
    sentences = [f"{person.name} is banned from {tx.league.name} {until_words(tx.league, until)}."]
    if before is not None:
        sentences.append(f"That replaces the ban {until_words(tx.league, before.until)}.")
    sentences.append("They can't sign up, substitute or come back, and no one can add them.")
    sentences.append("They aren't told of the ban: they read it, and until when, if they try to join.")
    sentences.append("Only organisers and moderators can read the reason.")
    if tx.found is not None and tx.season.phase not in PLAYING and place is not None:
        sentences.append(f"They're taken off the sign-up list of season {tx.season.number}, and told so, but not why.")
    elif place is not None and person.player is not None:
        dropped = places.of_playing_no_more(tx, person.player, place)
        dropped = f"they {dropped.removeprefix('They ')}" if dropped.startswith("They ") else dropped
        alone = place.now.person_id == place.next.person_id == person.player.id
        read = " The channel reads that they left, but not why." if alone else ""
        sentences.append(f"Choose what happens in season {tx.season.number}. Drop now: {dropped}{read}")
        sentences.append("Play the season out: they play on, but once they leave they can't come back.")
    return " ".join(sentences)


def _keep(tx: Transaction, person: _Person, until: datetime | None, why: str) -> None:
    """Note a ban of each account that is known, or of the player alone, in place of those before."""
    account_name = _accounts(tx, person)
    rows = bans.of_accounts(tx.conn, tx.league.id, None if person.player is None else person.player.id, account_name)
    accounts = {row.fingerprint: row.discord_id for row in rows if row.fingerprint is not None}
    accounts |= {bans.fingerprint(tx.conn, tx.league.id, account): account for account in account_name}
    for row in rows:
        bans.remove(tx.conn, row.id)
    for account_name, account in accounts.items() or ((None, None),):
        bans.add(
            tx.conn,
            league_id=tx.league.id,
            player_id=None if person.player is None else person.player.id,
            fingerprint=account_name,
            discord_id=account,
            name=person.name if person.player is None else None,
            reason=why,
            until=until,
        )


def _accounts(tx: Transaction, person: _Person) -> set[int]:
    """Return the account that is meant, and those the player had."""
    meant = set() if person.account is None else {person.account}
    if person.player is None:
        return meant
    names = person.player.name, *players.former_names(tx.conn, person.player)
    return {*meant, *personal.accounts_of(tx.conn, tx.league.id, person.player.id, names)}


def unban(conn: Connection, order: Order, *, ban: BanId, reason: str | None) -> str:
    """Let someone who is banned in again and return their name; raises Conflict for a ban that is over."""
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    why, row = required(reason), bans.find(conn, ban)
    if row is None or row.league_id != tx.league.id:
        raise Conflict(f"That ban from {tx.league.name} is over. /league settings lists the bans.")
    rows, name = _of_one(tx, row), row.name or "a forgotten player"
    last = bans.longest(rows)
    for ended in rows:
        bans.remove(conn, ended.id)
    tx.note("player.unban", name, before=_state(None if last is None else last.until), reason=why)
    return name


def _of_one(tx: Transaction, row: BanRow) -> Sequence[BanRow]:
    """Return all bans of the person one is of."""
    if row.player_id is None:
        return (row,)
    return bans.of_person(tx.conn, tx.league.id, account=None, player_id=row.player_id)


def _state(until: datetime | None) -> dict[str, int | None]:
    return {"until": None if until is None else int(until.timestamp())}


def until_words(league: LeagueRow, until: datetime | None) -> str:
    """Return how long a ban lasts: a date of the league's time zone, as people type it."""
    if until is None:
        return "for good"
    return f"until {until.astimezone(ZoneInfo(league.time_zone)):%Y-%m-%d %H:%M} ({league.time_zone})"


def end(conn: Connection, ban_id: BanId, now: datetime) -> bool:
    """End someone's bans once the last of them is over; False where it was changed meanwhile."""
    row = bans.find(conn, ban_id)
    if row is None:
        return False
    tx = transaction(conn, by_bot(now, row.league_id))
    rows = _of_one(tx, row)
    last = bans.longest(rows)
    if last is None or last.until is None or last.until > now:
        return False
    for ended in rows:
        bans.remove(conn, ended.id)
    tx.note("player.ban-end", row.name or "a forgotten player", before=_state(last.until))
    return True


def refuse(tx: Transaction, player: PlayerRow | None, account: int | None, called: str) -> None:
    """Raise NotAllowed for a person who is banned, in words for who asks."""
    player_id = None if player is None else player.id
    row = bans.holding(tx.conn, tx.league.id, account=account, player_id=player_id, now=tx.now)
    if row is None:
        return
    until = until_words(tx.league, row.until)
    if account is not None and tx.actor.user_id == account:
        raise NotAllowed(f"You're banned from {tx.league.name} {until}. If that's a mistake, ask an organiser.")
    if is_organiser(tx.league, tx.actor):
        raise NotAllowed(f"{called} is banned from {tx.league.name} {until}. /league settings lets them in again.")
    raise NotAllowed(f"{called} can't play in {tx.league.name}. Ask an organiser.")


def kept_of(tx: Transaction, player: PlayerRow) -> str:
    """Return what stays of a ban when someone is forgotten; nothing for others."""
    row = bans.holding(tx.conn, tx.league.id, account=player.discord_id, player_id=player.id, now=tx.now)
    if row is None:
        return ""
    if player.discord_id is None and row.fingerprint is None:
        return "Their ban ends, because no Discord account is known."
    until = until_words(tx.league, row.until)
    return f"They stay banned {until}: a keyed hash of their Discord account and that end are kept, nothing else."


@dataclass(frozen=True, slots=True, kw_only=True)
class Banned:
    """Someone who is banned; without a `name` they were forgotten. `plays_out` is the season they still play."""

    id: BanId
    name: str | None
    account: int | None
    until: datetime | None
    reason: str | None
    plays_out: int | None


def listed(conn: Connection, order: Order) -> Sequence[Banned]:
    """Return who is banned from a league, for its organisers and moderators; nothing for others."""
    tx = read_transaction(conn, order, live_if_any)
    if not is_moderator(tx.league, order.actor):
        return ()
    people: dict[object, list[BanRow]] = {}
    for row in bans.of_league(conn, tx.league.id):
        if row.until is None or row.until > order.now:
            people.setdefault(row.player_id or row.fingerprint, []).append(row)
    return tuple(_banned(tx, last) for rows in people.values() if (last := bans.longest(rows)) is not None)


def _banned(tx: ReadTransaction, last: BanRow) -> Banned:
    player = None if last.player_id is None else players.get(tx.conn, last.player_id)
    seat = None if tx.found is None or player is None else find.seat_of(tx, player)
    return Banned(
        id=last.id,
        name=last.name,
        account=last.discord_id if player is None else player.discord_id,
        until=last.until,
        reason=last.reason,
        plays_out=None if seat is None or not seat.active else tx.season.number,
    )
