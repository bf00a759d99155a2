"""Leaving a season and coming back; a drop that costs a match is asked first."""

import discord

from bot.league.model import DepartureKind
from bot.services.players import leaving, rejoining
from bot.services.players.leaving import CostsMatch, Dropped
from cogs.ui.actions import CANCEL, DROP, REJOIN
from cogs.ui.buttons import MatchPress, Press, typed_with
from cogs.ui.commands import Reason, command
from cogs.ui.context import LeagueCog, Ordered
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import quoted, shown, with_commands


class Drops(LeagueCog):
    """Drops and returns of players."""

    @command(reason="Why you're leaving; organisers read it")
    async def drop(self, who: Ordered, reason: Reason | None = None) -> Reply:
        """Leave the season, or cancel your sign-up before it starts."""
        try:
            return left(await leaving.drop(**who, reason=reason))
        except CostsMatch as asked:
            out = DROP.button("Drop out", asked.match, style=discord.ButtonStyle.danger)
            buttons, why = (out, CANCEL.button("Stay", 0)), typed_with({"reason": reason})
            return card("Leave the season?", with_commands(asked.cost), footer=why, buttons=buttons)

    @command()
    async def rejoin(self, who: Ordered) -> Reply:
        """Come back after you dropped out, if the season allows it."""
        done = await rejoining.rejoin(**who)
        if done.round is None:
            return Answer(text="Request sent. You'll be told when an organiser answers.")
        return Answer(text=f"Welcome back: you play again from round {done.round}. Missed rounds count as losses.")


def left(done: Dropped, *, replace: bool = False) -> Answer:
    """Return what became of a drop or disqualification."""
    name, number = shown(done.name), done.season.number
    gone = "was disqualified from" if done.kind is DepartureKind.DISQUALIFICATION else "has left"
    if done.withdrew:
        text = f"{name} is off the sign-up list of season {number}. `/signup` works again until the season starts."
    elif done.forfeited is None:
        text = f"{name} {gone} season {number}. Results so far still count."
    else:
        match = f"{shown(done.forfeited.label)}: {shown(done.forfeited.state_words)}"
        text = f"{name} {gone} season {number}. {match}. Results so far still count."
    return Answer(text=text, replace=replace)


@DROP
async def drop_confirmed(press: MatchPress) -> Reply:
    """Leave the season and forfeit the open match; the question kept the reason."""
    league_id, lost = press.match.league.id, press.seen
    dropped = await leaving.drop(**press.by, league_id=league_id, lost=lost, **press.typed)
    return left(dropped, replace=True)


@CANCEL
async def cancel(_: Press[int]) -> Reply:
    """Leave everything as it is."""
    return Answer(text="Nothing was changed.", replace=True)


@REJOIN
async def request_answered(press: Press[int]) -> Reply:
    """Take a player back into the season, or refuse them."""
    (said,) = press.parts("(accept|refuse)")
    answer = await rejoining.answer_rejoin(**press.by, request_id=press.subject, accept=said == "accept")
    return Answer(text=f"{quoted(answer.name)} {'is back in' if said == 'accept' else 'stays out of'} the season.")
