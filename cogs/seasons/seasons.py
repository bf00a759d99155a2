"""Seasons: prepare, start, how one goes and what comes next with the button that ends it, settings, cancel."""

from discord import app_commands

from bot.league import formats
from bot.league.season.in_words import amount, first_few
from bot.league.season.phases import LIVE, PLAYING, RoundPhase, SeasonPhase
from bot.services.base import find
from bot.services.base.permissions import is_organiser, require_organiser
from bot.services.reads import overview
from bot.services.reads.overview import SeasonView
from bot.services.seasons import lifecycle, planning, plans
from cogs.matches.words import paused_until
from cogs.play.round_card import END, end_round
from cogs.seasons.pause import pause_season
from cogs.seasons.season_panel import change_typed, panel, with_rights
from cogs.seasons.season_settings import SettingKey, SettingValue, all_settings
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.dates import read_date
from cogs.ui.options.names import SeasonNumber
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import season_title, shown, when, with_commands
from storage.rows import LeagueId

FORMATS = [
    app_commands.Choice(name=f"{format_.title}: {format_.sentence}", value=format_.key) for format_ in formats.ALL
]
CLOSING = "When sign-ups close and the season starts: 2026-12-01 18:00, 3d or 12h"


EVERYONE = "Why; everyone in the season is told and reads it"


class Seasons(LeagueCog):
    """Seasons, from sign-ups to the end."""

    @command(
        "season",
        format="How the season is played",
        signups_close=CLOSING,
        copy_from="Number of an earlier season, to copy its settings",
        number="For a league's first season: 7 if six were played elsewhere",
    )
    @app_commands.choices(format=FORMATS)
    @app_commands.rename(copy_from="from")
    async def create(
        self,
        asker: Caller,
        format: str,
        copy_from: SeasonNumber | None = None,
        signups_close: str | None = None,
        number: app_commands.Range[int, 1, planning.HIGHEST_NUMBER] | None = None,
    ) -> Reply:
        """Prepare the next season. Only organisers see it until you open sign-ups."""
        league = await asker.read(find.league_as_organiser)
        closing = read_date(signups_close, now=asker.now, time_zone=league.time_zone) if signups_close else None
        plan = await asker.write(
            planning.prepare, format=format, signups_close=closing, copy_from=copy_from, number=number
        )
        return with_rights(asker.interaction, plan)

    @command("season")
    async def start(self, asker: Caller) -> Reply:
        """End sign-ups, pair round 1 and post it."""
        return await start_season(asker)

    @command("season")
    async def status(self, asker: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show how the season is going and what comes next."""
        return season_answer(asker, await asker.read(overview.status, number=season))

    @command(
        "season",
        season="Number of the season; the prepared one, or the newest, if left out",
        setting="What to change; leave it out to see everything",
        value="The new value; default for the format's own",
    )
    async def settings(
        self,
        asker: Caller,
        setting: SettingKey | None = None,
        value: SettingValue | None = None,
        season: SeasonNumber | None = None,
    ) -> Reply:
        """Show the season's settings; organisers change them."""
        plan = await asker.read(plans.plan, number=season)
        if setting is not None:
            require_organiser(plan.league, asker.actor)
            changed = await change_typed(asker.interaction, plan, setting, value or "")
            return with_rights(asker.interaction, changed, note="Settings saved.")
        if plan.season.phase not in (*LIVE, SeasonPhase.UNPUBLISHED) or not is_organiser(plan.league, asker.actor):
            return card(f"{shown(plan.league.name)}, season {plan.number}: settings", "\n".join(all_settings(plan)))
        return panel(plan)

    @command("season", until="When the season goes on: 2026-12-27 18:00, 7d or 12h; leave it out to see the pause")
    async def pause(self, asker: Caller, until: str | None = None) -> Reply:
        """Take a break: no new round is posted, and deadlines move."""
        if until is None:
            return await pause_season(asker, None)
        league = await asker.read(find.league_as_organiser)
        return await pause_season(asker, read_date(until, now=asker.now, time_zone=league.time_zone))

    @command("season", reason=EVERYONE)
    async def cancel(self, asker: Caller, reason: Reason | None = None) -> Reply:
        """Cancel the season; rounds already played stay on record."""
        return await cancel_season(asker, reason=reason)


@with_confirmation("start-season", "Start the season now?", yes="Start anyway", no="Don't start yet")
async def start_season(asker: Caller, *, agreed: str = "") -> Answer:
    """Start the season, once an organiser has agreed to what it costs."""
    season = await asker.enter(asker.live_season, lifecycle.start, agreed=agreed)
    view = await asker.read(overview.status, number=season.number)
    return season_answer(asker, view, f"Season {season.number} has started.")


@with_confirmation("cancel-season", "Cancel the season?", yes="Cancel the season", no="Keep it")
async def cancel_season(asker: Caller, *, reason: str | None = None, agreed: str = "") -> str:
    """Cancel the season once an organiser has agreed to what is lost."""
    cancelled = await asker.write(lifecycle.cancel, reason=reason, agreed=agreed)
    if cancelled.phase is SeasonPhase.UNPUBLISHED:
        return "The prepared season is discarded. Nothing was posted, and no number was used."
    return "The season is cancelled. `/season create` prepares the next one."


@action("finish-season", form=True)
async def end_now(press: Press, league: LeagueId) -> Reply:
    """Ask why the season ends before it's played out."""
    asker = press.who.of(league)
    require_organiser((await asker.read(overview.status)).league, asker.actor)
    return FinishForm(league)


class FinishForm(Form):
    """Why a season ends with the results so far."""

    def __init__(self, league: LeagueId) -> None:
        super().__init__("Finish the season")
        self._league = league
        self._reason = self.ask(
            "reason", "Why", limit=300, note="Everyone in the season is told and reads it.", required=False
        )

    async def answer(self, interaction: Interaction) -> Reply:
        """Ask whether the season ends now, with what is no longer played."""
        return await finish_season(caller(interaction).of(self._league), reason=self._reason.value or None)


@with_confirmation("finish-season", "Finish the season now?", yes="Finish the season", no="Play on")
async def finish_season(asker: Caller, *, reason: str | None = None, agreed: str = "") -> str:
    """End the season once an organiser has agreed to what is no longer played."""
    await asker.write(lifecycle.finish, reason=reason, agreed=agreed)
    return "The season is finished. `/standings` shows how it ended."


_NAMED = 10
"""As many of those who sit a round out as are named."""
PHASES = {
    SeasonPhase.SIGNUP: "sign-ups are open",
    SeasonPhase.RUNNING: "running",
    SeasonPhase.FINALS: "finals",
    SeasonPhase.FINISHED: "finished",
    SeasonPhase.CANCELLED: "cancelled",
}


def season_answer(asker: Caller, view: SeasonView, done: str = "") -> Answer:
    """Return how a season is going and what comes next; organisers can end it where no result is missing."""
    row = view.season
    lines = [done] if done else []
    shape = f" · {view.shape}" if view.shape else ""
    lines.append(f"{shown(view.format_title)} · {amount(len(view.entrants), 'player')}{shape}")
    if row.phase is SeasonPhase.SIGNUP:
        closing = when(row.signups_close) if row.signups_close else "when an organiser starts the season"
        lines.append(f"Sign-ups close {closing}")
    lines += filter(None, [paused_until(row) if row.phase in PLAYING else ""])
    if view.current_round is not None and row.phase in PLAYING:
        current = view.current_round
        done_ones = len(current.matches) - len(current.missing)
        lines.append(f"{current.round.name}: {done_ones} of {amount(len(current.matches), 'result')} confirmed")
    lines += [line for line in (*view.also, with_commands(view.late_posts)) if line]
    lines += [
        f"Sitting out round {number}: {shown(first_few(names, _NAMED))}" for number, names in view.sitting_out.items()
    ]
    if view.champion is not None:
        lines.append(f"🏆 Champion: {shown(view.champion)}")
    lines.append(f"**Next:** {with_commands(view.next_step)}")
    title = season_title(view) if done else f"{season_title(view)}: {PHASES[row.phase]}"
    waits = view.current_round is not None and view.current_round.missing
    ends = row.phase in PLAYING and not waits and is_organiser(view.league, asker.actor)
    buttons = (end_now(view.league.id).button("Finish the season"),) if ends else ()
    if ends and view.current_round is not None and view.current_round.round.phase is RoundPhase.OPEN:
        buttons = (end_round(view.league.id).button(END), *buttons)
    return card(title, "\n".join(lines), buttons=buttons)
