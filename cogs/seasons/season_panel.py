"""The panel of a season: what organisers choose, what players will read, and when it is played.

Each press changes one thing and shows the panel again.
"""

from datetime import datetime
from typing import Annotated, Any

import discord

from bot.league import formats
from bot.league.errors import Conflict, Invalid
from bot.league.season.choices import Pace, Seeding
from bot.league.season.in_words import amount, first_few
from bot.league.season.phases import LIVE, PLAYING, SeasonPhase
from bot.league.season.setting_values import Page
from bot.league.season.settings import GAMES, SETTINGS, has_finals
from bot.services.seasons import planning, plans
from bot.services.seasons.plans import Plan
from cogs.seasons.divisions_to_come import more_button, on_panel
from cogs.seasons.given_groups import show_groups
from cogs.seasons.season_settings import (
    DEFAULT,
    OTHER,
    all_settings,
    choices,
    chosen,
    games_now,
    games_offered,
    on_page,
)
from cogs.seasons.seeding import give_seeds
from cogs.ui.actions import OLD_BUTTON, SUCCESS, ActionSelect, Codec, InsteadError, Press, action, choice
from cogs.ui.cards import AMBER, BLUE, LINE, Answer, Buttons, Part
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.dates import local_date, read_date
from cogs.ui.replies import Reply
from cogs.ui.rights import require_may_make_threads, thread_lines
from cogs.ui.text import shown, with_commands
from storage.rows import SeasonId

CHANGED = "The settings have changed since. This is how they are now; choose again."
KEYS = {setting.label.casefold(): key for key, setting in SETTINGS.items()}
MATCH = "match"
"""Stands for the settings of games, which one select on the first page is for."""
_MOST_DATES, _NAMED = 12, 5
"""As many rounds as are listed with their dates, besides the last one, and as many settings of a page are named."""


def panel(plan: Plan, page: Page = Page.MAIN, note: str = "") -> Answer:
    """Return a page of the panel, in place of the message whose button was pressed; `note`, in Markdown, is first."""
    if plan.season.phase not in (*LIVE, SeasonPhase.UNPUBLISHED):
        return Answer(text=f"This season is {plan.season.phase}. `/season settings` shows the newest.", replace=True)
    parts: list[Part] = [_title(plan), *([f"**{note}**"] if note else [])]
    parts += _first_page(plan) if page is Page.MAIN else _more(plan, page)
    return Answer(parts=tuple(parts), colour=AMBER if plan.problems else BLUE, replace=True)


def _title(plan: Plan) -> str:
    league, number, phase = shown(plan.league.name), plan.number, plan.season.phase
    if phase is SeasonPhase.UNPUBLISHED:
        return f"## New season of {league}\nSeason {number}. Only organisers see this until you open sign-ups."
    also = ", and groups: round 1 isn't posted" if plan.gives_groups else ""
    also += "".join(f", and {SETTINGS[key].label}: round 1 can't be paired as it is" for key in sorted(plan.in_the_way))
    fixed = f"Only settings that never change a pairing can still change{also}."
    state = "Players see each change at once." if phase is SeasonPhase.SIGNUP else fixed
    return f"## Settings of {league}, season {number}\n{state}"


def _first_page(plan: Plan) -> list[Part]:
    in_the_way = [(_setting(plan, Page.MAIN, key),) for key in sorted(plan.in_the_way)]
    own = in_the_way if plan.season.phase in PLAYING else [_format(plan), *_settings(plan, Page.MAIN), _games(plan)]
    changed = [SETTINGS[key].label if key in SETTINGS else key.capitalize() for key in plan.changed]
    words = f"-# Copied from season {plan.season.copied_from}. Changed: {', '.join(changed) or 'nothing yet'}."
    copied = [] if plan.season.copied_from is None else [words]
    read = [f"- {shown(line)}" for line in plan.in_short] or ["Shown once the settings fit together."]
    return [
        *own,
        LINE,
        "\n".join(["### What players will read", *read]),
        LINE,
        "\n".join(["### Dates", *_shape(plan), *dates(plan), *copied]),
        *on_panel(plan),
        *_problems(plan),
        _buttons(plan),
    ]


def _problems(plan: Plan) -> list[Part]:
    problems = [f"- {with_commands(problem)}" for problem in plan.problems]
    return ["\n".join(["⚠️ **Before sign-ups can open:**", *problems])] if problems else []


def _buttons(plan: Plan) -> Buttons:
    more = (open_page(plan.season.id, Page.TIME).button("All settings"), change_dates(plan).button("Change dates"))
    more += more_button(plan)
    if plan.season.phase is SeasonPhase.SIGNUP and plan.value("seeding") is Seeding.SEEDED:
        return (*more, give_seeds(plan.league.id, 1).button("Seeds"))
    if plan.gives_groups:
        return (*more, show_groups(plan.league.id, 1).button("Groups"))
    if plan.season.phase is not SeasonPhase.UNPUBLISHED:
        return more
    opening = open_signups(plan).button("Open sign-ups", SUCCESS, disabled=bool(plan.problems))
    return (opening, *more, discard(plan).button("Discard"))


def _more(plan: Plan, page: Page) -> list[Part]:
    keys = {other: on_page(plan, other) for other in Page if other is not Page.MAIN}
    pages = [
        discord.SelectOption(
            label=other.words if other is Page.MORE else f"Settings: {other.words}",
            value=other,
            description=first_few([SETTINGS[key].label for key in keys[other]], _NAMED) or None,
            default=other is page,
        )
        for other in keys
        if other is Page.ALL or keys[other]
    ]
    if page is Page.ALL:
        selects: list[Part] = ["\n".join(all_settings(plan))]
    else:
        selects = _settings(plan, page) or ["-# Nothing here can be changed now."]
    back = open_page(plan.season.id, Page.MAIN).button("Back")
    return [(turn_to(plan.season.id).select(pages),), *selects, *_problems(plan), (back,)]


def _settings(plan: Plan, page: Page) -> list[Part]:
    """Return a select for each setting of a page that the season has and that can still change."""
    return [(_setting(plan, page, key),) for key in on_page(plan, page) if page is not Page.MAIN or key not in GAMES]


def _setting(plan: Plan, page: Page, key: str) -> ActionSelect:
    now, before_finals = chosen(plan, key), ", then finals" if key == "rounds" and has_finals(plan.value("cut")) else ""
    options = [
        discord.SelectOption(
            label=(words if value == OTHER else words + before_finals)[:100],
            value=value,
            description="Default" if value == DEFAULT else None,
            default=value == now,
        )
        for value, words in choices(plan, key)
    ]
    return choose_value(plan, page, key).select(options)


def _format(plan: Plan) -> Buttons:
    options = [
        discord.SelectOption(
            label=f"Format: {format_.title}",
            value=format_.key,
            description=format_.sentence,
            default=format_.key == plan.season.format,
        )
        for format_ in formats.ALL
    ]
    return (choose_format(plan).select(options),)


def _games(plan: Plan) -> Buttons:
    now = games_now(plan)
    options = [
        discord.SelectOption(label=words, value="-".join(map(str, games)), default=games == now)
        for games, words in games_offered(plan).items()
    ]
    options.append(discord.SelectOption(label="Match: something else…", value=OTHER))
    return (choose_value(plan, Page.MAIN, MATCH).select(options),)


def _shape(plan: Plan) -> list[str]:
    """Return how many groups and rounds there will be, and when they end."""
    if plan.shape is None or plan.season.phase in PLAYING:
        return []
    number, last = sum(plan.shape.sizes), plan.dates.last
    # While too few have signed up, the dates are for as many as there are places.
    so_far = " so far" if plan.season.phase is SeasonPhase.SIGNUP and number != plan.value("max_players") else ""
    ends = "" if last is None else f", ends about {discord.utils.format_dt(last, 'D')}"
    line = [f"-# {plan.shape.notice}"] if plan.shape.notice else []
    return [f"With {amount(number, 'player')}{so_far}: {plan.shape.words}{ends}.", *line]


def dates(plan: Plan) -> list[str]:
    """Return when sign-ups close and each round ends at the latest."""
    closing, playing = plan.season.signups_close, plan.season.phase in PLAYING
    lines = [] if playing else [_close(plan)]
    if plan.value("pace") == Pace.LIVE:
        posted = "Round 1 is posted then. `/round start-clock` starts its clock."
        return lines if playing or closing is None else [*lines, posted]
    if not plan.dates.rounds:
        return [*lines, SETTINGS["round_days"].line(plan.value("round_days"))]
    if plan.dates.if_closed is not None:
        lines.append(f"For example, if they close {discord.utils.format_dt(plan.dates.if_closed, 'D')}:")
    shown_ones, left = plan.dates.rounds[:_MOST_DATES], plan.dates.rounds[_MOST_DATES:][-1:]
    lines += [f"{line.name} by {discord.utils.format_dt(line.by, 'F')}" for line in (*shown_ones, *left)]
    more = "" if plan.dates.complete else " How many rounds follow depends on players and results."
    return [*lines, f"-# These are the latest dates, unless a deadline is moved.{more}"]


def _close(plan: Plan) -> str:
    closing = plan.season.signups_close
    if closing is not None:
        return f"Sign-ups close {discord.utils.format_dt(closing, 'F')}"
    check_in = "\n⚠️ Check-in needs a closing time: set one with **Change dates**."
    return f"Sign-ups close when you start the season.{check_in if plan.value('check_in_hours') else ''}"


async def _load(press: Press, text: str) -> Plan:
    """Return the season as it is now; where the panel pressed is out of date, that is shown instead."""
    season, version = map(int, text.split("@"))
    plan = await press.who.read(plans.of_season, season_id=SeasonId(season))
    if plan.version != version:
        raise InsteadError(panel(plan, note=CHANGED))
    return plan


PlanAsShown = Annotated[
    Plan, Codec("[0-9]{1,18}@[0-9]{1,18}", lambda plan: f"{plan.season.id}@{plan.version}", load=_load)
]


@action("plan")
async def open_page(press: Press, season: SeasonId, page: Page) -> Reply:
    """Show a page of the panel."""
    return panel(await press.who.read(plans.of_season, season_id=season), page)


@choice("plan-page")
async def turn_to(press: Press, page: Page, season: SeasonId) -> Reply:
    """Show the page of the panel that was chosen."""
    return panel(await press.who.read(plans.of_season, season_id=season), page)


@choice("plan-format")
async def choose_format(press: Press, key: str, plan: PlanAsShown) -> Reply:
    """Change the format; settings the new one doesn't have are dropped."""
    return panel(await change(press.interaction, plan, format=key))


@choice("plan-set", form=True)
async def choose_value(press: Press, text: str, plan: PlanAsShown, page: Page, key: str) -> Reply:
    """Change one setting, or open the form to type it."""
    if key not in (MATCH, *SETTINGS):
        raise Conflict(OLD_BUTTON)
    if text == OTHER and key == "join_role":
        return RoleForm(plan, page)
    if text == OTHER:
        return GamesForm(plan) if key == MATCH else ValueForm(plan, page, key)
    return with_rights(press.interaction, await change(press.interaction, plan, **_said(plan, key, text)), page)


@action("plan-dates", form=True)
async def change_dates(press: Press, plan: PlanAsShown) -> Reply:
    """Open the form of dates."""
    return DatesForm(plan)


@action("plan-open")
async def open_signups(press: Press, plan: PlanAsShown) -> Reply:
    """Publish the season and post its sign-ups."""
    league = plan.league
    season = await press.who.of(league.id).write(planning.open_signups, seen=plan.version)
    text = f"Sign-ups for season {season.number} are open in <#{league.channel_id}>."
    return Answer(text=f"{text} `/season settings` shows the panel again.", replace=True)


@action("plan-discard")
async def discard(press: Press, plan: PlanAsShown) -> Reply:
    """Delete the prepared season."""
    await press.who.of(plan.league.id).write(planning.discard, seen=plan.version)
    return Answer(text="Discarded. Nothing was posted. `/season create` prepares another season.", replace=True)


def with_rights(interaction: Interaction, plan: Plan, page: Page = Page.MAIN, *, note: str = "") -> Answer:
    """Return a page of the panel after a note and what the bot needs for the threads the season is to have."""
    assert interaction.guild is not None
    lines = thread_lines(interaction.guild, plan.league, plan.value("match_places"))
    wrong = [line for line in lines if line.startswith("⚠️")]
    return panel(plan, page, note=" ".join([*([note] if note else []), *wrong]).replace("**", ""))


async def change(interaction: Interaction, plan: Plan, **changes: Any) -> Plan:
    """Change the settings of the season a panel shows."""
    require_may_make_threads(interaction, plan.league, changes.get("settings", {}).get("match_places"))
    asker, meant = caller(interaction).of(plan.league.id), {"number": plan.season.number, "seen": plan.version}
    # Without `approval`, those who wait to be let in enter at once.
    return await asker.enter(asker.live_season, planning.change_settings, **meant, **changes)


def _said(plan: Plan, key: str, text: str) -> dict[str, Any]:
    """Return a choice as what the service takes."""
    if key == MATCH:
        return {"settings": dict(zip(GAMES, map(int, text.split("-")), strict=True))}
    setting = plan.format.setting(key)
    return {"settings": {key: setting.begins if text.strip().casefold() in ("", DEFAULT) else setting.typed(text)}}


async def change_typed(interaction: Interaction, plan: Plan, key: str, text: str) -> Plan:
    """Change what was typed as `setting` and `value`; raises Invalid."""
    key = KEYS.get(key.strip().casefold(), key)
    if key == "format":
        titles = {format_.title.casefold(): format_.key for format_ in formats.ALL}
        return await change(interaction, plan, format=titles.get(text.strip().casefold(), text.strip()))
    if key == "signups_close":
        return await change(interaction, plan, signups_close=_closing(interaction, plan, text))
    if key == "join_role":
        text = _role_meant(interaction, text)
    if key not in SETTINGS:
        raise Invalid(f"There's no setting “{key[:40]}”. Choose one from the list as you type.")
    return await change(interaction, plan, **_said(plan, key, text))


def _role_meant(interaction: Interaction, text: str) -> str:
    """Return a role typed by its name as a mention; anything else as it was typed."""
    assert interaction.guild is not None
    name = text.strip().removeprefix("@").casefold()
    roles = [role for role in interaction.guild.roles if role.name.removeprefix("@").casefold() == name]
    return f"<@&{roles[0].id}>" if len(roles) == 1 else text


def _closing(interaction: Interaction, plan: Plan, text: str) -> datetime | None:
    if text.strip().casefold() in ("", DEFAULT, "none"):
        return None
    return read_date(text, now=caller(interaction).now, time_zone=plan.league.time_zone)


class ValueForm(Form):
    """The form to type one setting."""

    def __init__(self, plan: Plan, page: Page, key: str) -> None:
        self._plan, self._page, self._setting = plan, page, plan.format.setting(key)
        super().__init__(self._setting.label)
        note = f"{self._setting.meaning}. Empty: the default."
        self._value = self.ask("value", self._setting.label, limit=100, note=note[:100], required=False)
        self._value.default = self._setting.text(plan.value(key))

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was typed."""
        settings = {self._setting.key: self._setting.typed(self._value.value)}
        return panel(await change(interaction, self._plan, settings=settings), self._page)


class RoleForm(Form):
    """The form to choose the role members need to join."""

    def __init__(self, plan: Plan, page: Page) -> None:
        self._plan, self._page, setting = plan, page, SETTINGS["join_role"]
        super().__init__(setting.label)
        now = plan.value(setting.key)
        default = [] if now is None else [discord.Object(now, type=discord.Role)]
        select = discord.ui.RoleSelect[Any](required=False, default_values=default)
        self._role = self.pick("role", setting.label, select, note=f"{setting.meaning}. None: everyone can.")

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was chosen."""
        role = next((role.id for role in self._role.values), None)
        return panel(await change(interaction, self._plan, settings={"join_role": role}), self._page)


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
