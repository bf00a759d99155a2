"""The table of a group: who is struck, points, tie-breaks among equals (docs/formats/round-robin.md)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.records import Entry, Outcome, Record
from bot.league.counting.standings import TiebreakValue
from bot.league.counting.tiebreaks import DIFFERENCE, SCORED, SONNEBORN_BERGER
from bot.league.formats.round_robin.filling import Group
from bot.league.season.choices import TableTiebreak
from bot.league.season.model import Kind, Match, Name
from bot.league.season.scales import PointScale
from bot.league.season.settings import SeasonSettings

POINTS, DRAW, STRUCK = "points", "draw", "struck"
"""What can put a player behind the one before, besides the tie-breaks by their words."""

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


@dataclass(frozen=True, slots=True)
class Ordered:
    """Players in order, best first; `behind` says what put each behind the one before."""

    names: tuple[Name, ...]
    behind: Mapping[Name, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def drawn(self) -> frozenset[Name]:
        """Return the players whose place the draw decided."""
        both = zip(self.names, self.names[1:], strict=False)
        return frozenset(name for pair in both if self.behind[pair[1]] == DRAW for name in pair)

    @property
    def tied_by(self) -> Mapping[Name, str]:
        """Return what put players behind the one before who has as many points, in words."""
        words = {DRAW: "the draw"}
        return {name: words.get(by, by) for name, by in self.behind.items() if by not in (POINTS, STRUCK)}

    @property
    def ranks(self) -> dict[Name, int]:
        """Return the place of each player, the same for those that only the draw tells apart."""
        ranks: dict[Name, int] = {}
        for number, name in enumerate(self.names, start=1):
            tied = number > 1 and self.behind[name] == DRAW
            ranks[name] = ranks[self.names[number - 2]] if tied else number
        return ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables of all groups, and everybody's order."""

    lines: Mapping[Name, Line]
    struck: frozenset[Name]
    orders: tuple[Ordered, ...]
    """The players of each group, best first, struck ones last."""
    everybody: tuple[Name, ...]

    @property
    def places(self) -> dict[Name, tuple[int, int]]:
        """Return the group and the place in it of everyone who has one."""
        return {
            name: (group, place)
            for group, order in enumerate(self.orders, start=1)
            for place, name in enumerate(order.names, start=1)
        }


def ordered(
    group: Group, lines: Mapping[Name, Line], struck: frozenset[Name], settings: SeasonSettings, draw: Draw
) -> Ordered:
    """Return a group in order, struck players last."""
    counted = in_order([name for name in group if name not in struck], lines, settings.tiebreaks, draw)
    last = draw.sort(Purpose.TIEBREAK, [name for name in group if name in struck])
    return Ordered((*counted.names, *last), {**counted.behind, **dict.fromkeys(last, STRUCK)})


def in_order(
    names: Iterable[Name], lines: Mapping[Name, Line], tiebreaks: Sequence[TableTiebreak], draw: Draw
) -> Ordered:
    """Return the players of a group by points, then by the tie-breaks in their order, then by the draw."""
    behind: dict[Name, str] = {}
    order: list[Name] = []
    for equals in _apart(names, lambda name: lines[name].record.points):
        order += _untied(equals, lines, tuple(tiebreaks), draw, behind)
        behind[order[-len(equals)]] = POINTS
    return Ordered(tuple(order), behind)


def _untied(
    names: list[Name],
    lines: Mapping[Name, Line],
    tiebreaks: tuple[TableTiebreak, ...],
    draw: Draw,
    behind: dict[Name, str],
) -> list[Name]:
    """Return players who are equal so far in order.

    Those still equal in the points from their own matches, but fewer, are compared in theirs again first.
    """
    if len(names) < 2:
        return names
    if not tiebreaks:
        behind |= dict.fromkeys(names, DRAW)
        return draw.sort(Purpose.TIEBREAK, names)
    among, (first, *rest) = frozenset(names), tiebreaks
    order: list[Name] = []
    for equals in _apart(names, lambda name: _value(first, lines[name], among)):
        again = first is TableTiebreak.HEAD_TO_HEAD and len(equals) < len(names)
        order += _untied(equals, lines, tiebreaks if again else tuple(rest), draw, behind)
        behind[order[-len(equals)]] = first.words
    return order


def _value(tiebreak: TableTiebreak, line: Line, among: Collection[Name]) -> Fraction | int:
    match tiebreak:
        case TableTiebreak.HEAD_TO_HEAD:
            return sum(points for opponent, points in line.points_against.items() if opponent in among)
        case TableTiebreak.DIFFERENCE:
            return line.difference
        case TableTiebreak.SCORED:
            return line.scored
        case TableTiebreak.SONNEBORN_BERGER:
            return line.sonneborn_berger
        case TableTiebreak.WINS:
            return line.record.wins


def _apart(names: Iterable[Name], value: Callable[[Name], Fraction | int]) -> list[list[Name]]:
    """Return the players in lists of equals, the greatest value first."""
    return [list(equals) for _, equals in groupby(sorted(names, key=value, reverse=True), key=value)]
