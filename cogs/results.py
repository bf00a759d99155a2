"""Results from the players: report, confirm, dispute, as commands and as buttons on the match posts."""

from typing import Any, Literal

from discord import app_commands

from bot.services.matches.views import MatchView
from bot.services.results import reporting
from bot.services.results.reporting import Reported
from cogs.ui.buttons import Form, Press, action
from cogs.ui.context import Interaction, LeagueCog, actor, host, league_meant
from cogs.ui.options.names import LeagueName, OwnMatch
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import shown, when

REASON_LIMIT = 500


class Results(LeagueCog):
    """Reports of players."""

    @app_commands.command(name="report", description="Report your match; your opponent confirms, unless you lost")
    @answered(result="How it ended for you", score="Games, your own first: 2-1")
    async def report(
        self,
        interaction: Interaction,
        result: Literal["won", "lost", "draw"],
        score: app_commands.Range[str, 0, 20] | None = None,
        match: OwnMatch | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Report one's own match."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await reporting.report(
            self.db, actor=who, now=self.now(), league_id=meant.id, match=match, result=result, score=score
        )
        return reported(done, who.user_id)

    @app_commands.command(name="confirm", description="Confirm what your opponent reported")
    @answered()
    async def confirm(
        self, interaction: Interaction, match: OwnMatch | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Confirm the opponent's report."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        return confirmed(await reporting.confirm(self.db, actor=who, now=self.now(), league_id=meant.id, match=match))

    @app_commands.command(name="dispute", description="Contradict what your opponent reported; the moderators decide")
    @answered(reason="What really happened, for the moderators")
    async def dispute(
        self,
        interaction: Interaction,
        reason: app_commands.Range[str, 0, REASON_LIMIT],
        match: OwnMatch | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Contradict the opponent's report."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await reporting.dispute(
            self.db, actor=who, now=self.now(), league_id=meant.id, match=match, reason=reason
        )
        return disputed(view)


def reported(done: Reported, user_id: int | None) -> Answer:
    """Return what a reporter is told."""
    view = done.match
    label = shown(view.label)
    if done.confirmed:
        return Answer(text=f"{label}: {shown(view.state_words)}. That is final.")
    if done.disputed:
        return Answer(text=f"{label}: your reports differ, so the moderators decide. You will be told here.")
    side = view.side_of(user_id)
    opponent = shown(view.opponent_of(side).name) if side is not None else "the opponent"
    silence = f" Silence confirms it {when(view.match.confirm_at)}." if view.match.confirm_at else ""
    begin = "You have said so already" if done.repeated else "Reported"
    return Answer(text=f"{begin}: {label}. {opponent} confirms or disputes.{silence} Reporting again replaces it.")


def confirmed(view: MatchView) -> Answer:
    """Return what somebody who confirmed is told."""
    return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}. That is final.")


def disputed(view: MatchView) -> Answer:
    """Return what somebody who disputed is told."""
    return Answer(text=f"{shown(view.label)} is with the moderators now. You will be told here what they decide.")


async def _report(press: Press, result: str) -> Reply:
    """Report at once where there are no games to count, else ask for them."""
    if press.extra.isdigit() and int(press.extra) > 1:
        return ScoreForm(press, result)
    done = await reporting.report(
        press.db, actor=press.actor, now=press.now, match=press.subject, result=result, version=press.version
    )
    return reported(done, press.actor.user_id)


@action("report-won")
async def report_won(press: Press) -> Reply:
    """Report that the one who presses won."""
    return await _report(press, "won")


@action("report-lost")
async def report_lost(press: Press) -> Reply:
    """Report that the one who presses lost."""
    return await _report(press, "lost")


@action("report-draw")
async def report_draw(press: Press) -> Reply:
    """Report a draw."""
    return await _report(press, "draw")


@action("confirm")
async def confirm_pressed(press: Press) -> Reply:
    """Confirm the opponent's report."""
    view = await reporting.confirm(
        press.db, actor=press.actor, now=press.now, match=press.subject, version=press.version
    )
    return confirmed(view)


@action("dispute")
async def dispute_pressed(press: Press) -> Reply:
    """Ask what really happened."""
    return DisputeForm(press)


class ScoreForm(Form):
    """The games of a match of several."""

    def __init__(self, press: Press, result: str) -> None:
        super().__init__(title="Your match")
        self._press, self._result = press, result
        self._score = self.ask("score", "Games, your own first", limit=20, hint="for example 2-1", required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Report with the score."""
        who, bot, press = actor(interaction), host(interaction), self._press
        done = await reporting.report(
            bot.database,
            actor=who,
            now=bot.now(),
            match=press.subject,
            result=self._result,
            score=self._score.value.strip() or None,
            version=press.version,
        )
        return reported(done, who.user_id)


class DisputeForm(Form):
    """Why a report is wrong."""

    def __init__(self, press: Press) -> None:
        super().__init__(title="Dispute this result")
        self._press = press
        self._reason = self.ask("reason", "What really happened?", limit=REASON_LIMIT, long=True)

    async def answer(self, interaction: Interaction) -> Reply:
        """Send the dispute to the moderators."""
        bot, press = host(interaction), self._press
        view = await reporting.dispute(
            bot.database,
            actor=actor(interaction),
            now=bot.now(),
            match=press.subject,
            reason=self._reason.value,
            version=press.version,
        )
        return disputed(view)


async def setup(bot: Any) -> None:
    """Add the reports to the bot."""
    await bot.add_cog(Results(bot))
