"""Gather what the readers find, and check it: too many matches, a match twice, names that can't be taken."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import count

from bot.importers.found import About, Answers, Found, FoundBye, FoundMatch, FoundSeason, Problem, Question
from bot.league.errors import Invalid, InvalidFile
from bot.league.season.names import check_name, written_key
from bot.league.season.node import quoted

MOST_MATCHES = 50_000
MOST_PROBLEMS = 200
"""Problems that are kept in words; all of them are counted."""
LATEST_SEASON = 1_000_000
LATEST_ROUND = 1_000
UNPLAYED = "had no result and stayed out."
CONTRADICTS = "had a score that doesn't fit the result, so the score stayed out."


@dataclass(slots=True)
class _Season:
    title: str
    number: int | None
    matches: list[FoundMatch] = field(default_factory=list[FoundMatch])
    byes: list[FoundBye] = field(default_factory=list[FoundBye])
    people: dict[str, None] = field(default_factory=dict[str, None])
    champion: str | None = None


def require_few(matches: int) -> None:
    """Raise InvalidFile for more matches than one import takes."""
    if matches > MOST_MATCHES:
        raise InvalidFile(
            f"has {matches:,} matches; one import takes at most {MOST_MATCHES:,}. Split it, for example by season."
        )


class Gathering:
    """What was found so far; a name or a match that can't be taken becomes a question or a problem with its place."""

    def __init__(self, source: str, answers: Answers) -> None:
        self.source = source
        self.answers = answers
        self.rows = 0
        self.part = ""
        """The file of several that is read now; the seasons of each are its own."""
        self.questions: list[Question] = []
        self.left_out: Counter[str] = Counter()
        self.notes: list[str] = []
        self._problems: list[Problem] = []
        self._wrong: set[str] = set()
        self._seasons: dict[object, _Season] = {}
        self._people: dict[str, None] = {}
        self._names: dict[str, str] = {}
        self._spelled: dict[str, str] = {}
        self._refused: dict[str, None] = {}
        self._accounts: dict[str, int] = {}
        self._proposed: dict[str, str] = {}
        self._titles: dict[str, None] = {}
        self._columns: dict[str, str] = {}

    def wrong(self, where: str, column: str, text: str) -> None:
        """Note something that can't be read."""
        where = f"{self.part}, {where[:1].lower()}{where[1:]}" if self.part else where
        self._wrong.add(where)
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(Problem(where=where, column=column, text=text))

    def name(self, raw: str) -> str:
        """Return the name a person has from here on; one that can't be taken is asked about once."""
        known_name = self._names.get(raw)
        if known_name is not None:
            return known_name
        answered = self.answers.names.get(raw.strip(), raw)
        try:
            name: str = check_name(answered)
        except Invalid as refused:
            name = raw.strip()
            if name not in self._refused:
                self._refused[name] = None
                text = f"{quoted(name)} can't be a name here. {refused.problem} What is this person called?"
                self.questions.append(Question(about=About.NAME, key=name, text=text))
        else:
            # The same name in other letter case is the same person; the first spelling stays.
            name = self._spelled.setdefault(written_key(name), name)
        self._names[raw] = name
        return name

    def person(self, name: str) -> None:
        """Add someone of a list of people."""
        self._people[name] = None

    def account(self, name: str, account: int) -> None:
        """Note a person's Discord id."""
        self._accounts[name] = account

    def proposed(self, name: str, account: str) -> None:
        """Note what the file says someone is called on Discord."""
        self._proposed[name] = account

    def champion(self, key: object, name: str) -> bool:
        """Note who became champion of a season; false if they didn't play in it."""
        season = self._seasons[self.part, key]
        if name in season.people:
            season.champion = name
        return name in season.people

    def columns(self, titles: Iterable[str], roles: Mapping[str, str]) -> None:
        """Note the columns of a table, and what the first table's are."""
        self._titles |= dict.fromkeys(titles)
        self._columns = self._columns or dict(roles)

    def note(self, text: str) -> None:
        """Say once what was left out, or understood in a certain way."""
        if text not in self.notes:
            self.notes.append(text)

    def season(self, key: object, title: str, number: int | None) -> None:
        """Say a season's title and number, before its matches."""
        self._seasons.setdefault((self.part, key), _Season(title, number))

    def bye(self, key: object, bye: FoundBye) -> None:
        """Add a bye to a season."""
        season = self._seasons[self.part, key]
        season.people[bye.name] = None
        season.byes.append(bye)

    def match(self, key: object, match: FoundMatch, *, columns: tuple[str, str] = ("opponent", "winner")) -> None:
        """Add a match, unless it can't have been: nobody plays against themselves."""
        upper, lower = match.players
        if upper == lower:
            self.wrong(match.where, columns[0], f"{upper} plays against themselves. Write who the opponent was.")
            return
        season = self._seasons[self.part, key]
        season.people[upper] = season.people[lower] = None
        season.matches.append(match)

    def found(self) -> Found:
        """Return all of it."""
        seasons = tuple(
            FoundSeason(
                title=season.title,
                number=season.number,
                matches=tuple(season.matches),
                byes=tuple(season.byes),
                people=tuple(season.people),
                champion=season.champion,
            )
            for season in self._seasons.values()
            if season.matches or season.byes
        )
        require_few(sum(len(season.matches) for season in seasons))
        numbers = Counter(season.number for season in seasons if season.number is not None)
        for number, often in numbers.items():
            if often > 1:
                titles = " and ".join(quoted(season.title) for season in seasons if season.number == number)
                self.wrong(f"Season {number}", "", f"{titles} have the same number. Give each its own.")
        names = dict.fromkeys([*self._people, *(name for season in seasons for name in season.people)])
        if not names and not self._problems and not self.questions:
            left = "".join(f" {_count(often)} {text}" for text, often in self.left_out.items())
            raise InvalidFile(f"has no matches and no people to bring in.{left}")
        notes = [*self.notes, *(f"{_count(often)} {text}" for text, often in self.left_out.items())]
        return Found(
            source=self.source,
            seasons=seasons,
            people=tuple(self._people),
            rows=self.rows,
            problems=tuple(self._problems),
            wrong_rows=len(self._wrong),
            questions=tuple(self.questions),
            notes=tuple(notes),
            accounts=self._accounts,
            proposed=self._proposed,
            titles=tuple(self._titles),
            columns=self._columns,
        )


def _count(often: int) -> str:
    return "1 match" if often == 1 else f"{often:,} matches"


def in_order(rounds: dict[object, tuple[object, ...]]) -> dict[object, int]:
    """Return numbers from 1 for rounds known by other names, in the order of what stands beside each."""
    return dict(zip(sorted(rounds, key=lambda key: rounds[key]), count(1)))


def day(text: object) -> date | None:
    """Return the day of a time in JSON, if it is one."""
    if not isinstance(text, str):
        return None
    try:
        return date.fromisoformat(text[:10].replace("/", "-"))
    except ValueError:
        return None


def result_of(players: tuple[str, str], score: tuple[int, int]) -> str | None:
    """Return who has the higher score, None for equal ones."""
    return None if score[0] == score[1] else players[score[0] < score[1]]
