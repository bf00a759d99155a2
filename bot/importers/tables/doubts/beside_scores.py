"""What stands beside the scores and doesn't fit them: a column that says others won, and points of a table."""

from collections.abc import Sequence
from dataclasses import replace

from bot.importers.cells import Side, amount_of, is_blank, says_bye, shortened
from bot.importers.found import NO_COLUMN, About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import Role
from bot.importers.tables.outcomes import OF_POINTS, Outcomes
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


def points_beside(rows: Sequence[Row], layout: Layout, outcomes: Outcomes, answers: Answers) -> Question | None:
    """Ask whose points two columns are that don't fit a result: those of the match, or those in the table so far."""
    if Role.PLAYER_POINTS not in layout.columns or OF_POINTS in answers.meant:
        return None
    for row in rows:
        first, second = (row.quiet(role) for role in layout.seats)
        try:
            side, _, kind = outcomes.of(row, (first, second), Kind.PLAYED)
        except Wrong:
            continue
        try:
            outcomes.points(row, side, kind)
        except Wrong as wrong:
            if wrong.role is Role.PLAYER_POINTS:
                title = shortened(layout.title(wrong.role))
                return Question(
                    about=About.MEANING,
                    key=OF_POINTS,
                    text=f"“{title}” doesn't fit who won in {row.place}. Whose points are these?",
                    choices=(
                        Choice(value="table", label="Points in the table: leave them out"),
                        Choice(value="match", label="Points of the match: I'll fix that row"),
                    ),
                )
    return None


def _about(index: int, rows: Sequence[Row], layout: Layout, outcomes: Outcomes) -> Question | None:
    beside = replace(layout, columns={**layout.columns, Role.WINNER: index})
    try:
        results = Results([row.cells for row in rows], beside, Role.WINNER, Answers())
    except InvalidFile:
        return None
    if results.question is not None:
        return None
    cells = [row.cells[index] for row in rows if index < len(row.cells) and row.cells[index] != ""]
    if all(isinstance(cell, str) and amount_of(cell) is not None for cell in cells):
        return None  # boards, ratings, seeds
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
