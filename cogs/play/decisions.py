"""What waits for moderators, and the results they decide."""

from dataclasses import replace
from typing import Any, Literal

import discord
from discord import app_commands

from bot.league.season.match_score import read_score
from bot.league.season.model import Kind
from bot.services.base.asking import AskFirst
from bot.services.base.permissions import require_moderator
from bot.services.matches import choosing
from bot.services.matches.views import MatchView
from bot.services.play import clearing, decisions
from bot.services.play.decisions import DecisionPreview
from bot.services.play.outcome import Outcome
from bot.services.reads import inbox
from cogs.play.disputes import decision_buttons, statement_lines
from cogs.problems.problems import open_problem
from cogs.reads.inbox import inbox_answer
from cogs.ui.actions import APPLY, CANCEL, DECIDE, PANEL
from cogs.ui.buttons import DANGER, SUCCESS, MatchPress, Press
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LongReason, command
from cogs.ui.context import Caller, Interaction, LeagueCog, caller
from cogs.ui.forms import Form
from cogs.ui.kept import KEY, keep, kept
from cogs.ui.options.names import AnyMatch, OutcomeText
from cogs.ui.replies import Reply
from cogs.ui.text import cut, quoted, shown
from storage.rows import MatchId

READERS = "Why; the two players and the moderators read it"


class Disputes(LeagueCog):
    """The inbox and the results set by moderators."""

    result = app_commands.Group(name="result", description="Decide or correct results (moderators)")

    @command()
    async def disputes(self, who: Caller) -> Reply:
        """Show open disputes, overdue matches and failed posts (moderators)."""
        return inbox_answer(await who.see(inbox.inbox))

    @command(
        result,
        match="Which match",
        outcome="The winner's name, perhaps by forfeit; draw; or double loss",
        score="Games, the winner's first, for example 2-1",
        kind="How it was settled; adjudicated if left out",
        reason=READERS,
    )
    async def set(
        self,
        who: Caller,
        match: AnyMatch,
        outcome: OutcomeText,
        reason: LongReason,
        score: str | None = None,
        kind: Literal["played", "forfeit", "adjudicated"] = "adjudicated",
    ) -> Reply:
        """Decide or correct a result. You see first what it changes."""
        preview = await who.see(decisions.decide_preview, match=match, outcome=outcome, kind=Kind(kind), score=score)
        return preview_answer(preview, kind=preview.kind, score=score, reason=reason)

    @command(result, match="Which match", reason=READERS)
    async def clear(self, who: Caller, match: AnyMatch, reason: LongReason) -> Reply:
        """Clear a result, report or dispute, so the match is open again."""
        view = await who.do(clearing.clear, match=match, reason=reason)
        return Answer(text=f"{shown(view.label)} is open again; both players will be told.")


def preview_answer(preview: DecisionPreview, *, kind: str, score: str | None, reason: str) -> Answer:
    """Return what a decision changes; what it takes to make it is in the buttons."""
    lines = [f"Now: {shown(preview.before)}", f"Then: **{shown(preview.after)}**"]
    lines += [f"• {shown(effect)}" for effect in preview.effects]
    games = "-".join(str(won) for won in read_score(score)) if score and score.strip() else ""
    extra = f"{kind}:{games}:{preview.outcome}"
    if preview.agreement is not None:
        extra += f":{preview.agreement}"
    label, style = ("Apply", SUCCESS) if preview.agreement is None else ("Play again", DANGER)
    key = keep({"reason": reason})
    made = [APPLY.button(label, preview.match, extra=f"{extra}:{key}", style=style)]
    if preview.absent is not None:
        made.append(APPLY.button("Only this match", preview.match, extra=f"{extra}:only:{key}"))
    title, buttons = f"Decide {shown(preview.match.label)}?", (*made, CANCEL.button("Cancel", 0))
    return card(title, "\n".join(lines), footer=f"Reason: {quoted(reason, 1000)}", buttons=buttons)


_KINDS = "(played|forfeit|adjudicated)"
_OUTCOMES = f"({'|'.join(Outcome)})"


@APPLY
async def apply_decision(press: MatchPress) -> Reply:
    """Make the decision that was previewed, unless the match changed since."""
    kind, score, outcome, agreed, only, key = press.parts(
        f"{_KINDS}:([0-9]+-[0-9]+)?:{_OUTCOMES}(?::([0-9a-f]{{16}}))?(:only)?:({KEY})"
    )
    said: Any = {"outcome": Outcome(outcome), "kind": Kind(kind), "score": score or None}
    reason = kept(key)["reason"]
    try:
        view = await press.who.do(
            decisions.decide,
            reason=reason,
            only_this_match=bool(only),
            agreed=agreed or "",
            **press.seen,
            **said,
        )
    except AskFirst:
        preview = await press.who.see(decisions.decide_preview, match=press.match.match.id, **said)
        return replace(preview_answer(preview, kind=kind, score=score, reason=reason), replace=True)
    if agreed:
        told = f"{shown(view.label)}: {shown(view.state_words)}."
        return Answer(text=f"{told} What depends on it is posted again, and everyone in it is told.", replace=True)
    return decided(view, replace=True)


def decided(view: MatchView, *, replace: bool = False) -> Answer:
    """Return what the person who decided is told."""
    return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}. Both players will be told.", replace=replace)


@DECIDE
async def decide_pressed(press: MatchPress) -> Reply:
    """Ask for the reason of a decision."""
    kind, outcome, no_show = press.parts(f"{_KINDS}:{_OUTCOMES}(?::(drop|only))?")
    require_moderator(press.match.league, press.who.actor)
    question = await _about_no_show(press, Outcome(outcome)) if kind == Kind.FORFEIT and not no_show else None
    only = no_show == "only"
    return question or DecisionForm(press, kind=Kind(kind), outcome=Outcome(outcome), only_this_match=only)


async def _about_no_show(press: MatchPress, outcome: Outcome) -> Answer | None:
    """Return the question before a forfeit that would also drop the player who didn't appear; None for others."""
    view = press.match
    winner = view.upper if outcome is Outcome.UPPER else view.lower
    preview = await press.who.see(decisions.decide_preview, match=view.match.id, outcome=winner.name, kind=Kind.FORFEIT)
    if preview.absent is None:
        return None
    wins = f"{shown(winner.called)} wins {shown(view.label)} by forfeit."
    text = f"{wins} This also drops {shown(preview.absent)} from the season."
    drop = DECIDE.button("Forfeit and drop", view, extra=f"forfeit:{outcome}:drop", style=DANGER)
    return Answer(text=text, buttons=(drop, DECIDE.button("Only this match", view, extra=f"forfeit:{outcome}:only")))


class DecisionForm(Form):
    """Why a match is decided like this."""

    def __init__(self, press: MatchPress, *, kind: Kind, outcome: Outcome, only_this_match: bool) -> None:
        names = {Outcome.UPPER: press.match.upper.called, Outcome.LOWER: press.match.lower.called}
        verb = "wins by forfeit" if kind is Kind.FORFEIT else "won"
        title = f"{cut(names[outcome], 24)} {verb}" if outcome in names else str(outcome).capitalize()
        super().__init__(title=f"Decide: {title}")
        self._press, self._kind, self._outcome, self._only = press, kind, outcome, only_this_match
        readers = "Both players and the moderators read it. The channel reads only the decision."
        self._reason = self.ask("reason", "Reason", limit=500, long=True, note=readers)
        self._score: discord.ui.TextInput[Any] | None = None
        if kind is not Kind.FORFEIT and outcome is not Outcome.DOUBLE_LOSS and press.match.best_of > 1:
            hint = "for example 2-1"
            self._score = self.ask("score", "Games, the winner's first", limit=20, hint=hint, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Decide the match."""
        view = await caller(interaction).do(
            decisions.decide,
            outcome=self._outcome,
            reason=self._reason.value,
            kind=self._kind,
            score=(self._score.value.strip() or None) if self._score is not None else None,
            only_this_match=self._only,
            **self._press.seen,
        )
        return decided(view)


@PANEL
async def panel(press: Press[MatchId]) -> Reply:
    """Show everything said of a match that waits, with the ways to decide it."""
    view = await press.who.see(choosing.match_meant, match=press.subject)
    require_moderator(view.league, press.who.actor)
    if view.claim is not None:
        return await open_problem(press, view.claim)
    text = "\n".join([*statement_lines(view), "", f"Now: {shown(view.state_words)}"])
    return card(f"Decide {shown(view.label)}", text, buttons=decision_buttons(view))
