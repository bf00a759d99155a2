"""Answers about a table that are given before anything is asked: which column is what, and what is meant."""

import csv
import re
from collections.abc import Iterable

from bot.importers.found import NO_COLUMN, TWO_COLUMNS, About, Answers, Question
from bot.importers.tables.headings import POINTABLE, plain
from bot.league.errors import Invalid

_MEANINGS = re.compile(
    r"sheets|numbers|scores|years|same rows|both sides|same round|in two files|no result|zeros|dashes|ids|points beside"
    r"|letter .|bye .{1,40}|empty (?:season|season number|year|round|date)"
)
"""The keys of questions about anything else than columns."""


def answers_of(text: str) -> Answers:
    """Return what a text such as `player=Combatant,season=Turnier` says; raises Invalid for what nothing is called."""
    columns, meant = dict[str, str](), dict[str, str]()
    sheet: str | None = None
    day_first: bool | None = None
    for part in next(csv.reader([text], skipinitialspace=True), []):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise Invalid(f"“{part}” has no =. Write a role and a heading, such as player=Combatant.")
        if key in POINTABLE:
            columns[key] = value or NO_COLUMN
        elif key == "sheet":
            sheet = value
        elif key == "dates" and value in ("day", "month"):
            day_first = value == "day"
        elif _MEANINGS.fullmatch(key):
            meant[key] = value
        else:
            roles = ", ".join(POINTABLE)
            raise Invalid(f"“{key}” is no role. Possible are {roles}, sheet, and dates (day or month).")
    return Answers(columns=columns, meant=meant, sheet=sheet, day_first=day_first)


def require_titles(answers: Answers, titles: Iterable[str]) -> None:
    """Raise Invalid for a heading that no column has."""
    listed = [*titles]
    listed_titles = {plain(title) for title in listed}
    for role, title in answers.columns.items():
        if (
            title not in (NO_COLUMN, TWO_COLUMNS)
            and plain(title) not in listed_titles
            and not title.startswith("column ")
        ):
            raise Invalid(f"no column is called “{title}”, which shall be {role}. There are {', '.join(listed)}.")


def how_to_answer(asked: Question) -> str:
    """Return a question with the option that answers it, and each possible value."""
    if asked.about is About.COLUMN:
        values = [
            choice.value if choice.value not in (NO_COLUMN, TWO_COLUMNS) else f"{choice.value} ({choice.label})"
            for choice in asked.choices
        ]
    else:
        values = [f"{choice.value} ({choice.label})" for choice in asked.choices]
    listed = " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
    return f'{asked.text} Say it with --columns "{asked.key}=...": {listed}.'
