"""Entering late, coming back and not showing up."""

from dataclasses import replace

import pytest

from bot.league import coming_and_going
from bot.league.formats import by_key
from bot.league.season.model import Departure, DepartureKind, Kind, Name, SitOut, Stage
from tests.league.builders import open_match, play_season, proposed, season, until, with_round, won


def test_players_enter_until_the_round_of_late_entry() -> None:
    settings = by_key("ohs").read_settings({"late_entry": 3})
    assert [number for number in range(1, 6) if coming_and_going.can_enter(settings, number)] == [1, 2, 3]
    assert not coming_and_going.can_enter(by_key("single-elimination").read_settings({}), 2)


@pytest.mark.parametrize(("rejoin", "can"), [("ask", True), ("free", True), ("never", False)])
def test_players_who_dropped_can_return_unless_never(rejoin: str, can: bool) -> None:
    settings = by_key("ohs").read_settings({"rejoin": rejoin})
    assert coming_and_going.can_return(settings) is can


def test_only_a_forfeit_drops_the_absent_and_only_where_no_show_says_so() -> None:
    drop, forfeit = (by_key("ohs").read_settings({"no_show": said}) for said in ("drop", "forfeit"))
    assert [kind for kind in Kind if coming_and_going.drops_absent(drop, kind)] == [Kind.FORFEIT]
    assert not any(coming_and_going.drops_absent(forfeit, kind) for kind in Kind)


def test_a_round_is_left_until_the_last_regular_one_is_posted() -> None:
    first = with_round(season("ohs", 4, rounds=2), open_match("p01", "p02"), won("p03", "p04"))
    assert coming_and_going.has_round_left(first)
    last = with_round(first, open_match("p01", "p03"), open_match("p02", "p04"))
    assert not coming_and_going.has_round_left(last)


def test_nobody_sits_out_who_did_not_ask_to() -> None:
    assert coming_and_going.sitting_out(season("ohs", 4), 1) == ()
    asked = replace(season("ohs", 4), sat_out=(SitOut(name=Name("p03"), round=1), SitOut(name=Name("p04"), round=2)))
    assert coming_and_going.sitting_out(asked, 1) == ("p03",)


def test_a_field_too_small_for_round_1_has_all_rounds_left() -> None:
    assert coming_and_going.has_round_left(season("lightseekers-swiss", 4))


def test_a_bracket_never_has_a_regular_round_left() -> None:
    assert not coming_and_going.has_round_left(season("single-elimination", 4))


@pytest.mark.parametrize("format_", ["ohs", "keyforge-swiss", "lightseekers-swiss", "two-loss-out"])
def test_players_who_come_for_a_round_of_the_finals_are_too_late(format_: str) -> None:
    returns = {} if format_ == "two-loss-out" else {"rejoin": "free"}  # nobody comes back there
    played = play_season(season(format_, 9, cut=4, **returns))
    finals = next(round_.number for round_ in played.season.rounds if round_.stage is Stage.FINALS)
    then = until(played.season, finals)
    best = proposed(then).pairs[0].upper
    comer = next(entrant for entrant in then.entrants if entrant.name == best)
    gone = Departure(name=best, kind=DepartureKind.DROP, round=finals - 1, after_pairing=True, rejoined=finals)
    back = replace(then, departures=(gone,))
    late = replace(then, entrants=(*then.entrants, replace(comer, name=Name("late"), entered=finals)))
    for now, name in ((late, Name("late")), *([(back, best)] if returns else [])):
        next_ = proposed(now)
        assert next_.stage is Stage.FINALS
        assert name not in {player for pair in next_.pairs for player in pair.players} | {
            bye.name for bye in next_.byes
        }
