"""The command tree: commands for servers only, one door for their errors, synchronised only when they changed."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from cogs.ui.commands import cut_typed, name_of
from cogs.ui.errors import explain
from cogs.ui.replies import Answer, show

_DESCRIBED = (
    "name", "description", "type", "options", "choices", "value", "required", "autocomplete", "min_value", "max_value",
    "min_length", "max_length", "channel_types",
)  # fmt: skip
"""What makes a command what it is; the rest of what Discord sends back is its own bookkeeping."""


class LeagueTree(app_commands.CommandTree[Any]):
    """Every slash command of the bot."""

    def __init__(self, client: Any) -> None:
        super().__init__(client, allowed_contexts=app_commands.AppCommandContext(guild=True))
        self.ids: dict[str, int] = {}

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let everyone go on, with what they typed cut to what it can be; who may do what, the services decide."""
        cut_typed(interaction)
        return True

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Explain an error no command dealt with itself."""
        await show(interaction, Answer(text=explain(error, doing=name_of(interaction))))

    async def sync_if_changed(self, guild: discord.abc.Snowflake | None) -> bool:
        """Send the commands to Discord if they changed, to one server or (None) all; return whether sent.

        Either way the ids Discord gave them are known from now on.
        """
        there = await self.fetch_commands(guild=guild)
        wanted = [command.to_dict(self) for command in self.get_commands()]
        changed = _described([command.to_dict() for command in there]) != _described(wanted)
        if changed:
            if guild is not None:
                self.copy_global_to(guild=guild)
            there = await self.sync(guild=guild)
        self.ids = {name: command.id for command in there for name in _names(command)}
        return changed


def _names(command: app_commands.AppCommand) -> list[str]:
    """Return the whole names of a command, or of the commands of a group."""
    inside = [option.name for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
    return [f"{command.name} {name}" for name in inside] or [command.name]


def _described(commands: Sequence[Mapping[str, Any]]) -> list[Any]:
    return sorted((_shape(command) for command in commands), key=lambda shape: str(shape["name"]))


def _shape(value: Any) -> Any:
    """Return a command as plain values that compare equal however Discord completes them."""
    if isinstance(value, Mapping):
        kept = {key: _shape(value[key]) for key in _DESCRIBED if key in value}
        return {key: member for key, member in kept.items() if member not in (None, False, [], ())}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_shape(member) for member in value]
    return value
