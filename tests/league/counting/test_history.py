"""What counts: byes, forfeits, double losses, missed rounds, departures and meetings."""

from dataclasses import replace

import pytest

from bot.league.counting.history import History
from bot.league.counting.meetings import after_past, meetings_before
from bot.league.counting.records import Outcome
from bot.league.formats.ohs import Ohs
from bot.league.season.model import (
    DepartureKind,
    Entrant,
    Kind,
    Match,
    Meeting,
    Name,
    PastMatch,
    PastSeason,
    Season,
    Stage,
)
from tests.league.builders import double_loss, open_match, season, with_departure, with_round, won


def record(now: Season, name: str, before: int | None = None) -> tuple[int, int, int, int]:
    found = History(now, before=before).records[Name(name)]
    return found.wins, found.losses, found.draws, found.byes


def test_a_bye_is_a_win_without_opponent() -> None:
    now = with_round(season("ohs", ["a", "b", "c"]), won("a", "b"), byes=["c"])
    assert record(now, "c") == (1, 0, 0, 1)
    assert History(now).records[Name("c")].opponents == []
    assert History(now).records[Name("c")].rounds == 1


def test_forfeits_and_double_losses_make_opponents() -> None:
    now = with_round(season("ohs", ["a", "b", "c", "d"]), won("a", "b", kind=Kind.FORFEIT), double_loss("c", "d"))
    assert record(now, "a") == (1, 0, 0, 0)
    assert record(now, "c") == record(now, "d") == (0, 1, 0, 0)
    records = History(now).records
    assert [records[Name(name)].opponents for name in "abcd"] == [["b"], ["a"], ["d"], ["c"]]
    assert records[Name("a")].beaten == ["b"]
    assert records[Name("c")].beaten == []


def test_a_draw_counts_as_one() -> None:
    drawn = Match(upper=Name("a"), lower=Name("b"), kind=Kind.PLAYED)
    assert record(with_round(season("ohs", ["a", "b"]), drawn), "a") == (0, 0, 1, 0)


def test_an_open_match_is_a_meeting_and_nothing_else() -> None:
    now = with_round(season("ohs", ["a", "b"]), open_match("a", "b"))
    history = History(now)
    assert record(now, "a") == (0, 0, 0, 0)
    assert history.records[Name("a")].rounds == 0
    assert meetings_before(now, 99).between(Name("a"), Name("b")) is not None
    assert not history.finished


def test_games_and_awarded_points_are_counted() -> None:
    match = replace(won("a", "b"), games=(2, 1), points=(5, 2))
    records = History(with_round(season("ohs", ["a", "b"]), match)).records
    assert (records[Name("a")].game_wins, records[Name("a")].game_losses) == (2, 1)
    assert (records[Name("b")].game_wins, records[Name("b")].game_losses) == (1, 2)
    assert (records[Name("a")].points, records[Name("b")].points) == (5, 2)


# -- late entries and returns ------------------------------------------------------------------------------------------


def test_a_late_entry_lost_what_it_missed() -> None:
    late = Entrant(name=Name("late"), entered=3)
    now = season("ohs", ["a", "b", late])
    for _ in range(2):
        now = with_round(now, won("a", "b"))
    assert record(now, "late") == (0, 2, 0, 0)
    assert [entry.outcome for entry in History(now).records[Name("late")].entries] == [Outcome.UNPAIRED] * 2
    assert record(now, "late", before=2) == (0, 0, 0, 0), "an entry never changes an earlier round"
    assert "late" not in History(now, before=2).active()
    assert History(now).active() == ["a", "b", "late"]
    assert History(now).starters() == ["a", "b"]


def test_who_returns_lost_what_they_missed() -> None:
    now = season("ohs", ["a", "b", "c", "d"])
    now = with_round(now, won("a", "b"), won("c", "d"))
    now = with_departure(now, "d", 2, rejoined=4)
    now = with_round(now, won("a", "c"), byes=["b"])
    assert record(now, "d", before=3) == (0, 1, 0, 0), "while they are away nothing is counted"
    now = with_round(now, won("b", "c"), byes=["a"])
    assert record(now, "d") == (0, 3, 0, 0)
    assert not History(now, before=3).is_active(Name("d"))
    assert History(now).is_active(Name("d"))


def test_who_left_after_pairing_missed_only_the_rounds_after() -> None:
    now = with_round(season("ohs", ["a", "b", "c", "d"]), won("a", "b", kind=Kind.FORFEIT), won("c", "d"))
    now = with_departure(now, "b", 1, after_pairing=True, rejoined=3)
    now = with_round(now, won("a", "c"), byes=["d"])
    assert record(now, "b") == (0, 2, 0, 0)
    assert [entry.outcome for entry in History(now).records[Name("b")].entries] == [Outcome.LOSS, Outcome.UNPAIRED]


def test_one_may_leave_twice() -> None:
    now = season("ohs", ["a", "b", "c"])
    now = with_departure(with_departure(now, "a", 1, rejoined=2), "a", 3, kind=DepartureKind.DISQUALIFICATION)
    history = History(now)
    assert [history.is_active(Name("a"), at=number) for number in (1, 2, 3, 9)] == [False, True, False, False]
    assert history.starters() == ["b", "c"]


def test_who_left_between_two_stages() -> None:
    now = with_round(season("ohs", ["a", "b", "c", "d"]), won("a", "b"), won("c", "d"))
    now = with_departure(with_departure(now, "a", 2), "b", 1, after_pairing=True)
    assert History(now).left_between() == ["a"]
    now = with_departure(with_round(now, won("c", "d"), stage=Stage.FINALS), "c", 2, after_pairing=True)
    assert History(now, before=2).left_between() == ["a"]


def test_who_comes_for_a_round_and_leaves_before_it_was_not_in_between() -> None:
    """They were counted for a cut without `replace`, in which their opponents had byes."""
    now = with_round(season("keyforge-swiss", ["a", "b", "c", "d"]), won("a", "c"), won("b", "d"))
    now = with_departure(now, "c", 1, after_pairing=True, rejoined=2)
    now = with_departure(with_departure(now, "c", 2), "a", 2)
    assert History(now).left_between() == ["a"]


# -- meetings ----------------------------------------------------------------------------------------------------------

PAST = {6: [("a", "b")], 5: [("a", "c")], 4: [("a", "d")]}


@pytest.mark.parametrize(("past", "expected"), [(0, set()), (1, {"b"}), (2, {"b", "c"}), (3, {"b", "c", "d"})])
def test_past_seasons_count_by_their_numbers(past: int, expected: set[str]) -> None:
    now = season("ohs", ["a", "b", "c", "d"], past=PAST)
    assert set(after_past(meetings_before(now, 99), now, past).of(Name("a"))) == expected


def test_a_season_that_was_not_played_leaves_a_gap() -> None:
    now = season("ohs", ["a", "b"], number=7, past={5: [("a", "b")]})
    assert after_past(meetings_before(now, 99), now, 1).of(Name("a")) == {}
    assert set(after_past(meetings_before(now, 99), now, 2).of(Name("a"))) == {"b"}


def test_people_are_found_by_former_names() -> None:
    dok = Entrant(name=Name("dok"), former_names=(Name("d0k"), Name("d00k")))
    now = season("ohs", [dok, "b", "c"], past={6: [("d0k", "b"), ("d0k", "gone")], 5: [("c", "d00k"), ("dok", "d0k")]})
    met = after_past(meetings_before(now, 99), now, 2)
    assert set(met.of(Name("dok"))) == {"b", "c"}
    assert set(met.of(Name("b"))) == {"dok"}
    assert met.of(Name("gone")) == {}


def test_a_name_in_use_means_who_uses_it_today() -> None:
    renamed = Entrant(name=Name("new"), former_names=(Name("old"),))
    now = season("ohs", [renamed, "old", "c"], past={6: [("old", "c")]})
    assert set(after_past(meetings_before(now, 99), now, 1).of(Name("c"))) == {"old"}


def test_the_latest_meeting_is_the_one_told() -> None:
    now = with_round(season("ohs", ["a", "b"], past=PAST), won("a", "b"))
    meeting = after_past(meetings_before(now, 99), now, 2).between(Name("a"), Name("b"))
    assert meeting is not None
    assert (meeting.season, meeting.round) == (7, 1)


def test_of_two_meetings_in_a_past_season_the_later_round_is_told_whatever_their_order() -> None:
    names_ = (Name("a"), Name("b"))
    matches = tuple(PastMatch(players=names_, round=number) for number in (2, 5, 1))
    now = replace(season("ohs", ["a", "b"]), past=(PastSeason(number=6, matches=matches),))
    assert after_past(meetings_before(now, 1), now, 1).between(*names_) == Meeting(season=6, round=5)


def test_meetings_of_all_stages_count_and_tables_only_the_regular_one() -> None:
    now = with_round(season("ohs", ["a", "b", "c"]), won("a", "b"), byes=["c"])
    now = with_round(now, won("c", "a"), byes=["b"], stage=Stage.FINALS)
    assert set(meetings_before(now, 99).of(Name("a"))) == {"b", "c"}
    assert set(meetings_before(now, 99, stages=(Stage.REGULAR,)).of(Name("a"))) == {"b"}
    assert record(now, "b") == (0, 1, 0, 0)
    assert Ohs().before_finals(now).number == 2
