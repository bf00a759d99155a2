"""A match as someone's private card, or for both players in its thread: what to do, what was said, earlier meetings.

The card is the same for every subject: what each adds to it stands in SHOWN, filled by `cogs.wiring`.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.league.formats.shared.words import ordinal
from bot.league.season.in_words import capitalised
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.matches.views import MatchView
from bot.services.reads import details
from bot.services.reads.details import Details
from bot.services.reads.pairings import in_short
from cogs.matches.rounds import STATE_COLOURS
from cogs.matches.words import name, outcome, over_you, pairing, paused_until, state_line, state_words, uncounted
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import LINE, Answer, Part
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from cogs.ui.text import ends, relative, season_title, shown
from storage.rows import MatchId

_MOST_MEETINGS = 5


def _nothing(_: Details) -> Iterator[Any]:
    return iter(())


async def _not_mine(asker: Caller, view: MatchView) -> Answer | None:
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
    case: Callable[[Caller, MatchView], Awaitable[Answer | None]] = _not_mine


SHOWN: list[OnCard] = []
"""What the subjects add, in the order of the card."""


@action("details")
async def open_details(press: Press, match: MatchId) -> Reply:
    """Show a match, and its players what they can do."""
    return details_answer(await press.who.read(details.details, match=match))


def details_answer(details: Details) -> Answer:
    """Return a match for the person who looks at it, or for both players, with what they can do."""
    parts: list[Part] = ["\n".join(_head(details))]
    sections = [section for on_card in SHOWN for section in on_card.sections(details)]
    reader = None if details.shared or details.side is None else details.side.discord_id
    over = details.match.match.state is MatchState.CONFIRMED  # then no one asks, and Check it yourself still tells
    why = "" if over else f"**Why this pairing?**\n{shown(in_short(details.match.match, details.match.sides, reader))}"
    for section in filter(None, (*sections, _said(details), "\n".join(_met(details)), why)):
        parts += [LINE, section]
    return Answer(parts=tuple(parts), colour=STATE_COLOURS[details.match.match.state], buttons=_buttons(details))


def _head(details: Details) -> Iterator[str]:
    view, match = details.match, details.match.match
    games = "" if view.best_of == 1 else f" · best of {view.best_of}"
    yield f"### {_title(details)}"
    yield f"{', '.join(dict.fromkeys(filter(None, (season_title(view), view.place, details.group))))}{games}"
    if view.round.phase is RoundPhase.OPEN:
        yield from filter(None, [paused_until(view.season)])
        if match.state is MatchState.OPEN and match.overdue_at is not None:
            yield state_words(view)
        elif match.state is MatchState.OPEN and view.deadline is not None:
            yield ends(view.deadline)
    for section in SHOWN:
        yield from section.lines(details)
    yield from filter(None, [_first_choice(details)])
    if match.state is not MatchState.OPEN:
        own = outcome(view, details.side) if details.side and match.state is MatchState.CONFIRMED else ""
        yield f"**{capitalised(own)}.**" if own else pairing(view)
        yield "\n".join(f"-# {line}" for line in (state_line(view), uncounted(view, details.struck)) if line)
    yield from _to_do(details)
    for section in SHOWN:
        yield from section.below(details)
    if details.thread is not None:
        yield f"Talk about it in <#{details.thread}>."


def _title(details: Details) -> str:
    view, side = details.match, details.side
    if side is None:
        return shown(view.heading)
    opponent = name(view.opponent_of(side))
    if details.is_asked:
        return f"{opponent} reported {over_you(view.reports[-1])}. Is that right?"
    return f"You play {opponent}" if view.match.state is MatchState.OPEN else f"You v {opponent}"


def _first_choice(details: Details) -> str:
    """Return who goes first as far as the rules say it, until the match has its result."""
    view = details.match
    if view.match.state is MatchState.CONFIRMED:
        return ""
    lines: list[str] = []
    holder = next((side for side in view.sides if side.id == view.match.dice_off_id), None)
    if holder is not None:
        whose = "You have" if holder == details.side else f"{name(holder)} has"
        lines.append(f"{whose} the first choice{'' if view.best_of == 1 else ' in game 1'}.")
    if details.loser_begins:
        lines.append("The loser of a game chooses who goes first in the next.")
    return " ".join(lines)


def _to_do(details: Details) -> Iterator[str]:
    """Yield the next step of a player in their match."""
    view = details.match
    if (
        view.stopped
        or details.is_asked
        or not (details.side or (details.shared and view.match.state is MatchState.OPEN))
    ):
        return
    match view.match.state:
        case MatchState.OPEN:
            for section in SHOWN:
                yield from section.to_do(details)
            yield "Played? One of you presses **Report**."
        case MatchState.REPORTED:
            yield "Made a mistake? Press **Report again**."
        case MatchState.DISPUTED:
            yield "You'll be told. If your opponent is right after all, report that too."
        case MatchState.CONFIRMED:
            until = "" if details.until is None else discord.utils.format_dt(details.until, "t")
            yield f"If that's wrong, {f'**Take back** works until {until}' if until else 'ask a moderator'}."


def _said(details: Details) -> str:
    steps = {kind: step for section in SHOWN for kind, step in section.steps.items()}
    lines = [
        f"• {steps[type(section)](details.match, section)} ({relative(section.at)})" for section in details.statements
    ]
    return "\n".join(["**What happened**", *lines]) if lines else ""


def _met(details: Details) -> Iterator[str]:
    """Yield where the two stand, and how they did against each other before."""
    view, side = details.match, details.side
    yield "**You two**" if side or details.shared else "**These two**"
    if details.ranks is not None:
        upper, lower = map(ordinal, details.ranks)
        mine, theirs = (upper, lower) if side == view.upper else (lower, upper)
        both = f"{name(view.upper)} is {upper}, {name(view.lower)} is {lower}."
        yield f"You're {mine}, they're {theirs}." if side else both
    if not details.met:
        yield "Met before." if view.match.rematch else "First match against each other."
        return
    lines: list[str] = []
    for earlier in details.met[-_MOST_MEETINGS:]:
        won = next((player for player in view.sides if player.person_id == earlier.winner_id), None)
        own = side is not None and won == side
        winner = "no one" if won is None else name(won) if side is None else "you" if own else "they"
        lines.append(f"{winner} won in season {earlier.season}")
    times = {1: "once", 2: "twice"}.get(len(details.met), f"{len(details.met)} times")
    yield f"Met {times} before: {', '.join(lines)}."


def _buttons(details: Details) -> tuple[ActionButton, ...]:
    """Return what this person can press; on the card of both, Details shows each their own."""
    view = details.match
    own = details.shared and view.match.state is MatchState.OPEN and not view.stopped
    can = [button for section in SHOWN for button in section.buttons(details)]
    looks = [button for section in SHOWN for button in section.looks(details)]
    return (*can, *([open_details(view.match.id).button("Details")] if own else []), *looks)
