"""Suggestions for the settings of a season and their values while people type them."""

from discord import app_commands

from bot.league import formats
from bot.league.season.setting_words import LABELS
from bot.league.season.settings import SETTINGS
from bot.services.seasons import plans
from bot.services.seasons.plans import Plan
from cogs.seasons.season_settings import OTHER, choices
from cogs.ui.context import Interaction, by, league_meant
from cogs.ui.options.names import Pairs, Suggestions

OTHERS = {"format": "Format", "signups_close": "Sign-ups close"}
"""What can be set besides the settings."""


async def _plan(interaction: Interaction) -> Plan:
    league = await league_meant(interaction, interaction.namespace.league)
    return await plans.plan(**by(interaction), league_id=league.id, number=interaction.namespace.season)


async def _keys(interaction: Interaction, typed: str) -> Pairs:
    known = (await _plan(interaction)).format.settings_keys
    there = {**OTHERS, **{key: label for key, label in LABELS.items() if key in known}}
    return [(f"{label} ({key})", key) for key, label in there.items()]


async def _values(interaction: Interaction, typed: str) -> Pairs:
    key = interaction.namespace.setting
    if key == "format":
        return [(one.title, one.key) for one in formats.ALL]
    plan = await _plan(interaction)
    return [(words, text) for text, words in (choices(plan, key) if key in SETTINGS else ()) if text != OTHER]


SettingKey = app_commands.Transform[str, Suggestions(_keys)]
SettingValue = app_commands.Transform[str, Suggestions(_values)]
