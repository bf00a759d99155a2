"""Ratings, recomputed from results; as people read them, how long they're provisional (docs/formats/shared.md)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import erf, floor, sqrt
from typing import Generic, TypeVar

from bot.league.counting.rating_formula import rate
from bot.league.counting.seat_holders import matches_of_people, people_in_seats, ratings_brought
from bot.league.season.in_words import half_up
from bot.league.season.model import Match, Name, Rating, Season, Stage
from bot.league.season.scales import RatingScale

DECIMALS = 9
"""Rating values are rounded to this many decimals before any comparison."""

ENOUGH_MATCHES = 10
"""A rating is provisional until the person has so many rated matches in the league."""

_SURE = 1_000_000
"""Floats up to so much are exact to far more than its inverse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRating:
    """A rating as people read it, plus or minus its uncertainty."""

    value: int
    uncertainty: int
    provisional: bool


Person = TypeVar("Person", bound=Hashable)
"""Who is rated: a name within a season, the number of a player in a league."""

RatedMatch = tuple[Person, Person, Person | None]
"""The upper and lower player of a rated match, and its winner; None where it was drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSeason(Generic[Person]):
    """A season of a league as ratings see it; `start` is None where a player brings theirs."""

    number: int
    scale: RatingScale
    start: Mapping[Person, Rating | None]
    matches: tuple[RatedMatch[Person], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried(Generic[Person]):
    """What everyone takes out of a league's seasons: their rating, and how many rated matches it rests on.

    `scale` is that of the last of these seasons.
    """

    scale: RatingScale = field(default_factory=RatingScale)
    ratings: Mapping[Person, Rating] = field(default_factory=dict[Person, Rating])
    matches: Mapping[Person, int] = field(default_factory=dict[Person, int])


def new_rating(scale: RatingScale) -> Rating:
    """Return the rating of a new player."""
    return Rating(mu=scale.mu, sigma=scale.sigma)


def after_matches(start: Mapping[Name, Rating], matches: Iterable[Match], scale: RatingScale) -> dict[Name, Rating]:
    """Return the ratings after the matches, in their order; unrated ones change nothing."""
    ratings = dict(start)
    for match in matches:
        if match.rated:
            _rate(ratings, (match.upper, match.lower, match.winner), scale)
    return ratings


def _rate(ratings: dict[Person, Rating], match: RatedMatch[Person], scale: RatingScale) -> None:
    upper, lower, winner = match
    if winner is None and not scale.draw_probability:
        return
    first, second = (lower, upper) if winner == lower else (upper, lower)
    ratings[first], ratings[second] = rate(ratings[first], ratings[second], scale, drawn=winner is None)


def in_turn(
    season: RatedSeason[Person], ratings: dict[Person, Rating]
) -> Iterator[tuple[RatedMatch[Person], tuple[Rating, Rating]]]:
    """Yield each match of a season once it has changed the ratings its people bring, which end up as they are after it.

    With it come the ratings of its upper and lower player before it. A rating noted at the season's start replaces what
    a player brings.
    """
    new = new_rating(season.scale)
    ratings |= {person: noted or ratings.get(person, new) for person, noted in season.start.items()}
    for match in season.matches:
        before = ratings[match[0]], ratings[match[1]]
        _rate(ratings, match, season.scale)
        yield match, before


def after_each(
    seasons: Iterable[RatedSeason[Person]], brought: Carried[Person] | None = None
) -> tuple[Carried[Person], ...]:
    """Return what everyone takes out of each of these seasons, in one pass; `brought` is from those before them."""
    before: Carried[Person] = brought or Carried()
    taken: list[Carried[Person]] = []
    for season in seasons:
        ratings, matches = {**before.ratings}, {**before.matches}
        for (upper, lower, _), _ in in_turn(season, ratings):
            matches[upper] = matches.get(upper, 0) + 1
            matches[lower] = matches.get(lower, 0) + 1
        before = Carried(scale=season.scale, ratings=ratings, matches=matches)
        taken.append(before)
    return tuple(taken)


def with_brought(season: Season, people: Mapping[Name, Person], ratings: Mapping[Person, Rating]) -> Season:
    """Return a season with every rating at its start: where none is noted, what the person brings into it."""
    if all(person.rating is not None for person in (*season.entrants, *season.substitutes)):
        return season
    entrants = (
        replace(entrant, rating=entrant.rating or ratings.get(people[entrant.name])) for entrant in season.entrants
    )
    others = (
        replace(substitute, rating=substitute.rating or ratings.get(people[substitute.player]))
        for substitute in season.substitutes
    )
    return replace(season, entrants=tuple(entrants), substitutes=tuple(others))


def starting_ratings(season: Season) -> dict[Name, Rating]:
    """Return the ratings the people of a season begin with, substitutes included, by their own names."""
    new = new_rating(season.settings.rating)
    return {person: brought or new for person, brought in ratings_brought(season).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """The ratings of the people of a season before round `number`."""

    number: int
    of: dict[Name, Rating]


def rated_before(season: Season, number: int, earlier: Rated | None = None) -> Rated:
    """Return everyone's rating before a round, going on from those before an earlier one."""
    since, ratings = (1, dict[Name, Rating]()) if earlier is None else (earlier.number, earlier.of)
    rounds = (round_ for round_ in season.rounds if since <= round_.number < number)
    matches = (match for round_ in rounds for match in matches_of_people(season, round_))
    return Rated(number=number, of=after_matches(starting_ratings(season) | ratings, matches, season.settings.rating))


def season_ratings(season: Season, *, before: int | None = None) -> dict[Name, Rating]:
    """Return the rating of the person in each seat when round `before`, or the next one, is paired."""
    number = len(season.rounds) + 1 if before is None else before
    rated = rated_before(season, number)
    return {seat: rated.of[person] for seat, person in people_in_seats(season, number).items()}


def ratings_of_the_table(season: Season) -> dict[Name, Rating]:
    """Return the ratings standings show: from the first finals round on, those of the cut (docs/formats/shared.md)."""
    first_final = next((round_.number for round_ in season.rounds if round_.stage is Stage.FINALS), None)
    return season_ratings(season, before=first_final)


def shown_rating(rating: Rating, scale: RatingScale, matches: int) -> ShownRating:
    """Return a rating as people read it, after so many rated matches in the league (docs/formats/shared.md).

    On the usual scale a new player has 1000; each number is rounded to a whole one, halves up.
    """
    first, step = (1000, 40) if scale == RatingScale() else (0, 1)
    mu, sigma = rating.mu, rating.sigma
    value, uncertainty = first + step * (mu - 3 * sigma), 2 * step * sigma
    halves = abs(value % 1 - 0.5), abs(uncertainty % 1 - 0.5)
    if min(halves) < 1 / _SURE or max(abs(value), uncertainty) > _SURE:
        exact, spread = Fraction(mu), Fraction(sigma)  # floats may lie on the wrong side of a half
        value, uncertainty = half_up(first + step * (exact - 3 * spread)), half_up(2 * step * spread)
    else:
        value, uncertainty = floor(value + 0.5), floor(uncertainty + 0.5)
    return ShownRating(value=value, uncertainty=uncertainty, provisional=matches < ENOUGH_MATCHES)


def highest(ratings: Iterable[ShownRating]) -> int | None:
    """Return the highest rating that isn't provisional, if there is one."""
    return max((rating.value for rating in ratings if not rating.provisional), default=None)


def ranking_value(rating: Rating) -> float:
    """Return mu - 3 sigma, rounded: the number the ranking sorts by, best highest."""
    return round(rating.mu - 3 * rating.sigma, DECIMALS)


def expected_against_average(rating: Rating, scale: RatingScale) -> float:
    """Return the chance to beat a player of the default rating."""
    spread = sqrt(2 * scale.beta**2 + rating.sigma**2 + scale.sigma**2)
    return 0.5 * (1 + erf((rating.mu - scale.mu) / spread / sqrt(2)))
