"""Commands: a method with a name, a docstring and options becomes what people type after a slash."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import discord
from discord import app_commands

from cogs.ui.context import Caller, Interaction, asked
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Work, respond

Method = Callable[..., Work]
Command = app_commands.Command[Any, ..., None]
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


def command(
    group: app_commands.Group | None = None, *, private: bool = True, form: bool = False, **options: str
) -> Callable[[Method], Command]:
    """Make a method a command, named like it and described by its docstring; `options` describe its options.

    Where its first parameter is a Caller, it is given that, and the command has an option `league` too. One
    that can open a `form` says so.
    """

    def wrap(method: Method) -> Command:
        callback = _callback(method, private=private, form=form)
        words, names = {**OPTIONS, **options}, inspect.signature(callback).parameters
        described = app_commands.describe(**{name: words[name] for name in names if name in words})(callback)
        make: Any = app_commands.command if group is None else group.command
        name, description = method.__name__.strip("_").replace("_", "-"), (method.__doc__ or "").rstrip(".")
        return make(name=name, description=description)(described)

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
