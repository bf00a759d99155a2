"""Promised posts as messages: each kind of facts has one rendering here, and the key stands in the footer."""

from collections.abc import Callable, Sequence
from typing import Any

import discord

from bot.league.formats.base import Summary
from bot.league.model import Stage
from bot.league.phases import MatchState, SeasonPhase
from bot.services.matches.views import MatchView
from bot.services.outbox.kinds import (
    ChampionPost,
    ClockPost,
    DecisionPost,
    DisputePost,
    MatchPost,
    NoticePost,
    OverduePost,
    PostFacts,
    RejoinPost,
    ReminderPost,
    RoundPost,
    SignupPost,
    StartPost,
    TieMatchPost,
    TiePost,
    TroublePost,
    WithdrawnPost,
)
from cogs.ui.actions import (
    CONFIRM,
    DECIDE,
    DISPUTE,
    EXTEND,
    JOIN,
    MY_MATCH,
    PANEL,
    REJOIN_ACCEPT,
    REJOIN_REFUSE,
    REPORT_DRAW,
    REPORT_LOST,
    REPORT_WON,
    RETRY,
    WHY,
)
from cogs.ui.buttons import ActionButton
from cogs.ui.render import ties
from cogs.ui.render.tables import (
    CLOCK_TO_COME,
    STATE_COLOURS,
    STATE_MARKS,
    bye_line,
    embed,
    final_lines,
    long_answer,
    match_line,
    mention,
    round_head,
    round_title,
)
from cogs.ui.replies import Answer
from cogs.ui.text import count, pages, quoted, shown, when, with_commands

GREEN, RED = discord.ButtonStyle.success, discord.ButtonStyle.danger
BLUE, GREY = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
NAMES_LIMIT = 900
MOST_PINGS = 80
MOST_PANELS = 24


def render(facts: PostFacts) -> Answer:
    """Return a post as it has to look now."""
    return _RENDERINGS[type(facts)](facts)


def pings(ids: Sequence[int]) -> str:
    """Return mentions of players, as many as a message holds."""
    return " ".join(f"<@{discord_id}>" for discord_id in ids[:MOST_PINGS])


def _in_short(summary: Summary) -> str:
    lines = [f"**{shown(word)}:** {shown(text)}" for word, text in summary]
    return "\n".join([*lines, "All rules: /rules"])


def _names(names: Sequence[str]) -> str:
    text, left = "", len(names)
    for name in names:
        piece = shown(name) if not text else f", {shown(name)}"
        if len(text) + len(piece) > NAMES_LIMIT:
            return f"{text} and {left} more"
        text, left = text + piece, left - 1
    return text or "nobody yet"


def _signup(facts: SignupPost) -> Answer:
    season = facts.season
    state = "sign-ups are open" if facts.open else "sign-ups are closed"
    if season.phase is SeasonPhase.CANCELLED:
        state = "cancelled"
    closing = [f"Sign-ups close {when(season.signups_close)}"] if facts.open and season.signups_close else []
    lines = [
        f"**{count(facts.count, 'player')} signed up:** {_names(facts.names)}",
        *closing,
        "",
        f"__{shown(facts.format_title)}__",
        # Once sign-ups are closed, the start post says the rest, for the field there is.
        _in_short(facts.summary if facts.open else ()),
    ]
    # A season cancelled before its first round has given its number back.
    number = f"season {season.number}" if season.number is not None else "a season"
    made = embed(f"{shown(facts.league.name)}, {number}: {state}", "\n".join(lines))
    join = (JOIN.button("Join", facts.league.id, style=GREEN),) if facts.open else ()
    return Answer(embeds=(made,), buttons=join)


def _start(facts: StartPost) -> Answer:
    lines = [
        f"**{count(len(facts.names), 'player')}:** {_names(facts.names)}",
        "",
        f"__{shown(facts.format_title)}__",
        _in_short(facts.summary),
    ]
    if facts.season.salt:
        lines.append(f"Salt of the draw: `{facts.season.salt}`")
    if facts.season.settings.get("pace") == "live":
        lines.append(CLOCK_TO_COME)
    title = f"{shown(facts.league.name)}, season {facts.season.number} begins"
    return Answer(embeds=(embed(title, "\n".join(lines)),))


def _round(facts: RoundPost) -> Answer:
    view = facts.view
    title = round_title(view) + (f" ({facts.page} of {facts.pages})" if facts.pages > 1 else "")
    lines = [round_head(view), *(match_line(match) for match in view.matches), *(bye_line(bye) for bye in view.byes)]
    if not facts.match_posts:
        lines.append("Played? Press **My match** to report.")
    mine = MY_MATCH.button("My match", view.league.id, style=BLUE)
    return Answer(text=pings(facts.ping_ids), embeds=(embed(title, "\n".join(lines)),), buttons=(mine,))


def _match(facts: MatchPost) -> Answer:
    return match_answer(facts.view)


def match_answer(view: MatchView, *, to_you: str = "") -> Answer:
    """Return a match with its buttons, for everybody or with the next step of the one who asked."""
    stage = "finals" if view.stage is Stage.FINALS else f"round {view.round_number}"
    games = f" · best of {view.best_of}" if view.best_of > 1 else ""
    steps = [*_silence(view), f"**{with_commands(to_you)}**"] if to_you else _steps(view)
    lines = [f"{_players(view)} · season {view.season_number}, {stage}{games}", *_match_state(view), *steps]
    title = f"{view.code}: {shown(view.upper.name)} v {shown(view.lower.name)}"
    made = embed(title, "\n".join(lines), colour=STATE_COLOURS[view.match.state])
    return Answer(embeds=(made,), buttons=match_buttons(view))


def _players(view: MatchView) -> str:
    """Return who plays, as mentions where they are known: the league names stand in the title."""
    known = [shown(side.name) if side.discord_id is None else f"<@{side.discord_id}>" for side in view.sides]
    return " v ".join(known)


def _match_state(view: MatchView) -> list[str]:
    mark = STATE_MARKS[view.match.state]
    reports = [f"{mark} {shown(report.words)}" for report in view.reports]
    match view.match.state:
        case MatchState.OPEN:
            return [f"Play by {when(view.deadline)}"] if view.deadline is not None else []
        case MatchState.REPORTED:
            return reports
        case MatchState.DISPUTED:
            return [*(shown(report.words) for report in view.reports), *_dispute_lines(view)]
        case MatchState.CONFIRMED:
            return [f"{mark} **{shown(view.state_words)}**"]


def _silence(view: MatchView) -> list[str]:
    counting = view.match.state is MatchState.REPORTED and view.match.confirm_at is not None
    return [f"Silence confirms it {when(view.match.confirm_at)}"] if counting else []


def _steps(view: MatchView) -> list[str]:
    match view.match.state:
        case MatchState.OPEN:
            return ["Played? Press **I won** or **I lost**; one of you is enough."]
        case MatchState.REPORTED:
            other = view.opponent_of(view.reports[-1].side) if view.reports else view.lower
            silent = f"; silence confirms it {when(view.match.confirm_at)}" if view.match.confirm_at else ""
            return [f"**{shown(other.name)}** confirms or disputes{silent}."]
        case MatchState.DISPUTED:
            return ["The moderators decide; both of you will be told here."]
        case MatchState.CONFIRMED:
            return []


def _dispute_lines(view: MatchView) -> list[str]:
    if view.dispute is None:
        return []
    who = f"{shown(view.dispute.by)} disputes: " if view.dispute.by else ""
    return [f"⚖️ {who}{quoted(view.dispute.reason, 600)}"]


def match_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return what the players can press on a match as it is now."""
    why = WHY.button("Why?", view.match.id)
    match view.match.state:
        case MatchState.OPEN:
            return (*report_buttons(view), why)
        case MatchState.REPORTED:
            return (CONFIRM.button("Confirm", view, style=GREEN), DISPUTE.button("Dispute", view, style=RED), why)
        case MatchState.DISPUTED | MatchState.CONFIRMED:
            return (why,)


def report_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each result a player can report."""
    draw = (REPORT_DRAW.button("Draw", view),) if view.draws else ()
    return (REPORT_WON.button("I won", view, style=GREEN), REPORT_LOST.button("I lost", view, style=RED), *draw)


def decision_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return a button for each way moderators can decide a match; a bracket knows no double loss."""

    def decide(label: str, kind: str, outcome: str, style: discord.ButtonStyle) -> ActionButton:
        return DECIDE.button(label, view, extra=f"{kind}:{outcome}", style=style)

    names = {"upper": view.upper.name, "lower": view.lower.name}
    made = [decide(f"{name[:60]} won", "adjudicated", side, BLUE) for side, name in names.items()]
    made += [decide(f"{name[:60]} wins by forfeit", "forfeit", side, GREY) for side, name in names.items()]
    if view.draws:
        made.append(decide("Draw", "adjudicated", "draw", GREY))
    if view.stage is not Stage.FINALS:
        made.append(decide("Double loss", "adjudicated", "double loss", RED))
    return tuple(made)


def statement_lines(view: MatchView) -> list[str]:
    """Return what both players said of a match, for moderators."""
    players = f"{mention(view.upper.discord_id, view.upper.name)} v {mention(view.lower.discord_id, view.lower.name)}"
    said = [f"{shown(report.words)} ({discord.utils.format_dt(report.at, 'R')})" for report in view.reports] or [
        "Nobody has reported."
    ]
    return [players, *said, *_dispute_lines(view)]


def _dispute(facts: DisputePost) -> Answer:
    view = facts.view
    title = f"Dispute: {shown(view.label)}"
    if view.dispute is None:
        return Answer(embeds=(embed(f"Settled: {shown(view.label)}", f"✅ {shown(view.state_words)}"),))
    text = "\n".join(
        [*statement_lines(view), "", "Decide with a button: it asks you for the reason, and both players are told."]
    )
    return Answer(embeds=(embed(title, text),), buttons=decision_buttons(view))


def _overdue(facts: OverduePost) -> Answer:
    title = f"{shown(facts.league.name)}: round {facts.round.number} is past its deadline"
    if not facts.matches:
        return Answer(embeds=(embed(title, "✅ Nothing is overdue any more."),))
    lines = ["Nobody has reported these matches. Decide each, or give more time:"]
    lines += [match_line(match) for match in facts.matches]
    # A live round has a clock and no days.
    live = facts.season.settings.get("pace") == "live"
    deadline = int(facts.round.deadline.timestamp()) if facts.round.deadline else 0
    more = () if live else (EXTEND.button("3 more days for all", facts.league.id, extra=f"3:{deadline}"),)
    return Answer(embeds=(embed(title, pages(lines)[0]),), buttons=(*panel_buttons(facts.matches), *more))


def panel_buttons(matches: Sequence[MatchView]) -> tuple[ActionButton, ...]:
    """Return a button for each match that opens its decisions."""
    shown_ones = matches[:MOST_PANELS]
    return tuple(PANEL.button(f"Decide {m.code}", m.match.id) for m in shown_ones)


def _reminder(facts: ReminderPost) -> Answer:
    lines = [f"Play by {when(facts.deadline)}"] if facts.deadline is not None else []
    lines += [match_line(match) for match in facts.matches]
    title = f"{shown(facts.league.name)}: round {facts.round_number} is not played out yet"
    return Answer(text=pings(facts.ping_ids), embeds=(embed(title, pages(lines)[0]),))


def _decision(facts: DecisionPost) -> Answer:
    label = facts.view.label
    made = embed(f"Decided: {shown(label)}", shown(facts.text.removeprefix(f"{label}: ")))
    return Answer(text=pings(facts.ping_ids), embeds=(made,))


def _rejoin(facts: RejoinPost) -> Answer:
    who = mention(facts.discord_id, facts.name)
    title = f"{shown(facts.league.name)}, season {facts.season.number}: {shown(facts.name)} asks to come back"
    if facts.accepted is not None:
        return Answer(embeds=(embed(title, f"{who}: {'accepted' if facts.accepted else 'refused'}."),))
    buttons = (
        REJOIN_ACCEPT.button("Accept", facts.request_id, style=GREEN),
        REJOIN_REFUSE.button("Refuse", facts.request_id, style=RED),
    )
    text = f"{who} dropped and asks to come back. Every round missed counts as a loss."
    return Answer(embeds=(embed(title, text),), buttons=buttons)


def _notice(facts: NoticePost) -> Answer:
    return Answer(text=pings(facts.ping_ids), embeds=(embed(shown(facts.league.name), shown(facts.text)),))


def _champion(facts: ChampionPost) -> Answer:
    title = f"{shown(facts.league.name)}: season {facts.season.number} is over"
    champion = facts.champion
    who = (
        f"🏆 {mention(champion.discord_id, champion.name)} is the champion!"
        if champion
        else "It ends without a champion."
    )
    lines = final_lines(facts.standings)
    return long_answer(title, lines, file_name=f"season-{facts.season.number}-standings.txt", head=f"{who}\n")


def _trouble(facts: TroublePost) -> Answer:
    league = shown(facts.league.name)
    if facts.fixed:
        return Answer(embeds=(embed(f"{league}: fixed", "✅ The missing post is there now."),))
    text = f"A post couldn't be made. {shown(facts.post.problem or '')}\nThen press **Try again**."
    again = RETRY.button("Try again", facts.post.id, style=BLUE)
    return Answer(embeds=(embed(f"{league}: a post is missing", text),), buttons=(again,))


def _withdrawn(facts: WithdrawnPost) -> Answer:
    return Answer(embeds=(embed(shown(facts.league.name), shown(facts.text)),))


_RENDERINGS: dict[type[Any], Callable[[Any], Answer]] = {
    SignupPost: _signup,
    StartPost: _start,
    RoundPost: _round,
    MatchPost: _match,
    ReminderPost: _reminder,
    DisputePost: _dispute,
    OverduePost: _overdue,
    DecisionPost: _decision,
    RejoinPost: _rejoin,
    NoticePost: _notice,
    ChampionPost: _champion,
    TroublePost: _trouble,
    WithdrawnPost: _withdrawn,
    TiePost: ties.tie,
    TieMatchPost: ties.tie_match,
    ClockPost: ties.clock,
}
