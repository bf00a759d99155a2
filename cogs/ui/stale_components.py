"""Answers to buttons no version knows any more and to forms that are no longer open."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.league.errors import Conflict
from cogs.ui.actions import OLD_BUTTON, TEMPLATE
from cogs.ui.cards import Answer
from cogs.ui.commands import LeagueCog
from cogs.ui.context import Interaction
from cogs.ui.forms import OPEN_FORMS
from cogs.ui.replies import Reply, respond
from cogs.ui.text import quoted


class StaleComponents(LeagueCog):
    """What discord.py would let pass without a word."""

    @commands.Cog.listener("on_interaction")
    async def answer(self, interaction: Interaction) -> None:
        """Answer a button of no action, or a form that is gone."""
        custom_id = str((interaction.data or {}).get("custom_id", ""))
        parsed = re.fullmatch(f"(?:pick:)?{TEMPLATE}", custom_id)
        if interaction.type is discord.InteractionType.component and not parsed:
            await respond(interaction, _old_button(), doing="button unknown")
        elif interaction.type is discord.InteractionType.modal_submit and not _is_open(custom_id):
            await respond(interaction, _lost_form(interaction), doing="form closed")


def _is_open(custom_id: str) -> bool:
    form = OPEN_FORMS.get(custom_id)
    return form is not None and not form.is_finished()


async def _old_button() -> Reply:
    raise Conflict(OLD_BUTTON)


async def _lost_form(interaction: Interaction) -> Reply:
    """Give back what was typed, because the form is gone."""
    typed = [quoted(text, 500) for text in _typed(interaction.data)]
    again = "That form is no longer open, so nothing was changed. Open it again."
    return Answer(text="\n".join([again, *(["You had typed:"] if typed else []), *typed]))


def _typed(data: Any) -> Iterator[str]:
    """Return the texts of a form's fields, however deep Discord nests them."""
    if isinstance(data, Mapping):
        if isinstance(data.get("value"), str) and data["value"].strip():
            yield data["value"]
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            yield from _typed(part)
