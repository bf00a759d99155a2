"""What moderators decide: disputes told to them, their ways to decide, results set and cleared, decisions told."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import discord

from bot.league.season.in_words import capitalised
from bot.league.season.model import Kind, Stage
from bot.league.season.phases import MatchState
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.permissions import require_moderator
from bot.services.matches import match_finding
from bot.services.matches.decision_posts import CORRECTED, DECISION, OPEN_AGAIN, Decided, MatchPost
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import asked_corrections
from bot.services.play import clearing, decisions
from bot.services.play.decisions import DecisionPreview
from bot.services.play.round_posts import DISPUTE
from bot.services.problems import deciding_all
from bot.services.reads.details import Details
from cogs.matches.as_shown import MatchAsShown
from cogs.matches.words import SAYS, name
from cogs.play.deciding_all import all_buttons
from cogs.play.match_card import SHOWN, OnCard, open_details
from cogs.ui.actions import DANGER, PRIMARY, SUCCESS, ActionButton, Press, action
from cogs.ui.cards import GREEN, ORANGE, Answer, card
from cogs.ui.commands import LeagueCog, LongReason, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import AnyMatch, OutcomeText
from cogs.ui.posts import renders
from cogs.ui.questions import question, with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, quoted, relative, shown, when
from storage.rows import MatchId, Says

MOST_PANELS = 24
READERS = "Why; the two players and the moderators read it"


class Decisions(LeagueCog):
    """Results set by moderators."""

    @command(
        "result",
        match="Which match",
        outcome="The winner's name, perhaps by forfeit; draw; or double loss",
        score="The winner's first: games, for example 2-1; where matches have scores 87-62, or both, 2-1 87-62",
        kind="How it was settled; adjudicated if left out",
        reason=READERS,
    )
    async def set(
        self,
        asker: Caller,
        match: AnyMatch,
        outcome: OutcomeText,
        reason: LongReason,
        score: str | None = None,
        kind: Literal["played", "forfeit", "adjudicated"] = "adjudicated",
    ) -> Reply:
        """Decide or correct a result. You see first what it changes."""
        preview = await asker.read(decisions.decide_preview, match=match, outcome=outcome, kind=Kind(kind), score=score)
        return preview_answer(preview, score=score, reason=reason)

    @command("result", match="Which match", reason=READERS)
    async def clear(self, asker: Caller, match: AnyMatch, reason: LongReason) -> Reply:
        """Clear a result, report or dispute, so the match is open again."""
        return await clear_result(asker, match, reason=reason)


@with_confirmation("clear-result", "Clear this match?", yes="Clear it", no="Keep it")
async def clear_result(asker: Caller, match: str, *, reason: str, agreed: str = "") -> str:
    """Clear what was reported and decided of a match, once a moderator has agreed to lose it."""
    view = await asker.write(clearing.clear, match=match, reason=reason, agreed=agreed)
    return f"{shown(view.label)} is open again; both players will be told."


def preview_answer(preview: DecisionPreview, *, score: str | None, reason: str) -> Answer:
    """Ask about a decision, with what it changes; where it also drops a player, it can be for this match alone."""
    view, decide_it = preview.match, partial(_apply, preview=preview, score=score, reason=reason)
    lines = [f"Now: {shown(preview.before)}", f"Then: **{shown(preview.after)}**"]
    lines += [f"• {shown(effect)}" for effect in preview.effects]
    lines += ["**Standings**", *(f"• {shown(move)}" for move in preview.moves)] if preview.moves else []
    label, style, then = ("Apply", SUCCESS, partial(decide_it, only=False))
    if preview.by_organiser:
        lines.append("The winner has played on, so only an organiser can decide that.")
        label, style, then = "Ask an organiser", PRIMARY, partial(_ask, preview=preview, score=score, reason=reason)
    elif preview.agreement is not None:
        label, style = "Play again", DANGER
    others = {} if preview.absent is None else {"Only this match": partial(decide_it, only=True)}
    return question(
        "decide",
        f"Decide {shown(view.label)}?",
        "\n".join(lines),
        yes=label,
        no="Cancel",
        then=then,
        others=others,
        footer=f"Reason: {quoted(reason, 1000)}",
        style=style,
    )


async def _ask(press: Press, *, preview: DecisionPreview, score: str | None, reason: str) -> Answer:
    result: Any = {"outcome": preview.outcome, "kind": preview.kind, "score": score, "reason": reason}
    view = await press.who.write(asked_corrections.ask, **preview.match.seen, **result)
    return Answer(text=f"The organisers are asked to correct {shown(view.label)}. You'll be told what they decide.")


async def _apply(press: Press, *, preview: DecisionPreview, score: str | None, reason: str, only: bool) -> Answer:
    """Make the decision that was previewed, unless the match changed since."""
    result: Any = {"outcome": preview.outcome, "kind": preview.kind, "score": score}
    agreed = preview.agreement or ""
    try:
        view = await press.who.write(
            decisions.decide, **preview.match.seen, **result, reason=reason, only_this_match=only, agreed=agreed
        )
    except ConfirmationNeeded:
        again = await press.who.read(decisions.decide_preview, match=preview.match.match.id, **result)
        return preview_answer(again, score=score, reason=reason)
    if agreed:
        words = f"{shown(view.label)}: {shown(view.state_words)}."
        return Answer(text=f"{words} What depends on it is posted again, and everyone in it is told.")
    return decided(view)


def decided(view: MatchView) -> Answer:
    """Return what the person who decided is told."""
    return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}. Both players will be told.")


How = Literal["adjudicated", "forfeit"]


@action("decide", form=True)
async def decide(press: Press, match: MatchAsShown, how: How, outcome: Outcome, only: bool | None = None) -> Reply:
    """Ask for the reason of a decision; `only` says whether a player who didn't appear stays in the season."""
    require_moderator(match.league, press.who.actor)
    kind = Kind(how)
    if kind is Kind.FORFEIT and only is None:
        winner = match.upper if outcome is Outcome.UPPER else match.lower
        preview = await press.who.read(decisions.decide_preview, match=match.match.id, outcome=winner.name, kind=kind)
        if preview.absent is not None:
            wins = f"{shown(winner.called)} wins {shown(match.label)} by forfeit."
            text = f"{wins} This also drops {shown(preview.absent)} from the season."
            drop = decide(match, how, outcome, only=False).button("Forfeit and drop", DANGER)
            return Answer(text=text, buttons=(drop, decide(match, how, outcome, only=True).button("Only this match")))
    follows = await press.who.read(decisions.what_follows, match=match.match.id)
    return DecisionForm(match, kind=kind, outcome=outcome, only_this_match=bool(only), follows=follows)


class DecisionForm(Form):
    """Why a match is decided like this."""

    def __init__(self, view: MatchView, *, kind: Kind, outcome: Outcome, only_this_match: bool, follows: str) -> None:
        names = {Outcome.UPPER: view.upper.called, Outcome.LOWER: view.lower.called}
        verb = "wins by forfeit" if kind is Kind.FORFEIT else "won"
        others = {Outcome.DRAW: "Draw", Outcome.DOUBLE_LOSS: "Both lose"}
        title = f"{cut(names[outcome], 24)} {verb}" if outcome in names else others[outcome]
        super().__init__(title=f"Decide: {title}")
        self._seen, self._kind, self._outcome, self._only = view.seen, kind, outcome, only_this_match
        if follows:
            self.add_item(discord.ui.TextDisplay(shown(follows)))
        readers = "Both players and the moderators read it. The channel reads only the decision."
        self._reason = self.ask("reason", "Reason", limit=500, long=True, note=readers)
        self._score: discord.ui.TextInput[Any] | None = None
        if kind is not Kind.FORFEIT and outcome is not Outcome.DOUBLE_LOSS and (view.best_of > 1 or view.scores):
            label = "Score, the winner's first" if view.scores else "Games, the winner's first"
            scored = "87-62" if view.best_of == 1 else "2-1 87-62"
            hint = f"for example {scored if view.scores else '2-1'}"
            self._score = self.ask("score", label, limit=30, hint=hint, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Decide the match."""
        asker, reason = caller(interaction), self._reason.value
        score = (self._score.value.strip() or None) if self._score is not None else None
        result: Any = {"outcome": self._outcome, "kind": self._kind, "score": score}
        try:
            view = await asker.write(
                decisions.decide, **self._seen, **result, reason=reason, only_this_match=self._only
            )
        except ConfirmationNeeded:
            preview = await asker.read(decisions.decide_preview, match=self._seen["match"], **result)
            return preview_answer(preview, score=score, reason=reason)
        return decided(view)


@action("panel")
async def panel(press: Press, match: MatchId) -> Reply:
    """Show everything said of a match that waits, with the ways to decide it, or what waits instead."""
    view = await press.who.read(match_finding.match_meant, match=match)
    require_moderator(view.league, press.who.actor)
    return await case_of(press.who, view)


async def case_of(asker: Caller, view: MatchView) -> Answer:
    """Return everything said of a match with the ways to decide it, or what waits instead, for a moderator."""
    several = all_buttons(await asker.read(deciding_all.with_several, match=view.match.id))
    for section in SHOWN:
        if (case := await section.case(asker, view)) is not None:
            return replace(case, buttons=(*case.buttons, *several))
    text = "\n".join([*statement_lines(view), "", f"Now: {shown(view.state_words)}"])
    return card(f"Decide {shown(view.label)}", text, buttons=(*decision_buttons(view), *several))


def decision_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each way moderators can decide a match; a bracket has no double loss."""
    names = {Outcome.UPPER: cut(view.upper.called, 40), Outcome.LOWER: cut(view.lower.called, 40)}
    buttons = [decide(view, "adjudicated", side).button(f"{name} won", PRIMARY) for side, name in names.items()]
    buttons += [decide(view, "forfeit", side).button(f"{name} wins by forfeit…") for side, name in names.items()]
    if view.draws:
        buttons.append(decide(view, "adjudicated", Outcome.DRAW).button("Draw"))
    if view.round.stage is not Stage.FINALS:
        buttons.append(decide(view, "adjudicated", Outcome.DOUBLE_LOSS).button("Both lose…"))
    return tuple(buttons)


def statement_lines(view: MatchView) -> Iterator[str]:
    """Yield what both players said about a match, for moderators."""
    yield " v ".join(mention(side.discord_id, side.called) for side in view.sides)
    for report in view.reports:
        statement = f"\n“{quoted(report.statement, 500)}”" if report.statement else ""
        yield f"• {shown(view.said(report))} ({relative(report.at)}){statement}"
    if not view.reports:
        yield "No one has reported."
    dispute = view.dispute
    if dispute is None:
        return
    if dispute.entrant_id is None:
        yield f"⚖️ {quoted(dispute.reason, 500)}"
    else:
        disputer = shown(view.side(dispute.entrant_id).called)
        says = (
            "" if dispute.says is None else f": {f'{disputer} won' if dispute.says is Says.WON else SAYS[dispute.says]}"
        )
        yield f"⚖️ {disputer} disputes it{says}." + (f"\n“{quoted(dispute.reason, 500)}”" if dispute.reason else "")


def panel_buttons(matches: Sequence[MatchView]) -> tuple[ActionButton, ...]:
    """Return a button for each match that opens its decisions, then for each player who is in several of them."""
    several = all_buttons(deciding_all.among(matches))
    panels = [panel(view.match.id).button(f"Decide {view.heading}") for view in matches[: MOST_PANELS - len(several)]]
    return (*panels, *several)


@renders(DISPUTE)
def dispute(post: MatchPost) -> Answer:
    """Return a dispute for the moderators, or how it was settled."""
    view = post.view
    settled = f"{_begins(view, view.state_words)}." if view.dispute is None else None

    def open_() -> Answer:
        step = "Press a button to decide. You'll be asked for a reason, and both players will be told."
        text = "\n".join([*statement_lines(view), "", step])
        return card(f"Dispute: {shown(view.label)}", text, buttons=decision_buttons(view), colour=ORANGE)

    return moderators_card("Dispute", view, apart=post.apart, settled=settled, by=post.decided, open_=open_)


def moderators_card(
    what: str, view: MatchView, *, apart: bool, settled: str | None, by: Decided | None, open_: Callable[[], Answer]
) -> Answer:
    """Return what moderators decide about a match, or how it was settled and who did it.

    Where everyone reads their posts, what was said is behind a button.
    """
    title = f"{what}: {shown(view.label)}"
    if settled is not None:
        lines = [f"✅ {settled}"]
        if by is not None:
            until = f" Play it by {when(by.until)}." if by.until is not None else ""
            why = f" Reason: {quoted(by.why, 500)}" if by.why else ""
            lines.append(f"{_who(by)} decided it.{until}{why}")
        return card(f"Settled: {shown(view.label)}", "\n".join(lines), colour=GREEN)
    if view.stopped:
        return card(title, "The season was cancelled, so there's nothing to decide.")
    if not apart:
        text = "Only moderators can read what was said: press **Decide**."
        return card(title, text, buttons=(panel(view.match.id).button("Decide"),), colour=ORANGE)
    return open_()


@renders(DECISION)
def decision(post: MatchPost) -> Answer:
    """Return what became of a match without its players: decided by someone, or by itself."""
    return _told(post, shown(post.view.label))


@renders(CORRECTED)
def corrected(post: MatchPost) -> Answer:
    """Return what a corrected match of the finals means for each whose next match is another."""
    return _told(post, shown(post.view.label))


@renders(OPEN_AGAIN)
def open_again(post: MatchPost) -> Answer:
    """Return that a match is to be played after all, or waits again for what it waited for before."""
    now = "open again" if post.view.match.state is MatchState.OPEN else "not decided yet"
    return _told(post, f"{shown(post.view.label)}: {now}")


def _told(post: MatchPost, title: str) -> Answer:
    view, decided = post.view, post.decided
    assert decided is not None
    lines = [_begins(view, decided.text.removeprefix(f"{view.label}: "))]
    if decided.until is not None:
        lines.append(f"Play it by {when(decided.until)}.")
    if post.why:
        lines.append(f"Reason: {quoted(post.why, 500)}")
    if not decided.by:
        return card(title, "\n".join(lines))
    reason = "; both players find the reason under Details" if decided.why and not post.why else ""
    small = f"{_who(decided)} decided it{reason}."
    details = open_details(view.match.id).button("Details")
    return card(title, "\n".join(lines), footer=small, buttons=(details,), colour=GREEN)


def _begins(view: MatchView, words: str) -> str:
    """Return words that begin a sentence; a player's name stays as it is."""
    names = tuple(side.called for side in view.sides)
    return shown(words if words.startswith(names) else capitalised(words))


def _who(decided: Decided) -> str:
    """Return who decided, at the beginning of a sentence."""
    return shown(capitalised(decided.by))


def _buttons(details: Details) -> Iterator[ActionButton]:
    if details.can_decide and not details.shared and not details.is_asked:
        yield panel(details.match.match.id).button("Decide")
        yield from all_buttons(details.several)


def _step(view: MatchView, decided: Decided) -> str:
    """Return a decision as a line of a match's history; the reason stands in it for those who may read it."""
    why = f" Reason: {quoted(decided.why)}" if decided.why else ""
    if decided.confirmed_for is not None:
        return f"{_who(decided)} confirmed it for {name(view.side(decided.confirmed_for))}.{why}"
    return f"{_who(decided)}: {shown(decided.text)}{why}"


ON_CARD = OnCard(buttons=_buttons, steps={Decided: _step})
