"""The panel of a season: its selects, buttons and forms; each press changes one thing and shows the panel again."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import discord

from bot.league import formats
from bot.league.errors import Invalid
from bot.league.season.phases import PLAYING
from bot.league.season.setting import Page
from bot.league.season.settings import SETTINGS
from bot.services.seasons import planning
from bot.services.seasons.plans import Plan
from cogs.leagues.rights import thread_lines
from cogs.seasons.panel_card import GAMES, MATCH, games_now, panel
from cogs.seasons.season_settings import DEFAULT, OTHER
from cogs.ui.actions import DATES, DISCARD, OPEN_SIGNUPS, PLAN, SET, SET_FORMAT
from cogs.ui.buttons import PlanPress
from cogs.ui.cards import Answer
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.dates import local_date, read_date
from cogs.ui.replies import Reply

CHANGED = "The settings have changed since. This is how they are now; choose again."
KEYS = {setting.label.casefold(): key for key, setting in SETTINGS.items()}
Work = Callable[[PlanPress], Awaitable[Reply]]


def _current(work: Work) -> Callable[[PlanPress], Any]:
    """Show the panel as it is now where the one pressed is out of date."""

    async def checked(press: PlanPress) -> Reply:
        return await work(press) if press.current else panel(press.plan, note=CHANGED)

    return checked


@PLAN
async def page_chosen(press: PlanPress) -> Reply:
    """Show a page of the panel."""
    (page,) = press.parts("([a-z]+)")
    return panel(press.plan, _page(page))


def _page(key: str) -> Page:
    return next((page for page in Page if page.value == key), Page.MAIN)


@SET_FORMAT
@_current
async def format_chosen(press: PlanPress) -> Reply:
    """Change the format; settings the new one doesn't have are dropped."""
    (key,) = press.parts("([a-z-]+)")
    return panel(await change(press.interaction, press.plan, format=key))


@SET
@_current
async def value_chosen(press: PlanPress) -> Reply:
    """Change one setting, or open the form to type it."""
    where, key, text = press.parts("([a-z]+):([a-z_]+):([a-z0-9_ :-]+)")
    page = _page(where)
    if text == OTHER:
        return GamesForm(press.plan) if key == MATCH else ValueForm(press.plan, page, key)
    return with_rights(press.interaction, await change(press.interaction, press.plan, **_said(key, text)), page)


@DATES
@_current
async def dates_pressed(press: PlanPress) -> Reply:
    """Open the form of dates."""
    return DatesForm(press.plan)


@OPEN_SIGNUPS
@_current
async def open_pressed(press: PlanPress) -> Reply:
    """Publish the season and post its sign-ups."""
    league = press.plan.league
    season = await press.who.of(league.id).do(planning.open_signups, seen=press.plan.version)
    text = f"Sign-ups for season {season.number} are open in <#{league.channel_id}>."
    return Answer(text=f"{text} `/season settings` shows the panel again.", replace=True)


@DISCARD
@_current
async def discard_pressed(press: PlanPress) -> Reply:
    """Delete the prepared season."""
    await press.who.of(press.plan.league.id).do(planning.discard, seen=press.plan.version)
    return Answer(text="Discarded. Nothing was posted. `/season create` prepares another season.", replace=True)


def with_rights(interaction: Interaction, plan: Plan, page: Page = Page.MAIN, *, note: str = "") -> Answer:
    """Return a page of the panel after a note and what the bot needs for the threads the season is to have."""
    assert interaction.guild is not None
    lines = thread_lines(interaction.guild, plan.league, plan.value("match_places"))
    wrong = [line for line in lines if line.startswith("⚠️")]
    return panel(plan, page, note=" ".join([*([note] if note else []), *wrong]).replace("**", ""))


async def change(interaction: Interaction, plan: Plan, **changes: Any) -> Plan:
    """Change the settings of the season a panel shows."""
    who, meant = caller(interaction).of(plan.league.id), {"number": plan.season.number, "seen": plan.version}
    return await who.do(planning.change_settings, **meant, **changes)


def _said(key: str, text: str) -> dict[str, Any]:
    """Return a choice as what the service takes."""
    if key == MATCH:
        return {"settings": dict(zip(GAMES, map(int, text.split("-")), strict=True))}
    return {"settings": {key: SETTINGS[key].typed(text)}}


async def change_typed(interaction: Interaction, plan: Plan, key: str, text: str) -> Plan:
    """Change what was typed as `setting` and `value`; raises Invalid."""
    key = KEYS.get(key.strip().casefold(), key)
    if key == "format":
        titles = {one.title.casefold(): one.key for one in formats.ALL}
        return await change(interaction, plan, format=titles.get(text.strip().casefold(), text.strip()))
    if key == "signups_close":
        return await change(interaction, plan, signups_close=_closing(interaction, plan, text))
    if key not in SETTINGS:
        raise Invalid(f"There's no setting “{key[:40]}”. Choose one from the list as you type.")
    return await change(interaction, plan, **_said(key, text))


def _closing(interaction: Interaction, plan: Plan, text: str) -> datetime | None:
    if text.strip().casefold() in ("", DEFAULT, "none"):
        return None
    return read_date(text, now=caller(interaction).now, time_zone=plan.league.time_zone)


class ValueForm(Form):
    """The form to type one setting."""

    def __init__(self, plan: Plan, page: Page, key: str) -> None:
        self._plan, self._page, self._setting = plan, page, SETTINGS[key]
        super().__init__(self._setting.label)
        note = f"{self._setting.meaning}. Empty: the default."
        self._value = self.ask("value", self._setting.label, limit=60, note=note[:100], required=False)
        self._value.default = self._setting.text(plan.value(key))

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was typed."""
        settings = {self._setting.key: self._setting.typed(self._value.value)}
        return panel(await change(interaction, self._plan, settings=settings), self._page)


class GamesForm(Form):
    """The form to type how many games matches have."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("Games of a match")
        self._plan = plan
        self._fields: dict[str, discord.ui.TextInput[Any]] = {}
        for key, games in zip(GAMES, games_now(plan), strict=True):
            note = f"{SETTINGS[key].meaning}: {SETTINGS[key].values.takes}."
            self._fields[key] = self.ask(key, SETTINGS[key].label, limit=3, note=note, required=False)
            self._fields[key].default = str(games)

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was typed."""
        settings = {key: SETTINGS[key].typed(field.value) for key, field in self._fields.items()}
        return panel(await change(interaction, self._plan, settings=settings))


class DatesForm(Form):
    """The form of dates: when sign-ups close, until they have, and how long rounds are."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("Dates")
        self._plan = plan
        self._closing = None if plan.season.phase in PLAYING else self._ask_closing(plan)
        self._days = self.ask("round_days", "Days for each round", limit=3, required=False)
        self._days.default = str(plan.value("round_days"))

    def _ask_closing(self, plan: Plan) -> discord.ui.TextInput[Any]:
        note, hint = "Empty: when you start the season", "2026-12-01 18:00, 3d or 12h"
        closing = self.ask("signups_close", "Sign-ups close", limit=40, hint=hint, note=note, required=False)
        closing.default = local_date(plan.season.signups_close, plan.league.time_zone)
        return closing

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was typed."""
        changes: dict[str, Any] = {"settings": {"round_days": SETTINGS["round_days"].typed(self._days.value)}}
        if self._closing is not None and self._closing.value.strip() != self._closing.default:
            changes["signups_close"] = _closing(interaction, self._plan, self._closing.value)
        return panel(await change(interaction, self._plan, **changes))
