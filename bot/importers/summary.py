"""What the preview of an import needs: seasons and their champions, names that look alike, the first problems.

It's small enough to be kept while someone answers questions.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from bot.importers.found import Found, FoundSeason, Reading
from bot.importers.together import File, are_league_files, read_together
from bot.importers.typing_errors import letters_of, one_slip
from bot.league.season.in_words import amount
from bot.league.season.model import Kind
from bot.league.season.names import look_alike_key, skeleton, written_key

DASH = "\N{EN DASH}"
MOST_LINES = 25
"""As many lines of a season's table as a list offers."""
MOST_PROBLEMS = 10
"""As many places that can't be read as are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What someone won and lost in a season; byes are wins too."""

    name: str
    wins: int
    losses: int
    draws: int
    byes: int

    @property
    def record(self) -> str:
        """Their record in words, with draws last and how many of the wins are byes."""
        played = (self.wins, self.losses, *((self.draws,) if self.draws else ()))
        byes = f" ({amount(self.byes, 'bye')})" if self.byes else ""
        return f"{DASH.join(map(str, played))}{byes}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonInShort:
    """A season of the file; `champion` is who it names, or who won a match marked as its final.

    `top` are those ahead in its table, and `sample` says one of its results in words.
    """

    title: str
    number: int | None
    matches: int
    people: int
    byes: int
    champion: str | None
    dates: tuple[date, date] | None
    top: tuple[Line, ...]
    sample: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameInFile:
    """A name of the file: what it looks like, how often it plays, in which seasons by their place in the file."""

    name: str
    looks: frozenset[str]
    matches: int
    seasons: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Reading):
    """Files in short; `met` are pairs of names that look alike and played each other: they are two people.

    The question, if there is one, is about the file of the index `asks`.
    """

    seasons: tuple[SeasonInShort, ...]
    names: tuple[NameInFile, ...]
    met: frozenset[frozenset[str]]
    asks: int

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return sum(season.matches for season in self.seasons)


def looks_of(name: str) -> frozenset[str]:
    """Return keys of which two names share one if they could be the same person's, as Zoe's and Zoë's."""
    letters = letters_of(name)
    return frozenset(filter(None, (f"letters {letters}" if letters else "", look_alike_key(name), skeleton(name))))


def looked_through(files: Sequence[File]) -> Summary | None:
    """Return files in short, None for league files; raises InvalidFile."""
    if are_league_files(files):
        return None
    together = read_together(files)
    return in_short(together.contents, asks=together.asks)


def in_short(contents: Found, *, asks: int = 0) -> Summary:
    """Return what a preview needs of what was found."""
    looks = {name: looks_of(name) for name in contents.names}
    letters = {name: letters_of(name) for name in looks}
    played: dict[str, int] = dict.fromkeys(looks, 0)
    results: dict[str, list[int]] = {name: [] for name in looks}
    met: set[frozenset[str]] = set()
    for index, season in enumerate(contents.seasons):
        for name in season.people:
            results[name].append(index)
        for match in season.matches:
            for name in match.players:
                played[name] += 1
            first, other = match.players
            if not looks[first].isdisjoint(looks[other]) or one_slip(letters[first], letters[other]):
                met.add(frozenset(match.players))
    read: dict[str, Any] = {part.name: getattr(contents, part.name) for part in fields(Reading)}
    read |= {"problems": contents.problems[:MOST_PROBLEMS], "questions": contents.questions[:1]}
    return Summary(
        **read,
        seasons=tuple(_season(season) for season in contents.seasons),
        names=tuple(
            NameInFile(name=name, looks=keys, matches=played[name], seasons=tuple(results[name]))
            for name, keys in looks.items()
        ),
        met=frozenset(met),
        asks=asks,
    )


def _season(season: FoundSeason) -> SeasonInShort:
    return SeasonInShort(
        title=season.title,
        number=season.number,
        matches=len(season.matches),
        people=len(season.people),
        byes=len(season.byes),
        champion=champion_of(season),
        dates=season.dates,
        top=tuple(_table(season)[:MOST_LINES]),
        sample=_sample(season),
        digest=digest_of(season),
    )


def _table(season: FoundSeason) -> list[Line]:
    """Return what everyone won and lost, the best first, as the season will be ranked but for ties."""
    wins, losses, draws = Counter[str](), Counter[str](), Counter[str]()
    byes = Counter(bye.name for bye in season.byes)
    for match in season.matches:
        if match.winner is not None:
            wins[match.winner] += 1
            losses.update(name for name in match.players if name != match.winner)
        elif match.kind is Kind.DOUBLE_LOSS:
            losses.update(match.players)
        elif match.kind is not Kind.OPEN:
            draws.update(match.players)
    lines = [
        Line(name=name, wins=wins[name] + byes[name], losses=losses[name], draws=draws[name], byes=byes[name])
        for name in season.people
    ]
    return sorted(lines, key=lambda line: (-line.wins, line.losses, line.name))


def _sample(season: FoundSeason) -> str:
    """Return a result in words, one with a winner and games if there is one."""
    match = max(season.matches, key=lambda match: (match.winner is not None, match.games is not None), default=None)
    if match is None:
        return ""
    won, other = match.players if match.winner in (None, match.players[0]) else match.players[::-1]
    games = match.games and (match.games if won == match.players[0] else match.games[::-1])
    score = "" if games is None else f" {games[0]}{DASH}{games[1]}"
    sentence = (
        f"{won} won against {other}{score}" if match.winner is not None else f"{won} and {other}: nobody won{score}"
    )
    return f"{match.where}: {sentence}"


def digest_of(season: FoundSeason) -> str:
    """Return what a season is in short: the same for the same people, results and days, whatever its title."""
    written = {name: written_key(name) for name in season.people}
    played = (
        (
            *sorted(written[name] for name in match.players),
            match.winner,
            match.kind,
            sorted(match.games or ()),
            match.day,
        )
        for match in season.matches
    )
    rows = sorted(map(repr, (*played, *(written[bye.name] for bye in season.byes))))
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def champion_of(season: FoundSeason) -> str | None:
    """Return who the file names as champion, or else who won the last match if it marks that as the final."""
    if season.champion is not None:
        return season.champion
    last = max((match.round or 0 for match in season.matches), default=0)
    finals = [match for match in season.matches if (match.round or 0) == last]
    return finals[0].winner if len(finals) == 1 and finals[0].finals else None
