"""The calendar of a round robin: all rounds are known from the first day, and they come as it says."""

from dataclasses import replace

import pytest

from bot.league.formats import by_key
from bot.league.formats.round_robin import RoundRobin
from bot.league.season.model import Stage
from tests.league.builders import play_season, season, until
from tests.league.formats.round_robin.test_laws_of_tables import SEEDS, states


@pytest.mark.long
@SEEDS
def test_rounds_come_as_the_calendar_says_whatever_happens(seed: int) -> None:
    played = states(seed)[-1]
    calendar = RoundRobin().calendar(played)
    regular = [round_ for round_ in played.rounds if round_.stage is Stage.REGULAR]
    for round_, groups in zip(regular, calendar, strict=False):
        assert [match.players for match in round_.matches] == [pair for group in groups for pair in group.pairs]
    if played.rounds:
        assert calendar == RoundRobin().calendar(replace(played, rounds=played.rounds[:1]))


def test_each_round_everyone_of_a_group_plays_or_rests_until_it_is_done() -> None:
    now = until(play_season(season("round-robin", 14, group_size=5, meetings=2)).season, 2)
    groups = RoundRobin().groups(RoundRobin().before_finals(now))
    assert sorted(map(len, groups)) == [4, 5, 5]
    calendar = RoundRobin().calendar(now)
    assert len(calendar) == 10
    for number, round_ in enumerate(calendar, start=1):
        for group, players in zip(round_, groups, strict=True):
            seated = [name for pair in group.pairs for name in pair]
            resting = [] if group.resting is None else [group.resting]
            assert sorted([*seated, *resting]) == (sorted(players) if number <= 6 or len(players) == 5 else [])
            assert all(group.opponent_of(name) in players for name in seated)
    assert [group.group for group in calendar[0]] == ["group A", "group B", "group C"]


def test_one_group_has_no_name_and_where_results_decide_nothing_is_known() -> None:
    assert [group.group for group in RoundRobin().calendar(season("round-robin", 4))[0]] == [""]
    swiss = until(play_season(season("keyforge-swiss", 8)).season, 2)
    assert by_key("keyforge-swiss").calendar(swiss) == ()
