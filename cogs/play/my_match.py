"""One's own match, or all of them: the opponent, what to do next, and where a player stands without one.

What each subject adds to it stands in ADDED, filled by `cogs.wiring`.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.league.errors import Conflict
from bot.league.season.in_words import capitalised
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.reads import details
from bot.services.reads.my_match import MyMatch, OwnMatches, my_match
from cogs.matches.which_match import MORE, match_select
from cogs.matches.words import name, outcome, over_you, paused_until, report_words, state_words, uncounted
from cogs.play.match_card import details_answer, open_details
from cogs.play.reports import report
from cogs.ui.actions import MOST_OPTIONS, OLD_BUTTON, PRIMARY, ActionButton, Press, action, choice
from cogs.ui.cards import BLUE, LINE, Answer, Buttons, Part, Row
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host, host
from cogs.ui.replies import Reply
from cogs.ui.text import ends, relative, with_commands
from storage.rows import LeagueId, MatchId


class Matches(LeagueCog):
    """One's own match."""

    @command()
    async def match(self, asker: Caller) -> Reply:
        """Show your match: opponent, deadline and what to do next."""
        here = await asker.read(match_finding.match_here)
        if here is not None:
            return details_answer(await asker.read(details.details, match=here))
        mine = await asker.read(my_match)
        return await _mine(self.bot, mine, asker)


@dataclass(frozen=True, kw_only=True)
class Added:
    """What a subject adds: lines and buttons at once, and what takes longer to work out."""

    lines: Callable[[MyMatch], Iterable[str]] = lambda _: ()
    buttons: Callable[[MyMatch], Iterable[ActionButton]] = lambda _: ()
    section: Callable[[Host, MyMatch], Awaitable[Sequence[str]]] | None = None


ADDED: list[Added] = []
"""What the subjects add, in this order."""


@dataclass(frozen=True, kw_only=True)
class OneOf:
    """What a player who has several matches can do with one of them, of those that fit; `hint` stands in the select."""

    hint: str
    fits: Callable[[OwnMatches, MatchView], bool]
    does: Callable[[Press, MatchId], Awaitable[Reply]]


ONE_OF: dict[str, OneOf] = {}
"""What the subjects let them do, by its name in custom_ids."""


@action("my-match")
async def open_my_match(press: Press, league: LeagueId) -> Reply:
    """Show the match of the person who presses."""
    mine = await press.who.of(league).read(my_match)
    return await _mine(host(press.interaction), mine, press.who)


@action("my-matches")
async def turn(press: Press, league: LeagueId, first: int) -> Reply:
    """Show more of the matches of the person who presses, from one on."""
    mine = await press.who.of(league).read(my_match)
    return replace(await _mine(host(press.interaction), mine, press.who, first), replace=True)


async def _mine(bot: Host, mine: MyMatch, by: Caller, first: int = 0) -> Answer:
    """Return a player's match, or where they stand without one, then what they wait for and what they need."""
    lines = [*map(with_commands, mine.after), *(line for added in ADDED for line in added.lines(mine))]
    if mine.match is None or mine.match.round.phase is not RoundPhase.OPEN:  # else its card says so
        lines += filter(None, [paused_until(mine.season)])
    if mine.until is not None:
        what = "Sign-ups close" if mine.season.phase is SeasonPhase.SIGNUP else "The round ends"
        lines.append(f"-# {what} {relative(mine.until)}")
    below: list[Part] = ["\n".join(lines)]
    for section in [await added.section(bot, mine) for added in ADDED if added.section is not None]:
        below += [LINE, "\n".join(section)] if section else []
    buttons = tuple(button for added in ADDED for button in added.buttons(mine))
    if mine.several is not None:
        return _several(mine, mine.several, below, buttons, first)
    if mine.match is None:
        return Answer(parts=(with_commands(mine.what_to_do), *below), colour=BLUE, buttons=buttons)
    answer = details_answer(await by.read(details.details, match=mine.match.match.id))
    head, *rest = answer.parts
    return replace(answer, parts=(head, *below, *rest), buttons=(*answer.buttons, *buttons))


_ROWS = 7
"""As many matches as fit into a message beside what else it holds, each with its button."""


def _several(
    mine: MyMatch, own: OwnMatches, below: Sequence[Part], buttons: Sequence[ActionButton], first: int
) -> Answer:
    """Return a player's matches, each with what can be pressed, from the `first` on."""
    league, rows = mine.season.league_id, own.matches[first : first + _ROWS]
    until = f"\n{ends(own.until)}" if own.until is not None else ""
    where = f" in {own.group}" if own.group else ""
    head = f"### Your matches{where}\n{with_commands(mine.what_to_do)}{until}"
    turns = {"◀ Matches before": first - _ROWS} if first else {}
    turns |= {"More matches ▶": first + _ROWS} if first + _ROWS < len(own.matches) else {}
    return Answer(
        parts=(
            head,
            LINE,
            *(Row(_words(own, view), _button(own, view)) for view in rows),
            *below,
            *_selects(mine, own, ONE_OF),
        ),
        colour=BLUE,
        buttons=(*(turn(league, at).button(label) for label, at in turns.items()), *buttons),
    )


def _words(own: OwnMatches, view: MatchView) -> str:
    """Return a match as its player reads it in a list: the opponent or the result, and where it stands."""
    opponent, proposal = name(view.opponent_of(own.side)), own.proposals.get(view.match.id)
    twice = sum(view.sides == other.sides or view.sides == other.sides[::-1] for other in own.matches) > 1
    where = f", {view.place}" if twice else ""
    if view.match.state is MatchState.CONFIRMED:
        ended = outcome(view, own.side)
        lines = filter(None, (state_words(view), uncounted(view, own.struck)))
        return f"{capitalised(ended)}{where}\n-# {'. '.join(lines)}"
    if view.match.state is MatchState.REPORTED:
        report, counts = view.reports[-1], view.match.confirm_at
        silent = "" if counts is None else f" Counts {relative(counts)}."
        asks = f"They reported {over_you(report)}. Is that right?"
        waits = f"Reported: {report_words(report)}. Waiting for their answer.{silent}"
        return f"**{opponent}**{where}\n-# {asks if own.is_asked(view) else waits}"
    proposed = "" if proposal is None else "They propose times. " if own.is_asked(view) else "You proposed times. "
    return f"**{opponent}**{where}\n-# {proposed}{state_words(view)}"


def _button(own: OwnMatches, view: MatchView) -> ActionButton:
    if own.is_asked(view):
        return open_details(view.match.id).button("Answer", PRIMARY)
    if view.match.state is MatchState.OPEN:
        return report(view.match.id).button("Report", PRIMARY)
    return open_details(view.match.id).button("Details")


def _selects(mine: MyMatch, own: OwnMatches, names: Iterable[str], first: int = 0) -> Iterator[Buttons]:
    for what in names:
        fitting = [view for view in own.matches if ONE_OF[what].fits(own, view)]
        does = one_of(mine.season.league_id, what, first)
        if fitting:
            yield (match_select(does, fitting, own.side.discord_id, first, ONE_OF[what].hint),)


@choice("one-of", form=True)
async def one_of(press: Press, match: MatchId, league: LeagueId, what: str, first: int) -> Reply:
    """Do something with one of a player's matches, or show more of them to choose from."""
    if what not in ONE_OF:
        raise Conflict(OLD_BUTTON)
    if match != MORE:
        return await ONE_OF[what].does(press, match)
    mine = await press.who.of(league).read(my_match)
    selects = () if mine.several is None else tuple(_selects(mine, mine.several, [what], first + MOST_OPTIONS - 1))
    return Answer(text="" if selects else OVER, parts=selects)


OVER = "None of your matches is left for that. /match shows where you stand."


async def _open(press: Press, match: MatchId) -> Reply:
    return details_answer(await press.who.read(details.details, match=match))


DETAILS = OneOf(hint="Details of…", fits=lambda own, view: True, does=_open)
