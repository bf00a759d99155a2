"""Matches as moderators see them: what both players said, a dispute, the ways to decide, a decision."""

from collections.abc import Sequence

import discord

from bot.league.model import Stage
from bot.league.phases import MatchState
from bot.services.matches.views import MatchView
from bot.services.outbox.kinds import MatchPost
from bot.services.results.decided import Decided
from cogs.ui.actions import DECIDE, DETAILS, PANEL
from cogs.ui.buttons import DANGER, PRIMARY, SECONDARY, ActionButton
from cogs.ui.cards import GREEN
from cogs.ui.render.tables import card, mention
from cogs.ui.replies import Answer
from cogs.ui.text import quoted, relative, shown, when

MOST_PANELS = 24


def decision_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each way moderators can decide a match; a bracket has no double loss."""

    def decide(label: str, kind: str, outcome: str, style: discord.ButtonStyle) -> ActionButton:
        return DECIDE.button(label, view, extra=f"{kind}:{outcome}", style=style)

    names = {"upper": view.upper.called, "lower": view.lower.called}
    made = [decide(f"{name[:60]} won", "adjudicated", side, PRIMARY) for side, name in names.items()]
    made += [decide(f"{name[:60]} wins by forfeit", "forfeit", side, SECONDARY) for side, name in names.items()]
    if view.draws:
        made.append(decide("Draw", "adjudicated", "draw", SECONDARY))
    if view.round.stage is not Stage.FINALS:
        made.append(decide("Double loss", "adjudicated", "double loss", DANGER))
    return tuple(made)


def statement_lines(view: MatchView) -> list[str]:
    """Return what both players said about a match, for moderators."""
    players = " v ".join(mention(side.discord_id, side.called) for side in view.sides)
    said = [f"{shown(view.said(report))} ({relative(report.at)})" for report in view.reports]
    return [players, *(said or ["No one has reported."]), *_dispute_lines(view)]


def _dispute_lines(view: MatchView) -> list[str]:
    if view.dispute is None:
        return []
    by = view.dispute.entrant_id
    who = f"{shown(view.side(by).called)} disputes: " if by is not None else ""
    return [f"⚖️ {who}{quoted(view.dispute.reason, 600)}"]


def panel_buttons(matches: Sequence[MatchView]) -> tuple[ActionButton, ...]:
    """Return a button for each match that opens its decisions."""
    return tuple(PANEL.button(f"Decide {view.heading}", view.match.id) for view in matches[:MOST_PANELS])


def dispute(facts: MatchPost) -> Answer:
    """Return a dispute for the moderators, or how it was settled."""
    view = facts.view
    title = f"Dispute: {shown(view.label)}"
    if view.dispute is None:
        lines = [f"✅ {shown(view.state_words)}.", *([decision_by(facts.decided)] if facts.decided else [])]
        return card(f"Settled: {shown(view.label)}", "\n".join(lines), colour=GREEN)
    if view.stopped:
        return card(title, "The season was cancelled, so there's nothing to decide.")
    step = "Press a button to decide. You'll be asked for a reason, and both players will be told."
    return card(title, "\n".join([*statement_lines(view), "", step]), buttons=decision_buttons(view))


def decision(facts: MatchPost) -> Answer:
    """Return what became of a match without its players: decided by someone, or by itself."""
    label = shown(facts.view.label)
    ruled = facts.decided is not None and facts.decided.by
    return _told(facts, f"Decided: {label}" if ruled else label)


def open_again(facts: MatchPost) -> Answer:
    """Return that a match is to be played after all, or waits again for what it waited for before."""
    now = "open again" if facts.view.match.state is MatchState.OPEN else "not decided yet"
    return _told(facts, f"{shown(facts.view.label)}: {now}")


def _told(facts: MatchPost, title: str) -> Answer:
    view, told = facts.view, facts.decided
    assert told is not None
    lines = [shown(told.text.removeprefix(f"{view.label}: "))]
    if told.until is not None:
        lines.append(f"Play it by {when(told.until)}.")
    if facts.why:
        lines.append(f"Reason: {quoted(facts.why, 500)}")
    if not told.by:
        return card(title, "\n".join(lines))
    small = f"Decided by {shown(told.by)}." + (" You two find the reason under Details." if told.why else "")
    details = DETAILS.button("Details", view.match.id)
    return card(title, "\n".join(lines), footer=small, buttons=(details,), colour=GREEN)


def decision_by(told: Decided) -> str:
    """Return who decided and why, for moderators."""
    until = f" Play it by {when(told.until)}." if told.until is not None else ""
    why = f" Reason: {quoted(told.why, 500)}" if told.why else ""
    return f"Decided by {shown(told.by)}.{until}{why}"


def decision_line(told: Decided) -> str:
    """Return a decision as a line of a match's history; the reason stands in it for those who may read it."""
    why = f" Reason: {quoted(told.why)}" if told.why else ""
    return f"{shown(told.by[:1].upper() + told.by[1:])}: {shown(told.text)}{why}"
