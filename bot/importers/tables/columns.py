"""Which column of a table is what: by the words at its top, in any order, and asked for where they don't say."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import permutations

from bot.importers.cells import Cell, amount_of, how_of, score_of, shortened, words
from bot.importers.found import NO_COLUMN, TWO_COLUMNS, About, Answers, Choice, Question
from bot.importers.tables.dates import date_of
from bot.importers.tables.headings import Role, candidates, is_strict, plain, recognised
from bot.importers.tables.rounds import is_late, stage_of
from bot.league.errors import InvalidFile

_LOOKED_AT = 12
"""Rows in which the head is looked for: titles and blank rows may stand above it."""
_SAMPLED = 400
"""Rows that tell what is in a column."""

_OF_PEOPLE = {Role.DISCORD, Role.IN_GAME, Role.SEED}
"""What tells a list of people, who come in by their names alone."""
_UNUSED = {Role.IN_GAME, Role.SEED}
_NOT_ALONE = {
    Role.SCORE: (Role.PLAYER_SCORE, Role.OPPONENT_SCORE),
    Role.POINTS: (Role.PLAYER_POINTS, Role.OPPONENT_POINTS),
}
_GAMES = {"games", "game score", "sets", "spiele"}
_MAY_BE_EMPTY = {Role.SEASON, Role.NUMBER, Role.YEAR, Role.ROUND}
"""Columns that count as missing where no row has anything in them."""
_RESULTS = {Role.WINNER, Role.LOSER, Role.SCORE, Role.PLAYER_SCORE, Role.HOW}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the head of a table is (-1 for none) and which column has which role; `chosen` are those someone named."""

    head: int
    titles: tuple[str, ...]
    columns: Mapping[Role, int]
    chosen: frozenset[Role] = frozenset()

    @property
    def seats(self) -> tuple[Role, Role]:
        """Whose names stand in a row: a player's and an opponent's, or a winner's and a loser's."""
        return (Role.PLAYER, Role.OPPONENT) if Role.OPPONENT in self.columns else (Role.WINNER, Role.LOSER)

    @property
    def has_matches(self) -> bool:
        """Whether a row is a match, not a person."""
        return bool({Role.OPPONENT, Role.LOSER} & self.columns.keys())

    def title(self, role: Role) -> str:
        """Return how people find the column of a role."""
        index = self.columns.get(role, -1)
        return self.titles[index] if index >= 0 else str(role)

    def unused(self, rows: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
        """Return the titles of columns from which nothing is taken."""
        used = {index for role, index in self.columns.items() if role not in _UNUSED}
        top = rows[self.head] if self.head >= 0 else ()
        return tuple(self.titles[at] for at, cell in enumerate(top) if at not in used and str(cell).strip())


def letter(index: int) -> str:
    """Return a column's letters, as spreadsheets show them."""
    text, index = "", index + 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def layout(rows: Sequence[Sequence[Cell]], answers: Answers) -> Layout | Question:
    """Return where everything is, or the question about the first column nobody could tell."""
    head, titles = _head(rows), titles_of(rows)
    named = candidates(rows[head]) if head >= 0 else {}
    choice = _Columns(rows, head, titles, named)
    choice.choose(answers)
    choice.settle(answers)
    columns, chosen = choice.columns, frozenset(choice.chosen)
    laid_out = Layout(head=head, titles=titles, columns=columns, chosen=chosen)
    missing = _missing(laid_out, answers, rows)
    return laid_out if missing is None else _question(missing, laid_out, rows)


def titles_of(rows: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
    """Return what the columns of a table are called."""
    head = _head(rows)
    return _titles(rows[head] if head >= 0 else (), max(map(len, rows[:_SAMPLED]), default=0))


def _head(rows: Sequence[Sequence[Cell]]) -> int:
    head, most = -1, 0
    for index, row in enumerate(rows[:_LOOKED_AT]):
        named = len(recognised(row))
        if named > most:
            head, most = index, named
        if named > 1:
            break  # a player may well be called P1, but not here
    return 0 if head < 0 and rows and _looks_like_head(rows) else head


def _looks_like_head(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether nothing in the first row comes again below it: names of players would."""
    first = {words(cell) for cell in rows[0] if isinstance(cell, str) and cell.strip()}
    below = {words(cell) for row in rows[1:] for cell in row if isinstance(cell, str)}
    return bool(first) and not first & below and len(rows) > 1


def _titles(top: Sequence[Cell], width: int) -> tuple[str, ...]:
    """Return a title of its own for each column."""
    texts = [shortened(str(top[index])) if index < len(top) else "" for index in range(width)]
    often = Counter(words(text) for text in texts)
    return tuple(
        f"column {letter(index)}"
        if not words(text)
        else f"{text} (column {letter(index)})"
        if often[words(text)] > 1
        else text
        for index, text in enumerate(texts)
    )


class _Columns:
    """Finds the columns of the roles, by their headings, by what is in them, and by what someone answered."""

    def __init__(
        self, rows: Sequence[Sequence[Cell]], head: int, titles: tuple[str, ...], named: dict[Role, list[int]]
    ) -> None:
        self.rows, self.head, self.titles, self.named = rows, head, titles, named
        self.headings = [plain(str(cell)) for cell in rows[head]] if head >= 0 else []
        self.chosen = set[Role]()
        self.columns = {
            role: index for role, listed in named.items() if (index := self._best(role, listed)) is not None
        }

    def _best(self, role: Role, listed: Sequence[int]) -> int | None:
        """Return the first column whose cells are what its heading says; a word with one meaning is enough."""
        if role in _MAY_BE_EMPTY:
            listed = [index for index in listed if self._is_used(index)]
        headings = _KNOWN.get(role)
        if headings is None:
            return next(iter(listed), None)
        for index in listed:
            if is_strict(role, self.headings[index]):
                return index
            cells = self._cells(index)
            if 2 * sum(headings(cell) for cell in cells) >= len(cells):
                return index
        return None

    def _is_used(self, index: int) -> bool:
        return any(index < len(row) and row[index] != "" for row in self.rows[self.head + 1 :])

    def _cells(self, index: int) -> list[Cell]:
        rows = self.rows[self.head + 1 : self.head + 1 + _SAMPLED]
        return [row[index] for row in rows if index < len(row) and row[index] != "" and not _is_heading(row)]

    def choose(self, answers: Answers) -> None:
        """Take what was answered."""
        for key, title in answers.columns.items():
            role = Role(key)
            index = self._index(title)
            if index is None and title not in (NO_COLUMN, TWO_COLUMNS):
                continue  # another sheet has it
            self.columns = {other: old for other, old in self.columns.items() if old != index and other is not role}
            self.chosen.add(role)
            if index is not None:
                self.columns[self._by_content(role, index)] = index
        meaning = answers.meant.get("numbers", "")
        column = next((role for role in (Role.WINNER, Role.SCORE) if role in self.columns), None)
        if meaning.startswith("games") and column is not None and column not in answers.columns.keys() - {column}:
            role = Role.PLAYER_SCORE if meaning == "games" else Role.OPPONENT_SCORE
            self.columns.setdefault(role, self.columns[column])
            del self.columns[column]
            self.chosen.add(role)

    def _by_content(self, role: Role, index: int) -> Role:
        """Return what a column is that was named as the winner's: scores say who won as well."""
        cells = self._cells(index)
        scores = sum(isinstance(cell, str) and score_of(cell) is not None for cell in cells)
        return Role.SCORE if role is Role.WINNER and cells and 2 * scores >= len(cells) else role

    def _index(self, title: str) -> int | None:
        if title in self.titles:
            return self.titles.index(title)
        asked = plain(title)
        alike = [index for index, heading in enumerate(self.headings) if heading == asked and asked]
        letters = [index for index in range(len(self.titles)) if f"column {letter(index)}".casefold() == asked]
        return (alike or letters or [None])[0]

    def settle(self, answers: Answers) -> None:
        """Decide what several columns mean together."""
        self._games_and_score()
        self._beside()
        self._no_two_alike()
        if (
            Role.NUMBER not in self.chosen
            and self._heading(Role.NUMBER) == "number"
            and Role.SEASON not in self.columns
        ):
            del self.columns[Role.NUMBER]  # alone, a number may be that of a row
        if {Role.WINNER, Role.LOSER} <= self.columns.keys():
            if all(amount_of(str(cell)) is not None for cell in self._cells(self.columns[Role.WINNER])) and all(
                amount_of(str(cell)) is not None for cell in self._cells(self.columns[Role.LOSER])
            ):
                for role in {Role.WINNER, Role.LOSER} - self.chosen:  # how often each won and lost
                    del self.columns[role]
            elif Role.OPPONENT not in self.columns:
                self.columns.pop(Role.PLAYER, None)
        self._points(answers)
        for pair in _NOT_ALONE.values():
            present = [role for role in pair if role in self.columns]
            if len(present) == 1 and present[0] not in self.chosen:
                del self.columns[present[0]]

    def _heading(self, role: Role) -> str:
        index = self.columns.get(role, -1)
        return self.headings[index] if 0 <= index < len(self.headings) else ""

    def _games_and_score(self) -> None:
        """Take a score beside a column of games as the points of a match, as our own exports have both."""
        listed = self.named.get(Role.SCORE, [])
        games = [index for index in listed if self.headings[index] in _GAMES]
        others = [index for index in listed if index not in games]
        if games and others and Role.POINTS not in self.columns and Role.SCORE not in self.chosen:
            self.columns |= {Role.SCORE: games[0], Role.POINTS: others[0]}

    def _beside(self) -> None:
        """Take two columns called Score, one beside each name, as the scores of the two."""
        for role, pair in _NOT_ALONE.items():
            alike = [at for at, heading in enumerate(self.headings) if heading and heading == self._heading(role)]
            seats = [
                (self.columns[first], self.columns[second])
                for first, second in ((Role.PLAYER, Role.OPPONENT), (Role.WINNER, Role.LOSER))
                if {first, second} <= self.columns.keys()
            ]
            if len(alike) == 2 and seats and role not in self.chosen:
                del self.columns[role]
                ordered = alike if seats[0][0] < seats[0][1] else alike[::-1]
                self.columns |= dict(zip(pair, ordered, strict=True))

    def _no_two_alike(self) -> None:
        paired = {self.columns.get(role) for pair in _NOT_ALONE.values() for role in pair}
        for role, index in self.columns.items():
            heading = self.headings[index] if index < len(self.headings) else ""
            same = self.headings.count(heading)
            if heading and same > 1 and index not in paired and role not in self.chosen:
                title = shortened(str(self.rows[self.head][index]))
                raise InvalidFile(f"{same} columns are called “{title}”. Rename those that aren't meant.")

    def _points(self, answers: Answers) -> None:
        """Take points as the score where nothing else is one; where they aren't points of one match, they stay out."""
        if Role.POINTS in self.columns and Role.POINTS not in self.chosen:
            index = self.columns.pop(Role.POINTS)
            cells = self._cells(index)
            if cells and 2 * sum(score_of(str(cell)) is not None for cell in cells) >= len(cells):
                counted = {Role.SCORE, Role.PLAYER_SCORE} & self.columns.keys()
                self.columns[Role.POINTS if counted or Role.SCORE in answers.columns else Role.SCORE] = index
        pair = {Role.PLAYER_POINTS: Role.PLAYER_SCORE, Role.OPPONENT_POINTS: Role.OPPONENT_SCORE}
        if pair.keys() <= self.columns.keys() and not {Role.SCORE, *pair.values()} & self.columns.keys():
            for points, games in pair.items():
                self.columns[games] = self.columns.pop(points)


def _is_heading(row: Sequence[Cell]) -> bool:
    return sum(cell != "" for cell in row) == 1


def _is_round(cell: Cell) -> bool:
    return isinstance(cell, str) and stage_of(cell) is not None


def _is_date(cell: Cell) -> bool:
    return any(date_of(cell, begins_with_day=day) is not None for day in (True, False))


def _is_stage(cell: Cell) -> bool:
    return isinstance(cell, str) and (is_late(cell) or _is_round(cell) or words(cell) in _EARLY)


_EARLY = {"swiss", "regular", "regular season", "group", "groups", "group stage", "vorrunde", "hauptrunde", "season"}
_KNOWN: dict[Role, Callable[[Cell], bool]] = {
    Role.HOW: lambda cell: isinstance(cell, str) and how_of(cell) is not None,
    Role.DATE: _is_date,
    Role.ROUND: _is_round,
    Role.STAGE: _is_stage,
}
"""What cells of these columns look like: a column in which hardly any does is another kind of column."""


def _missing(layout: Layout, answers: Answers, rows: Sequence[Sequence[Cell]]) -> Role | None:
    columns = layout.columns
    if {Role.WINNER, Role.LOSER} <= columns.keys() and Role.OPPONENT not in columns:
        return _missing_pair(columns, answers) or _missing_score(layout, answers, rows)
    if Role.PLAYER not in columns:
        return Role.PLAYER
    if Role.OPPONENT not in columns:
        people = _OF_PEOPLE & columns.keys() or not _RESULTS & columns.keys()
        named = Role.PLAYER.value not in answers.columns
        sure = named and people and not {Role.ROUND, Role.WINNER, Role.LOSER} & columns.keys()
        return None if sure or answers.columns.get(Role.OPPONENT) == NO_COLUMN else Role.OPPONENT
    pair = _missing_pair(columns, answers)
    if pair is not None:
        return pair
    if not {Role.WINNER, Role.LOSER, Role.SCORE, Role.PLAYER_SCORE} & columns.keys():
        return Role.WINNER
    return _missing_score(layout, answers, rows)


def _missing_pair(columns: Mapping[Role, int], answers: Answers) -> Role | None:
    """Return whose games are missing, where those of one are known or someone said that two columns have them."""
    pair = _NOT_ALONE[Role.SCORE]
    present = [role for role in pair if role in columns]
    if len(present) == 1 or TWO_COLUMNS in (answers.columns.get(Role.WINNER), answers.columns.get(Role.SCORE)):
        return next((role for role in pair if role not in columns), None)
    return None


def _missing_score(layout: Layout, answers: Answers, rows: Sequence[Sequence[Cell]]) -> Role | None:
    """Return that the score is missing where the winner is named and other columns look like scores."""
    if {Role.SCORE, Role.PLAYER_SCORE, Role.POINTS} & layout.columns.keys() or Role.SCORE in answers.columns:
        return None
    body = rows[layout.head + 1 : layout.head + 1 + _SAMPLED]
    free = [index for index in range(len(layout.titles)) if index not in layout.columns.values()]
    for index in free:
        cells = [row[index] for row in body if index < len(row) and row[index] != "" and not _is_heading(row)]
        scores = sum(isinstance(cell, str) and score_of(cell) is not None for cell in cells)
        if (
            cells
            and 2 * scores >= len(cells)
            and plain(layout.titles[index]) not in ("time", "zeit", "uhrzeit", "heure")
        ):
            return Role.SCORE
    pairs = permutations(free[:12], 2)
    return Role.SCORE if any(_decide(layout, body, first, other) for first, other in pairs) else None


def _decide(layout: Layout, body: Sequence[Sequence[Cell]], column: int, other: int) -> bool:
    """Whether two columns of small numbers fit the winner in each row, and differ in some."""
    first, second = (layout.columns.get(role, -1) for role in layout.seats)
    winner = layout.columns.get(Role.WINNER, -1)
    decided = 0
    for row in body:
        if max(column, other, first, second, winner) >= len(row):
            continue
        if row[column] == row[other] == "":
            continue
        numbers = [amount_of(str(row[index])) for index in (column, other)]
        if None in numbers or any(number is not None and number > 999 for number in numbers):
            return False
        left, right = (number or 0.0 for number in numbers)
        won = words(str(row[winner])) if winner >= 0 else ""
        names = (words(str(row[first])), words(str(row[second])))
        if left != right and won in names and (won == names[0]) != (left > right):
            return False
        decided += (left != right) == (won in names)
    return decided > 0


def _question(role: Role, layout: Layout, rows: Sequence[Sequence[Cell]]) -> Question:
    first, second = (layout.title(seat) for seat in layout.seats)
    texts = {
        Role.PLAYER: "Which column is the player?",
        Role.OPPONENT: "Which column is the opponent?",
        Role.WINNER: "Which column says who won, by name or by score?",
        Role.SCORE: "Which column has the score?",
        Role.PLAYER_SCORE: f"Which column has the games that “{first}” won?",
        Role.OPPONENT_SCORE: f"Which column has the games that “{second}” won?",
    }
    samples = rows[layout.head + 1 : layout.head + 4]
    filled = {
        index for row in rows[layout.head + 1 : layout.head + 1 + _SAMPLED] for index, cell in enumerate(row) if cell
    }
    choices = [
        Choice(value=title, label=_labelled(title, index, samples))
        for index, title in enumerate(layout.titles)
        if index in filled and index not in layout.columns.values()
    ]
    if not choices and role is not Role.OPPONENT:
        raise InvalidFile(f"{texts[role]} None is left. One row is one match: season, round, player, opponent, winner.")
    if role in (Role.WINNER, Role.SCORE) and len(choices) > 1:
        choices.append(Choice(value=TWO_COLUMNS, label="Two columns: games of the first and of the second"))
    if role is Role.OPPONENT:
        choices.append(Choice(value=NO_COLUMN, label="None: it's a list of people"))
    if role is Role.SCORE:
        choices.append(Choice(value=NO_COLUMN, label="None"))
    return Question(about=About.COLUMN, key=role.value, text=texts[role], choices=tuple(choices))


def _labelled(title: str, index: int, samples: Sequence[Sequence[Cell]]) -> str:
    shown = [
        shortened(cell.isoformat() if isinstance(cell, date) else cell)
        for row in samples
        if index < len(row) and (cell := row[index]) != ""
    ]
    return f"{title}: {', '.join(shown)}"[:100] if shown else title
