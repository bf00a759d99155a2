"""Two loss out: bye and pair-up that avoid rematches, against every way to choose them; finals of both kinds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.checking.verify import verify
from bot.league.counting.draw import Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.formats.two_loss_out import TwoLossOut
from bot.league.pairing import fewest_rematches, fewest_with, fewest_without
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import KeptApart, Name, Season, Stage
from tests.examples import examples
from tests.league.builders import (
    by_chance,
    double_loss,
    met,
    names,
    play_season,
    proposed,
    season,
    until,
    with_departure,
    with_round,
    won,
)
from tests.league.turmoil import Ruin, Turmoil

TWO_LOSS_OUT = TwoLossOut()


def fewest(players: frozenset[Name], meetings: Meetings) -> int:
    """Return the fewest rematches of any pairing of an even number of players, by trying all."""

    @cache
    def of(left: frozenset[Name]) -> int:
        if not left:
            return 0
        one = min(left)
        return min((meetings.between(one, other) is not None) + of(left - {one, other}) for other in left - {one})

    return of(players)


def choices(history: History, group: Sequence[Name], playing: Sequence[Name]) -> Iterator[tuple[int, str, str]]:
    """Yield the rematches that each bye and pair-up needs, the bye's draw first; "" where there is none."""
    draw, met_by_now = history.pairing_draw, history.meetings()
    for bye in draw.sort(Purpose.BYE, group) if len(playing) % 2 else [""]:
        pools = [[n for n in playing if n != bye and (history.records[n].losses > 0) == lost] for lost in (False, True)]
        for up in draw.sort(Purpose.PAIR_UP, pools[1]) if len(pools[0]) % 2 else [""]:
            upper, lower = {*pools[0], *({Name(up)} if up else ())}, {*pools[1]} - {up}
            yield fewest(frozenset(upper), met_by_now) + fewest(frozenset(lower), met_by_now), bye, up


def bye_group(history: History, playing: Sequence[Name]) -> list[Name]:
    """Return who the bye is drawn among, word for word."""
    records = history.records
    for lost in (True, False):
        group = [n for n in playing if (records[n].losses > 0) == lost and not records[n].byes]
        if group:
            return group
    return [n for n in playing if records[n].byes == min(records[other].byes for other in playing)]


def check_round(now: Season, proposal: Proposal) -> None:
    history = TWO_LOSS_OUT.before_finals(now)
    playing = [name for pair in proposal.pairs for name in pair.players] + [bye.name for bye in proposal.byes]
    if max(history.records[name].losses for name in playing) > 1:
        return  # a round that is played again
    losses = {name: history.records[name].losses for name in playing}
    undefeated = {pair.tier: pair for pair in proposal.pairs}.keys() & {"Pool Undefeated"}
    ups = [n for p in proposal.pairs if p.tier in undefeated for n in p.players if losses[n]]
    least, bye, up = min(choices(history, bye_group(history, playing), playing), key=lambda choice: choice[0])
    assert ([bye.name for bye in proposal.byes], ups) == ([bye] if bye else [], [up] if up else [])
    assert proposal.rematches == least


@pytest.mark.long
@given(players=st.integers(3, 11), seed=st.integers(0, 10**6), cut=st.sampled_from((1, 2, 4)))
@settings(max_examples=examples(150), deadline=None)
def test_bye_and_pair_up_are_the_first_by_the_draw_with_the_fewest_rematches(players: int, seed: int, cut: int) -> None:
    random = Random(seed)
    start = season(TWO_LOSS_OUT, players, number=seed % 97, cut=cut)
    apart = [
        KeptApart(players=both, round=random.randint(1, 3)) for both in combinations(names(players), 2) if seed % 3 == 0
    ]
    start = replace(start, apart=tuple(random.sample(apart, len(apart) // 6)))
    events = (Turmoil, Ruin)[seed % 2](seed, 0.05)
    played = play_season(start, by_chance(seed), events)
    for proposal in played.proposals:
        if proposal.stage is Stage.REGULAR and proposal.number > 1:
            check_round(until(played.season, proposal.number), proposal)


@given(
    pairs=st.sets(st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda two: two[0] < two[1])),
    size=st.sampled_from((1, 3, 5, 7)),
)
@settings(max_examples=examples(200), deadline=None)
def test_the_rematches_of_an_odd_list_with_one_more_or_less_are_those_of_each_list(
    pairs: set[tuple[int, int]], size: int
) -> None:
    everyone = names(9)
    meetings = met(*((everyone[one - 1], everyone[other - 1]) for one, other in pairs))
    order, others = everyone[:size], everyone[size:]
    assert fewest_with(order, others, meetings) == {name: fewest_rematches((*order, name), meetings) for name in others}
    assert fewest_without(order, meetings) == {
        name: fewest_rematches([one for one in order if one != name], meetings) for name in order
    }


@pytest.mark.long
def test_other_losses_take_the_first_by_the_draw() -> None:
    """The document speaks of two losses: with others a rematch isn't avoided by another bye."""
    skipped = 0
    for seed in range(40):
        for losses in (2, 3):
            played = play_season(season(TWO_LOSS_OUT, 7, number=seed, losses=losses, cut=1), by_chance(seed))
            reasons = [
                reason.sentence for proposal in played.proposals for bye in proposal.byes for reason in bye.reasons
            ]
            told = sum("because the round would then need more rematches" in sentence for sentence in reasons)
            assert losses == 2 or not told
            skipped += told
    assert skipped


@pytest.mark.long
def test_reasons_name_who_was_skipped_for_bye_and_pair_up() -> None:
    told = set[str]()
    for seed in range(60):
        start = season(TWO_LOSS_OUT, 7 + seed % 4, number=seed, cut=1)
        for proposal in play_season(start, by_chance(seed)).proposals:
            for decided in (*proposal.byes, *proposal.pairs):
                told |= {
                    reason.sentence.partition(":")[0]
                    for reason in decided.reasons
                    if "because the round would then need more rematches" in reason.sentence
                }
    assert told == {"Skipped for the bye", "Skipped for Undefeated"}


# -- finals ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@given(players=st.integers(12, 40), seed=st.integers(0, 10**6), cut=st.sampled_from((8, 16)))
@settings(max_examples=examples(60), deadline=None)
def test_before_the_final_undefeated_meet_one_loss_where_that_can_be(players: int, seed: int, cut: int) -> None:
    played = play_season(season(TWO_LOSS_OUT, players, number=3, cut=cut), by_chance(seed), Turmoil(seed, 0.03))
    finals = [proposal for proposal in played.proposals if proposal.stage is Stage.FINALS]
    for proposal in finals:
        records = TWO_LOSS_OUT.before_finals(until(played.season, finals[0].number)).records
        kinds = {sum(records[name].losses > 0 for name in pair.players) for pair in proposal.pairs}
        assert not {0, 2} <= kinds


def finals_of(winners: str) -> Season:
    """Return a season of 16 whose quarter-finals, 1 against 8 and so on, these seeds won."""
    before = play_season(season(TWO_LOSS_OUT, 16, number=1), lambda upper, lower, _: min(upper, lower)).season
    first = next(round_ for round_ in before.rounds if round_.stage is Stage.FINALS)
    seeds = {str(number): name for name, number in TWO_LOSS_OUT.seeds(before).items()}
    now = until(before, first.number)
    chosen = {seeds[winner] for winner in winners}
    matches = (won(*sorted(match.players, key=lambda name: name not in chosen)) for match in first.matches)
    return with_round(now, *matches, stage=Stage.FINALS)


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ("1234", "14 23"),  # all undefeated: nothing to do
        ("8765", "58 67"),  # none: nothing to do
        ("1734", "14 37"),  # two undefeated, and a match that is mixed already
        ("1764", "17 46"),  # 1 v 4 undefeated and 7 v 6 with a loss: 4 and 7 change places
        ("8235", "28 35"),
    ],
)
def test_the_lower_players_of_two_matches_change_places(winners: str, expected: str) -> None:
    now = finals_of(winners)
    seeds = TWO_LOSS_OUT.seeds(now)
    pairs = {"".join(str(seeds[name]) for name in pair.players) for pair in proposed(now).pairs}
    assert pairs == {*expected.split()}


# -- a round played again ----------------------------------------------------------------------------------------------


def replayed(*gone: str, after_pairing: bool = False) -> Season:
    """Return a season in which one loss is enough, everyone lost round 1, and these left."""
    now = season(TWO_LOSS_OUT, "abcd", number=1, losses=1, cut=1)
    now = with_round(now, double_loss("c", "b"), double_loss("d", "a"))
    for name in gone:
        now = with_departure(now, name, 1 if after_pairing else 2, after_pairing=after_pairing)
    return now


@pytest.mark.parametrize("gone", ["", "a", "b", "c", "d", "ab", "cd", "bd"])
@pytest.mark.parametrize("after_pairing", [False, True])
def test_a_round_that_left_nobody_is_played_again_by_two_of_those_still_here(gone: str, after_pairing: bool) -> None:
    now = replayed(*gone, after_pairing=after_pairing)
    here = TWO_LOSS_OUT.before_finals(now).table_draw.sort(Purpose.TIEBREAK, names_of("abcd", gone))
    [pair] = proposed(now).pairs
    assert {*pair.players} == {*here[:2]}


def names_of(letters: str, gone: str) -> list[Name]:
    return [Name(letter) for letter in letters if letter not in gone]


@pytest.mark.parametrize("left", ["a", "b", "c", "d", ""])
def test_who_alone_is_left_to_play_again_is_the_champion(left: str) -> None:
    now = replayed(*(letter for letter in "abcd" if letter != left))
    assert TWO_LOSS_OUT.next_round(now) == Champion(name=Name(left) if left else None)


def test_a_round_that_left_one_in_who_left_since_is_not_played_again() -> None:
    now = with_round(season(TWO_LOSS_OUT, "abc", number=1, losses=1, cut=1), double_loss("b", "c"), byes="a")
    assert TWO_LOSS_OUT.next_round(now) == Champion(name=Name("a"))
    assert TWO_LOSS_OUT.next_round(with_departure(now, "a", 2)) == Champion(name=None)


@given(seed=st.integers(0, 10**6), players=st.integers(2, 9), losses=st.integers(1, 3))
@settings(max_examples=examples(100), deadline=None)
def test_a_season_of_double_losses_ends_with_the_last_who_is_still_in(seed: int, players: int, losses: int) -> None:
    start = season(TWO_LOSS_OUT, players, number=2, losses=losses, cut=1)
    played = play_season(start, by_chance(seed), Ruin(seed))
    left = TWO_LOSS_OUT.remaining(TWO_LOSS_OUT.before_finals(played.season))
    assert played.end == Champion(name=left[0] if left else None)
    assert len(left) < 2
    assert verify(played.season).agrees
