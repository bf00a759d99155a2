"""What organisers do for a player: add, seed, drop, disqualify, reinstate, rename."""

from typing import Any

import discord
from discord import app_commands

from bot.league.errors import Invalid
from bot.services.players import leaving, rejoining, renaming, seeds, signing_up
from cogs.drops import left
from cogs.ui.context import Interaction, LeagueCog, ordered
from cogs.ui.options.names import LeagueName, PlayerName
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import count, shown

Reason = app_commands.Range[str, 0, 300]


class Players(LeagueCog):
    """Acting for a player; each act is in the league's record with its reason."""

    player = app_commands.Group(name="player", description="Act for a player (organisers)")

    @player.command(name="add", description="Put someone into the season")
    @answered(user="Who", name="League name for a new player; the display name if left out")
    async def add(
        self,
        interaction: Interaction,
        user: discord.User,
        name: str | None = None,
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Put someone into the season."""
        if user.bot:
            raise Invalid(f"{user.display_name} is a bot, and bots can't play. Choose a person.")
        who, display_name = await ordered(interaction, league), user.display_name
        done = await signing_up.add(
            self.db, **who, discord_id=user.id, display_name=display_name, name=name, reason=reason
        )
        begin = "was already in the season" if done.already else f"is in season {done.season.number}"
        return Answer(text=f"**{shown(done.entrant.name)}** {begin}; {count(done.count, 'player')} so far.")

    @player.command(name="drop", description="Take a player out of the season; the rules say if they can come back")
    @answered()
    async def drop(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Take a player out of the season."""
        who = await ordered(interaction, league)
        return left(await leaving.remove(self.db, **who, player=player, reason=reason))

    @player.command(name="disqualify", description="Put a player out of the season for good")
    @answered()
    async def disqualify(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Put a player out of the season."""
        who = await ordered(interaction, league)
        return left(await leaving.disqualify(self.db, **who, player=player, reason=reason))

    @player.command(name="reinstate", description="Undo a player's drop")
    @answered()
    async def reinstate(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Undo a player's drop."""
        done = await rejoining.reinstate(self.db, **await ordered(interaction, league), player=player, reason=reason)
        text = f"{shown(done.name)} is back and plays from round {done.round} on."
        if done.forfeited is not None:
            text += f" {shown(done.forfeited.label)} stays lost; `/result clear` lets it be played."
        return Answer(text=text)

    @player.command(name="seed", description="Give a player a seed, before a season with seeding: seeded starts")
    @answered(seed="1 is the best; the player who had this seed gets the other's old one")
    async def seed(
        self,
        interaction: Interaction,
        player: PlayerName,
        seed: app_commands.Range[int, 1, 10_000],
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Give a player a seed."""
        who = await ordered(interaction, league)
        return _seeded(await seeds.give(self.db, **who, player=player, seed=seed, reason=reason))

    @player.command(name="rename", description="Give a player another league name, between seasons")
    @answered(name="The new name")
    async def rename(
        self,
        interaction: Interaction,
        player: PlayerName,
        name: str,
        reason: Reason,
        league: LeagueName | None = None,
    ) -> Reply:
        """Give a player another league name."""
        who = await ordered(interaction, league)
        done = await renaming.rename(self.db, **who, player=player, new_name=name, reason=reason)
        return Answer(text=f"{shown(player)} is now **{shown(done.name)}**; past seasons keep the old name.")


def _seeded(done: seeds.Seeded) -> Answer:
    words = [f"**{shown(done.entrant.name)}** has seed {done.entrant.seed}."]
    if done.exchanged is not None:
        other = f"seed {done.exchanged.seed}" if done.exchanged.seed else "no seed"
        words.append(f"{shown(done.exchanged.name)} now has {other}.")
    if done.unseeded:
        more = " …" if len(done.unseeded) > 10 else ""
        words.append(f"Without a seed: {shown(', '.join(done.unseeded[:10]))}{more}.")
    return Answer(text=" ".join(words))


async def setup(bot: Any) -> None:
    """Add the acts for players to the bot."""
    await bot.add_cog(Players(bot))
