"""Say in the welcome post which of its steps comes next, and who has to act."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.league.errors import LeagueError
from bot.league.season.in_words import amount
from bot.league.season.phases import MatchState, SeasonPhase
from bot.practice import welcome
from bot.practice.simulation import Simulation
from bot.practice.world import MODERATOR, ORGANISER, PLAYERS, World
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.views import MatchView
from bot.services.reads import overview
from bot.services.reads.overview import SeasonView
from cogs.ui.text import listed, shown, with_commands
from storage.database import Database


async def newest_season(db: Database, world: World) -> SeasonView | None:
    """Return the state of the league's newest season, or None before the first."""
    try:
        reader = replace(BOT, guild_id=world.guild.id)
        league = await db.read(
            find.league_meant, Order(actor=reader, now=datetime.now(UTC)), channel_id=world.league.id, name=None
        )
        return await db.read(overview.status, Order(actor=reader, now=datetime.now(UTC), league_id=league.id))
    except LeagueError:
        return None


async def show(simulation: Simulation, db: Database, *, autoplay: bool = False, pages: str = "") -> None:
    """Write the next step into the welcome post, if it has changed; the caller holds the lock."""
    world, backend = simulation.world, simulation.env.backend
    season = await newest_season(db, world)
    begun = season is not None and (season.current_round is not None or (season.season.number or 0) > 1)
    text = welcome.text(here(season), autoplay=autoplay, pages=pages if begun else "")
    post = min(backend.messages[world.welcome.id].values(), key=lambda message: message.id, default=None)
    if post is not None and post.content != text:
        backend.edit_message(world.welcome.id, post.id, {"content": text})


def here(season: SeasonView | None) -> str:
    """Return the number of the next step, and what is missing for it."""
    if season is None:
        return _step(1, "There's no season yet.")
    match season.season.phase:
        case SeasonPhase.SIGNUP:
            return _before_start(season)
        case SeasonPhase.RUNNING | SeasonPhase.FINALS:
            return _during(season)
        case SeasonPhase.FINISHED:
            words = f"**{shown(season.champion)}** is its champion" if season.champion else "It has no champion"
            return _step(1, f"Season {season.season.number} is over. {words}; the next season can use any format.")
        case SeasonPhase.UNPUBLISHED:
            return _step(1, "The season is prepared. As its organiser, press **Open sign-ups**.")
        case SeasonPhase.CANCELLED:
            return _step(1, "The season was cancelled; the next one can use any format.")


def _step(number: int, words: str) -> str:
    return f"> **You are here: step {number}.** {words}"


def _before_start(season: SeasonView) -> str:
    names = {entrant.name for entrant in season.entrants}
    missing = [name for name in PLAYERS if name not in names]
    if not missing:
        return _step(3, f"Everyone has joined; {ORGANISER} starts the season.")
    return _step(2, f"{shown(listed(missing))} can still join. {with_commands(season.next_step)}")


def _during(season: SeasonView) -> str:
    missing = season.current_round.missing if season.current_round is not None else ()
    if not missing:
        return _step(5, with_commands(season.next_step))
    # What has begun comes first.
    match = min(missing, key=lambda view: view.match.state is MatchState.OPEN)
    left = amount(len(missing), "match waits", "matches wait")
    return _step(4, f"{match.round.name}: {left} for a result. Next **{shown(match.heading)}**: {_to_do(match)}")


def _to_do(match: MatchView) -> str:
    if match.match.state is MatchState.DISPUTED:
        return f"act as {MODERATOR} and decide in #moderators."
    if match.match.state is MatchState.REPORTED and match.reports:
        reporter = match.side(match.reports[-1].entrant_id)
        return f"act as {shown(match.opponent_of(reporter).name)} and press **Confirm** or **Dispute**."
    return f"act as {' or '.join(shown(side.name) for side in match.sides)} and press **Report**."
