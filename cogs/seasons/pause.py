"""A break in the season: asked first with what it does, shown while it lasts, ended early by a button."""

from datetime import datetime

from bot.league.errors import Invalid
from bot.services.seasons import pausing
from bot.services.seasons.pausing import PAUSE, PausePost
from cogs.matches.words import paused_until
from cogs.ui.actions import PRIMARY, Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller
from cogs.ui.posts import renders
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown, when
from storage.rows import LeagueId


async def pause_season(asker: Caller, until: datetime | None) -> Answer:
    """Ask whether the season is to pause until a moment; without one, show the pause that goes on."""
    if until is not None:
        return await _pause(asker, until)
    season = await asker.read(pausing.paused)
    if season.paused_until is None:
        raise Invalid("Until when? Fill in the option until, for example 7d or 2026-12-27 18:00.")
    return card(
        f"Season {season.number} is paused",
        paused_until(season),
        buttons=(end_early(asker.league_id).button("End the pause"),),
    )


def _until(until: datetime) -> str:
    return f"Until {when(until)}.\n"


@with_confirmation("pause", "Pause the season?", yes="Pause the season", no="Play on", style=PRIMARY, above=_until)
async def _pause(asker: Caller, until: datetime, *, agreed: str = "") -> str:
    season = await asker.write(pausing.pause, until=until, agreed=agreed)
    return f"Season {season.number} is paused until {when(season.paused_until)}."


@with_confirmation("end-pause", "End the pause now?", yes="End the pause", no="Stay paused")
async def end_pause(asker: Caller, *, agreed: str = "") -> str:
    """End the pause once an organiser has agreed to what moves back."""
    season = await asker.write(pausing.end, agreed=agreed)
    return f"The pause of season {season.number} is over. Players are told."


@action("end-pause")
async def end_early(press: Press, league: LeagueId) -> Reply:
    """Ask whether the pause is to end now."""
    return await end_pause(press.who.of(league))


@renders(PAUSE)
def pause(post: PausePost) -> Answer:
    """Return the news of a pause, or of its early end."""
    league, number = shown(post.league.name), post.season.number
    row = post.round
    deadline = "" if row is None else f"\nThe deadline of {row.stage_words} is now {when(row.deadline)}."
    if post.season.paused_until is None:
        return card(f"{league}: season {number} goes on", f"The pause is over.{deadline}")
    keep = "Times you agreed on stay. You still have to confirm results; everything else waits."
    return card(f"{league}: season {number} is paused", f"{paused_until(post.season)}{deadline}\n{keep}")
