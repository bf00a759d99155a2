"""What the preview of an import needs: seasons and their champions, names that look alike, the first problems.

It's small enough to be kept while someone answers questions.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from bot.league.season.names import look_alike_key, skeleton, written_key
from bot.moving_in.found import Found, FoundSeason, Problem, Question
from bot.moving_in.together import File, are_league_files, read_together
from bot.moving_in.typing_errors import letters_of, one_slip

MOST_PROBLEMS = 10
"""As many places that can't be read as are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonInShort:
    """A season of the file; `champion` is who won a match marked as its final."""

    title: str
    number: int | None
    matches: int
    people: int
    champion: str | None
    dates: tuple[date, date] | None
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameInFile:
    """A name of the file: what it looks like, how often it plays, in which seasons by their place in the file."""

    name: str
    looks: frozenset[str]
    matches: int
    seasons: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Files in short; `met` are pairs of names that look alike and played each other: they are two people.

    The question, if there is one, is about the file of the index `asks`. `accounts` and `proposed` are as in `Found`.
    """

    source: str
    seasons: tuple[SeasonInShort, ...]
    names: tuple[NameInFile, ...]
    met: frozenset[frozenset[str]]
    rows: int
    problems: tuple[Problem, ...]
    wrong_rows: int
    questions: tuple[Question, ...]
    asks: int
    notes: tuple[str, ...]
    accounts: Mapping[str, int] = field(default_factory=dict[str, int])
    proposed: Mapping[str, str] = field(default_factory=dict[str, str])

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
    return in_short(together.found, asks=together.asks)


def in_short(found: Found, *, asks: int = 0) -> Summary:
    """Return what a preview needs of what was found."""
    looks = {name: looks_of(name) for name in found.names}
    letters = {name: letters_of(name) for name in looks}
    played: dict[str, int] = dict.fromkeys(looks, 0)
    there: dict[str, list[int]] = {name: [] for name in looks}
    met: set[frozenset[str]] = set()
    for index, season in enumerate(found.seasons):
        for name in season.people:
            there[name].append(index)
        for match in season.matches:
            for name in match.players:
                played[name] += 1
            one, other = match.players
            if not looks[one].isdisjoint(looks[other]) or one_slip(letters[one], letters[other]):
                met.add(frozenset(match.players))
    return Summary(
        source=found.source,
        seasons=tuple(_season(season) for season in found.seasons),
        names=tuple(
            NameInFile(name=name, looks=keys, matches=played[name], seasons=tuple(there[name]))
            for name, keys in looks.items()
        ),
        met=frozenset(met),
        rows=found.rows,
        problems=found.problems[:MOST_PROBLEMS],
        wrong_rows=found.wrong_rows,
        questions=found.questions[:1],
        asks=asks,
        notes=found.notes,
        accounts=found.accounts,
        proposed=found.proposed,
    )


def _season(season: FoundSeason) -> SeasonInShort:
    return SeasonInShort(
        title=season.title,
        number=season.number,
        matches=len(season.matches),
        people=len(season.people),
        champion=champion_of(season),
        dates=season.dates,
        digest=digest_of(season),
    )


def digest_of(season: FoundSeason) -> str:
    """Return what a season is in short: the same for the same people, results and days, whatever its title."""
    played = (
        (*sorted(map(written_key, match.players)), match.winner, match.kind, sorted(match.games or ()), match.day)
        for match in season.matches
    )
    rows = sorted(map(repr, (*played, *(written_key(bye.name) for bye in season.byes))))
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def champion_of(season: FoundSeason) -> str | None:
    """Return who the file names as champion, or else who won the last match if it marks that as the final."""
    if season.champion is not None:
        return season.champion
    last = max((match.round or 0 for match in season.matches), default=0)
    finals = [match for match in season.matches if (match.round or 0) == last]
    return finals[0].winner if len(finals) == 1 and finals[0].finals else None
