"""Fingerprints: each stands for all that was played up to a round."""

import hashlib
from dataclasses import replace

import pytest

from bot.league.checking.fingerprints import fingerprints, found_in
from bot.league.checking.league_file.reading import read
from bot.league.formats import ALL
from bot.league.season.model import Decision, Departure, DepartureKind, Entrant, Kind, Name
from tests.league.builders import play_rounds, season_of_file
from tests.league.checking.league_file.examples import encoded


def test_the_text_that_is_hashed_is_this() -> None:
    match = {"players": ["Zoë", "Ada"], "winner": "draw", "games": [1, 1], "kind": "played", "points": [1, 1]}
    data = {
        "fairpair": 1,
        "league": "L",
        "season": 7,
        "format": "keyforge-swiss",
        "settings": {"best_of": 3, "draws": True},
        "players": [{"name": "Zoe\u0308"}, {"name": "Ada"}, {"name": "Ben"}, {"name": "late", "entered": 2}],
        "rounds": [{"number": 1, "stage": "regular", "bye": "Ben", "matches": [match]}],
    }
    start = hashlib.sha256('{"format":"keyforge-swiss","players":["Ada","Ben","Zoë"],"season":7}'.encode()).hexdigest()
    text = (
        f'{start}\n{{"bye":["Ben"],"matches":[{{"games":[1,1],"kind":"played","players":["Zoë","Ada"],"points":[1,1],'
        '"winner":"draw"}],"number":1,"stage":"regular"}'
    )
    assert list(fingerprints(read(encoded(data)))) == [start, hashlib.sha256(text.encode()).hexdigest()]


@pytest.mark.parametrize("key", [format_.key for format_ in ALL])
def test_a_change_changes_its_round_and_all_later_ones(key: str) -> None:
    season = play_rounds(season_of_file(key, 9))
    before = list(fingerprints(season))
    assert len({*before}) == len(season.rounds) + 1
    second = season.rounds[1]
    match = second.matches[0]
    turned = replace(match, winner=match.opponent_of(match.winner or match.upper))
    rounds = (season.rounds[0], replace(second, matches=(turned, *second.matches[1:])), *season.rounds[2:])
    after = list(fingerprints(replace(season, rounds=rounds)))
    assert [one == other for one, other in zip(before, after, strict=True)] == [True] * 2 + [False] * (len(before) - 2)
    decided = replace(season, decisions=(Decision(after_round=2, order=(match.upper,)),))
    assert list(fingerprints(decided))[:3] == [*before[:2], list(fingerprints(decided))[2]]
    assert list(fingerprints(decided))[2] != before[2]


def test_they_stop_at_an_open_match_and_leave_out_comings_and_goings() -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=3)
    before = list(fingerprints(season))
    last = season.rounds[2]
    open_ = replace(last, matches=(replace(last.matches[0], kind=Kind.OPEN, winner=None), *last.matches[1:]))
    assert list(fingerprints(replace(season, rounds=(*season.rounds[:2], open_)))) == before[:3]
    gone = Departure(name=Name("P01"), kind=DepartureKind.DROP, round=4)
    late = Entrant(name=Name("late"), entered=4)
    assert list(fingerprints(replace(season, departures=(gone,), entrants=(*season.entrants, late)))) == before
    never = Departure(name=Name("early"), kind=DepartureKind.DROP, round=1)
    away = replace(season, departures=(never,), entrants=(*season.entrants, Entrant(name=Name("early"))))
    assert list(fingerprints(away)) == before


def test_one_is_found_whole_or_as_it_is_shown() -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=3)
    _, _, second, _ = fingerprints(season)
    assert found_in(season, second) == found_in(season, second[:16])
    assert found_in(season, second) == (True, "the file has this fingerprint after round 2")
    assert found_in(season, "0" * 16) == (False, "the file never had this fingerprint")
    forgotten = replace(season, forgotten=True)
    assert found_in(forgotten, second)[0]
    assert found_in(forgotten, "0" * 16)[1].startswith("not compared: a player was forgotten")
