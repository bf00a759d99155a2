"""Leagues of a guild: set up, find, audit; files in and out."""

from dataclasses import dataclass
from datetime import datetime
from types import EllipsisType
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.league.names import check_name, look_alike_key
from bot.services import find
from bot.services.act import note
from bot.services.outbox import promises
from bot.services.permissions import Actor, require_organiser
from storage import audit, leagues
from storage.database import Connection, Database
from storage.rows import AuditRow, LeagueId, LeagueRow

PAGE = 10
"""Changes on one page of the audit."""
MOST_LEAGUES = 25
"""As many leagues a guild can have as Discord suggests at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """One page of a league's changes, newest first."""

    rows: tuple[AuditRow, ...]
    page: int
    pages: int


async def create(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    name: str,
    channel_id: int,
    moderator_role_id: int | None = None,
    organiser_role_id: int | None = None,
    moderation_channel_id: int | None = None,
) -> LeagueRow:
    """Set up a league in the actor's guild."""
    if not actor.manage_guild or actor.guild_id is None:
        raise NotAllowed("Setting up a league needs the Manage Server permission. Please ask somebody who has it.")
    title = _title(name)
    async with db.transaction() as conn:
        await _require_free(conn, actor.guild_id, title)
        if len(await leagues.of_guild(conn, actor.guild_id)) >= MOST_LEAGUES:
            raise Conflict(f"This server has {MOST_LEAGUES} leagues already; use one of them with /season create.")
        league = await leagues.add(
            conn,
            guild_id=actor.guild_id,
            name=title,
            name_key=look_alike_key(title),
            channel_id=channel_id,
            moderation_channel_id=moderation_channel_id,
            moderator_role_id=moderator_role_id,
            organiser_role_id=organiser_role_id,
            created_at=now,
        )
        await note(
            conn, actor=actor, now=now, league=league, action="league.create", subject=title, after=_state(league)
        )
        return league


def _title(name: str) -> str:
    """Return a league's name as it is kept; the same rules as for players', in words for leagues."""
    try:
        return check_name(name)
    except Invalid as refused:
        raise Invalid(f"The league's name cannot be used. {refused}") from None


async def _require_free(conn: Connection, guild_id: int, title: str, *, besides: LeagueId | None = None) -> None:
    other = await leagues.by_key(conn, guild_id, look_alike_key(title))
    if other is not None and other.id != besides:
        raise Conflict(f"This server has a league called {other.name} already. Choose another name.")


def _state(league: LeagueRow) -> dict[str, Any]:
    return {key: getattr(league, key) for key in (*_PLACES, "name", "time_zone")}


_PLACES = ("channel_id", "moderation_channel_id", "moderator_role_id", "organiser_role_id")


async def change(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    name: str | EllipsisType = ...,
    time_zone: str | EllipsisType = ...,
    channel_id: int | EllipsisType = ...,
    moderation_channel_id: int | EllipsisType | None = ...,
    moderator_role_id: int | EllipsisType | None = ...,
    organiser_role_id: int | EllipsisType | None = ...,
) -> LeagueRow:
    """Change what is given; the rest stays, and None takes a role or the moderation channel away."""
    given = {
        "channel_id": channel_id,
        "moderation_channel_id": moderation_channel_id,
        "moderator_role_id": moderator_role_id,
        "organiser_role_id": organiser_role_id,
    }
    changes: dict[str, Any] = {key: value for key, value in given.items() if not isinstance(value, EllipsisType)}
    if not isinstance(time_zone, EllipsisType):
        changes["time_zone"] = _zone(time_zone)
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        if not isinstance(name, EllipsisType):
            title = _title(name)
            await _require_free(conn, league.guild_id, title, besides=league.id)
            changes |= {"name": title, "name_key": look_alike_key(title)}
        if not changes:
            return league
        changed = await leagues.change(conn, league.id, **changes)
        await promises.unpark(conn, changed, now=now)
        await note(
            conn, actor=actor, now=now, league=changed, action="league.change", subject=changed.name,
            before=_state(league), after=_state(changed),
        )  # fmt: skip
        return changed


def _zone(name: str) -> str:
    """Return the IANA name of a time zone there is; a name is never taken as a path."""
    try:
        return ZoneInfo(name.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid(
            f"There is no time zone “{name[:50]}”. Use an IANA name, for example Europe/Berlin or UTC."
        ) from None


async def resolve(db: Database, *, guild_id: int, channel_id: int, name: str | None) -> LeagueRow:
    """Return the league somebody means: the named one, else the channel's, else the guild's only one."""
    async with db.snapshot() as conn:
        there = await leagues.of_guild(conn, guild_id)
    if not there:
        raise NotFound("This server has no league yet. Somebody with Manage Server sets one up with /league create.")
    if name is not None:
        return _named(there, name)
    here = [league for league in there if channel_id in (league.channel_id, league.moderation_channel_id)]
    candidates = here or list(there)
    if len(candidates) == 1:
        return candidates[0]
    raise Invalid(
        f"Say which league you mean with the option league: {', '.join(league.name for league in candidates)}."
    )


def _named(there: tuple[LeagueRow, ...], name: str) -> LeagueRow:
    key = look_alike_key(name)
    for league in there:
        if league.name == name.strip() or look_alike_key(league.name) == key:
            return league
    raise NotFound(
        f"This server has no league “{name[:50]}”. Its leagues are {', '.join(league.name for league in there)}."
    )


async def names(db: Database, *, guild_id: int) -> tuple[str, ...]:
    """Return the names of a guild's leagues, for autocomplete."""
    async with db.snapshot() as conn:
        return tuple(league.name for league in await leagues.of_guild(conn, guild_id))


async def by_id(db: Database, league_id: LeagueId) -> LeagueRow:
    """Return a league; raises NotFound."""
    async with db.snapshot() as conn:
        return await find.league(conn, league_id)


async def find_league(db: Database, *, name: str, guild_id: int | None = None) -> LeagueRow:
    """Return the league of a name for the program, in any guild where it is unique; raises NotFound and Invalid."""
    async with db.snapshot() as conn:
        found = [
            league
            for league in await leagues.everywhere(conn)
            if league.name == name or look_alike_key(league.name) == look_alike_key(name)
        ]
    here = [league for league in found if guild_id in (None, league.guild_id)]
    if not here:
        raise NotFound(f"there is no league {name!r} in this database; /league create on Discord sets one up")
    if len(here) > 1:
        guilds = ", ".join(str(league.guild_id) for league in here)
        raise Invalid(f"several servers have a league {name!r}; choose one with --guild: {guilds}")
    return here[0]


async def audit_page(db: Database, *, actor: Actor, league_id: LeagueId, page: int = 1) -> AuditPage:
    """Return a page of who did what, newest first; a page beyond the last is the last."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        pages = max(1, -(-await audit.count(conn, league.id) // PAGE))
        shown = min(max(page, 1), pages)
        rows = await audit.page(conn, league.id, limit=PAGE, offset=(shown - 1) * PAGE)
    return AuditPage(rows=rows, page=shown, pages=pages)
