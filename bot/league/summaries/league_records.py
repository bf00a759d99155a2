"""The records of a league: most titles, longest run, most matches, biggest upset, highest score; and their words.

They are counted from what everyone did in each season (`careers`), so whatever changes a season changes them too. Of
equal ones the first to get there has a record of one match or one run; a record of a whole career is shared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.league.bracket.match_names import in_sentence
from bot.league.season.in_words import amount, first_few
from bot.league.season.match_score import score, score_words
from bot.league.season.model import Name
from bot.league.summaries.careers import OwnSeason, Played, in_a_row


class Counts(NamedTuple):
    """What a person has so far: the seasons they won, the matches they played, and the run they are on."""

    titles: tuple[int, ...] = ()
    matches: int = 0
    run: int = 0
    began: Played | None = None


class Run(NamedTuple):
    """Matches a person won in a row, from the first to the last; `number` is how many."""

    person: int
    number: int
    first: Played
    last: Played


class Single(NamedTuple):
    """A match that is a record, seen by the person who has it; `number` is their score, or the points they lacked."""

    person: int
    number: int
    match: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A record of whole careers, and everyone who has it, by their number."""

    number: int
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRecords:
    """The records after some seasons, and what everyone has so far; None where nobody has one yet."""

    people: Mapping[int, Counts] = field(default_factory=dict[int, Counts])
    run: Run | None = None
    upset: Single | None = None
    score: Single | None = None

    @property
    def titles(self) -> Shared | None:
        """The most titles."""
        return self._most({person: len(counts.titles) for person, counts in self.people.items()})

    @property
    def matches(self) -> Shared | None:
        """The most matches that were played."""
        return self._most({person: counts.matches for person, counts in self.people.items()})

    def _most(self, numbers: Mapping[int, int]) -> Shared | None:
        number = max(numbers.values(), default=0)
        if not number:
            return None
        return Shared(number=number, people=tuple(sorted(person for person, own in numbers.items() if own == number)))


def after_season(before: LeagueRecords, own: Mapping[int, OwnSeason]) -> LeagueRecords:
    """Return the records after one more season, by what each player did in it."""
    people, runs = {**before.people}, [before.run] if before.run else []
    upsets, scores = ([single] if single else [] for single in (before.upset, before.score))
    for person, season in own.items():
        counts = people.get(person, Counts())
        for run in _runs(person, season, counts):
            counts = counts._replace(run=run.number, began=run.first if run.number else None)
            runs += [run] if run.number else []
        people[person] = counts._replace(
            titles=(*counts.titles, season.number) if season.champion else counts.titles,
            matches=counts.matches + sum(match.rated is not None for match in season.matches),
        )
        upsets += [Single(person, match.upset, match) for match in season.matches if match.upset]
        scores += [
            Single(person, match.scoreline.score[0], match)
            for match in season.matches
            if match.scoreline.score is not None
        ]
    return replace(
        before,
        people=people,
        run=min(runs, key=lambda run: (-run.number, *_when(run.last, run.person)), default=None),
        upset=min(upsets, key=_above, default=None),
        score=min(scores, key=lambda single: (-single.number, *_when(single.match, single.person)), default=None),
    )


def _runs(person: int, season: OwnSeason, counts: Counts) -> Iterator[Run]:
    """Yield the run someone is on after each match of a season."""
    began = counts.began
    for match, number in in_a_row(season.matches, counts.run):
        began = match if began is None or number <= 1 else began
        yield Run(person, number, began, match)


def _above(upset: Single) -> tuple[int, ...]:
    rating = 0 if upset.match.rated is None else upset.match.rated.theirs
    return (-upset.number, -rating, *_when(upset.match, upset.person))


def _when(match: Played, person: int) -> tuple[int, ...]:
    return match.season, match.round, person


FROM = 2
"""Titles, or matches won in a row, that are worth a record."""
MOST_SEASONS = 12
"""As many seasons as a record names."""


class RecordLine(NamedTuple):
    """A record: what it is, who has it by their numbers, how much it is, and where and in which season that was."""

    title: str
    people: tuple[int, ...]
    number: str
    where: str = ""
    season: int | None = None


def record_lines(records: LeagueRecords, names: Mapping[int, Name]) -> Iterator[RecordLine]:
    """Yield the records there are."""
    titles, run, matches, upset, highest = records.titles, records.run, records.matches, records.upset, records.score
    if titles is not None and titles.number >= FROM:
        seasons = _seasons(records.people[titles.people[0]].titles) if len(titles.people) == 1 else ""
        yield RecordLine("Most titles", titles.people, amount(titles.number, "title"), seasons)
    if run is not None and run.number >= FROM:
        where = f"{_place(run.first)} to {_place(run.last, after=run.first)}"
        yield RecordLine("Longest run", (run.person,), f"{amount(run.number, 'win')} in a row", where, run.last.season)
    if matches is not None:
        yield RecordLine("Most matches", matches.people, amount(matches.number, "match", "matches"))
    if upset is not None:
        rated = f"won{score_words(*upset.match.scoreline)} against {names[upset.match.opponent]}"
        number = f"{rated}, rated {amount(upset.number, 'point')} above"
        yield RecordLine("Biggest upset", (upset.person,), number, _place(upset.match), upset.match.season)
    if highest is not None and highest.match.scoreline.score is not None:
        number = f"{score(*highest.match.scoreline.score)} against {names[highest.match.opponent]}"
        yield RecordLine("Highest score", (highest.person,), number, _place(highest.match), highest.match.season)


def _seasons(numbers: Sequence[int]) -> str:
    return f"season{'s' if len(numbers) > 1 else ''} {first_few([str(number) for number in numbers], MOST_SEASONS)}"


def _place(match: Played, *, after: Played | None = None) -> str:
    """Return where a match was; without its season, where that was said."""
    where = in_sentence(match.where)
    return where if after is not None and after.season == match.season else f"season {match.season}, {where}"
