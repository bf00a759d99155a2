"""Disputes: what a player can say against a report, and what the one who reported is told and tells the moderators."""

from typing import Any

from bot.league.errors import Invalid
from bot.league.season.in_words import capitalised
from bot.league.season.match_score import Result
from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from bot.services.play.round_posts import DISPUTED, DisputedPost
from bot.services.problems.disputed import own_report, tell
from cogs.matches.as_shown import MatchAsShown
from cogs.matches.words import SAYS, name, report_words
from cogs.play.decisions import case_of
from cogs.play.for_others import is_for_others
from cogs.play.match_card import open_details
from cogs.ui.actions import PRIMARY, Press, action
from cogs.ui.cards import ORANGE, Answer, card
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form, picked
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import cut, quoted, shown
from storage.rows import DisputeRow, EntrantRow, MatchId, ReportRow, Says


def disputed(view: MatchView) -> Answer:
    """Return what the person who disputed is told."""
    return Answer(text=f"The moderators will decide {shown(view.label)}. You'll be told.")


_OTHER = "other"
"""What a player chooses who says something else."""


@action("dispute", form=True)
async def dispute(press: Press, match: MatchAsShown) -> Reply:
    """Ask what really happened, unless this person can't dispute the report; a moderator of others decides it."""
    if is_for_others(press.who, match):
        return await case_of(press.who, match)
    reporting.require_disputable(match, press.who.actor)
    return DisputeForm(match)


class DisputeForm(Form):
    """Why a report is wrong."""

    def __init__(self, view: MatchView) -> None:
        super().__init__(title="Dispute this result")
        self._seen = view.seen
        reporter = view.opponent_of(view.asked)
        report, says = view.reports[-1], {str(Says.WON): "I won"}
        if view.draws and report.result is not Result.DRAW:
            says[Says.DRAW] = "It was a draw"
        if view.best_of > 1 or any(report.scoreline):
            says[Says.SCORE] = "The score is wrong"
        says |= {str(Says.NOT_PLAYED): "We didn't play", _OTHER: "Something else"}
        self._says = self.choose("says", "What really happened?", says)
        readers = f"If you like. Only {cut(reporter.called, 40)} and the moderators read it."
        self._reason = self.ask("reason", "In your words", limit=500, long=True, required=False, note=readers)

    async def answer(self, interaction: Interaction) -> Reply:
        """Send the dispute to the moderators."""
        statement = picked(self._says)
        if statement == _OTHER and not self._reason.value.strip():
            raise Invalid("Write in a few words what really happened.")
        what: dict[str, Any] = {"reason": self._reason.value, "says": None if statement == _OTHER else Says(statement)}
        return disputed(await caller(interaction).write(reporting.dispute, **self._seen, **what))


@action("tell-moderators", form=True)
async def tell_moderators(press: Press, match: MatchId) -> Reply:
    """Ask a player whose report is disputed what happened."""
    view = await press.who.read(match_finding.match_meant, match=match)
    return TellForm(view, own_report(view, press.who.actor))


class TellForm(Form):
    """What a player tells the moderators about their disputed report."""

    def __init__(self, view: MatchView, report: ReportRow) -> None:
        super().__init__(title="Tell the moderators")
        self._match = view.match.id
        opponent = view.opponent_of(view.side(report.entrant_id))
        readers = f"Only {cut(opponent.called, 40)} and the moderators read it. You can change it until they decide."
        self._text = self.ask("text", "What happened?", limit=500, long=True, note=readers)
        self._text.default = report.statement

    async def answer(self, interaction: Interaction) -> Reply:
        """Keep it for the moderators."""
        view = await caller(interaction).write(tell, match=self._match, text=self._text.value)
        return Answer(text=f"The moderators read it when they decide {shown(view.label)}. You'll be told.")


@renders(DISPUTED)
def disputed_post(post: DisputedPost) -> Answer:
    """Return a dispute for the player who reported, with what the opponent says and who reads the answer."""
    view, opponent = post.view, post.view.opponent_of(post.side)
    mine, dispute = view.report_of(post.side), view.dispute
    assert dispute is not None
    reported = "" if mine is None else f" You reported: **{report_words(mine)}**."
    against = view.against(post.side)
    lines = [f"{shown(capitalised(against))}.{reported}", _opponent_says(view, opponent)]
    if post.words:
        lines.append(f"“{quoted(post.words, 500)}”")
    lines.append("The moderators decide. You can tell them what happened.")
    buttons = (
        tell_moderators(view.match.id).button("Tell the moderators", PRIMARY),
        open_details(view.match.id).button("Details"),
    )
    small = f"Only {shown(opponent.called)} and the moderators read what you write."
    return card(f"{shown(view.heading)}: two answers", "\n".join(lines), footer=small, buttons=buttons, colour=ORANGE)


def _opponent_says(view: MatchView, opponent: EntrantRow) -> str:
    dispute, theirs, opponent_name = view.dispute, view.report_of(opponent), shown(opponent.called)
    if dispute is not None and dispute.entrant_id == opponent.id and dispute.says is not None:
        return (
            f"{opponent_name} says: **{f'{opponent_name} won' if dispute.says is Says.WON else SAYS[dispute.says]}**."
        )
    if theirs is not None:
        return f"{opponent_name} reported: **{report_words(theirs, opponent_name)}**."
    if dispute is not None and dispute.entrant_id == opponent.id:
        return f"{opponent_name} says that's wrong."
    return "A moderator disputed it."


def dispute_step(view: MatchView, dispute_row: DisputeRow) -> str:
    """Return a dispute as a line of its match's history."""
    if dispute_row.entrant_id is None:
        return shown(dispute_row.reason) or "It was disputed."
    says = f": {SAYS[dispute_row.says]}." if dispute_row.says is not None else "."
    words = f" “{quoted(dispute_row.reason)}”" if dispute_row.reason else ""
    return f"{name(view.side(dispute_row.entrant_id))} disputed it{says}{words}"
