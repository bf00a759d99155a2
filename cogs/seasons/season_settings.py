"""The settings of a season on Discord: choices of the panel, suggestions while typing."""

from discord import app_commands

from bot.league import formats
from bot.league.season.choices import Grouping, Schedule
from bot.league.season.phases import PLAYING
from bot.league.season.setting_values import Page, Whole
from bot.league.season.settings import GAMES, SETTINGS, has_finals
from bot.services.seasons import plans
from bot.services.seasons.plans import Plan
from cogs.ui.context import Interaction, asked
from cogs.ui.options.names import Pairs, Suggestions
from cogs.ui.text import shown

DEFAULT, OTHER = "default", "other"
"""The choices for a setting's default, and for a value to type."""
OTHERS = {"format": "Format", "signups_close": "Sign-ups close"}
"""What can be set besides the settings."""

_OFTEN = ((1, 1, 1), (1, 3, 3), (3, 3, 3), (3, 5, 5), (5, 5, 5))
"""Games of a match, of one in the finals and of the final; More settings has the final by itself."""


def choices(plan: Plan, key: str) -> list[tuple[str, str]]:
    """Return what a setting can be, as (text to type, words): the default first, at last another one to type."""
    setting, default, now = plan.format.setting(key), plan.usual(key), plan.value(key)
    values = {text: setting.offered(text) for text in plan.format.offered(key)}
    if values and now is not None:
        values[setting.text(now)] = now
    if isinstance(setting.values, Whole):
        values = dict(sorted(values.items(), key=lambda item: item[1]))
    options = [(text, plan.format.setting_line(key, value)) for text, value in values.items() if value != default]
    other = [] if setting.values.closed else [(OTHER, f"{setting.label}: something else…")]
    return [(DEFAULT, plan.format.setting_line(key, default)), *options, *other]


def chosen(plan: Plan, key: str) -> str:
    """Return which of the choices a setting is now."""
    now = plan.value(key)
    if now == plan.usual(key):
        return DEFAULT
    return plan.format.setting(key).text(now) if plan.format.offered(key) else OTHER


def all_settings(plan: Plan) -> list[str]:
    """Return every setting of the season with its value, those an organiser chose in bold, at last what few change."""
    keys, given = [key for key in plan.format.settings_keys if _matters(plan, key)], plans.chosen(plan.season)
    by_hand = {key for key, setting in SETTINGS.items() if given.get(key) != setting.begins}
    words = {key: shown(plan.format.setting_line(key, plan.value(key))) for key in SETTINGS if key in keys}
    if (role := plan.value("join_role")) is not None:
        words["join_role"] += f", <@&{role}>"
    lines = {key: f"**{line}**" if key in by_hand else line for key, line in words.items()}
    first = [key for key in lines if _page(plan, key) is not Page.MORE]
    return [
        f"Format: {shown(plan.format.title)}",
        *(lines[key] for key in first),
        f"### {Page.MORE.words}",
        *(line for key, line in lines.items() if key not in first),
        "-# In bold: chosen by an organiser. The others are the default.",
    ]


def on_page(plan: Plan, page: Page) -> list[str]:
    """Return the settings of a page; More settings keeps those that are in force, and so are elsewhere, too."""
    playing = plan.season.phase in PLAYING
    keys = [key for key in SETTINGS if key in plan.format.settings_keys and _matters(plan, key)]
    free = [SETTINGS[key] for key in keys if not (playing and SETTINGS[key].changes_pairings)]
    behind = [setting.key for setting in free if setting.more or plan.format.pages.get(setting.key) is Page.MORE]
    return [
        setting.key
        for setting in free
        if page is _page(plan, setting.key) or (page is Page.MORE and setting.key in behind)
    ]


def _page(plan: Plan, key: str) -> Page:
    """Return the page of a setting: no setting that is in force is behind More settings alone."""
    setting, own = SETTINGS[key], plan.format.pages.get(key)
    if own is Page.MAIN or plan.value(key) == plan.usual(key):
        return own or setting.first_page
    return setting.page


def _matters(plan: Plan, key: str) -> bool:
    """Whether there's a choice, and something depends on it."""
    if key == "moves" and plan.value("grouping") is not Grouping.DIVISIONS:
        return False
    if key in ("stage_ends", "first_match_days") and plan.value("schedule") is not Schedule.OPEN:
        return False
    if len(plan.format.offered(key)) == 1:
        return False
    typed = not plan.format.setting(key).values.closed
    return typed or plan.value(key) != plan.usual(key) or len(choices(plan, key)) > 1


def games_now(plan: Plan) -> tuple[int, ...]:
    """Return the games of a match, of one in the finals and of the final."""
    return tuple(plan.value(key) for key in GAMES)


def games_offered(plan: Plan) -> dict[tuple[int, ...], str]:
    """Return the games of matches to choose from, with what they mean."""
    usual = tuple(plan.format.default(key) for key in GAMES)
    often = [usual, *_OFTEN] if has_finals(plan.value("cut")) else [(n,) * 3 for n in (1, 3, 5)]
    fitting = (games for games in {*often, games_now(plan)} if plan.format.has_regular_stage or games[0] == games[1])
    return {games: _games_words(plan, games) for games in sorted(fitting)}


def _games_words(plan: Plan, games: tuple[int, ...]) -> str:
    first, finals, final = (SETTINGS[key].words(number) for key, number in zip(GAMES, games, strict=True))
    words = SETTINGS["best_of"].line(games[0])
    if not has_finals(plan.value("cut")):
        return words
    words += f", finals {finals}" if finals != first else ""
    return words + (f", final {final}" if final != finals else "")


async def _plan(interaction: Interaction) -> Plan:
    asker = await asked(interaction, interaction.namespace.league)
    return await asker.read(plans.plan, number=interaction.namespace.season)


async def _keys(interaction: Interaction, typed: str) -> Pairs:
    keys = (await _plan(interaction)).format.settings_keys
    by_use = sorted(SETTINGS.values(), key=lambda setting: setting.more)
    labels = {**OTHERS, **{setting.key: setting.label for setting in by_use if setting.key in keys}}
    return [(f"{label} ({key})", key) for key, label in labels.items()]


async def _values(interaction: Interaction, typed: str) -> Pairs:
    key = interaction.namespace.setting
    if key == "format":
        return [(format_.title, format_.key) for format_ in formats.ALL]
    plan = await _plan(interaction)
    return [(words, text) for text, words in (choices(plan, key) if key in SETTINGS else ()) if text != OTHER]


SettingKey = app_commands.Transform[str, Suggestions(_keys)]
SettingValue = app_commands.Transform[str, Suggestions(_values)]
