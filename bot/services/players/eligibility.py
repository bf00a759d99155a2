"""From which round on a player can come into a season, or come back into it (docs/rules.md, 9)."""

import asyncio

from bot.league.coming_and_going import can_enter, has_round_left
from bot.league.errors import Conflict, WrongPhase
from bot.league.phases import SeasonPhase
from bot.services.act import Act, Look
from storage import rules_season
from storage.rows import DepartureRow, EntrantRow, SeasonRow
from storage.tables import entrants, rounds


async def next_round(see: Look) -> int:
    """Return the number of the next round to be paired; a preview is paired again when the field changes."""
    latest = await rounds.latest(see.conn, see.season.id)
    return 1 if latest is None else latest.number + 1


async def round_to_enter(do: Act) -> int:
    """Return the first round of a player who enters now; raises WrongPhase."""
    season = do.season
    if season.phase is SeasonPhase.SIGNUP:
        if season.signups_close is not None and season.signups_close <= do.now:
            raise WrongPhase(f"Sign-ups for season {season.number} have closed; it starts in a moment. Try again then.")
        return 1
    require_before_finals(season)
    number = await next_round(do)
    if not can_enter(do.settings, number):
        raise WrongPhase(
            f"Season {season.number} took new players up to round {do.settings.late_entry}, and round {number} is next."
            " Join the next season: its sign-up post will appear in the league's channel."
        )
    return number


def require_before_finals(season: SeasonRow) -> None:
    """Raise WrongPhase once the finals go on: no one is added to a bracket."""
    if season.phase is SeasonPhase.FINALS:
        raise WrongPhase(f"Season {season.number} is in its finals, so no one can join now. Join the next season.")


async def require_open_stage(do: Act, name: str) -> None:
    """Raise WrongPhase where the next round is one of the finals already; asked with the newcomer in the season."""
    season = do.season
    if season.phase is not SeasonPhase.RUNNING:
        return
    facts = await rules_season.load(do.conn, season.id)
    if not await asyncio.to_thread(has_round_left, facts):
        raise WrongPhase(
            f"Season {season.number} has only finals left, so it's too late for {name}. Join the next season."
        )


async def departure(do: Act, entrant: EntrantRow) -> DepartureRow:
    """Return how a player left last; raises Conflict where they never did."""
    row = await entrants.last_departure(do.conn, entrant.id)
    if row is None:
        raise Conflict(f"{entrant.name} hasn't left.")
    return row


async def refuse_waiting(do: Act, entrant: EntrantRow) -> None:
    """Answer a request to come back that is beside the point now."""
    waiting = await entrants.waiting_request(do.conn, entrant.id)
    if waiting is not None:
        await entrants.answer(do.conn, waiting.id, accepted=False, at=do.now)
        await do.touch()
