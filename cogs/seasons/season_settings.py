"""The settings of a season on Discord: choices of the panel, suggestions while typing."""

from discord import app_commands

from bot.league import formats
from bot.league.season.setting_values import Whole
from bot.league.season.settings import SETTINGS
from bot.services.seasons import plans
from bot.services.seasons.plans import Plan
from cogs.ui.context import Interaction, caller, league_meant
from cogs.ui.options.names import Pairs, Suggestions

DEFAULT, OTHER = "default", "other"
"""The choices for a setting's default, and for a value to type."""
OTHERS = {"format": "Format", "signups_close": "Sign-ups close"}
"""What can be set besides the settings."""


def choices(plan: Plan, key: str) -> list[tuple[str, str]]:
    """Return what a setting can be, as (text to type, words): the default first, at last another one to type."""
    setting, default, now = SETTINGS[key], plan.format.default(key), plan.value(key)
    values = {text: setting.read(setting.typed(text)) for text in plan.format.offered(key)}
    if values and now is not None:
        values[setting.text(now)] = now
    if isinstance(setting.values, Whole):
        values = dict(sorted(values.items(), key=lambda item: item[1]))
    there = [(text, plan.format.setting_line(key, value)) for text, value in values.items() if value != default]
    other = [] if setting.values.closed else [(OTHER, f"{setting.label}: something else…")]
    return [(DEFAULT, plan.format.setting_line(key, default)), *there, *other]


def chosen(plan: Plan, key: str) -> str:
    """Return which of the choices a setting is now."""
    now = plan.value(key)
    if now == plan.format.default(key):
        return DEFAULT
    return SETTINGS[key].text(now) if plan.format.offered(key) else OTHER


async def _plan(interaction: Interaction) -> Plan:
    league = await league_meant(interaction, interaction.namespace.league)
    return await caller(interaction).of(league.id).see(plans.plan, number=interaction.namespace.season)


async def _keys(interaction: Interaction, typed: str) -> Pairs:
    known = (await _plan(interaction)).format.settings_keys
    there = {**OTHERS, **{key: setting.label for key, setting in SETTINGS.items() if key in known}}
    return [(f"{label} ({key})", key) for key, label in there.items()]


async def _values(interaction: Interaction, typed: str) -> Pairs:
    key = interaction.namespace.setting
    if key == "format":
        return [(one.title, one.key) for one in formats.ALL]
    plan = await _plan(interaction)
    return [(words, text) for text, words in (choices(plan, key) if key in SETTINGS else ()) if text != OTHER]


SettingKey = app_commands.Transform[str, Suggestions(_keys)]
SettingValue = app_commands.Transform[str, Suggestions(_values)]
