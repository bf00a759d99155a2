"""What a league file says, read and judged: all that an import needs to know before it saves anything."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from bot.importers.archives import in_file
from bot.importers.numbering import Days
from bot.league.checking.league_file import reading
from bot.league.checking.league_file.league_list import LIST, SeasonInLeague, StartRatings, WholeLeague
from bot.league.checking.season_end import decided
from bot.league.errors import InvalidFile
from bot.league.formats import by_key
from bot.league.formats.swiss.organiser_ties import ties_that_matter
from bot.league.season.model import Ended, Entrant, Name, Round, Season, Stage
from bot.league.season.names import look_alike_key
from bot.league.season.node import quoted
from bot.league.season.phases import LIVE, PLAYING, SeasonPhase
from bot.services.play.prepared import Decided, Label, labels


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContents:
    """A file's season, its phase and champion, what its rounds and matches are called, and what its names look like.

    `settings` are those the file names; the season's own can't be sent between processes. Of a season of another
    program, `days` are its first and its last, `played` those of its matches, `by_date` is whether it has its number by
    them, and `digest` is what it is in short.

    Of a whole league it has `league_names`: what people are called there who have another name in the file, and
    `ratings` is what those at its start count as.
    """

    season: Season
    settings: Mapping[str, Any]
    phase: SeasonPhase
    champion: Name | None
    rounds: tuple[tuple[str, tuple[Label, ...]], ...]
    name_keys: Mapping[Name, str]
    days: Days | None = None
    played: tuple[tuple[date | None, ...], ...] = ()
    by_date: bool = False
    digest: str | None = None
    ratings: StartRatings = StartRatings.GIVEN
    league_names: Mapping[Name, Name] | None = None

    @property
    def people(self) -> tuple[Entrant, ...]:
        """Everyone who has a seat in the season, substitutes too, each once."""
        return _people_of(self.season)

    @property
    def between_rounds(self) -> bool:
        """Whether its season is played on, but has no open round: an organiser posts the next."""
        return self.phase in PLAYING and all(round_.finished for round_ in self.season.rounds)

    @property
    def matches(self) -> int:
        """How many matches it has."""
        return sum(len(round_.matches) for round_ in self.season.rounds)

    @property
    def entries(self) -> int:
        """How many entries the database gets from it, more or less."""
        season = self.season
        lists = (season.entrants, season.substitutes, season.departures, season.sat_out, season.lists, season.decisions)
        return sum(map(len, lists)) + self.matches + sum(len(past.matches) for past in season.past)


def contents_of(data: bytes) -> FileContents:
    """Read a league file and judge where its season stands; raises InvalidFile."""
    return judged(reading.read(data))


def contents_in_league(league: WholeLeague, entry: SeasonInLeague, data: bytes) -> FileContents:
    """Read a league file of a whole league; raises InvalidFile, which names the file."""
    names_here = {person.name for person in league.people}
    try:
        read = contents_of(data)
        unknown = next(
            (person.name for person in read.people if entry.called.get(person.name, person.name) not in names_here),
            None,
        )
        if unknown is not None:
            raise InvalidFile(f"{quoted(unknown)} is not among the people of {LIST}. Add them there or fix the name.")
        matches = [len(round_.matches) for round_ in read.season.rounds]
        if entry.played and [*map(len, entry.played)] != matches:
            raise InvalidFile(f"{LIST} has days of other matches than the file. Take them out there, or fix them.")
    except InvalidFile as wrong:
        raise in_file(entry.file, wrong) from None
    if entry.over and read.phase in LIVE and not read.season.rounds:
        end = decided(read.season)
        read = replace(read, phase=SeasonPhase.FINISHED, champion=end.name if end else None)
    season = _without_ratings(read.season, {*entry.worked_out})
    listed = {"days": entry.days, "played": entry.played, "ratings": entry.ratings}
    return replace(read, season=season, league_names=entry.called, **listed)


def _without_ratings(season: Season, worked_out: Set[Name]) -> Season:
    """Return a season without the ratings that are worked out where it's read."""
    return replace(
        season,
        entrants=tuple(
            replace(entrant, rating=None) if entrant.name in worked_out else entrant for entrant in season.entrants
        ),
        substitutes=tuple(
            replace(substitute, rating=None) if substitute.player in worked_out else substitute
            for substitute in season.substitutes
        ),
    )


def judged(season: Season, *, champion: Name | None = None) -> FileContents:
    """Judge where a season stands; a recorded one may have a champion its file names."""
    phase, won = _end_of(season)
    names = by_key(season.format).round_names(season)
    return FileContents(
        season=replace(season, settings=replace(season.settings, explicit={})),
        settings={key: value for key, value in season.settings.explicit.items() if key != "salt"},
        phase=phase,
        champion=champion or won,
        rounds=tuple(
            (named.round, _labels(season, round_, named.matches))
            for round_, named in zip(season.rounds, names, strict=True)
        ),
        name_keys={
            name: look_alike_key(name) for person in _people_of(season) for name in (person.name, *person.former_names)
        },
    )


def _labels(season: Season, round_: Round, names: Sequence[str]) -> tuple[Label, ...]:
    """Return the labels of matches; under names that were replaced a first choice a file leaves out isn't drawn."""
    complete = labels(season, round_, names)
    if not season.forgotten:
        return complete
    return tuple(
        replace(label, first=None, decided=Decided()) if match.dice_off is None else label
        for match, label in zip(round_.matches, complete, strict=True)
    )


def _people_of(season: Season) -> tuple[Entrant, ...]:
    others = (Entrant(name=row.player, former_names=row.former_names) for row in reversed(season.substitutes))
    return tuple(
        ({person.name: person for person in others} | {person.name: person for person in season.entrants}).values()
    )


def _end_of(season: Season) -> tuple[SeasonPhase, Name | None]:
    """Return a season's phase and champion: recorded ones are over, others as is said or by their rules.

    One whose file says no end goes on while an organiser is to order players who are equal at its top.
    Where groups or the end are kept, the champion is as is said: a draw that decided may have had the name of who is
    forgotten.
    """
    final = season.final
    if final is not None and final.ended is not Ended.RULES:
        return (SeasonPhase.FINISHED if final.ended is Ended.FINISHED else SeasonPhase.CANCELLED), None
    if not by_key(season.format).paired:
        return SeasonPhase.FINISHED, None if final is None else final.champion
    if not season.rounds:  # one whose salt is made has started, and its round 1 was undone
        return (SeasonPhase.SIGNUP if season.settings.salt is None else SeasonPhase.RUNNING), None
    end = decided(season) if season.rounds[-1].finished else None
    if end is None or (final is None and ties_that_matter(season, end)):
        finals = season.rounds[-1].stage is Stage.FINALS
        return (SeasonPhase.FINALS if finals else SeasonPhase.RUNNING), None
    if final is not None and season.keeps_its_end:
        return SeasonPhase.FINISHED, final.champion
    return SeasonPhase.FINISHED, end.name
