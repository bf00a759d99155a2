"""Past seasons made by chance, and the tables their leagues might have kept: each in many shapes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from bot.importers.found import TWO_COLUMNS, Found, FoundMatch, Question
from bot.league.season.model import Kind

NAMES = (
    "Ann",
    "Ben",
    "Zoë Kühn",
    "O'Neil",
    "Di Marco",
    "Łukasz",
    "Eva-Lena",
    "xX_Kai_Xx",
    "Jo",
    "Mr. T",
    "Ødegård",
    "田中",
)
FINALS = {
    "en": (("Top 4", "Semi-final 1"), ("3rd place", "Third place match"), ("Final", "Grand Final")),
    "de": (("Halbfinale", "1/2-Finale"), ("Spiel um Platz 3", "Kleines Finale"), ("Finale", "Endspiel")),
    "fr": (("Demi-finale", "1/2 finale"), ("Petite finale", "Match pour la 3e place"), ("Finale", "Grand Final")),
}
ROUNDS = {
    "en": ("{}", "Round {}", "Week {}", "R{}"),
    "de": ("{}", "Runde {}", "{}. Spieltag"),
    "fr": ("{}", "Ronde {}", "Journée {}"),
}
SEATS = {
    "en": (
        ("Player", "Opponent"),
        ("Home", "Away"),
        ("White", "Black"),
        ("Player A", "Player B"),
        ("Player 1", "Player 2"),
        ("P1", "P2"),
    ),
    "de": (
        ("Spieler", "Gegner"),
        ("Heim", "Gast"),
        ("Weiß", "Schwarz"),
        ("Spieler A", "Spieler B"),
        ("Spieler 1", "Spieler 2"),
    ),
    "fr": (
        ("Joueur", "Adversaire"),
        ("Domicile", "Extérieur"),
        ("Blancs", "Noirs"),
        ("Joueur A", "Joueur B"),
        ("Joueur 1", "Joueur 2"),
    ),
}
WORDS = {
    "en": {
        "season": "Season",
        "round": "Round",
        "date": "Date",
        "winner": "Winner",
        "loser": "Loser",
        "score": "Score",
        "result": "Result",
        "of": "Score {}",
    },
    "de": {
        "season": "Saison",
        "round": "Runde",
        "date": "Datum",
        "winner": "Sieger",
        "loser": "Verlierer",
        "score": "Ergebnis",
        "result": "Resultat",
        "of": "{} Tore",
    },
    "fr": {
        "season": "Saison",
        "round": "Ronde",
        "date": "Date",
        "winner": "Vainqueur",
        "loser": "Perdant",
        "score": "Score",
        "result": "Résultat",
        "of": "Score {}",
    },
}
OUTCOMES = {
    "en": (("Win", "Loss", "Draw"), ("W", "L", "D"), ("won", "lost", "tie")),
    "de": (("Sieg", "Niederlage", "Remis"), ("S", "N", "U")),
    "fr": (("Victoire", "Défaite", "Nul"), ("V", "D", "N")),
}
DRAWS = {"en": "draw", "de": "Unentschieden", "fr": "nul"}
BYES = ("bye", "BYE 1", "(bye)", "spielfrei", "Exempt", "-", "Bye Allocated", "freilos")
UNKNOWN = {
    "first": "Combatant",
    "second": "Foe",
    "winner": "Laurels",
    "score": "Tally",
    "score 1": "k1",
    "score 2": "k2",
}


@dataclass(frozen=True, kw_only=True)
class Game:
    """A match or, without an opponent, a bye; `numbers` are the games or points of the two."""

    season: int
    round: int
    stage: int
    players: tuple[str, ...]
    winner: str | None
    numbers: tuple[int, int]
    day: date


@dataclass(frozen=True, kw_only=True)
class Past:
    """Seasons that were played; `points` says what the numbers of their matches are."""

    games: tuple[Game, ...]
    points: bool
    draws: bool
    rounds: Mapping[int, int]


def past(dice: Random) -> Past:
    """Return one or two seasons; rounds after the last numbered one are finals."""
    points, draws = dice.random() < 0.3, dice.random() < 0.4
    games, rounds, day = list[Game](), dict[int, int](), date(2023, 1, 1) + timedelta(dice.randrange(600))
    for season in range(1, dice.choice((1, 1, 2)) + 1):
        people = dice.sample(NAMES, dice.randint(3, 8))
        rounds[season] = dice.randint(1, 4)
        stages = [*range(rounds[season]), *([0, 1, 2] if len(people) >= 4 and dice.random() < 0.5 else [])]
        for number, stage in enumerate(stages, start=1):
            late = number > rounds[season]
            day += timedelta(dice.randint(1, 9))
            there = dice.sample(people, len(people))
            pairs = {0: 2, 1: 1, 2: 1}[stage] if late else len(there) // 2
            for at in range(pairs):
                players = (there[2 * at], there[2 * at + 1])
                drawn = draws and not late and dice.random() < 0.3
                if points:
                    low = dice.randint(0, 90)
                    numbers = (low, low) if drawn else (low + dice.randint(1, 40), low)
                else:
                    numbers = (1, 1) if drawn else (2, dice.randint(0, 1))
                games.append(
                    Game(
                        season=season,
                        round=number,
                        stage=stage if late else -1,
                        players=players,
                        day=day,
                        winner=None if drawn else players[0],
                        numbers=numbers,
                    )
                )
            if len(there) % 2 and not late:
                games.append(
                    Game(
                        season=season,
                        round=number,
                        stage=-1,
                        players=(there[-1],),
                        winner=None,
                        numbers=(0, 0),
                        day=day,
                    )
                )
    return Past(
        games=tuple(games),
        points=points,
        draws=any(game.winner is None and len(game.players) == 2 for game in games),
        rounds=rounds,
    )


@dataclass(kw_only=True)
class Written:
    """A table, what its columns are called, and what of the matches it has."""

    text: str = ""
    answers: dict[str, str] = field(default_factory=dict[str, str])
    has: set[str] = field(default_factory=set[str])


def written(played: Past, dice: Random) -> Written:
    """Return the past as one table, in a shape by chance."""
    return _Shape(played, dice).written()


class _Shape:
    """One way to keep a table."""

    def __init__(self, played: Past, dice: Random) -> None:
        self.played, self.dice = played, dice
        self.language = dice.choice(("en", "de", "fr"))
        self.words, self.seats = WORDS[self.language], dice.choice(SEATS[self.language])
        ways = "winner; winner; seat; outcome; score; scores; winner and score; winner and scores"
        undrawn = "" if played.draws else "; loser; loser and score; loser and scores"
        self.result: str = dice.choice(f"{ways}{undrawn}".split("; "))
        self.by_loser = self.result.startswith("loser")
        self.unknown = dice.random() < 0.2 and not self.by_loser and self.result not in ("seat", "outcome")
        if self.by_loser:
            self.seats = (self.words["winner"], self.words["loser"])
        elif self.unknown:
            self.seats = (UNKNOWN["first"], UNKNOWN["second"])
        self.dated = dice.choice(
            (
                None,
                "{0:%Y-%m-%d}",
                "{0.day}.{0.month}.{0.year}",
                "{0:%d/%m/%Y}",
                "{0:%m/%d/%Y}",
                "{0.day} {0:%B} {0.year}",
            )
        )
        self.rounds = dice.choice(
            ("column", "column", "headings")
            if len(played.rounds) > 1 or self.dated is None
            else ("column", "headings", "none")
        )
        self.seasons = dice.choice(("number", "name", "headings" if self.rounds == "headings" else "name"))
        self.round, self.finals = (
            dice.choice(ROUNDS[self.language]),
            [dice.choice(names) for names in FINALS[self.language]],
        )
        self.outcome = dice.choice(OUTCOMES[self.language])
        self.dash = dice.choice(("-", ":", " - ", "\N{EN DASH}"))

    def written(self) -> Written:
        """Return the table."""
        made = Written()
        games = list(self.played.games)
        if self.rounds != "headings" and (self.rounds == "column" or self.dated):
            self.dice.shuffle(games)
        rows = [(game, self._row(game)) for game in games]
        titles = list(dict.fromkeys(key for _, row in rows for key in row))
        self.dice.shuffle(titles)
        cut = self.dice.choice((",", ";", "\t"))
        lines = [cut.join(map(self._quoted, titles))]
        before: tuple[int, int] = (0, 0)
        for game, row in rows:
            if self.seasons == "headings" and game.season != before[0]:
                lines.append(f"{self.words['season']} {game.season}")
            if self.rounds == "headings" and (game.season, game.round) != before:
                lines.append(self._heading(game))
            before = (game.season, game.round)
            lines.append(cut.join(self._quoted(row.get(title, "")) for title in titles))
        made.text = "\n".join(lines)
        made.has = {"rounds"} if self.rounds != "none" else set()
        made.has |= {"days"} if self.dated else set()
        made.has |= {"numbers"} if "score" in self.result else set()
        made.answers = self._answers()
        return made

    def _quoted(self, cell: str) -> str:
        return f'"{cell}"' if any(char in cell for char in ",;\t") else cell

    def _heading(self, game: Game) -> str:
        return self._stage(game) if any(map(str.isalpha, self._stage(game))) else f"{self.words['round']} {game.round}"

    def _stage(self, game: Game) -> str:
        return self.round.format(game.round) if game.stage < 0 else self.finals[game.stage]

    def _row(self, game: Game) -> dict[str, str]:
        turned = not self.by_loser and self.dice.random() < 0.5
        row: dict[str, str] = {}
        if self.seasons != "headings":
            row[self.words["season"]] = (
                str(game.season) if self.seasons == "number" else f"{['Spring', 'Autumn'][game.season - 1]} Cup"
            )
        if self.rounds == "column":
            row[self.words["round"]] = self._stage(game)
        if self.dated is not None:
            row[self.words["date"]] = self.dated.format(game.day)
        if len(game.players) == 1:
            seats = (game.players[0], self.dice.choice(BYES))
        else:
            seats = (game.players[0], game.players[1])
        first, second = seats[::-1] if turned else seats
        row |= {self.seats[0]: first, self.seats[1]: second}
        if len(game.players) == 2:
            row |= self._result(game, turned)
        elif "scores" not in self.result:
            row.setdefault(self._title("score" if "score" in self.result else "winner"), "")
        row["Notes"] = self.dice.choice(("", "", "gg", "rain"))
        if self.dice.random() < 0.5:
            row["Status"] = "Confirmed"
        return row

    def _title(self, what: str) -> str:
        if self.unknown and what in UNKNOWN:
            return UNKNOWN[what]
        if what.startswith("score "):
            return self.words["of"].format(self.seats[int(what[-1]) - 1])
        return self.words["result" if what in ("seat", "outcome") else what]

    def _result(self, game: Game, turned: bool) -> dict[str, str]:
        numbers = game.numbers[::-1] if turned else game.numbers
        row: dict[str, str] = {}
        if self.result.startswith("winner"):
            row[self._title("winner")] = game.winner or DRAWS[self.language]
        elif self.result == "seat":
            row[self._title("winner")] = DRAWS[self.language] if game.winner is None else self.seats[turned]
        elif self.result == "outcome":
            row[self._title("outcome")] = self.outcome[2 if game.winner is None else int(turned)]
        if self.result.endswith("scores"):
            row |= {self._title("score 1"): str(numbers[0]), self._title("score 2"): str(numbers[1])}
        elif self.result.endswith("score"):
            row[self._title("score")] = f"{numbers[0]}{self.dash}{numbers[1]}"
        return row

    def _answers(self) -> dict[str, str]:
        """Return the right answers by the keys of their questions."""
        both = self.result.endswith("scores")
        named = self.result.startswith("winner")
        return {
            "player": self.seats[0],
            "opponent": self.seats[1],
            "winner": self._title("winner") if named else TWO_COLUMNS if both else self._title("score"),
            "score": TWO_COLUMNS if both else self._title("score") if "score" in self.result else "-",
            "player score": self._title("score 1"),
            "opponent score": self._title("score 2"),
            "dates": "month" if self.dated == "{0:%m/%d/%Y}" else "day",
            "scores": "points" if self.played.points else "games",
            "same rows": "two",
            "both sides": "two",
            "same round": "two",
            "zeros": "played",
            **{
                f"letter {letter.casefold()}": side
                for letter, side in zip(self.outcome, ("first", "second", "draw"), strict=True)
            },
        }


def answer(made: Written, asked: Question) -> str:
    """Return the right answer to a question."""
    return made.answers[asked.key]


def expected(played: Past, made: Written) -> Counter[tuple[object, ...]]:
    """Return what has to come in: each match and bye with all that the table has of it."""
    rows = list[tuple[object, ...]]()
    for game in played.games:
        numbers = frozenset(zip(game.players, game.numbers, strict=False)) if "numbers" in made.has else None
        bye = len(game.players) == 1
        rows.append((
            game.season,
            game.round if "rounds" in made.has else None,
            frozenset(game.players),
            game.winner,
            None if bye or played.points else numbers,
            None if bye or not played.points else numbers,
            game.day if "days" in made.has and not bye else None,
        ))  # fmt: skip
    return Counter(rows)


def came_in(found: Found) -> Counter[tuple[object, ...]]:
    """Return what came in, to be compared."""
    rows = list[tuple[object, ...]]()
    for position, season in enumerate(
        sorted(found.seasons, key=lambda one: (one.number or 0, one.title == "Autumn Cup")), 1
    ):
        for match in season.matches:
            rows.append(
                (
                    position,
                    match.round,
                    frozenset(match.players),
                    match.winner,
                    _of(match, match.games),
                    _of(match, match.score),
                    match.day,
                )
            )
            assert match.kind is Kind.PLAYED
        rows += [(position, bye.round, frozenset([bye.name]), None, None, None, None) for bye in season.byes]
    return Counter(rows)


def _of(match: FoundMatch, numbers: tuple[int, int] | None) -> frozenset[tuple[str, int]] | None:
    return None if numbers is None else frozenset(zip(match.players, numbers, strict=True))
