"""A bracket that is kept when a player is forgotten: everyone's next opponent stays the same."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import Name, Season, Stage
from tests.examples import examples
from tests.league.builders import by_chance, play_season, proposed, season, until, with_round, won
from tests.league.checking.league_file.examples import encoded
from tests.league.turmoil import Ruin, forgotten


def called(now: Season, before: Season) -> dict[Name, Name]:
    """Return what everyone is called now, by their name before."""
    pairs = zip(before.entrants, now.entrants, strict=True)
    return {old.name: new.name for old, new in pairs}


@pytest.mark.long
@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
@given(players=st.integers(5, 14), seed=st.integers(0, 10**6))
@settings(max_examples=examples(30), deadline=None)
def test_whoever_is_forgotten_the_others_meet_whom_they_would_have_met(
    format_: Format, players: int, seed: int
) -> None:
    random = Random(seed)
    chosen = {"cut": 4} if "cut" in format_.own_settings else {"third_place": seed % 2 == 0}
    played = play_season(season(format_, players, number=seed % 9, **chosen), by_chance(seed), Ruin(seed, 0.03))
    finals = [round_.number for round_ in played.season.rounds if round_.stage is Stage.FINALS]
    if not finals:
        return
    for number in finals[1:]:
        before = until(played.season, number)
        before = replace(
            before, departures=tuple(d for d in played.season.departures if not d.is_after(number)), decisions=()
        )
        due = format_.next_round(before)
        now = forgotten(before, random.choice(before.entrants).name)
        new = called(now, before)
        again = format_.next_round(now)
        if not isinstance(due, Proposal):
            assert isinstance(again, Champion)
            continue
        assert isinstance(again, Proposal)
        pairs = [tuple(new[name] for name in pair.players) for pair in due.pairs]
        assert [pair.players for pair in again.pairs] == pairs
        assert [bye.name for bye in again.byes] == [new[bye.name] for bye in due.byes]
    whole = forgotten(played.season, random.choice(played.season.entrants).name)
    assert read(to_json(whole).encode()) == whole
    rules = {check.number: check.difference for check in verify(whole).rounds}
    assert [rules[number] for number in finals] == [None] * len(finals)


def drawn(**more: object) -> Season:
    """Return a bracket of eight by the draw, of which p2 lost its first match."""
    now = season("single-elimination", 8, number=4)
    matches = (won(*sorted(pair.players, reverse=True)) for pair in proposed(now).pairs)
    return with_round(now, *matches, stage=Stage.FINALS)


def test_without_the_kept_bracket_the_next_opponents_were_others() -> None:
    """The mistake it is there for: a name in the draw is gone, and everybody moves."""
    now = drawn()
    due = {frozenset(pair.players) for pair in proposed(now).pairs}
    others = set[bool]()
    for entrant in now.entrants:
        kept = forgotten(now, entrant.name)
        new = called(kept, now)
        expected = {frozenset(new[name] for name in both) for both in due}
        assert {frozenset(pair.players) for pair in proposed(kept).pairs} == expected
        moved = {frozenset(pair.players) for pair in proposed(replace(kept, bracket=None)).pairs}
        others.add(moved != expected)
    assert True in others


def test_the_first_round_is_compared_with_the_kept_bracket_instead_of_the_draw() -> None:
    now = forgotten(drawn(), Name("p01"))
    assert verify(now).agrees
    assert verify(now).notes[-1] == "bracket: its first slots as in the file, because a player was forgotten"
    assert now.bracket is not None
    first, second, *others = now.bracket
    assert not verify(replace(now, bracket=(second, first, *others))).agrees
    assert not verify(replace(now, bracket=None)).agrees


def test_its_reasons_say_why_the_slots_are_as_they_are() -> None:
    now = forgotten(drawn(), Name("p01"))
    [reason, *_] = proposed(replace(now, rounds=())).pairs[0].reasons
    assert reason.sentence == "The bracket stands as it was when a player was forgotten."


@pytest.mark.parametrize(
    ("bracket", "place", "problem"),
    [
        (["p01", "p02", "p03"], "bracket", "has 3 slots"),
        ([], "bracket", "has 0 slots"),
        (["p01", "p01"], "bracket[1]", "is here twice"),
        (["p01", "stranger"], "bracket[1]", "not among the players"),
        ("p01", "bracket", "must be a list"),
    ],
)
def test_a_bracket_that_is_none_is_refused(bracket: object, place: str, problem: str) -> None:
    file = json.loads(to_json(forgotten(drawn(), Name("p08"))))
    with pytest.raises(InvalidFile, match=problem) as refused:
        read(encoded({**file, "bracket": bracket}))
    assert refused.value.place == place


def test_only_a_file_in_which_somebody_was_forgotten_has_a_bracket() -> None:
    file = json.loads(to_json(drawn()))
    slots = list(by_key("single-elimination").first_slots(drawn()))
    with pytest.raises(InvalidFile, match="only a file where a player was forgotten"):
        read(encoded({**file, "bracket": slots}))
    assert read(encoded({**file, "bracket": None})) == drawn()
