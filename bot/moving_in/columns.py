"""Which column of a table is what: by the words at its top, in any order, and asked for where they don't say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.league.errors import InvalidFile
from bot.moving_in.cells import Cell, shortened, words
from bot.moving_in.found import About, Answers, Choice, Question

_LOOKED_AT = 12
"""Rows in which the head is looked for: titles and blank rows may stand above it."""
_MOST_COLUMNS = 25
"""Columns to choose from, as many as fit one select with a choice for none."""


class Role(StrEnum):
    """What a column holds."""

    SEASON = "season"
    NUMBER = "number"
    ROUND = "round"
    PLAYER = "player"
    OPPONENT = "opponent"
    WINNER = "winner"
    LOSER = "loser"
    SCORE = "score"
    PLAYER_SCORE = "player's score"
    OPPONENT_SCORE = "opponent's score"
    HOW = "how"
    DATE = "date"
    DISCORD = "Discord name"
    IN_GAME = "in-game name"
    SEED = "seed"


_WORDS: dict[Role, str] = {
    Role.SEASON: "season; season name; league; event; tournament; saison; edition; sheet",
    Role.NUMBER: "season number; season no; number; season id",
    Role.ROUND: "round; week; rd; round number; round no; runde; matchday; woche; stage round; ronde",
    Role.PLAYER: "player; player 1; player a; player1; playera; p1; player one; home; white; name 1; name1;"
    " participant 1; entrant 1; spieler; spieler 1; joueur; home player; name; league name; participant;"
    " participant name; players; user; username; nick; nickname; handle; entrant; people",
    Role.OPPONENT: "opponent; player 2; player b; player2; playerb; p2; player two; away; black; name 2; name2;"
    " participant 2; entrant 2; versus; vs; against; gegner; spieler 2; adversaire; opponent name; away player",
    Role.WINNER: "winner; won by; victor; winner name; winning player; sieger; gewinner; vainqueur; won",
    Role.LOSER: "loser; lost by; losing player; loser name; verlierer; perdant; lost",
    Role.SCORE: "score; scores; games; game score; match score; ergebnis; result; outcome; stand; points",
    Role.PLAYER_SCORE: "player score; score 1; score a; player 1 score; p1 score; score1; home score; player a score;"
    " games 1; wins 1; player1 score; player games; games won; player s score; scorea",
    Role.OPPONENT_SCORE: "opponent score; score 2; score b; player 2 score; p2 score; score2; away score;"
    " player b score; games 2; wins 2; player2 score; opponent games; games lost; opponent s score; scoreb",
    Role.HOW: "how; kind; type; ended; ending; result type; victory; status; state; notes how",
    Role.DATE: "date; played; played on; day; datum; end; finished; completed; date played; ended on; start; time"
    "; when",
    Role.DISCORD: "discord; discord name; discord id; discord user; discord username; discord tag; account",
    Role.IN_GAME: "in game name; ingame name; ign; in game; game name; client name; friend code; keyforge user name",
    Role.SEED: "seed; seeding; seed number",
}
_OF_PEOPLE = {Role.DISCORD, Role.IN_GAME, Role.SEED}
"""What tells a list of people, who come in by their names alone."""
_ROLES = {word.strip(): (role, rank) for role, listed in _WORDS.items() for rank, word in enumerate(listed.split(";"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the head of a table is (-1 for none) and which column has which role."""

    head: int
    titles: tuple[str, ...]
    columns: Mapping[Role, int]

    def title(self, role: Role) -> str:
        """Return how people find the column of a role."""
        index = self.columns.get(role, -1)
        return self.titles[index] if index >= 0 else str(role)

    def unused(self, rows: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
        """Return the titles of columns from which nothing is taken."""
        used = {index for role, index in self.columns.items() if role not in _OF_PEOPLE}
        top = rows[self.head] if self.head >= 0 else ()
        return tuple(self.titles[at] for at, cell in enumerate(top) if at not in used and str(cell).strip())


def letter(index: int) -> str:
    """Return a column's letters, as spreadsheets show them."""
    text, index = "", index + 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def recognised(row: Sequence[Cell]) -> dict[Role, int]:
    """Return the roles the words of a row name; of several columns for one role, the one with the plainest word."""
    best: dict[Role, tuple[int, int]] = {}
    for index, cell in enumerate(row):
        role, rank = _ROLES.get(words(cell) if isinstance(cell, str) else "", (None, 0))
        if role is None:
            continue
        if role not in best or rank < best[role][0]:
            best[role] = (rank, index)
    return {role: index for role, (_, index) in best.items()}


def layout(rows: Sequence[Sequence[Cell]], answers: Answers) -> Layout | Question:
    """Return where everything is, or the question about the first column nobody could tell."""
    head, columns = -1, dict[Role, int]()
    for index, row in enumerate(rows[:_LOOKED_AT]):
        named = recognised(row)
        if len(named) > len(columns):
            head, columns = index, named
        if len(named) > 1:
            break  # a player may well be called P1, but not here
    if head < 0 and rows and _looks_like_head(rows):
        head = 0
    width = max(map(len, rows[:200]), default=0)
    top = rows[head] if head >= 0 else []
    titles = tuple(
        shortened(str(top[index])) if index < len(top) and str(top[index]).strip() else f"column {letter(index)}"
        for index in range(width)
    )
    for index in columns.values():
        same = [words(title) for title in titles].count(words(titles[index]))
        if same > 1:
            raise InvalidFile(f"{same} columns are called “{titles[index]}”. Rename those that aren't meant.")
    for key, index in answers.columns.items():
        columns = {role: old for role, old in columns.items() if old != index and role != key}
        if 0 <= index < width:
            columns[Role(key)] = index
    if Role.NUMBER in columns and words(titles[columns[Role.NUMBER]]) == "number" and Role.SEASON not in columns:
        # Alone, a number may be that of a row.
        columns.pop(Role.NUMBER)
    if {Role.WINNER, Role.LOSER} <= columns.keys() and Role.OPPONENT not in columns:
        columns.pop(Role.PLAYER, None)
        return Layout(head=head, titles=titles, columns=columns)
    samples = rows[head + 1 : head + 4]
    told = Layout(head=head, titles=titles, columns=columns)
    missing = _missing(columns, answers)
    return told if missing is None else _question(missing, told, samples)


def _missing(columns: Mapping[Role, int], answers: Answers) -> Role | None:
    if Role.PLAYER not in columns:
        return Role.PLAYER
    results = {Role.WINNER, Role.LOSER, Role.SCORE, Role.PLAYER_SCORE, Role.HOW}
    if Role.OPPONENT not in columns:
        people = _OF_PEOPLE & columns.keys() or not results & columns.keys()
        named = Role.PLAYER.value not in answers.columns
        sure = named and people and not {Role.ROUND, Role.WINNER, Role.LOSER} & columns.keys()
        return None if sure or answers.columns.get(Role.OPPONENT) == -1 else Role.OPPONENT
    if (
        not {Role.WINNER, Role.SCORE} & columns.keys()
        and not {Role.PLAYER_SCORE, Role.OPPONENT_SCORE} <= columns.keys()
    ):
        return Role.WINNER
    return None


def _question(role: Role, told: Layout, samples: Sequence[Sequence[Cell]]) -> Question:
    texts = {
        Role.PLAYER: "Which column is the player?",
        Role.OPPONENT: "Which column is the opponent?",
        Role.WINNER: "Which column says who won, by name or by score?",
    }
    taken = set(told.columns.values())
    choices = [
        Choice(value=str(index), label=_labelled(title, index, samples))
        for index, title in enumerate(told.titles)
        if index not in taken
    ][: _MOST_COLUMNS - 1]
    if role is Role.OPPONENT:
        choices.append(Choice(value="-1", label="None: it's a list of people"))
    if not choices:
        raise InvalidFile(f"{texts[role]} None is left. One row is one match: season, round, player, opponent, winner.")
    return Question(about=About.COLUMN, key=role.value, text=texts[role], choices=tuple(choices))


def _labelled(title: str, index: int, samples: Sequence[Sequence[Cell]]) -> str:
    shown = [shortened(str(row[index])) for row in samples if index < len(row) and str(row[index]).strip()]
    return f"{title}: {', '.join(shown)}"[:100] if shown else title


def _looks_like_head(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether nothing in the first row comes again below it: names of players would."""
    first = {words(cell) for cell in rows[0] if isinstance(cell, str) and cell.strip()}
    below = {words(cell) for row in rows[1:] for cell in row if isinstance(cell, str)}
    return bool(first) and not first & below and len(rows) > 1
