"""The rating of two people after a match, by the model of TrueSkill, as both engines compute it.

See docs/formats/shared.md.
"""

from functools import lru_cache
from math import exp, log, pi, sqrt

from bot.league.errors import Invalid
from bot.league.season.model import Rating
from bot.league.season.scales import RatingScale

_ERFC = (
    *(0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807),
    *(-0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223),
)
"""The coefficients of erfc (Numerical Recipes, erfcc), good to seven digits, which are part of every rating."""

_FIRST_GUESS = (2.30753, 0.27061, 0.99229, 0.04481, 0.70711)
_SLOPE = 2 / sqrt(pi)
_OUT_OF_DIGITS = ArithmeticError("out of digits")


def rate(winner: Rating, loser: Rating, scale: RatingScale, *, drawn: bool = False) -> tuple[Rating, Rating]:
    """Return both ratings after one match; raises Invalid for beliefs so far apart that floats can't hold them."""
    won, lost = winner.sigma**2 + scale.tau**2, loser.sigma**2 + scale.tau**2
    variance = won + lost + 2 * scale.beta**2
    spread = sqrt(variance)
    difference, margin = (winner.mu - loser.mu) / spread, _draw_margin(scale) / spread
    try:
        shift, surer = _after_a_draw(difference, margin) if drawn else _after_a_win(difference - margin)
        spreads = [sqrt(each * (1 - each / variance * surer)) for each in (won, lost)]
        if not all(spreads):
            raise _OUT_OF_DIGITS
        return (
            Rating(mu=winner.mu + won / spread * shift, sigma=spreads[0]),
            Rating(mu=loser.mu - lost / spread * shift, sigma=spreads[1]),
        )
    except (ArithmeticError, ValueError):  # one or the other, by where the digits run out
        raise Invalid(
            f"the ratings {winner.mu:g} ± {winner.sigma:g} and {loser.mu:g} ± {loser.sigma:g} are too far apart "
            "to compute; fix “rating”, usually near 25 ± 8"
        ) from None


def _after_a_win(expected: float) -> tuple[float, float]:
    """Return how far the means move and how much surer both ratings become, in the spread of the difference."""
    share = _below(expected)
    shift = _density(expected) / share if share else -expected
    surer = shift * (shift + expected)
    if not 0 < surer < 1:
        raise _OUT_OF_DIGITS
    return shift, surer


def _after_a_draw(difference: float, margin: float) -> tuple[float, float]:
    size = abs(difference)
    upper, lower = margin - size, -margin - size
    share = _below(upper) - _below(lower)
    shift = (_density(lower) - _density(upper)) / share
    surer = shift**2 + (upper * _density(upper) - lower * _density(lower)) / share
    return (-shift if difference < 0 else shift), surer


@lru_cache(maxsize=8)
def _draw_margin(scale: RatingScale) -> float:
    """Return how near each other the performances of two are when they draw."""
    return -sqrt(2) * _inverse_erfc(scale.draw_probability + 1) * sqrt(2) * scale.beta


def _density(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def _below(x: float) -> float:
    """Return the share of a normal distribution below x."""
    return _erfc(-x / sqrt(2)) / 2


def _erfc(x: float) -> float:
    step, exponent = 1 / (1 + abs(x) / 2), 0.0
    for coefficient in _ERFC:
        exponent = exponent * step + coefficient
    rest = step * exp(exponent - x * x)
    return 2 - rest if x < 0 else rest


def _inverse_erfc(y: float) -> float:
    """Return the inverse of erfc: a first guess and two steps of Newton."""
    mirrored = y >= 1
    target = 2 - y if mirrored else y
    step = sqrt(-2 * log(target / 2))
    above, slope, below, square, factor = _FIRST_GUESS
    x = -factor * ((above + step * slope) / (1 + step * (below + step * square)) - step)
    for _ in range(2):
        error = _erfc(x) - target
        x += error / (_SLOPE * exp(-x * x) - x * error)
    return -x if mirrored else x
