import pytest

from bot.league.errors import WrongPhase
from bot.league.phases import (
    LIVE,
    MATCH_MOVES,
    PLAYING,
    ROUND_MOVES,
    SEASON_MOVES,
    MatchState,
    RoundPhase,
    SeasonPhase,
    require_match_move,
    require_round_move,
    require_season_move,
)


def test_every_phase_says_what_may_follow() -> None:
    assert set(SEASON_MOVES) == set(SeasonPhase)
    assert set(ROUND_MOVES) == set(RoundPhase)
    assert set(MATCH_MOVES) == set(MatchState)


@pytest.mark.parametrize("start", SeasonPhase)
def test_a_season_ends_once_and_every_live_one_can_end(start: SeasonPhase) -> None:
    reached, waiting = {start}, [start]
    while waiting:
        for phase in SEASON_MOVES[waiting.pop()] - reached:
            reached.add(phase)
            waiting.append(phase)
    ends = {SeasonPhase.FINISHED, SeasonPhase.CANCELLED}
    assert reached == {start} if start in ends else ends < reached
    assert (start in LIVE) == (start not in ends)
    assert SeasonPhase.SIGNUP not in reached - {start}


def test_what_is_played_is_live() -> None:
    assert LIVE - {SeasonPhase.SIGNUP} == PLAYING


@pytest.mark.parametrize(
    ("require", "old", "new"),
    [
        (require_season_move, SeasonPhase.SIGNUP, SeasonPhase.RUNNING),
        (require_season_move, SeasonPhase.RUNNING, SeasonPhase.FINALS),
        (require_season_move, SeasonPhase.FINALS, SeasonPhase.FINISHED),
        (require_round_move, RoundPhase.DRAFT, RoundPhase.OPEN),
        (require_round_move, RoundPhase.OPEN, RoundPhase.CLOSED),
        (require_match_move, MatchState.OPEN, MatchState.REPORTED),
        (require_match_move, MatchState.REPORTED, MatchState.DISPUTED),
        (require_match_move, MatchState.DISPUTED, MatchState.CONFIRMED),
    ],
)
def test_the_usual_way_leads_forward_only(require: object, old: object, new: object) -> None:
    require(old, new)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("require", "old", "new"),
    [
        (require_season_move, SeasonPhase.SIGNUP, SeasonPhase.FINISHED),
        (require_season_move, SeasonPhase.FINISHED, SeasonPhase.RUNNING),
        (require_season_move, SeasonPhase.CANCELLED, SeasonPhase.SIGNUP),
        (require_round_move, RoundPhase.DRAFT, RoundPhase.CLOSED),
        (require_round_move, RoundPhase.OPEN, RoundPhase.DRAFT),
        (require_match_move, MatchState.OPEN, MatchState.DISPUTED),
        (require_match_move, MatchState.CONFIRMED, MatchState.REPORTED),
        (require_round_move, RoundPhase.CLOSED, RoundPhase.DRAFT),
    ],
)
def test_a_move_that_is_not_listed_is_refused_with_the_next_step(require: object, old: object, new: object) -> None:
    with pytest.raises(WrongPhase, match=f"is {old} can't become {new}.* /"):
        require(old, new)  # type: ignore[operator]
