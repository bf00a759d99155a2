"""Keeping two people apart: asked first, told with what becomes of the round that is on, and listed."""

from bot.league.season.in_words import amount
from bot.services.players import keeping_apart
from bot.services.players.keeping_apart import Kept
from cogs.ui.cards import Answer, long_answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.options.names import PlayerName
from cogs.ui.questions import asked_first
from cogs.ui.replies import Reply
from cogs.ui.text import shown


class KeptApart(LeagueCog):
    """Pairs of people who never play each other, if that can be avoided."""

    @command("player", a="The first player", b="The second player")
    async def apart(self, who: Caller, a: PlayerName, b: PlayerName, reason: Reason) -> Reply:
        """Never pair these two, if it can be avoided; you're asked first."""
        return await _apart(who, a=a, b=b, reason=reason)

    @command("player", a="The first player", b="The second player")
    async def together(self, who: Caller, a: PlayerName, b: PlayerName, reason: Reason) -> Reply:
        """Let two players who were kept apart be paired again; you're asked first."""
        return await _together(who, a=a, b=b, reason=reason)


@asked_first("apart", "Keep these two apart?", yes="Keep them apart", no="Leave it")
async def _apart(who: Caller, *, a: str, b: str, reason: str, agreed: str = "") -> str:
    done = await who.do(keeping_apart.keep_apart, first=a, second=b, reason=reason, agreed=agreed)
    text = f"{_named(done)} are kept apart from round {done.round} of season {done.season} on."
    if done.against is not None:
        text += (
            f" They still play each other now ({shown(done.against.heading)}): `/round undo` pairs the round again, "
            "`/round swap` gives them other opponents."
        )
    return text + _of_preview(done)


@asked_first("together", "Let these two meet again?", yes="Let them meet", no="Keep them apart")
async def _together(who: Caller, *, a: str, b: str, reason: str, agreed: str = "") -> str:
    done = await who.do(keeping_apart.let_together, first=a, second=b, reason=reason, agreed=agreed)
    text = f"{_named(done)} can be paired with each other again, from round {done.round} of season {done.season} on."
    return text + _of_preview(done)


def _named(done: Kept) -> str:
    return f"**{shown(done.first)}** and **{shown(done.second)}**"


def _of_preview(done: Kept) -> str:
    if done.preview:
        return f" The preview of {done.preview} was paired again: `/round pair` shows it."
    if done.by_hand:
        return f" The preview of {done.by_hand} was changed by hand, so it stays: `/round pair` pairs it again."
    return ""


async def list_of_pairs(who: Caller) -> Answer | None:
    """Return who is kept apart, for organisers; None where no one is, and for others."""
    there = await who.see(keeping_apart.listed)
    if not there:
        return None
    lines = [
        f"• **{shown(one.first)}** and **{shown(one.second)}**, since season {one.season}, round {one.round}"
        for one in there
    ]
    return long_answer(
        f"Kept apart: {amount(len(there), 'pair')}", lines, file_name="apart.txt", private=True, room=1000
    )
