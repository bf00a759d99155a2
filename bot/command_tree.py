"""The command tree: for servers only, sent to Discord when it changed, one door for errors and outdated commands."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.league.errors import Conflict
from cogs.ui.cards import Answer
from cogs.ui.commands import cut_typed, name_of
from cogs.ui.errors import explain
from cogs.ui.replies import respond, show

_LEFT_OUT = frozenset({"options", "choices", "required", "autocomplete", "channel_types"}) | {
    f"{end}_{what}" for end in ("min", "max") for what in ("value", "length")
}
"""What a command or option can have had before and leaves out now."""
_INSIDE = discord.AppCommandOptionType.subcommand.value
_OUTDATED = (
    "This command has changed with an update of the bot. Reload Discord (Ctrl+R, on a phone close the app), then try "
    "again."
)


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
        """Explain an error no command dealt with itself; after an update people have its old commands for a while."""
        if interaction.type is discord.InteractionType.autocomplete:
            return  # no suggestions
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            await respond(interaction, _refused(_OUTDATED), doing="an outdated command")
        else:
            await show(interaction, Answer(text=explain(error, doing=name_of(interaction))))

    async def sync_if_changed(self, guild: discord.abc.Snowflake | None) -> bool:
        """Send the commands to Discord if they changed, to one server or (None) all; return whether sent.

        Either way the ids Discord gave them are known from now on.
        """
        http, application = self.client.http, self.client.application_id
        assert application is not None
        registered: Sequence[Any] = (
            await http.get_global_commands(application)
            if guild is None
            else await http.get_guild_commands(application, guild.id)
        )
        wanted = {command.name: command.to_dict(self) for command in self.get_commands()}
        by_name = {command["name"]: command for command in registered}
        changed = by_name.keys() != wanted.keys() or any(not _is(by_name[name], wanted[name]) for name in wanted)
        self._know(registered)
        if changed:
            if guild is not None:
                self.copy_global_to(guild=guild)
            self._know([command.to_dict() for command in await self.sync(guild=guild)])
        return changed

    def _know(self, commands: Sequence[Any]) -> None:
        self.ids = {name: int(command["id"]) for command in commands for name in _names(command)}


async def _refused(words: str) -> Answer:
    raise Conflict(words)


def _names(command: Mapping[str, Any]) -> list[str]:
    """Return the whole names of a command, or of the commands of a group."""
    inside = [option["name"] for option in command.get("options") or () if option["type"] == _INSIDE]
    return [f"{command['name']} {name}" for name in inside] or [command["name"]]


def _is(deployed: Any, wanted: Any) -> bool:
    """Return whether what Discord has is what we would send, however Discord completes and writes it.

    What it adds of its own doesn't count; where we name no kind of installation it puts in its own default.
    """
    if deployed == wanted:
        return True
    if isinstance(wanted, dict):
        keys = (wanted.keys() | _LEFT_OUT) - {"dm_permission"}  # contexts say the same
        if wanted.get("integration_types") is None:
            keys.discard("integration_types")
        return all(_is(deployed.get(key), wanted.get(key)) for key in keys)
    if isinstance(wanted, list):
        defaults: Sequence[Any] = deployed or ()
        return len(defaults) == len(wanted) and all(map(_is, defaults, wanted))
    if not wanted:
        return not deployed
    return str(deployed) == str(wanted)
