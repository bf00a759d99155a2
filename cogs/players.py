"""What organisers do for a player: add, seed, drop, disqualify, reinstate, rename."""

from typing import Any

import discord
from discord import app_commands

from bot.services.players import leaving, rejoining, seeds, signing_up
from cogs.drops import left_words
from cogs.ui.context import Interaction, LeagueCog, actor, league_meant
from cogs.ui.options.names import LeagueName, PlayerName
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import count, shown

Reason = app_commands.Range[str, 0, 300]


class Players(LeagueCog):
    """Acting for a player; each act is in the league's record with its reason."""

    player = app_commands.Group(name="player", description="Act for a player (organisers)")

    @player.command(name="add", description="Put somebody into the season")
    @answered(user="Who", name="League name, if it is the first time; the display name if left out")
    async def add(
        self,
        interaction: Interaction,
        user: discord.User,
        name: str | None = None,
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Put somebody into the season."""
        meant = await league_meant(interaction, league)
        done = await signing_up.add(
            self.db,
            actor=actor(interaction),
            now=self.now(),
            league_id=meant.id,
            discord_id=user.id,
            display_name=user.display_name,
            name=name,
            reason=reason,
        )
        begin = "was in the season already" if done.already else f"is in season {done.season.number}"
        return Answer(text=f"**{shown(done.entrant.name)}** {begin}; {count(done.count, 'player')} so far.")

    @player.command(name="drop", description="Take a player out of the season; the rules say who may come back")
    @answered()
    async def drop(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Take a player out of the season."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await leaving.remove(
            self.db, actor=who, now=self.now(), league_id=meant.id, player=player, reason=reason
        )
        return Answer(text=left_words(done))

    @player.command(name="disqualify", description="Put a player out of the season for good")
    @answered()
    async def disqualify(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Put a player out of the season."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await leaving.disqualify(
            self.db, actor=who, now=self.now(), league_id=meant.id, player=player, reason=reason
        )
        return Answer(text=left_words(done))

    @player.command(name="reinstate", description="Undo a player's drop")
    @answered()
    async def reinstate(
        self, interaction: Interaction, player: PlayerName, reason: Reason, league: LeagueName | None = None
    ) -> Reply:
        """Undo a player's drop."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await rejoining.reinstate(
            self.db, actor=who, now=self.now(), league_id=meant.id, player=player, reason=reason
        )
        text = f"{shown(done.name)} is back and plays from round {done.round} on."
        if done.forfeited is not None:
            text += f" {shown(done.forfeited.label)} stays lost; `/result clear` lets it be played."
        return Answer(text=text)

    @player.command(name="seed", description="Give a player a seed, before a season with seeding: seeded starts")
    @answered(seed="1 is the best; who had it takes the player's old one")
    async def seed(
        self,
        interaction: Interaction,
        player: PlayerName,
        seed: app_commands.Range[int, 1, 10_000],
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Give a player a seed."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await seeds.give(
            self.db, actor=who, now=self.now(), league_id=meant.id, player=player, seed=seed, reason=reason
        )
        return Answer(text=_seeded_words(done))

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
        meant, who = await league_meant(interaction, league), actor(interaction)
        done = await signing_up.rename(
            self.db, actor=who, now=self.now(), league_id=meant.id, player=player, new_name=name, reason=reason
        )
        return Answer(text=f"{shown(player)} is **{shown(done.name)}** from now on; past seasons keep the old name.")


def _seeded_words(done: seeds.Seeded) -> str:
    words = [f"**{shown(done.entrant.name)}** has seed {done.entrant.seed}."]
    if done.exchanged is not None:
        other = f"seed {done.exchanged.seed}" if done.exchanged.seed else "no seed"
        words.append(f"{shown(done.exchanged.name)} has {other} now.")
    if done.unseeded:
        words.append(
            f"Without a seed: {shown(', '.join(done.unseeded[:10]))}{' …' if len(done.unseeded) > 10 else ''}."
        )
    return " ".join(words)


async def setup(bot: Any) -> None:
    """Add the acts for players to the bot."""
    await bot.add_cog(Players(bot))
