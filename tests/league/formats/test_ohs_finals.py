"""OHS finals: who enters, layers seeded again, byes, later rounds, statuses, places and the standings of the cut."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.league.bracket.tree import Bracket, Duel, after_round, duels, from_slots
from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.meetings import Meetings
from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.formats.ohs import Ohs
from bot.league.formats.ohs.finals import reseeded, without_rematches
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import DepartureKind, Entrant, Kind, Match, Name, Rating, Round, Season, Stage, Status
from tests.league.builders import (
    as_round,
    by_chance,
    double_loss,
    first_by_name,
    met,
    names,
    play_season,
    season,
    until,
    with_departure,
    with_round,
    won,
)

OHS = by_key("ohs")


def regular(players: int, **settings: object) -> Season:
    """Return a season after its regular stage, the first by name always winning."""
    result = play_season(season("ohs", players, **settings), first_by_name)
    return replace(result.season, rounds=tuple(r for r in result.season.rounds if r.stage is Stage.REGULAR))


def pair(now: Season) -> Proposal:
    answer = OHS.next_round(now)
    assert isinstance(answer, Proposal)
    return answer


def drawn(proposal: Proposal) -> list[str]:
    return [f"{two.upper} {two.lower}" for two in proposal.pairs]


def standings(now: Season) -> dict[str, Standing]:
    return {standing.name: standing for standing in OHS.standings(now)}


def entering(now: Season) -> list[str]:
    """Return who is in the bracket of the next round, by the order of the standings."""
    proposal = pair(now)
    inside = {name for two in proposal.pairs for name in two.players} | {bye.name for bye in proposal.byes}
    return [name for name in standings(now) if name in inside]


def all_win(now: Season, *upsets: str) -> Season:
    """Return the season after its next round: the upper players win, and those named."""
    proposal = pair(now)
    matches = tuple(
        won(two.lower, two.upper) if two.lower in upsets else won(two.upper, two.lower) for two in proposal.pairs
    )
    made = replace(as_round(proposal), matches=matches)
    return replace(now, rounds=(*now.rounds, made))


# -- who enters --------------------------------------------------------------------------------------------------------


def test_by_default_everybody_with_as_many_wins_as_losses_enters() -> None:
    now = regular(16)
    good = [name for name, standing in standings(now).items() if standing.wins >= standing.losses]
    assert len(good) == 11
    assert entering(now) == good


@pytest.mark.parametrize(("players", "expected"), [(4, 4), (3, 3), (2, 2), (5, 4)])
def test_never_fewer_than_four_enter_unless_fewer_remain(players: int, expected: int) -> None:
    now = with_round(
        season("ohs", players, rounds=1), *[double_loss(*two) for two in pairs_of(players)], byes=odd(players)
    )
    assert len(entering(now)) == expected


def pairs_of(players: int) -> Sequence[tuple[str, str]]:
    return [*zip(names(players)[::2], names(players)[1::2], strict=False)]


def odd(players: int) -> list[str]:
    return [names(players)[-1]] if players % 2 else []


def test_the_cut_takes_the_first_of_the_standings() -> None:
    now = regular(12, cut=6)
    assert entering(now) == [*standings(now)][:6]


def test_a_cut_larger_than_the_field_at_the_start_is_that_field() -> None:
    late = Entrant(name=Name("late"), entered=2)
    now = season("ohs", [*names(4), late], rounds=2, cut=16)
    now = with_round(now, won("p01", "p02"), won("p03", "p04"))
    now = with_round(now, won("p01", "p03"), won("late", "p02"), byes=["p04"])
    assert len(entering(now)) == 4


def test_without_a_cut_the_season_ends_with_its_regular_stage() -> None:
    now = with_departure(regular(7, cut=0), "p01", 5)
    answer = OHS.next_round(now)
    assert answer == Qualified(names=tuple(name for name in standings(now) if name != "p01"))
    statuses = {standing.status for name, standing in standings(now).items() if name != "p01"}
    assert standings(now)[answer.names[0]].status is Status.CHAMPION
    assert statuses == {Status.CHAMPION, Status.QUALIFIED}
    assert standings(now)["p01"].status is Status.DROPPED
    assert {standing.place for standing in standings(now).values()} == {None}


def test_with_a_cut_of_one_the_first_is_champion() -> None:
    now = regular(7, cut=1)
    first = next(iter(standings(now)))
    assert OHS.next_round(now) == Champion(name=first)
    assert standings(now)[first].status is Status.CHAMPION


def test_finals_that_began_before_their_time_go_on() -> None:
    now = with_round(season("ohs", 4, rounds=3, cut=4), won("p01", "p02"), won("p03", "p04"))
    now = with_round(now, won("p01", "p04"), won("p03", "p02"), stage=Stage.FINALS, by_hand="no time left")
    assert (pair(now).stage, drawn(pair(now))) == (Stage.FINALS, ["p01 p03"])
    assert [name for name, standing in standings(now).items() if standing.status is Status.QUALIFIED] == ["p01", "p03"]


# -- layers ------------------------------------------------------------------------------------------------------------


def test_with_ten_the_first_two_wait_and_two_layers_are_seeded_again() -> None:
    seeds = names(10)
    bracket = reseeded(seeds, seeds, (), Meetings())
    assert [bracket.slots[name] for name in ("p01", "p02")] == [1, 2]
    assert {bracket.slots[name] for name in seeds[2:6]} == {3, 4, 5, 6}
    assert {bracket.slots[name] for name in seeds[6:]} == {7, 8, 9, 10}
    # Ranked as seeded: 3 takes the lowest-ranked, 6; 4 then 5. The same one layer down.
    assert [*bracket.places[:10]] == [*seeds]


def test_a_layer_follows_the_tier_procedure() -> None:
    # The document's tier, as seeds: the second refuses, so the first takes the third.
    seeds = [Name(name) for name in ("dok", "Xorlof", "awesomeunleashed", "Kinseth")]
    ranking = [Name(name) for name in ("dok", "Kinseth", "awesomeunleashed", "Xorlof")]
    bracket = reseeded(seeds, ranking, (), Meetings())
    assert bracket.places == ("dok", "Xorlof", "Kinseth", "awesomeunleashed")


def test_layers_avoid_rematches_of_the_season() -> None:
    bracket = reseeded(names(4), names(4), (), met(("p01", "p04"), ("p02", "p03")))
    assert bracket.places == ("p01", "p02", "p04", "p03")


@pytest.mark.parametrize("count", range(1, 34))
def test_layers_only_exchange_players_with_equally_many_byes(count: int) -> None:
    bracket = reseeded(names(count), [*reversed(names(count))], (), Meetings())
    assert sorted(bracket.slots.values()) == list(range(1, count + 1))
    size = len(bracket.places)
    for seed, name in enumerate(names(count), start=1):
        assert (seed > size - count) == (bracket.slots[name] > size - count)


def test_byes_of_the_bracket_go_to_the_first_seeds() -> None:
    now = regular(14, cut=6)
    first, second = [*standings(now)][:2]
    proposal = pair(now)
    assert [bye.name for bye in proposal.byes] == [first, second]
    assert proposal.byes[0].reasons[1].sentence == (
        f"Quarter-final: {first} (slot 1) has a bye, because the slot opposite is empty."
    )


@pytest.mark.long
def test_a_bracket_that_is_not_best_against_worst_says_why() -> None:
    found = set[tuple[bool, bool]]()
    for seed in range(80):
        result = play_season(season("ohs", 6 + seed % 7, rounds=3), by_chance(seed))
        first = next(round_ for round_ in result.season.rounds if round_.stage is Stage.FINALS)
        before = until(result.season, first.number)
        format_ = by_key("ohs")
        assert isinstance(format_, Ohs)
        history = format_.before_finals(before)
        order, slots = format_.entering(history), format_.seeds(before)
        reseeding = format_.reseeding(history, order)
        assert (reseeding is not None) == (sorted(order, key=slots.__getitem__) != [*order])
        if reseeding is None:
            continue
        played = {frozenset(match.players) for round_ in before.rounds for match in round_.matches}
        assert {frozenset(pair) for pair in reseeding.met} <= played
        assert reseeding.met or reseeding.by_rating
        size = 1 << (len(order) - 1).bit_length()
        for one, other in reseeding.pairs:
            assert slots[one] < slots[other]
            assert slots[one] + slots[other] in (size + 1, size // 2 + 1)
        found.add((bool(reseeding.met), reseeding.by_rating))
    assert len(found) > 1


# -- later rounds ------------------------------------------------------------------------------------------------------


def test_a_swap_moves_lower_players_and_lists_by_the_better_seed() -> None:
    bracket = from_slots(names(8))
    planned = plan(bracket)
    swapped = without_rematches(bracket, planned, met(("p03", "p06")))
    assert [(duel.upper, duel.lower) for duel in swapped] == [
        ("p01", "p08"), ("p02", "p07"), ("p03", "p05"), ("p04", "p06"),
    ]  # fmt: skip
    assert swapped[2].reasons[0].sentence == (
        "The bracket had p03 against p06, but they met in round 1; p05 takes the place of p06."
    )


def test_a_rematch_that_cannot_be_avoided_says_so() -> None:
    bracket = from_slots(names(2))
    (final,) = without_rematches(bracket, plan(bracket), met(("p01", "p02")))
    assert [reason.sentence for reason in final.reasons] == [
        "p01 v p02 is a rematch (they met in round 1): they were the only ones in the final."
    ]


def plan(bracket: Bracket) -> Sequence[Duel]:
    return duels(bracket, lambda name: True)


def test_the_first_round_of_the_bracket_is_as_it_was_seeded_and_explained_once() -> None:
    now = season("ohs", 4, rounds=3, cut=4)
    for two, others in (
        (("p01", "p02"), ("p03", "p04")),
        (("p01", "p03"), ("p02", "p04")),
        (("p01", "p04"), ("p02", "p03")),
    ):
        now = with_round(now, won(*two), won(*others))
    for match in pair(now).pairs:
        assert sum("is a rematch" in reason.sentence for reason in match.reasons) == 1


def test_upper_and_lower_stay_to_the_end_of_the_walk() -> None:
    # p09 beat p08 and p16 beat p01: slots 1 and 8 hold p16 and p09, and p09 is the upper player.
    bracket = from_slots(names(16))
    wins = [won("p16", "p01"), won("p09", "p08"), *(won(f"p{n:02}", f"p{17 - n:02}") for n in range(2, 8))]
    later = after_round(bracket, plan(bracket), Round(number=5, stage=Stage.FINALS, matches=tuple(wins)))
    planned = plan(later)
    assert (planned[0].upper, planned[0].lower) == ("p02", "p07")
    swapped = without_rematches(later, planned, met(("p02", "p07"), ("p02", "p06"), ("p02", "p05")))
    # p02 takes p16, the lower player of the last match; p07 now has the smaller first slot there.
    assert [(duel.upper, duel.lower, duel.place) for duel in swapped] == [
        ("p02", "p16", 2), ("p03", "p06", 3), ("p04", "p05", 4), ("p07", "p09", 1),
    ]  # fmt: skip


@pytest.mark.long
def test_later_rounds_avoid_rematches_where_they_can() -> None:
    swaps = 0
    for seed in range(60):
        result = play_season(season("ohs", 20), by_chance(seed))
        for proposal in result.proposals:
            swaps += sum("The bracket had" in r.sentence for two in proposal.pairs for r in two.reasons)
        assert result.champion is not None
    assert swaps > 20


@pytest.mark.long
def test_a_swapped_round_is_found_again() -> None:
    for seed in range(30):
        result = play_season(season("ohs", 20), by_chance(seed))
        for round_ in result.season.rounds:
            again = as_round(pair(until(result.season, round_.number)))
            assert [m.players for m in again.matches] == [m.players for m in round_.matches]


# -- leaving in the finals ---------------------------------------------------------------------------------------------


def test_who_qualified_and_leaves_is_replaced() -> None:
    now = regular(12, cut=4)
    order = [*standings(now)]
    assert entering(with_departure(now, order[1], 5)) == [order[0], *order[2:5]]


def test_without_replacement_the_opponent_has_a_bye_and_the_seeds_stay() -> None:
    now = regular(12, cut=4, replace=False)
    order = [*standings(now)]
    whole, gone = pair(now), with_departure(now, order[1], 5)
    (broken,) = [two for two in whole.pairs if order[1] in two.players]
    opponent = broken.lower if broken.upper == order[1] else broken.upper
    assert [bye.name for bye in pair(gone).byes] == [opponent]
    assert drawn(pair(gone)) == [two for two in drawn(whole) if order[1] not in two]
    assert standings(gone)[order[1]].status is Status.DROPPED
    assert standings(gone)[order[1]].place == 3


def test_who_left_in_the_last_regular_round_is_not_in_the_cut() -> None:
    now = regular(12, cut=4, replace=False)
    order = [*standings(now)]
    assert entering(with_departure(now, order[1], 4, after_pairing=True)) == [order[0], *order[2:5]]


def test_who_leaves_between_two_rounds_has_lost_in_the_next() -> None:
    now = all_win(regular(12, cut=8))
    still_in = [name for name, standing in standings(now).items() if standing.status is Status.QUALIFIED]
    gone = with_departure(now, still_in[0], 6, kind=DepartureKind.DISQUALIFICATION)
    assert len(pair(gone).byes) == 1
    assert standings(gone)[still_in[0]].status is Status.DISQUALIFIED
    assert standings(gone)[still_in[0]].place == 3
    assert standings(now)[still_in[0]].place is None


def test_when_the_other_finalist_leaves_the_season_is_over() -> None:
    now = all_win(all_win(regular(12, cut=4)))
    before_final = replace(now, rounds=now.rounds[:-1])
    first, second = (name for name, standing in standings(before_final).items() if standing.status is Status.QUALIFIED)
    gone = with_departure(before_final, first, 6)
    assert OHS.next_round(gone) == Champion(name=second)
    assert standings(gone)[second].place == 1
    assert standings(gone)[first].place == 2
    nobody = with_departure(gone, second, 6)
    assert OHS.next_round(nobody) == Champion(name=None)
    assert Status.CHAMPION not in {standing.status for standing in standings(nobody).values()}


def test_the_champion_stays_champion_whatever_they_do() -> None:
    result = play_season(season("ohs", 8), first_by_name)
    gone = with_departure(result.season, str(result.champion), len(result.season.rounds) + 1)
    assert OHS.next_round(gone) == Champion(name=result.champion)
    assert standings(gone)[str(result.champion)].status is Status.CHAMPION


# -- standings ---------------------------------------------------------------------------------------------------------


def test_standings_keep_what_they_were_at_the_cut() -> None:
    result = play_season(season("ohs", 20), by_chance(3))
    at_cut = OHS.before_finals(result.season).number
    then, now = OHS.standings(until(result.season, at_cut)), OHS.standings(result.season)

    def facts(lines: Sequence[Standing]) -> list[tuple[object, ...]]:
        return [(s.rank, s.name, s.wins, s.losses, s.byes, s.tiebreaks) for s in lines]

    assert facts(then) == facts(now)


def test_places_and_statuses_follow_the_bracket() -> None:
    now = regular(14, cut=8)
    inside = entering(now)
    before = standings(now)
    assert all(before[name].status is (Status.QUALIFIED if name in inside else Status.ELIMINATED) for name in before)
    result = play_season(now, first_by_name)
    after = standings(result.season)
    assert sorted(str(after[name].place) for name in inside) == ["1", "2", "3", "3", "5", "5", "5", "5"]
    assert {after[name].place for name in after if name not in inside} == {None}
    assert after[str(result.champion)].place == 1


def test_a_round_after_the_end_changes_no_place() -> None:
    over = play_season(regular(6, cut=4), first_by_name).season
    again = with_round(over, *over.rounds[-1].matches, stage=Stage.FINALS)
    assert OHS.standings(again) == OHS.standings(over)


def test_the_first_loser_of_an_open_round_has_a_place_at_once() -> None:
    now = regular(14, cut=8)
    first = as_round(pair(now))
    half_done = (replace(first.matches[0], kind=Kind.PLAYED, winner=first.matches[0].upper), *first.matches[1:])
    lines = standings(replace(now, rounds=(*now.rounds, replace(first, matches=half_done))))
    assert (lines[first.matches[0].lower].status, lines[first.matches[0].lower].place) == (Status.ELIMINATED, 5)
    assert {lines[name].status for match in first.matches[1:] for name in match.players} == {Status.QUALIFIED}


def test_equal_players_are_told_apart_by_ranking_and_then_by_the_draw() -> None:
    strong = Entrant(name=Name("strong"), rating=Rating(mu=30.0, sigma=1.0))
    lines = OHS.standings(season("ohs", [*names(3), strong]))
    assert lines[0].name == "strong"
    assert [line.name for line in lines[1:]] == Draw(season=7, round=0).sort(Purpose.TIEBREAK, names(3))


def test_a_match_swapped_by_hand_is_gone_on_from() -> None:
    now = regular(12, cut=4)
    one, two = pair(now).pairs
    by_hand = (won(one.upper, two.lower), won(two.upper, one.lower))
    now = with_round(now, *by_hand, stage=Stage.FINALS, by_hand="they travel together")
    assert drawn(pair(now)) == [f"{one.upper} {two.upper}"]


def test_a_double_loss_in_the_final_leaves_no_champion() -> None:
    now = all_win(regular(12, cut=4))
    (final,) = pair(now).pairs
    now = with_round(now, Match(upper=final.upper, lower=final.lower, kind=Kind.DOUBLE_LOSS), stage=Stage.FINALS)
    assert OHS.next_round(now) == Champion(name=None)
