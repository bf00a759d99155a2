"""Buttons that survive restarts: their custom_id says what they do and to what; nothing is kept in memory."""

import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import discord

from bot.league.errors import Conflict
from bot.services.matches import choosing
from bot.services.matches.views import MatchView, Seen
from bot.services.play.transitions import require_current
from bot.services.seasons import plans
from bot.services.seasons.plans import Plan
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.replies import Reply, respond

TEMPLATE = (
    r"fp:(?P<action>[a-z-]+):(?P<subject>[0-9]{1,18})(?:@(?P<version>[0-9]{1,18}))?(?::(?P<extra>[a-z0-9_ :-]{1,100}))?"
)
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
SubjectT = TypeVar("SubjectT", bound=int)
PressT = TypeVar("PressT", bound="_Press")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press:
    """A button someone pressed; `extra` is what its action added to the custom_id."""

    interaction: Interaction
    extra: str

    @property
    def who(self) -> Caller:
        """Who presses."""
        return caller(self.interaction)

    def parts(self, pattern: str) -> tuple[str, ...]:
        """Return what `extra` holds, one text a group of a pattern; raises Conflict if it doesn't fit."""
        match = re.fullmatch(pattern, self.extra)
        if match is None:
            raise Conflict(OLD_BUTTON)
        return match.groups(default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(_Press, Generic[SubjectT]):
    """A press on what never gets out of date: `subject` is the id it is about."""

    subject: SubjectT

    @property
    def asked(self) -> Caller:
        """Who asks something of the league it is about."""
        return self.who.of(self.subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPress(_Press):
    """A press on a match that has not changed since the button was made; services check `seen` once more."""

    match: MatchView

    @property
    def seen(self) -> Seen:
        """The match with its version."""
        return self.match.seen


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPress(_Press):
    """A press on the panel of a season; `current` is False once its settings have changed."""

    plan: Plan
    current: bool


class _Action(Generic[PressT]):
    """What one kind of button does; decorate the function that does it with the action.

    One that can open a `form` says so, because a form can't be acknowledged first.
    """

    def __init__(self, name: str, *, form: bool = False) -> None:
        if name in ACTIONS:
            raise ValueError(f"two actions are called {name}")
        ACTIONS[name] = self
        self.name = name
        self.form = form
        self.work: Callable[[PressT], Coroutine[Any, Any, Reply]] | None = None

    def __call__(self, work: Callable[[PressT], Coroutine[Any, Any, Reply]]) -> None:
        self.work = work

    def _made(self, label: str, subject: str, extra: str, style: discord.ButtonStyle) -> "ActionButton":
        custom_id = f"fp:{self.name}:{subject}" + (f":{extra}" if extra else "")
        return ActionButton(discord.ui.Button(label=label[:80], custom_id=custom_id, style=style))

    def _picked(
        self, subject: str, extra: str, options: Sequence[discord.SelectOption], most: int = 1, hint: str | None = None
    ) -> "ActionSelect":
        custom_id = f"pick:fp:{self.name}:{subject}" + (f":{extra}" if extra else "")
        now = next((option.label for option in options if option.default), hint)
        listed = list(options[:MOST_OPTIONS])
        most = min(most, len(listed))
        return ActionSelect(discord.ui.Select(custom_id=custom_id, options=listed, placeholder=now, max_values=most))

    async def read(self, interaction: Interaction, subject: int, version: str | None, extra: str) -> PressT:
        """Return a press on a button of this action; raises Conflict for a button that is out of date."""
        raise NotImplementedError


ACTIONS: dict[str, _Action[Any]] = {}
"""Every action by the name in its custom_ids."""


class Action(_Action[Press[SubjectT]], Generic[SubjectT]):
    """An action whose buttons never get out of date; what it is about is an id, of the type it names."""

    def button(
        self, label: str, subject: SubjectT, *, extra: str = "", style: discord.ButtonStyle = SECONDARY
    ) -> "ActionButton":
        """Return a button that does this."""
        return self._made(label, str(subject), extra, style)

    def select(
        self,
        subject: SubjectT,
        options: Sequence[discord.SelectOption],
        *,
        extra: str = "",
        most: int = 1,
        hint: str | None = None,
    ) -> "ActionSelect":
        """Return a select that does this with the chosen value, or up to `most`, at the end of `extra`.

        `hint` is what it shows while nothing is chosen.
        """
        return self._picked(str(subject), extra, options, most, hint)

    async def read(self, interaction: Interaction, subject: Any, version: str | None, extra: str) -> Press[SubjectT]:
        """Return the press; raises Conflict where the button names a version."""
        if version is not None:
            raise Conflict(OLD_BUTTON)
        return Press(interaction=interaction, subject=subject, extra=extra)


class VersionedAction(_Action[MatchPress]):
    """An action on a match as the button shows it: once the match has changed, the press is refused by itself."""

    def button(
        self, label: str, match: MatchView, *, extra: str = "", style: discord.ButtonStyle = SECONDARY
    ) -> "ActionButton":
        """Return a button that does this to a match as it is now."""
        return self._made(label, f"{match.match.id}@{match.match.version}", extra, style)

    async def read(self, interaction: Interaction, subject: int, version: str | None, extra: str) -> MatchPress:
        """Return the press with its match; raises Conflict where the match has changed."""
        if version is None:
            raise Conflict(OLD_BUTTON)
        match = await caller(interaction).see(choosing.match_meant, match=subject)
        require_current(match, int(version))
        return MatchPress(interaction=interaction, match=match, extra=extra)


class PlanAction(_Action[PlanPress]):
    """An action on a season's settings as its panel shows them."""

    def button(
        self, label: str, plan: Plan, *, extra: str = "", style: discord.ButtonStyle = SECONDARY
    ) -> "ActionButton":
        """Return a button that does this to a season as it is now."""
        return self._made(label, self._subject(plan), extra, style)

    def select(self, plan: Plan, extra: str, options: Sequence[discord.SelectOption]) -> "ActionSelect":
        """Return a select that does this with the chosen value at the end of `extra`."""
        return self._picked(self._subject(plan), extra, options)

    def _subject(self, plan: Plan) -> str:
        return f"{plan.season.id}@{plan.version}"

    async def read(self, interaction: Interaction, subject: Any, version: str | None, extra: str) -> PlanPress:
        """Return the press with the season's plan as it is now."""
        plan = await caller(interaction).see(plans.of_season, season_id=subject)
        return PlanPress(interaction=interaction, plan=plan, current=version == str(plan.version), extra=extra)


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
        await _press(interaction, self.custom_id)


class ActionSelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template=f"pick:{TEMPLATE}"):
    """Every select of the bot: choosing values does what a button with those values, joined by dashes, would do."""

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the select as Discord sent it back."""
        assert isinstance(item, discord.ui.Select)
        return cls(item)

    async def callback(self, interaction: Interaction) -> Any:
        """Do what the chosen values say."""
        chosen = f"{self.custom_id.removeprefix('pick:')}:{'-'.join(self.item.values)}"
        await _press(interaction, chosen)


async def _press(interaction: Interaction, custom_id: str) -> None:
    action = ACTIONS.get(custom_id.split(":")[1])
    form = action is not None and action.form
    await respond(interaction, _pressed(interaction, custom_id), doing=_name(custom_id), form=form)


def _name(custom_id: str) -> str:
    """Return the action and subject of a button or select as they are logged; what was chosen is not."""
    return " ".join(["button", *custom_id.split(":")[1:3]])


async def _pressed(interaction: Interaction, custom_id: str) -> Reply:
    match = re.fullmatch(TEMPLATE, custom_id)
    action = ACTIONS.get(match["action"]) if match is not None else None
    if match is None or action is None or action.work is None:
        raise Conflict(OLD_BUTTON)
    press = await action.read(interaction, int(match["subject"]), match["version"], match["extra"] or "")
    return await action.work(press)
