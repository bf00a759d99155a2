"""Commands: a method with a name, a docstring and options becomes what people type after a slash."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.ui.context import Caller, Host, Interaction, asked
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Work, respond

Method = Callable[..., Work]
GROUPS = {
    "league": "Set up and manage leagues (organisers)",
    "season": "Open, start and end seasons (organisers)",
    "round": "Pair, publish and end rounds (organisers)",
    "player": "Act for a player (organisers)",
    "result": "Decide or correct results (moderators)",
}
"""The first words of commands of two words; each subject adds its own commands to them."""
Reason = app_commands.Range[str, 0, 300]
LongReason = app_commands.Range[str, 0, 500]
LONGEST_TYPED = 300
"""Characters of a typed option that doesn't say how many it takes."""

OPTIONS: Mapping[str, str] = {
    "channel": "Where sign-ups, pairings and results are posted",
    "organiser_role": "Who runs the league, besides people with Manage Server",
    "league": "Which league; only needed outside its channel",
    "match": "Which match; your own open one if left out",
    "reason": "Reason; kept in the audit log",
    "season": "Number of the season; the newest if left out",
    "player": "League name",
    "time_zone": "Time zone of the dates you type, for example Europe/Berlin",
}
"""Words for options that mean the same in every command."""

_LEAGUE = inspect.Parameter("league", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=LeagueName | None)


@dataclass(frozen=True, slots=True)
class Command:
    """A method that is a command."""

    callback: Any
    group: str | None
    name: str
    description: str


class LeagueCog(commands.Cog):
    """Commands and listeners on one subject."""

    def __init__(self, bot: Host) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add its commands to the bot's."""
        for made in vars(type(self)).values():
            if isinstance(made, Command):
                callback = made.callback.__get__(self)
                words = app_commands.Command[Any, ..., Any](
                    name=made.name, description=made.description, callback=callback
                )
                _place(self.bot.tree, made.group).add_command(words)


def _place(
    tree: app_commands.CommandTree[Any], group: str | None
) -> app_commands.CommandTree[Any] | app_commands.Group:
    """Return where a command belongs: among all, or in its group, which is made for the first one."""
    if group is None:
        return tree
    there = tree.get_command(group)
    if there is None:
        there = app_commands.Group(name=group, description=GROUPS[group])
        tree.add_command(there)
    assert isinstance(there, app_commands.Group)
    return there


def command(
    group: str | None = None, *, private: bool = True, form: bool = False, **options: str
) -> Callable[[Method], Command]:
    """Make a method a command, named like it and described by its docstring; `options` describe its options.

    Where its first parameter is a Caller, it is given that, and the command has an option `league` too. One that can
    open a `form` says so.
    """

    def wrap(method: Method) -> Command:
        callback = _callback(method, private=private, form=form)
        words, names = {**OPTIONS, **options}, inspect.signature(callback).parameters
        described = app_commands.describe(**{name: words[name] for name in names if name in words})(callback)
        name = method.__name__.strip("_").replace("_", "-")
        return Command(described, group, name, (method.__doc__ or "").rstrip("."))

    return wrap


def cut_typed(interaction: Interaction) -> None:
    """Cut every text typed with a command, or on the way to one, to its option's length, before anyone reads it.

    One character more is left, by which a text that is too long is still seen to be.
    """
    command = interaction.command
    parameters = command.parameters if isinstance(command, app_commands.Command) else []
    longest = {one.display_name: int(one.max_value) for one in parameters if one.max_value is not None}
    for option in _typed_options(interaction.data):
        option["value"] = option["value"][: longest.get(option["name"], LONGEST_TYPED) + 1]


def _typed_options(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the options of a command, or of one in a group, that hold a text."""
    for option in data.get("options", ()):
        yield from _typed_options(option)
        if option["type"] == discord.AppCommandOptionType.string.value and isinstance(option.get("value"), str):
            yield option


def name_of(interaction: Interaction) -> str:
    """Return the command someone typed, without its options."""
    return f"/{interaction.command.qualified_name}" if interaction.command else "an unknown command"


def _callback(method: Method, *, private: bool, form: bool) -> Callable[..., Any]:
    signature = inspect.signature(method)
    parameters = list(signature.parameters.values())
    of_league = parameters[1].annotation is Caller

    @functools.wraps(method)
    async def callback(cog: Any, interaction: Interaction, **given: Any) -> None:
        async def work() -> Any:
            first = await asked(interaction, given.pop("league")) if of_league else interaction
            return await method(cog, first, **given)

        await respond(interaction, work(), doing=name_of(interaction), private=private, form=form)

    listed = [*parameters, _LEAGUE] if of_league else parameters
    vars(callback)["__signature__"] = signature.replace(parameters=listed)
    return callback
