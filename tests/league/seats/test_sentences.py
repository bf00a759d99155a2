"""Each sentence of docs/formats/shared.md, in a small season."""

from dataclasses import replace
from typing import Any

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from bot.league.counting.ratings import season_ratings
from bot.league.counting.records import Outcome
from bot.league.errors import InvalidFile, PairingImpossible
from bot.league.formats import by_key
from bot.league.match_day.dice_offs import first_choices
from bot.league.season.model import (
    Match,
    Name,
    PastMatch,
    PastSeason,
    Rating,
    Season,
    SitOut,
    Stage,
    Status,
    Substitution,
)
from bot.league.summaries.outlook import look_ahead
from tests.league.builders import (
    after,
    as_round,
    double_loss,
    lines,
    play_season,
    proposed,
    season,
    with_departure,
    with_round,
    won,
)
from tests.league.checking.league_file.examples import encoded


def sitting(now: Season, *names: str, number: int | None = None) -> Season:
    """Return the season with these players sitting out a round, by default the next one."""
    rows = tuple(SitOut(name=Name(name), round=number or len(now.rounds) + 1) for name in names)
    return replace(now, sat_out=(*now.sat_out, *rows))


def taken(now: Season, seat: str, person: str, number: int, **brought: Any) -> Season:
    """Return the season with another person in a seat from a round on."""
    row = Substitution(seat=Name(seat), player=Name(person), round=number, **brought)
    return replace(now, substitutes=(*now.substitutes, row))


def record(now: Season, name: str) -> tuple[int, int]:
    return lines(now)[name].wins, lines(now)[name].losses


def unpaired(now: Season, name: str) -> list[int]:
    """Return the rounds in which a player has an unpaired loss."""
    format_: Any = by_key(now.format)
    entries = format_.before_finals(now).records[Name(name)].entries
    return [entry.round for entry in entries if entry.outcome is Outcome.UNPAIRED]


def seated(now: Season) -> set[str]:
    return set(as_round(proposed(now)).seated)


# -- sitting out -------------------------------------------------------------------------------------------------------


def test_it_counts_once_the_round_is_paired_and_not_before() -> None:
    now = sitting(after(season("keyforge-swiss", list("abcdef"), rounds=4), "ab", "cd", "ef"), "a")
    assert unpaired(now, "a") == []
    now = with_round(now, Match(upper=Name("c"), lower=Name("e")), Match(upper=Name("b"), lower=Name("d")), byes="f")
    assert unpaired(now, "a") == [2]
    assert record(now, "a") == (1, 1)


def test_an_even_field_with_one_sitting_out_has_a_bye_and_an_odd_one_has_none() -> None:
    even = sitting(season("ohs", list("abcdef")), "a")
    assert len(proposed(even).byes) == 1
    assert seated(even) == set("bcdef")
    odd = sitting(season("ohs", list("abcdefg")), "a")
    assert proposed(odd).byes == ()


def test_one_who_sits_out_round_1_is_an_entrant_at_the_start() -> None:
    now = sitting(season("lightseekers-swiss", list("abcdefghi")), "a", "b")
    assert by_key(now.format).planned_rounds(now) == 4
    assert len(proposed(sitting(season("lightseekers-swiss", list("abcde")), "a")).pairs) == 2


def test_the_undefeated_who_sit_out_still_count_against_half_of_the_cut() -> None:
    now = after(season("two-loss-out", list("abcdefgh"), cut=4), "ab", "cd", "ef", "gh")
    now = sitting(after(now, "ac", "eg", "bd", "fh"), "a")
    assert seated(now) == set("bcfg")  # a and e are half of the cut: in already, so a has nothing to sit out
    paired = replace(now, rounds=(*now.rounds, as_round(proposed(now))))
    assert record(paired, "a") == (2, 0)
    assert lines(paired)["a"].status is Status.QUALIFIED


def test_one_who_is_out_gets_no_third_loss() -> None:
    now = after(season("two-loss-out", list("abcdefgh"), cut=2), "ab", "cd", "ef", "gh")
    now = sitting(after(now, "ac", "eg", "bd", "fh"), "d", "b")
    now = replace(now, rounds=(*now.rounds, as_round(proposed(now))))
    assert record(now, "d") == (0, 2)
    assert record(now, "b") == (1, 2)
    assert lines(now)["b"].status is Status.ELIMINATED


@pytest.mark.parametrize("after_pairing", [True, False])
def test_leaving_after_the_pairing_does_not_undo_it_and_leaving_before_does(after_pairing: bool) -> None:
    now = sitting(after(season("ohs", list("abcdef")), "ab", "cd", "ef"), "a")
    now = with_departure(after(now, "bc", "de", byes="f"), "a", 2, after_pairing=after_pairing)
    assert unpaired(now, "a") == ([2] if after_pairing else [])


def test_a_round_missed_and_sat_out_is_one_loss() -> None:
    now = sitting(after(season("ohs", list("abcdef"), rejoin="free"), "ab", "cd", "ef"), "a")
    now = with_departure(after(now, "bc", "de", byes="f"), "a", 2, after_pairing=True, rejoined=3)
    assert unpaired(now, "a") == [2]


def test_one_given_a_match_or_a_bye_by_hand_has_not_sat_out() -> None:
    now = sitting(after(season("ohs", list("abcdef")), "ab", "cd", "ef"), "a", "b")
    now = with_round(now, won("a", "c"), won("d", "e"), byes="b", by_hand="they can play after all")
    assert unpaired(now, "a") == unpaired(now, "b") == []
    assert record(now, "b") == (1, 1)


def test_in_tie_break_rounds_and_finals_nobody_sits_out() -> None:
    now = play_season(season("keyforge-swiss", 9, cut=4)).season
    first = next(round_.number for round_ in now.rounds if round_.stage is Stage.FINALS)
    asked = sitting(now, *(entrant.name for entrant in now.entrants), number=first)
    assert lines(asked) == lines(now)
    assert verify(asked).agrees
    tied = with_round(season("two-loss-out", list("ab"), cut=1), won("a", "b"), stage=Stage.TIEBREAK)
    assert unpaired(sitting(tied, "a", number=1), "a") == []


def test_only_players_who_had_a_match_play_a_round_again() -> None:
    now = with_round(sitting(season("two-loss-out", list("abc"), cut=1, losses=1), "c"), double_loss("a", "b"))
    assert seated(now) == {"a", "b"}
    assert lines(now)["c"].status is Status.ELIMINATED


def test_with_too_few_left_the_round_waits_and_an_outlook_lets_all_play() -> None:
    now = after(season("ohs", list("abcd"), rounds=2, cut=2), "ab", "cd")
    with pytest.raises(PairingImpossible, match=r"round 2, because others sit it out: a, b, c"):
        proposed(sitting(now, "a", "b", "c"))
    with pytest.raises(
        PairingImpossible, match="a, b, c and 1 more; it can be paired once at least two players are there"
    ):
        proposed(sitting(now, "a", "b", "c", "d"))
    told = look_ahead(sitting(now, "a", "b", "c"))
    assert told == look_ahead(now)


# -- substitutes -------------------------------------------------------------------------------------------------------


def test_a_rating_rests_while_another_person_sits_there_and_goes_on_afterwards() -> None:
    now = after(season("ohs", list("abcd"), rounds=4), "ab", "cd")
    alone = season_ratings(now)[Name("a")]
    now = taken(now, "a", "zoe", 2, rating=Rating(mu=30.0, sigma=2.0))
    assert season_ratings(now)[Name("a")] == Rating(mu=30.0, sigma=2.0)
    now = taken(after(now, "ac", "bd"), "a", "a", 3)
    assert season_ratings(now)[Name("a")] == alone
    now = taken(now, "a", "zoe", 4, rating=Rating(mu=1.0, sigma=1.0))
    now = after(now, "ad", "bc")
    back = season_ratings(now)[Name("a")]
    assert back.mu > 30


def test_a_seat_meets_whom_it_met_this_season_and_the_person_whom_they_met_before() -> None:
    past = PastSeason(number=6, matches=(PastMatch(players=(Name("zoe"), Name("b"))),))
    before = replace(season("ohs", list("ab")), past=(past,))
    assert not proposed(before).pairs[0].rematch
    now = taken(before, "a", "zoe", 1)
    assert proposed(now).pairs[0].rematch
    now = taken(now, "b", "yan", 1)
    assert not proposed(now).pairs[0].rematch
    met = after(replace(now, past=()), "ab")
    assert proposed(taken(met, "a", "xu", 2)).pairs[0].rematch


def test_standings_of_the_finals_keep_the_people_of_their_first_round() -> None:
    now = play_season(season("ohs", 8, rounds=3, cut=4)).season
    first = next(round_.number for round_ in now.rounds if round_.stage is Stage.FINALS)
    later = taken(now, "p01", "zoe", first + 1, rating=Rating(mu=-99.0, sigma=1.0))
    assert lines(later) == lines(now)
    earlier = taken(now, "p01", "zoe", first, rating=Rating(mu=-99.0, sigma=1.0))
    schedule = {name: line.tiebreaks for name, line in lines(now).items()}
    assert {name: line.tiebreaks for name, line in lines(earlier).items()} != schedule


# -- the league file ---------------------------------------------------------------------------------------------------

FILE: dict[str, Any] = {
    "fairpair": 1,
    "league": "L",
    "season": 3,
    "format": "ohs",
    "settings": {"rounds": 3, "dice_off": "draw"},
    "players": [{"name": "a", "former_names": ["old a"]}, {"name": "b"}],
    "rounds": [{"number": 1, "matches": [{"players": ["a", "b"], "winner": "a", "dice_off": "b"}]}],
    "sat_out": [{"name": "a", "round": 2}, {"name": "a", "round": 2}],
    "substitutes": [{"seat": "b", "player": "zoe", "round": 2, "former_names": ["old zoe"]}],
    "past_seasons": [{"season": 2, "matches": [["old zoe", "old a"], ["a", "stranger"]]}],
    "lists": [
        {
            "name": "a",
            "number": 1,
            "sha256": "56c6a3eba1b2c0e2b7f1a1fbcf9d1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f",
            "round": None,
            "key": None,
            "text": None,
        }
    ],
}


def test_a_file_with_all_of_it_comes_back_the_same_and_names_people_in_past_seasons() -> None:
    now = read(encoded(FILE))
    assert len(now.sat_out) == 1
    assert now.past[0].matches == (PastMatch(players=(Name("zoe"), Name("a"))),)
    assert read(to_json(now).encode()) == now


def test_a_file_without_it_has_no_new_field() -> None:
    new = ("settings", "rounds", "sat_out", "substitutes", "lists")
    written = to_json(read(encoded({key: value for key, value in FILE.items() if key not in new})))
    assert not any(word in written for word in ("sat_out", "substitutes", "lists", "dice_off"))


SUB = {"seat": "b", "player": "zoe", "round": 2}


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"sat_out": [{"name": "zoe", "round": 2}]}, r"sat_out\[0\].name"),
        ({"sat_out": [{"name": "a", "round": 0}]}, r"sat_out\[0\].round"),
        ({"substitutes": [{**SUB, "player": "a"}]}, r"substitutes\[0\]"),
        ({"substitutes": [SUB, {**SUB, "seat": "a", "round": 3}]}, r"substitutes\[1\]"),
        ({"substitutes": [SUB, {**SUB, "player": "yan"}]}, r"substitutes\[1\]"),
        ({"substitutes": [{**SUB, "player": "draw"}]}, r"substitutes\[0\].player"),
        ({"substitutes": [{**SUB, "seat": "zoe"}]}, r"substitutes\[0\].seat"),
        ({"substitutes": [{**SUB, "former_names": ["old a"]}]}, r"substitutes\[0\]"),
        ({"substitutes": [{**SUB, "deck": "x"}]}, r"substitutes\[0\]"),
        ({"settings": {"rounds": 3}}, r"rounds\[0\].matches\[0\].dice_off"),
        ({"lists": [{**FILE["lists"][0], "sha256": "56C6"}]}, r"lists\[0\].sha256"),
        ({"lists": [{**FILE["lists"][0], "key": "k", "text": "t"}]}, r"lists\[0\]"),
        ({"lists": [{**FILE["lists"][0], "key": "k"}]}, r"lists\[0\]"),
        ({"lists": [{**FILE["lists"][0], "name": "zoe"}]}, r"lists\[0\].name"),
        ({"lists": FILE["lists"] * 2}, r"lists\[1\]"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_its_place(changed: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidFile, match=place):
        read(encoded({**FILE, **changed}))


# -- first choices -----------------------------------------------------------------------------------------------------


def test_the_reasons_of_a_first_choice_tell_the_shares_and_the_draw() -> None:
    now = after(season("ohs", list("abcd"), dice_off="equalizer", rounds=3), "ab", "cd")
    (drawn,) = first_choices(season("ohs", list("ab"), dice_off="draw"), 1, [(Name("a"), Name("b"))])
    assert drawn.reasons[0].sentence.startswith(f"{drawn.name} has the first choice: the smaller draw of the two, by")
    assert set(drawn.reasons[0].draws) == {"7/1/dice/a", "7/1/dice/b"}
    first = {choice.name for choice in first_choices(now, 1, [(Name("a"), Name("b")), (Name("c"), Name("d"))])}
    second = tuple(sorted(name for name in map(Name, "abcd") if name not in first))
    winner, loser = next(iter(sorted(first))), second[0]
    (choice,) = first_choices(now, 2, [(winner, loser)])
    assert choice.name == loser
    assert choice.reasons[0].sentence == (
        f"{loser} has won 0 of 1 dice-offs this season, {winner} 1 of 1. So {loser} has the first choice."
    )
    (equal,) = first_choices(now, 2, [(second[0], second[1])])
    assert "an equal share, so the draw decides" in equal.reasons[0].sentence
