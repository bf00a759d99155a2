"""Joining a season: the command and the button on the sign-up post."""

from typing import Any

from discord import app_commands

from bot.services.players import signing_up
from bot.services.players.signing_up import SignedUp
from cogs.ui.buttons import Press, action
from cogs.ui.context import Interaction, LeagueCog, actor, league_meant
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import count, shown
from storage.rows import LeagueId


class Signup(LeagueCog):
    """Sign-ups of players."""

    @app_commands.command(name="signup", description="Join the season that takes sign-ups")
    @answered(
        name="Your name in this league, fixed the first time you join; your display name if left out",
        deck="What you play, shown to the organisers",
    )
    async def signup(
        self,
        interaction: Interaction,
        name: str | None = None,
        deck: str | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Join the season that takes sign-ups."""
        meant = await league_meant(interaction, league)
        who = actor(interaction)
        done = await signing_up.sign_up(
            self.db, actor=who, now=self.now(), league_id=meant.id, name=name, deck=deck, display_name=who.name
        )
        return _welcome(done)


@action("join")
async def join(press: Press) -> Reply:
    """Join the season the league takes sign-ups for."""
    who, league_id = press.actor, LeagueId(press.subject)
    return _welcome(
        await signing_up.sign_up(press.db, actor=who, now=press.now, league_id=league_id, display_name=who.name)
    )


def _welcome(done: SignedUp) -> Answer:
    name, number = shown(done.entrant.name), done.season.number
    if done.already:
        return Answer(text=f"You are in season {number} already, as **{name}**. To leave, use `/drop`.")
    fixed = " This name stays yours in this league; an organiser can change it." if done.first_time else ""
    so_far = count(done.count, "player")
    return Answer(text=f"You are in season {number} as **{name}**; {so_far} so far.{fixed} To leave, use `/drop`.")


async def setup(bot: Any) -> None:
    """Add the sign-ups to the bot."""
    await bot.add_cog(Signup(bot))
