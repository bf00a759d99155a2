"""What a pair tells about itself: whom the chooser passed over, what was undone, and why."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.formats.ohs.tier_reasons import PairedUp
from bot.league.history import Meetings
from bot.league.model import Meeting, Name
from bot.league.pairing import pair_list, pair_tier
from bot.league.reasons import (
    AlreadyMet,
    FirstCompletable,
    ForcedRematch,
    LowestRanked,
    MayRefuse,
    MorePassedOver,
    NextInList,
    NobodyLeft,
    NotCompletable,
    PairsUndone,
    RefusalsIgnored,
    WasUndone,
)
from tests.league.literal_pairing import MEETING, meetings, players, random_history

ONE, TWO, THREE, FOUR = (Name(name) for name in ("one", "two", "three", "four"))


def test_a_first_choice_tells_whom_it_passed_over_and_when_they_met() -> None:
    met = Meetings()
    met.add(ONE, TWO, Meeting(season=6, round=2))
    met.add(ONE, THREE, Meeting(season=5))
    pair, _ = pair_list([ONE, TWO, THREE, FOUR], met)

    assert pair.reasons == (
        AlreadyMet(chooser=ONE, other=TWO, meeting=Meeting(season=6, round=2)),
        AlreadyMet(chooser=ONE, other=THREE, meeting=Meeting(season=5)),
        NextInList(chooser=ONE, chosen=FOUR),
    )
    assert [reason.sentence() for reason in pair.reasons] == [
        "one passes over two: they met in season 6, round 2.",
        "one passes over three: they met in season 5.",
        "one, the first in the list without an opponent, takes four, the next not met before.",
    ]


def test_undoing_is_told_at_the_new_pair_and_at_those_it_freed() -> None:
    settled, freed = pair_list([ONE, TWO, THREE, FOUR], meetings([(TWO, FOUR), (THREE, FOUR)]))

    assert settled.players == (THREE, TWO)
    assert settled.reasons == (
        NobodyLeft(chooser=THREE, told=((FOUR, MEETING),)),
        PairsUndone(chooser=THREE, told=((ONE, TWO),)),
        NotCompletable(chooser=THREE, other=ONE),
        FirstCompletable(chooser=THREE, chosen=TWO),
    )
    assert freed.players == (ONE, FOUR)
    assert freed.reasons == (
        WasUndone(upper=ONE, lower=TWO, stuck=THREE),
        NextInList(chooser=ONE, chosen=FOUR),
    )
    assert "three passes over one: then the others could not all be paired" in settled.reasons[2].sentence()
    assert freed.reasons[0].sentence() == "one v two had been set before, and was undone because three had nobody left."


def test_a_forced_rematch_says_when_they_met() -> None:
    (pair,) = pair_list([ONE, TWO], meetings([(ONE, TWO)]))

    assert pair.reasons == (
        NobodyLeft(chooser=ONE, told=((TWO, MEETING),)),
        FirstCompletable(chooser=ONE, chosen=TWO),
        ForcedRematch(chooser=ONE, other=TWO, meeting=MEETING),
    )
    assert "rematch (they met in season 6, round 2)" in pair.reasons[-1].sentence()


def test_a_refusal_names_the_third_player_it_is_decided_by() -> None:
    by_sos = [Name(name) for name in ("dok", "Xorlof", "awesomeunleashed", "Kinseth")]
    ranking = [Name(name) for name in ("dok", "Kinseth", "awesomeunleashed", "Xorlof")]
    dok, xorlof, awesome, kinseth = by_sos
    refusal = MayRefuse(chooser=dok, other=xorlof, position=2, third=kinseth, order="strength of schedule")

    first, _ = pair_tier(by_sos, ranking, Meetings())
    assert first.reasons == (refusal, LowestRanked(chooser=dok, chosen=awesome, order="strength of schedule"))

    first, _ = pair_tier(by_sos, ranking, meetings([(dok, awesome), (dok, kinseth)]))
    assert first.reasons == (
        refusal,
        AlreadyMet(chooser=dok, other=awesome, meeting=MEETING),
        AlreadyMet(chooser=dok, other=kinseth, meeting=MEETING),
        RefusalsIgnored(chooser=dok),
        LowestRanked(chooser=dok, chosen=xorlof, order="strength of schedule"),
    )
    bracket = pair_tier(by_sos, ranking, Meetings(), order="seed")
    assert (
        bracket[0].reasons[0].sentence().startswith("dok passes over Xorlof, who is number 2 by seed, in the top half")
    )


def test_many_are_counted_instead_of_told() -> None:
    names = players(40)
    met = meetings((names[0], other) for other in names[1:31])
    pair = pair_list(names, met)[0]
    tier_pair = pair_tier(names, [names[0], *names[31:], *names[1:31]], met)[0]

    for reasons in (pair.reasons, tier_pair.reasons):
        assert [reason.__class__ for reason in reasons[:10]] == [AlreadyMet] * 10
        assert reasons[10] == MorePassedOver(chooser=names[0], count=20)
        assert len(reasons) == 12

    stuck = pair_list(names, meetings((names[0], other) for other in names[1:]))[0].reasons[0]
    assert isinstance(stuck, NobodyLeft)
    assert (len(stuck.told), stuck.more) == (10, 29)
    assert stuck.sentence().endswith(" and 29 more.")


def test_a_large_tier_tells_as_many_one_by_one_as_a_small_one() -> None:
    names = [Name(f"p{number:03}") for number in range(600)]
    met = meetings((names[0], other) for other in names[-12:])
    reasons = pair_tier(names, names, met)[0].reasons

    assert [reason.other for reason in reasons if isinstance(reason, AlreadyMet)] == names[:-11:-1]
    assert reasons[10] == MorePassedOver(chooser=names[0], count=2)


@given(half=st.integers(1, 20), density=st.sampled_from([0.0, 0.1, 0.4, 0.8]), seed=st.integers(0, 2**32))
def test_the_first_of_a_tier_accounts_for_everybody_below_his_opponent(half: int, density: float, seed: int) -> None:
    by_sos = players(2 * half)
    ranking = Random(seed).sample(by_sos, len(by_sos))
    forbidden = random_history(by_sos, density, seed)
    pairs = pair_tier(by_sos, ranking, meetings(forbidden))
    pair = next(pair for pair in pairs if pair.upper == by_sos[0] or pair.lower == by_sos[0])
    if not isinstance(pair.reasons[-1], LowestRanked) or isinstance(pair.reasons[0], WasUndone):
        return
    ignored = RefusalsIgnored(chooser=pair.upper) in pair.reasons
    others = [name for name in reversed(ranking) if name != pair.upper]
    passed = others if ignored else others[: others.index(pair.lower)]
    told = [reason for reason in pair.reasons if isinstance(reason, AlreadyMet | MayRefuse)]
    more = sum(reason.count for reason in pair.reasons if isinstance(reason, MorePassedOver))

    assert [reason.other for reason in told] == passed[:10]
    assert len(told) + more == len(passed)
    worst_below = list(reversed([name for name in ranking if name in by_sos[half:]]))
    for reason in told:
        if isinstance(reason, MayRefuse):
            assert by_sos[reason.position - 1] == reason.other
            assert reason.third == worst_below[reason.position - 1]
            assert ranking.index(reason.third) > ranking.index(pair.upper)
            assert frozenset((reason.chooser, reason.other)) not in forbidden
        else:
            assert frozenset((reason.chooser, reason.other)) in forbidden


@pytest.mark.parametrize(
    ("candidates", "chosen"),
    [
        (1, "the only one there not paired up before"),
        (3, "the highest-ranked of the 3 there not paired up before"),
    ],
)
def test_a_choice_of_one_is_not_told_as_a_choice_among_several(candidates: int, chosen: str) -> None:
    among = "there not paired up before"
    reason = PairedUp(name=Name("Ann"), origin=2, target=1, candidates=candidates, among=among, draw=None)
    assert reason.sentence() == f"The 1-loss tier was odd, so Ann was paired up from the 2-loss tier: {chosen}."
