"""Another person in a player's place: from the next round on, asked first."""

import discord

from bot.services.base.accounts import Newcomer
from bot.services.seats import substitutes
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.options.names import PlayerName
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown


class Substitutes(LeagueCog):
    """Who plays in whose place."""

    @command(
        "player",
        old="Who stops playing: a league name",
        new="Who plays for them from the next round on",
        name="League name for a new player; the display name if left out",
    )
    async def substitute(
        self, asker: Caller, old: PlayerName, new: discord.User, name: str | None = None, reason: Reason | None = None
    ) -> Reply:
        """Put another person in a player's place, from the next round on."""
        newcomer = Newcomer(
            discord_id=new.id, wanted=name, display_name=new.display_name, by_organiser=True, reason=reason
        )
        return await substitute(asker, old=old, newcomer=newcomer, is_bot=new.bot)


@with_confirmation("substitute", "Put another person in this place?", yes="Substitute", no="Don't substitute")
async def substitute(asker: Caller, *, old: str, newcomer: Newcomer, is_bot: bool, agreed: str = "") -> str:
    """Put another person in a player's place once an organiser has agreed to what goes with it."""
    done = await asker.enter(
        asker.live_season, substitutes.substitute, old=old, newcomer=newcomer, is_bot=is_bot, agreed=agreed
    )
    text = f"**{shown(done.person)}** plays from {done.when} on, in place of {shown(done.before)}."
    return f"{text} Until then you can undo this: `/player substitute` with {shown(done.before)} as the new person."
