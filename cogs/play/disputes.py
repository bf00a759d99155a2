"""Matches as moderators see them: what both players said, a dispute, the ways to decide, a decision."""

from collections.abc import Sequence

import discord

from bot.league.season.match_score import Result, score_words
from bot.league.season.model import Stage
from bot.league.season.phases import MatchState
from bot.services.delivery.kinds import MatchPost
from bot.services.matches.views import MatchView
from bot.services.play.decided import Decided
from bot.services.problems.disputed import DisputedPost
from cogs.ui.actions import DECIDE, DETAILS, PANEL, TELL
from cogs.ui.buttons import DANGER, PRIMARY, SECONDARY, ActionButton
from cogs.ui.cards import GREEN, ORANGE, Answer, card
from cogs.ui.text import mention, quoted, relative, shown, when
from storage.rows import EntrantRow, ReportRow, Says

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
    said = [_reported(view, report) for report in view.reports]
    return [players, *(said or ["No one has reported."]), *_dispute_lines(view)]


def _reported(view: MatchView, report: ReportRow) -> str:
    """Return a report with what the player told the moderators about it."""
    told = f"\n“{quoted(report.statement, 500)}”" if report.statement else ""
    return f"• {shown(view.said(report))} ({relative(report.at)}){told}"


SAYS = {
    Says.WON: "they won",
    Says.DRAW: "it was a draw",
    Says.SCORE: "the score is wrong",
    Says.NOT_PLAYED: "it wasn't played",
}
"""What a player who disputes a report says, as others read it."""


def _dispute_lines(view: MatchView) -> list[str]:
    dispute = view.dispute
    if dispute is None:
        return []
    if dispute.entrant_id is None:
        return [f"⚖️ {quoted(dispute.reason, 500)}"]
    name = shown(view.side(dispute.entrant_id).called)
    says = f": {f'{name} won' if dispute.says is Says.WON else SAYS[dispute.says]}" if dispute.says is not None else ""
    words = f"\n“{quoted(dispute.reason, 500)}”" if dispute.reason else ""
    return [f"⚖️ {name} disputes it{says}.{words}"]


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
    if not view.league.moderators_apart:
        text = "Only moderators can read what was said: press **Decide**."
        return card(title, text, buttons=(PANEL.button("Decide", view.match.id),), colour=ORANGE)
    step = "Press a button to decide. You'll be asked for a reason, and both players will be told."
    lines = [*statement_lines(view), "", step]
    return card(title, "\n".join(lines), buttons=decision_buttons(view), colour=ORANGE)


def disputed(facts: DisputedPost) -> Answer:
    """Return a dispute for the player who reported, with what the opponent says and who reads the answer."""
    view, opponent = facts.view, facts.view.opponent_of(facts.side)
    mine, dispute = view.report_of(facts.side), view.dispute
    assert dispute is not None
    reported = "" if mine is None else f" You reported: **{_own_words(mine)}**."
    lines = [f"{shown(view.place[:1].upper() + view.place[1:])}.{reported}", _opponent_says(view, opponent)]
    if facts.words:
        lines.append(f"“{quoted(facts.words, 500)}”")
    lines.append("The moderators decide. You can tell them what happened.")
    buttons = (
        TELL.button("Tell the moderators", view.match.id, style=PRIMARY),
        DETAILS.button("Details", view.match.id),
    )
    small = f"Only {shown(opponent.called)} and the moderators read what you write."
    return card(f"{shown(view.heading)}: two answers", "\n".join(lines), footer=small, buttons=buttons, colour=ORANGE)


def _own_words(report: ReportRow) -> str:
    verb = {Result.WON: "you won", Result.LOST: "you lost", Result.DRAW: "a draw"}[report.result]
    return f"{verb}{score_words(report.games)}"


def _opponent_says(view: MatchView, opponent: EntrantRow) -> str:
    dispute, theirs, who = view.dispute, view.report_of(opponent), shown(opponent.called)
    if dispute is not None and dispute.entrant_id == opponent.id and dispute.says is not None:
        return f"{who} says: **{SAYS[dispute.says]}**."
    if theirs is not None:
        return f"{who} reported: **{_own_words(theirs).replace('you ', 'they ')}**."
    if dispute is not None and dispute.entrant_id == opponent.id:
        return f"{who} says that's wrong."
    return "A moderator disputed it."


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
