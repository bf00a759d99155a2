"""Who won, by what a cell of a result says: a name, a word, a letter or a number, which mean what the headings say."""

import re
from collections.abc import Mapping, Sequence

from bot.importers.cells import (
    Cell,
    Side,
    amount_of,
    forfeit_of,
    how_of,
    is_blank,
    says_bye,
    says_draw,
    score_and_word,
    score_of,
    shortened,
)
from bot.importers.found import About, Answers, Choice, Question
from bot.importers.tables.columns import Layout
from bot.importers.tables.headings import FRENCH, Role, family_of, marks_of, plain
from bot.league.errors import InvalidFile
from bot.league.season.names import written_key

_WON = frozenset(
    [
        "win",
        "won",
        "victory",
        "player",
        "player 1",
        "player a",
        "p1",
        "first",
        "sieg",
        "gewonnen",
        "victoire",
        "gagne",
        "victoria",
        "ganado",
        "vittoria",
        "vinto",
        "wins",
        "winner",
        "true",
        "yes",
        "ja",
        "oui",
        "si",
        "me",
        "i won",
        "i did",
        "ich",
        "ich habe gewonnen",
        "moi",
        "j ai gagne",
    ]
)
_LOST = frozenset(
    [
        "loss",
        "lost",
        "lose",
        "defeat",
        "opponent",
        "player 2",
        "player b",
        "p2",
        "second",
        "niederlage",
        "verloren",
        "defaite",
        "perdu",
        "derrota",
        "perdido",
        "sconfitta",
        "perso",
        "loses",
        "loser",
        "false",
        "no",
        "nein",
        "non",
        "my opponent",
        "i lost",
        "gegner",
        "mein gegner",
        "ich habe verloren",
        "adversaire",
        "mon adversaire",
        "j ai perdu",
    ]
)
_P, _O, _D = Side.PLAYER, Side.OPPONENT, Side.NOBODY
_LETTERS: tuple[Mapping[str, Side], ...] = (
    {"w": _P, "l": _O, "d": _D, "t": _D, "x": _D},
    {"s": _P, "n": _O, "u": _D, "x": _D},
    {"g": _P, "v": _O, "u": _D, "x": _D},
    {"v": _P, "d": _O, "n": _D, "x": _D},
    {"g": _P, "p": _O, "e": _D, "x": _D},
    {"v": _P, "p": _O, "n": _D, "x": _D},
)
"""Letters for won, lost and drawn: English, German (two ways), French, Spanish, Italian."""
_FRENCH = _LETTERS[3]
_OF_DRAWS = "dtxur="
_MOST_ASKED = 4
_WINS = re.compile(
    r"(.+?)(?: wins?| won| hat gewonnen| gewinnt| gewann| siegt|-? ?sieg| a gagné| gagne)", re.IGNORECASE
)
"""What is said of the winner: Ann won, Heimsieg."""
_SIGNED = re.compile(r"[-+\N{MINUS SIGN}\N{EN DASH}]\s*\d+(?:[.,]\d+)?")
_POINTS_OF_ONE = {0.0, 0.5, 1.0}


def side_in(options: Mapping[str, str], key: str) -> Side | None:
    """Return the side someone answered."""
    return {"first": _P, "second": _O, "draw": _D}.get(options.get(key, ""))


class Results:
    """What the words of one column mean; `question` asks where the column and the headings leave it open."""

    def __init__(self, rows: Sequence[Sequence[Cell]], layout: Layout, role: Role, answers: Answers) -> None:
        self.told, self.role, self.answers = layout, role, answers
        self.titles = (layout.title(layout.seats[0]), layout.title(layout.seats[1]))
        self.question: Question | None = None
        self._sides: dict[str, Side] = self._by_headings()
        self._named = (Role.WINNER in layout.columns and role is not Role.WINNER) or Role.LOSER in layout.columns
        self._called, self._worded = set[str](), False
        self._settle(self._tokens(rows))

    def side(self, text: str, players: tuple[str, str]) -> Side | None:
        """Return who won by this cell, None where it doesn't say."""
        side = self._by_word(text, players)
        winner = _WINS.fullmatch(text.strip()) if side is None else None
        return side if winner is None or len(winner[1]) < 2 else self._by_word(winner[1], players)

    def _by_word(self, text: str, players: tuple[str, str]) -> Side | None:
        key = written_key(text)
        for side, name in zip((_P, _O), players, strict=True):
            if written_key(name) == key:
                return side
        return self._sides.get(_token(text)) or (_D if says_draw(text) else None)

    def _by_headings(self) -> dict[str, Side]:
        first, second = map(plain, self.titles)
        headings = dict.fromkeys(_WON, _P) | dict.fromkeys(_LOST, _O)
        for left, right in family_of(*self.titles):
            headings |= {left: _P, right: _O}
        if self.told.seats == (Role.PLAYER, Role.OPPONENT) and first != second:
            headings |= {first: _P, second: _O}
        return headings

    def _tokens(self, rows: Sequence[Sequence[Cell]]) -> dict[str, str]:
        """Return what stands in the column besides names, scores and ways a match ended, with its spelling."""
        index = self.told.columns[self.role]
        first, second = (self.told.columns.get(seat, -1) for seat in self.told.seats)
        tokens: dict[str, str] = {}
        for row in rows:
            cell = row[index] if index < len(row) else ""
            if not isinstance(cell, str) or is_blank(text := cell.strip()) or _token(text) in tokens:
                continue
            names = [str(row[seat]).strip() for seat in (first, second) if 0 <= seat < len(row)]
            if any(says_bye(name) or not name for name in names):
                continue
            if written_key(text) in map(written_key, names):
                self._called.add(_token(text))
                continue
            if score_of(text) or forfeit_of(text):
                continue
            beside = score_and_word(text)
            text = text if beside is None else beside[1]
            if amount_of(text) is None and _token(text) in self._sides:
                self._worded = True
                continue
            if amount_of(text) is None and (says_draw(text) or how_of(text) is not None):
                continue
            tokens[_token(text)] = text
        return tokens

    def _settle(self, tokens: dict[str, str]) -> None:
        numbers = {token: amount for token in tokens if (amount := amount_of(token)) is not None}
        letters = {token for token in tokens if len(token) == 1 and token.isalpha()}
        if numbers and not self._named:
            self._settle_numbers(set(numbers.values()), {*tokens} - {*numbers})
        if letters:
            self._settle_letters(letters, tokens)
        if (numbers or letters) and self._called & self._sides.keys():
            called = ", ".join(sorted(self._called & self._sides.keys()))
            place = self.told.title(self.role)
            raise InvalidFile(f"people are called {called}, so what that means is unclear. Write names.", place=place)

    def _settle_numbers(self, numbers: set[float], others: set[str]) -> None:
        asked = self.role in self.told.chosen
        # Under Score, 2 may as well be the games or points of the first.
        seats = numbers <= {1.0, 2.0} and others <= set(_OF_DRAWS) and (self.role is Role.WINNER or bool(others))
        points = numbers <= _POINTS_OF_ONE and (self.role is Role.SCORE or 0.5 in numbers)
        meaning = self.answers.meant.get("numbers") or (
            "" if asked else "seats" if seats else "points" if points else ""
        )
        if meaning == "seats":
            marks = marks_of(*self.titles)
            first, second = marks if marks is not None and {*marks} == {"1", "2"} else ("1", "2")
            self._sides |= {first: _P, second: _O, "0": _D}
        elif meaning == "from 0":
            self._sides |= {"0": _P, "1": _O}
        elif meaning == "points":
            self._sides |= {"1": _P, "0": _O}
        else:
            self.question = self._about_numbers(numbers)

    def _about_numbers(self, numbers: set[float]) -> Question:
        first, second = self.titles
        choices = list[Choice]()
        if numbers <= {0.0, 1.0, 2.0}:
            draw = ", 0: a draw" if 0.0 in numbers else ""
            choices.append(Choice(value="seats", label=f"1: “{first}” won, 2: “{second}” won{draw}"))
        if numbers <= _POINTS_OF_ONE:
            choices.append(Choice(value="points", label=f"1: “{first}” won, 0: “{second}” won"))
        if numbers <= {0.0, 1.0}:
            choices.append(Choice(value="from 0", label=f"0: “{first}” won, 1: “{second}” won"))
        choices.append(Choice(value="games", label=f"The games “{first}” won; another column has the other's"))
        choices.append(
            Choice(value="games of the second", label=f"The games “{second}” won; another column has the other's")
        )
        shown = [f"{number:g}" for number in sorted(numbers)][:4]
        listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
        mean = "does" if len(shown) == 1 else "do"
        text = f"What {mean} {listed} in “{self.told.title(self.role)}” mean?"
        return Question(about=About.MEANING, key="numbers", text=text, choices=tuple(choices))

    def _settle_letters(self, letters: set[str], tokens: Mapping[str, str]) -> None:
        """Take letters as the headings say, or as for won, lost and drawn; ask where two ways fit and differ."""
        marks = marks_of(*self.titles)
        drawn = dict.fromkeys(_OF_DRAWS, _D)
        ways: list[Mapping[str, Side]] = [_LETTERS[0]]
        if marks is not None and letters & {*marks}:
            ways.append({**drawn, marks[0]: _P, marks[1]: _O})
            if len(letters & {*marks}) == 1 and not self._worded:  # S: Schwarz, or Sieg
                ways += _LETTERS[1:]
        if any(FRENCH.search(plain(title)) for title in self.told.titles):
            ways.append(_FRENCH)
        if not any(letters <= way.keys() for way in ways):
            ways += _LETTERS[1:]
        fitting = [way for way in ways if letters <= way.keys()]
        for letter in sorted(letters):
            answer = side_in(self.answers.meant, f"letter {letter}")
            means = {way[letter] for way in fitting}
            if answer is not None or len(means) == 1:
                self._sides[letter] = answer or means.pop()
            elif self.question is None and len(letters) <= _MOST_ASKED:
                self.question = self._about_letter(letter, tokens[letter])

    def _about_letter(self, letter: str, text: str) -> Question:
        first, second = self.titles
        return Question(
            about=About.MEANING,
            key=f"letter {letter}",
            text=f"What does {shortened(text)} in “{self.told.title(self.role)}” mean?",
            choices=(
                Choice(value="first", label=f"“{first}” won"),
                Choice(value="second", label=f"“{second}” won"),
                Choice(value="draw", label="A draw"),
            ),
        )


def _token(text: str) -> str:
    text = text.strip()
    if amount_of(text) is not None:
        return re.sub(r"\.0$", "", text)
    if _SIGNED.fullmatch(text):
        return text  # -1 is no 1
    return plain(text) or text.casefold()
