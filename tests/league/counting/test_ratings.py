"""Ratings: TrueSkill over the rated matches, in order, with the season's own scale."""

from dataclasses import replace
from statistics import NormalDist

import pytest

from bot.league.counting.ratings import (
    RatedSeason,
    after_each,
    after_matches,
    expected_against_average,
    in_turn,
    new_rating,
    ranking_value,
    rate,
    season_ratings,
    shown_rating,
)
from bot.league.errors import Invalid
from bot.league.season.model import Entrant, Kind, Match, Name, Rating
from bot.league.season.scales import RatingScale
from tests.league.builders import double_loss, open_match, season, with_round, won

SCALE = RatingScale()
NEW = new_rating(SCALE)


@pytest.mark.parametrize("kind", [Kind.PLAYED, Kind.ADJUDICATED])
def test_played_and_adjudicated_matches_are_rated(kind: Kind) -> None:
    assert season_ratings(with_round(season("ohs", ["a", "b"]), won("a", "b", kind=kind)))[Name("a")].mu > 25


@pytest.mark.parametrize("match", [won("a", "b", kind=Kind.FORFEIT), double_loss("a", "b"), open_match("a", "b")])
def test_nothing_else_is_rated(match: Match) -> None:
    assert season_ratings(with_round(season("ohs", ["a", "b"]), match)) == {"a": NEW, "b": NEW}


def test_a_draw_is_rated_only_where_draws_have_a_probability() -> None:
    drawn = Match(upper=Name("a"), lower=Name("b"), kind=Kind.PLAYED)
    start = {Name("a"): Rating(mu=30.0, sigma=5.0), Name("b"): NEW}
    assert after_matches(start, [drawn], SCALE) == start
    rated = after_matches(start, [drawn], replace(SCALE, draw_probability=0.1))
    assert rated[Name("a")].mu < 30
    assert rated[Name("b")].mu > 25


def test_a_match_counts_once_however_many_games() -> None:
    short = with_round(season("ohs", ["a", "b"]), replace(won("a", "b"), games=(1, 0)))
    long_ = with_round(season("ohs", ["a", "b"]), replace(won("a", "b"), games=(3, 2)))
    assert season_ratings(short) == season_ratings(long_)


def test_ratings_before_a_round_know_only_earlier_ones() -> None:
    one = with_round(season("ohs", ["a", "b"]), won("a", "b"))
    two = with_round(one, won("b", "a"))
    assert season_ratings(two, before=1) == {"a": NEW, "b": NEW}
    assert season_ratings(two, before=2) == season_ratings(one)
    assert season_ratings(two) != season_ratings(one)


def test_a_season_goes_on_from_the_ratings_at_its_start() -> None:
    veteran = Entrant(name=Name("a"), rating=Rating(mu=31.2, sigma=1.9))
    assert season_ratings(season("ohs", [veteran, "b"])) == {"a": veteran.rating, "b": NEW}


def test_a_season_may_have_its_own_scale() -> None:
    other = season("ohs", ["a", "b"], rating={"mu": 1500, "sigma": 500, "beta": 250, "tau": 5})
    assert season_ratings(other)[Name("a")] == Rating(mu=1500.0, sigma=500.0)
    assert season_ratings(with_round(other, won("a", "b")))[Name("a")].mu > 1600


def test_the_ranking_is_what_a_player_is_surely_worth() -> None:
    assert ranking_value(Rating(mu=31.2, sigma=1.9)) == 25.5
    assert ranking_value(NEW) == 0


def test_the_chance_against_an_average_player() -> None:
    assert expected_against_average(NEW, SCALE) == 0.5
    strong = Rating(mu=31.2, sigma=1.9)
    spread = (2 * (25 / 6) ** 2 + 1.9**2 + (25 / 3) ** 2) ** 0.5
    assert expected_against_average(strong, SCALE) == pytest.approx(NormalDist().cdf(6.2 / spread), abs=1e-12)


@pytest.mark.parametrize(
    ("winner", "loser", "drawn"),
    [
        (Rating(mu=-1e6, sigma=1e-6), Rating(mu=1e6, sigma=1e-6), False),
        (Rating(mu=-1e6, sigma=1e-6), Rating(mu=-1e6, sigma=1e-3), True),
        (Rating(mu=25.0, sigma=1e-6), Rating(mu=1e6, sigma=1e6), True),
    ],
)
def test_beliefs_beyond_what_floats_hold_are_refused(winner: Rating, loser: Rating, drawn: bool) -> None:
    scale = RatingScale(beta=1e-6, tau=0.0, draw_probability=0.1)
    with pytest.raises(Invalid, match="fix “rating”"):
        rate(winner, loser, scale, drawn=drawn)


@pytest.mark.parametrize(
    ("rating", "scale", "value", "uncertainty"),
    [
        (NEW, SCALE, 1000, 667),
        (Rating(mu=31.2, sigma=1.9), SCALE, 2020, 152),
        (Rating(mu=10.0, sigma=6.0), SCALE, 680, 480),
        (Rating(mu=1500.5, sigma=350.0), replace(SCALE, mu=1500.0), 451, 700),
        (Rating(mu=2.5, sigma=1.0), replace(SCALE, mu=0.0), 0, 2),
        (Rating(mu=1500.0, sigma=350.25), replace(SCALE, mu=1500.0), 449, 701),
    ],
)
def test_people_read_ratings_rounded_halves_up(
    rating: Rating, scale: RatingScale, value: int, uncertainty: int
) -> None:
    found = shown_rating(rating, scale, 10)
    assert (found.value, found.uncertainty, found.provisional) == (value, uncertainty, False)


def test_a_rating_is_provisional_until_ten_rated_matches() -> None:
    assert [shown_rating(NEW, SCALE, matches).provisional for matches in (0, 9, 10)] == [True, True, False]


def test_a_league_carries_ratings_on_unless_a_season_notes_its_own() -> None:
    def season_of(start: Rating | None) -> RatedSeason[str]:
        return RatedSeason(number=1, scale=SCALE, start={"a": start, "b": None}, matches=(("a", "b", "a"),))

    first, _ = rate(NEW, NEW, SCALE)
    once, twice = after_each([season_of(None), season_of(None)])
    assert once.ratings["a"] == first
    assert twice.ratings["a"] == rate(first, once.ratings["b"], SCALE)[0]
    assert (once.matches, twice.matches) == ({"a": 1, "b": 1}, {"a": 2, "b": 2})
    assert after_each([season_of(None)], once) == (twice,), "it goes on from what is known"
    assert after_each([season_of(NEW)], once)[0].ratings["a"] == rate(NEW, once.ratings["b"], SCALE)[0]
    [(match, before)] = in_turn(season_of(None), {})
    assert (match, before) == (("a", "b", "a"), (NEW, NEW))
