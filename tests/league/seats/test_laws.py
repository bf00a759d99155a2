"""What holds in every format whoever sits out, sits in for others, or has the first choice."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import as_of, verify
from bot.league.counting.history import History
from bot.league.counting.rating_formula import rate
from bot.league.counting.ratings import new_rating, season_ratings
from bot.league.counting.records import Outcome
from bot.league.counting.seat_holders import people_in_seats
from bot.league.errors import PairingImpossible
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.match_day.dice_offs import first_choices
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Match, Name, Season, SitOut, Stage, Status
from bot.league.summaries.outlook import look_ahead
from bot.league.summaries.round_news import news_of
from tests.examples import examples
from tests.league.builders import (
    as_sets,
    by_chance,
    open_match,
    play_season,
    proposed,
    season,
    shuffled,
    with_departure,
)
from tests.league.turmoil import LivesInTheWay

CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ohs", {}),
    ("ohs", {"cut": 0, "rounds": 7, "rejoin": "free", "bye_among": "lowest"}),
    ("two-loss-out", {"cut": 4}),
    ("two-loss-out", {"cut": 1, "losses": 3}),
    ("keyforge-swiss", {"rejoin": "free", "points": {"win": 3, "draw": 1, "loss": 1, "bye": 2}}),
    ("lightseekers-swiss", {"replace": False}),
    ("single-elimination", {"third_place": True}),
)
every_case = pytest.mark.parametrize(
    ("key", "chosen"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
seeds = st.integers(0, 10**6)


def played(key: str, players: int, seed: int, chosen: dict[str, Any]) -> Season:
    """Return a season that was played to its end while lives got in the way, each match with its dice-off."""
    dice_off = ("off", "draw", "equalizer")[seed % 3]
    salt = {"salt": "00c0ffee"} if seed % 2 else {}
    start = season(key, max(players, by_key(key).fewest_players), dice_off=dice_off, **salt, **chosen)
    return with_dice_offs(play_season(start, by_chance(seed), LivesInTheWay(seed)).season)


def with_dice_offs(now: Season) -> Season:
    for number, round_ in enumerate(now.rounds):
        choices = first_choices(now, round_.number, [match.players for match in round_.matches])
        matches = zip(round_.matches, choices, strict=True) if choices else ()
        noted = tuple(replace(match, dice_off=choice.name) for match, choice in matches) or round_.matches
        rounds = (*now.rounds[:number], replace(round_, matches=noted), *now.rounds[number + 1 :])
        now = replace(now, rounds=rounds)
    return now


@pytest.mark.long
@every_case
@given(players=st.integers(5, 20), seed=seeds)
@settings(max_examples=examples(20), deadline=None)
def test_what_was_paired_verifies_after_a_trip_through_a_file(
    key: str, chosen: dict[str, Any], players: int, seed: int
) -> None:
    now = played(key, players, seed, chosen)
    again = read(to_json(now).encode())
    assert replace(again, sat_out=now.sat_out) == now
    assert {*again.sat_out} == {*now.sat_out}
    assert [check.line() for check in verify(again).rounds if check.difference is not None] == []
    assert by_key(key).standings(shuffled(again, seed)) == by_key(key).standings(again)


@every_case
@given(players=st.integers(5, 16), seed=seeds)
@settings(max_examples=examples(10), deadline=None)
def test_no_round_is_two_losses_and_who_sat_out_has_exactly_one(
    key: str, chosen: dict[str, Any], players: int, seed: int
) -> None:
    now = played(key, players, seed, chosen)
    format_: Any = by_key(key)
    records = format_.before_finals(now).records
    for name, record in records.items():
        rounds = [entry.round for entry in record.entries]
        assert rounds == sorted(set(rounds))
        unpaired = {entry.round for entry in record.entries if entry.outcome is Outcome.UNPAIRED}
        seated = {round_.number for round_ in now.rounds if name in round_.seated}
        assert not unpaired & seated
    for one in now.sat_out:
        before = format_.before_finals(as_of(now, one.round))
        round_ = next((r for r in now.rounds if r.number == one.round), None)
        if round_ is None or round_.stage is not Stage.REGULAR or one.name in round_.seated:
            continue
        status = {line.name: line.status for line in format_.standings(as_of(now, one.round))}[one.name]
        counted = {entry.round for entry in records[one.name].entries if entry.outcome is Outcome.UNPAIRED}
        assert (one.round in counted) or status is not Status.ACTIVE
        assert before.number == one.round


@pytest.mark.long
@every_case
@given(players=st.integers(5, 16), seed=seeds)
@settings(max_examples=examples(10), deadline=None)
def test_a_sit_out_without_effect_changes_nothing(key: str, chosen: dict[str, Any], players: int, seed: int) -> None:
    now, random = played(key, players, seed, chosen), Random(seed)
    format_ = by_key(key)
    elsewhere = [round_ for round_ in now.rounds if round_.stage is not Stage.REGULAR]
    more = [SitOut(name=e.name, round=r.number) for r in elsewhere for e in now.entrants if random.random() < 0.5]
    for round_ in now.rounds:
        status = {line.name: line.status for line in format_.standings(as_of(now, round_.number))}
        idle = [name for name, one in status.items() if one is not Status.ACTIVE]
        more += [SitOut(name=name, round=round_.number) for name in (*round_.seated, *idle)]
    asked = replace(now, sat_out=(*now.sat_out, *more))
    assert format_.standings(asked) == format_.standings(now)
    assert [c.difference for c in verify(asked).rounds if c.difference and "can't pair" not in c.difference] == []


@pytest.mark.parametrize("key", ["ohs", "keyforge-swiss", "lightseekers-swiss"])
@given(players=st.integers(8, 16), seed=seeds)
@settings(max_examples=examples(15), deadline=None)
def test_a_round_is_paired_as_if_those_who_sit_it_out_were_gone(key: str, players: int, seed: int) -> None:
    """Where no one is put out, only the pairing itself looks at who plays."""
    now, random = played(key, players, seed, {}), Random(seed)
    regular = [round_.number for round_ in now.rounds if round_.stage is Stage.REGULAR]
    number = random.choice(regular[1:])
    before = as_of(now, number)
    there = [line.name for line in by_key(key).standings(before) if line.status is Status.ACTIVE]
    away = random.sample(sorted(there), random.randint(0, len(there) - 2))
    others = tuple(one for one in before.sat_out if one.round != number)
    sitting = replace(before, sat_out=(*others, *(SitOut(name=name, round=number) for name in away)))
    gone = replace(before, sat_out=others)
    for name in away:
        gone = with_departure(gone, name, number)
    assert as_sets(proposed(sitting)) == as_sets(proposed(gone))


@every_case
@given(players=st.integers(5, 16), seed=seeds)
@settings(max_examples=examples(10), deadline=None)
def test_ratings_are_those_of_people_match_by_match(key: str, chosen: dict[str, Any], players: int, seed: int) -> None:
    now = played(key, players, seed, chosen)
    scale = now.settings.rating
    ratings: dict[Name, Any] = {}

    def sitting(seat: Name, number: int) -> Name:
        rows = [row for row in now.substitutes if row.seat == seat and row.round <= number]
        row = max(rows, key=lambda row: row.round, default=None)
        if row is None:
            return seat
        first = min((r for r in now.substitutes if r.player == row.player), key=lambda r: r.round)
        if row.player != seat:
            ratings.setdefault(row.player, first.rating)
        return row.player

    for entrant in now.entrants:
        ratings[entrant.name] = entrant.rating or new_rating(scale)
    for round_ in now.rounds:
        for match in round_.matches:
            if match.rated and match.winner is not None:
                won, lost = (sitting(s, round_.number) for s in (match.winner, match.opponent_of(match.winner)))
                ratings[won], ratings[lost] = rate(ratings[won], ratings[lost], scale)
    last = len(now.rounds) + 1
    assert season_ratings(now) == {e.name: ratings[sitting(e.name, last)] for e in now.entrants}
    assert people_in_seats(now, last) == {e.name: sitting(e.name, last) for e in now.entrants}


@every_case
@given(players=st.integers(5, 16), seed=seeds)
@settings(max_examples=examples(10), deadline=None)
def test_the_first_choice_is_the_smaller_share_of_dice_offs_then_the_smaller_draw(
    key: str, chosen: dict[str, Any], players: int, seed: int
) -> None:
    now = played(key, players, seed, chosen)
    won: dict[str, int] = {}
    all_: dict[str, int] = {}
    for round_ in now.rounds:
        chosen_now: list[tuple[Match, Name]] = []
        for match in round_.matches:
            salt = f"{now.settings.salt}/" if now.settings.salt else ""
            draws = {
                name: sha256(f"{now.number}/{round_.number}/dice/{salt}{name}".encode()).hexdigest()
                for name in match.players
            }
            shares = {n: Fraction(won.get(n, 0), all_[n]) if n in all_ else Fraction(0) for n in match.players}
            equal = now.settings.dice_off == "draw"
            first = min(match.players, key=lambda n: (0 if equal else shares[n], draws[n]))
            chosen_now.append((match, first))
            assert match.dice_off == (None if now.settings.dice_off == "off" else first)
        for match, first in chosen_now:
            won[first] = won.get(first, 0) + 1
            for name in match.players:
                all_[name] = all_.get(name, 0) + 1


@pytest.mark.long
@every_case
@given(players=st.integers(5, 12), seed=seeds)
@settings(max_examples=examples(6), deadline=None)
def test_what_people_are_told_copes_with_all_of_it(key: str, chosen: dict[str, Any], players: int, seed: int) -> None:
    now, random = played(key, players, seed, chosen), Random(seed)
    format_: Format = by_key(key)
    number = random.choice([round_.number for round_ in now.rounds])
    then = as_of(now, number + 1)
    last = then.rounds[-1]
    posted = replace(last, matches=tuple(open_match(*match.players) for match in last.matches))
    playing = replace(then, rounds=(*then.rounds[:-1], posted))
    asking = tuple(SitOut(name=e.name, round=number + 1) for e in now.entrants if random.random() < 0.7)
    playing = replace(playing, sat_out=(*playing.sat_out, *asking))
    told = look_ahead(playing, random.random() < 0.2, most=300 * len(now.entrants))
    assert told is not None
    assert {*told.players} == {entrant.name for entrant in then.entrants}
    news_of(format_, then, number)
    assert len(format_.standings(playing)) == len(then.entrants)


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_a_dice_off_in_the_file_that_is_wrong_makes_only_its_round_differ(format_: Format) -> None:
    now = with_dice_offs(play_season(season(format_, 12, dice_off="equalizer"), by_chance(1)).season)
    match, *others = now.rounds[0].matches
    assert match.dice_off is not None
    loser = match.opponent_of(match.dice_off)
    first = replace(now.rounds[0], matches=(replace(match, dice_off=loser), *others))
    checks = verify(replace(now, rounds=(first, *now.rounds[1:]))).rounds
    assert [check.number for check in checks if check.difference] == [1]
    assert loser in (checks[0].difference or "")
    by_hand = replace(first, by_hand="swapped")
    assert verify(replace(now, rounds=(by_hand, *now.rounds[1:]))).agrees


@every_case
@given(players=st.integers(5, 16), seed=seeds)
@settings(max_examples=examples(10), deadline=None)
def test_a_history_that_goes_on_from_an_earlier_one_counts_the_same(
    key: str, chosen: dict[str, Any], players: int, seed: int
) -> None:
    now, format_ = played(key, players, seed, chosen), by_key(key)
    history = None
    for number in range(1, len(now.rounds) + 2):
        then = as_of(now, number)
        history, whole = format_.before_finals(then, history), format_.before_finals(then)
        assert history.records == whole.records
        assert history.ratings() == whole.ratings()
        assert history.season == whole.season
        assert as_answer(format_, history) == as_answer(format_, whole)


def as_answer(format_: Format, history: History) -> Any:
    try:
        answer = format_.next_after(history)
    except PairingImpossible as impossible:
        return str(impossible)
    return as_sets(answer) if isinstance(answer, Proposal) else answer
