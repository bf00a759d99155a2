"""The files of an import while someone looks at their preview, read in a process of their own."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import discord

from bot import steps
from bot.importers.summary import Summary
from bot.league.errors import Invalid, InvalidFile
from bot.steps import File
from cogs.ui.cards import Answer
from cogs.ui.context import Interaction, host
from cogs.ui.replies import edit_parts
from cogs.ui.text import cut, shown
from storage.rows import LeagueRow

BYTES_OF_NAME = 500
"""What each name of a file takes in its summary."""
NEWS_SECONDS = 2.0
_Made = TypeVar("_Made")


@dataclass(slots=True, kw_only=True)
class Preview:
    """Files someone is looking at before they are imported, and what they said of them so far.

    `number` is what their first season shall be, if anything was said, and `champions` who won those seasons whose
    files don't say it, by their place.
    """

    league: LeagueRow
    files: tuple[File, ...]
    number: int | None
    short: Summary
    decided: dict[str, str] = field(default_factory=dict[str, str])
    champions: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def title(self) -> str:
        """What the files are called."""
        names = [shown(cut(file.name, 60)) for file in self.files]
        return names[0] if len(names) == 1 else f"{len(names)} files"


async def read(interaction: Interaction, files: tuple[File, ...]) -> Summary | None:
    """Return files in short, None for league files; raises Invalid, which names the file."""
    several, name = len(files) > 1, shown(files[0].name)
    try:
        work = steps.look_through(files, host(interaction).importer)
        return await with_news(interaction, work, lambda: f"Reading {f'{len(files)} files' if several else name} …")
    except InvalidFile as wrong:
        raise Invalid(str(wrong) if several else f"{name}: {wrong}") from None


async def with_news(interaction: Interaction, work: Awaitable[_Made], doing: Callable[[], str]) -> _Made:
    """Say in the answer how far this is, while it takes long."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=NEWS_SECONDS)
            if not task.done() and interaction.response.is_done():
                with contextlib.suppress(discord.HTTPException):
                    await interaction.edit_original_response(**edit_parts(Answer(text=doing())))
        return task.result()
    finally:
        task.cancel()
