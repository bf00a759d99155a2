"""Every short reason is so: read against the round it's about, in seasons by chance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.model import Season
from bot.services.play.prepared import prepared
from tests.examples import examples
from tests.league.builders import after, proposed, season
from tests.league.formats.short_reasons import read, rounds, told

BY_RESULTS = [format_ for format_ in ALL if not format_.fixed_rounds]
"""Every format but round robin, whose table alone says who meets."""


@pytest.mark.parametrize("format_", BY_RESULTS, ids=lambda format_: format_.key)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=examples(8), deadline=None)
def test_whoever_is_called_left_met_lowest_or_unbeaten_is_so(format_: Format, seed: int) -> None:
    for before, proposal in rounds(format_.key, seed):
        for reading, line in told(before, proposal):
            read(reading, line)


@pytest.mark.long
def test_a_sentence_that_is_not_so_is_found() -> None:
    changes = {
        "the only one left": "the only ones left",
        "were the last two left": "were the last two left, and had met",
        "got the next one:": "got the next one they hadn't met:",
        "player left: ": "player they hadn't met, of those who couldn't refuse: ",
        "has fewer rematches": "has fewer rematches or players kept apart",
        "The unbeaten players were": "The players with 1 loss were",
        "already paired, were taken apart: ": "already paired, were taken apart: p01 got p01, ",
    }
    untouched = set(changes)
    for seed in range(60):
        for before, proposal in rounds("ohs", seed):
            for reading, line in told(before, proposal):
                for words in [words for words in untouched if words in line]:
                    with pytest.raises((AssertionError, ValueError)):
                        read(reading, line.replace(words, changes[words]))
                    untouched.discard(words)
    assert not untouched


def labels(now: Season) -> set[str]:
    return {match.tier for match in prepared(now, proposed(now)).matches}


def test_a_match_between_groups_says_both_records_and_where_all_are_level_none_does() -> None:
    six = ["a", "b", "c", "d", "e", "f"]
    for format_, mixed, level in (
        ("ohs", "unbeaten v 1 loss", "both unbeaten"),
        ("two-loss-out", "unbeaten v 1 loss", "both unbeaten"),
        ("keyforge-swiss", "1 point v 0 points", "both 1 point"),
        ("lightseekers-swiss", "1 win v 0 wins", "both 1 win"),
    ):
        start = season(format_, six, **({"cut": 2} if format_ == "two-loss-out" else {}))
        assert labels(start) == {""}
        later = labels(after(start, "ab", "cd", "ef"))
        turned = " v ".join(reversed(mixed.split(" v ")))
        assert level in later
        assert later & {mixed, turned}
        assert all(label.startswith("both ") or label in (mixed, turned) for label in later)
