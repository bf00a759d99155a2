"""A match as one person's private card, or for both players in its thread: what waits, what was said, who they are."""

import discord

from bot.league.formats.shared.words import ordinal
from bot.league.season.match_score import score_words
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.matches.views import MatchView
from bot.services.play.decided import Decided
from bot.services.play.possible import can_report
from bot.services.problems.disputed import can_tell
from bot.services.reads.details import Details
from bot.services.reads.questions import in_short
from cogs.lists.list_cards import in_details
from cogs.matches.map_words import in_full
from cogs.matches.rounds import STATE_COLOURS
from cogs.matches.words import name, over_you, own_result, pairing, paused_until, state_line, state_words
from cogs.play.disputes import SAYS, decision_line
from cogs.play.round_card import match_button
from cogs.problems.problem_cards import problem_buttons, problem_lines, problem_step
from cogs.times.on_card import propose_button, time_buttons, time_hint, time_lines
from cogs.ui.actions import CONFIRM, DETAILS, DISPUTE, LISTS, PANEL, REPORT, TAKE_BACK, TELL, WHY
from cogs.ui.buttons import DANGER, PRIMARY, SUCCESS, ActionButton
from cogs.ui.cards import LINE, Answer, Part
from cogs.ui.text import quoted, relative, shown
from storage.rows import DisputeRow, EntrantRow, ReportRow
from storage.tables.claims import ClaimRow

_MOST_MEETINGS = 5


def details_answer(found: Details) -> Answer:
    """Return a match for the person who looks at it, or for both players, with what they can do."""
    parts: list[Part] = [_head(found)]
    for section in filter(
        None,
        (in_details(found.lists, found.list_to_do, shared=found.shared), _said(found), _met(found), _reasons(found)),
    ):
        parts += [LINE, section]
    return Answer(parts=tuple(parts), colour=STATE_COLOURS[found.match.match.state], buttons=_buttons(found))


def _head(found: Details) -> str:
    view = found.match
    games = "" if view.best_of == 1 else f" · best of {view.best_of}"
    where = f"{shown(view.league.name)}, season {view.season.number}, {view.place}{games}"
    state = [] if view.match.state is MatchState.OPEN else [_result(found), f"-# {state_line(view)}"]
    told = (
        *_paused(view),
        *_until(view),
        *time_lines(found),
        *in_full(found.maps),
        *first_choice(found),
        *state,
        *_to_do(found),
    )
    thread = [] if found.thread is None else [f"Talk about it in <#{found.thread}>."]
    return "\n".join([f"### {_title(found)}", where, *told, *problem_lines(found), *thread])


def _result(found: Details) -> str:
    """Return the result, to a player of the match in their own words."""
    if found.side is None or found.match.match.state is not MatchState.CONFIRMED:
        return pairing(found.match)
    own = own_result(found.match, found.side)
    return f"**{own[:1].upper()}{own[1:]}.**"


def _title(found: Details) -> str:
    view, side = found.match, found.side
    if side is None:
        return shown(view.heading)
    opponent = name(view.opponent_of(side))
    if found.is_asked:
        return f"{opponent} reported {over_you(view.reports[-1])}. Is that right?"
    return f"You play {opponent}" if view.match.state is MatchState.OPEN else f"You v {opponent}"


def _paused(view: MatchView) -> list[str]:
    """Return that the season is paused while its round is played."""
    return [*filter(None, [paused_until(view.season)])] if view.round.phase is RoundPhase.OPEN else []


def _until(view: MatchView) -> list[str]:
    playing = view.round.phase is RoundPhase.OPEN and view.match.state is MatchState.OPEN
    if playing and view.match.overdue_at is not None:
        return [state_words(view)]
    if not playing or view.deadline is None:
        return []
    return [f"Ends {relative(view.deadline)} · {discord.utils.format_dt(view.deadline, 'F')}"]


def _to_do(found: Details) -> list[str]:
    """Return the next step of a player in their match."""
    view = found.match
    if view.stopped or found.is_asked:
        return []
    if view.match.state is MatchState.OPEN:
        played = "Played? One of you presses **Report**."
        return [*time_hint(found), played] if found.side or found.shared else []
    if found.side is None:
        return []
    match view.match.state:
        case MatchState.REPORTED:
            return ["Made a mistake? Press **Report again**."]
        case MatchState.DISPUTED:
            return ["You'll be told. If your opponent is right after all, report that too."]
        case MatchState.CONFIRMED:
            return [_if_wrong(found)]


def _if_wrong(found: Details) -> str:
    if found.until is None:
        return "If that's wrong, ask a moderator."
    return f"If that's wrong, **Take back** works until {discord.utils.format_dt(found.until, 't')}."


def _said(found: Details) -> str:
    lines = [f"• {_step(found.match, one)} ({relative(one.at)})" for one in found.said]
    return "\n".join(["**What happened**", *lines]) if lines else ""


def _step(view: MatchView, one: ReportRow | DisputeRow | ClaimRow | Decided) -> str:
    if isinstance(one, Decided):
        return decision_line(one)
    if isinstance(one, ClaimRow):
        return problem_step(view, one)
    if isinstance(one, ReportRow):
        score = score_words(one.games)
        told = f". To the moderators: “{quoted(one.statement)}”" if one.statement else ""
        return f"{name(view.side(one.entrant_id))} reported: {one.result}{score}{told}"
    if one.entrant_id is None:
        return shown(one.reason) or "It was disputed."
    says = f": {SAYS[one.says]}." if one.says is not None else "."
    words = f" “{quoted(one.reason)}”" if one.reason else ""
    return f"{name(view.side(one.entrant_id))} disputed it{says}{words}"


def _met(found: Details) -> str:
    heading = "**You two**" if found.side or found.shared else "**These two**"
    return "\n".join(filter(None, (heading, _ranks(found), _meetings(found))))


def _ranks(found: Details) -> str:
    if found.ranks is None:
        return ""
    upper, lower = map(ordinal, found.ranks)
    if found.side is None:
        return f"{name(found.match.upper)} is {upper}, {name(found.match.lower)} is {lower}."
    mine, theirs = (upper, lower) if found.side == found.match.upper else (lower, upper)
    return f"You're {mine}, they're {theirs}."


def _meetings(found: Details) -> str:
    if not found.met:
        return "Met before." if found.match.match.rematch else "First match against each other."
    told = [_meeting(earlier, found) for earlier in found.met[-_MOST_MEETINGS:]]
    times = _TIMES.get(len(found.met), f"{len(found.met)} times")
    return f"Met {times} before: {', '.join(told)}."


_TIMES = {1: "once", 2: "twice"}


def _meeting(earlier: MatchView, found: Details) -> str:
    won = next((side for side in earlier.sides if side.id == earlier.match.winner_id), None)
    who = "no one" if won is None else _called(won, found)
    return f"{who} won in season {earlier.season.number}"


def _called(won: EntrantRow, found: Details) -> str:
    """Return a winner as the person who looks would say it: you, they, or the name."""
    if found.side is None:
        return name(won)
    return "you" if won.person_id == found.side.person_id else "they"


def _reasons(found: Details) -> str:
    """Return why the two were paired, as a person wants to hear it."""
    view = found.match
    reader = None if found.shared or found.side is None else found.side.discord_id
    return f"**Why this pairing?**\n{shown(in_short(view.match, view.sides, reader))}"


def _buttons(found: Details) -> tuple[ActionButton, ...]:
    """Return what this person can press on the match as it is now."""
    view = found.match
    lists = (LISTS.button("Lists", view.match.id),) if found.lists else ()
    if found.shared:
        return (*_for_both(found), *lists, _check(view))
    if found.is_asked:
        answers = CONFIRM.button("Confirm", view, style=SUCCESS), DISPUTE.button("Dispute", view, style=DANGER)
        return (*answers, *lists, _check(view))
    decide = (PANEL.button("Decide", view.match.id),) if found.can_decide else ()
    take_back = (TAKE_BACK.button("Take back", view),) if found.until is not None else ()
    tell = (TELL.button("Tell the moderators", view.match.id),) if can_tell(view, found.side) else ()
    can = (*tell, *time_buttons(found), *problem_buttons(found), *take_back, *decide, *lists)
    return (*_report_button(view, found.side), *can, _check(view))


def _check(view: MatchView) -> ActionButton:
    return WHY.button("Check it yourself", view.match.id)


def _for_both(found: Details) -> tuple[ActionButton, ...]:
    """Return what each of both players can press; Details shows them their own part."""
    view, details = found.match, DETAILS.button("Details", found.match.match.id)
    if view.match.state is not MatchState.OPEN or view.stopped:
        return (match_button(view),)
    propose = (propose_button(view),) if found.times.open else ()
    return (match_button(view), *propose, *problem_buttons(found), details)


def _report_button(view: MatchView, side: EntrantRow | None) -> tuple[ActionButton, ...]:
    if side is None or not can_report(view, side):
        return ()
    label = "Report" if view.report_of(side) is None else "Report again"
    return (REPORT.button(label, view.match.id, style=PRIMARY),)


def first_choice(found: Details) -> list[str]:
    """Return who goes first as far as the rules say it, until the match has its result."""
    if found.match.match.state is MatchState.CONFIRMED:
        return []
    told = [*_dice_off(found), *_later_games(found)]
    return [" ".join(told)] if told else []


def _dice_off(found: Details) -> list[str]:
    view = found.match
    holder = next((side for side in view.sides if side.id == view.match.dice_off_id), None)
    if holder is None:
        return []
    who = "You have" if holder == found.side else f"{name(holder)} has"
    return [f"{who} the first choice{'' if view.best_of == 1 else ' in game 1'}."]


def _later_games(found: Details) -> list[str]:
    return ["The loser of a game chooses who goes first in the next."] if found.loser_begins else []
