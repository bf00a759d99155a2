from typing import Any

import pytest

from bot.league.errors import WrongPhase
from bot.league.season.phases import (
    LIVE,
    MATCH_MOVES,
    PLAYING,
    ROUND_MOVES,
    SEASON_MOVES,
    MatchState,
    RoundPhase,
    SeasonPhase,
    require_move,
)


def test_every_phase_says_what_may_follow() -> None:
    assert set(SEASON_MOVES) == set(SeasonPhase)
    assert set(ROUND_MOVES) == set(RoundPhase)
    assert set(MATCH_MOVES) == set(MatchState)


@pytest.mark.parametrize("start", SeasonPhase)
def test_every_live_season_can_end_and_one_that_is_over_opens_only_for_its_finals(start: SeasonPhase) -> None:
    reached, waiting = {start}, [start]
    while waiting:
        for phase in SEASON_MOVES[waiting.pop()] - reached:
            reached.add(phase)
            waiting.append(phase)
    ends = {SeasonPhase.FINISHED, SeasonPhase.CANCELLED}
    assert reached == {start} if start is SeasonPhase.CANCELLED else ends <= reached
    assert SEASON_MOVES[SeasonPhase.FINISHED] == {SeasonPhase.FINALS}
    assert (start in LIVE) == (start not in ends | {SeasonPhase.UNPUBLISHED})
    assert SeasonPhase.SIGNUP not in reached - {start} or start is SeasonPhase.UNPUBLISHED


def test_what_is_played_is_live() -> None:
    assert LIVE - {SeasonPhase.SIGNUP} == PLAYING


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SeasonPhase.SIGNUP, SeasonPhase.RUNNING),
        (SeasonPhase.RUNNING, SeasonPhase.FINALS),
        (SeasonPhase.FINALS, SeasonPhase.FINISHED),
        (RoundPhase.DRAFT, RoundPhase.OPEN),
        (RoundPhase.OPEN, RoundPhase.CLOSED),
        (MatchState.OPEN, MatchState.REPORTED),
        (MatchState.REPORTED, MatchState.DISPUTED),
        (MatchState.DISPUTED, MatchState.CONFIRMED),
    ],
)
def test_the_usual_way_leads_forward_only(old: Any, new: Any) -> None:
    require_move(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SeasonPhase.SIGNUP, SeasonPhase.FINISHED),
        (SeasonPhase.FINISHED, SeasonPhase.RUNNING),
        (SeasonPhase.CANCELLED, SeasonPhase.SIGNUP),
        (RoundPhase.DRAFT, RoundPhase.CLOSED),
        (RoundPhase.OPEN, RoundPhase.DRAFT),
        (MatchState.OPEN, MatchState.DISPUTED),
        (RoundPhase.CLOSED, RoundPhase.DRAFT),
    ],
)
def test_a_move_that_is_not_listed_is_refused_with_the_next_step(old: Any, new: Any) -> None:
    with pytest.raises(WrongPhase, match=f"is {old} can't become {new}.* /"):
        require_move(old, new)
