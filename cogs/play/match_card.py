"""A match as one person's private card, or for both players in its thread: what waits, what was said, who they are.

The card is the same for every subject: what each adds to it stands in SHOWN, filled by `cogs.wiring`.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.league.formats.shared.words import ordinal
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.promises import THREAD
from bot.services.matches.views import MatchView
from bot.services.reads import details
from bot.services.reads.details import Details
from bot.services.reads.questions import in_short
from bot.services.reads.thread_card import ThreadPost
from cogs.matches.rounds import STATE_COLOURS, in_full
from cogs.matches.words import name, outcome, over_you, pairing, paused_until, state_line, state_words
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import LINE, Answer, Part
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import relative, shown
from storage.rows import EntrantRow, MatchId

_MOST_MEETINGS = 5


def _nothing(_: Details) -> Iterator[Any]:
    return iter(())


async def _not_mine(press: Press, view: MatchView) -> Answer | None:
    return None


@dataclass(frozen=True, kw_only=True)
class OnCard:
    """What a subject adds to the card of a match, for the person who looks or for both players.

    `lines` stand below when it ends, `to_do` before what to do next, `below` at the end of the head. `buttons` do
    something, `looks` only show something. `steps` tells what was said as a line of what happened, by its class.
    `case` is what a moderator decides about instead of the match alone, if that's what waits.
    """

    lines: Callable[[Details], Iterable[str]] = _nothing
    to_do: Callable[[Details], Iterable[str]] = _nothing
    below: Callable[[Details], Iterable[str]] = _nothing
    sections: Callable[[Details], Iterable[str]] = _nothing
    buttons: Callable[[Details], Iterable[ActionButton]] = _nothing
    looks: Callable[[Details], Iterable[ActionButton]] = _nothing
    steps: Mapping[type, Callable[[MatchView, Any], str]] = field(default_factory=dict[type, Any])
    case: Callable[[Press, MatchView], Awaitable[Answer | None]] = _not_mine


SHOWN: list[OnCard] = []
"""What the subjects add, in the order of the card."""


@action("details")
async def open_details(press: Press, match: MatchId) -> Reply:
    """Show a match, and its players what they can do."""
    return details_answer(await press.who.see(details.details, match=match))


def details_answer(found: Details) -> Answer:
    """Return a match for the person who looks at it, or for both players, with what they can do."""
    parts: list[Part] = [_head(found)]
    sections = [section for one in SHOWN for section in one.sections(found)]
    for section in filter(None, (*sections, _said(found), _met(found), _reasons(found))):
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
        *(line for one in SHOWN for line in one.lines(found)),
        *in_full(found.maps),
        *first_choice(found),
        *state,
        *_to_do(found),
    )
    thread = [] if found.thread is None else [f"Talk about it in <#{found.thread}>."]
    below = [line for one in SHOWN for line in one.below(found)]
    return "\n".join([f"### {_title(found)}", where, *told, *below, *thread])


def _result(found: Details) -> str:
    """Return the result, to a player of the match in their own words."""
    if found.side is None or found.match.match.state is not MatchState.CONFIRMED:
        return pairing(found.match)
    own = outcome(found.match, found.side)
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
        before = [line for one in SHOWN for line in one.to_do(found)]
        return [*before, "Played? One of you presses **Report**."] if found.side or found.shared else []
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
    steps = {kind: told for one in SHOWN for kind, told in one.steps.items()}
    lines = [f"• {steps[type(one)](found.match, one)} ({relative(one.at)})" for one in found.said]
    return "\n".join(["**What happened**", *lines]) if lines else ""


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
    """Return what this person can press; on the card of both, Details shows each their own."""
    view = found.match
    own = found.shared and view.match.state is MatchState.OPEN and not view.stopped
    can = [button for one in SHOWN for button in one.buttons(found)]
    looks = [button for one in SHOWN for button in one.looks(found)]
    return (*can, *([open_details(view.match.id).button("Details")] if own else []), *looks)


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


@renders(THREAD)
def opening(facts: ThreadPost) -> Answer:
    """Return a match's card in its thread, kept as the match is now."""
    return details_answer(facts.details)
