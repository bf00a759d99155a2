"""One's own match: the opponent, what to do next, and where a player stands without one.

What each subject adds to it stands in ADDED, filled by `cogs.wiring`.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.matches import match_finding
from bot.services.reads import details
from bot.services.reads.my_match import MyMatch, my_match
from cogs.matches.words import paused_until
from cogs.play.match_card import details_answer
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import BLUE, LINE, Answer, Part
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host, host
from cogs.ui.replies import Reply
from cogs.ui.text import relative, with_commands
from storage.rows import LeagueId


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


@action("my-match")
async def open_my_match(press: Press, league: LeagueId) -> Reply:
    """Show the match of the person who presses."""
    mine = await press.who.of(league).read(my_match)
    return await _mine(host(press.interaction), mine, press.who)


async def _mine(bot: Host, mine: MyMatch, by: Caller) -> Answer:
    """Return a player's match, or where they stand without one, then what they wait for and what they need."""
    lines = [*map(with_commands, mine.after), *(line for one in ADDED for line in one.lines(mine))]
    if mine.match is None or mine.match.round.phase is not RoundPhase.OPEN:  # else its card says so
        lines += filter(None, [paused_until(mine.season)])
    if mine.until is not None:
        what = "Sign-ups close" if mine.season.phase is SeasonPhase.SIGNUP else "The round ends"
        lines.append(f"-# {what} {relative(mine.until)}")
    below: list[Part] = ["\n".join(lines)]
    for section in [await one.section(bot, mine) for one in ADDED if one.section is not None]:
        below += [LINE, "\n".join(section)] if section else []
    buttons = tuple(button for one in ADDED for button in one.buttons(mine))
    if mine.match is None:
        return Answer(parts=(with_commands(mine.what_to_do), *below), colour=BLUE, buttons=buttons)
    answer = details_answer(await by.read(details.details, match=mine.match.match.id))
    head, *rest = answer.parts
    return replace(answer, parts=(head, *below, *rest), buttons=(*answer.buttons, *buttons))
