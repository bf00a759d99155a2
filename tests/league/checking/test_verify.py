"""Verifying: what was paired by the rules passes, what was not is named, with the round it began."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.season_end import final_of
from bot.league.checking.verify import as_of, difference, verify
from bot.league.counting.draw import commitment_of, salt_of
from bot.league.errors import WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import (
    Decision,
    Departure,
    DepartureKind,
    Ended,
    Entrant,
    Kind,
    Name,
    Round,
    SealedSalt,
    Season,
)
from bot.league.season.settings import with_salt
from tests.examples import examples
from tests.league.builders import by_chance, play_rounds, play_season, season, season_of_file
from tests.league.checking.league_file.examples import encoded
from tests.league.turmoil import Ruin, Turmoil

FORMATS = [format_.key for format_ in ALL]


def swapped(round_: Round) -> Round:
    """Return the round with the lower players of its first two matches exchanged."""
    first, second, *rest = round_.matches
    matches = (replace(first, lower=second.lower), replace(second, lower=first.lower), *rest)
    return replace(round_, matches=tuple(replace(match, winner=min(match.players)) for match in matches))


def changed(season: Season, number: int, round_: Round) -> Season:
    return replace(season, rounds=(*season.rounds[: number - 1], round_, *season.rounds[number:]))


@pytest.mark.parametrize("key", FORMATS)
def test_a_season_by_the_rules_is_as_the_rules_say(key: str) -> None:
    season = play_rounds(season_of_file(key, 11))
    found = verify(season)
    assert found.agrees
    assert found.lines() == [f"round {r.number}: as the rules say" for r in season.rounds]
    assert len(season.rounds) >= 4


@pytest.mark.parametrize("key", FORMATS)
def test_the_order_of_anything_makes_no_difference(key: str) -> None:
    season = play_rounds(season_of_file(key, 9))
    turned = replace(
        season,
        entrants=season.entrants[::-1],
        rounds=tuple(
            replace(
                round_,
                byes=round_.byes[::-1],
                matches=tuple(replace(m, upper=m.lower, lower=m.upper) for m in round_.matches[::-1]),
            )
            if index == len(season.rounds) - 1
            else round_
            for index, round_ in enumerate(season.rounds)
        ),
    )
    assert verify(turned).agrees


def test_a_round_against_the_rules_is_named_with_what_was_due() -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=3)
    wrong = changed(season, 2, swapped(season.rounds[1]))
    found = verify(wrong)
    assert not found.agrees
    due, second = season.rounds[1].matches[0].players, found.lines()[1]
    assert second.startswith("round 2: differs (the first to differ): by the rules ")
    assert " v ".join(f'"{name}"' for name in sorted(due)) in second
    assert found.lines()[0] == "round 1: as the rules say"


def test_later_rounds_go_on_from_the_file_and_name_the_first_that_differs() -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=1)
    season = replace(season, rounds=(swapped(season.rounds[0]),))
    season = play_rounds(season, rounds=1)
    third = play_rounds(season, rounds=1).rounds[2]
    found = verify(replace(season, rounds=(*season.rounds, swapped(third))))
    assert found.lines()[1] == "round 2: as the rules say"
    assert found.lines()[2].startswith("round 3: differs (rounds differ since round 1): ")


def test_a_round_changed_by_hand_is_said_to_be_and_passes() -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=1)
    season = replace(season, rounds=(replace(swapped(season.rounds[0]), by_hand="they\nasked"),))
    found = verify(play_rounds(season, rounds=1))
    assert found.agrees
    assert found.lines() == [
        "round 1: changed by hand (they asked); no one plays twice",
        "round 2: as the rules say",
    ]


def test_by_hand_nobody_may_play_twice() -> None:
    season = play_rounds(season_of_file("ohs", 9), rounds=1)
    round_ = season.rounds[0]
    twice = replace(round_, by_hand="x", byes=(round_.matches[0].upper,))
    found = verify(replace(season, rounds=(twice,)))
    assert not found.agrees
    assert f'"{round_.matches[0].upper}" plays twice' in found.lines()[0]


def test_a_wrong_bye_or_stage_differs() -> None:
    season = play_rounds(season_of_file("ohs", 9), rounds=1)
    round_, match = season.rounds[0], season.rounds[0].matches[0]
    bye = replace(
        round_,
        byes=(match.upper,),
        matches=(replace(match, upper=round_.byes[0], winner=match.lower), *round_.matches[1:]),
    )
    line = verify(replace(season, rounds=(bye,))).lines()[0]
    assert f'a bye for "{round_.byes[0]}"' in line
    assert f'a bye for "{match.upper}"' in line.split("in the file")[1]


def test_a_round_after_the_end_differs() -> None:
    season = play_rounds(season_of_file("ohs", 4))
    again = replace(season.rounds[-1], number=len(season.rounds) + 1)
    found = verify(replace(season, rounds=(*season.rounds, again)))
    assert not found.agrees
    assert '"P00" is already the champion, so no round is due' in found.lines()[-1]
    cutless = play_rounds(season_of_file("ohs", 4, settings={"cut": 0}))
    again = replace(cutless.rounds[-1], number=5)
    assert "so no round is due" in verify(replace(cutless, rounds=(*cutless.rounds, again))).lines()[-1]


def test_who_left_or_came_later_changes_no_earlier_round() -> None:
    season = play_rounds(season_of_file("ohs", 10), rounds=2)
    drop = Departure(name=Name("P04"), kind=DepartureKind.DROP, round=3)
    season = replace(season, entrants=(*season.entrants, Entrant(name=Name("late"), entered=3)), departures=(drop,))
    season = play_rounds(season, rounds=1)
    back = replace(season, departures=(replace(drop, rejoined=4),))
    assert "late" in {name for match in season.rounds[2].matches for name in match.players} | set(season.rounds[2].byes)
    assert verify(season).agrees
    assert verify(play_rounds(back, rounds=1)).agrees


def test_only_what_was_known_is_looked_at() -> None:
    season = replace(
        season_of_file("ohs", 4),
        entrants=tuple(Entrant(name=Name(f"P{n}"), entered=n) for n in range(1, 5)),
        rounds=tuple(Round(number=n) for n in range(1, 4)),
        departures=(
            Departure(name=Name("P1"), kind=DepartureKind.DROP, round=1, rejoined=3),
            Departure(name=Name("P2"), kind=DepartureKind.DROP, round=2, after_pairing=True),
            Departure(name=Name("P3"), kind=DepartureKind.DROP, round=3),
        ),
        decisions=(Decision(after_round=1, order=()), Decision(after_round=2, order=())),
    )
    known = as_of(season, 2)
    assert [entrant.name for entrant in known.entrants] == ["P1", "P2"]
    assert [round_.number for round_ in known.rounds] == [1]
    assert [(gone.name, gone.rejoined) for gone in known.departures] == [("P1", None)]
    assert [decision.after_round for decision in known.decisions] == [1]


def test_a_salt_is_made_of_the_names_at_the_start() -> None:
    season = season_of_file("ohs", 8)
    names = [entrant.name for entrant in season.entrants]
    salted = play_rounds(replace(season, settings=with_salt(season.settings, salt_of(names))))
    late = Entrant(name=Name("late"), entered=2)
    assert verify(salted).agrees
    assert verify(replace(salted, entrants=(*salted.entrants, replace(late, entered=99)))).salt == ()
    other = replace(salted, settings=with_salt(season.settings, "0" * 16))
    assert (
        verify(other)
        .lines()[0]
        .startswith(f"salt: differs: the names of the players at the start give {salt_of(names)}")
    )
    assert not verify(other).agrees


SECRET = "5ea1" * 16


def sealed(commitment: str = commitment_of(SECRET), secret: str | None = SECRET) -> Season:
    """Return the first round of a season whose salt was made of a secret and its names."""
    season = season_of_file("ohs", 8)
    names = tuple(sorted(entrant.name for entrant in season.entrants))
    salted = replace(season, settings=with_salt(season.settings, salt_of(names, SECRET)), drawn_names=names)
    return replace(play_rounds(salted, rounds=1), sealed=SealedSalt(commitment=commitment, secret=secret))


def test_a_sealed_salt_is_made_of_the_secret_and_the_names() -> None:
    season = sealed()
    text = "\n".join([SECRET, *sorted(entrant.name for entrant in season.entrants)])
    assert season.settings.salt == hashlib.sha256(text.encode()).hexdigest()[:16]
    assert verify(season).agrees
    without = replace(season, drawn_names=None)
    assert verify(without).agrees
    fewer = verify(replace(season, drawn_names=season.drawn_names and season.drawn_names[1:]))
    assert fewer.salt[0].startswith("salt: differs: the secret and the names in drawn_names give")
    assert not verify(replace(season, drawn_names=())).agrees


def test_a_secret_that_was_not_sealed_differs() -> None:
    (line,) = verify(sealed(commitment="0" * 64)).salt
    assert line.startswith(f"salt: differs: the secret gives the commitment {commitment_of(SECRET)}")


def test_what_cannot_be_compared_is_said_and_passes() -> None:
    unsaid = verify(sealed(secret=None))
    assert (unsaid.agrees, unsaid.lines()[-1]) == (True, "salt: not compared, because the file doesn't say the secret")
    forgotten = verify(replace(sealed(commitment="0" * 64), forgotten=True))
    assert (forgotten.agrees, forgotten.lines()[-1]) == (
        True,
        "salt and fingerprints: not compared, because a player was forgotten",
    )


@pytest.mark.parametrize("key", FORMATS)
def test_the_end_of_a_season_is_compared(key: str) -> None:
    season = play_rounds(season_of_file(key, 11))
    end = by_key(key).next_round(season)
    assert not isinstance(end, Proposal)
    ended = replace(season, final=final_of(by_key(season.format).standings(season), Ended.RULES, end.name))
    again = read(to_json(ended).encode())
    assert again == ended
    assert verify(again).lines()[-1] == "final: as the rules say"
    assert again.final is not None

    def found(**changes: Any) -> str:
        found = verify(replace(again, final=replace(again.final, **changes)))
        assert not found.agrees
        return found.lines()[-1]

    lines = again.final.standings
    other = next(line.name for line in lines if line.name != end.name)
    assert found(champion=other) == f'final: differs: the champion is by the rules "{end.name}", in the file "{other}"'
    assert found(champion=None).endswith("in the file no one")
    turned = found(standings=(lines[1], lines[0], *lines[2:]))
    names = f'by the rules "{lines[0].name}", in the file "{lines[1].name}"'
    assert turned == f"final: differs: line 1 of the standings is {names}"
    assert "line 11 of the standings" in found(standings=lines[:-1])
    assert "line 12 of the standings" in found(standings=(*lines, lines[0]))
    assert f'wins of "{lines[0].name}"' in found(standings=(replace(lines[0], wins=99), *lines[1:]))
    for key_, value in lines[2].tiebreaks.items():
        near, far = (replace(lines[2], tiebreaks={**lines[2].tiebreaks, key_: value + by}) for by in (1e-9, 3e-9))
        close = replace(again.final, standings=(*lines[:2], near, *lines[3:]))
        assert verify(replace(again, final=close)).agrees
        assert f'{key_} of "{lines[2].name}"' in found(standings=(*lines[:2], far, *lines[3:]))
    assert "missing" in found(standings=(*lines[:2], replace(lines[2], tiebreaks={"luck": 1}), *lines[3:]))
    twice = replace(lines[2], tiebreaks={**lines[2].tiebreaks, "losses": lines[2].losses})
    assert "losses" in found(standings=(*lines[:2], twice, *lines[3:]))


def test_the_end_has_whole_numbers_as_they_are_and_shares_as_fractions_of_one() -> None:
    season = play_rounds(season_of_file("lightseekers-swiss", 9))
    final = final_of(by_key(season.format).standings(season), Ended.RULES, Name("P00"))
    kinds = {key: {type(line.tiebreaks[key]) for line in final.standings} for key in final.standings[0].tiebreaks}
    assert kinds == {"beaten_opponents_wins": {int}, "game_wins": {int}, "game_win_percentage": {float}}


def test_a_season_an_organiser_ended_has_standings_and_no_champion() -> None:
    season = play_rounds(season_of_file("ohs", 9), rounds=2)
    for ended in (Ended.FINISHED, Ended.CANCELLED):
        early = replace(season, final=final_of(by_key(season.format).standings(season), ended, None))
        assert verify(read(to_json(early).encode())).lines()[-1] == "final: as the rules say"
        assert early.final == final_of(by_key(season.format).standings(season), ended, Name("P00"))
        won = replace(
            season, final=replace(final_of(by_key(season.format).standings(season), ended, None), champion=Name("P00"))
        )
        assert verify(won).lines()[-1] == "final: differs: a season that an organiser ended has no champion"
    by_rules = replace(season, final=final_of(by_key(season.format).standings(season), Ended.RULES, Name("P00")))
    assert verify(by_rules).lines()[-1] == "final: differs: by the rules round 3 is next, so the season isn't over"
    newest = replace(season.rounds[-1], matches=(replace(season.rounds[-1].matches[0], kind=Kind.OPEN, winner=None),))
    unfinished = changed(by_rules, 2, newest)
    unfinished = replace(
        unfinished, final=final_of(by_key(unfinished.format).standings(unfinished), Ended.RULES, Name("P00"))
    )
    assert verify(unfinished).lines()[-1].startswith("final: differs: the rules don't end the season here: ")


@pytest.mark.long
@pytest.mark.parametrize("format_", ALL, ids=FORMATS)
@given(players=st.integers(12, 24), chance=st.integers(0, 10**6))
@settings(max_examples=examples(25))
def test_seasons_with_all_that_happens_agree_after_a_trip_through_a_file(
    format_: Format, players: int, chance: int
) -> None:
    played = play_season(season(format_, players), by_chance(chance), (Turmoil, Ruin)[chance % 2](chance)).season
    again = read(to_json(played).encode())
    assert again == played
    assert [check.line() for check in verify(again).rounds if check.difference is not None] == []


@pytest.mark.parametrize("format_", ALL, ids=FORMATS)
@given(players=st.integers(8, 16), chance=st.integers(0, 10**6))
@settings(max_examples=examples(10))
def test_going_on_from_round_to_round_finds_what_each_round_alone_does(
    format_: Format, players: int, chance: int
) -> None:
    played = play_season(season(format_, players), by_chance(chance), (Turmoil, Ruin)[chance % 2](chance)).season
    first = played.rounds[0]
    other_way = (replace(match, winner=match.winner and match.opponent_of(match.winner)) for match in first.matches)
    changed_later = changed(played, 1, replace(first, matches=tuple(other_way)))
    found = [check.difference for check in verify(changed_later).rounds]
    assert found == [difference(changed_later, round_) for round_ in changed_later.rounds]


def test_a_record_cannot_be_verified() -> None:
    record = read(encoded({"fairpair": 1, "league": "L", "season": 1, "format": "record", "players": []}))
    with pytest.raises(WrongPhase, match="recorded elsewhere"):
        verify(record)
