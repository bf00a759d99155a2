"""Leaving a season and coming back; a drop that costs a match is asked first."""

from typing import Any

import discord
from discord import app_commands

from bot.services.players import leaving, rejoining
from bot.services.players.leaving import Dropped
from cogs.ui.buttons import Press, action, button
from cogs.ui.context import Interaction, LeagueCog, actor, league_meant
from cogs.ui.options.names import LeagueName
from cogs.ui.render.tables import embed
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import quoted, shown, told
from storage.rows import LeagueId


class Drops(LeagueCog):
    """Drops and returns of players."""

    @app_commands.command(name="drop", description="Leave the season; before it starts, take your sign-up back")
    @answered(reason="Why you leave, for the organisers")
    async def drop(
        self,
        interaction: Interaction,
        reason: app_commands.Range[str, 0, 300] | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Leave the season, asked first when it costs a match."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        preview = await leaving.drop_preview(self.db, actor=who, league_id=meant.id)
        if preview.match is None:
            dropped = await leaving.drop(self.db, actor=who, now=self.now(), league_id=meant.id, reason=reason)
            return Answer(text=left_words(dropped))
        ask = embed("Leave the season?", told(preview.cost), footer=_footer(reason))
        match = preview.match.match
        buttons = (
            button("drop", "Drop out", subject=meant.id, version=match.version, style=discord.ButtonStyle.danger),
            button("cancel", "Stay", subject=meant.id),
        )
        return Answer(embeds=(ask,), buttons=buttons)

    @app_commands.command(name="rejoin", description="Come back after a drop, where the season allows it")
    @answered()
    async def rejoin(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Come back, or ask the organiser to."""
        meant = await league_meant(interaction, league)
        done = await rejoining.rejoin(self.db, actor=actor(interaction), now=self.now(), league_id=meant.id)
        if done.asked:
            return Answer(text="The organisers have been asked; you hear from them here.")
        return Answer(text=f"Welcome back: you play again from round {done.round}. Rounds you missed count as losses.")


def left_words(done: Dropped) -> str:
    """Return what became of a drop or disqualification."""
    name, number = shown(done.name), done.season.number
    if done.withdrew:
        return f"{name} is off the sign-up list of season {number}. `/signup` joins again until it starts."
    if done.forfeited is None:
        return f"{name} is out of season {number} and is not paired any more; results so far stand."
    return f"{name} is out of season {number}. {shown(done.forfeited.label)}: {shown(done.forfeited.state_words)}."


def _footer(reason: str | None) -> str:
    return f"{_REASON}{reason}" if reason else ""


_REASON = "Reason: "


@action("drop")
async def drop_confirmed(press: Press) -> Reply:
    """Leave although it costs the open match; the reason is where the question left it."""
    message = press.interaction.message
    footer = message.embeds[0].footer.text if message is not None and message.embeds else None
    reason = footer.removeprefix(_REASON) if footer else None
    dropped = await leaving.drop(
        press.db, actor=press.actor, now=press.now, league_id=LeagueId(press.subject), reason=reason, confirmed=True
    )
    return Answer(text=left_words(dropped), replace=True)


@action("cancel")
async def cancel(press: Press) -> Reply:
    """Leave everything as it is."""
    return Answer(text="Nothing was changed.", replace=True)


async def _answer_request(press: Press, *, accept: bool) -> Reply:
    answer = await rejoining.answer_rejoin(
        press.db, actor=press.actor, now=press.now, request_id=press.subject, accept=accept
    )
    return Answer(text=f"{quoted(answer.name)} {'is back in the season' if accept else 'stays out of the season'}.")


@action("rejoin-accept")
async def accept_rejoin(press: Press) -> Reply:
    """Take a player back into the season."""
    return await _answer_request(press, accept=True)


@action("rejoin-refuse")
async def refuse_rejoin(press: Press) -> Reply:
    """Refuse a player's return."""
    return await _answer_request(press, accept=False)


async def setup(bot: Any) -> None:
    """Add the drops to the bot."""
    await bot.add_cog(Drops(bot))
