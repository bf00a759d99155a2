"""Buttons and selects that survive restarts: their custom_id says what a press does and to what.

An action is declared, drawn and answered in one place: a function of a press and of typed parts. Called with the
parts, it is what a button will do: `report(match_id).button("Report")`.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from types import UnionType
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import discord

from bot.league.errors import Conflict
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.replies import Reply, respond

TEMPLATE = "fp:(?P<action>[a-z-]+)(?P<parts>(?::[A-Za-z0-9_ /@+-]*)*)"
MOST_OPTIONS = 25
"""As many choices as a select shows."""
OLD_BUTTON = "That button no longer works. Use /match to get a new one; moderators use /disputes."

PRIMARY, SECONDARY, SUCCESS, DANGER = (
    discord.ButtonStyle.primary,
    discord.ButtonStyle.secondary,
    discord.ButtonStyle.success,
    discord.ButtonStyle.danger,
)
"""The colours of a button, by Discord's names: what people come for, what else they can do, yes, and what costs."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button or select someone pressed."""

    interaction: Interaction

    @property
    def who(self) -> Caller:
        """Who presses, now."""
        return caller(self.interaction)


@dataclass(frozen=True, slots=True)
class Codec:
    """How a custom_id holds one part: the pattern its text fits, how it's written and read, or loaded for a press."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any] = str
    load: Callable[[Press, str], Awaitable[Any]] | None = None


class InsteadError(Exception):
    """Raised by what loads a part: the press is out of date, and this is answered instead."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("a press out of date")
        self.reply = reply


_CODECS: dict[Any, Codec] = {
    int: Codec("-?[0-9]{1,18}", str, int),
    bool: Codec("yes|no", lambda yes: "yes" if yes else "no", lambda text: text == "yes"),
    str: Codec(".{0,100}", str),
    datetime: Codec(
        "[0-9]{1,11}", lambda at: str(int(at.timestamp())), lambda text: datetime.fromtimestamp(int(text), UTC)
    ),
}


def codec_of(kind: Any) -> Codec:
    """Return how a part of a type is held; raises KeyError for a type that no custom_id can hold."""
    kind, inner = getattr(kind, "__supertype__", kind), get_args(kind)
    if get_origin(kind) is Annotated:
        return inner[1]
    if get_origin(kind) is Literal:
        return Codec("|".join(inner), str)
    if get_origin(kind) in (Union, UnionType):
        codec = codec_of(next(each for each in inner if each is not type(None)))
        write, read = codec.write, codec.read
        pattern = f"(?:{codec.pattern})?"
        return Codec(pattern, lambda it: "" if it is None else write(it), lambda text: read(text) if text else None)
    if get_origin(kind) is tuple:
        codec = codec_of(inner[0])
        write, read, more = codec.write, codec.read, f"{{{len(inner) - 1}}}" if ... not in inner else "*"
        some = f"(?:{codec.pattern})(?:-(?:{codec.pattern})){more}"
        return Codec(
            f"(?:{some})?" if ... in inner else some,
            lambda them: "-".join(map(write, them)),
            lambda text: tuple(map(read, text.split("-"))) if text else (),
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Codec("|".join(str(codec.value) for codec in kind), lambda codec: str(codec.value), kind)
    return _CODECS[kind]


def written(part: Any) -> str:
    """Return a part as the value of an option holds it."""
    return codec_of(type(part)).write(part)


P = ParamSpec("P")
Work = Coroutine[Any, Any, Reply]
Says = Literal["yes or no", "chosen"] | None


class Action(Generic[P]):
    """What one kind of button or select does, by the name in its custom_ids.

    One that can open a `form` says so, because a form can't be acknowledged first. A press `says` whether yes or no, or
    what was chosen, which is the first parameter after the press itself; several values chosen come as a tuple.
    """

    def __init__(self, name: str, work: Callable[..., Work], *, form: bool, says: Says = None) -> None:
        if name in ACTIONS:
            raise ValueError(f"two actions are called {name}")
        self.name, self.work, self.form, self.says = name, work, form, says
        self._signature, kinds = inspect.signature(work), get_type_hints(work, include_extras=True)
        self._parts = [codec_of(kinds[parameter]) for parameter in list(self._signature.parameters)[1:]]
        ACTIONS[name] = self

    def __call__(self, *given: P.args, **named: P.kwargs) -> "Doing":
        """Return what a button or select does to some parts."""
        undecided = [None] if self.says is None else [None, None]
        bound = self._signature.bind(*undecided, *given, **named)
        bound.apply_defaults()
        values = list(bound.arguments.values())[len(undecided) :]
        texts = [part.write(value) for part, value in zip(self._parts[len(undecided) - 1 :], values, strict=True)]
        custom_id = ":".join(["fp", self.name, *texts])
        assert re.fullmatch(TEMPLATE, custom_id), f"no custom_id: {custom_id!r}"
        return Doing(custom_id)

    async def pressed(self, press: Press, texts: Sequence[str], chosen: str | None) -> Reply:
        """Do it, to the parts these texts name; raises Conflict where this version writes none like it."""
        if self.says == "chosen" and chosen is not None:
            texts = (chosen, *texts)
        elif self.says == "yes or no":  # which stands last in a custom_id
            texts = (*texts[-1:], *texts[:-1])
        if len(texts) != len(self._parts) or (self.says == "chosen") != (chosen is not None):
            raise Conflict(OLD_BUTTON)
        try:
            read = [await _read(press, part, text) for part, text in zip(self._parts, texts, strict=True)]
        except InsteadError as instead:
            return instead.reply
        return await self.work(press, *read)


async def _read(press: Press, part: Codec, text: str) -> Any:
    if not re.fullmatch(part.pattern, text):
        raise Conflict(OLD_BUTTON)
    return part.read(text) if part.load is None else await part.load(press, text)


ACTIONS: dict[str, Action[...]] = {}
"""Every action by the name in its custom_ids."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What a button or select will do."""

    custom_id: str

    def button(self, label: str, style: discord.ButtonStyle = SECONDARY, *, disabled: bool = False) -> "ActionButton":
        """Return a button that does it; its label is cut to what Discord takes."""
        button = discord.ui.Button[Any](label=label[:80], custom_id=self.custom_id, style=style, disabled=disabled)
        return ActionButton(button)

    def buttons(self, yes: str, no: str, style: discord.ButtonStyle = SECONDARY) -> "tuple[ActionButton, ActionButton]":
        """Return the two buttons, the one for yes in green, the other in a style."""
        confirmed, denied = Doing(f"{self.custom_id}:yes"), Doing(f"{self.custom_id}:no")
        return confirmed.button(yes, SUCCESS), denied.button(no, style)

    def select(
        self, options: Sequence[discord.SelectOption], *, most: int = 1, hint: str | None = None
    ) -> "ActionSelect":
        """Return a select of one option, or of up to `most`; `hint` is what it shows while nothing is chosen."""
        listed = list(options[:MOST_OPTIONS])
        now = next((option.label for option in options if option.default), hint)
        custom_id, most = f"pick:{self.custom_id}", min(most, len(listed))
        return ActionSelect(
            discord.ui.Select[Any](custom_id=custom_id, options=listed, placeholder=now, max_values=most)
        )


def some(options: Sequence[discord.SelectOption], first: int, more: str) -> list[discord.SelectOption]:
    """Return the options a select shows from one on; where more follow, the last of them, `more`, asks for these."""
    if len(options) - first <= MOST_OPTIONS:
        return list(options[first:])
    return [*options[first : first + MOST_OPTIONS - 1], discord.SelectOption(label="More…", value=more)]


def action(name: str, *, form: bool = False) -> Callable[[Callable[Concatenate[Press, P], Work]], Action[P]]:
    """Make a function what a button does: of the press, then of parts that stand in its custom_id."""
    return lambda work: Action(name, work, form=form)


def yes_or_no(name: str) -> Callable[[Callable[Concatenate[Press, bool, P], Work]], Action[P]]:
    """Make a function what two buttons do: of the press, whether it says yes, then of parts of the custom_id."""
    return lambda work: Action(name, work, form=False, says="yes or no")


def choice(name: str, *, form: bool = False) -> Callable[[Callable[Concatenate[Press, Any, P], Work]], Action[P]]:
    """Make a function what a select does: of the press, what was chosen, then of parts of the custom_id."""
    return lambda work: Action(name, work, form=form, says="chosen")


class ActionButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=TEMPLATE):
    """Every button of the bot; discord.py gives a failing one no error hook, so it answers through our own door."""

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button as Discord sent it back."""
        assert isinstance(item, discord.ui.Button)
        return cls(item)

    async def callback(self, interaction: Interaction) -> Any:
        """Do what the button says, with one door for every error."""
        await _press(interaction, self.custom_id, None)


class ActionSelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template=f"pick:{TEMPLATE}"):
    """Every select of the bot."""

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the select as Discord sent it back."""
        assert isinstance(item, discord.ui.Select)
        return cls(item)

    async def callback(self, interaction: Interaction) -> Any:
        """Do what it says with the chosen values."""
        await _press(interaction, self.custom_id.removeprefix("pick:"), "-".join(self.item.values))


async def _press(interaction: Interaction, custom_id: str, chosen: str | None) -> None:
    """Do what a custom_id says; the log has its action and first part, not what was chosen."""
    _, name, *texts = custom_id.split(":")
    declared = ACTIONS.get(name)

    async def work() -> Reply:
        if declared is None:
            raise Conflict(OLD_BUTTON)
        return await declared.pressed(Press(interaction), texts, chosen)

    doing, form = " ".join(["button", name, *texts[:1]]), declared is not None and declared.form
    await respond(interaction, work(), doing=doing, form=form)
