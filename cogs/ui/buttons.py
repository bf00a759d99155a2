"""Buttons that survive restarts, and forms: what they stand for is in the custom_id, never in memory."""

import re
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from weakref import WeakValueDictionary

import discord

from bot.league.errors import Conflict
from bot.services.permissions import Actor
from cogs.ui.context import Interaction, actor, host
from cogs.ui.replies import Reply, respond
from storage.database import Database

TEMPLATE = r"fp:(?P<action>[a-z-]+):(?P<subject>\d{1,18}):(?P<version>\d{1,18})(?::(?P<extra>.*))?"

OLD_BUTTON = "This button is from an older version of the bot. /match and /disputes show the buttons of today."


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button somebody pressed: `subject` is the id it is about, `version` the state it was made for."""

    interaction: Interaction
    subject: int
    version: int
    extra: str = ""

    @property
    def db(self) -> Database:
        """The database of the bot."""
        return host(self.interaction).database

    @property
    def now(self) -> datetime:
        """The time as the bot knows it."""
        return host(self.interaction).now()

    @property
    def actor(self) -> Actor:
        """Who pressed."""
        return actor(self.interaction)

    def parts(self, pattern: str) -> tuple[str, ...]:
        """Return what `extra` holds, one text a group of a pattern; raises Conflict where it does not fit."""
        match = re.fullmatch(pattern, self.extra)
        if match is None:
            raise Conflict(OLD_BUTTON)
        return match.groups(default="")


Action = Callable[[Press], Coroutine[Any, Any, Reply]]

ACTIONS: dict[str, Action] = {}
"""What each button does, by the name in its custom_id."""


async def _unknown(press: Press) -> Reply:
    raise Conflict(OLD_BUTTON)


def action(name: str) -> Callable[[Action], Action]:
    """Register what the buttons of this name do."""

    def register(work: Action) -> Action:
        ACTIONS[name] = work
        return work

    return register


class ActionButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=TEMPLATE):
    """Every button of the bot; discord.py gives a failing one no error hook, so it answers through our own door."""

    def __init__(self, item: discord.ui.Button[Any]) -> None:
        super().__init__(item)

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button as Discord sent it back."""
        assert isinstance(item, discord.ui.Button)
        return cls(item)

    async def callback(self, interaction: Interaction) -> Any:
        """Do what the button says, with one door for every error."""
        match = re.fullmatch(TEMPLATE, self.custom_id)
        assert match is not None
        press = Press(
            interaction=interaction,
            subject=int(match["subject"]),
            version=int(match["version"]),
            extra=match["extra"] or "",
        )
        work = ACTIONS.get(match["action"], _unknown)
        await respond(interaction, work(press), doing=f"the button {self.custom_id}")


def button(
    name: str,
    label: str,
    *,
    subject: int,
    version: int = 0,
    extra: str = "",
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> ActionButton:
    """Return a button that does the action `name` on a subject."""
    custom_id = f"fp:{name}:{subject}:{version}" + (f":{extra}" if extra else "")
    return ActionButton(discord.ui.Button(label=label[:80], custom_id=custom_id, style=style))


OPEN_FORMS: "WeakValueDictionary[str, Form]" = WeakValueDictionary()
"""The forms shown since the start, by custom_id; discord.py keeps them until they are sent."""


class Form(discord.ui.Modal):
    """A form; `answer` is what becomes of it, `private` whether only who fills it in sees that."""

    private = True

    def __init__(self, title: str) -> None:
        super().__init__(title=title[:45])
        OPEN_FORMS[self.custom_id] = self

    def ask(
        self, custom_id: str, label: str, *, limit: int, hint: str = "", required: bool = True, long: bool = False
    ) -> discord.ui.TextInput[Any]:
        """Add a text field and return it."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        field = discord.ui.TextInput[Any](
            custom_id=custom_id, style=style, placeholder=hint[:100] or None, required=required, max_length=limit
        )
        self.add_item(discord.ui.Label(text=label[:45], component=field))
        return field

    @abstractmethod
    async def answer(self, interaction: Interaction) -> Reply:
        """Call one service with what was filled in."""

    async def on_submit(self, interaction: Interaction) -> None:
        """Answer through the door all commands and buttons use."""
        await respond(interaction, self.answer(interaction), doing=f"the form {self.title}", private=self.private)
