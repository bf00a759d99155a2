"""What a moderator who doesn't play in a match can do about its report: confirm it for the other, or decide it."""

from collections.abc import Callable
from dataclasses import replace

import discord

from bot.services.base.permissions import is_moderator, require_moderator
from bot.services.matches.views import MatchView
from bot.services.play import decisions, reporting
from cogs.play.decisions import decided, decision_buttons, statement_lines
from cogs.ui.actions import Doing, Press
from cogs.ui.cards import Answer
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.questions import question
from cogs.ui.replies import Reply
from cogs.ui.text import cut, quoted, shown


def is_for_others(asker: Caller, view: MatchView) -> bool:
    """Whether someone looks at a match as a moderator who doesn't play in it."""
    return view.side_of(asker.actor.user_id) is None and is_moderator(view.league, asker.actor)


async def confirm_for(asker: Caller, view: MatchView, take_back: Callable[[MatchView], Doing]) -> Reply:
    """Ask for the reason of confirming a report for the player it waits for."""
    reporting.require_waiting(view, None, "confirm")
    return ConfirmForm(view, take_back, follows=await asker.read(decisions.what_follows, match=view.match.id))


class ConfirmForm(Form):
    """Why a moderator confirms a report for someone else."""

    def __init__(self, view: MatchView, take_back: Callable[[MatchView], Doing], *, follows: str) -> None:
        super().__init__(title=f"Confirm it for {cut(view.asked.called, 24)}?")
        self._seen, self._take_back = view.seen, take_back
        words = f"You don't play in this match. {view.said(view.reports[-1])}. Confirmed, it counts at once."
        self.add_item(discord.ui.TextDisplay(shown(f"{words} {follows}".strip())))
        readers = "Both players and the moderators read it. The channel reads only the decision."
        self._reason = self.ask("reason", "Reason", limit=500, long=True, note=readers)

    async def answer(self, interaction: Interaction) -> Reply:
        """Confirm it, and say how it can be undone."""
        asker = caller(interaction)
        view = await asker.write(decisions.confirm_for, **self._seen, reason=self._reason.value)
        until = reporting.can_take_back(view, asker.actor, asker.order.now)
        if until is None:
            return Answer(text=f"{decided(view).text} A mistake? `/result set` corrects it.")
        text = f"{decided(view).text} Until {discord.utils.format_dt(until, 't')} you can take it back."
        return Answer(text=text, buttons=(self._take_back(view).button("Take back"),))


def dispute_for(view: MatchView, reason: str) -> Answer:
    """Ask a moderator who typed a dispute of others' match, with the ways to decide it beside."""
    reporting.require_waiting(view, None, "dispute")

    async def then(press: Press) -> Answer:
        require_moderator(view.league, press.who.actor)
        after = await press.who.write(reporting.dispute, **view.seen, reason=reason)
        return Answer(text=f"{shown(after.label)} is disputed, and waits for a decision in `/disputes`.")

    step = f"You don't play in this match. Disputed, {shown(view.asked.called)} isn't asked any more, and both wait."
    asked = question(
        "dispute-for",
        f"Dispute {shown(view.label)}?",
        "\n".join([*statement_lines(view), "", step, "Or decide it at once:"]),
        yes="Dispute it",
        no="Leave it",
        then=then,
        footer=f"Reason: {quoted(reason)}",
    )
    return replace(asked, buttons=(*asked.buttons, *decision_buttons(view)))
