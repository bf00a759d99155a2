"""A column nothing is taken from, which says that others won than the scores do."""

from collections.abc import Sequence
from dataclasses import replace

from bot.importers.cells import Side, is_blank, says_bye, shortened
from bot.importers.found import NO_COLUMN, About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role
from bot.importers.tables.outcomes import Outcomes
from bot.importers.tables.results import Results
from bot.importers.tables.row import Row, Wrong
from bot.league.errors import InvalidFile
from bot.league.season.model import Kind


def winners_beside(rows: Sequence[Row], layout: Layout, outcomes: Outcomes, answers: Answers) -> Question | None:
    """Ask who won where a column names players, wins and losses, and the scores say something else in some row."""
    if {Role.WINNER, Role.LOSER} & layout.columns.keys() or Role.WINNER.value in answers.columns:
        return None
    if not {Role.SCORE, Role.PLAYER_SCORE} & layout.columns.keys():
        return None
    used = set(layout.columns.values())
    free = (index for index in range(len(layout.titles)) if index not in used)
    return next((asked for index in free if (asked := _about(index, rows, layout, outcomes)) is not None), None)


def _about(index: int, rows: Sequence[Row], layout: Layout, outcomes: Outcomes) -> Question | None:
    beside = replace(layout, columns={**layout.columns, Role.WINNER: index})
    try:
        results = Results([row.cells for row in rows], beside, Role.WINNER, Answers())
    except InvalidFile:
        return None
    if results.question is not None:
        return None
    differs = ""
    for row in rows:
        cell = row.cells[index] if index < len(row.cells) else ""
        first, second = (row.quiet(role) for role in layout.seats)
        if not isinstance(cell, str) or is_blank(text := cell.strip()) or not first or not second:
            continue
        if says_bye(first) or says_bye(second):
            continue
        side = results.side(text, (first, second))
        if side is None:
            return None
        if not differs and side is not _by_score(row, (first, second), outcomes):
            differs = f"{shortened(text)} in {row.place}"
    if not differs:
        return None
    title = shortened(layout.titles[index])
    return Question(
        about=About.COLUMN,
        key=Role.WINNER.value,
        text=f"“{title}” says {differs}, the score says something else. Which of the two says who won?",
        choices=(
            Choice(value=layout.titles[index], label=f"“{title}” says who won"),
            Choice(value=NO_COLUMN, label=f"The score does; “{title}” is something else"),
        ),
    )


def _by_score(row: Row, players: tuple[str, str], outcomes: Outcomes) -> Side | None:
    try:
        return outcomes.of(row, players, Kind.PLAYED)[0]
    except Wrong:
        return None
