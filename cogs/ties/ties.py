"""Ties that wait for an organiser: what `/round tiebreak` does, and the buttons that do the same."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bot.league.errors import Invalid
from bot.services.ties import commands, match_reports
from bot.services.ties.match_reports import TieReport
from bot.services.ties.tie_words import tie_words
from cogs.ties.tie_cards import tie_buttons, tie_state
from cogs.ui.actions import TIE, TIE_REPORT
from cogs.ui.buttons import PRIMARY, Press
from cogs.ui.cards import Answer, card, long_answer
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import LONGEST_ORDER
from cogs.ui.replies import Reply
from cogs.ui.text import MESSAGE_LIMIT, count, listed, pages, shown
from storage.rows import TieId, TieRow

How = Literal["match", "draw"]


async def break_tie(who: Caller, *, order: str | None, how: How | None, reason: str | None) -> Answer:
    """Settle a tie, or show those that wait; raises Invalid where both an order and another way are given."""
    if order is not None and how is not None:
        raise Invalid("Use either order or how, not both.")
    if order is not None:
        return _settled([await who.do(commands.order, named=order, reason=reason)])
    if how == "draw":
        return _settled(await who.do(commands.take_draw))
    if how == "match":
        return _called(await who.do(commands.call_match))
    return _panel(await who.do(commands.waiting))


def _settled(found: Sequence[TieRow]) -> Answer:
    lines = [f"{tie_state(tie)}." for tie in found]
    return Answer(text=pages([*lines, "It's posted in the league's channel."], MESSAGE_LIMIT)[0])


def _called(found: Sequence[TieRow]) -> Answer:
    lines = [
        f"{shown(listed(tie.names))} have been asked to play, with their seats. "
        + ("They report it themselves." if len(tie.names) == 2 else "Then enter the result as an order.")
        for tie in found
    ]
    return Answer(text=pages(lines, MESSAGE_LIMIT)[0])


def _panel(found: Sequence[TieRow]) -> Answer:
    lines = [f"{shown(tie_words(tie))}\nBy the draw: {shown(', then '.join(tie.names))}" for tie in found]
    answer = long_answer("Equal in everything", lines, file_name="ties.txt", private=True)
    return replace(answer, buttons=tuple(button for tie in found for button in tie_buttons(tie)))


@TIE
async def tie_pressed(press: Press[TieId]) -> Reply:
    """Take the draw, call a tie-break match, or ask for the order."""
    (how,) = press.parts("(draw|match|order)")
    if how == "draw":
        return _settled(await press.who.do(commands.take_draw, tie_id=press.subject))
    if how == "match":
        return _called(await press.who.do(commands.call_match, tie_id=press.subject))
    return OrderForm(press)


class OrderForm(Form):
    """The order of players who are equal."""

    def __init__(self, press: Press[TieId]) -> None:
        super().__init__(title="Who comes first?")
        self._tie = press.subject
        self._order = self.ask("order", "Names, best first, separated by commas", limit=LONGEST_ORDER, long=True)
        self._reason = self.ask("reason", "What decided it? Everyone reads it", limit=300, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Settle the tie."""
        named, reason = self._order.value, self._reason.value
        return _settled([await caller(interaction).do(commands.order, named=named, tie_id=self._tie, reason=reason)])


@TIE_REPORT
async def tie_match_pressed(press: Press[TieId]) -> Reply:
    """Report one's tie-break match, or answer the opponent's report of it."""
    (what,) = press.parts("(ask|won|lost|confirm|dispute)")
    if what == "ask":
        won = TIE_REPORT.button("I won", press.subject, extra="won", style=PRIMARY)
        lost = TIE_REPORT.button("I lost", press.subject, extra="lost")
        ask = "How did your tie-break match end? A loss counts at once; a win counts once your opponent confirms."
        return card("Report the tie-break match", ask, buttons=(won, lost))
    if what in ("confirm", "dispute"):
        return reported(await press.who.do(match_reports.answer, tie_id=press.subject, right=what == "confirm"))
    return reported(await press.who.do(match_reports.report, tie_id=press.subject, won=what == "won"))


def reported(done: TieReport) -> Answer:
    """Return what a player is told who reported their tie-break match or answered a report of it."""
    opponent = shown(done.opponent.called)
    if done.settled:
        return Answer(text="Got it: your tie-break match counts now. The new order is posted in the league's channel.")
    if done.disputed:
        return Answer(text=f"You and {opponent} disagree, so an organiser decides. Both of you will be told.")
    hours = count(done.hours, "hour")
    return Answer(
        text=f"Got it: you won your tie-break match against {opponent}. We're asking {opponent} to confirm; without an "
        f"answer it counts {hours} after that. Made a mistake? Report again that you lost."
    )
