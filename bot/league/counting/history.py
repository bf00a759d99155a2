"""What happened so far in a season: results, rounds missed or sat out, who is still in it (docs/formats/shared.md)."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

from bot.league.counting.draw import Draw, draw_of
from bot.league.counting.meetings import Meetings, after_past, meetings_before, with_kept_apart
from bot.league.counting.ratings import rated_before
from bot.league.counting.records import Entry, Outcome, Record
from bot.league.counting.seat_holders import people_in_seats
from bot.league.errors import PairingImpossible
from bot.league.season.in_words import first_few
from bot.league.season.model import Departure, Kind, Match, Name, Rating, Round, Season, Stage
from bot.league.season.scales import PointScale

_NAMED = 3
"""How many players who sit out an error names."""

_Asked = ParamSpec("_Asked")
_Computed = TypeVar("_Computed")


class History:
    """A season's results before round `before` (or all of them), counted for the given stages.

    Meetings count from every stage, and so do open matches; tables count results of `stages` alone. `plays` says who
    would play a round, for formats in which not everyone who is still here does; `season` is the season without the
    sit-outs that changed nothing.

    A history can go on from an `earlier` one, of the same season as it was known then: what that counted isn't counted
    again, and the result is the same.
    """

    def __init__(
        self,
        season: Season,
        *,
        before: int | None = None,
        stages: Iterable[Stage] = (Stage.REGULAR,),
        plays: "Callable[[History], Collection[Name]] | None" = None,
        earlier: "History | None" = None,
    ) -> None:
        self.season = season
        self._plays = plays
        self.number = len(season.rounds) + 1 if before is None else before
        counted = tuple(stages)
        self.rounds = tuple(r for r in season.rounds if r.number < self.number)
        self.table_rounds = tuple(r for r in self.rounds if r.stage in counted)
        self._departures: dict[Name, list[Departure]] = {}
        for departure in season.departures:
            self._departures.setdefault(departure.name, []).append(departure)
        self.computed: dict[object, Any] = {}
        """What functions marked with `once` made of this history."""
        self._rated = None if earlier is None else earlier._rated
        self._finished_then = len(earlier.rounds) if earlier is not None and earlier.finished else 0
        self._met: dict[tuple[Stage, ...], Meetings] = {} if earlier is None else {**earlier._met}
        if earlier is None:
            self.records = {entrant.name: Record(name=entrant.name) for entrant in season.entrants}
            self._count(since=0)
        else:
            self._extend(earlier)

    @property
    def pairing_draw(self) -> Draw:
        """The draws of the round being paired."""
        return draw_of(self.season, self.number)

    @property
    def table_draw(self) -> Draw:
        """The draws of tables, cuts and seeds: those of the last finished round, or of round 0."""
        return draw_of(self.season, next((r.number for r in reversed(self.rounds) if r.finished), 0))

    def _counts_like(self, earlier: "History") -> bool:
        """Whether the same rounds and the same people count, so that all counts are equal: as within the finals."""
        departures = [d for d in self.season.departures if not d.is_after(self.number)]
        known_then = [d for d in earlier.season.departures if not d.is_after(self.number)]
        then = (earlier.number, earlier.season.entrants, earlier.season.apart, known_then)
        return then == (self.number, self.season.entrants, self.season.apart, departures)

    def _extend(self, earlier: "History") -> None:
        kept = (
            sit_out
            for sit_out in self.season.sat_out
            if sit_out.round >= earlier.number or sit_out in earlier.season.sat_out
        )
        self.season = replace(self.season, sat_out=tuple(kept))
        if self._counts_like(earlier):
            self.records, self.computed = earlier.records, earlier.computed
            return
        records = earlier.records
        self.records = {
            entrant.name: records[entrant.name].copy() if entrant.name in records else Record(name=entrant.name)
            for entrant in self.season.entrants
        }
        self._count(since=earlier.number)

    def _count(self, *, since: int) -> None:
        """Count the rounds from `since` on, and what players have missed who enter or come back after it."""
        scale, asked = self.season.settings.points, self._sit_outs()
        rounds, coming = {round_.number: round_ for round_ in self.table_rounds}, self._coming(since)
        for number in range(since, self.number + 1):
            for name, missed in coming.get(number, ()):
                self._count_missed(self.records[name], [rounds[number] for number in missed if number in rounds], scale)
            if number in rounds:
                self._count_round(rounds[number], asked.get(number, set()), scale)

    def _count_missed(self, record: Record, missed: Iterable[Round], scale: PointScale) -> None:
        sat_out = {entry.round for entry in record.entries}
        for round_ in missed:
            if round_.number not in sat_out and record.name not in round_.seated:
                record.add(Entry(round_.number, Outcome.UNPAIRED), scale)

    def _count_round(self, round_: Round, asked: set[Name], scale: PointScale) -> None:
        for name in round_.byes:
            self.records[name].add(Entry(round_.number, Outcome.BYE), scale)
        for match in round_.matches:
            if match.kind is not Kind.OPEN:
                self._count_match(round_.number, match, scale)
        for name in self._sat_out(round_, asked) if asked else ():
            self.records[name].add(Entry(round_.number, Outcome.UNPAIRED), scale)

    def _coming(self, since: int) -> dict[int, list[tuple[Name, range]]]:
        """Return who enters or comes back with which round after `since`, and the rounds that passed without them."""
        coming: dict[int, list[tuple[Name, range]]] = {}
        first = {entrant.name: entrant.entered for entrant in self.season.entrants}
        for name, entered in first.items():
            if entered > max(since, 1):
                coming.setdefault(entered, []).append((name, range(1, entered)))
        for gone in self.season.departures:
            if gone.rejoined is not None and gone.rejoined > since:
                missed = range(max(gone.round, first[gone.name]), gone.rejoined)
                coming.setdefault(gone.rejoined, []).append((gone.name, missed))
        return coming

    def _sit_outs(self) -> dict[int, set[Name]]:
        """Return who asked to sit out which round."""
        asked: dict[int, set[Name]] = {}
        for sit_out in self.season.sat_out:
            asked.setdefault(sit_out.round, set()).add(sit_out.name)
        return asked

    def _sat_out(self, round_: Round, asked: set[Name]) -> set[Name]:
        """Return who really sat a round out: they would have played in it, and nobody gave them a match or a bye.

        The others are taken out of `season`, because they don't count later either.
        """
        sat_out = asked.difference(round_.seated) if round_.stage is Stage.REGULAR else set[Name]()
        if sat_out:
            sat_out &= set(self._would_play(round_.number))
        if sat_out != asked:
            kept = (
                sit_out for sit_out in self.season.sat_out if sit_out.round != round_.number or sit_out.name in sat_out
            )
            self.season = replace(self.season, sat_out=tuple(kept))
        return sat_out

    def _would_play(self, number: int) -> Collection[Name]:
        if self._plays is not None:
            return self._plays(History(self.season, before=number))
        return [e.name for e in self.season.entrants if e.entered <= number and self.is_active(e.name, at=number)]

    def _count_match(self, number: int, match: Match, scale: PointScale) -> None:
        beaten = Outcome.DRAW if match.drawn else Outcome.LOSS
        for name, opponent in ((match.upper, match.lower), (match.lower, match.upper)):
            outcome = Outcome.WIN if match.winner == name else beaten
            self.records[name].add(Entry(number, outcome, match, opponent), scale)

    def departure(self, name: Name, *, at: int | None = None) -> Departure | None:
        """Return the departure that keeps an entrant out of round `at` (default: the next), if any."""
        left = self._departures.get(name)
        if left is None:
            return None
        number = self.number if at is None else at
        return next((d for d in left if d.gone_at(number)), None)

    def is_active(self, name: Name, *, at: int | None = None) -> bool:
        """Whether an entrant is still in the season when round `at` is paired, if they had entered by then."""
        return name not in self._departures or self.departure(name, at=at) is None

    def active(self) -> list[Name]:
        """Return who is in the season when the next round is paired, in the order of the entrants."""
        return [e.name for e in self.season.entrants if e.entered <= self.number and self.is_active(e.name)]

    def arriving(self) -> frozenset[Name]:
        """Return who would play their first round, after the start or after a return, in the one being paired."""
        late = {entrant.name for entrant in self.season.entrants if 1 < entrant.entered == self.number}
        return frozenset(late.union(left.name for left in self.season.departures if left.rejoined == self.number))

    def to_pair(self, names: Iterable[Name]) -> list[Name]:
        """Return these players without those who sit the next round out; raises PairingImpossible with too few left."""
        asked, names_left = self._sit_outs().get(self.number, ()), tuple(names)
        playing = [name for name in names_left if name not in asked]
        if len(playing) < 2 and asked:
            away = first_few(sorted(name for name in names_left if name in asked), _NAMED)
            raise PairingImpossible(
                f"too few players are left for round {self.number}, because others sit it out: {away}; "
                "it can be paired once at least two players are there, so ask them to play after all"
            )
        return playing

    def ratings(self) -> dict[Name, Rating]:
        """Return the rating of the person in each seat when the next round is paired."""
        self._rated = rated_before(self.season, self.number, self._rated)
        return {seat: self._rated.of[person] for seat, person in people_in_seats(self.season, self.number).items()}

    def meetings(self, *, stages: tuple[Stage, ...] = tuple(Stage), past: int = 0) -> Meetings:
        """Return who has met when the round is paired: in these stages, and in the `past` seasons before.

        Players kept apart in that round are among them.
        """
        met = self._met.get(stages)
        if met is None or met.before != self.number:
            met = self._met[stages] = meetings_before(self.season, self.number, stages=stages, earlier=met)
        return with_kept_apart(after_past(met, self.season, past), self.season, self.number)

    @cached_property
    def finished(self) -> bool:
        """Whether every match so far has its result."""
        return all(round_.finished for round_ in self.rounds[self._finished_then :])

    def left_between(self) -> list[Name]:
        """Return the players who were here when the last round ended and left before the next is paired."""
        late, leaving = self.arriving(), self.season.departures
        return [d.name for d in leaving if d.round == self.number and not d.after_pairing and d.name not in late]

    def starters(self) -> list[Name]:
        """Return the entrants at the start: round 1 is their first, and they were not gone before it."""
        return [e.name for e in self.season.entrants if e.entered == 1 and self.is_active(e.name, at=1)]


def once(compute: Callable[_Asked, _Computed]) -> Callable[_Asked, _Computed]:
    """Compute what a function makes of a history, its last argument, only once: cut, bye and standings all ask.

    It's kept in the history, by the function and its other arguments.
    """

    def computed(*asked: _Asked.args, **named: _Asked.kwargs) -> _Computed:
        *others, history = asked
        assert isinstance(history, History)
        assert not named
        key = (compute, *others)
        if key not in history.computed:
            history.computed[key] = compute(*asked, **named)
        return history.computed[key]

    return computed
