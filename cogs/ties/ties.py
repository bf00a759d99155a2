"""Ties that wait for an organiser: asked in posts, settled by `/round tiebreak` or a button, played and reported."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bot.league.errors import Invalid
from bot.league.season.in_words import amount
from bot.services.ties import tie_decisions, tie_match_reports
from bot.services.ties.tie_match_reports import TieReport
from bot.services.ties.tie_posts import TIE, TIE_MATCH, TIE_QUESTION, TieMatchPost, TiePost, TieQuestionPost
from bot.services.ties.tie_words import in_order, tie_words
from cogs.play.reports import AlsoReported
from cogs.ui.actions import PRIMARY, SUCCESS, ActionButton, Press, action
from cogs.ui.cards import AMBER, Answer, card, long_answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import LONGEST_ORDER, TieOrder
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import MESSAGE_LIMIT, listed, pages, season_title, shown, when
from storage.rows import Settled, TieId, TieRow

How = Literal["match", "draw"]


class Ties(LeagueCog):
    """Ties that matter."""

    @command(
        "round",
        order="The players in order, best first, separated by commas; after a tie-break match, its result",
        how="Instead of an order: let them play for it, or take the draw",
    )
    async def tiebreak(
        self, asker: Caller, order: TieOrder | None = None, how: How | None = None, reason: Reason | None = None
    ) -> Reply:
        """Break a tie that matters: by an order, a tie-break match, or the draw."""
        if order is not None and how is not None:
            raise Invalid("Use either order or how, not both.")
        if order is not None:
            return _settled([await asker.write(tie_decisions.order, named=order, reason=reason)])
        if how == "draw":
            return _settled(await asker.write(tie_decisions.take_draw))
        if how == "match":
            return _called(await asker.write(tie_decisions.call_match))
        ties = await asker.write(tie_decisions.waiting)
        lines = [f"{shown(tie_words(tie))}\nBy the draw: {shown(in_order(tie.names))}" for tie in ties]
        answer = long_answer("Equal in everything", lines, file_name="ties.txt", private=True)
        return replace(answer, buttons=tuple(button for tie in ties for button in tie_buttons(tie)))


def _settled(ties: Sequence[TieRow]) -> Answer:
    lines = [f"{tie_state(tie)}." for tie in ties]
    return Answer(text=pages([*lines, "It's posted in the league's channel."], MESSAGE_LIMIT)[0])


def _called(ties: Sequence[TieRow]) -> Answer:
    lines = [
        f"{shown(listed(tie.names))} have been asked to play, with their seats. "
        + ("They report it themselves." if len(tie.names) == 2 else "Then enter the result as an order.")
        for tie in ties
    ]
    return Answer(text=pages(lines, MESSAGE_LIMIT)[0])


@action("tie", form=True)
async def settle(press: Press, tie: TieId, how: Literal["draw", "match", "order"]) -> Reply:
    """Take the draw, call a tie-break match, or ask for the order."""
    if how == "draw":
        return _settled(await press.who.write(tie_decisions.take_draw, tie_id=tie))
    if how == "match":
        return _called(await press.who.write(tie_decisions.call_match, tie_id=tie))
    await press.who.read(tie_decisions.require_waiting, tie_id=tie)
    return OrderForm(tie)


class OrderForm(Form):
    """The order of players who are equal."""

    def __init__(self, tie: TieId) -> None:
        super().__init__(title="Who comes first?")
        self._tie = tie
        self._order = self.ask("order", "Names, best first, separated by commas", limit=LONGEST_ORDER, long=True)
        self._reason = self.ask("reason", "What decided it? Everyone reads it", limit=300, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Settle the tie."""
        named, reason = self._order.value, self._reason.value
        return _settled(
            [await caller(interaction).write(tie_decisions.order, named=named, tie_id=self._tie, reason=reason)]
        )


Said = Literal["ask", "won", "lost", "confirm", "dispute"]


@action("tie-report")
async def report_tie_match(press: Press, tie: TieId, result: Said) -> Reply:
    """Report one's tie-break match, or answer the opponent's report of it."""
    if result == "ask":
        won = report_tie_match(tie, "won").button("I won", PRIMARY)
        ask = "How did your tie-break match end? A loss counts at once; a win counts once your opponent confirms."
        buttons = (won, report_tie_match(tie, "lost").button("I lost"))
        return card("Report the tie-break match", ask, buttons=buttons)
    if result in ("confirm", "dispute"):
        return reported(await press.who.write(tie_match_reports.answer, tie_id=tie, right=result == "confirm"))
    return reported(await press.who.write(tie_match_reports.report, tie_id=tie, won=result == "won"))


def reported(done: TieReport) -> Answer:
    """Return what a player is told who reported their tie-break match or answered a report of it."""
    opponent = shown(done.opponent.called)
    if done.settled:
        return Answer(text="Got it: your tie-break match counts now. The new order is posted in the league's channel.")
    if done.disputed:
        return Answer(text=f"You and {opponent} disagree, so an organiser decides. Both of you will be told.")
    hours = amount(done.hours, "hour")
    return Answer(
        text=f"Got it: you won your tie-break match against {opponent}. We're asking {opponent} to confirm; without an "
        f"answer it counts {hours} after that. Made a mistake? Report again that you lost."
    )


_HOW = {
    Settled.DRAW: "An organiser took the draw",
    Settled.ORDER: "An organiser decided",
    Settled.MATCH: "The tie-break match decided",
    Settled.SILENCE: "No one answered, so the draw decided",
}


def tie_buttons(tie: TieRow) -> tuple[ActionButton, ...]:
    """Return what an organiser can press about a tie that waits."""
    result = "Enter an order" if tie.match_at is None else "Enter the result"
    enter, draw = settle(tie.id, "order").button(result, PRIMARY), settle(tie.id, "draw").button("Use the draw")
    match = (settle(tie.id, "match").button("Tie-break match"),) if tie.match_at is None else ()
    return (enter, draw, *match)


def tie_state(tie: TieRow) -> str:
    """Return how a tie was settled, in words; nothing while it waits."""
    if tie.how is None:
        return ""
    if tie.how is Settled.GONE:
        return "That needs no answer any more: results or players changed, or the season is over."
    return f"✅ {_HOW[tie.how]}: {shown(in_order(tie.names))}"


@renders(TIE)
def tie_post(post: TiePost) -> Answer:
    """Return the question to the organisers, and later the answer."""
    row = post.tie
    title = f"{season_title(post)}: equal after round {row.after_round}"
    lines = [shown(post.text)]
    if row.how is not None:
        return card(title, f"{lines[0]}\n{tie_state(row)}")
    lines.append(f"By the draw it is: {shown(in_order(row.names))}")
    if row.match_at is not None:
        lines.append("The tie-break match is called. Enter its result: the names, best first.")
    elif post.silent_at is not None:
        lines.append(f"The season waits for an organiser. Without an answer the draw decides {when(post.silent_at)}.")
    return card(title, "\n".join(lines), buttons=tie_buttons(row))


@renders(TIE_MATCH)
def tie_match_post(post: TieMatchPost) -> Answer:
    """Return a tie-break match for its players, with their seats."""
    title = f"{season_title(post)}: tie-break match"
    if post.tie.how is not None:
        return card(title, tie_state(post.tie))
    seats = enumerate(((shown(name), text.replace("`", "ˋ")) for name, text in post.seats), 1)
    lines = [
        f"You're equal in everything after round {post.tie.after_round}, so you play for your places. The seats:",
        *(f"**{seat}.** {name} · `{text}`" for seat, (name, text) in seats),
        "They go by the SHA-256 of the text beside each name, smallest first.",
    ]
    if len(post.tie.names) > 2:
        return card(title, "\n".join([*lines, "Then tell an organiser how it ended. They enter the order."]))
    lines.append("Played? One of you presses **Report**, and the other confirms.")
    return card(title, "\n".join(lines), buttons=(report_tie_match(post.tie.id, "ask").button("Report", PRIMARY),))


@renders(TIE_QUESTION)
def tie_question_post(post: TieQuestionPost) -> Answer:
    """Return the question to the opponent whether a report of their tie-break match is right."""
    title = f"{season_title(post)}: tie-break match"
    reporter = shown(post.reporter.called)
    text = f"{shown(post.opponent.called)}: {reporter} reported that they won your tie-break match. Is that right?"
    until = f"Without an answer it counts {when(post.counts_at)}."
    buttons = (
        report_tie_match(post.tie.id, "confirm").button("Confirm", SUCCESS),
        report_tie_match(post.tie.id, "dispute").button("Dispute"),
    )
    return card(title, f"{text}\n{until}", buttons=buttons, colour=AMBER)


async def _report(asker: Caller, won: bool) -> Answer | None:
    tie = await asker.read(tie_match_reports.own)
    return None if tie is None else reported(await asker.write(tie_match_reports.report, tie_id=tie, won=won))


async def _answer(asker: Caller, disputed: str | None) -> Answer | None:
    tie = await asker.read(tie_match_reports.own)
    if tie is None:
        return None
    return reported(await asker.write(tie_match_reports.answer, tie_id=tie, right=disputed is None, reason=disputed))


ALSO_REPORTED = AlsoReported(_report, _answer)
