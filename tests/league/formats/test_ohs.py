"""OHS tiers, the regular stage: first round, byes, tiers, pair-ups, strength of schedule."""

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import NormalDist
from typing import NamedTuple

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import after_past, meetings_before
from bot.league.counting.ratings import ranking_value, season_ratings
from bot.league.formats import by_key
from bot.league.formats.ohs.tiers import Orders, tiers, was_paired_up
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Entrant, Kind, Name, PastSeason, Rating, Season
from tests.examples import examples
from tests.league.builders import (
    as_sets,
    by_chance,
    double_loss,
    first_by_name,
    names,
    play_season,
    season,
    shuffled,
    until,
    with_round,
    won,
)
from tests.league.turmoil import Turmoil

OHS = by_key("ohs")


def pair(now: Season) -> Proposal:
    answer = OHS.next_round(now)
    assert isinstance(answer, Proposal)
    return answer


def meets(proposal: Proposal, name: str) -> str:
    (found,) = [two for two in proposal.pairs if name in two.players]
    return found.lower if found.upper == name else found.upper


def tier_of(proposal: Proposal, name: str) -> int:
    (found,) = [two for two in proposal.pairs if name in two.players]
    tiers = (re.fullmatch(r"The (\d+)-loss tier: \d+ players\.", reason.sentence) for reason in found.reasons)
    return next(int(tier[1]) for tier in tiers if tier)


class PairedUp(NamedTuple):
    name: str
    origin: int
    target: int
    why: str


def paired_up(proposal: Proposal) -> list[PairedUp]:
    moved = r"(\w+) is paired up from the (\d+)-loss tier into the odd (\d+)-loss tier: (.*)"
    told = [re.fullmatch(moved, reason.sentence) for two in proposal.pairs for reason in two.reasons]
    return [PairedUp(found[1], int(found[2]), int(found[3]), found[4]) for found in told if found]


def rated(**ratings: float) -> list[Entrant]:
    """Return players of sure ratings: they hardly change, so that rankings are known."""
    return [Entrant(name=Name(name), rating=Rating(mu=mu, sigma=0.1)) for name, mu in ratings.items()]


# -- round 1 -----------------------------------------------------------------------------------------------------------


def test_the_first_round_pairs_neighbours_in_the_drawn_order() -> None:
    order = Draw(season=7, round=1).sort(Purpose.ORDER, names(8))
    assert [two.players for two in pair(season("ohs", 8)).pairs] == [*zip(order[::2], order[1::2], strict=True)]


def test_the_salt_draws_another_order() -> None:
    salted = season("ohs", 8, salt="0123456789abcdef")
    order = Draw(season=7, round=1, salt="0123456789abcdef").sort(Purpose.ORDER, names(8))
    assert [two.players for two in pair(salted).pairs] == [*zip(order[::2], order[1::2], strict=True)]


@pytest.mark.parametrize(("past", "avoided"), [(6, True), (5, True), (4, False)])
def test_the_first_round_avoids_the_previous_two_seasons(past: int, avoided: bool) -> None:
    order = Draw(season=7, round=1).sort(Purpose.ORDER, names(8))
    proposal = pair(season("ohs", 8, past={past: [(order[0], order[1])]}))
    assert meets(proposal, order[0]) == order[2 if avoided else 1]
    assert proposal.rematches == 0


def test_a_first_round_of_forced_rematches_counts_them() -> None:
    every = [(first, second) for first in names(4) for second in names(4) if first < second]
    assert pair(season("ohs", 4, past={6: every})).rematches == 2


def test_the_first_round_tells_both_drawn_places() -> None:
    upper = pair(season("ohs", 8)).pairs[0]
    both, told = upper.players, upper.reasons[0]
    assert told.sentence.startswith(f"Unpaired, by draw 7/1/order/NAME: {both[0]} ")
    assert told.sentence.endswith(" and 5 more.")
    assert told.draws[:2] == tuple(f"7/1/order/{name}" for name in both)


# -- byes --------------------------------------------------------------------------------------------------------------


def test_the_bye_goes_to_the_smallest_draw() -> None:
    proposal = pair(season("ohs", 7))
    assert [bye.name for bye in proposal.byes] == [Draw(season=7, round=1).first(Purpose.BYE, names(7))]
    assert "7/1/bye/" in " ".join(reason.sentence for reason in proposal.byes[0].reasons)


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    had = [bye.name for proposal in play_season(season("ohs", 5, rounds=5, cut=0)).proposals for bye in proposal.byes]
    assert sorted(had) == sorted(names(5))


def test_byes_of_the_lowest_tier_come_from_there() -> None:
    for number in range(1, 12):
        now = with_round(
            season("ohs", 5, number=number, bye_among="lowest"), won("p01", "p02"), won("p03", "p04"), byes=["p05"]
        )
        assert pair(now).byes[0].name in ("p02", "p04")


def test_a_bye_among_the_lowest_goes_to_nobody_twice_while_somebody_has_none() -> None:
    now = with_round(season("ohs", 3, bye_among="lowest"), won("p01", "p02"), byes=["p03"])
    assert [bye.name for bye in pair(now).byes] == ["p02"]
    now = with_round(now, won("p01", "p03"), byes=["p02"])
    # p02 and p03 have one loss each and a bye each; p01 has no loss, and no bye.
    assert [bye.name for bye in pair(now).byes] == ["p01"]
    now = with_round(now, won("p02", "p03"), byes=["p01"])
    # Everyone has had one: p03 has two losses, the others fewer.
    assert [bye.name for bye in pair(now).byes] == ["p03"]


def test_a_bye_among_the_lowest_is_told_by_byes_and_then_losses() -> None:
    now = with_round(season("ohs", 5, bye_among="lowest"), won("p01", "p02"), won("p03", "p04"), byes=["p05"])
    [bye] = pair(now).byes
    first, second = bye.reasons
    listed = "Players by byes, then most losses: p02 0 (losses 1), p04 0 (losses 1), p01 0 (losses 0)"
    assert first.sentence.startswith(listed)
    assert "of the 2 with the fewest byes and, of those, the most losses" in second.sentence


# -- strength of schedule ----------------------------------------------------------------------------------------------


def schedule(now: Season) -> dict[str, float]:
    return {standing.name: standing.tiebreaks["strength_of_schedule"] for standing in OHS.standings(now)}


def chance(now: Season, name: str) -> float:
    rating = season_ratings(now)[Name(name)]
    spread = (2 * (25 / 6) ** 2 + rating.sigma**2 + (25 / 3) ** 2) ** 0.5
    return NormalDist().cdf((rating.mu - 25) / spread)


def test_strength_of_schedule_is_the_mean_chance_of_the_opponents() -> None:
    now = with_round(season("ohs", 5), won("p01", "p02"), won("p03", "p04"), byes=["p05"])
    now = with_round(now, won("p01", "p03"), won("p05", "p02"), byes=["p04"])
    found = schedule(now)
    assert found["p01"] == pytest.approx((chance(now, "p02") + chance(now, "p03")) / 2, abs=1e-9)
    assert found["p04"] == pytest.approx(chance(now, "p03") / 2, abs=1e-9), "a bye counts 0"
    assert all(value == round(value, 9) for value in found.values())


def test_missed_rounds_count_nothing_in_strength_of_schedule() -> None:
    late = Entrant(name=Name("late"), entered=2)
    now = season("ohs", [*names(4), "p05", late])
    now = with_round(now, won("p01", "p02"), won("p03", "p04"), byes=["p05"])
    now = with_round(now, won("p01", "p03"), won("p02", "late"), won("p05", "p04"))
    assert schedule(now)["late"] == pytest.approx(chance(now, "p02") / 2, abs=1e-9)


def test_nobody_met_yet_is_no_schedule() -> None:
    assert set(schedule(season("ohs", 4)).values()) == {0.0}


# -- tiers and pair-ups ------------------------------------------------------------------------------------------------


def three_and_three() -> Season:
    # The stronger p02, the stronger the schedule of p01, and so on.
    players = rated(p01=20, p02=28, p03=21, p04=26, p05=22, p06=24)
    return with_round(season("ohs", players), won("p02", "p01"), won("p04", "p03"), won("p06", "p05"))


def test_an_odd_tier_takes_one_of_the_bottom_half_and_the_median() -> None:
    chosen: set[str] = set()
    for number in range(1, 30):
        now = replace(three_and_three(), number=number)
        proposal = pair(now)
        (moved,) = paired_up(proposal)
        # By strength of schedule the losers are p01, p03, p05; the bottom half with the median is p03 and p05.
        assert moved.name == Draw(season=number, round=2).first(Purpose.PAIR_UP, [Name("p03"), Name("p05")])
        assert (moved.origin, moved.target) == (1, 0)
        assert tier_of(proposal, moved.name) == 0
        assert {tier_of(proposal, name) for name in ("p02", "p04", "p06")} == {0}
        chosen.add(moved.name)
    assert chosen == {"p03", "p05"}


def test_who_is_paired_up_comes_last_by_schedule() -> None:
    history = History(three_and_three())
    field = Orders(history, history.pairing_draw)
    top, bottom = tiers(field, names(6))
    assert top.sorted(field)[:3] == ["p06", "p04", "p02"], "the strongest beaten first"
    assert top.joined is not None
    assert top.sorted(field)[3] == top.joined
    assert len(bottom.sorted(field)) == 2


def test_the_empty_tier_between_is_skipped() -> None:
    # p01 has no loss, the others two.
    players = rated(p01=30, p02=25, p03=24, p04=23)
    now = season("ohs", players)
    now = with_round(now, won("p01", "p02"), double_loss("p03", "p04"))
    now = with_round(now, won("p01", "p03"), double_loss("p02", "p04"))
    (moved,) = paired_up(pair(now))
    assert (moved.origin, moved.target) == (2, 0)
    # p02 and p03 have met someone with fewer losses only in round 2 (p03: one against none); p02 is the best left.
    assert moved.name == "p02"
    assert moved.why.startswith("the highest ranked not paired up before, by ranking (mu - 3 sigma) [as shown]: ")


def test_from_a_tier_of_two_losses_the_highest_ranked_is_paired_up() -> None:
    players = rated(p01=20, p02=21, p03=22, p04=23, p05=24, p06=25, p07=26, p08=27)
    now = season("ohs", players)
    now = with_round(now, won("p01", "p02"), won("p03", "p04"), won("p05", "p06"), won("p07", "p08"))
    now = with_round(now, won("p01", "p03"), won("p05", "p07"), won("p02", "p04"), double_loss("p06", "p08"))
    # No loss: 1, 5; one: 2, 3, 7; two: 4, 6, 8. Nobody was paired up so far.
    (moved,) = paired_up(pair(now))
    assert (moved.name, moved.origin, moved.target) == ("p08", 2, 1)
    assert "draw" not in moved.why


def test_who_was_paired_up_is_not_paired_up_again() -> None:
    players = rated(p01=20, p02=28, p03=21, p04=19, p05=22, p06=18)
    now = with_round(season("ohs", players), won("p02", "p01"), won("p04", "p03"), won("p06", "p05"))
    now = with_round(now, won("p02", "p04"), won("p03", "p06"), won("p01", "p05"))
    # Without a loss: p02. With one, by strength of schedule: p01, p04, p06, p03, and p03 was paired up in round 2.
    for number in range(1, 12):
        (moved, *_) = paired_up(pair(replace(now, number=number)))
        assert (moved.name, moved.origin, moved.target) == ("p06", 1, 0)


def test_paired_up_means_fewer_losses_then() -> None:
    now = season("ohs", names(4))
    now = with_round(now, won("p01", "p02"), won("p03", "p04"))
    now = with_round(now, won("p02", "p01"), won("p03", "p04"))  # by hand: p02 plays up and wins
    records = History(now).records
    assert [was_paired_up(records[name], records) for name in names(4)] == [False, True, False, True]


def test_where_everybody_was_paired_up_somebody_is_again() -> None:
    players = rated(p01=30, p02=25, p03=24, p04=23)
    now = with_round(season("ohs", players), won("p01", "p02"), won("p03", "p04"))
    now = with_round(now, won("p01", "p03"), won("p02", "p04"))
    now = with_round(now, won("p01", "p04"), won("p03", "p02"))
    up, again = paired_up(pair(now))
    assert (up.name, up.origin, up.target) == ("p03", 1, 0)
    assert (again.name, again.origin, again.target) == ("p04", 3, 2), "they played p01 with two losses more"
    assert "there, as everyone was paired up before" in again.why


def test_where_schedule_and_ranking_are_equal_the_reasons_name_the_draws_that_decide() -> None:
    now = with_round(season("ohs", 8), *(won(f"p0{n}", f"p0{n + 1}") for n in (1, 3, 5, 7)))
    by_draw = Draw(season=7, round=2).sort(Purpose.TIEBREAK, map(Name, ("p01", "p03", "p05", "p07")))
    first = pair(now).pairs[0]
    assert first.players == (by_draw[0], by_draw[-1])
    shown = [f"draw {Draw(season=7, round=2).value(Purpose.TIEBREAK, name)[:8]}" for name in by_draw]
    _, by_schedule, by_ranking, _ = first.reasons
    assert by_schedule.sentence.startswith(
        "Unpaired, by strength of schedule, then ranking (mu - 3 sigma) [as shown], then draw 7/2/tiebreak/NAME: "
        f"{by_draw[0]} 0.368 (ranking 7.621 [1305], {shown[0]}), {by_draw[1]} 0.368 (ranking 7.621 [1305], {shown[1]})"
    )
    assert (
        f": {by_draw[-1]} 7.621 [1305] ({shown[-1]}), {by_draw[-2]} 7.621 [1305] ({shown[-2]})" in by_ranking.sentence
    )
    assert by_schedule.draws == tuple(f"7/2/tiebreak/{name}" for name in by_draw[:2])


# -- who a tier avoids -------------------------------------------------------------------------------------------------


def test_round_two_avoids_the_previous_season_and_round_three_does_not() -> None:
    every = [(first, second) for first in names(8) for second in names(8) if first < second]
    start = season("ohs", 8, past={6: every})
    now = with_round(start, won("p01", "p02"), won("p03", "p04"), won("p05", "p06"), won("p07", "p08"))
    assert pair(now).rematches == 4
    assert pair(replace(now, past=season("ohs", 8, past={5: every}).past)).rematches == 0
    now = with_round(now, won("p01", "p03"), won("p05", "p07"), won("p02", "p04"), won("p06", "p08"))
    again = [two for two in pair(now).pairs if two.rematch]
    assert [tier_of(pair(now), two.upper) for two in again] == [2], "only the tier of two losses looks back further"


def test_tiers_of_two_losses_avoid_two_seasons_back() -> None:
    players = rated(**{f"p{number:02}": 40 - number for number in range(1, 9)})
    now = season("ohs", players)
    now = with_round(
        now, double_loss("p01", "p02"), double_loss("p03", "p04"), double_loss("p05", "p06"), double_loss("p07", "p08")
    )
    now = with_round(
        now, double_loss("p01", "p03"), double_loss("p02", "p04"), double_loss("p05", "p07"), double_loss("p06", "p08")
    )
    assert as_sets(pair(now))[0] == sets("p01 p04", "p02 p03", "p05 p08", "p06 p07")
    for past, expected in ((5, "p05"), (4, "p04")):
        history = season("ohs", 8, past={past: [("p01", "p04")]}).past
        assert meets(pair(replace(now, past=history)), "p01") == expected


def sets(*pairs: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(two.split()) for two in pairs)


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@given(players=st.integers(2, 30), seed=st.integers(0, 10**6))
@settings(max_examples=examples(60))
def test_tiers_are_as_the_document_says_in_turmoil(players: int, seed: int) -> None:
    start = replace(season("ohs", players, rounds=5), past=random_past(players, seed))
    result = play_season(start, by_chance(seed), Turmoil(seed))
    regular = [proposal for proposal in result.proposals if proposal.number <= 5 and proposal.stage == "regular"]
    for proposal in regular:
        before = until(result.season, proposal.number)
        assert OHS.next_round(shuffled(before, seed)) == proposal
        if proposal.number > 1:
            assert_tiers(History(before), proposal)


def random_past(players: int, seed: int) -> tuple[PastSeason, ...]:
    random = Random(seed)
    every = [*pairwise(names(players)), *zip(names(players), reversed(names(players)), strict=True)]
    some = [two for two in every if two[0] != two[1]]
    return season("ohs", 2, past={6: random.sample(some, len(some) // 2), 5: random.sample(some, len(some) // 2)}).past


def assert_tiers(history: History, proposal: Proposal) -> None:
    paired: dict[int, list[tuple[Name, Name]]] = {}
    losses = {name: found.losses for name, found in history.records.items()}
    moved = {reason.name: reason for reason in paired_up(proposal)}
    for two in proposal.pairs:
        paired.setdefault(tier_of(proposal, two.upper), []).append(two.players)
    assert list(paired) == sorted(paired)
    for tier, pairs in paired.items():
        members = [name for two in pairs for name in two]
        joined = [name for name in members if losses[name] != tier]
        assert len(joined) <= 1
        assert all(moved[name].target == tier and moved[name].origin == losses[name] for name in joined)
        past = 2 if tier > 1 else int(history.number == 2)
        met = after_past(meetings_before(history.season, history.number), history.season, past)
        found = sum(met.between(*two) is not None for two in pairs)
        graph = nx.Graph()
        graph.add_nodes_from(members)
        graph.add_edges_from((a, b) for a in members for b in members if a < b and met.between(a, b) is None)
        assert found == len(pairs) - len(nx.max_weight_matching(graph, maxcardinality=True))
    assert sum(two.rematch for two in proposal.pairs) == proposal.rematches
    for name, reason in moved.items():
        assert_eligible(history, proposal, name, reason)


def assert_eligible(history: History, proposal: Proposal, name: Name, reason: PairedUp) -> None:
    records = history.records
    byes = {bye.name for bye in proposal.byes}
    tier = [n for n in history.active() if records[n].losses == reason.origin and n not in byes]
    before = {n for n in tier if was_paired_up(records[n], records)}
    assert name not in before or set(tier) == before
    if reason.origin > 1:
        value = season_ratings(history.season, before=history.number)
        best = max(ranking_value(value[n]) for n in tier if n not in before or set(tier) == before)
        assert ranking_value(value[name]) == best


def test_a_season_of_two_ends() -> None:
    assert play_season(season("ohs", 2), first_by_name).champion == "p01"


def test_forfeits_count_in_tiers() -> None:
    now = with_round(season("ohs", 4), won("p01", "p02", kind=Kind.FORFEIT), won("p03", "p04"))
    assert {frozenset(two.players) for two in pair(now).pairs} == sets("p01 p03", "p02 p04")
