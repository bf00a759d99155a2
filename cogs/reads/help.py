"""What a person can do right now, by `/help`, and what it says on a server without a league."""

from bot.services.base import find
from bot.services.reads import guidance
from bot.services.reads.guidance import Guidance
from cogs.leagues.greeting import HELLO, WHAT
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, in_league
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Reply
from cogs.ui.text import shown, with_commands

NO_LEAGUE = "This server has no league yet. Someone with Manage Server can set one up."


class Help(LeagueCog):
    """Help for newcomers and for everyone else."""

    @command()
    async def help(self, asker: Caller, league: LeagueName | None = None) -> Reply:
        """Show what you can do right now."""
        if not await asker.read(find.league_names):
            return card("Welcome to Fairpair", HELLO if asker.actor.manage_guild else f"{WHAT}\n\n{NO_LEAGUE}")
        return help_answer(await (await in_league(asker, league)).read(guidance.guidance))


def help_answer(guidance: Guidance) -> Answer:
    """Return what a person can do now, a short list for each thing they are."""
    parts = [
        "\n".join([f"**{heading}**", *(f"• {with_commands(line)}" for line in lines)])
        for heading, lines in guidance.parts.items()
    ]
    return card(f"{shown(guidance.league.name)}: what you can do now", "\n\n".join(parts))
