"""What a round robin can't have: each is one clear sentence with its place, in a file and before the start."""

from typing import Any

import pytest

from bot.league.checking.league_file.reading import read, read_playable
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import InvalidFile, PairingImpossible
from bot.league.formats import by_key
from bot.league.formats.round_robin import RoundRobin
from bot.league.season.settings import SETTINGS
from tests.league.builders import season
from tests.league.checking.league_file.examples import encoded

MATCH = {"players": ["p01", "p02"], "winner": "p01", "kind": "played"}


def file(players: int = 6, *, given: tuple[int | None, ...] = (), **said: Any) -> dict[str, Any]:
    rows: list[dict[str, Any]] = [{"name": f"p{number:02}"} for number in range(1, players + 1)]
    for row, group in zip(rows, given, strict=False):
        row |= {"group": group} if group else {}
    return {"fairpair": 1, "league": "L", "season": 3, "format": "round-robin", "players": rows, **said}


def one_round(**changed: Any) -> list[dict[str, Any]]:
    return [{"number": 1, "stage": "regular", "bye": None, "matches": [MATCH], **changed}]


REFUSED = [
    (file(2), "players: a round robin needs at least 3 players and has 2"),
    (file(52), "players: this takes 51 rounds, and 50 are the most"),
    (file(27, settings={"meetings": 2}), "players: this takes 54 rounds"),
    (file(settings={"group_size": 2}), "settings.group_size: 2 isn't possible; give a whole number from 3"),
    (file(settings={"through": 2, "cut": 4}), "settings.through: the finals are set twice"),
    (file(settings={"cut": 65}), "settings.cut: 65 isn't possible"),
    (file(settings={"cut": 1}), "settings.cut: one player doesn't make finals"),
    (file(settings={"through": 0}), "settings.through: 0 isn't possible"),
    (file(settings={"through": 1}), "settings.through: 1 of one group doesn't make finals"),
    (
        file(settings={"through": 1, "grouping": "divisions", "group_size": 3}),
        "settings.through: 1 of the first division doesn't make finals",
    ),
    (file(settings={"tiebreaks": ["wins", "wins"]}), "settings.tiebreaks[1]: wins is here twice"),
    (file(settings={"tiebreaks": ["luck"]}), "settings.tiebreaks[0]: "),
    (file(settings={"rounds": 5}), "settings.rounds: this format has no such setting"),
    (file(settings={"replace": True}), "settings.replace: this format has no such setting"),
    (file(settings={"rejoin": "ask"}), "settings.rejoin: no one can come back into a round robin"),
    (file(settings={"late_entry": 2}), "settings.late_entry: no one can join a round robin after the start"),
    (file(settings={"meetings": 3}), "settings.meetings: 3 isn't possible"),
    (file(settings={"points": {"win": 0}}), "settings.points: a win must give more than a loss"),
    (file(settings={"grouping": "given"}), "players[0].group: the group is missing"),
    (file(given=(1, 1)), "players[0].group: only with the grouping “given” players have groups"),
    (file(settings={"grouping": "given"}, given=(1, 2, 2, 2, 2, 2)), "players: group 1 has one player"),
    (file(settings={"grouping": "given"}, given=(1, 1, 3, 3, 3, 1)), "players: there is no group 2"),
    (file(rounds=one_round(bye="p03")), "rounds[0].bye: in a round robin players rest"),
    (file(rounds=one_round(by_hand="asked")), "rounds[0].by_hand: the regular rounds of a round robin can't be"),
    (file(rounds=one_round(stage="tiebreak")), "rounds[0].stage: a round robin has no tie-break rounds"),
    (
        file(settings={"schedule": "open"}, substitutes=[{"seat": "p01", "player": "new", "round": 5}]),
        "substitutes[0].round: with all rounds open no one takes a seat before round 6",
    ),
    (file(groups=[["p01"]]), "groups: only a file where a player was forgotten says its groups"),
    (file(3, forgotten=True, groups=[["p01", "p02"]]), "groups: name everyone who was there at the start once"),
    (file(3, forgotten=True, groups=[["p01", "p02", "p02"]]), 'groups[0][2]: "p02" is here twice'),
    (file(ladder=["p01", "p01"]), 'ladder[1]: "p01" is here twice'),
    (file(ladder_of="abc"), 'ladder_of: "abc" isn\'t possible; give the last fingerprint'),
    ({**file(given=(1,)), "format": "ohs"}, "players: only a round robin has groups"),
    ({**file(ladder=["p01"]), "format": "ohs"}, "ladder: only a round robin has a ladder"),
    ({**file(ladder_of="a" * 64), "format": "ohs"}, "ladder_of: only a round robin has a ladder"),
    (
        file(3, settings={"through": 1}, forgotten=True, groups=[["p01", "p02", "p03"]]),
        "settings.through: 1 of one group doesn't make finals",
    ),
    ({**file(groups=[["p01"]]), "format": "ohs"}, "groups: only a round robin has groups"),
    (
        file(settings={"scores": True}, rounds=one_round(matches=[{**MATCH, "score": [10_000, 2]}])),
        "rounds[0].matches[0].score[0]: 10000 isn't possible; give a whole number from 0 to 9999",
    ),
    (
        file(settings={"scores": True}, rounds=one_round(matches=[{**MATCH, "score": [2, 3]}])),
        "rounds[0].matches[0].score: A score of 2-3 isn't possible: the winner's isn't the lower one",
    ),
    (
        file(departures=[{"name": "p01", "kind": "drop", "round": 1, "rejoined": 2}]),
        "departures[0].rejoined: no one can come back in this season",
    ),
]


@pytest.mark.parametrize(("data", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_file_is_refused_in_one_sentence_that_says_where(data: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        read_playable(encoded(data))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        *(file(players) for players in range(3)),
        file(52),
        file(settings={"through": 1}),
        file(settings={"grouping": "given"}, given=(1, None, 3)),
        file(settings={"grouping": "given"}, given=(1, 2, 2, 2, 2, 2)),
    ],
)
def test_a_file_of_sign_ups_in_which_too_few_are_so_far_can_be_read(data: dict[str, Any]) -> None:
    text = to_json(read(encoded(data)))
    assert to_json(read(text.encode())) == text
    with pytest.raises(InvalidFile):
        read_playable(text.encode())


def test_a_file_with_rounds_has_the_players_they_need() -> None:
    with pytest.raises(InvalidFile, match="needs at least 3 players and has 2"):
        read(encoded(file(2, rounds=one_round())))


def test_who_left_before_the_start_is_in_no_group_and_needs_none() -> None:
    left = [{"name": "p06", "kind": "drop", "round": 1}]
    start = read(encoded(file(settings={"grouping": "given"}, given=(1, 1, 2, 2, 2), departures=left)))
    *_, last = RoundRobin().standings(start)
    assert (last.name, last.group, last.group_rank) == ("p06", None, None)


def test_what_a_file_is_refused_for_is_not_paired_either() -> None:
    with pytest.raises(PairingImpossible, match="A round robin needs at least 3 players"):
        by_key("round-robin").next_round(season("round-robin", 2))


def test_missing_points_have_their_defaults_with_and_without_draws() -> None:
    read_settings = RoundRobin().read_settings
    for given, points in (
        ({}, (1, 0, 0)),
        ({"draws": True}, (3, 1, 0)),
        ({"draws": True, "points": {"win": 2}}, (2, 1, 0)),
        ({"draws": True, "points": {"draw": 2}}, (3, 2, 0)),
        ({"points": {"win": 2}}, (2, 0, 0)),
    ):
        settings = read_settings(given)
        scale = settings.points
        assert (scale.win, scale.draw, scale.loss) == points
        assert dict(settings.explicit) == given


def test_it_takes_no_setting_that_means_nothing_in_it() -> None:
    taken = {*RoundRobin().settings_keys}
    assert {"rounds", "replace", "losses", "seeding", "third_place", "bye_among"} == {*SETTINGS} - taken
