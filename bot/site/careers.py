"""What everyone did over the seasons: each match and the rating after it, head-to-heads, most wins in a row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.league.bracket.match_names import RoundNames
from bot.league.checking.by_hand import is_by_organiser
from bot.league.counting.ratings import ShownRating, in_turn, shown_rating
from bot.league.counting.seat_holders import matches_of_people, people_in_seats
from bot.league.season.match_score import Result, result_of
from bot.league.season.model import Kind, Match, Name, Rating, Round, Season, Stage
from bot.league.season.phases import SeasonPhase
from bot.site import words
from bot.site.facts import LeagueFacts, SeasonFacts


class Played(NamedTuple):
    """A match of a player: where, how it ended for them (empty while it's to play), and their rating after it."""

    season: int
    where: str
    opponent: int
    result: str
    games: str
    how: str
    rating: ShownRating | None
    by_hand: bool
    stopped: bool


@dataclass(slots=True)
class Tally:
    """Wins, losses and draws, and the newest match they are of."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    last: Played | None = None

    def add(self, one: Played) -> None:
        """Count a match; a double loss is a loss."""
        self.wins += one.result == "won"
        self.losses += one.result in ("lost", "double loss")
        self.draws += one.result == "draw"
        self.last = one

    @property
    def record(self) -> str:
        """Wins and losses, and draws where there are any."""
        return words.record(self.wins, self.losses, self.draws)

    @property
    def last_time(self) -> str:
        """How the newest match ended for them, and where it was."""
        if self.last is None:
            return ""
        where = self.last.where
        return f"{self.last.result}, season {self.last.season}, {where[:1].lower()}{where[1:]}"


@dataclass(slots=True)
class Career:
    """All of one player, oldest first: `seats` is the seat they sat in by season, `shared` those with others in it."""

    matches: list[Played] = field(default_factory=list[Played])
    seats: dict[int, Name] = field(default_factory=dict[int, Name])
    shared: set[int] = field(default_factory=set[int])

    @property
    def rated(self) -> list[Played]:
        """The matches that changed their rating."""
        return [one for one in self.matches if one.rating is not None]

    def by_season(self) -> dict[int, list[Played]]:
        """Return the matches of each season, newest season first."""
        found: dict[int, list[Played]] = {number: [] for number in sorted(self.seats, reverse=True)}
        for one in self.matches:
            found.setdefault(one.season, []).append(one)
        return found

    def against(self) -> dict[int, Tally]:
        """Return how they did against each opponent, those met most often first."""
        found: dict[int, Tally] = {}
        for one in self.matches:
            if one.result:
                found.setdefault(one.opponent, Tally()).add(one)
        return dict(sorted(found.items(), key=lambda item: -(item[1].wins + item[1].losses + item[1].draws)))

    def longest_run(self) -> int:
        """Return the most wins in a row."""
        longest = run = 0
        for one in self.matches:
            if one.result:
                run = run + 1 if one.result == "won" else 0
                longest = max(longest, run)
        return longest


def careers(league: LeagueFacts, named: Mapping[int, Sequence[RoundNames]]) -> Mapping[int, Career]:
    """Return everyone's career by the number of the player, with the names of the rounds of each season."""
    found = {one.id: Career() for one in league.players}
    ratings: dict[int, Rating] = {}
    counts: dict[int, int] = dict.fromkeys(found, 0)
    turns = ((season, match) for season in league.rated for match, _ in in_turn(season, ratings))
    for facts in league.seasons:
        _take_seats(facts, found)
        for round_, match, where in _matches(facts.record, named[facts.number]):
            sides = [facts.people[name] for name in match.players]
            after: list[ShownRating | None] = [None, None]
            if match.rated:
                season, _ = next(turns)
                for at, side in enumerate(sides):
                    counts[side] += 1
                    after[at] = shown_rating(ratings[side], season.scale, counts[side])
            for at, name in enumerate(match.players):
                found[sides[at]].matches.append(
                    Played(
                        season=facts.number,
                        where=where,
                        opponent=sides[1 - at],
                        result=_result(match, name),
                        games=words.games_of(match, name),
                        how=words.how(match),
                        rating=after[at],
                        by_hand=is_by_organiser(round_.by_hand),
                        stopped=facts.phase is SeasonPhase.CANCELLED,
                    )
                )
    return found


def _take_seats(facts: SeasonFacts, found: Mapping[int, Career]) -> None:
    record = facts.record
    numbers = [round_.number for round_ in record.rounds] if record.substitutes else []
    sat = [(seat, person) for number in numbers or [1] for seat, person in people_in_seats(record, number).items()]
    seats: dict[Name, set[int]] = {}
    for seat, person in sat:
        seats.setdefault(seat, set()).add(facts.people[person])
        found[facts.people[person]].seats.setdefault(facts.number, seat)
    for people in seats.values():
        if len(people) > 1:
            for one in people:
                found[one].shared.add(facts.number)


def _matches(record: Season, named: Sequence[RoundNames]) -> Iterator[tuple[Round, Match, str]]:
    for round_, names in zip(record.rounds, named, strict=True):
        for match, name in zip(matches_of_people(record, round_), names.matches, strict=True):
            yield round_, match, place(round_, name or names.round)


def place(round_: Round, name: str) -> str:
    """Return where a match was, as the beginning of a line: `Round 3`, `Semi-final 1`."""
    return f"Round {round_.number}" if round_.stage is Stage.REGULAR else name


def _result(match: Match, name: Name) -> str:
    if match.kind is Kind.OPEN:
        return ""
    if match.kind is Kind.DOUBLE_LOSS:
        return "double loss"
    return {Result.WON: "won", Result.LOST: "lost", Result.DRAW: "draw"}[result_of(match, name)]
