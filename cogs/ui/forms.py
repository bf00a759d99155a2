"""Forms: freed when no one sends them, and opened again with everything typed if something was wrong."""

import asyncio
import functools
from abc import abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

import discord

from bot.league.errors import Conflict, Invalid, LeagueError
from cogs.ui.actions import Press, action
from cogs.ui.button_memory import LIGHT, forget, keep, kept
from cogs.ui.cards import Answer
from cogs.ui.context import Interaction
from cogs.ui.errors import explain
from cogs.ui.replies import Opened, Reply, respond

LIFE_SECONDS = 3600
OPEN_FORMS: "WeakValueDictionary[str, Form]" = WeakValueDictionary()
"""The forms that are still in memory, by custom_id; those that are finished are no longer open."""
Choice = discord.ui.RadioGroup[Any] | discord.ui.Select[Any]
Picked = TypeVar("Picked", discord.ui.ChannelSelect[Any], discord.ui.RoleSelect[Any])
_CHOICES = (discord.ui.RadioGroup, discord.ui.Select)
_PICKS = (discord.ui.ChannelSelect, discord.ui.RoleSelect)


class Field(discord.ui.TextInput[Any]):
    """A text field; what is typed is cut to its length, which Discord only promises, before anyone reads it."""

    @property
    def value(self) -> str:
        """What was typed."""
        return super().value[: self.max_length]


class Form(Opened):
    """A form; `answer` is what becomes of it, `private` whether only the person who fills it in sees that."""

    private = True
    user_id: int
    _same: "Callable[[], Form]"
    _sent = False

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Remember how to open this form again."""
        form = super().__new__(cls)
        form._same = functools.partial(cls, *given, **named)
        return form

    def __init__(self, title: str) -> None:
        super().__init__(title=title[:45], timeout=LIFE_SECONDS)
        OPEN_FORMS[self.custom_id] = self

    @property
    def name(self) -> str:
        """The name of the form in the log; its title may name people."""
        return f"form {type(self).__name__}"

    def ask(
        self,
        custom_id: str,
        label: str,
        *,
        limit: int,
        hint: str = "",
        note: str = "",
        required: bool = True,
        long: bool = False,
    ) -> Field:
        """Add a text field and return it; `hint` is shown in it while it is empty, `note` under its label."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        field = Field(
            custom_id=custom_id, style=style, placeholder=hint[:100] or None, required=required, max_length=limit
        )
        self.add_item(discord.ui.Label(text=label[:45], description=note or None, component=field))
        return field

    def choose(
        self,
        custom_id: str,
        label: str,
        options: Mapping[str, str],
        *,
        notes: Mapping[str, str] = MappingProxyType({}),
        required: bool = True,
    ) -> discord.ui.RadioGroup[Any]:
        """Add radio buttons, at most ten, and return them; `options` are values with labels, `notes` say more."""
        listed = [
            discord.RadioGroupOption(label=text, value=value, description=notes.get(value))
            for value, text in options.items()
        ]
        field = discord.ui.RadioGroup[Any](custom_id=custom_id, required=required, options=listed)
        self.add_item(discord.ui.Label(text=label[:45], component=field))
        return field

    def list(
        self, custom_id: str, label: str, options: Mapping[str, str], *, notes: Mapping[str, str]
    ) -> discord.ui.Select[Any]:
        """Add a list to choose one of at most 25 from, and return it; `options` and `notes` as in `choose`."""
        listed = [
            discord.SelectOption(label=text, value=value, description=notes.get(value))
            for value, text in options.items()
        ]
        field = discord.ui.Select[Any](custom_id=custom_id, options=listed)
        self.add_item(discord.ui.Label(text=label[:45], component=field))
        return field

    def pick(self, custom_id: str, label: str, select: Picked, *, note: str) -> Picked:
        """Add a choice of channels or roles and return it; `note` is shown under its label."""
        select.custom_id = custom_id
        self.add_item(discord.ui.Label(text=label[:45], description=note, component=select))
        return select

    @abstractmethod
    async def answer(self, interaction: Interaction) -> Reply:
        """Call one service with what was filled in."""

    async def on_submit(self, interaction: Interaction) -> None:
        """Answer through the door all commands and buttons use."""
        self._sent = True
        await respond(interaction, self._answer(interaction), doing=self.name, private=self.private)

    async def _answer(self, interaction: Interaction) -> Reply:
        try:
            return await self.answer(interaction)
        except LeagueError as refused:
            again = open_again(self._keep(interaction.user.id)).button("Edit and try again")
            return Answer(text=explain(refused, doing=self.name), buttons=(again,))

    def offered(self, user_id: int) -> Answer:
        """Return an answer whose button opens this form for a person."""
        return Answer(text="The form is ready.", buttons=(open_again(self._keep(user_id)).button("Open the form"),))

    def _keep(self, user_id: int) -> str:
        """Keep it to be opened once more, because it was refused or came too late; return its key."""
        self.user_id = user_id
        typed = [field.value for field in self.walk_children() if isinstance(field, Field)] if self._sent else []
        key = keep(self, size=LIGHT + 4 * sum(map(len, typed)))
        asyncio.get_running_loop().call_later(LIFE_SECONDS, forget, key)
        return key

    def refilled(self) -> "Form":
        """Return the form as it was, with everything that was typed if it was sent."""
        again = self._same()
        if not self._sent:
            return again
        for old, new in zip(self.walk_children(), again.walk_children(), strict=True):
            if isinstance(old, discord.ui.TextInput) and isinstance(new, discord.ui.TextInput):
                new.default = old.value
            if isinstance(old, _CHOICES) and isinstance(new, _CHOICES):
                for option in new.options:
                    option.default = option.value == _said(old)
            if isinstance(old, _PICKS) and isinstance(new, _PICKS):
                new.default_values = old.values
        return again


def picked(field: Choice) -> str:
    """Return the value of what was chosen, an empty text where nothing had to be; raises Invalid for anything else."""
    value = _said(field)
    if value not in {option.value for option in field.options} and (value or field.required):
        raise Invalid("Choose one of the answers, then send.")
    return value


def _said(field: Choice) -> str:
    chosen = [field.value] if isinstance(field, discord.ui.RadioGroup) else field.values
    return next(filter(None, chosen), "")


@action("again", form=True)
async def open_again(press: Press, key: str) -> Reply:
    """Open a form that was kept, for the person it was kept for."""
    form = kept(key)
    if not isinstance(form, Form) or form.user_id != press.interaction.user.id:
        raise Conflict("That form is no longer open. Press the first button again.")
    return form.refilled()
