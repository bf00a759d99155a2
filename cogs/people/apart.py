"""Keeping two people apart: asked first, told with what becomes of the round that is on, and listed."""

from dataclasses import replace

import discord

from bot.league.season.in_words import amount
from bot.services.base import find
from bot.services.people import keeping_apart
from bot.services.people.keeping_apart import Kept
from cogs.ui.actions import MOST_OPTIONS, Press, choice, some
from cogs.ui.cards import Answer, long_answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import PlayerName
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId, LeagueRow, PlayerId

_MORE = "0-0"
"""Stands among the pairs for those that follow."""


class KeptApart(LeagueCog):
    """Pairs of people who never play each other, if that can be avoided."""

    @command("player", a="The first player", b="The second player")
    async def apart(self, asker: Caller, a: PlayerName, b: PlayerName, reason: Reason) -> Reply:
        """Never pair these two, if it can be avoided; you're asked first."""
        return await _apart(asker, a=a, b=b, reason=reason)


@with_confirmation("apart", "Keep these two apart?", yes="Keep them apart", no="Leave it")
async def _apart(asker: Caller, *, a: str, b: str, reason: str, agreed: str = "") -> str:
    done = await asker.write(keeping_apart.keep_apart, first=a, second=b, reason=reason, agreed=agreed)
    text = f"{_named(done)} are kept apart from round {done.round} of season {done.season} on."
    if done.against is not None:
        text += (
            f" They still play each other now ({shown(done.against.heading)}): `/round undo` pairs the round again, "
            "`/round swap` gives them other opponents."
        )
    return text + _of_preview(done)


@with_confirmation("together", "Let these two meet again?", yes="Let them meet", no="Keep them apart")
async def _together(asker: Caller, *, first: PlayerId, second: PlayerId, reason: str, agreed: str = "") -> str:
    done = await asker.write(keeping_apart.let_together, first=first, second=second, reason=reason, agreed=agreed)
    text = f"{_named(done)} can be paired with each other again, from round {done.round} of season {done.season} on."
    return text + _of_preview(done)


def _named(done: Kept) -> str:
    return f"**{shown(done.first)}** and **{shown(done.second)}**"


def _of_preview(done: Kept) -> str:
    if done.preview:
        return f" The preview of {done.preview} was paired again: `/round post` shows it."
    if done.by_hand:
        stays = f" The preview of {done.by_hand} was changed by hand, so it stays."
        return f"{stays} `/round undo` drops it; then `/round post` pairs it again."
    return ""


async def list_of_pairs(asker: Caller, league: LeagueRow, start: int = 0) -> Answer | None:
    """Return who is kept apart, for organisers, who choose two to meet again; None where no one is, and for others."""
    pairs = await asker.read(keeping_apart.listed)
    if not pairs:
        return None
    lines = [
        f"• **{shown(pair.first)}** and **{shown(pair.second)}**, since season {pair.season}, round {pair.round}"
        for pair in pairs
    ]
    title = f"Kept apart: {amount(len(pairs), 'pair')}"
    answer = long_answer(title, lines, file_name="apart.txt", private=True, room=600)
    options = [
        discord.SelectOption(label=f"{pair.first} and {pair.second}"[:100], value=f"{pair.first_id}-{pair.second_id}")
        for pair in pairs
    ]
    select = let_meet(league.id, start).select(some(options, start, _MORE), hint="Let two of them meet again…")
    return replace(answer, parts=(*answer.parts, (select,)))


@choice("let-meet", form=True)
async def let_meet(press: Press, pair: tuple[PlayerId, PlayerId], league: LeagueId, start: int) -> Reply:
    """Ask why two people can meet again, or list more of those who are kept apart."""
    asker = press.who.of(league)
    row = await asker.read(find.league_as_organiser)
    if pair != (0, 0):
        return TogetherForm(league, *pair)
    return await list_of_pairs(asker, row, start + MOST_OPTIONS - 1) or Answer(text="No one is kept apart any more.")


class TogetherForm(Form):
    """Why two people can meet again."""

    def __init__(self, league: LeagueId, first: PlayerId, second: PlayerId) -> None:
        super().__init__("Let them meet again")
        self._league, self._first, self._second = league, first, second
        self._reason = self.ask("reason", "Why", limit=300, note="Kept in the audit log")

    async def answer(self, interaction: Interaction) -> Reply:
        """Ask whether they can be paired again."""
        asker = caller(interaction).of(self._league)
        return await _together(asker, first=self._first, second=self._second, reason=self._reason.value)
