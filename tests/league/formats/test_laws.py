"""What holds in every format, whatever happens: laws over `formats.ALL`."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league import formats
from bot.league.counting.history import History
from bot.league.errors import PairingImpossible
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Chapter, Format
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import Kind, Season, Stage, Status
from tests.examples import examples
from tests.league.builders import (
    Events,
    Played,
    as_round,
    as_sets,
    by_chance,
    names,
    open_match,
    play_season,
    season,
    shuffled,
    until,
    with_departure,
)
from tests.league.turmoil import IN_PLAY, Turmoil

every_format = pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
by_results = pytest.mark.parametrize(
    "format_", [format_ for format_ in ALL if not format_.fixed_rounds], ids=lambda format_: format_.key
)
"""Formats whose pairings follow from what happened; a round robin has laws of its own."""
seeds = st.integers(0, 10**6)


VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ohs", {"cut": 6, "replace": False, "rejoin": "free"}),
    ("ohs", {"cut": 0, "late_entry": 4, "salt": "0123456789abcdef"}),
    ("ohs", {"rounds": 9, "late_entry": 9, "bye_among": "lowest"}),
    ("two-loss-out", {"losses": 3, "cut": 4, "replace": False}),
    ("two-loss-out", {"cut": 1}),
    ("two-loss-out", {"losses": 1, "cut": 4}),
    ("keyforge-swiss", {"cut": 8, "replace": False, "rounds": 3}),
    ("keyforge-swiss", {"cut": 0, "late_entry": 3}),
    ("lightseekers-swiss", {"cut": 4, "replace": False, "rounds": 6}),
    ("single-elimination", {"third_place": True}),
)
"""Settings that lead elsewhere than the defaults."""


def played(format_: Format, players: int, seed: int, *, turmoil: bool, **chosen: Any) -> Played:
    start = season(format_, max(players, format_.fewest_players), **chosen)
    return play_season(start, by_chance(seed), Turmoil(seed) if turmoil else Events())


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "players"),
    [
        pytest.param(
            format_,
            players,
            id=f"{format_.key}-{players}",
            marks=pytest.mark.long if players > 24 and players % 8 else (),
        )
        for format_ in ALL
        for players in range(format_.fewest_players, 51 if format_.fixed_rounds else 65)
    ],
)
def test_every_field_ends_with_one_champion(format_: Format, players: int) -> None:
    assert_one_champion(format_, played(format_, players, players, turmoil=False))


@pytest.mark.long
@by_results
@given(players=st.integers(2, 40), seed=seeds)
@settings(max_examples=examples(40), deadline=None)
def test_laws_hold_in_turmoil(format_: Format, players: int, seed: int) -> None:
    assert_laws(format_, played(format_, players, seed, turmoil=True), seed)


@pytest.mark.long
@pytest.mark.parametrize(("key", "chosen"), VARIANTS, ids=lambda value: value if isinstance(value, str) else str(value))
@given(players=st.integers(2, 30), seed=seeds)
@settings(max_examples=examples(20), deadline=None)
def test_laws_hold_with_other_settings(key: str, chosen: dict[str, Any], players: int, seed: int) -> None:
    format_ = by_key(key)
    assert_laws(format_, played(format_, players, seed, turmoil=True, **chosen), seed)


def assert_laws(format_: Format, result: Played, seed: int) -> None:
    assert_one_champion(format_, result)
    for round_ in result.season.rounds:
        before = until(result.season, round_.number)
        assert as_sets(answer(format_, before)) == as_sets(round_), "recomputing gives what was played"
        assert answer(format_, shuffled(before, seed)) == answer(format_, before), "no order of rows matters"
        assert_everybody_in_play_is_seated_once(format_, result, round_.number)
    assert_byes_are_fair(result)


def answer(format_: Format, before: Season) -> Proposal:
    given_ = format_.next_round(before)
    assert isinstance(given_, Proposal)
    return given_


def assert_one_champion(format_: Format, result: Played) -> None:
    standings = format_.standings(result.season)
    champions = [standing.name for standing in standings if standing.status is Status.CHAMPION]
    assert [standing.rank for standing in standings] == list(range(1, len(result.season.entrants) + 1))
    assert {standing.name for standing in standings} == {entrant.name for entrant in result.season.entrants}
    assert len(champions) == 1
    if isinstance(result.end, Champion):
        assert champions == [result.end.name]
    else:
        assert isinstance(result.end, Qualified)
        assert champions[0] == result.end.names[0]
    placed = [standing for standing in standings if standing.place == 1]
    assert not placed or [standing.name for standing in placed] == champions


def assert_everybody_in_play_is_seated_once(format_: Format, result: Played, number: int) -> None:
    # Later departures and entries are known to `until`, but must not count yet.
    before = until(result.season, number)
    seated = [name for m in result.season.rounds[number - 1].matches for name in m.players]
    seated += result.season.rounds[number - 1].byes
    entered = {entrant.name for entrant in before.entrants if entrant.entered <= number}
    in_play = {s.name for s in format_.standings(before) if s.status in IN_PLAY and s.name in entered}
    assert len(seated) == len(set(seated))
    assert History(before).number == number
    stage = result.season.rounds[number - 1].stage
    if stage is Stage.REGULAR:
        active = {s.name for s in format_.standings(before) if s.status is Status.ACTIVE and s.name in entered}
        assert set(seated) == active
        assert len(result.season.rounds[number - 1].byes) == len(active) % 2
    else:
        assert set(seated) <= in_play | thirds(result, number)


def thirds(result: Played, number: int) -> set[str]:
    """Who may play for third place: who lost in the round before."""
    if not result.season.settings.third_place or number == 1:
        return set()
    return {
        name for match in result.season.rounds[number - 2].matches for name in match.players if name != match.winner
    }


def assert_byes_are_fair(result: Played) -> None:
    for round_ in result.season.rounds:
        if round_.stage is Stage.REGULAR and round_.byes:
            history = History(result.season, before=round_.number)
            seated = [name for match in round_.matches for name in match.players]
            fewest = min(history.records[name].byes for name in [*seated, *round_.byes])
            assert [history.records[name].byes for name in round_.byes] == [fewest]


@every_format
def test_an_open_match_stops_the_next_round(format_: Format) -> None:
    start = season(format_, 8)
    first = as_round(answer(format_, start))
    waiting = replace(start, rounds=(first,))
    with pytest.raises(PairingImpossible, match=r"round 1 has matches without a result: .+ v .+"):
        format_.next_round(waiting)


@pytest.mark.long
@by_results
def test_a_later_drop_changes_nobody_elses_table(format_: Format) -> None:
    for seed in range(6):
        result = played(format_, 13, seed, turmoil=False)
        for number in range(2, len(result.season.rounds) + 2):
            before = until(result.season, number)
            leaver = names(13)[seed]
            after = with_departure(before, leaver, number)
            assert table(format_, before, leaver) == table(format_, after, leaver)


def table(format_: Format, before: Season, leaver: str) -> dict[str, object]:
    standings = format_.standings(before)
    return {s.name: (s.points, s.wins, s.losses, s.tiebreaks) for s in standings if s.name != leaver}


@by_results
def test_the_last_active_player_is_champion(format_: Format) -> None:
    now = season(format_, 8)
    for leaver in names(8)[1:]:
        now = with_departure(now, leaver, 2)
    first = as_round(answer(format_, replace(now, rounds=())))
    results = tuple(replace(m, kind=Kind.PLAYED, winner=min(m.players)) for m in first.matches)
    now = replace(now, rounds=(replace(first, matches=results),))
    assert format_.next_round(now) == Champion(name=names(8)[0])
    gone = with_departure(now, names(8)[0], 2)
    assert format_.next_round(gone) == Champion(name=None)
    assert all(standing.status is Status.DROPPED for standing in format_.standings(gone))


def test_only_the_formats_are_made_when_asked_for() -> None:
    assert len(formats.ALL) >= 5
    assert not hasattr(formats, "NO_SUCH_NAME")


@every_format
def test_rules_are_said_in_whole_sentences(format_: Format) -> None:
    for entrants in (None, 8, 40):
        told = format_.in_words(format_.read_settings({}), entrants)
        said = [rule.text for rule in told]
        assert len(said) >= 12
        assert all(sentence[0].isupper() or sentence[0].isdecimal() for sentence in said)
        assert all(sentence.endswith(".") for sentence in said)
        assert [*dict.fromkeys(rule.chapter for rule in told)] == [c for c in Chapter if c in {r.chapter for r in told}]


@pytest.mark.parametrize("rounds", [1, 2])
def test_rules_promise_no_late_entry_after_the_last_round_is_paired(rounds: int) -> None:
    ohs = by_key("ohs")
    said = " ".join(rule.text for rule in ohs.in_words(ohs.read_settings({"rounds": rounds, "late_entry": 4})))
    assert ("No one can join after round 1 is paired" if rounds == 1 else "until round 2 is paired") in said


def test_rules_of_a_bracket_tell_of_the_byes_that_leaving_causes() -> None:
    bracket = by_key("single-elimination")
    told = {rule.headword: rule.text for rule in bracket.in_words(bracket.read_settings({}))}
    assert told["Byes"] == "In round 1, by the draw. Later only if an opponent has left."


@every_format
def test_what_everybody_asks_first_is_said_in_three_to_five_lines(format_: Format) -> None:
    settings = format_.read_settings({"best_of": 5})
    for entrants in (None, 8, 40):
        said = format_.in_short(settings, entrants)
        assert 3 <= len(said) <= 5
        assert "best of 5" in said[0]
        assert sum(map(len, said)) < 500


@every_format
def test_the_final_is_the_match_of_the_last_two(format_: Format) -> None:
    start = season(format_, 9, final_best_of=5, finals_best_of=3, best_of=1)
    result = play_season(start)
    for round_ in result.season.rounds:
        games = {format_.best_of(result.season, round_, match) for match in round_.matches}
        last = round_.number == len(result.season.rounds)
        assert games == ({1} if round_.stage is not Stage.FINALS else {5} if last else {3})
    assert format_.best_of(start, as_round(result.proposals[0]), open_match("p01", "p02")) in (1, 3)
