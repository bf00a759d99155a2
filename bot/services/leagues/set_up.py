"""Leagues of a server: set up, how many there can be, settings, their own rules, the check of channels and rights."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Required, TypedDict, Unpack
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.league.errors import Conflict, Invalid, NotAllowed
from bot.league.season.choices import MatchPlaces
from bot.league.season.names import check_name, look_alike_key
from bot.services.base import failed_posts
from bot.services.base.events import ModeratorsMoved
from bot.services.base.order import Order, by_bot
from bot.services.base.outbox import STUCK
from bot.services.base.permissions import Actor
from bot.services.base.transaction import ORGANISER, Transaction, read_transaction, transaction
from storage import rules_season
from storage.database import Connection
from storage.rows import LeagueRow
from storage.tables import held_roles, leagues, seasons
from storage.tables.outbox import post_failures

MOST_LEAGUES = 25
"""As many leagues a guild can have as Discord suggests at once."""
CHANNELS = ("channel_id", "moderation_channel_id")
GIVEN_ROLES = ("participant_role_id", "champion_role_id")
"""What the bot gives itself."""
RUN_BY = {"moderator_role_id": "moderators", "organiser_role_id": "organisers"}
"""The roles of those the bot mentions where something waits for them."""
ROLES = (*RUN_BY, *GIVEN_ROLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """A league as it is set up, how many of its posts couldn't be made, and where its season's matches are to talk."""

    league: LeagueRow
    failed: int = 0
    places: MatchPlaces = MatchPlaces.CARD
    no_roles: str = ""
    """Why roles can't be given, if they can't."""
    join_role: int | None = None
    """The role members need to join its season."""


class Places(TypedDict, total=False):
    """Where a league posts, who settles its disputes and who runs it."""

    channel_id: Required[int]
    moderation_channel_id: int | None
    moderator_role_id: int | None
    organiser_role_id: int | None


def require_may_create(actor: Actor) -> None:
    """Raise NotAllowed unless someone may set up a league in the server they are in."""
    if not actor.manage_guild or actor.guild_id is None:
        raise NotAllowed("Only people with Manage Server can set up a league. Ask one of them.")


def create(
    conn: Connection,
    order: Order,
    *,
    name: str,
    time_zone: str | None = None,
    **places: Unpack[Places],
) -> LeagueRow:
    """Set up a league in the actor's guild; raises NotAllowed, Invalid, and Conflict for a name or channel in use."""
    require_may_create(order.actor)
    assert order.actor.guild_id is not None
    title, zone = _title(name), _zone(time_zone or "UTC")
    rows = leagues.of_guild(conn, order.actor.guild_id)
    if len(rows) >= MOST_LEAGUES:
        raise Conflict(f"This server already has {MOST_LEAGUES} leagues. Use one of them with /season create.")
    _require_free(rows, order.actor.guild_id, {"name": title, **places})
    named = {"name": title, "name_key": look_alike_key(title), "time_zone": zone, "created_by": order.actor.user_id}
    league = leagues.add(conn, guild_id=order.actor.guild_id, **named, **places)
    tx = transaction(conn, order.of(league.id), by=ORGANISER)
    tx.note("league.create", title, after=_state(league))
    return league


def _title(name: str) -> str:
    try:
        return check_name(name)
    except Invalid as refused:
        raise Invalid(f"The league's name can't be used. {refused}") from None


def _require_free(others: tuple[LeagueRow, ...], guild_id: int, columns: Mapping[str, Any]) -> None:
    """Raise where another league has the name or the channel, or a role is everyone's."""
    if guild_id in (columns.get(role) for role in ROLES):
        raise Invalid("@everyone can't be the role: everyone has it already. Choose another role.")
    key = look_alike_key(columns.get("name", ""))
    for other in others:
        if look_alike_key(other.name) == key:
            raise Conflict(f"This server already has a league called {other.name}. Choose another name.")
        if columns.get("channel_id", 0) in (other.channel_id, other.moderation_channel_id):
            raise Conflict(
                f"{other.name} already uses that channel, so commands there couldn't tell the two leagues apart."
                " Choose another channel."
            )
        if columns.get("moderation_channel_id") == other.channel_id:
            raise Conflict(
                f"The players of {other.name} read that channel, and what moderators read isn't for them."
                " Choose another channel."
            )


def _state(league: LeagueRow) -> dict[str, Any]:
    return {key: getattr(league, key) for key in (*CHANNELS, *ROLES, "name", "time_zone", "board", "site")}


def change(conn: Connection, order: Order, *, changes: Mapping[str, Any]) -> LeagueRow:
    """Change name, time_zone, board, pages, channels or roles; None takes a role or the moderators' channel away.

    Raises as `create` does.
    """
    columns = dict(changes)
    if "time_zone" in columns:
        columns["time_zone"] = _zone(columns["time_zone"])
    if "name" in columns:
        columns["name"] = _title(columns["name"])
        columns["name_key"] = look_alike_key(columns["name"])
    tx = transaction(conn, order, by=ORGANISER)
    rows = leagues.of_guild(tx.conn, tx.league.guild_id)
    _require_free(tuple(row for row in rows if row.id != tx.league.id), tx.league.guild_id, columns)
    if not columns:
        return tx.league
    changed = leagues.change(tx.conn, tx.league.id, **columns)
    if not columns.keys().isdisjoint(GIVEN_ROLES):
        leagues.look_at_roles(tx.conn, changed.id)
    if not columns.keys().isdisjoint(CHANNELS):
        failed_posts.retry_all(tx.conn, changed, now=order.now)
    before, after = _state(tx.league), _state(changed)
    if after != before:
        tx.note("league.change", changed.name, before=before, after=after)
    _show_again(tx, changed)
    _move_moderators(tx, before["moderation_channel_id"])
    return changed


def without_roles(
    conn: Connection, guild_id: int, role_ids: Collection[int]
) -> tuple[tuple[LeagueRow, tuple[str, ...]], ...]:
    """Return the leagues with roles that aren't on their server any more, each with which ones."""
    lacking: list[tuple[LeagueRow, tuple[str, ...]]] = []
    for league in leagues.of_guild(conn, guild_id):
        chosen = {column: getattr(league, column) for column in RUN_BY}
        if gone := tuple(column for column, role in chosen.items() if role is not None and role not in role_ids):
            lacking.append((league, gone))
    return tuple(lacking)


def roles_deleted(conn: Connection, *, guild_id: int, role_ids: Collection[int], now: datetime) -> bool:
    """Let leagues do without roles that their server doesn't have any more; return whether someone is told of one."""
    missed = False
    for league, gone in without_roles(conn, guild_id, role_ids):
        missed, tx = True, transaction(conn, by_bot(now, league.id))
        tx.league = leagues.change(conn, league.id, **dict.fromkeys(gone))
        tx.note("league.change", league.name, before=_state(league), after=_state(tx.league))
        whose = " and ".join(RUN_BY[column] for column in gone)
        text = f"The role of the {whose} was deleted on this server, so nobody is mentioned by it."
        tx.tell(f"{text} /league settings names another one.", kind=STUCK)
    return missed


def _show_again(tx: Transaction, league: LeagueRow) -> None:
    """Let the board follow a league's changes: on, off, in another channel, under another name."""
    before, tx.league = tx.league, league
    season = seasons.newest(tx.conn, league.id)
    if season is None or before == league:
        return
    tx.about(season)
    if (before.board, before.channel_id) != (league.board, league.channel_id):
        tx.show_season()
    tx.invalidate()


def _move_moderators(tx: Transaction, before: int | None) -> None:
    """Let what waits for moderators be posted in the channel they have now, if only they read it."""
    season = seasons.live(tx.conn, tx.league.id)
    if season is not None and tx.league.moderators_apart and tx.league.moderation_channel_id != before:
        tx.about(season)
        tx.happened(ModeratorsMoved())


def write_rules(conn: Connection, order: Order, *, text: str) -> LeagueRow:
    """Change the organisers' own rules, which players agree to before they join; an empty text removes them."""
    tx = transaction(conn, order, by=ORGANISER)
    changed = leagues.change(tx.conn, tx.league.id, rules_text=text.strip() or None)
    before, after = {"rules_text": tx.league.rules_text}, {"rules_text": changed.rules_text}
    if after != before:
        tx.note("league.rules", changed.name, before=before, after=after)
    return changed


def checkup(conn: Connection, order: Order) -> Checkup:
    """Return what a check of the set-up is about; raises NotAllowed."""
    tx = read_transaction(conn, order, by=ORGANISER)
    waiting = len(post_failures.of_league(tx.conn, tx.league.id))
    season = seasons.unpublished(tx.conn, tx.league.id) or seasons.live(tx.conn, tx.league.id)
    problem = held_roles.problem_of(tx.conn, tx.league.id) or ""
    checked = Checkup(league=tx.league, failed=waiting, no_roles=problem)
    if season is None:
        return checked
    settings = rules_season.settings_of(season)
    return replace(checked, places=settings.match_places, join_role=settings.join_role)


def time_zones(typed: str) -> list[str]:
    """Return the names of time zones that contain what is typed, in order."""
    part = typed.strip().casefold().replace(" ", "_")
    return sorted(name for name in available_timezones() if part in name.casefold())


def _zone(name: str) -> str:
    """Return the IANA name of a time zone there is; a name is never taken as a path."""
    try:
        return ZoneInfo(name.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid(f"“{name[:50]}” isn't a time zone. Use a name like Europe/Berlin or UTC.") from None
