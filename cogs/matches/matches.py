"""One match: the form that reports its result, and everything there is to know about it."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.league.season.match_score import Result, score_words, typed_score
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.matches import choosing
from bot.services.play import possible, reporting
from bot.services.play.possible import Choices, Possible
from bot.services.reads import details
from bot.services.reads.my_match import MyMatch, my_match
from cogs.matches.results import reported
from cogs.players.sit_outs import play_after_all_buttons
from cogs.seasons.outlook import what_you_need
from cogs.ui.actions import DETAILS, MY_MATCH, REPORT
from cogs.ui.buttons import Press
from cogs.ui.cards import BLUE, LINE, Part
from cogs.ui.commands import command
from cogs.ui.context import By, Host, Interaction, LeagueCog, Ordered, by, host, looking
from cogs.ui.forms import Choice, Form, picked
from cogs.ui.posts.pause import paused_until
from cogs.ui.render.match_details import details_answer
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import cut, relative, shown, with_commands
from storage.rows import LeagueId, MatchId

_MOST_RADIO_BUTTONS = 10
_AFTERWARDS = (
    "What counts at once can be taken back for 10 minutes, until the next round is paired or the season is over."
)


class Matches(LeagueCog):
    """One's own match."""

    @command()
    async def match(self, who: Ordered) -> Reply:
        """Show your match: opponent, deadline and what to do next."""
        here = await choosing.match_here(who["db"], actor=who["actor"])
        if here is not None:
            return details_answer(await details.details(who["db"], actor=who["actor"], now=who["now"], match=here))
        mine = await my_match(**looking(who))
        return await _mine(self.bot, mine, By(db=who["db"], actor=who["actor"], now=who["now"]))


@MY_MATCH
async def my_match_pressed(press: Press[LeagueId]) -> Reply:
    """Show the match of the person who presses."""
    mine = await my_match(**press.who, league_id=press.subject)
    return await _mine(host(press.interaction), mine, press.by)


async def _mine(bot: Host, mine: MyMatch, by: By) -> Answer:
    """Return a player's match, or where they stand without one, then what they wait for and what they need."""
    away = [f"You sit out round {one.round}: it counts as a loss." for one in mine.sitting_out]
    waits, needs = "\n".join([*map(with_commands, mine.after), *away, *_until(mine)]), await what_you_need(bot, mine)
    after_all = play_after_all_buttons(mine.sitting_out)
    below: list[Part] = [waits, *((LINE, "\n".join(needs)) if needs else ())]
    if mine.match is None:
        return Answer(parts=(with_commands(mine.what_to_do), *below), colour=BLUE, buttons=after_all)
    made = details_answer(await details.details(**by, match=mine.match.match.id))
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
    return details_answer(await details.details(**press.by, match=press.subject))


@REPORT
async def report_pressed(press: Press[MatchId]) -> Reply:
    """Open the form for a player who can report now; show everyone else the match."""
    found = await possible.choices(**press.by, match=press.subject)
    return (
        ReportForm(found) if found.results else details_answer(await details.details(**press.by, match=press.subject))
    )


class ReportForm(Form):
    """How a match ended, each result with what follows from it."""

    def __init__(self, found: Choices) -> None:
        view, opponent = found.match, found.opponent
        super().__init__(title=f"Report: you v {opponent}")
        self._seen = view.seen
        games = "Single game" if view.best_of == 1 else f"Best of {view.best_of}"
        where = f"{view.league.name}, season {view.season.number}, {view.place}. {games}."
        self.add_item(discord.ui.TextDisplay(f"-# {shown(where)}"))
        self._result = self._results(found.results)
        self.add_item(discord.ui.TextDisplay(f"-# {_AFTERWARDS}"))

    def _results(self, results: Sequence[Possible]) -> Choice:
        labels = {_value(one): _label(one) for one in results}
        notes = {_value(one): cut(one.follows, 100) for one in results}
        add = self.choose if len(results) <= _MOST_RADIO_BUTTONS else self.list
        return add("result", "How did it end?", labels, notes=notes)

    async def answer(self, interaction: Interaction) -> Reply:
        """Report what was chosen, unless the match has changed since the form was opened."""
        result, _, score = picked(self._result).partition(" ")
        done = await reporting.report(**by(interaction), **self._seen, result=result, score=score or None)
        return reported(done, interaction.user.id)


def _value(one: Possible) -> str:
    return f"{one.result}{typed_score(one.games)}"


def _label(one: Possible) -> str:
    """Return a result as a player says it: `I won`, with the games, or `Draw`."""
    return f"{_SAID[one.result]}{score_words(one.games)}"


_SAID = {Result.WON: "I won", Result.LOST: "I lost", Result.DRAW: "Draw"}
