"""Pairing by score groups: floats, joined groups, and a plain reading of the rule beside the real one."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.draw import Draw
from bot.league.formats.swiss.score_groups import Group, pair_groups, score_groups
from bot.league.pairing import pair_list
from bot.league.pairing.proposal import Pair
from bot.league.season.model import Name
from tests.examples import examples
from tests.league.builders import met

DRAW = Draw(season=1, round=2)


def groups(*lists: str) -> tuple[Group, ...]:
    """Return groups of one-letter players, the first with most points."""
    return tuple(
        Group(label=f"{len(lists) - number} points", names=tuple(map(Name, letters)))
        for number, letters in enumerate(lists)
    )


def paired(lists: Sequence[str], *meetings: str) -> tuple[Pair, ...]:
    return pair_groups(groups(*lists), met(*((pair[0], pair[1]) for pair in meetings)), DRAW)


def pairs(lists: Sequence[str], *meetings: str) -> str:
    """Return the pairs as `ab cd`."""
    return " ".join("".join(pair.players) for pair in paired(lists, *meetings))


def said(pair: Pair) -> str:
    return " ".join(reason.sentence for reason in pair.reasons)


def test_groups_are_equal_scores_best_first_each_by_the_draw() -> None:
    scores = {Name("ann"): 1, Name("bob"): 2, Name("cid"): 1, Name("dan"): 1}
    found = score_groups(scores, DRAW, unit=("point", "points"))
    assert [group.label for group in found] == ["2 points", "1 point"]
    assert found[0].names == ("bob",)
    texts = {name: f"1/2/order/{name}" for name in ("ann", "cid", "dan")}
    assert list(found[1].names) == sorted(texts, key=lambda name: sha256(texts[name].encode()).hexdigest())


def test_even_groups_stay_apart() -> None:
    assert pairs(["abcd", "ef"]) == "ab cd ef"


def test_the_last_of_an_odd_group_floats_and_is_first_below() -> None:
    assert pairs(["abc", "def"]) == "ab cd ef"
    assert pairs(["abc", "def"], "cd") == "ab ce df"


def test_another_floats_when_the_last_is_needed() -> None:
    # Without c nobody is left for a; without b the others can meet.
    assert pairs(["abc", "d"], "ab") == "ac bd"


def test_who_floated_in_goes_on_only_when_nobody_else_can() -> None:
    # a floats; {a, b, c} is odd again: c goes on, though a stands first.
    assert pairs(["a", "bc", "d"]) == "ab cd"
    assert pairs(["a", "bc", "d"], "ab", "ac") == "bc ad"


def test_a_group_without_a_pairing_takes_in_the_next_whole_group() -> None:
    # Without joining, one of two who met would have to float, and a group of two is even.
    assert pairs(["ab", "cd", "ef"], "ab") == "ac bd ef"


def test_a_joined_group_can_be_odd_and_float_too() -> None:
    assert pairs(["ab", "cde", "f"], "ab") == "ac bd ef"


def test_the_lowest_group_joins_the_one_above_which_is_paired_anew() -> None:
    # One list c d e f: e is stuck, takes c from the pair undone.
    assert pairs(["ab", "cd", "ef"], "ef") == "ab ec df"
    assert pairs(["abc", "d", "ef"], "ef", "cd") == "ab ce df"


def test_the_lowest_group_climbs_until_a_pairing_without_rematch_exists() -> None:
    assert pairs(["ab", "cd", "ef"], "ef", "ce", "cf", "de", "df") == "ea dc bf"


def test_only_the_list_of_everybody_may_hold_a_rematch() -> None:
    found = paired(["ab", "cd"], "ab", "ac", "ad")
    assert [pair.players for pair in found] == [("a", "b"), ("c", "d")]
    assert [pair.rematch for pair in found] == [True, False]


def test_pairs_say_why() -> None:
    first, second, third = paired(["abc", "def"])
    assert first.reasons[0].sentence == "Players with 2 points: 3 in all."
    assert first.reasons[1].sentence.startswith("Unpaired, by draw 1/2/order/NAME: a ")
    assert second.reasons[1].sentence.startswith(
        "c floats down from the players with 2 points, 3 in all: the last in their order,"
        " which ends by draw 1/2/order/NAME: b "
    )
    assert second.reasons[2].sentence.startswith(
        "Unpaired, by group, then draw 1/2/order/NAME: c floated in, d 1 points"
    )
    assert "floats down" not in said(third)
    _, other = paired(["abc", "d"], "ab")
    assert other.reasons[1].sentence.endswith(" but for c: without them the rest would need a rematch.")


def test_joined_groups_say_so_and_list_the_higher_groups_first() -> None:
    first, _, third = paired(["ab", "cde", "f"], "ab")
    assert first.reasons[0].sentence == (
        "Players with 3 points and 2 points are one list, because group by group they would have a rematch: 5 in all."
    )
    assert first.reasons[1].sentence.startswith("Unpaired, by group, then draw 1/2/order/NAME: a 3 points (draw ")
    assert (
        "e floats down from the players with 3 points and 2 points, 5 in all: the last in their order,"
        " which ends by group" in said(third)
    )


def free_of_rematches(names: Sequence[str], forbidden: frozenset[frozenset[str]]) -> bool:
    """Say by trying everything whether an even list has a pairing without rematch."""
    if not names:
        return True
    first, rest = names[0], names[1:]
    return any(
        frozenset((first, other)) not in forbidden
        and free_of_rematches([name for name in rest if name != other], forbidden)
        for other in rest
    )


def matched_without_rematch(names: Sequence[str], forbidden: frozenset[frozenset[str]]) -> bool:
    """Say by another library's matching whether an even list has a pairing without rematch."""
    graph: Any = nx.Graph([pair for pair in combinations(names, 2) if frozenset(pair) not in forbidden])
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(names)


def literal_lists(
    letters: Sequence[str],
    forbidden: frozenset[frozenset[str]],
    free_of_rematches: Callable[[Sequence[str], frozenset[frozenset[str]]], bool] = free_of_rematches,
) -> list[str]:
    """Return the lists the rule pairs, read word for word and trying everything."""
    lists: list[tuple[str, str]] = []
    floated, at = "", 0
    while at < len(letters):
        members, end, out = floated + letters[at], at + 1, None
        while True:
            if len(members) % 2 == 0:
                possible = free_of_rematches(members, forbidden)
            else:
                without = [name for name in members if free_of_rematches(members.replace(name, ""), forbidden)]
                natives = [name for name in without if name not in floated]
                possible, out = bool(without), ([*without, *natives] or [None])[-1]
            if possible or end == len(letters):
                break
            members, end = members + letters[end], end + 1
        lists.append((floated, members))
        floated, at = out or "", end
    while len(lists) > 1 and not free_of_rematches(lists[-1][1], forbidden):
        lowest, above = lists.pop(), lists.pop()
        lists.append((above[0], above[1] + lowest[1].replace(lowest[0], "", 1) if lowest[0] else above[1] + lowest[1]))
    kept = [members for _, members in lists]
    moved = [floated for floated, _ in lists[1:]] + [""]
    return [members.replace(out, "") if out else members for members, out in zip(kept, moved, strict=True)]


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    count = 2 * draw(st.integers(1, 5))
    letters = "abcdefghij"[:count]
    cuts = sorted(draw(st.sets(st.integers(1, count - 1), max_size=4))) if count > 1 else []
    lists = [letters[start:end] for start, end in zip([0, *cuts], [*cuts, count], strict=True)]
    everything = ["".join(pair) for pair in combinations(letters, 2)]
    return lists, draw(st.lists(st.sampled_from(everything), unique=True, max_size=len(everything)))


@given(fields())
@settings(max_examples=examples(300), deadline=None)
def test_the_lists_are_those_of_the_rule_read_word_for_word(field: tuple[list[str], list[str]]) -> None:
    lists, meetings = field
    known = met(*((pair[0], pair[1]) for pair in meetings))
    expected = [
        pair.players
        for members in literal_lists(lists, frozenset(map(frozenset, meetings)))
        for pair in pair_list(tuple(map(Name, members)), known)
    ]
    assert [pair.players for pair in paired(lists, *meetings)] == expected


@pytest.mark.parametrize("seed", range(12))
def test_many_small_groups_join_as_the_rule_says_where_most_have_met(seed: int) -> None:
    random = Random(seed)
    letters = "".join(chr(ord("0") + number) for number in range(24))
    cuts = sorted(random.sample(range(1, 24), random.choice([8, 16, 23])))
    lists = [letters[start:end] for start, end in zip([0, *cuts], [*cuts, 24], strict=True)]
    share = random.choice([0.6, 0.8, 0.9])
    friends = set(random.sample(letters, int(24 * share)))
    all_pairs = ["".join(pair) for pair in combinations(letters, 2)]
    meetings = [pair for pair in all_pairs if friends.issuperset(pair) or (seed % 2 and random.random() < share / 2)]
    known = met(*((pair[0], pair[1]) for pair in meetings))
    expected = [
        pair.players
        for members in literal_lists(lists, frozenset(map(frozenset, meetings)), matched_without_rematch)
        for pair in pair_list(tuple(map(Name, members)), known)
    ]
    assert [pair.players for pair in paired(lists, *meetings)] == expected
