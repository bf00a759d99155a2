"""The rating of two after a match: recorded values of another implementation of TrueSkill, draws and surprises too."""

import json
from pathlib import Path

import pytest

from bot.league.counting.rating_formula import rate
from bot.league.errors import Invalid
from bot.league.season.model import Rating
from bot.league.season.scales import RatingScale

CASES = json.loads(Path(__file__).with_name("ratings.json").read_text(encoding="utf-8"))["cases"]
NEW = Rating(mu=25, sigma=25 / 3)


def test_two_new_players_after_one_match() -> None:
    # TrueSkill's published example without draws.
    winner, loser = rate(NEW, NEW, RatingScale())
    assert (winner.mu, winner.sigma) == pytest.approx((29.205, 7.195), abs=0.001)
    assert (loser.mu, loser.sigma) == pytest.approx((20.795, 7.195), abs=0.001)


def test_ratings_are_the_recorded_ones_to_nine_decimals() -> None:
    refused = 0
    for (mu, sigma, other_mu, other_sigma), (beta, tau, draw), drawn, after in CASES:
        scale = RatingScale(beta=beta, tau=tau, draw_probability=draw)
        two = Rating(mu=mu, sigma=sigma), Rating(mu=other_mu, sigma=other_sigma)
        if after is None:
            refused += 1
            with pytest.raises(Invalid, match="too far apart to compute; fix “rating”"):
                rate(*two, scale, drawn=drawn)
        else:
            values = [value for rating in rate(*two, scale, drawn=drawn) for value in (rating.mu, rating.sigma)]
            assert values == pytest.approx(after, rel=0, abs=5e-10)
    assert refused > 2
