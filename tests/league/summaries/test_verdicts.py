"""No one who was told that they're in, or out, is told otherwise later (`make soak` looks 10,000 times)."""

import pytest

from bot.league.summaries.outlook.prospects import Verdict
from tests.examples import mostly_long
from tests.league.summaries.verdicts import looks


@pytest.mark.long
@pytest.mark.parametrize("part", mostly_long(range(5)))
def test_no_verdict_is_taken_back_as_results_come_in(part: int) -> None:
    decided = 0
    for seed in range(part * 12, part * 12 + 12):
        for look in looks(seed):
            assert look.taken_back() == [], (seed, look.season.format)
            decided += sum(prospect.verdict is not Verdict.OPEN for prospect in look.after.players.values())
    assert decided
