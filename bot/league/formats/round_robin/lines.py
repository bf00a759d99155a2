"""What counts for a player of a group: who is struck, their record, scores and points (docs/formats/round-robin.md)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bot.league.counting.history import History
from bot.league.counting.records import Entry, Outcome, Record
from bot.league.counting.standings import TiebreakValue
from bot.league.counting.tiebreaks import DIFFERENCE, SCORED, SONNEBORN_BERGER
from bot.league.season.model import Kind, Match, Name
from bot.league.season.scales import PointScale

_COUNTS_AS_PLAYED = (Kind.PLAYED, Kind.ADJUDICATED)


@dataclass(slots=True, kw_only=True)
class Line:
    """What counts for a player of a group."""

    record: Record
    scored: int = 0
    conceded: int = 0
    sonneborn_berger: Fraction = Fraction(0)
    points_against: dict[Name, int] = field(default_factory=dict[Name, int])
    """The points from the matches against each opponent."""

    @property
    def difference(self) -> int:
        """Return own minus others' score."""
        return self.scored - self.conceded

    @property
    def per_match(self) -> tuple[Fraction, Fraction]:
        """Return points and difference per counted match, 0 where there is none."""
        matches = max(1, self.record.rounds)
        return Fraction(self.record.points, matches), Fraction(self.difference, matches)

    @property
    def tiebreaks(self) -> dict[str, TiebreakValue]:
        """Return the values that standings show."""
        return {DIFFERENCE: self.difference, SCORED: self.scored, SONNEBORN_BERGER: self.sonneborn_berger}


def struck_players(history: History, opponents: Mapping[Name, int], rounds: int) -> frozenset[Name]:
    """Return who left while the regular stage of so many rounds ran, with fewer than half of their matches played.

    `opponents` is how many matches each player has in all.
    """
    played = played_matches(history)
    gone = ((name, history.departure(name)) for name in opponents)
    left = [name for name, departure in gone if departure is not None and departure.round <= rounds]
    return frozenset(name for name in left if 2 * played[name] < opponents[name])


def played_matches(history: History) -> Counter[Name]:
    """Return how many matches each player has played themselves in the regular rounds."""
    matches = (match for round_ in history.table_rounds for match in round_.matches)
    return Counter(name for match in matches if match.kind in _COUNTS_AS_PLAYED for name in match.players)


def lines_of(history: History, names: Iterable[Name], struck: Collection[Name]) -> dict[Name, Line]:
    """Return the lines of these players; nothing of a struck player counts for anyone."""
    lines = {name: Line(record=Record(name=name)) for name in names}
    settings = history.season.settings
    for round_ in history.table_rounds:
        for match in round_.matches:
            if match.kind is not Kind.OPEN and not any(name in struck or name not in lines for name in match.players):
                _count(lines, round_.number, match, settings.points, scores=settings.scores)
    for line in lines.values():
        line.sonneborn_berger = sum(
            (lines[name].record.points * share for name, share in beaten_and_drawn(line)),
            Fraction(0),
        )
    return lines


_SHARES = {Outcome.WIN: Fraction(1), Outcome.DRAW: Fraction(1, 2)}


def beaten_and_drawn(line: Line) -> Iterator[tuple[Name, Fraction]]:
    """Yield each opponent a player won against, or half of it after a draw."""
    for entry in line.record.entries:
        if entry.opponent is not None and entry.outcome in _SHARES:
            yield entry.opponent, _SHARES[entry.outcome]


def _count(lines: Mapping[Name, Line], number: int, match: Match, scale: PointScale, *, scores: bool) -> None:
    own, other = (match.score if scores else match.games) or (0, 0)
    beaten = Outcome.DRAW if match.drawn else Outcome.LOSS
    for name, scored, conceded in ((match.upper, own, other), (match.lower, other, own)):
        line, opponent = lines[name], match.opponent_of(name)
        before = line.record.points
        line.record.add(Entry(number, Outcome.WIN if match.winner == name else beaten, match, opponent), scale)
        line.scored += scored
        line.conceded += conceded
        won = line.record.points - before
        line.points_against[opponent] = line.points_against.get(opponent, 0) + won
