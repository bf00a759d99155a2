"""The panel of a season: what organisers choose, what players will read, and when it is played."""

import discord

from bot.league import formats
from bot.league.season.phases import LIVE, PLAYING, SeasonPhase
from bot.league.season.setting import Page
from bot.league.season.settings import SETTINGS, Pace
from bot.services.seasons import plans
from bot.services.seasons.plans import Plan
from cogs.seasons.season_settings import DEFAULT, OTHER, choices, chosen
from cogs.ui.actions import DATES, DISCARD, OPEN_SIGNUPS, PLAN, SET, SET_FORMAT
from cogs.ui.buttons import SUCCESS, ActionSelect
from cogs.ui.cards import AMBER, BLUE, LINE, Answer, Buttons, Part
from cogs.ui.text import shown, with_commands

GAMES = ("best_of", "finals_best_of", "final_best_of")
"""The settings that one select on the first page is for."""
MATCH = "match"
"""Stands for them."""
_MOST_DATES = 12
"""As many rounds as are listed with their dates, besides the last one."""
_OFTEN = ((1, 1, 1), (1, 1, 3), (1, 3, 3), (1, 3, 5), (3, 3, 3), (3, 3, 5), (3, 5, 5), (5, 5, 5))


def panel(plan: Plan, page: Page = Page.MAIN, note: str = "") -> Answer:
    """Return a page of the panel, in place of the message whose button was pressed; `note` comes first."""
    if plan.season.phase not in (*LIVE, SeasonPhase.UNPUBLISHED):
        return Answer(text=f"This season is {plan.season.phase}. `/season settings` shows the newest.", replace=True)
    parts: list[Part] = [_title(plan), *([f"**{with_commands(note)}**"] if note else [])]
    parts += _first_page(plan) if page is Page.MAIN else _more(plan, page)
    return Answer(parts=tuple(parts), colour=AMBER if plan.problems else BLUE, replace=True)


def _title(plan: Plan) -> str:
    league, number, phase = shown(plan.league.name), plan.number, plan.season.phase
    if phase is SeasonPhase.UNPUBLISHED:
        return f"## New season of {league}\nSeason {number}. Only organisers see this until you open sign-ups."
    fixed = "Only settings that never change a pairing can still change."
    state = "Players see each change at once." if phase is SeasonPhase.SIGNUP else fixed
    return f"## Settings of {league}, season {number}\n{state}"


def _first_page(plan: Plan) -> list[Part]:
    playing = plan.season.phase in PLAYING
    own = [] if playing else [_format(plan), *_settings(plan, Page.MAIN), _games(plan)]
    read = [f"- {shown(line)}" for line in plan.in_short] or ["Shown once the settings fit together."]
    return [
        *own,
        LINE,
        "\n".join(["### What players will read", *read]),
        LINE,
        "\n".join(["### Dates", *dates(plan), *_copied(plan)]),
        *_problems(plan),
        _buttons(plan),
    ]


def _problems(plan: Plan) -> list[Part]:
    if not plan.problems:
        return []
    return ["\n".join(["⚠️ **Before sign-ups can open:**", *(f"- {with_commands(one)}" for one in plan.problems)])]


def _copied(plan: Plan) -> list[str]:
    if plan.season.copied_from is None:
        return []
    changed = [SETTINGS[key].label if key in SETTINGS else key.capitalize() for key in plan.changed]
    return [f"-# Copied from season {plan.season.copied_from}. Changed: {', '.join(changed) or 'nothing yet'}."]


def _buttons(plan: Plan) -> Buttons:
    more = (PLAN.button("More settings", plan, extra=Page.TIME), DATES.button("Change dates", plan))
    if plan.season.phase is not SeasonPhase.UNPUBLISHED:
        return more
    opening = OPEN_SIGNUPS.button("Open sign-ups", plan, style=SUCCESS)
    opening.item.disabled = bool(plan.problems)
    return (opening, *more, DISCARD.button("Discard", plan))


def _more(plan: Plan, page: Page) -> list[Part]:
    pages = [
        discord.SelectOption(label=f"More settings: {one.words}", value=one, default=one is page)
        for one in Page
        if one is not Page.MAIN
    ]
    if page is Page.ALL:
        selects: list[Part] = ["\n".join(all_settings(plan))]
    else:
        selects = _settings(plan, page) or ["-# Nothing here can be changed now."]
    return [(PLAN.select(plan, "", pages),), *selects, *_problems(plan), (PLAN.button("Back", plan, extra=Page.MAIN),)]


def all_settings(plan: Plan) -> list[str]:
    """Return every setting of the season with its value, those an organiser chose in bold."""
    keys, by_hand = plan.format.settings_keys, plans.chosen(plan.season)
    said = {key: shown(plan.format.setting_line(key, plan.value(key))) for key in SETTINGS if key in keys}
    lines = [f"**{line}**" if key in by_hand else line for key, line in said.items()]
    return [
        f"Format: {shown(plan.format.title)}",
        *lines,
        "-# In bold: chosen by an organiser. The others are the default.",
    ]


def _settings(plan: Plan, page: Page) -> list[Part]:
    """Return a select for each setting of a page that the season has and that can still change."""
    there = [setting for setting in SETTINGS.values() if setting.page is page and setting.key not in GAMES]
    if plan.season.phase in PLAYING:
        there = [setting for setting in there if not setting.changes_pairings]
    return [(_setting(plan, page, setting.key),) for setting in there if setting.key in plan.format.settings_keys]


def _setting(plan: Plan, page: Page, key: str) -> ActionSelect:
    now = chosen(plan, key)
    options = [
        discord.SelectOption(
            label=_label(plan, key, value, words),
            value=value,
            description="Default" if value == DEFAULT else None,
            default=value == now,
        )
        for value, words in choices(plan, key)
    ]
    return SET.select(plan, f"{page}:{key}", options)


def _label(plan: Plan, key: str, value: str, words: str) -> str:
    finals = key == "rounds" and value != OTHER and has_finals(plan)
    return f"{words}, then finals"[:100] if finals else words[:100]


def has_finals(plan: Plan) -> bool:
    """Whether a bracket may follow the rounds."""
    return plan.value("cut") not in (0, 1)


def _format(plan: Plan) -> Buttons:
    options = [
        discord.SelectOption(
            label=f"Format: {one.title}",
            value=one.key,
            description=one.sentence,
            default=one.key == plan.season.format,
        )
        for one in formats.ALL
    ]
    return (SET_FORMAT.select(plan, "", options),)


def _games(plan: Plan) -> Buttons:
    now = games_now(plan)
    known = dict.fromkeys([*_OFTEN, now]) if has_finals(plan) else dict.fromkeys([*((n,) * 3 for n in (1, 3, 5)), now])
    options = [
        discord.SelectOption(label=_games_words(plan, games), value="-".join(map(str, games)), default=games == now)
        for games in known
        if plan.format.has_regular_stage or games[0] == games[1]
    ]
    options.append(discord.SelectOption(label="Match: something else…", value=OTHER))
    return (SET.select(plan, f"{Page.MAIN}:{MATCH}", options),)


def games_now(plan: Plan) -> tuple[int, ...]:
    """Return the games of a match, of one in the finals and of the final."""
    return tuple(plan.value(key) for key in GAMES)


def _games_words(plan: Plan, games: tuple[int, ...]) -> str:
    first, finals, final = (SETTINGS[key].words(number) for key, number in zip(GAMES, games, strict=True))
    said = SETTINGS["best_of"].line(games[0])
    if not has_finals(plan):
        return said
    said += f", finals {finals}" if finals != first else ""
    return said + (f", final {final}" if final != finals else "")


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
    lines += [f"{one.name} by {discord.utils.format_dt(one.by, 'F')}" for one in (*shown_ones, *left)]
    more = "" if plan.dates.complete else " How many rounds follow depends on players and results."
    return [*lines, f"-# At the latest, if no deadline is moved; rounds can end earlier.{more}"]


def _close(plan: Plan) -> str:
    closing = plan.season.signups_close
    if closing is not None:
        return f"Sign-ups close {discord.utils.format_dt(closing, 'F')}"
    check_in = "\n⚠️ Check-in needs a closing time: set one with **Change dates**."
    return f"Sign-ups close when you start the season.{check_in if plan.value('check_in_hours') else ''}"
