"""Commands and menu entries made of methods: options that many share, and how long typed texts and reasons can be."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.ui.context import Host, Interaction, asked, caller
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
class Option:
    """An option that takes a text, which another subject adds to a command."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Command:
    """A method that is a command; `callback` makes what Discord's library takes, once all options are known."""

    callback: Callable[[], Any]
    group: str | None
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Menu:
    """A method that is an entry in the menu of a member or a message; Discord has room for five of each."""

    callback: Any
    name: str


class LeagueCog(commands.Cog):
    """Commands and listeners on one subject."""

    def __init__(self, bot: Host) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add its commands to the bot's."""
        for value in vars(type(self)).values():
            if isinstance(value, Menu):
                menu = app_commands.ContextMenu(name=value.name, callback=value.callback.__get__(self))
                self.bot.tree.add_command(menu)
            if isinstance(value, Command):
                callback = value.callback().__get__(self)
                words = app_commands.Command[Any, ..., Any](
                    name=value.name, description=value.description, callback=callback
                )
                _place(self.bot.tree, value.group).add_command(words)


def names_of(cogs: Iterable[type[LeagueCog]]) -> frozenset[str]:
    """Return what Discord lists of these cogs: commands, groups of commands, and entries of menus."""
    values = [value for cog in cogs for value in vars(cog).values()]
    menus = {value.name for value in values if isinstance(value, Menu)}
    return frozenset({value.group or value.name for value in values if isinstance(value, Command)} | menus)


def _place(
    tree: app_commands.CommandTree[Any], group: str | None
) -> app_commands.CommandTree[Any] | app_commands.Group:
    """Return where a command belongs: among all, or in its group, which is made for the first one."""
    if group is None:
        return tree
    command_group = tree.get_command(group)
    if command_group is None:
        command_group = app_commands.Group(name=group, description=GROUPS[group])
        tree.add_command(command_group)
    assert isinstance(command_group, app_commands.Group)
    return command_group


def command(
    group: str | None = None,
    *,
    private: bool = True,
    form: bool = False,
    added: Sequence[Option] = (),
    **options: str,
) -> Callable[[Method], Command]:
    """Make a method a command, named like it and described by its docstring; `options` describe its options.

    It is given a Caller in the league that is meant, by an option `league` which the command has too; a method with an
    option of that name itself is given one in no league. One that can open a `form` says so. `added` are the options of
    other subjects, which `**typed` holds.
    """

    def wrap(method: Method) -> Command:
        @functools.cache
        def described() -> Any:
            callback = _callback(method, private=private, form=form, added=added)
            words = {**OPTIONS, **options, **{option.name: option.meaning for option in added}}
            names = inspect.signature(callback).parameters
            return app_commands.describe(**{name: words[name] for name in names if name in words})(callback)

        name = method.__name__.strip("_").replace("_", "-")
        return Command(described, group, name, (method.__doc__ or "").rstrip("."))

    return wrap


def on_member(name: str, *, form: bool = False) -> Callable[[Method], Menu]:
    """Make a method of a Caller and a member an entry in the menu of members; see `command`."""
    return partial(_menu, name=name, target=discord.Member, form=form)


def on_message(name: str, *, form: bool = False) -> Callable[[Method], Menu]:
    """Make a method of a Caller and a message an entry in the menu of messages; see `command`."""
    return partial(_menu, name=name, target=discord.Message, form=form)


def _menu(method: Method, *, name: str, target: type, form: bool) -> Menu:
    async def callback(cog: Any, interaction: Interaction, about: Any) -> None:
        async def work() -> Any:
            return await method(cog, caller(interaction), about)

        await respond(interaction, work(), doing=name, form=form)

    callback.__annotations__["about"] = target  # by which discord.py knows what the menu is of
    return Menu(callback, name)


def cut_typed(interaction: Interaction) -> None:
    """Cut every text typed with a command, or on the way to one, to its option's length, before anyone reads it.

    One character more is left, by which a text that is too long is still seen to be.
    """
    command = interaction.command
    parameters = command.parameters if isinstance(command, app_commands.Command) else []
    longest = {
        parameter.display_name: int(parameter.max_value) for parameter in parameters if parameter.max_value is not None
    }
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
    if isinstance(interaction.command, app_commands.ContextMenu):
        return interaction.command.name
    return f"/{interaction.command.qualified_name}" if interaction.command else "an unknown command"


def _callback(method: Method, *, private: bool, form: bool, added: Sequence[Option]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    parameters = [
        parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD
    ]
    in_league = "league" not in signature.parameters

    @functools.wraps(method)
    async def callback(cog: Any, interaction: Interaction, **given: Any) -> None:
        async def work() -> Any:
            asker = await asked(interaction, given.pop("league")) if in_league else caller(interaction)
            return await method(cog, asker, **given)

        await respond(interaction, work(), doing=name_of(interaction), private=private, form=form)

    more = [inspect.Parameter(option.name, _LEAGUE.kind, default=None, annotation=str | None) for option in added]
    listed = [*parameters, *more, *([_LEAGUE] if in_league else [])]
    vars(callback)["__signature__"] = signature.replace(parameters=listed)
    return callback
