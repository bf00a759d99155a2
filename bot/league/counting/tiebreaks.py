"""The tie-breaks of the tournament documents: exact fractions, their short names, rounded to three places.

Every sum is built per player, never by listing.
"""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeVar

from bot.league.counting.records import Outcome, Record
from bot.league.season.in_words import half_up
from bot.league.season.model import Kind, Name

STRENGTH_OF_SCHEDULE = "strength_of_schedule"
EXTENDED_STRENGTH_OF_SCHEDULE = "extended_strength_of_schedule"
OWR = "owr"
OOWR = "oowr"
BEATEN_OPPONENTS_WINS = "beaten_opponents_wins"
GAME_WINS = "game_wins"
GAME_WIN_PERCENTAGE = "game_win_percentage"
DIFFERENCE = "difference"
SCORED = "scored"
SONNEBORN_BERGER = "sonneborn_berger"


class TiebreakName(NamedTuple):
    """How a tie-break is called in tables, what that means, and its term in rules where that isn't what it means."""

    short: str
    meaning: str
    term: str = ""


NAMES: Mapping[str, TiebreakName] = {
    STRENGTH_OF_SCHEDULE: TiebreakName("Opp.", "how strong your opponents were", "strength of schedule"),
    EXTENDED_STRENGTH_OF_SCHEDULE: TiebreakName(
        "Opp. 2", "how strong their opponents were", "extended strength of schedule"
    ),
    BEATEN_OPPONENTS_WINS: TiebreakName("Beaten", "wins of the players you beat"),
    GAME_WINS: TiebreakName("Games", "games won"),
    GAME_WIN_PERCENTAGE: TiebreakName("Game %", "share of games won"),
    DIFFERENCE: TiebreakName("+/−", "own score minus the opponents’"),
    SCORED: TiebreakName("Scored", "own score"),
    SONNEBORN_BERGER: TiebreakName("SB", "points of the opponents beaten, half of those drawn with"),
}
"""In words that anyone understands; the documents call the first two strength of schedule (SoS)."""

Records = Mapping[Name, Record]
_Key = TypeVar("_Key", bound=Hashable)


def win_rates(records: Records) -> dict[Name, dict[str, Fraction]]:
    """Return every entrant's S.O.S. and its parts; byes are wins and games, unpaired losses games (Playstile 2LO).

    OWR is the doubled part (docs/formats/two-loss-out.md). The opponents of the opponents are counted once per meeting,
    the player among them.
    """
    own = {name: (record.wins, record.rounds) for name, record in records.items()}
    opponents = _over_opponents(records, own)
    beyond = _over_opponents(records, opponents)
    rates: dict[Name, dict[str, Fraction]] = {}
    for name in records:
        owr, oowr = 2 * _ratio(*opponents[name]), _ratio(*beyond[name])
        rates[name] = {STRENGTH_OF_SCHEDULE: owr + oowr, OWR: owr, OOWR: oowr}
    return rates


def _over_opponents(records: Records, counted: Mapping[Name, tuple[int, int]]) -> dict[Name, tuple[int, int]]:
    """Add up (wins, games) over every meeting of every player."""
    sums: dict[Name, tuple[int, int]] = {}
    for name, record in records.items():
        met = [counted[opponent] for opponent in record.opponents]
        sums[name] = (sum(wins for wins, _ in met), sum(games for _, games in met))
    return sums


def strength_of_schedule(records: Records) -> dict[Name, Fraction]:
    """Return the mean of the opponents' points per round played; 0 without opponents (KeyForge, Tiebreakers)."""
    return mean_of_opponents(records, {n: _ratio(r.points, r.rounds) for n, r in records.items()})


def mean_of_opponents(records: Records, values: Mapping[Name, Fraction]) -> dict[Name, Fraction]:
    """Return the mean of a value over the opponents; 0 without opponents."""
    # One common denominator turns thousands of additions of fractions into additions of integers.
    denominator = lcm(*{value.denominator for value in values.values()})
    scaled = {name: value.numerator * (denominator // value.denominator) for name, value in values.items()}
    means: dict[Name, Fraction] = {}
    for name, record in records.items():
        met = record.opponents
        means[name] = _ratio(sum(scaled[opponent] for opponent in met), denominator * len(met))
    return means


def beaten_opponents_wins(records: Records) -> dict[Name, int]:
    """Return the sum of the wins of the players each one beat, as they stand now (Lightseekers, ties)."""
    return {name: sum(records[beaten].wins for beaten in record.beaten) for name, record in records.items()}


def games_of(record: Record, best_of: int) -> tuple[int, int]:
    """Return the games won and lost; a forfeit without games counts as the fewest that win the match (Lightseekers)."""
    forfeits = [
        entry.outcome
        for entry in record.entries
        if entry.match is not None and entry.match.kind is Kind.FORFEIT and entry.match.games is None
    ]
    fewest = best_of // 2 + 1
    won, lost = (fewest * forfeits.count(outcome) for outcome in (Outcome.WIN, Outcome.LOSS))
    return record.game_wins + won, record.game_losses + lost


def game_win_percentage(won: int, lost: int) -> Fraction:
    """Return the share of games won, as a fraction of 1; 0 without a game (Lightseekers, ties)."""
    return _ratio(won, won + lost)


def comparable(values: Mapping[_Key, Fraction]) -> dict[_Key, int]:
    """Return whole numbers in exactly the same order, because sorting by them is far quicker.

    Two different fractions with denominators below 2^b differ by more than 4^-b: so many bits tell them apart.
    """
    widest = max((value.denominator for value in values.values()), default=1)
    bits = 2 * widest.bit_length()
    return {key: (value.numerator << bits) // value.denominator for key, value in values.items()}


def _ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def printed(values: Mapping[str, Fraction | float]) -> dict[str, str]:
    """Return tie-breaks as people read them: to 3 places, whole numbers as they are.

    Playstile's document rounds both parts of the S.O.S. and adds them up then: 1.152 + 0.681 = 1.833.
    """
    thousandths = {key: half_up(1000 * Fraction(value)) for key, value in values.items()}
    if OWR in values and OOWR in values:
        thousandths[STRENGTH_OF_SCHEDULE] = thousandths[OWR] + thousandths[OOWR]
    return {
        key: str(value) if isinstance(value, int) else f"{thousandths[key] // 1000}.{thousandths[key] % 1000:03}"
        for key, value in values.items()
    }
