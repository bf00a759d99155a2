"""What a pair tells about itself: the opponents the chooser skipped, what was undone, and why."""

import re
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.league.counting.draw import Purpose, draw_of
from bot.league.counting.meetings import Meetings
from bot.league.pairing import pair_list, pair_tier
from bot.league.pairing.drawn_byes import drawn_bye
from bot.league.pairing.in_short import listed, told_to
from bot.league.pairing.proposal import Bye, Pair
from bot.league.pairing.reasons import Key, Reason, by_draw, decided_between
from bot.league.season.model import Meeting, Name
from tests.league.builders import season
from tests.league.pairing.literal_pairing import meetings, players, random_history

ONE, TWO, THREE, FOUR = (Name(name) for name in ("one", "two", "three", "four"))


def told(pair: Pair) -> list[str]:
    return [reason.sentence for reason in pair.reasons]


def in_short(decided: Pair | Bye) -> list[str]:
    """Return what a person wants to hear of each step, for someone it isn't about."""
    return [told_to(reason.short, (), None) for reason in decided.reasons if reason.short]


def test_a_first_choice_tells_the_opponents_it_skipped_and_when_they_met() -> None:
    met = Meetings()
    met.add(ONE, TWO, Meeting(season=6, round=2))
    met.add(ONE, THREE, Meeting(season=5))
    pair, last = pair_list([ONE, TWO, THREE, FOUR], met)

    assert told(pair) == [
        "Unpaired, in this order: one, two, three, four.",
        "one skipped two: they met in season 6, round 2.",
        "one skipped three: they met in season 5.",
        "one, the first, takes four, the next they haven't met.",
    ]
    assert told(last) == ["Unpaired, in this order: two, three.", "two, the first, takes three, the next."]


def test_undoing_is_told_at_the_new_pair_and_at_those_it_freed() -> None:
    settled, freed = pair_list([ONE, TWO, THREE, FOUR], meetings([(TWO, FOUR), (THREE, FOUR)]))

    assert settled.players == (THREE, TWO)
    assert told(settled) == [
        "three had to avoid everyone then left: four (in season 6, round 2).",
        "For three the last pairs were undone until everyone could be paired with the fewest rematches: one v two.",
        "three skipped one: then there would be more rematches.",
        "three takes two, the first choice that lets everyone else be paired with the fewest rematches.",
    ]
    assert freed.players == (ONE, FOUR)
    assert told(freed)[0] == "one v two was set before, and undone because three had to avoid everyone then left."
    assert told(freed)[-1] == "one, the first, takes four, the next."


def test_a_forced_rematch_says_when_they_met() -> None:
    (pair,) = pair_list([ONE, TWO], meetings([(ONE, TWO)]))

    assert told(pair) == [
        "one v two is a rematch (they met in season 6, round 2): they were the only ones in this round.",
    ]


def test_a_refusal_names_the_third_player_it_is_decided_by() -> None:
    by_sos = [Name(name) for name in ("dok", "Xorlof", "awesomeunleashed", "Kinseth")]
    ranking = [Name(name) for name in ("dok", "Kinseth", "awesomeunleashed", "Xorlof")]
    dok, _, awesome, kinseth = by_sos
    keys = (Key("strength of schedule", {name: 4 - at for at, name in enumerate(by_sos)}.__getitem__),)
    heights = (Key("ranking", {name: 4 - at for at, name in enumerate(ranking)}.__getitem__),)
    lists = [
        "Unpaired, by strength of schedule: dok 4, Xorlof 3, awesomeunleashed 2, Kinseth 1.",
        "Unpaired from the lowest, by ranking: Xorlof 1, awesomeunleashed 2, Kinseth 3, dok 4.",
    ]
    refusal = (
        "dok skipped Xorlof, number 2 and in the top half: in the bottom half number 2 from the lowest ranked is "
        "Kinseth, ranked below dok, so Xorlof can refuse."
    )

    first, _ = pair_tier(by_sos, ranking, Meetings(), keys, heights)
    assert told(first) == [
        *lists,
        refusal,
        "dok, the first, takes awesomeunleashed, the lowest ranked of those not skipped.",
    ]

    first, _ = pair_tier(by_sos, ranking, meetings([(dok, awesome), (dok, kinseth)]), keys, heights)
    assert told(first) == [
        *lists,
        refusal,
        "dok skipped awesomeunleashed: they met in season 6, round 2.",
        "dok skipped Kinseth: they met in season 6, round 2.",
        "Everyone dok could still get could refuse, so no one can.",
        "dok, the first, takes Xorlof, the lowest ranked of those who could refuse.",
    ]


def test_a_player_of_the_top_half_who_cannot_refuse_is_told_with_the_third_player() -> None:
    by_sos = [Name(name) for name in ("a", "b", "c", "d")]
    first, _ = pair_tier(by_sos, [Name(name) for name in ("d", "c", "a", "b")], Meetings())

    assert told(first)[2:] == [
        "b is number 2 and in the top half: in the bottom half number 2 from the lowest ranked is d, "
        "not ranked below a, so b can't refuse.",
        "a, the first, takes b, the lowest ranked player left.",
    ]


def test_many_are_counted_instead_of_told() -> None:
    names = players(40)
    met = meetings((names[0], other) for other in names[1:31])
    pair = pair_list(names, met)[0]
    tier_pair = pair_tier(names, [names[0], *names[31:], *names[1:31]], met)[0]

    for two in (pair, tier_pair):
        skipped = [sentence for sentence in told(two) if " skipped " in sentence]
        assert [sentence for sentence in skipped if "they met" in sentence] == skipped[:10]
        assert skipped[10:] == [f"{names[0]} skipped 20 more for the same reasons."]

    stuck = pair_list(names, meetings((names[0], other) for other in names[1:]))[0].reasons[0]
    assert stuck.sentence.count("(in season") == 10
    assert stuck.sentence.endswith(" and 29 more.")


@pytest.mark.long
def test_sentences_of_a_large_field_stay_short() -> None:
    names = [Name(f"p{number:04}") for number in range(2000)]
    ranking = Random(1).sample(names, len(names))
    met = meetings((names[0], other) for other in ranking[-1000:] if other != names[0])
    for pair in (*pair_tier(names, ranking, met)[:900], *pair_list(names, met)[:900]):
        assert sum(len(sentence) for sentence in told(pair)) < 2500


@given(half=st.integers(1, 20), density=st.sampled_from([0.0, 0.1, 0.4, 0.8]), seed=st.integers(0, 2**32))
def test_the_first_of_a_tier_accounts_for_everyone_below_their_opponent(half: int, density: float, seed: int) -> None:
    by_sos = players(2 * half)
    ranking = Random(seed).sample(by_sos, len(by_sos))
    forbidden = random_history(by_sos, density, seed)
    pairs = pair_tier(by_sos, ranking, meetings(forbidden))
    pair = next(pair for pair in pairs if by_sos[0] in pair.players)
    assume(", the first, takes" in told(pair)[-1] and "was set before" not in told(pair)[0])
    ignored = f"Everyone {pair.upper} could still get could refuse, so no one can." in told(pair)
    others = [name for name in reversed(ranking) if name != pair.upper]
    passed = others if ignored else others[: others.index(pair.lower)]
    skipped = re.findall(rf"{pair.upper} skipped (p\d\d)(.*)", "\n".join(told(pair)))
    more = sum(map(int, re.findall(r" skipped (\d+) more", " ".join(told(pair)))))

    assert [name for name, _ in skipped] == passed[:10]
    assert len(skipped) + more == len(passed)
    worst_below = [name for name in reversed(ranking) if name in by_sos[half:]]
    for name, why in skipped:
        assert ("can refuse" not in why) == (frozenset((pair.upper, Name(name))) in forbidden)
        if "can refuse" in why:
            position = by_sos.index(Name(name))
            assert f"number {position + 1} from the lowest ranked is {worst_below[position]}," in why
            assert ranking.index(worst_below[position]) > ranking.index(pair.upper)


def test_a_list_is_put_into_words_only_when_someone_reads_the_reason() -> None:
    asked: list[Name] = []

    def value(name: Name) -> int:
        asked.append(name)
        return len(asked)

    (pair,) = pair_list((Name("a"), Name("b")), Meetings(), (Key("value", value),))
    assert not asked
    assert pair.reasons[0].sentence == "Unpaired, by value: a 1, b 2."
    assert len(set(asked)) == 2


def test_nothing_is_told_of_players_who_are_equal_in_every_key() -> None:
    wins, losses = (
        Key("wins", {ONE: 2, TWO: 2, THREE: 1}.__getitem__),
        Key("losses", {ONE: 0, TWO: 0, THREE: 0}.__getitem__),
    )

    assert decided_between((wins, losses), [ONE], [TWO, THREE]) is None
    decision = decided_between((losses, wins), [ONE, TWO], [THREE])
    assert decision is not None
    assert (decision.what, decision.before, decision.after) == ("wins", (ONE, TWO), (THREE,))
    rated = Key("rating", {ONE: 25.5, THREE: 20.25}.__getitem__, known_as={ONE: "1200", THREE: "1100"}.__getitem__)
    known = decided_between((rated,), [ONE], [THREE])
    assert known is not None
    assert known.values == {ONE: "1200", THREE: "1100"}


def test_in_short_it_says_how_the_list_was_sorted_and_who_were_the_last_two() -> None:
    draw = by_draw(draw_of(season("keyforge-swiss", 4), 1), Purpose.ORDER)
    by_points, by_group = (Key(what, {ONE: 2, TWO: 2, THREE: 1, FOUR: 0}.__getitem__) for what in ("points", "group"))
    for keys, order in (
        ((), ""),
        ((draw,), "In the order of the draw, "),
        ((by_points, draw), "By points, "),
        ((by_group, draw), "By group and then the draw, "),
    ):
        first, last = pair_list([ONE, TWO, THREE, FOUR], Meetings(), keys)
        assert in_short(first) == [f"{order}one came first of the players left and got the next one: two."]
        drawn = "The draw put all four players in an order. " if keys == (draw,) else ""
        assert in_short(last) == [f"{drawn}three and four were the last two left."]


def test_in_short_a_tier_says_that_those_who_could_refuse_were_passed_over() -> None:
    names = [ONE, TWO, THREE, FOUR]
    met = meetings([(ONE, THREE)])
    ranking = [ONE, TWO, FOUR, THREE]
    plain, refused = pair_tier(names, ranking, met)[0], pair_tier(names, [ONE, FOUR, THREE, TWO], Meetings())[0]
    assert in_short(plain) == ["one came first and got the lowest ranked player they hadn't met: four."]
    assert in_short(refused) == [
        "one came first and got the lowest ranked player they hadn't met, of those who couldn't refuse: three."
    ]


def test_of_the_last_two_of_a_tier_one_list_is_told() -> None:
    last = pair_tier([ONE, TWO, THREE, FOUR], [ONE, TWO, THREE, FOUR], Meetings())[-1]
    assert told(last) == [
        "Unpaired, in this order: two, three.",
        "two, the first, takes three, the lowest ranked player left.",
    ]


def test_one_who_takes_the_first_that_cannot_refuse_after_undoing_is_not_told_of_refusals() -> None:
    pair = pair_tier(
        [ONE, TWO, THREE, FOUR], [TWO, FOUR, THREE, ONE], meetings([(ONE, TWO), (TWO, FOUR), (THREE, FOUR)])
    )
    assert told(pair[0])[-2:] == [
        "Unpaired from the lowest, in this order: one, three, four, two.",
        "two takes three, the first choice that lets everyone else be paired with the fewest rematches.",
    ]


def test_one_who_cannot_refuse_is_tried_in_vain_once_before_everyone_left_could_refuse() -> None:
    pair = pair_tier([ONE, TWO, THREE, FOUR], [ONE, TWO, FOUR, THREE], meetings([(ONE, FOUR), (TWO, FOUR)]))
    assert told(pair[0])[-3:] == [
        "two skipped three: then there would be more rematches.",
        "Everyone two could still get could refuse, so no one can.",
        "two takes one, the first choice that lets everyone else be paired with the fewest rematches.",
    ]


def test_someone_with_nobody_left_was_kept_apart_only_where_it_is_said() -> None:
    stuck = pair_list([ONE, TWO, THREE, FOUR], meetings([(TWO, FOUR), (THREE, FOUR)]))[0]
    assert told(stuck)[0] == "three had to avoid everyone then left: four (in season 6, round 2)."
    assert in_short(stuck) == [
        "three had met four, the only one left. So one and two, already paired, were taken apart: "
        "three got two and one got four. Taking one would have led to more rematches."
    ]
    met = meetings([(TWO, FOUR)])
    met.add(THREE, FOUR, Meeting(season=6, round=2, kept_apart=True))
    apart = pair_list([ONE, TWO, THREE, FOUR], met)[0]
    assert told(apart)[0] == "three had to avoid everyone then left: four (kept apart)."
    assert in_short(apart) == [
        "three had to be kept apart from four, the only one left. So one and two, already paired, were taken apart: "
        "three got two and one got four. Taking one would have led to more rematches or players kept apart."
    ]


def test_a_drawn_bye_names_the_few_it_was_drawn_among_and_counts_many() -> None:
    draw = draw_of(season("keyforge-swiss", 4), 1)
    fewest = Key("byes", lambda name: int(name == FOUR))
    bye = drawn_bye(draw, [ONE, TWO, THREE], fewest)
    order = draw.sort(Purpose.BYE, [ONE, TWO, THREE])
    values = ", ".join(f"{name} {draw.value(Purpose.BYE, name)[:8]}" for name in order)
    by = f"by draw {draw.text(Purpose.BYE, Name('NAME'))}"
    assert [reason.sentence for reason in bye.reasons] == [
        f"{bye.name} has the bye: the smallest draw of the 3 players, {by}: {values}."
    ]
    odd = "The number of players was odd, so one had a bye. The draw was between"
    assert in_short(bye) == [f"{odd} one, three and two, and picked {bye.name}."]
    of_many = drawn_bye(draw, players(5), Key("byes", lambda _: 0))
    assert in_short(of_many) == [f"{odd} 5 players, and picked {of_many.name}."]


def test_two_reasons_are_equal_if_they_say_the_same() -> None:
    assert Reason("Players ", [ONE]) == Reason("Players ", [ONE])
    assert Reason("Players ", [ONE]) != Reason("Players ", [TWO])


def test_players_are_listed_as_a_person_does() -> None:
    lists = [told_to(listed(names), (), TWO) for names in ([ONE], [ONE, TWO], [ONE, TWO, THREE])]
    assert lists == ["one", "one and you", "one, you and three"]
