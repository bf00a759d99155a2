"""From which round on somebody can come into a season, or come back into it (docs/rules.md, 9)."""

import asyncio
from datetime import datetime

from bot.league import coming_and_going
from bot.league.errors import WrongPhase
from bot.league.phases import SeasonPhase
from storage import rounds, rules_season
from storage.database import Connection
from storage.rows import SeasonRow


async def next_round(conn: Connection, season: SeasonRow) -> int:
    """Return the number of the next round to be paired; a draft is paired anew when the field changes."""
    latest = await rounds.latest(conn, season.id)
    return 1 if latest is None else latest.number + 1


async def round_to_enter(conn: Connection, season: SeasonRow, now: datetime) -> int:
    """Return the first round of somebody who enters now; raises WrongPhase."""
    if season.phase is SeasonPhase.SIGNUP:
        if season.signups_close is not None and season.signups_close <= now:
            raise WrongPhase(f"Sign-ups for season {season.number} have closed; it starts in a moment. Try again then.")
        return 1
    require_before_finals(season)
    number, settings = await next_round(conn, season), rules_season.settings_of(season)
    if not coming_and_going.can_enter(settings, number):
        raise WrongPhase(
            f"Season {season.number} took entries up to round {settings.late_entry}; round {number} is next. Join the"
            " next season: its sign-up post will appear in the league's channel."
        )
    return number


def require_before_finals(season: SeasonRow) -> None:
    """Raise WrongPhase once the finals go on: nobody is added to a bracket."""
    if season.phase is SeasonPhase.FINALS:
        raise WrongPhase(f"Season {season.number} is in its finals: nobody can come in. Join the next season.")


async def require_open_stage(conn: Connection, season: SeasonRow, name: str) -> None:
    """Raise WrongPhase where the next round is one of the finals already; asked with the newcomer in the season."""
    if season.phase is not SeasonPhase.RUNNING:
        return
    facts = await rules_season.load(conn, season.id)
    if not await asyncio.to_thread(coming_and_going.has_round_left, facts):
        raise WrongPhase(f"No round of season {season.number} is left for {name} but the finals. Join the next season.")
