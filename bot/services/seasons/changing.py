"""A season's settings, changed before the start and, where they change no pairing, while it is played."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.phases import PLAYING
from bot.services.act import Act, act
from bot.services.permissions import Actor
from bot.services.rounds import progress
from bot.services.seasons.overview import SeasonView, view
from storage import entrants
from storage.database import Database
from storage.rows import LeagueId, SeasonRow

NEVER_PAIRING = ("advance", "overdue", "round_days", "confirm_hours", "max_players")
"""Settings that change no pairing: an organiser can change them while the season is played."""


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
        before, given = await do.live_season(), without_salt(settings or {})
        if before.phase in PLAYING:
            _require_harmless(before, {**given, **closing})
        require_ahead(closing.get("signups_close"), now)
        merged = {**before.settings, **given}
        await _require_seats(do, by_key(before.format).read_settings(merged).max_players)
        await do.change_season(settings=merged)
        if closing:
            await do.change_season(signups_close=closing["signups_close"])
        await do.note("season.settings", f"season {before.number}", before=_state(before), after=_state(do.season))
        await do.touch()
        if before.phase in PLAYING:
            await progress.advance(do)
            await do.reload()
        return await view(do)


def _state(season: SeasonRow) -> dict[str, Any]:
    return {"settings": season.settings, "signups_close": iso(season.signups_close)}


def _require_harmless(season: SeasonRow, given: Mapping[str, Any]) -> None:
    fixed = [
        key
        for key, value in given.items()
        if key == "signups_close" or (key not in NEVER_PAIRING and season.settings.get(key) != value)
    ]
    if fixed:
        raise WrongPhase(
            f"{', '.join(fixed)}: fixed since season {season.number} started."
            f" Only {', '.join(NEVER_PAIRING)} can change while it is played."
        )


async def _require_seats(do: Act, limit: int | None) -> None:
    count = sum(who.active for who in await entrants.of_season(do.conn, do.season.id))
    if limit is not None and limit < count:
        raise Conflict(f"max_players: {count} are already in season {do.season.number}. Choose at least that many.")


def without_salt(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain settings; the salt itself cannot be chosen, or they would choose the draw."""
    if settings.get("salt") is not None:
        raise Invalid("salt: it's made from the names when sign-ups close. Choose only yes or no.")
    return {key: value for key, value in settings.items() if key != "salt"}


def require_ahead(moment: datetime | None, now: datetime) -> None:
    """Raise Invalid where a closing time has passed."""
    if moment is not None and moment <= now:
        raise Invalid("signups_close: that time has passed. Try 3d or 12h.")


def iso(moment: datetime | None) -> str | None:
    """Return a time as the audit shows it."""
    return None if moment is None else moment.isoformat()
