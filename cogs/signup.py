"""Joining a season: the command and the button on the sign-up post."""

from typing import Any

from discord import app_commands

from bot.services.players import signing_up
from bot.services.players.signing_up import SignedUp
from cogs.ui.actions import JOIN
from cogs.ui.buttons import Press
from cogs.ui.context import Interaction, LeagueCog, ordered
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import count, shown
from storage.rows import LeagueId


class Signup(LeagueCog):
    """Sign-ups of players."""

    @app_commands.command(name="signup", description="Join the season while sign-ups are open")
    @answered(
        name="Your name in this league, for good; your display name if left out",
        deck="What you play, for the organisers",
    )
    async def signup(
        self,
        interaction: Interaction,
        name: str | None = None,
        deck: str | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Join the season while sign-ups are open."""
        who, display_name = await ordered(interaction, league), interaction.user.display_name
        return _welcome(await signing_up.sign_up(self.db, **who, name=name, deck=deck, display_name=display_name))


@JOIN
async def join(press: Press[LeagueId]) -> Reply:
    """Join the season of the league whose sign-ups are open."""
    name = press.interaction.user.display_name
    return _welcome(await signing_up.sign_up(press.db, **press.by, league_id=press.subject, display_name=name))


def _welcome(done: SignedUp) -> Answer:
    name, number = shown(done.entrant.name), done.season.number
    if done.already:
        return Answer(text=f"You're already in season {number} as **{name}**. To leave, use `/drop`.")
    fixed = " That's your name in this league from now on; an organiser can change it." if done.first_time else ""
    cost = f" {done.cost}" if done.cost else ""
    so_far = count(done.count, "player")
    return Answer(text=f"You're in season {number} as **{name}**; {so_far} so far.{fixed}{cost} To leave, use `/drop`.")


async def setup(bot: Any) -> None:
    """Add the sign-ups to the bot."""
    await bot.add_cog(Signup(bot))
