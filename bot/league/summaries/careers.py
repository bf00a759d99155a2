"""What everyone did over a league's seasons, match by match: records, runs, head-to-heads, ratings, best wins.

Byes count as wins in records, as in tables (docs/formats/shared.md); they're no matches, so runs and head-to-heads
have none.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bot.league.counting.ratings import (
    ENOUGH_MATCHES,
    Carried,
    RatedSeason,
    ShownRating,
    in_turn,
    shown_rating,
    with_brought,
)
from bot.league.counting.seat_holders import matches_of_people, people_in_seats
from bot.league.counting.standings import Standing, at_the_end
from bot.league.formats import by_key
from bot.league.formats.shared.base import Format
from bot.league.season.match_score import Result, Scoreline, result_of, scoreline_of
from bot.league.season.model import Kind, Match, Name, Rating, Round, Season, Stage, Status
from bot.league.season.phases import SeasonPhase
from bot.league.summaries.tallies import Tally, counted, entries_of, in_finals, own_rounds, tally_of

DOUBLE_LOSS = "double loss"


class Rated(NamedTuple):
    """What a match did to a rating, as ratings are shown: `value` and `uncertainty` after it.

    `before` and `theirs` are both players' ratings before it, `matches` and `their_matches` how many rated ones they
    had by then.
    """

    value: int
    uncertainty: int
    before: int
    theirs: int
    matches: int
    their_matches: int


class Played(NamedTuple):
    """A match of a player, seen by them: where, the opponent, the `result` (empty while to play), own numbers first.

    A double loss is a result of its own, and counts as a loss.
    """

    season: int
    round: int
    where: str
    opponent: int
    kind: Kind
    result: str
    scoreline: Scoreline
    rated: Rated | None

    @property
    def rating(self) -> ShownRating | None:
        """The rating after it; None where it isn't rated."""
        if self.rated is None:
            return None
        value, uncertainty = self.rated.value, self.rated.uncertainty
        return ShownRating(value=value, uncertainty=uncertainty, provisional=self.rated.matches + 1 < ENOUGH_MATCHES)

    @property
    def upset(self) -> int:
        """How far the opponent was rated above the winner; 0 while a rating was provisional, and where they weren't."""
        rated = self.rated
        if rated is None or self.result != Result.WON or min(rated.matches, rated.their_matches) < ENOUGH_MATCHES:
            return 0
        return max(0, rated.theirs - rated.before)

    @property
    def tally(self) -> Tally:
        """The match alone, as it counts."""
        return Tally(
            wins=int(self.result == Result.WON),
            losses=int(self.result in (Result.LOST, DOUBLE_LOSS)),
            draws=int(self.result == Result.DRAW),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeason:
    """A season of a player: their seat, what they were `called`, their record, their rank among `of`.

    There is a rank where the season has ranks and they have a result.

    `in_group` is the place in their group and what people call it, where there are several. `place` is that in the
    finals, `after` the round the table is of while the season is played. `begun` is whether a round was posted. Where
    others sat in the seat too (`shared_with`), the record is of the player's own rounds.
    """

    number: int
    phase: SeasonPhase
    begun: bool
    seat: Name
    called: Name
    tally: Tally
    rank: int | None
    of: int
    place: int | None
    status: Status
    champion: bool
    after: str
    shared_with: tuple[int, ...]
    matches: tuple[Played, ...]
    in_group: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """How a player did against an opponent, and their newest match that has a result."""

    tally: Tally
    last: Played


class BestWin(NamedTuple):
    """The win over the player rated highest above the winner, or, without `points`, over the highest rated one."""

    opponent: int
    season: int
    rating: int
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """All seasons of a player, oldest first."""

    seasons: tuple[OwnSeason, ...] = ()

    @property
    def tally(self) -> Tally:
        """The record over all seasons."""
        return sum((season.tally for season in self.seasons), Tally())

    @property
    def titles(self) -> tuple[int, ...]:
        """The numbers of the seasons they won, oldest first."""
        return tuple(season.number for season in self.seasons if season.champion)

    @property
    def matches(self) -> tuple[Played, ...]:
        """All matches."""
        return tuple(match for season in self.seasons for match in season.matches)

    @property
    def rated(self) -> tuple[Played, ...]:
        """The matches that changed their rating."""
        return tuple(match for match in self.matches if match.rated is not None)

    def against(self) -> dict[int, Met]:
        """Return how they did against each opponent, those met most often first."""
        tallies: dict[int, Met] = {}
        for match in self.matches:
            if match.result:
                before = tallies.get(match.opponent)
                tallies[match.opponent] = Met(tally=(before.tally if before else Tally()) + match.tally, last=match)
        return dict(sorted(tallies.items(), key=lambda item: -item[1].tally.matches))

    def longest_run(self) -> int:
        """Return the most matches won in a row."""
        return max((run for _, run in in_a_row(self.matches)), default=0)

    def best_win(self) -> BestWin | None:
        """Return the best win: over the one rated highest above the player, once neither rating was provisional.

        Without one it's that over the highest rated opponent.
        """
        wins = [(match, match.rated) for match in self.matches if match.rated and match.result == Result.WON]
        if not wins:
            return None
        upsets = [(match.upset, rated.theirs, match) for match, rated in wins if match.upset]
        if upsets:
            points, rating, match = max(upsets, key=lambda upset: upset[:2])
            return BestWin(match.opponent, match.season, rating, points)
        match, rated = max(wins, key=lambda win: win[1].theirs)
        return BestWin(match.opponent, match.season, rated.theirs, None)


def in_a_row(matches: Iterable[Played], before: int = 0) -> Iterator[tuple[Played, int]]:
    """Yield each match that has a result, with how many were won in a row up to it."""
    run = before
    for match in matches:
        if match.result:
            run = run + 1 if match.result == Result.WON else 0
            yield match, run


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlayed:
    """A season, which player each of its names is, who won it, and the ratings noted at its `start`."""

    record: Season
    people: Mapping[Name, int]
    phase: SeasonPhase
    champion: int | None
    start: Mapping[Any, Rating | None]


def of_season(played: SeasonPlayed, brought: Carried[int]) -> tuple[dict[int, OwnSeason], Carried[int]]:
    """Return what each player did in a season, by their number, and what everyone takes out of it.

    `brought` is what they took out of the seasons before.
    """
    season = with_brought(played.record, played.people, brought.ratings)
    format_, sat = by_key(season.format), _sat(played)
    matches, taken = _matches(played, format_, brought)
    table, over = format_.standings(season), played.phase is SeasonPhase.FINISHED
    lines = {line.name: line for line in (at_the_end(season, table) if over else table)}
    shared = any(len(people) > 1 for people in sat.values())
    entries = entries_of(format_, season) if shared or format_.in_groups else {}
    groups = {
        name: (place_, table.called)
        for table in format_.group_tables(season)
        for place_, name in enumerate(table.order if table.called else (), start=1)
    }
    called = {person: name for name, person in played.people.items()}
    seasons: dict[int, OwnSeason] = {}
    for seat, people in sat.items():
        *_, last = people
        for person in people:
            if person in seasons:
                continue
            line = _seen_by(lines[seat], last=person == last)
            if len(people) > 1:
                tally = own_rounds(played.people, season, entries[seat], seat, person)
            elif format_.in_groups:  # matches of a struck player count in no table, but they were played
                tally = counted([outcome for _, outcome in entries[seat]])
            else:
                tally = tally_of(line) + (Tally() if over else in_finals(season, seat))
            ranked = format_.paired and played.phase is not SeasonPhase.CANCELLED and tally != Tally()
            seasons[person] = OwnSeason(
                number=season.number,
                phase=played.phase,
                begun=bool(season.rounds),
                seat=seat,
                called=called[person],
                tally=tally,
                rank=line.rank if ranked else None,
                of=len(season.entrants),
                place=line.place,
                status=line.status,
                champion=person == played.champion,
                after="" if over else _after(season),
                shared_with=tuple(other for other in people if other != person),
                matches=tuple(matches.get(person, ())),
                in_group=groups.get(seat) if ranked else None,
            )
    return seasons, taken


def _sat(played: SeasonPlayed) -> dict[Name, tuple[int, ...]]:
    """Return who sat in each seat, in order; those of round 1 before it's paired."""
    season = played.record
    numbers = [round_.number for round_ in season.rounds] if season.substitutes else []
    seats: dict[Name, dict[int, None]] = {}
    for number in numbers or [1]:
        for seat, person in people_in_seats(season, number).items():
            seats.setdefault(seat, {})[played.people[person]] = None
    return {seat: tuple(people) for seat, people in seats.items()}


def _matches(
    played: SeasonPlayed, format_: Format, brought: Carried[int]
) -> tuple[dict[int, list[Played]], Carried[int]]:
    """Return everyone's matches in a season, and what they take out of it."""
    season, people, scale = played.record, played.people, played.record.settings.rating
    all_of_it = list(_named(season, format_))
    rated = RatedSeason(
        number=season.number,
        scale=scale,
        start=played.start,
        matches=tuple(
            (people[match.upper], people[match.lower], None if match.winner is None else people[match.winner])
            for _, match, _ in all_of_it
            if match.rated
        ),
    )
    ratings, counts, matches = {**brought.ratings}, {**brought.matches}, dict[int, list[Played]]()
    turns, values, scorelines = in_turn(rated, ratings), dict[int, int](), dict[Scoreline, Scoreline]()
    for round_, match, where in all_of_it:
        sides = people[match.upper], people[match.lower]
        turn: tuple[Rated | None, Rated | None] = (None, None)
        if match.rated:
            _, before = next(turns)
            had = counts.get(sides[0], 0), counts.get(sides[1], 0)
            upper, lower = (
                values.get(side) or shown_rating(rating, scale, 0).value
                for side, rating in zip(sides, before, strict=True)
            )
            after = [shown_rating(ratings[side], scale, 0) for side in sides]
            values |= {side: rating.value for side, rating in zip(sides, after, strict=True)}
            turn = (
                Rated(after[0].value, after[0].uncertainty, upper, lower, had[0], had[1]),
                Rated(after[1].value, after[1].uncertainty, lower, upper, had[1], had[0]),
            )
            counts[sides[0]], counts[sides[1]] = had[0] + 1, had[1] + 1
        for at, name in enumerate(match.players):
            ended, numbers = _result(match, name), scoreline_of(match, name)
            numbers = scorelines.setdefault(numbers, numbers)  # few in a season differ, and a league has thousands
            matches.setdefault(sides[at], []).append(
                Played(season.number, round_.number, where, sides[1 - at], match.kind, ended, numbers, turn[at])
            )
    assert next(turns, None) is None, "a rated match is of the season"
    return matches, Carried(scale=scale, ratings=ratings, matches=counts)


def _named(season: Season, format_: Format) -> Iterator[tuple[Round, Match, str]]:
    for round_, names in zip(season.rounds, format_.round_names(season), strict=True):
        where = place(round_, names.round)
        for match, name in zip(matches_of_people(season, round_), names.matches, strict=True):
            yield round_, match, place(round_, name) if name else where


def place(round_: Round, name: str) -> str:
    """Return where a match was, as the beginning of a line: `Round 3`, `Semi-final 1`."""
    return f"Round {round_.number}" if round_.stage is Stage.REGULAR else name


def _result(match: Match, name: Name) -> str:
    if match.kind is Kind.OPEN:
        return ""
    return DOUBLE_LOSS if match.kind is Kind.DOUBLE_LOSS else result_of(match, name).value


def _seen_by(line: Standing, *, last: bool) -> Standing:
    """Return the line of a seat: a place in the finals is of the person who sat there at the end, who left it too."""
    if last:
        return line
    left = line.status in (Status.DROPPED, Status.DISQUALIFIED)
    return replace(line, place=None, status=Status.ACTIVE if left else line.status)


def _after(season: Season) -> str:
    last = next((round for round in reversed(season.rounds) if round.finished), None)
    return f"after round {last.number}" if last is not None and last.stage is Stage.REGULAR else ""
