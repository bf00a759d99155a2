"""The board of a league, and the sign-up post of one without a board: where its season is, its picture, its buttons."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import discord

from bot import steps
from bot.league.season.in_words import amount
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.pictures.standings import MOST_ROWS
from bot.services.base.outbox import BOARD, SIGNUP
from bot.services.reads import tables
from bot.services.reads.board import BoardPost
from bot.services.signups.check_in import opens_at
from cogs.matches.words import paused_until
from cogs.people.drops import leave
from cogs.play.my_match import open_my_match
from cogs.reads.groups import groups_picture
from cogs.reads.pictures import bracket_picture, standings_picture
from cogs.reads.rules import public_line, show_rules
from cogs.reads.table_lines import seal_lines
from cogs.reads.tables import bracket_button, standings_button
from cogs.signups.signup import join, played_before
from cogs.ui.actions import PRIMARY, SUCCESS, ActionButton
from cogs.ui.cards import BLUE, GOLD, GREY, Answer, Part
from cogs.ui.context import Host
from cogs.ui.drawn import as_parts, drawn_if_possible, drawn_part
from cogs.ui.posts import draws_below, renders
from cogs.ui.text import relative, season_title, shown, urgent

_NAMES_LIMIT = 900
_LAST_PAGE = 99
MOST_PAGES = 2
"""The pinned message is read on phones: more pages of the standings would push everything else out of sight."""
_COLOURS = {SeasonPhase.FINISHED: GOLD, SeasonPhase.CANCELLED: GREY}

SIGNING_UP: list[Callable[[BoardPost], Iterable[str]]] = []
"""What subjects say on the board while sign-ups are open; filled by `cogs.wiring`."""


@renders(BOARD)
def board(post: BoardPost) -> Answer:
    """Return the board of a season."""
    text, colour = (
        "\n".join([_title(post), *_state(post), *_small_print(post)]),
        _COLOURS.get(post.season.phase, BLUE),
    )
    return Answer(parts=(text,), buttons=tuple(_buttons(post)), colour=colour)


@draws_below(BOARD)
async def drawn_below(bot: Host, post: BoardPost) -> tuple[Part, ...]:
    """Return the picture of a board, in the finals the bracket, and when it was drawn."""
    picture = () if post.current is None else await _bracket(bot, post) or await _standings(bot, post)
    return (*picture, f"-# Updated {relative(bot.now())}")


async def _bracket(bot: Host, post: BoardPost) -> tuple[Part, ...]:
    """Draw the page of the bracket with the first match that is still open, else that of the final."""
    view = await bot.database.read(tables.bracket_of, post.season.id, bot.now())
    missing = post.current.missing if post.current else ()
    page = missing[0].sides[0].called if missing else _LAST_PAGE
    return () if view is None else await drawn_part(bot, bracket_picture(view), page, "bracket.png", button="Bracket")


async def _standings(bot: Host, post: BoardPost) -> tuple[Part, ...]:
    """Draw both pages of the standings, of more the one with the line of the cut; nothing before the first result.

    Of several groups their tables.
    """
    counted = await bot.database.read(tables.standings_of, post.season.id, bot.now())
    view = await steps.with_verdicts(bot.database, bot.worker, counted)
    grouped = len(view.groups) > 1
    picture = groups_picture(view) if grouped else standings_picture(view)
    many = len(view.rows) > MOST_PAGES * MOST_ROWS
    page = view.rows[view.cut_after - 1].called if many and view.cut_after is not None and not grouped else 0
    first = await drawn_if_possible(bot, picture, page) if view.begun else None
    if first is None:
        return ()
    if len(first.titles) > MOST_PAGES:
        page_title, all_ = first.titles[first.number], len(view.groups) if grouped else len(view.rows)
        shown_ = f"{page_title if grouped else f'Players {page_title}'} of {all_}"
        return (*as_parts(first, "standings.png"), f"-# {shown_}. **Standings** shows the others.")
    others = [await drawn_if_possible(bot, picture, number) for number in range(1, len(first.titles))]
    return (
        *as_parts(first, "standings.png"),
        *(part for page in filter(None, others) for part in as_parts(page, f"standings-{page.number + 1}.png")),
    )


@renders(SIGNUP)
def signup(post: BoardPost) -> Answer:
    """Return the sign-up post of a league without a board."""
    is_open = post.season.phase is SeasonPhase.SIGNUP
    lines = _signups(post) if is_open else ("Sign-ups are closed.", _people(post.names))
    buttons = tuple(_buttons(post)) if is_open else ()
    return Answer(parts=("\n".join([_title(post), *lines, *_small_print(post)]),), buttons=buttons, colour=BLUE)


def _small_print(post: BoardPost) -> Iterator[str]:
    """Say what the draw was sealed by, and that the season was changed by hand."""
    sealed = post.sealed if post.sealed is not None and post.sealed.secret is None else None  # then round 1 has it
    yield from (f"-# {line}" for line in (*seal_lines(sealed), post.by_hand) if line)


def _title(post: BoardPost) -> str:
    return f"## {season_title(post)}"


def _state(post: BoardPost) -> Iterator[str]:
    """Say where the season is and what it waits for."""
    match post.season.phase:
        case SeasonPhase.SIGNUP:
            yield from _signups(post)
        case SeasonPhase.CANCELLED:
            yield "This season was cancelled."
        case SeasonPhase.FINISHED:
            yield f"🏆 **{shown(post.champion)}** is the champion." if post.champion else "The season is over."
        case _:
            yield from _in_play(post)


def _signups(post: BoardPost) -> Iterator[str]:
    closing = post.season.signups_close
    then = f"They close {urgent(closing)}. Then the season starts." if closing else "An organiser starts the season."
    full = " All places are taken: **Join** puts you on the waiting list." if post.full else ""
    yield f"**Sign-ups are open.**{full} {then}"
    yield _people(post.names)
    if post.season.last_day is not None and post.season.last_day == closing:
        count = len(post.names)
        yield f"⏳ **Last day to join:** {amount(count, 'player is', 'players are')} in."
    if (asked_at := opens_at(post.season)) is not None:
        yield f"Check-in opens {relative(asked_at)}: press **I'm in** when you're asked."
    if post.waiting:
        yield f"{amount(post.waiting, 'player waits', 'players wait')} for a place."
    if post.league.site:
        yield public_line()
    for lines_of in SIGNING_UP:
        yield from lines_of(post)
    yield ""
    yield f"**{shown(post.format_title)}**"
    yield from (f"- {shown(line)}" for line in post.in_short)
    if post.ends is not None:
        yield f"- The season ends {discord.utils.format_dt(post.ends, 'D')} at the latest, if no deadline is moved."


def _in_play(post: BoardPost) -> Iterator[str]:
    yield from filter(None, [paused_until(post.season)])
    view = post.current
    if view is None:
        yield "**Round 1** isn't posted yet."
    elif view.round.phase is not RoundPhase.OPEN:
        yield f"**{view.round.name}:** done. An organiser posts the next round."
    else:
        yield f"**{view.round.name}**" + (f" · Ends {urgent(view.round.deadline)}" if view.round.deadline else "")
        after = f", {post.then}" if post.then else ""
        yield f"**{amount(len(view.missing), 'result')} to come**{after}." if view.missing else "All results are in."
    if post.decision:
        yield f"🕓 {shown(post.decision)}"
    if post.sitting_out:
        yield f"{amount(post.sitting_out, 'player sits', 'players sit')} out the next round."


def _people(names: Sequence[str]) -> str:
    """Return how many players there are, and their names as long as they fit."""
    if not names:
        return "No one has signed up yet."
    lengths = itertools.accumulate(len(shown(name)) + 2 for name in names)
    count = sum(length <= _NAMES_LIMIT for length in lengths)
    more = f" and {len(names) - count} more" if count < len(names) else ""
    return f"**{amount(len(names), 'player')} so far:** {', '.join(shown(name) for name in names[:count])}{more}"


def _buttons(post: BoardPost) -> Iterator[ActionButton]:
    league, phase = post.league.id, post.season.phase
    if phase is SeasonPhase.SIGNUP:
        yield join(league).button("Join", SUCCESS)
        yield leave(league).button("Leave")
        if post.past:
            yield played_before(league).button("I played before")
    elif phase in (SeasonPhase.RUNNING, SeasonPhase.FINALS):
        several = phase is SeasonPhase.RUNNING and post.settings.schedule.open_together
        yield open_my_match(league).button("My matches" if several else "My match", PRIMARY)
    if post.current is not None:
        yield standings_button(league, post.season.number)
    if post.current is not None and post.finals:
        yield bracket_button(league, post.season.number)
    if post.season.number is not None:
        yield show_rules(league, post.season.number).button("Rules")
