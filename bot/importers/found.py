"""What was found in a foreign file: seasons, matches, people, what can't be read, and what has to be asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from bot.league.errors import InvalidFile
from bot.league.season.model import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMatch:
    """A match with its result; `winner` is None after a draw or a double loss.

    `games` are those each won, `score` the points of both, in the order of `players`.
    """

    where: str
    players: tuple[str, str]
    winner: str | None
    kind: Kind = Kind.PLAYED
    games: tuple[int, int] | None = None
    score: tuple[int, int] | None = None
    round: int | None = None
    day: date | None = None
    finals: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBye:
    """A round in which someone had no opponent."""

    where: str
    name: str
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSeason:
    """A season as the file has it; `number` is None where the file gives none, `champion` where it names none."""

    title: str
    number: int | None
    matches: tuple[FoundMatch, ...]
    byes: tuple[FoundBye, ...]
    people: tuple[str, ...]
    champion: str | None = None

    @property
    def dates(self) -> tuple[date, date] | None:
        """The dates of the first and the last match, if any has one."""
        days = [match.day for match in self.matches if match.day is not None]
        return (min(days), max(days)) if days else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that can't be read: where, and in words what is wrong and how to repair it."""

    where: str
    column: str
    text: str

    @property
    def line(self) -> str:
        """The problem as one line."""
        return f"{self.where}, {self.column}: {self.text}" if self.column else f"{self.where}: {self.text}"


NO_COLUMN, TWO_COLUMNS = "-", "--"
"""Answers in place of a column: that there is none, and that two columns have it. No column has such a title."""


class About(StrEnum):
    """What a question is about."""

    COLUMN = "column"
    SHEET = "sheet"
    DATES = "dates"
    NAME = "name"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of the possible answers."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the file doesn't say; without `choices` the answer is typed."""

    about: About
    key: str
    text: str
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What was answered so far; `columns` maps a role to the title of its column, or to `NO_COLUMN`.

    `meant` has what was said of anything else the file leaves open, by the key of its question.
    """

    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    meant: Mapping[str, str] = field(default_factory=dict[str, str])
    sheet: str | None = None
    day_first: bool | None = None

    def answered(self, question: Question, value: str) -> "Answers":
        """Return these answers and one more: the value of a choice, or what was typed."""
        match question.about:
            case About.COLUMN:
                return replace(self, columns={**self.columns, question.key: value})
            case About.NAME:
                return replace(self, names={**self.names, question.key: value})
            case About.SHEET:
                return replace(self, sheet=value)
            case About.DATES:
                return replace(self, day_first=value == "day")
            case About.MEANING:
                return replace(self, meant={**self.meant, question.key: value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What became of a file as it was read, besides its seasons and people.

    It can come in once there are neither questions nor problems. `source` is the name of the reader. `problems` are the
    first ones, `wrong_rows` counts all places that have one. `notes` say what was left out or understood in a certain
    way. `accounts` are Discord ids by name, `proposed` what a file says someone is called on Discord, which anyone
    could have written. Tables have `titles` of their columns; `columns` says by role which one is taken for what.
    """

    source: str
    rows: int = 0
    problems: tuple[Problem, ...] = ()
    wrong_rows: int = 0
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    accounts: Mapping[str, int] = field(default_factory=dict[str, int])
    proposed: Mapping[str, str] = field(default_factory=dict[str, str])
    titles: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Reading):
    """All that a file has."""

    seasons: tuple[FoundSeason, ...] = ()
    people: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone the file names, once, in order of appearance."""
        return tuple(dict.fromkeys([*self.people, *(name for season in self.seasons for name in season.people)]))

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return sum(len(season.matches) for season in self.seasons)


def called(contents: Found, names: Mapping[str, str]) -> Found:
    """Return what was found with other names for some people; raises InvalidFile where two of a match become one."""

    def renamed(season: FoundSeason) -> FoundSeason:
        return replace(
            season,
            matches=tuple(_renamed(match, names) for match in season.matches),
            byes=tuple(replace(bye, name=names.get(bye.name, bye.name)) for bye in season.byes),
            people=tuple(dict.fromkeys(names.get(name, name) for name in season.people)),
            champion=None if season.champion is None else names.get(season.champion, season.champion),
        )

    people = tuple(dict.fromkeys(names.get(name, name) for name in contents.people))
    return replace(
        contents,
        seasons=tuple(map(renamed, contents.seasons)),
        people=people,
        accounts={names.get(name, name): account for name, account in contents.accounts.items()},
        proposed={names.get(name, name): account for name, account in contents.proposed.items()},
    )


def _renamed(match: FoundMatch, names: Mapping[str, str]) -> FoundMatch:
    first, second = (names.get(name, name) for name in match.players)
    if first == second:
        before = " and ".join(match.players)
        raise InvalidFile(f"{before} play each other, but are the same person, {first}.", place=match.where)
    winner = None if match.winner is None else names.get(match.winner, match.winner)
    return replace(match, players=(first, second), winner=winner)
