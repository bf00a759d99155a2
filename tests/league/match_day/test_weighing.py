"""What a report means: a table of what was said before, and what is said now."""

from itertools import product

import pytest

from bot.league.match_day.weighing import Meaning, Said, weigh
from bot.league.season.match_score import Result, Scoreline
from bot.league.season.phases import MatchState

WON, LOST, DRAW = map(Said, Result)
WON_2_1, WON_2_0, LOST_1_2 = (
    Said(result, Scoreline(games))
    for result, games in ((Result.WON, (2, 1)), (Result.WON, (2, 0)), (Result.LOST, (1, 2)))
)
OPEN, REPORTED, DISPUTED, CONFIRMED = MatchState
WAITS, COUNTS, DISPUTE, SAME, REFUSED = Meaning

UNTIL_CONFIRMED = [
    # said now, state, mine, theirs, meaning
    (WON, OPEN, None, None, WAITS),
    (DRAW, OPEN, None, None, WAITS),
    (WON_2_1, OPEN, None, None, WAITS),
    (LOST, OPEN, None, None, COUNTS),
    # again
    (WON, REPORTED, WON, None, SAME),
    (WON, REPORTED, WON_2_1, None, SAME),
    (WON_2_1, REPORTED, WON, None, WAITS),
    (WON_2_0, REPORTED, WON_2_1, None, WAITS),
    (DRAW, REPORTED, WON, None, WAITS),
    (LOST, REPORTED, WON, None, COUNTS),
    # after the opponent
    (LOST, REPORTED, None, WON, COUNTS),
    (LOST, REPORTED, None, WON_2_1, COUNTS),
    (LOST_1_2, REPORTED, None, WON, COUNTS),
    (LOST_1_2, REPORTED, None, WON_2_1, COUNTS),
    (LOST_1_2, REPORTED, None, WON_2_0, DISPUTE),
    (DRAW, REPORTED, None, DRAW, COUNTS),
    (WON, REPORTED, None, WON, DISPUTE),
    (DRAW, REPORTED, None, WON, DISPUTE),
    (WON, REPORTED, None, DRAW, DISPUTE),
    # once the moderators are asked
    (WON, DISPUTED, WON, WON, SAME),
    (LOST, DISPUTED, WON, WON, COUNTS),
    (DRAW, DISPUTED, WON, WON, DISPUTE),
    (WON, DISPUTED, WON, None, SAME),
    (WON_2_1, DISPUTED, WON, None, DISPUTE),
    (DRAW, DISPUTED, WON, None, DISPUTE),
    (LOST, DISPUTED, WON, None, COUNTS),
    (LOST, DISPUTED, None, WON, COUNTS),
    (WON, DISPUTED, None, WON, DISPUTE),
]


@pytest.mark.parametrize(("said", "state", "mine", "theirs", "meaning"), UNTIL_CONFIRMED)
def test_what_a_report_means_until_the_result_is_confirmed(
    said: Said, state: MatchState, mine: Said | None, theirs: Said | None, meaning: Meaning
) -> None:
    assert weigh(said, state, mine=mine, theirs=theirs) is meaning


ONCE_CONFIRMED = [
    # said now, what counts for them, theirs, whether it's final, meaning
    (WON, WON, None, True, SAME),
    (WON, WON_2_1, LOST, False, SAME),
    (WON_2_1, WON_2_1, None, True, SAME),
    (WON_2_0, WON_2_1, None, True, REFUSED),
    (LOST, WON, None, True, REFUSED),
    (WON, None, None, True, REFUSED),
    # the opponent reported that they lost, and no one else said anything
    (LOST, WON, LOST, False, DISPUTE),
    (DRAW, WON, LOST, False, DISPUTE),
    (WON_2_1, WON, LOST, False, COUNTS),
    (WON_2_0, WON_2_1, LOST_1_2, False, DISPUTE),
    (LOST, WON, LOST, True, REFUSED),
    # they reported their own loss
    (LOST, LOST, None, False, SAME),
    (WON, LOST, None, False, REFUSED),
]


@pytest.mark.parametrize(("said", "counted", "theirs", "final", "meaning"), ONCE_CONFIRMED)
def test_what_a_report_means_once_a_result_is_confirmed(
    said: Said, counted: Said | None, theirs: Said | None, final: bool, meaning: Meaning
) -> None:
    assert weigh(said, CONFIRMED, theirs=theirs, counted=counted, final=final) is meaning


@pytest.mark.parametrize(
    ("said", "opponent", "both"),
    [(LOST, WON_2_1, LOST_1_2), (LOST_1_2, WON, LOST_1_2), (LOST, WON, LOST), (LOST, None, LOST)],
)
def test_a_score_that_only_one_gives_is_that_of_the_match(said: Said, opponent: Said | None, both: Said) -> None:
    assert said.with_score_of(opponent) == both


def test_two_who_agree_agree_whoever_speaks_first() -> None:
    every = [WON, LOST, DRAW, WON_2_1, WON_2_0, LOST_1_2, Said(Result.DRAW, Scoreline((1, 1)))]
    for one, other in product(every, every):
        assert one.agrees_with(other) == other.agrees_with(one)
        first = weigh(one, REPORTED, theirs=other)
        assert (first is COUNTS) == (weigh(other, REPORTED, theirs=one) is COUNTS)


def test_another_score_is_another_result() -> None:
    won, more = Said(Result.WON, Scoreline((2, 1), (87, 62))), Said(Result.WON, Scoreline(None, (87, 61)))
    assert weigh(Said(Result.LOST, Scoreline(None, (62, 87))), REPORTED, theirs=won) is COUNTS
    assert weigh(Said(Result.LOST, Scoreline((1, 2), (62, 87))), REPORTED, theirs=won) is COUNTS
    assert weigh(Said(Result.LOST, Scoreline((1, 2), (62, 86))), REPORTED, theirs=won) is DISPUTE
    assert weigh(Said(Result.LOST, Scoreline((0, 2), (62, 87))), REPORTED, theirs=won) is DISPUTE
    assert weigh(Said(Result.WON, Scoreline(None, (87, 62))), REPORTED, mine=won) is SAME
    assert weigh(more, REPORTED, mine=won) is WAITS
    assert weigh(more, CONFIRMED, counted=won, theirs=LOST, final=False) is COUNTS
    agreed = Said(Result.LOST, Scoreline(None, (62, 87))).with_score_of(won)
    assert agreed == Said(Result.LOST, Scoreline((1, 2), (62, 87)))
