"""Suggestions for the rounds someone can hand in lists for."""

import discord
from discord import app_commands

from bot.services.lists import sight
from cogs.ui.context import Interaction, asked
from cogs.ui.options.names import Pairs, Suggestions


async def _list_rounds(interaction: Interaction, typed: str) -> Pairs:
    own = await (await asked(interaction, interaction.namespace.league)).see(sight.own_lists)
    rounds = {slot.scope.round: slot.words for slot in own.slots if slot.scope.round is not None}
    return [(words[0].upper() + words[1:], number) for number, words in rounds.items()]


ListRound = app_commands.Transform[int, Suggestions(_list_rounds, discord.AppCommandOptionType.integer)]
