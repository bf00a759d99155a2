"""The records of a league in words, the same on Discord and on pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.league.bracket.match_names import in_sentence
from bot.league.season.in_words import amount, first_few
from bot.league.season.match_score import score, score_words
from bot.league.season.model import Name
from bot.league.summaries.careers import Played
from bot.league.summaries.league_records import LeagueRecords

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
