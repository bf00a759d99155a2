"""Matches as people see them: the post with its buttons, a dispute, a decision."""

from collections.abc import Sequence

import discord

from bot.league.model import Stage
from bot.league.phases import MatchState, RoundPhase
from bot.services.matches.views import MatchView
from bot.services.outbox.kinds import MatchPost
from cogs.ui.actions import CONFIRM, DECIDE, DISPUTE, PANEL, REPORT, WHY
from cogs.ui.buttons import ActionButton
from cogs.ui.render.tables import STATE_COLOURS, STATE_MARKS, card, mention
from cogs.ui.replies import Answer
from cogs.ui.text import quoted, relative, shown, when, with_commands
from storage.rows import EntrantRow

GREEN, RED = discord.ButtonStyle.success, discord.ButtonStyle.danger
BLUE, GREY = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
MOST_PANELS = 24


def match(facts: MatchPost) -> Answer:
    """Return the post of a match."""
    return match_answer(facts.view)


def match_answer(view: MatchView, *, to_you: str = "", reader_id: int | None = None) -> Answer:
    """Return a match with its buttons, for everyone, or with the next step and the buttons of the one who asked."""
    games = f" · best of {view.best_of}" if view.best_of > 1 else ""
    steps = [*_silence(view), f"**{with_commands(to_you)}**"] if to_you else _steps(view)
    lines = [f"{_players(view)} · season {view.season.number}, {view.round.words}{games}", *_match_state(view), *steps]
    buttons = match_buttons(view, view.side_of(reader_id))
    return card(shown(view.heading), "\n".join(lines), colour=STATE_COLOURS[view.match.state], buttons=buttons)


def _players(view: MatchView) -> str:
    """Return who plays, as mentions where they are known: the league names are in the title."""
    known = [shown(side.name) if side.discord_id is None else f"<@{side.discord_id}>" for side in view.sides]
    return " v ".join(known)


def _match_state(view: MatchView) -> list[str]:
    mark = STATE_MARKS[view.match.state]
    reports = [f"{mark} {shown(view.said(report))}" for report in view.reports]
    match view.match.state:
        case MatchState.OPEN:
            return [f"Play by {when(view.deadline)}"] if view.deadline is not None else []
        case MatchState.REPORTED:
            return reports
        case MatchState.DISPUTED:
            return [*(shown(view.said(report)) for report in view.reports), *_dispute_lines(view)]
        case MatchState.CONFIRMED:
            return [f"{mark} **{shown(view.state_words)}**"]


def _silence(view: MatchView) -> list[str]:
    counting = view.match.state is MatchState.REPORTED and view.match.confirm_at is not None and not _stopped(view)
    return [f"Without an answer it counts {when(view.match.confirm_at)}"] if counting else []


def _stopped(view: MatchView) -> bool:
    """Whether the season was cancelled before this match had a result: only then is its round over without one."""
    return view.round.phase is RoundPhase.CLOSED and view.match.state is not MatchState.CONFIRMED


def _steps(view: MatchView) -> list[str]:
    if _stopped(view):
        return ["The season was cancelled, so this match doesn't count."]
    match view.match.state:
        case MatchState.OPEN:
            return ["Played? One of you presses **I won** or **I lost**."]
        case MatchState.REPORTED:
            other = view.opponent_of(view.side(view.reports[-1].entrant_id)) if view.reports else view.lower
            silent = f" Without an answer it counts {when(view.match.confirm_at)}." if view.match.confirm_at else ""
            return [f"Waiting for **{shown(other.name)}** to confirm or dispute.{silent}"]
        case MatchState.DISPUTED:
            return ["The moderators decide. You'll both be told here."]
        case MatchState.CONFIRMED:
            return []


def _dispute_lines(view: MatchView) -> list[str]:
    if view.dispute is None:
        return []
    by = view.dispute.entrant_id
    who = f"{shown(view.side(by).name)} disputes: " if by is not None else ""
    return [f"⚖️ {who}{quoted(view.dispute.reason, 600)}"]


def match_buttons(view: MatchView, reader: EntrantRow | None = None) -> tuple[ActionButton, ...]:
    """Return what the players, or one of them, can press on a match as it is now."""
    why = WHY.button("Why?", view.match.id)
    if _stopped(view):
        return (why,)
    match view.match.state:
        case MatchState.OPEN:
            return (*report_buttons(view), why)
        case MatchState.REPORTED if reader is not None and view.reports[-1].entrant_id == reader.id:
            return (*report_buttons(view), why)
        case MatchState.REPORTED:
            return (CONFIRM.button("Confirm", view, style=GREEN), DISPUTE.button("Dispute", view, style=RED), why)
        case MatchState.DISPUTED | MatchState.CONFIRMED:
            return (why,)


def report_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each result a player can report."""
    won = REPORT.button("I won", view, extra="won", style=GREEN)
    draw = (REPORT.button("Draw", view, extra="draw"),) if view.draws else ()
    return (won, REPORT.button("I lost", view, extra="lost", style=RED), *draw)


def decision_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each way moderators can decide a match; a bracket has no double loss."""

    def decide(label: str, kind: str, outcome: str, style: discord.ButtonStyle) -> ActionButton:
        return DECIDE.button(label, view, extra=f"{kind}:{outcome}", style=style)

    names = {"upper": view.upper.name, "lower": view.lower.name}
    made = [decide(f"{name[:60]} won", "adjudicated", side, BLUE) for side, name in names.items()]
    made += [decide(f"{name[:60]} wins by forfeit", "forfeit", side, GREY) for side, name in names.items()]
    if view.draws:
        made.append(decide("Draw", "adjudicated", "draw", GREY))
    if view.round.stage is not Stage.FINALS:
        made.append(decide("Double loss", "adjudicated", "double loss", RED))
    return tuple(made)


def statement_lines(view: MatchView) -> list[str]:
    """Return what both players said about a match, for moderators."""
    players = f"{mention(view.upper.discord_id, view.upper.name)} v {mention(view.lower.discord_id, view.lower.name)}"
    said = [f"{shown(view.said(report))} ({relative(report.at)})" for report in view.reports]
    return [players, *(said or ["No one has reported."]), *_dispute_lines(view)]


def panel_buttons(matches: Sequence[MatchView]) -> tuple[ActionButton, ...]:
    """Return a button for each match that opens its decisions."""
    return tuple(PANEL.button(f"Decide {view.heading}", view.match.id) for view in matches[:MOST_PANELS])


def dispute(facts: MatchPost) -> Answer:
    """Return a dispute for the moderators, or how it was settled."""
    view = facts.view
    title = f"Dispute: {shown(view.label)}"
    if view.dispute is None:
        return card(f"Settled: {shown(view.label)}", f"✅ {shown(view.state_words)}")
    if _stopped(view):
        return card(title, "The season was cancelled, so there's nothing to decide.")
    step = "Press a button to decide. You'll be asked for a reason, and both players will be told."
    return card(title, "\n".join([*statement_lines(view), "", step]), buttons=decision_buttons(view))


def decision(facts: MatchPost) -> Answer:
    """Return what the moderators decided, for both players."""
    label = facts.view.label
    text = shown(facts.text.removeprefix(f"{label}: "))
    return card(f"Decided: {shown(label)}", text)
