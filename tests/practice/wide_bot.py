"""A bot that posts every kind of thing as wide as Discord allows, and the page that shows it."""

import asyncio
import io
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands
from PIL import Image

from bot.practice.simulation import Simulation

NAME = "Bartholomäus-von-Hohenlohe" * 3  # 78 characters without a place to break
BUTTONS = (
    "Report",
    "Answer",
    "Details",
    "A button whose label is as long as a label can be: eighty characters, no more",
)


class WideBot(commands.Bot):
    """Answers /wide with wide posts, and /whisper with a direct message."""

    def __init__(self, now: Callable[[], datetime], sleep: object) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        self.tree.add_command(wide)
        self.tree.add_command(whisper)
        await self.tree.sync()


@app_commands.command()
async def wide(interaction: discord.Interaction) -> None:
    """Post everything wide."""
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    await interaction.response.send_message("Only for you: " + NAME, ephemeral=True)
    deadline = discord.utils.format_dt(discord.utils.utcnow() + timedelta(days=2, minutes=5), "R")
    await channel.send(f"{NAME} {interaction.user.mention} {deadline}\n```\n{'wide code ' * 30}\n```\n`{NAME}`")
    embed = discord.Embed(title=NAME, description=NAME).set_footer(text=NAME)
    await channel.send(embed=embed.add_field(name=NAME, value=NAME).add_field(name="b", value=NAME), view=_buttons())
    card = await channel.send(view=_card(), file=discord.File(_picture(), "picture.png"))
    await card.pin()


@app_commands.command()
async def whisper(interaction: discord.Interaction) -> None:
    """Write to the person, with a button that answers only there."""
    await interaction.response.send_message("sent", ephemeral=True)
    await interaction.user.send(f"A secret of <#{interaction.channel_id}>", view=_buttons())


def _picture() -> io.BytesIO:
    file = io.BytesIO()
    Image.new("RGB", (1000, 1650), "#1E1F24").save(file, "PNG")
    file.seek(0)
    return file


class _Form(ui.Modal, title="A form"):
    result: ui.Label[Any] = ui.Label(
        text="How did it end?",
        component=ui.RadioGroup(
            options=[discord.RadioGroupOption(label=f"I won 2–{n}", value=str(n), description=NAME) for n in (0, 1)]
        ),
    )
    player: ui.Label[Any] = ui.Label(
        text="Player", component=ui.Select(options=[discord.SelectOption(label=NAME, value="1")], required=False)
    )
    words: ui.Label[Any] = ui.Label(text="Words", component=ui.TextInput(required=False))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("done", ephemeral=True)


async def _open_form(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(_Form())


def _button(label: str) -> ui.Button[Any]:
    button: ui.Button[Any] = ui.Button(label=label)
    button.callback = _open_form
    return button


def _buttons() -> ui.View:
    view = ui.View(timeout=None)
    for label in BUTTONS:
        view.add_item(_button(label))
    return view


def _card() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    card: ui.Container[Any] = ui.Container(accent_colour=discord.Colour.blue())
    card.add_item(ui.TextDisplay(f"# {NAME}\n> {NAME}\n```\n{'wide code ' * 30}\n```"))
    for _ in range(3):
        card.add_item(ui.Section(f"**{NAME}** v **{NAME}**\n🕓 {NAME}", accessory=_button("Report")))
    card.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://picture.png", description="A picture")))
    card.add_item(ui.ActionRow(*(_button(label) for label in BUTTONS), _button("Rules")))
    options = [discord.SelectOption(label=NAME, description=NAME, value=str(n)) for n in range(3)]
    card.add_item(ui.ActionRow(ui.Select(placeholder=NAME, options=options)))
    return view.add_item(card)


async def _serve() -> None:
    simulation = Simulation(WideBot, port=0)
    async with simulation.running():
        sys.stdout.write(f"{simulation.preview.address}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve())
