"""One's own match, and everything there is to know about any match."""

from dataclasses import replace

from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.matches import choosing
from bot.services.reads import details
from bot.services.reads.my_match import MyMatch, my_match
from cogs.matches.words import paused_until
from cogs.play.match_card import details_answer
from cogs.reads.outlook import what_you_need
from cogs.seats.sit_outs import play_after_all_buttons
from cogs.ui.actions import DETAILS, MY_MATCH
from cogs.ui.buttons import Press
from cogs.ui.cards import BLUE, LINE, Answer, Part
from cogs.ui.commands import command
from cogs.ui.context import Caller, Host, LeagueCog, host
from cogs.ui.replies import Reply
from cogs.ui.text import relative, with_commands
from storage.rows import LeagueId, MatchId


class Matches(LeagueCog):
    """One's own match."""

    @command()
    async def match(self, who: Caller) -> Reply:
        """Show your match: opponent, deadline and what to do next."""
        here = await who.see(choosing.match_here)
        if here is not None:
            return details_answer(await who.see(details.details, match=here))
        mine = await who.see(my_match)
        return await _mine(self.bot, mine, who)


@MY_MATCH
async def my_match_pressed(press: Press[LeagueId]) -> Reply:
    """Show the match of the person who presses."""
    mine = await press.who.of(press.subject).see(my_match)
    return await _mine(host(press.interaction), mine, press.who)


async def _mine(bot: Host, mine: MyMatch, by: Caller) -> Answer:
    """Return a player's match, or where they stand without one, then what they wait for and what they need."""
    away = [f"You sit out round {one.round}: it counts as a loss." for one in mine.sitting_out]
    waits, needs = "\n".join([*map(with_commands, mine.after), *away, *_until(mine)]), await what_you_need(bot, mine)
    after_all = play_after_all_buttons(mine.sitting_out)
    below: list[Part] = [waits, *((LINE, "\n".join(needs)) if needs else ())]
    if mine.match is None:
        return Answer(parts=(with_commands(mine.what_to_do), *below), colour=BLUE, buttons=after_all)
    made = details_answer(await by.see(details.details, match=mine.match.match.id))
    head, *rest = made.parts
    return replace(made, parts=(head, *below, *rest), buttons=(*made.buttons, *after_all))


def _until(mine: MyMatch) -> list[str]:
    on_card = mine.match is not None and mine.match.round.phase is RoundPhase.OPEN
    paused = filter(None, [] if on_card else [paused_until(mine.season)])
    if mine.until is None:
        return [*paused]
    what = "Sign-ups close" if mine.season.phase is SeasonPhase.SIGNUP else "The round ends"
    return [*paused, f"-# {what} {relative(mine.until)}"]


@DETAILS
async def details_pressed(press: Press[MatchId]) -> Reply:
    """Show a match, and its players what they can do."""
    return details_answer(await press.who.see(details.details, match=press.subject))
