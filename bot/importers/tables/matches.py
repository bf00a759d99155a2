"""Read the rows of a table of matches; every problem names its row and column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bot.importers.cells import Cell, Ending, Side, shortened
from bot.importers.found import About, Choice, FoundBye, FoundMatch, Question
from bot.importers.gathering import UNPLAYED, Gathering
from bot.importers.tables.columns import Layout
from bot.importers.tables.dates import ambiguous, date_of, day_first
from bot.importers.tables.doubts.beside_scores import points_beside, winners_beside
from bot.importers.tables.doubts.byes import about_bye, is_bye
from bot.importers.tables.doubts.unplayed import Unplayed
from bot.importers.tables.headings import Role, heading_alone
from bot.importers.tables.outcomes import Outcomes
from bot.importers.tables.rounds import is_late, stage_of
from bot.importers.tables.row import Row, Wrong
from bot.importers.tables.seasons import Seasons
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile
from bot.league.season.in_words import amount
from bot.league.season.model import Kind

_MOST_NAMED = 5
"""Rows that are named in a note."""
_WITH_MORE = re.compile(
    r"(?:season|saison|temporada|stagione|seizoen|round|week|runde|woche|spieltag|match ?day|journée|ronde) ?\d{1,6}\b",
    re.IGNORECASE,
)
"""How a heading begins: more behind it may be a part of it, or a row of another kind."""
_SHORTEST = 5
"""Letters a round without a number has at least, where more stands behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A match or a bye of a row, and the round it says it is in; `columns` are where its opponent and winner stand."""

    row: Row
    season: object
    stage: str
    pairing: FoundMatch | FoundBye
    columns: tuple[str, str]


class Matches:
    """Reads the rows of a table of matches."""

    def __init__(self, table: Table, layout: Layout, gathering: Gathering) -> None:
        self.table, self.told, self.gathering = table, layout, gathering
        self.begins_with_day = True
        self.rows = [Row(table, layout, index) for index in range(layout.head + 1, len(table.rows))]
        self.seasons = Seasons(table, layout, self.rows, gathering)
        self.outcomes = Outcomes(self.rows, layout, gathering.answers)
        self.unplayed = Unplayed(self.rows, layout, self.outcomes, gathering.answers)
        self._columns = (layout.title(layout.seats[1]), layout.title(Role.WINNER))
        self._out = list[str]()
        self._headed = False

    def read(self) -> Sequence[Read]:
        """Return what the rows have, or ask the first question there is."""
        asked = next(filter(None, self._questions()), None)
        if asked is not None:
            self.gathering.questions.append(asked)
            return ()
        entries = list(self._all())
        self._tell()
        return entries

    def _questions(self) -> Iterator[Question | None]:
        yield from self.outcomes.questions()
        for asked_beside in (winners_beside, points_beside):
            yield asked_beside(self.rows, self.told, self.outcomes, self.gathering.answers)
        yield self._about_dates()
        yield self.seasons.question
        yield self._about_byes()
        yield self.unplayed.question

    def _tell(self) -> None:
        if self.outcomes.noticed:
            self.gathering.note("The higher score always comes first here, so scores are read winner first.")
        if self.outcomes.scores.forced:
            self.gathering.note("Scores are read as points: they're too large to be games.")
        if self.outcomes.halves:
            self.gathering.note("Half points, such as 1.5-0.5, say who won. They don't come in as games.")
        if self._out:
            rows = ", ".join(self._out[:_MOST_NAMED])
            more = f" and {len(self._out) - _MOST_NAMED} more" if len(self._out) > _MOST_NAMED else ""
            count = amount(len(self._out), "row has no match and stays out", "rows have no match and stay out")
            self.gathering.note(f"{count}: {rows}{more}.")

    def _all(self) -> Iterator[Read]:
        """Return what all rows have; a row with a round or a season alone is the heading of those below it."""
        head = self.table.rows[self.told.head] if self.told.head >= 0 else None
        stage = self.table.stage
        for index in range(self.told.head):
            stage = self._begins(Row(self.table, self.told, index).alone) or stage
        for row in self.rows:
            if row.cells == head:
                continue
            self.gathering.rows += 1
            try:
                heading = self._heading(row)
                stage = stage if heading is None else heading
                read = self._row(row, stage) if heading is None else None
            except Wrong as wrong:
                self.gathering.wrong(row.where, self.told.title(wrong.role), wrong.text)
            else:
                if read is not None:
                    yield read

    def _heading(self, row: Row) -> str | None:
        """Return the round a row is the heading of, nothing for a season's; None for any other row."""
        alone = row.alone
        begun = self._begins(alone)
        if alone is None or begun is not None:
            return begun
        if (more := _WITH_MORE.match(alone)) is not None:
            text = f"“{shortened(alone)}” looks like a heading. Leave only {more[0]} in that row, or delete it."
            raise Wrong(Role.ROUND, text)
        if self._headed and row.cell(self.told.seats[0]) != alone:
            raise Wrong(Role.ROUND, f"“{shortened(alone)}” isn't a round. Write its number, or Semi-final.")
        return None

    def _begins(self, alone: str | None) -> str | None:
        """Return the round that a text alone in its row begins, nothing for a season; None for any other text."""
        if alone is None:
            return None
        begun = heading_alone(alone)
        short = begun.isalpha() and len(begun) < _SHORTEST  # F: forfeit
        for text in (alone, alone if short else begun):
            if any(map(str.isalpha, text)) and stage_of(text) is not None:
                self._headed = True
                return text
        return "" if self.seasons.begin(alone) else None

    def _row(self, row: Row, heading: str) -> Read | None:
        first_role, second_role = self.told.seats
        first, second = row.text(first_role), row.text(second_role)
        nothing = self.outcomes.says_nothing(row)
        if not first and not second and nothing:
            if not row.text(Role.CHAMPION) or self.seasons.champion(self.seasons.of(row), row) is None:
                self._out.append(row.place)
            return None
        season = self.seasons.of(row)
        self.seasons.champion(season, row)
        how = self.outcomes.how(row)
        meaning = self.unplayed.meaning(row)
        if how is Ending.UNPLAYED or meaning == "unplayed":
            self.gathering.left_out[UNPLAYED] += 1
            return None
        byes = [self._is_bye(first), self._is_bye(second)]
        bye = how is Ending.BYE or any(byes)
        if not first and not bye:
            raise Wrong(first_role, "empty. Write the player's name.")
        if not second and not bye:
            if nothing and how is Kind.PLAYED:
                self._out.append(f"{row.place} ({shortened(first)})")
                return None
            raise Wrong(second_role, "empty. Write the opponent's name, or bye.")
        stage = self._stage(row, heading)
        if bye:
            return self._bye(row, season, stage, how, byes)
        drawn = (Side.NOBODY, None, Kind.PLAYED)
        # What a winner's cell says is compared with the names as they are in the file.
        winner, score, kind = drawn if meaning == "draw" else self.outcomes.of(row, (first, second), how)
        players = (self.gathering.name(first), self.gathering.name(second))
        games, points = self.outcomes.scores.split(score)
        match = FoundMatch(
            where=row.where,
            players=players,
            winner=None if winner is Side.NOBODY else players[winner.value],
            kind=kind,
            games=games,
            score=self.outcomes.points(row, winner, kind) or points,
            day=self._date(row),
        )
        return Read(row=row, season=season, stage=stage, pairing=match, columns=self._columns)

    def _is_bye(self, name: str) -> bool:
        return is_bye(name, self.gathering.answers.meant)

    def _bye(self, row: Row, season: object, stage: str, how: Kind | Ending, byes: Sequence[bool]) -> Read | None:
        """Return the bye of a row; nobody has one where the file says that the bye won, or has two of them."""
        texts = (row.text(self.told.seats[0]), row.text(self.told.seats[1]))
        names = [text for text, bye in zip(texts, byes, strict=True) if text and not bye]
        if len(names) == 2:
            raise Wrong(Role.HOW, f"says bye, but there is an opponent, {shortened(names[1])}. Fix one of them.")
        if not names:
            self._out.append(row.place)
            return None
        lost = (Side.OPPONENT, Side.PLAYER)[texts.index(names[0])]
        if self._winner_of_bye(row, texts, how) is lost:
            self._out.append(f"{row.place} ({shortened(names[0])})")
            return None
        name = self.gathering.name(names[0])
        bye = FoundBye(where=row.where, name=name)
        return Read(row=row, season=season, stage=stage, pairing=bye, columns=self._columns)

    def _winner_of_bye(self, row: Row, texts: tuple[str, str], how: Kind | Ending) -> Side | None:
        try:
            return self.outcomes.of(row, texts, how)[0]
        except Wrong:
            return None

    def _about_byes(self) -> Question | None:
        meant = self.gathering.answers.meant
        named = ((row.quiet(role), row.place) for row in self.rows for role in self.told.seats if row.alone is None)
        return next((asked for name, place in named if (asked := about_bye(name, place, meant)) is not None), None)

    def _stage(self, row: Row, heading: str) -> str:
        text, part = row.text(Role.ROUND), row.text(Role.STAGE) or self.table.part
        if text:
            stage = stage_of(text)
            if stage is None:
                raise Wrong(Role.ROUND, f"“{shortened(text)}” isn't a round. Write its number, or Semi-final.")
            return f"playoff {stage.number}" if stage.number is not None and is_late(part) else text
        if stage_of(part) is not None:
            return part
        if Role.ROUND in self.told.columns and not heading:
            raise Wrong(Role.ROUND, "empty. Write its number, for example 2, or Semi-final.")
        return heading

    def _date(self, row: Row) -> date | None:
        cell: Cell = row.cell(Role.DATE)
        if cell == "":
            return None
        day = date_of(cell, begins_with_day=self.begins_with_day)
        if day is None:
            raise Wrong(Role.DATE, f"“{shortened(str(cell))}” is no date. Write it like 2024-04-03.")
        return day

    def _about_dates(self) -> Question | None:
        """Ask for the order of day and month where the dates don't tell."""
        cells = [row.cell(Role.DATE) for row in self.rows]
        texts = [cell for cell in cells if isinstance(cell, str) and cell]
        day, month = day_first(texts)
        answer = self.gathering.answers.day_first
        self.begins_with_day = day or not month
        if day and month and answer is None:
            raise InvalidFile(
                "some dates begin with the day, others with the month. Write them like 2024-04-03.",
                place=self.told.title(Role.DATE),
            )
        if day == month and answer is not None:
            self.begins_with_day = answer
        elif not day and not month and (unclear := next((text for text in texts if ambiguous(text)), None)) is not None:
            return Question(
                about=About.DATES,
                key="dates",
                text=f"Do dates like {shortened(unclear)} begin with the day or with the month?",
                choices=(Choice(value="day", label="With the day"), Choice(value="month", label="With the month")),
            )
        return None
