"""What wins, losses, draws and byes come to: of a match, of a seat in a season, of those who shared it, of a career."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.league.counting.history import History
from bot.league.counting.records import Outcome
from bot.league.counting.seat_holders import people_in_seats
from bot.league.counting.standings import Standing
from bot.league.formats.shared.base import Format
from bot.league.season.model import Kind, Name, Season, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Wins, losses and draws; `byes` are among the wins."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        return Tally(
            wins=self.wins + other.wins,
            losses=self.losses + other.losses,
            draws=self.draws + other.draws,
            byes=self.byes + other.byes,
        )

    @property
    def seen_by_opponent(self) -> "Tally":
        """Return the same matches from the other side."""
        return Tally(wins=self.losses, losses=self.wins, draws=self.draws)

    @property
    def matches(self) -> int:
        """How many there are."""
        return self.wins + self.losses + self.draws


def tally_of(line: Standing) -> Tally:
    """Return what a line of the table counts."""
    return Tally(wins=line.wins, losses=line.losses, draws=line.draws, byes=line.byes)


def in_finals(season: Season, seat: Name) -> Tally:
    """Count the matches of a seat in finals beside regular rounds, which the table doesn't have before the end."""
    if season.only_finals:
        return Tally()
    finals = (match for round_ in season.rounds if round_.stage is Stage.FINALS for match in round_.matches)
    ended = [match for match in finals if match.kind is not Kind.OPEN and seat in match.players]
    won = sum(match.winner == seat for match in ended)
    return Tally(wins=won, losses=len(ended) - won)


Entries = Sequence[tuple[int, Outcome]]
"""What each round meant for a seat, by its number."""


def entries_of(format_: Format, season: Season) -> dict[Name, Entries]:
    """Return what each round meant for each seat: those of the table, and the matches of the finals."""
    history = format_.before_finals(season)
    entries = {seat: [(entry.round, entry.outcome) for entry in own.entries] for seat, own in history.records.items()}
    in_table, whole = {round_.number for round_ in history.table_rounds}, season.only_finals
    for seat, own in History(season, stages=(Stage.FINALS,)).records.items():
        more = (entry for entry in own.entries if entry.round not in in_table and (whole or entry.match is not None))
        entries[seat] += [(entry.round, entry.outcome) for entry in more]
    return dict(entries)


def own_rounds(people: Mapping[Name, int], season: Season, entries: Entries, seat: Name, person: int) -> Tally:
    """Count the rounds in which a person sat in a seat that others had, too."""
    return counted([outcome for at, outcome in entries if people[people_in_seats(season, at)[seat]] == person])


def counted(own: Sequence[Outcome]) -> Tally:
    """Count what rounds meant for someone."""
    byes, draws = own.count(Outcome.BYE), own.count(Outcome.DRAW)
    wins = own.count(Outcome.WIN) + byes
    return Tally(wins=wins, losses=len(own) - wins - draws, draws=draws, byes=byes)
