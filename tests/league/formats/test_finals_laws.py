"""What the finals of every format keep: who qualified, everybody's table, and the number of rounds."""

import pytest

from bot.league.counting.standings import Standing
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Champion
from bot.league.season.model import DepartureKind, Season, Stage, Status
from tests.examples import mostly_long
from tests.league.builders import by_chance, names, play_season, season, until, with_departure

with_finals = pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
WITH_A_CUT = [format_ for format_ in ALL if "cut" in format_.own_settings]
with_a_cut = pytest.mark.parametrize("format_", WITH_A_CUT, ids=lambda format_: format_.key)
PLAYERS = 20


def started(format_: Format) -> Season:
    cut = {"cut": 8} if "cut" in format_.own_settings else {}
    return season(format_, PLAYERS, **cut)


def inside(standings: tuple[Standing, ...]) -> set[str]:
    """Return who is or was in the finals."""
    return {s.name for s in standings if s.place is not None or s.status in (Status.QUALIFIED, Status.CHAMPION)}


@pytest.mark.long
@with_finals
@pytest.mark.parametrize("seed", mostly_long(range(4)))
def test_a_drop_during_the_finals_changes_neither_who_qualified_nor_any_table(format_: Format, seed: int) -> None:
    played = play_season(started(format_), by_chance(seed)).season
    first = next(round_.number for round_ in played.rounds if round_.stage is Stage.FINALS)
    for number in range(first + 1, len(played.rounds) + 1):
        now = until(played, number)
        before = format_.standings(now)
        for leaver in names(PLAYERS):
            after = format_.standings(with_departure(now, leaver, number))
            if format_ in WITH_A_CUT:
                assert inside(after) == inside(before)
                assert [s.name for s in after] == [s.name for s in before]
            assert {s.name: (s.points, s.wins, s.losses, s.draws, s.byes, s.tiebreaks) for s in after} == {
                s.name: (s.points, s.wins, s.losses, s.draws, s.byes, s.tiebreaks) for s in before
            }


@with_a_cut
def test_only_before_the_finals_a_drop_brings_somebody_in_and_then_one_alone(format_: Format) -> None:
    played = play_season(started(format_), by_chance(1)).season
    first = next(round_.number for round_ in played.rounds if round_.stage is Stage.FINALS)
    now = until(played, first)
    qualified = inside(format_.standings(now))
    for leaver in sorted(qualified):
        after = inside(format_.standings(with_departure(now, leaver, first)))
        assert qualified - after == {leaver}
        assert len(after - qualified) <= 1


@with_finals
def test_nobody_left_out_of_the_finals_plays_in_them(format_: Format) -> None:
    played = play_season(started(format_), by_chance(2)).season
    standings = format_.standings(played)
    finals = [round_ for round_ in played.rounds if round_.stage is Stage.FINALS]
    seated = {name for round_ in finals for match in round_.matches for name in match.players}
    seated |= {name for round_ in finals for name in round_.byes}
    assert seated == {s.name for s in standings if s.place is not None}
    assert len(finals) == (len(seated) - 1).bit_length()


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("key", ["two-loss-out", "ohs"])
def test_a_player_gone_before_a_bracket_of_one_is_never_its_champion(key: str, replace: bool) -> None:
    played = play_season(season(key, 5, cut=1, replace=replace))
    now, champion = played.season, played.champion
    assert champion is not None
    gone = with_departure(now, champion, len(now.rounds) + 1, kind=DepartureKind.DISQUALIFICATION)
    end = by_key(key).next_round(gone)
    assert isinstance(end, Champion)
    assert end.name != champion
    statuses = {standing.name: standing.status for standing in by_key(key).standings(gone)}
    assert statuses[champion] is Status.DISQUALIFIED
    assert [name for name, status in statuses.items() if status is Status.CHAMPION] == [end.name] * (
        end.name is not None
    )
