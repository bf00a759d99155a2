"""Seasons: open sign-ups, start, look, change settings, cancel, finish."""

from typing import Any

from discord import app_commands

from bot.league import formats
from bot.league.phases import PLAYING, SeasonPhase
from bot.services.seasons import lifecycle, overview, planning
from bot.services.seasons.overview import SeasonView
from cogs.ui.ask_first import AskedFirst
from cogs.ui.commands import Reason, command
from cogs.ui.context import Asked, Interaction, LeagueCog, Ordered, asked, by, league_meant
from cogs.ui.options.dates import read_date
from cogs.ui.options.names import LeagueName, SeasonNumber
from cogs.ui.options.season_settings import read_options, with_settings
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import count, pages, shown, when, with_commands

FORMATS = [app_commands.Choice(name=format_.title, value=format_.key) for format_ in formats.ALL]
CLOSING = "When sign-ups close and the season starts: 2026-12-01 18:00, 3d or 12h"


class Seasons(LeagueCog):
    """Seasons, from sign-ups to the end."""

    season = app_commands.Group(name="season", description="Open, start and end seasons (organisers)")

    @command(season, format="How the season is played", signups_close=CLOSING)
    @app_commands.choices(format=FORMATS)
    @with_settings()
    async def create(
        self,
        interaction: Interaction,
        format: str,
        signups_close: str | None = None,
        league: LeagueName | None = None,
        **given: Any,
    ) -> Reply:
        """Open sign-ups for the next season."""
        who, meant = by(interaction), await league_meant(interaction, league)
        said, salted = read_options(given)
        closing = read_date(signups_close, now=who["now"], time_zone=meant.time_zone) if signups_close else None
        view = await planning.create(
            **who, league_id=meant.id, format=format, settings=said, signups_close=closing, salted=bool(salted)
        )
        return season_answer(view, f"Sign-ups for season {view.season.number} are open in <#{meant.channel_id}>.")

    @command(season)
    async def start(self, who: Ordered) -> Reply:
        """End sign-ups, pair round 1 and post it."""
        view = await lifecycle.start(**who)
        return season_answer(view, f"Season {view.season.number} has started.")

    @command(season)
    async def status(self, who: Asked, season: SeasonNumber | None = None) -> Reply:
        """Show how the season is going and what comes next."""
        return season_answer(await overview.status(**who, number=season))

    @command(season, signups_close=CLOSING)
    @with_settings(leave_out=("salt",))
    async def settings(
        self, interaction: Interaction, signups_close: str | None = None, league: LeagueName | None = None, **given: Any
    ) -> Reply:
        """Show or change the season's settings."""
        who, meant = by(interaction), await league_meant(interaction, league)
        said, _ = read_options(given)
        changes: dict[str, Any] = {"settings": said} if said else {}
        if signups_close:
            changes["signups_close"] = read_date(signups_close, now=who["now"], time_zone=meant.time_zone)
        if not changes:
            return settings_answer(await overview.status(**await asked(interaction, league)))
        changed = await planning.change_settings(**who, league_id=meant.id, **changes)
        return settings_answer(changed, "Settings saved.")

    @command(season)
    async def cancel(self, who: Ordered, reason: Reason | None = None) -> Reply:
        """Cancel the season; rounds already played stay on record."""
        return await CANCEL_SEASON.first(who, reason=reason)

    @command(season)
    async def finish(self, who: Ordered, reason: Reason | None = None) -> Reply:
        """End the season now, with the results so far."""
        return await FINISH.first(who, reason=reason)


CANCEL_SEASON = AskedFirst("cancel-season", title="Cancel the season?", yes="Cancel the season", no="Keep it")
FINISH = AskedFirst("finish-season", title="Finish the season now?", yes="Finish the season", no="Play on")


@CANCEL_SEASON.does
async def cancel_season(who: Ordered, agreed: str, reason: str | None = None) -> str:
    """Cancel the season once an organiser has agreed to what is lost."""
    await lifecycle.cancel(**who, reason=reason, agreed=agreed)
    return "The season is cancelled. `/season create` opens the next one."


@FINISH.does
async def finish_season(who: Ordered, agreed: str, reason: str | None = None) -> str:
    """End the season once an organiser has agreed to what is no longer played."""
    await lifecycle.finish(**who, reason=reason, agreed=agreed)
    return "The season is finished. `/standings` shows how it ended."


PHASES = {
    SeasonPhase.SIGNUP: "sign-ups are open",
    SeasonPhase.RUNNING: "running",
    SeasonPhase.FINALS: "finals",
    SeasonPhase.FINISHED: "finished",
    SeasonPhase.CANCELLED: "cancelled",
}


def season_answer(view: SeasonView, done: str = "") -> Answer:
    """Return how a season is going and what comes next."""
    row = view.season
    lines = [done] if done else []
    lines.append(f"{shown(view.format_title)} · {count(len(view.entrants), 'player')}")
    if row.phase is SeasonPhase.SIGNUP:
        closing = when(row.signups_close) if row.signups_close else "when an organiser starts the season"
        lines.append(f"Sign-ups close {closing}")
    if view.current_round is not None and row.phase in PLAYING:
        current = view.current_round
        done_ones = len(current.matches) - len(current.missing)
        lines.append(f"{current.round.name}: {done_ones} of {count(len(current.matches), 'result')} confirmed")
    if view.champion is not None:
        lines.append(f"🏆 Champion: {shown(view.champion)}")
    lines.append(f"**Next:** {with_commands(view.next_step)}")
    title = f"{shown(view.league.name)}, season {row.number}: {PHASES[row.phase]}"
    return card(title, "\n".join(lines))


def settings_answer(view: SeasonView, done: str = "") -> Answer:
    """Return a season's settings: what organisers set, and all its rules."""
    salt = {"salt": "made when sign-ups close"} if view.season.salted else {}
    said = [f"`{key}` = {shown(str(value))}" for key, value in {**salt, **view.settings.explicit}.items()]
    lines = [done] if done else []
    lines += ["Set by an organiser: " + (", ".join(said) or "nothing; these are the defaults"), ""]
    lines += [f"• {shown(rule)}" for rule in view.rules]
    title = f"{shown(view.league.name)}, season {view.season.number}: settings"
    return card(title, pages(lines)[0])
