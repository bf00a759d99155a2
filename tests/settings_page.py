"""The tables of docs/settings.md, made from the records of settings: `python -m tests.settings_page` writes them."""

import re
from pathlib import Path

from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.setting_values import Page, Setting
from bot.league.season.settings import SETTINGS

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
HEAD = ("setting", "in the panel", "takes", "default", "meaning", "during the season")


def table(page: Page) -> str:
    """Return the settings of a page of the panel as a table."""
    rows = [HEAD, *(_row(setting) for setting in SETTINGS.values() if setting.first_page is page)]
    head, *lines = [f"| {' | '.join(row)} |\n" for row in rows]
    return "".join([head, "|---" * len(HEAD), "|\n", *lines])


def _row(setting: Setting) -> tuple[str, ...]:
    takes = setting.values.takes.removeprefix("a whole number from ")
    if setting.values.closed:
        words = {text: setting.words(setting.read(setting.typed(text))) for text in setting.values.offered}
        takes = ", ".join(f"`{text}` ({said})" for text, said in words.items())
    taking = [format_ for format_ in ALL if setting.key in format_.settings_keys]
    only = "" if len(taking) == len(ALL) else f" ({', '.join(format_.key for format_ in taking)})"
    later = "fixed" if setting.changes_pairings else "can change"
    return f"`{setting.key}`", setting.label, takes, _defaults(setting, taking), f"{setting.meaning}{only}", later


def _defaults(setting: Setting, taking: list[Format]) -> str:
    found: dict[str, list[str]] = {}
    for format_ in taking:
        found.setdefault(default_words(format_, setting.key), []).append(format_.key)
    first, *others = sorted(found, key=lambda words: -len(found[words]))
    begins = [] if setting.begins is None else [f"in seasons prepared on Discord `{setting.text(setting.begins)}`"]
    return "; ".join([first, *(f"{', '.join(found[words])}: {words}" for words in others), *begins])


def default_words(format_: Format, key: str) -> str:
    """Return a format's default of a setting as people type it, or what it means where there is none."""
    setting, value = SETTINGS[key], format_.default(key)
    return setting.text(value) or format_.setting_line(key, value).removeprefix(f"{setting.label}: ")


def written(text: str) -> str:
    """Return the text of the page with its tables made again."""
    for page in Page:
        text = re.sub(
            rf"(^## {page.words}\n(?:[^|#\n].*\n|\n)*)(?:\|.*\n)+",
            lambda found, page=page: found[1] + table(page),
            text,
            flags=re.MULTILINE,
        )
    return text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
