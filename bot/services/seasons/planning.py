"""A season's plan: sign-ups open with its settings; until the start all can change, later those that never pair."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.phases import PLAYING, SeasonPhase
from bot.services.act import Act, act
from bot.services.outbox.promises import PostKind
from bot.services.permissions import Actor
from bot.services.rounds import progress
from bot.services.seasons.overview import SeasonView, view
from storage.database import Database
from storage.rows import LeagueId, SeasonRow
from storage.tables import entrants, seasons

NEVER_PAIRING = ("advance", "overdue", "round_days", "confirm_hours", "max_players")
"""Settings that change no pairing: an organiser can change them while the season is played."""


async def create(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    format: str,
    settings: Mapping[str, Any] | None = None,
    signups_close: datetime | None = None,
    salted: bool = False,
) -> SeasonView:
    """Open sign-ups for a league's next season."""
    async with act(db, actor, now, league_id) as do:
        do.organiser()
        await _require_no_live_season(do)
        given = _without_salt(settings or {})
        if not by_key(format).paired:
            raise Invalid(f"There's no format {format!r} to play. Choose one of {', '.join(f.key for f in ALL)}.")
        by_key(format).read_settings(given)
        _require_ahead(signups_close, now)
        do.found = await seasons.add(
            do.conn,
            league_id=league_id,
            number=await seasons.next_number(do.conn, league_id),
            format=format,
            settings=given,
            salted=salted,
            phase=SeasonPhase.SIGNUP,
            signups_close=signups_close,
        )
        after = {"format": format, "salted": salted, **_state(do.season)}
        await do.note("season.create", f"season {do.season.number}", after=after)
        await do.owe(PostKind.SIGNUP)
        return await view(do)


async def _require_no_live_season(do: Act) -> None:
    live = await seasons.live(do.conn, do.league.id)
    if live is not None and live.phase is SeasonPhase.SIGNUP:
        raise Conflict(
            f"Sign-ups for season {live.number} are already open. /season start starts it, /season settings changes it,"
            " /season cancel cancels it."
        )
    if live is not None:
        raise Conflict(f"Season {live.number} is still running. /season finish or /season cancel ends it first.")


async def change_settings(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    settings: Mapping[str, Any] | None = None,
    **closing: Any,
) -> SeasonView:
    """Change settings, and `signups_close` where it is given: any before the start, later those that never pair."""
    async with act(db, actor, now, league_id) as do:
        do.organiser()
        before, given = await do.live_season(), _without_salt(settings or {})
        if before.phase in PLAYING:
            _require_harmless(before, {**given, **closing})
        _require_ahead(closing.get("signups_close"), now)
        merged = {**before.settings, **given}
        await _require_seats(do, by_key(before.format).read_settings(merged).max_players)
        await do.change_season(settings=merged, **closing)
        await do.note("season.settings", f"season {before.number}", before=_state(before), after=_state(do.season))
        await do.touch()
        await progress.advance(do)
        await do.reload()
        return await view(do)


def _state(season: SeasonRow) -> dict[str, Any]:
    closing = season.signups_close
    return {"settings": season.settings, "signups_close": closing and closing.isoformat()}


def _require_harmless(season: SeasonRow, given: Mapping[str, Any]) -> None:
    changed = [key for key in given if key == "signups_close" or season.settings.get(key) != given[key]]
    fixed = [key for key in changed if key not in NEVER_PAIRING]
    if fixed:
        raise WrongPhase(
            f"{', '.join(fixed)}: fixed since season {season.number} started."
            f" Only {', '.join(NEVER_PAIRING)} can change while it's running."
        )


async def _require_seats(do: Act, limit: int | None) -> None:
    count = sum(who.active for who in await entrants.of_season(do.conn, do.season.id))
    if limit is not None and limit < count:
        raise Conflict(f"max_players: {count} are already in season {do.season.number}. Choose at least that many.")


def _without_salt(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain settings; the salt itself can't be chosen, because that would be choosing the draw."""
    if settings.get("salt") is not None:
        raise Invalid("salt: it's made from the names when sign-ups close. Choose yes or no.")
    return {key: value for key, value in settings.items() if key != "salt"}


def _require_ahead(moment: datetime | None, now: datetime) -> None:
    if moment is not None and moment <= now:
        raise Invalid("signups_close: that time has passed. Try 3d or 12h.")
