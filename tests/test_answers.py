"""What the program answers: JSON values as documented, and a table people can read."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.answers import next_round, standings_list, standings_table
from bot.league.counting.ratings import ratings_of_the_table, season_ratings
from bot.league.formats import ALL, by_key
from bot.league.season.model import Departure, DepartureKind, Entrant, Name, Stage
from tests.league.builders import play_rounds, season_of_file

FORMATS = [format_.key for format_ in ALL]
LINE = ["rank", "name", "points", "wins", "losses", "draws", "byes", "status", "place", "rating", "tiebreaks"]


@pytest.mark.parametrize("key", FORMATS)
def test_lines_have_the_documented_fields_and_exact_tiebreaks(key: str) -> None:
    season = play_rounds(season_of_file(key, 11), rounds=3)
    grouped = ["group", "group_rank"] if by_key(key).in_groups else []
    for line in standings_list(season):
        assert sorted(line) == sorted([*LINE, *grouped])
        for value in line["tiebreaks"].values():
            if key == "ohs":
                assert list(value) == ["value"]
            else:
                assert float(Fraction(value["exact"])) == value["value"]


def test_whole_tiebreaks_stay_whole() -> None:
    first = standings_list(play_rounds(season_of_file("lightseekers-swiss", 9), rounds=2))[0]
    assert first["tiebreaks"]["beaten_opponents_wins"] == {"exact": "1", "value": 1}


@pytest.mark.parametrize("key", FORMATS)
def test_a_round_names_everybody_once_with_reasons(key: str) -> None:
    answer = next_round(season_of_file(key, 11))
    byes = answer["bye"] if isinstance(answer["bye"], list) else [*filter(None, [answer["bye"]])]
    seated = [name for match in answer["matches"] for name in match["players"]]
    named = {f"P{number:02}" for number in range(11)}
    assert len({*byes, *seated}) == len([*byes, *seated]), "no one is named twice"
    assert len(named - {*byes, *seated}) == by_key(key).in_groups, "one rests in a group of an odd number"
    assert len(answer["bye_why"]) == len(byes)
    assert all(match["why"] for match in answer["matches"])
    assert isinstance(answer["bye"], list) == (answer["stage"] == "finals")


def test_ratings_stay_those_of_the_cut() -> None:
    season = play_rounds(season_of_file("ohs", 8))
    first_final = next(round_.number for round_ in season.rounds if round_.stage is Stage.FINALS)
    assert ratings_of_the_table(season) == season_ratings(season, before=first_final)
    assert ratings_of_the_table(season) != season_ratings(season)
    regular = replace(season, rounds=season.rounds[:2])
    assert ratings_of_the_table(regular) == season_ratings(regular)


def test_a_record_ranks_by_wins_then_losses() -> None:
    season = play_rounds(season_of_file("two-loss-out", 9), rounds=3)
    gone = Departure(name=Name("P08"), kind=DepartureKind.DISQUALIFICATION, round=3)
    record = replace(season, format="record", departures=(gone,))
    lines = standings_list(record)
    records = [(-line["wins"], line["losses"]) for line in lines]
    assert records == sorted(records)
    assert len(set(records)) > 2
    assert next(line["status"] for line in lines if line["name"] == "P08") == "disqualified"


def test_the_table_has_the_champion_first_once_the_finals_counted() -> None:
    season = play_rounds(season_of_file("ohs", 9, settings={"cut": 4}))
    lines = [line.split() for line in standings_table(season).splitlines()]
    assert lines[0][:2] == ["#", "name"]
    assert "place" not in lines[0]
    assert [line[0] for line in lines[1:]] == ["1", "2", "3", "3", "5", "6", "7", "8", "9"]
    assert lines[1][-1] == "champion"
    during = [line.split() for line in standings_table(replace(season, rounds=season.rounds[:-1])).splitlines()]
    assert [line[-1] for line in during[1:6]] == ["qualified", "qualified", *["eliminated"] * 3]


def test_a_table_lines_up_names_of_any_width() -> None:
    names = ["a", "名前", "Zoe\u0308", "long name here", "line\nbreak"]
    season = replace(season_of_file("ohs", 0), entrants=tuple(Entrant(name=Name(name)) for name in names))
    table = standings_table(season)
    lines = table.splitlines()
    assert len(lines) == 6
    assert '"line\\nbreak"' in table
    # A wide character takes two columns, a combining mark none.
    widths = {len(line) + sum(char in "名前" for char in line) - line.count("\u0308") for line in lines[1:]}
    assert len(widths) == 1
