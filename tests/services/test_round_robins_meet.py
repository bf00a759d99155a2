"""After everything that can happen in a round robin, what a match or person holds of each feature is right."""

from collections.abc import Mapping

import pytest

from bot.league.errors import LeagueError
from tests.services.conftest import Watched
from tests.services.meeting.cells import AGAIN, KEPT, NEVER
from tests.services.meeting.events import EVENTS
from tests.services.meeting.features import FEATURES
from tests.services.meeting.scene import Moment
from tests.services.meeting.table import TABLE
from tests.services.test_features_meet import moment, require_cell, require_never

STAGES = {"round": "group", "finals": "finals of groups"}
"""What is going on in its place; a bracket from the first round on is another format."""
NO_NEWCOMERS = {"group": "took new players up to round 1", "finals of groups": "is in its finals"}
IMPOSSIBLE: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("waiting list", "offered place", "join request", "claim"), NO_NEWCOMERS),
    "comeback asked": dict.fromkeys(STAGES.values(), "players who left can't come back"),
    "sit-out": dict.fromkeys(STAGES.values(), "no one can sit out a round"),
}
"""What no one can hold once a round robin has started: a word of what they are told."""
SWAPPED = dict.fromkeys(FEATURES, f"{NEVER}no one can swap")
BACK = {"thread": KEPT, "own deadline": KEPT, "agreed time": AGAIN}
"""A player who is back plays the match of the round that leaving forfeited: with its thread, deadline and time."""
CELLS = {
    feature: {
        event: {"swapped": SWAPPED, "reinstated": BACK}.get(event, {}).get(feature, became)
        for event, became in row.items()
        if EVENTS[event].stage in STAGES
    }
    for feature, row in TABLE.items()
    if FEATURES[feature].alone is None and feature not in IMPOSSIBLE
}
QUICK = [("report", "reinstated"), ("thread", "swapped"), ("agreed time", "reinstated"), ("report", "merged")]
"""What `make test` looks at."""


@pytest.mark.long
@pytest.mark.parametrize(("feature", "event"), QUICK)
async def test_what_is_held_in_a_group_is_right_afterwards(db: Watched, feature: str, event: str) -> None:
    begun = await moment(db, FEATURES[feature], STAGES[EVENTS[event].stage])
    assert isinstance(begun, Moment), begun
    await require_cell(begun.again(db), feature, event, CELLS[feature][event], exactly=True)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("feature", CELLS)
async def test_so_it_is_in_groups_after_everything_that_can_happen(db: Watched, feature: str) -> None:
    moments: dict[str, Moment | LeagueError] = {}
    wrong: list[Exception] = []
    for event, became in CELLS[feature].items():
        stage = STAGES[EVENTS[event].stage]
        if stage not in moments:
            moments[stage] = await moment(db, FEATURES[feature], stage)
        begun = moments[stage]
        try:
            if isinstance(begun, LeagueError):
                require_never(became, begun)
            else:
                await require_cell(begun.again(db), feature, event, became, exactly=True)
        except Exception as error:
            error.add_note(f"{feature}: {event}")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} cells of {feature}", wrong)


@pytest.mark.long
@pytest.mark.parametrize("feature", IMPOSSIBLE)
async def test_what_no_one_can_hold_in_a_round_robin_is_refused(db: Watched, feature: str) -> None:
    for stage, why in IMPOSSIBLE[feature].items():
        refused = await moment(db, FEATURES[feature], stage)
        assert why in str(refused)


def test_every_feature_is_decided_or_brings_a_season_of_its_own() -> None:
    alone = {name for name, feature in FEATURES.items() if feature.alone is not None}
    assert CELLS.keys() | IMPOSSIBLE.keys() | alone == FEATURES.keys()
    assert not CELLS.keys() & IMPOSSIBLE.keys()
