"""Read a table, one row a match or one row a person; every problem names its row and column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bot.league.errors import InvalidFile
from bot.league.season.in_words import amount
from bot.league.season.model import Kind
from bot.league.season.names import written_key
from bot.moving_in.cells import (
    Cell,
    Ending,
    Side,
    ambiguous,
    date_of,
    day_first,
    how_of,
    number_in,
    says_bye,
    says_draw,
    score_of,
    shortened,
    side_of,
    unreadable,
)
from bot.moving_in.columns import Layout, Role, layout
from bot.moving_in.found import About, Choice, FoundBye, FoundMatch, Question
from bot.moving_in.gathering import LATEST_ROUND, LATEST_SEASON, Gathering, require_few, result_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a text or of one sheet; `numbers` are those a person sees beside them."""

    title: str
    rows: Sequence[Sequence[Cell]]
    numbers: Sequence[int]
    sheet: str = ""

    def where(self, index: int) -> str:
        """Return how people find a row."""
        return f"{self.sheet}, row {self.numbers[index]}" if self.sheet else f"Row {self.numbers[index]}"


def read_table(table: Table, gathering: Gathering) -> None:
    """Read one table; what it doesn't say becomes a question."""
    told = layout(table.rows, gathering.answers)
    if isinstance(told, Question):
        gathering.questions.append(told)
        return
    if len(table.rows) == told.head + 1:
        raise InvalidFile("has a head but no rows below it. Add one row for each match.")
    unused = told.unused(table.rows)
    if unused:
        gathering.note(f"Not used: {amount(len(unused), 'column')}, {', '.join(unused)}.")
    if Role.OPPONENT in told.columns or Role.LOSER in told.columns:
        require_few(len(table.rows) - told.head - 1)
        _Matches(table, told, gathering).read()
    else:
        _read_people(table, told, gathering)


def _read_people(table: Table, told: Layout, gathering: Gathering) -> None:
    seen: dict[str, str] = {}
    require_few(len(table.rows))
    for index in range(told.head + 1, len(table.rows)):
        row, where = table.rows[index], table.where(index)
        fault = unreadable(_cell(row, told, Role.PLAYER))
        text = str(_cell(row, told, Role.PLAYER)).strip()
        if fault or not text:
            gathering.wrong(where, told.title(Role.PLAYER), fault or "empty. Write the person's name.")
            continue
        gathering.rows += 1
        name = gathering.name(text)
        if name in seen:
            before = seen[name][:1].lower() + seen[name][1:]
            gathering.wrong(where, told.title(Role.PLAYER), f"{name} is in {before} already. Delete one of them.")
            continue
        seen[name] = where
        gathering.person(name)


def _cell(row: Sequence[Cell], told: Layout, role: Role) -> Cell:
    index = told.columns.get(role, -1)
    return row[index] if 0 <= index < len(row) else ""


class _Wrong(Exception):
    """A cell that can't be read."""

    def __init__(self, role: Role, text: str) -> None:
        super().__init__(text)
        self.role, self.text = role, text


class _Matches:
    """Reads the rows of a table of matches."""

    def __init__(self, table: Table, told: Layout, gathering: Gathering) -> None:
        self.table, self.told, self.gathering = table, told, gathering
        self.first_is = Role.PLAYER if Role.OPPONENT in told.columns else Role.WINNER
        self.second_is = Role.OPPONENT if Role.OPPONENT in told.columns else Role.LOSER
        self.begins_with_day = True
        self.winner_first = False

    def read(self) -> None:
        """Read all rows."""
        if not self._dates_known():
            return
        self.winner_first = self._scores_name_the_winner_first()
        if self.winner_first:
            self.gathering.note("The higher score always comes first here, so scores are read winner first.")
        for index in range(self.told.head + 1, len(self.table.rows)):
            self.gathering.rows += 1
            where, row = self.table.where(index), self.table.rows[index]
            try:
                self._row(where, row)
            except _Wrong as wrong:
                self.gathering.wrong(where, self.told.title(wrong.role), wrong.text)

    def _rows(self) -> Iterator[Sequence[Cell]]:
        return iter(self.table.rows[self.told.head + 1 :])

    def _dates_known(self) -> bool:
        if Role.DATE not in self.told.columns:
            return True
        cells = (_cell(row, self.told, Role.DATE) for row in self._rows())
        texts = [cell for cell in cells if isinstance(cell, str) and cell]
        day, month = day_first(texts)
        self.begins_with_day = day or not month
        if day == month and self.gathering.answers.day_first is not None:
            self.begins_with_day = self.gathering.answers.day_first
        elif day and month:
            column = self.told.title(Role.DATE)
            raise InvalidFile(
                "some dates begin with the day, others with the month. Write them like 2024-04-03.", place=column
            )
        elif not day and not month:
            unclear = next((text for text in texts if ambiguous(text)), None)
            if unclear is not None:
                self.gathering.questions.append(_about_dates(unclear))
                return False
        return True

    def _scores_name_the_winner_first(self) -> bool:
        if Role.WINNER not in self.told.columns or Role.SCORE not in self.told.columns or self.second_is is Role.LOSER:
            return self.second_is is Role.LOSER
        second_won = False
        for row in self._rows():
            score = score_of(self._text(row, Role.SCORE, quiet=True))
            if score is None:
                continue
            if score[0] < score[1]:
                return False
            winner, second = self._text(row, Role.WINNER, quiet=True), self._text(row, Role.OPPONENT, quiet=True)
            second_won = second_won or (score[0] > score[1] and written_key(winner) == written_key(second))
        return second_won

    def _text(self, row: Sequence[Cell], role: Role, *, quiet: bool = False) -> str:
        cell = _cell(row, self.told, role)
        fault = None if quiet else unreadable(cell)
        if fault is not None:
            raise _Wrong(role, fault)
        return cell.isoformat() if isinstance(cell, date) else cell.strip()

    def _row(self, where: str, row: Sequence[Cell]) -> None:
        season = self._season(row)
        how = self._how(row)
        first, second = self._text(row, self.first_is), self._text(row, self.second_is)
        if how is Ending.UNPLAYED:
            self.gathering.left_out["had no result and stayed out."] += 1
            return
        if not first:
            raise _Wrong(self.first_is, "empty. Write the player's name.")
        number = self._round(row)
        if how is Ending.BYE or says_bye(second):
            if second and not says_bye(second):
                raise _Wrong(Role.HOW, f"says bye, but there is an opponent, {shortened(second)}. Fix one of them.")
            self.gathering.bye(season, FoundBye(where=where, name=self.gathering.name(first), round=number))
            return
        if not second:
            raise _Wrong(self.second_is, "empty. Write the opponent's name, or bye.")
        players = (self.gathering.name(first), self.gathering.name(second))
        # What a winner's cell says is compared with the names as they are in the file.
        winner, score, kind = self._result(row, (first, second), how)
        self.gathering.match(
            season,
            FoundMatch(
                where=where,
                players=players,
                winner=None if winner is Side.NOBODY else players[winner.value],
                kind=kind,
                games=score,
                round=number,
                day=self._date(row),
            ),
            columns=(self.told.title(self.second_is), self.told.title(Role.WINNER)),
            typed=True,
        )

    def _season(self, row: Sequence[Cell]) -> object:
        title, stated = self._text(row, Role.SEASON), self._text(row, Role.NUMBER)
        number = None
        if Role.NUMBER in self.told.columns:
            number = number_in(stated, LATEST_SEASON)
            if number is None:
                said = f"“{shortened(stated)}” is no season number" if stated else "empty"
                raise _Wrong(Role.NUMBER, f"{said}. Give a number, for example 3.")
        elif Role.SEASON in self.told.columns:
            if not title:
                raise _Wrong(Role.SEASON, "empty. Give a number, for example 3.")
            # 2024 is rather a year than a number.
            bare = title.casefold().removeprefix("season").removeprefix("s").strip(" #.-")
            number = int(bare) if bare.isdecimal() and bare.isascii() and len(bare) <= 6 and int(bare) < 1900 else None
        key: object = ("number", number) if number is not None else ("title", written_key(title or self.table.title))
        self.gathering.season(key, title or self.table.title, number)
        return key

    def _round(self, row: Sequence[Cell]) -> int | None:
        text = self._text(row, Role.ROUND)
        if Role.ROUND not in self.told.columns:
            return None
        number = number_in(text, LATEST_ROUND)
        if number is None:
            said = f"“{shortened(text)}” isn't a round" if text else "empty"
            raise _Wrong(Role.ROUND, f"{said}. Give its number, for example 2; finals go on counting.")
        return number

    def _how(self, row: Sequence[Cell]) -> Kind | Ending:
        text = self._text(row, Role.HOW)
        how = how_of(text)
        if how is None:
            words = "played, forfeit, adjudicated, double loss, bye or draw"
            raise _Wrong(Role.HOW, f"“{shortened(text)}” isn't known. Write {words}.")
        return how

    def _date(self, row: Sequence[Cell]) -> date | None:
        cell = _cell(row, self.told, Role.DATE)
        if cell == "" or (isinstance(cell, str) and not cell.strip()):
            return None
        found = date_of(cell, begins_with_day=self.begins_with_day)
        if found is None:
            raise _Wrong(Role.DATE, f"“{shortened(str(cell))}” is no date. Write it like 2024-04-03.")
        return found

    def _score(self, row: Sequence[Cell]) -> tuple[int, int] | None:
        if {Role.PLAYER_SCORE, Role.OPPONENT_SCORE} <= self.told.columns.keys():
            parts = [(role, self._text(row, role)) for role in (Role.PLAYER_SCORE, Role.OPPONENT_SCORE)]
            if not any(text for _, text in parts):
                return None
            for role, text in parts:
                if number_in(text, 99_999) is None:
                    said = f"“{shortened(text)}” is no number" if text else "empty"
                    raise _Wrong(role, f"{said}. Write how many games they won, for example 2.")
            return score_of("-".join(text.removesuffix(".0") for _, text in parts))
        cell = _cell(row, self.told, Role.SCORE)
        if isinstance(cell, date):
            text = "the spreadsheet made a date of the score. Format the column as text and write 2-1 again."
            raise _Wrong(Role.SCORE, text)
        return score_of(self._text(row, Role.SCORE))

    def _result(
        self, row: Sequence[Cell], players: tuple[str, str], how: Kind | Ending
    ) -> tuple[Side, tuple[int, int] | None, Kind]:
        kind = how if isinstance(how, Kind) else Kind.PLAYED
        score, typed = self._score(row), self._text(row, Role.SCORE)
        said = self._side(row, players, Role.WINNER) if self.second_is is not Role.LOSER else Side.PLAYER
        if score is None and typed and Role.PLAYER_SCORE not in self.told.columns:
            # A column of results may as well hold a name, a word for won or lost, or how it ended.
            by_word = how_of(typed)
            if isinstance(by_word, Kind) and kind is Kind.PLAYED and not says_draw(typed):
                kind = by_word
            else:
                by_name = self._side(row, players, Role.SCORE)
                if said is not None and by_name is not None and said is not by_name:
                    self._contradicts(players, said, typed)
                said = said or by_name
        if score is not None and self.winner_first and said is Side.OPPONENT:
            score = (score[1], score[0])
        if score is not None and kind is not Kind.DOUBLE_LOSS:
            better = result_of(("player", "opponent"), score)
            by_score = Side.NOBODY if better is None else Side.PLAYER if better == "player" else Side.OPPONENT
            if said is None:
                said = by_score
            elif said is not by_score and not (kind is not Kind.PLAYED and by_score is Side.NOBODY):
                self._contradicts(players, said, f"{score[0]}-{score[1]}")
        if kind is Kind.DOUBLE_LOSS:
            if said in (Side.PLAYER, Side.OPPONENT):
                raise _Wrong(Role.HOW, "says that both lost, but there is a winner. Fix one of them.")
            return Side.NOBODY, score, kind
        if said is None and says_draw(self._text(row, Role.HOW)):
            said = Side.NOBODY
        if said is None:
            role = Role.WINNER if Role.WINNER in self.told.columns else Role.SCORE
            raise _Wrong(role, f"empty. Write {_either(players)}, or draw; an unplayed match has unplayed in how.")
        return said, score, kind

    def _side(self, row: Sequence[Cell], players: tuple[str, str], role: Role) -> Side | None:
        text = self._text(row, role)
        if not text:
            return None
        score = score_of(text) if role is Role.WINNER else None
        if score is not None:
            better = result_of(("a", "b"), score)
            return Side.NOBODY if better is None else Side.PLAYER if better == "a" else Side.OPPONENT
        side = side_of(text, players, names_winner=role is Role.WINNER)
        if side is None:
            raise _Wrong(role, f"“{shortened(text)}” didn't play. Write {_either(players)}.")
        return side

    def _contradicts(self, players: tuple[str, str], said: Side, other: str) -> None:
        winner = "a draw" if said is Side.NOBODY else shortened(players[said.value])
        raise _Wrong(Role.WINNER, f"says {winner}, but the score says {shortened(other)}. Fix one of them.")


def _either(players: tuple[str, str]) -> str:
    return f"{shortened(players[0])} or {shortened(players[1])}"


def _about_dates(text: str) -> Question:
    return Question(
        about=About.DATES,
        key="dates",
        text=f"Do dates like {shortened(text)} begin with the day or with the month?",
        choices=(Choice(value="day", label="With the day"), Choice(value="month", label="With the month")),
    )
