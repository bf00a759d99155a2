"""The smallest bot with everything the practice page must carry: a command, autocomplete, a button, a modal, a
private answer and a post of its own."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands, tasks


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"press:(?P<word>\w+)"):
    def __init__(self, word: str) -> None:
        super().__init__(discord.ui.Button(label="Press", custom_id=f"press:{word}"))
        self.word = word

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str]) -> Self:
        return cls(match["word"])

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Ask(self.word))


class Ask(discord.ui.Modal, title="Why?"):
    reason: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Reason", custom_id="reason")

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{self.word}: {self.reason.value}", ephemeral=True)


class TinyBot(commands.Bot):
    """Answer /hello with an embed and a button; post the time once a minute."""

    def __init__(self, now: Callable[[], datetime], sleep: object) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.now = now
        self.posted = 0

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)
        self.tree.add_command(hello)
        self.tree.add_command(fail)
        await self.tree.sync()
        self.post_the_time.start()

    @tasks.loop(minutes=1)
    async def post_the_time(self) -> None:
        await self.wait_until_ready()
        self.posted += 1
        for guild in self.guilds:
            channel = discord.utils.get(guild.text_channels, name="league")
            assert channel is not None
            await channel.send(f"minute {self.posted}", file=discord.File(__file__, "source.py"))


@app_commands.command()
async def hello(interaction: discord.Interaction, word: str) -> None:
    """Say hello."""
    view = discord.ui.View(timeout=None).add_item(Press(word))
    embed = discord.Embed(description=f"{interaction.user.mention} says {word}")
    await interaction.response.send_message(embed=embed, view=view)


@hello.autocomplete("word")
async def _words(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=word, value=word) for word in ("alpha", "beta") if current in word]


@app_commands.command()
async def fail(interaction: discord.Interaction) -> None:
    """Explain a refusal the way the bot does: answer, then raise."""
    await interaction.response.send_message("no, because", ephemeral=True)
    raise ValueError("refused")
