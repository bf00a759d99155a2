"""The pairing engine: the published cases, the literal text, and the laws of every pairing."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.meetings import Meetings
from bot.league.pairing import fewest_rematches, last_omissible, pair_list, pair_tier
from bot.league.pairing.proposal import Pair
from bot.league.season.model import Name
from tests.examples import examples
from tests.league.pairing.literal_pairing import (
    Forbidden,
    fewest_by_force,
    literal_list,
    literal_tier,
    matching_size,
    meetings,
    players,
    random_history,
)

DENSITIES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97, 1.0])
SEEDS = st.integers(0, 2**32)


def names_of(pairs: tuple[Pair, ...]) -> list[tuple[Name, Name]]:
    return [pair.players for pair in pairs]


def numbered(text: str) -> list[tuple[Name, Name]]:
    """Read `5v3 4v6` as pairs."""
    return [(Name(pair.split("v")[0]), Name(pair.split("v")[1])) for pair in text.split()]


def history(text: str) -> Forbidden:
    return frozenset(frozenset(pair) for pair in numbered(text))


@pytest.mark.parametrize(
    ("size", "met", "expected", "rematches"),
    [
        pytest.param(8, "", "1v2 3v4 5v6 7v8", 0, id="no history"),
        pytest.param(8, "5v6", "1v2 3v4 5v7 6v8", 0, id="5 has played 6: 7"),
        pytest.param(8, "5v6 5v7", "1v2 3v4 5v8 6v7", 0, id="then 8"),
        pytest.param(8, "5v6 5v7 5v8", "1v2 5v3 4v6 7v8", 0, id="undo 3 v 4: 5 v 3"),
        pytest.param(8, "5v6 5v7 5v8 3v5", "1v2 5v4 3v6 7v8", 0, id="then 5 v 4"),
        pytest.param(4, "2v4 3v4", "3v2 1v4", 0, id="the memoryless text never ends here"),
        pytest.param(4, "1v2 1v3 1v4", "1v2 3v4", 1, id="one has met everybody"),
        pytest.param(2, "1v2", "1v2", 1, id="two who met"),
        pytest.param(0, "", "", 0, id="nobody"),
    ],
)
def test_lists_of_the_rules(size: int, met: str, expected: str, rematches: int) -> None:
    pairs = pair_list([Name(str(number + 1)) for number in range(size)], meetings(history(met)))

    assert names_of(pairs) == numbered(expected)
    assert sum(pair.rematch for pair in pairs) == rematches


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        pytest.param("", "dokvawesomeunleashed XorlofvKinseth", id="the example of the document"),
        pytest.param("dokvawesomeunleashed dokvKinseth", "dokvXorlof awesomeunleashedvKinseth", id="refusal ignored"),
        pytest.param("XorlofvKinseth", "Xorlofvawesomeunleashed dokvKinseth", id="stuck and undone"),
    ],
)
def test_tiers_of_the_rules(met: str, expected: str) -> None:
    by_sos = [Name(name) for name in ("dok", "Xorlof", "awesomeunleashed", "Kinseth")]
    ranking = [Name(name) for name in ("dok", "Kinseth", "awesomeunleashed", "Xorlof")]

    assert names_of(pair_tier(by_sos, ranking, meetings(history(met)))) == numbered(expected)


@settings(max_examples=examples(150), deadline=None)
@given(half=st.integers(1, 7), density=DENSITIES, seed=SEEDS)
def test_a_list_is_paired_word_for_word(half: int, density: float, seed: int) -> None:
    names = players(2 * half)
    forbidden = random_history(names, density, seed)

    assert names_of(pair_list(names, meetings(forbidden))) == literal_list(names, forbidden)


@settings(max_examples=examples(150), deadline=None)
@given(half=st.integers(1, 7), density=DENSITIES, seed=SEEDS)
def test_a_tier_is_paired_word_for_word(half: int, density: float, seed: int) -> None:
    by_sos = players(2 * half)
    forbidden = random_history(by_sos, density, seed)
    ranking = Random(seed).sample(by_sos, len(by_sos))

    assert names_of(pair_tier(by_sos, ranking, meetings(forbidden))) == literal_tier(by_sos, ranking, forbidden)


@settings(deadline=None)
@given(met=st.sets(st.sampled_from([frozenset(pair) for pair in combinations(range(6), 2)])))
def test_small_lists_and_tiers_are_paired_word_for_word(met: set[frozenset[int]]) -> None:
    names = players(6)
    forbidden = frozenset(frozenset(names[number] for number in pair) for pair in met)
    ranking = names[::-1]

    assert names_of(pair_list(names, meetings(forbidden))) == literal_list(names, forbidden)
    assert names_of(pair_tier(names, ranking, meetings(forbidden))) == literal_tier(names, ranking, forbidden)


def check_laws(pairs: tuple[Pair, ...], names: list[Name], forbidden: Forbidden, fewest: int) -> None:
    assert sorted(name for pair in pairs for name in pair.players) == sorted(names)
    assert [pair.rematch for pair in pairs] == [frozenset(pair.players) in forbidden for pair in pairs]
    assert sum(pair.rematch for pair in pairs) == fewest


@settings(max_examples=examples(60), deadline=None)
@given(half=st.integers(0, 4), density=DENSITIES, seed=SEEDS)
def test_small_fields_have_the_fewest_rematches_of_all_pairings(half: int, density: float, seed: int) -> None:
    names = players(2 * half)
    forbidden = random_history(names, density, seed)
    fewest = fewest_by_force(names, forbidden)
    met = meetings(forbidden)

    check_laws(pair_list(names, met), names, forbidden, fewest)
    check_laws(pair_tier(names, Random(seed).sample(names, len(names)), met), names, forbidden, fewest)
    assert fewest_rematches(names, met) == fewest


@settings(max_examples=examples(60), deadline=None)
@given(half=st.integers(5, 20), density=DENSITIES, seed=SEEDS)
def test_larger_fields_have_the_fewest_rematches_by_networkx(half: int, density: float, seed: int) -> None:
    names = players(2 * half)
    forbidden = random_history(names, density, seed)
    fewest = half - matching_size(names, forbidden)
    met = meetings(forbidden)

    check_laws(pair_list(names, met), names, forbidden, fewest)
    check_laws(pair_tier(names, Random(seed).sample(names, len(names)), met), names, forbidden, fewest)
    assert fewest_rematches(names, met) == fewest


@settings(max_examples=examples(60), deadline=None)
@given(half=st.integers(0, 6), density=DENSITIES, seed=SEEDS)
def test_the_last_without_whom_the_rest_has_no_rematch_is_omissible(half: int, density: float, seed: int) -> None:
    names = players(2 * half + 1)
    forbidden = random_history(names, density, seed)

    expected = [name for name in names if matching_size([other for other in names if other != name], forbidden) == half]
    assert last_omissible(names, meetings(forbidden)) == (expected[-1] if expected else None)


@given(half=st.integers(1, 8), density=DENSITIES, seed=SEEDS)
def test_the_order_of_the_history_does_not_matter(half: int, density: float, seed: int) -> None:
    names = players(2 * half)
    forbidden = random_history(names, density, seed)
    listed = sorted(sorted(pair) for pair in forbidden)
    shuffled = Random(seed).sample(listed, len(listed))
    strangers = [[names[0], "someone else"], ["a third", "a fourth"]]

    assert pair_list(names, meetings(listed)) == pair_list(names, meetings([*shuffled, *strangers]))
    assert pair_tier(names, names, meetings(listed)) == pair_tier(names, names, meetings([*shuffled, *strangers]))


def test_an_odd_list_is_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        pair_list(players(3), Meetings())


@pytest.mark.long
def test_a_season_longer_than_everybody_against_everybody() -> None:
    """64 players, paired again and again, never meet twice before they have to."""
    names = players(64)
    forbidden: Forbidden = frozenset()
    for number in range(66):
        ranking = Random(number).sample(names, len(names))
        met = meetings(forbidden)
        pairs = pair_tier(names, ranking, met) if number % 2 else pair_list(names, met)
        check_laws(pairs, names, forbidden, 32 - matching_size(names, forbidden))
        forbidden |= {frozenset(pair.players) for pair in pairs}


def test_a_clique_at_the_end_of_a_long_list_is_spread_over_the_pairs_before_it() -> None:
    names = [Name(f"p{number:04}") for number in range(1000)]
    clique = names[-21:]
    forbidden = frozenset(frozenset((one, other)) for one in clique for other in clique if one != other)
    pairs = pair_list(names, meetings(forbidden))

    check_laws(pairs, names, forbidden, 0)
    untouched = [(names[number], names[number + 1]) for number in range(0, 900, 2)]
    assert names_of(pairs)[:450] == untouched
