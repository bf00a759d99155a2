"""The checker in JavaScript, a second engine written from the rules alone: it answers as the program does."""

import json
import random
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.league.checking.by_hand import FORGOTTEN
from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import InvalidFile
from bot.league.formats.round_robin import RoundRobin
from bot.random_seasons.season import texts
from tests.checker.engines import (
    CHECK,
    FORMATS,
    HERE,
    IN_LISTS,
    KINDS,
    NODE,
    answered,
    by_checker,
    by_program,
    difference,
    same,
)
from tests.examples import mostly_long
from tests.league.builders import as_round, by_chance, decided, play_rounds, proposed, season, won

EXAMPLE = HERE.parents[1] / "docs" / "league-files" / "two-loss-out.json"
VECTORS = sorted((HERE.parent / "vectors").glob("*.json"))

every_format = pytest.mark.parametrize("format_", FORMATS)
every_kind = pytest.mark.parametrize("format_", KINDS)
every_list = pytest.mark.parametrize("format_", IN_LISTS)
"""Formats that pair lists of people or draw a bracket; a round robin has tables."""


def check(*args: str, text: str = "") -> tuple[int, str, str]:
    """Run the checker as people do; returns its exit code, what it printed and what it complained of."""
    done = subprocess.run([NODE, CHECK, *args], input=text.encode(), capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def compare(format_: str, seeds: Iterable[int]) -> None:
    played = [text for seed in seeds for text in texts(format_, seed)]
    for text, found in zip(played, answered(played), strict=True):
        assert "invalid" not in found, (text, found)
        assert difference(text, found) is None, text


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(reversed(FORMATS), quick=2))
def test_random_seasons_are_judged_as_by_the_program(format_: str) -> None:
    compare(format_, range(10))


@pytest.mark.long
def test_a_match_changed_by_hand_stands_where_the_rules_had_moved_its_player() -> None:
    played = [text for seed in range(30) if (text := swapped_where_the_walk_swapped(seed))]
    assert len(played) > 2
    for text, found in zip(played, answered(played), strict=True):
        assert difference(text, found) is None, text


def swapped_where_the_walk_swapped(seed: int) -> str | None:
    """Return a bracket changed by hand in round 2 where the rules had moved players; None where they didn't."""
    now = play_rounds(season("ohs", 16, number=4, rounds=3, cut=16), 3)
    first = as_round(proposed(now))
    results = tuple(decided(match, by_chance(seed), first.number) for match in first.matches)
    now = replace(now, rounds=(*now.rounds, replace(first, matches=results)))
    due = proposed(now)
    moved = [pair for pair in due.pairs if any("The bracket had" in reason.sentence for reason in pair.reasons)]
    if len(moved) < 2:
        return None
    second = as_round(due)
    (a, b), (c, d) = (pair.players for pair in moved[:2])
    others = [match for match in second.matches if not {*match.players} & {a, b, c, d}]
    matches = (won(a, d), won(c, b), *(won(*match.players) for match in others))
    changed_ = replace(second, by_hand="changed by an organiser", matches=matches)
    return to_json(replace(now, rounds=(*now.rounds, changed_)))


@pytest.mark.long
@every_format
def test_seasons_whose_newest_round_is_still_played_are_ranked_as_by_the_program(format_: str) -> None:
    chance = random.Random(format_)
    files = [still_played(text, chance) for seed in range(8) for text in texts(format_, seed) if '"matches"' in text]
    played = [text for text in files if text is not None]
    assert played
    for text, found in zip(played, answered(played), strict=True):
        assert "invalid" not in found, (text, found)
        assert difference(text, found) is None, text


def still_played(text: str, chance: random.Random) -> str | None:
    """Take the results of some matches of the last round from a file."""
    season = json.loads(text)
    matches = (season["rounds"] or [{"matches": []}])[-1]["matches"]
    if not matches:
        return None
    for match in chance.sample(matches, chance.randint(1, len(matches))):
        match |= {"winner": None, "kind": "open", "games": None}
        for key in ("points", "score"):
            match.pop(key, None)
    season.pop("final", None)
    return json.dumps(season)


@pytest.mark.long
@every_format
def test_seasons_in_which_a_player_was_forgotten_are_judged_as_by_the_program(format_: str) -> None:
    chance = random.Random(format_)
    played = [forgetting(whole, chance) for seed in range(8) for *_, whole in [texts(format_, seed)]]
    for text, found in zip(played, answered(played), strict=True):
        assert "invalid" not in found, (text, found)
        assert difference(text, found) is None, text


def forgetting(text: str, chance: random.Random) -> str:
    """Give a player another name, and so other draws: by these, others may be in the finals than were."""
    gone = chance.choice(json.loads(text)["players"])["name"]
    renamed = f'"Player {chance.randrange(1, 99)}"'
    facts = json.loads(text)
    if facts["format"] == "round-robin" and facts["rounds"]:
        groups = RoundRobin().kept_groups(read(text.encode()))
        text = json.dumps({**facts, "groups": groups}, ensure_ascii=False)
    season = json.loads(text.replace(json.dumps(gone, ensure_ascii=False), renamed))
    for round_ in season["rounds"]:
        if "groups" not in season or round_["stage"] == "finals":
            round_.setdefault("by_hand", FORGOTTEN)
    if season.get("final"):
        season["final"]["kept"] = True
    return json.dumps(season | {"forgotten": True})


@pytest.mark.parametrize(("format_", "seed"), [("lightseekers-swiss", 3), ("single-elimination", 104)])
def test_finals_whose_players_the_draws_of_another_name_left_out_have_places(format_: str, seed: int) -> None:
    *_, whole = texts(format_, seed)
    text = forgetting(whole, random.Random(seed))
    (found,) = answered([text])
    assert difference(text, found) is None
    places = {row["name"]: row["place"] for row in found["standings"]}
    seated = {
        name
        for row in json.loads(text)["rounds"]
        if row["stage"] == "finals"
        for match in row["matches"]
        for name in match["players"]
    }
    assert all(places[name] or found["pair"].get("matches") for name in seated), places


def test_a_season_without_finals_that_everyone_has_left_has_no_champion() -> None:
    seeds = (json.loads(whole) for seed in range(60) for *_, whole in [texts("keyforge-swiss", seed)])
    season = next(season for season in seeds if season["rounds"] and season["settings"].get("cut", 0) == 0)
    number = len(season["rounds"])
    gone = {"kind": "drop", "round": number, "after_pairing": True, "rejoined": None}
    there = {row["name"] for row in season["players"]} - {row["name"] for row in season["departures"]}
    season["departures"] += [{"name": name, **gone} for name in sorted(there)]
    season.pop("final", None)
    text = json.dumps(season)
    (found,) = answered([text])
    assert difference(text, found) is None
    assert found["pair"] == {"champion": None}


@pytest.mark.long
@every_list
@pytest.mark.parametrize("there", [0, 1, 2])
def test_a_season_that_nearly_everyone_left_before_its_first_round_is_judged_alike(format_: str, there: int) -> None:
    text, *_ = texts(format_, 3)
    season = json.loads(text)
    season |= {"settings": {}, "rounds": [], "decisions": [], "departures": []}
    for name in ("final", "drawn_names", "sealed"):
        season.pop(name, None)
    season["players"] = season["players"][:5]
    gone = {"kind": "drop", "round": 1, "after_pairing": False, "rejoined": None}
    season["departures"] = [{"name": row["name"], **gone} for row in season["players"][there:]]
    text = json.dumps(season)
    (found,) = answered([text])
    assert difference(text, found) is None


def test_a_cut_that_only_stands_because_someone_left_keeps_no_place_for_them() -> None:
    played = {"players": ["Ada", "Ben"], "winner": "Ada", "games": None, "kind": "played"}
    season = {
        "fairpair": 1,
        "league": "A league",
        "season": 1,
        "format": "two-loss-out",
        "settings": {"replace": False, "cut": 4},
        "players": [{"name": "Ada"}, {"name": "Ben"}, {"name": "Cleo", "entered": 2}],
        "past_seasons": [],
        "rounds": [{"number": 1, "stage": "regular", "bye": None, "matches": [played]}],
        "departures": [{"name": "Ben", "kind": "drop", "round": 2, "after_pairing": False, "rejoined": None}],
        "decisions": [],
    }
    text = json.dumps(season)
    (found,) = answered([text])
    assert difference(text, found) is None
    assert found["pair"] == {"champion": "Ada"}
    assert [row["place"] for row in found["standings"]] == [None, None, None]


def test_nobody_is_first_where_both_finalists_left_before_the_final() -> None:
    *_, whole = texts("single-elimination", 9)
    season = json.loads(whole)
    last = season["rounds"].pop()
    assert len(last["matches"]) == 1
    there = last["matches"][0]["players"]
    gone = {"kind": "drop", "round": last["number"] - 1, "after_pairing": True, "rejoined": None}
    season["departures"] += [{"name": name, **gone} for name in there]
    season.pop("final", None)
    text = json.dumps(season)
    (found,) = answered([text])
    assert difference(text, found) is None
    assert {row["name"] for row in found["standings"] if row["place"] == 2} == {*there}


def differences(found: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    return [(what, text) for text, what in found if what is not None]


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(reversed(KINDS), quick=2))
def test_seasons_of_the_checkers_own_generator_are_as_the_program_says(format_: str) -> None:
    assert differences(by_checker(format_, range(20))) == []


MANY = 30
"""How many of each format and each generator are compared; `make soak` compares more."""


@pytest.mark.long
@pytest.mark.timeout(600)
@every_kind
@pytest.mark.parametrize("made", [by_program, by_checker])
def test_many_random_seasons_are_alike_both_ways(
    made: Callable[[str, range], Iterable[tuple[str, str | None]]], format_: str
) -> None:
    assert differences(made(format_, range(1_000, 1_000 + MANY))) == []


@pytest.mark.long
@every_list
def test_the_steps_that_are_told_lead_to_the_pairs(format_: str) -> None:
    told = 0
    for found in answered(text for seed in range(10) for text in texts(format_, seed)):
        if "impossible" in found["steps"] or found["pair"].get("stage") == "finals":
            continue
        pairs: list[list[str]] = []
        for listed in found["steps"]:
            pairs += replayed(listed["list"], listed["steps"])
            told += len(listed["steps"])
        assert pairs == [match["players"] for match in found["pair"].get("matches", [])]
    assert told > 0 or format_ == "single-elimination"


def replayed(names: Sequence[str], steps: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Follow the steps from the top of a list: the first who is free chooses, who is stuck undoes pairs."""
    pairs: list[list[str]] = []
    stuck = None
    for step in steps:
        free = [name for name in names if not any(name in pair for pair in pairs)]
        if "stuck" in step:
            assert [step["stuck"], *step["left"]] == free
            stuck, kept = step["stuck"], len(pairs) - len(step["undoes"])
            assert pairs[kept:] == step["undoes"]
            del pairs[kept:]
            continue
        chooser, taken = step["players"]
        skipped = [other["name"] for other in step["skipped"]]
        assert {taken, *skipped} <= {*free} - {chooser}
        assert chooser == (stuck or free[0])
        assert stuck or all(other["because"] != "rest" for other in step["skipped"])
        pairs.append(step["players"])
        stuck = None
    return pairs


def cases(path: Path) -> Sequence[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("file", VECTORS, ids=lambda file: file.stem)
def test_the_vectors_are_as_expected(file: Path) -> None:
    assert_as_expected(cases(file))


def assert_as_expected(given: Sequence[dict[str, Any]]) -> None:
    for case, found in zip(given, answered(json.dumps(case["input"]) for case in given), strict=True):
        expected = case["expected"]
        if expected == {"exit": 2}:
            assert "invalid" in found or (case["call"] == "ladder" and found["ladder"] is None), case["id"]
        elif case["call"] == "verify":
            assert found["verify"]["fine"] == (expected["exit"] == 0), case["id"]
        elif expected == {"exit": 1}:
            assert "impossible" in found[case["call"]], case["id"]
        elif case["call"] == "standings":
            rows = zip(found["standings"], expected, strict=True)
            assert all(same(row_like(wanted, row), wanted) for row, wanted in rows), case["id"]
        else:
            assert same(found[case["call"]], expected), case["id"]


@pytest.mark.long
def test_a_ladder_is_compared_with_the_season_that_left_it(tmp_path: Path) -> None:
    settings = {"group_size": 3, "grouping": "divisions"}
    before = season_of("round-robin", 6, settings=settings)
    while "matches" in answer(before)["pair"]:
        play(before, 1, 0)
    facts = answer(before)
    ladder = facts["ladder"]["ladder"]
    after = season_of("round-robin", 6, settings=settings, season=2, ladder=ladder, ladder_of=facts["fingerprints"][-1])
    wrong = after | {"ladder": [ladder[1], ladder[0], *ladder[2:]]}
    alone = verified(tmp_path, after)
    assert alone == (0, ["ladder not compared: no given file has that fingerprint"])
    assert verified(tmp_path, after, before) == (0, ["0.json: ladder: as season 1 left it", *kept(before, "1.json: ")])
    gone = {"name": ladder[0], "kind": "drop", "round": 1, "after_pairing": False, "rejoined": None}
    left_again = after | {"departures": [gone]}
    assert verified(tmp_path, left_again, before)[1][0] == "0.json: ladder: as season 1 left it"
    code, (line, *_) = verified(tmp_path, wrong, before)
    assert (code, line) == (1, f"0.json: ladder: place 1 should be {ladder[0]}'s, the file says {ladder[1]}")


def kept(season: dict[str, Any], file: str) -> list[str]:
    return [f"{file}round {number}: as the rules say" for number in range(1, len(season["rounds"]) + 1)]


def verified(folder: Path, *seasons: dict[str, Any]) -> tuple[int, list[str]]:
    """Return the exit code and the lines of `verify`; the files are called `0.json`, `1.json`, ..."""
    files = [folder / f"{number}.json" for number in range(len(seasons))]
    for file, facts in zip(files, seasons, strict=True):
        file.write_text(json.dumps(facts), encoding="utf-8")
    code, printed, _ = check("verify", *map(str, files))
    return code, printed.replace(f"{folder}/", "").splitlines()


def row_like(wanted: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Take from a row of the standings what is wanted; tie-breaks that are wanted as texts are exact fractions."""
    exact = any(isinstance(value, str) for value in wanted.get("tiebreaks", {}).values())
    tiebreaks = {key: value["exact"] if exact else value for key, value in row["tiebreaks"].items()}
    return {key: (row | {"tiebreaks": tiebreaks})[key] for key in wanted}


def season_of(format_: str, number: int, **fields: Any) -> dict[str, Any]:
    players = [{"name": f"P{i}", "rating": {"mu": 40.0 - i, "sigma": 1.0}} for i in range(1, number + 1)]
    facts = {"fairpair": 1, "league": "L", "season": 1, "format": format_, "settings": {}, "players": players}
    return {**facts, "rounds": [], "departures": [], **fields}


def answer(season: dict[str, Any]) -> dict[str, Any]:
    (found,) = answered([json.dumps(season)])
    return found


def play(season: dict[str, Any], *winners: int) -> None:
    """Add the next round by the rules; `winners` says who wins each match, the first where it says nothing."""
    due = answer(season)["pair"]
    matches: list[dict[str, Any]] = [
        {"players": match["players"], "winner": match["players"][winner], "games": None, "kind": "played"}
        for match, winner in zip(due["matches"], [*winners, *[0] * len(due["matches"])], strict=False)
    ]
    facts = {key: due[key] for key in ("number", "stage", "bye")}
    season["rounds"].append({**facts, "matches": matches})


def lost_by_all(season: dict[str, Any]) -> None:
    play(season)
    for match in season["rounds"][-1]["matches"]:
        match.update(winner=None, kind="double_loss")


def leaves(season: dict[str, Any], *names: str) -> None:
    rows = [{"name": name, "kind": "drop", "round": len(season["rounds"]) + 1} for name in names]
    season["departures"] += rows


def test_a_round_that_left_no_one_is_played_again_by_the_two_best_who_are_still_here() -> None:
    season = season_of("two-loss-out", 4, settings={"losses": 1, "cut": 1})
    lost_by_all(season)
    gone: list[str] = []
    while True:
        found = answer(season)["pair"]
        if "champion" in found:
            break
        (match,) = found["matches"]
        assert not {*gone} & {*match["players"]}
        assert "played again" in match["why"][0]
        gone.append(match["players"][0])
        leaves(season, match["players"][0])
    (last,) = {"P1", "P2", "P3", "P4"} - {*gone}
    assert found == {"champion": last}
    leaves(season, last)
    assert answer(season)["pair"] == {"champion": None}


def test_who_sits_out_the_round_that_is_played_again_is_named() -> None:
    season = season_of("two-loss-out", 4, settings={"losses": 1, "cut": 1})
    lost_by_all(season)
    a, b = answer(season)["pair"]["matches"][0]["players"]
    said = answer({**season, "sat_out": [{"name": b, "round": 2}]})["pair"]["impossible"]
    assert said.startswith("Round 1 is played again by ")
    assert said.endswith(f": {b} must take back that they sit out.")
    assert a in said


def test_in_the_semi_finals_of_two_loss_out_undefeated_players_meet_players_with_a_loss() -> None:
    season = season_of("two-loss-out", 16)
    for _ in range(3):
        play(season)
    losers = {match["players"][1] for row in season["rounds"] for match in row["matches"]}
    play(season, 0, 1, 1, 0)  # the bracket alone has two undefeated in its first match then
    found = answer(season)["pair"]
    assert found["stage"] == "finals"
    for match in found["matches"]:
        assert len({*match["players"]} & losers) == 1
        assert match["why"][1].startswith("Swapped, because undefeated players meet players with a loss")


def test_a_win_by_forfeit_counts_as_the_shortest_win_in_lightseekers() -> None:
    season = season_of("lightseekers-swiss", 6)
    play(season)
    first, second, _ = season["rounds"][0]["matches"]
    first["kind"] = "forfeit"
    second |= {"kind": "forfeit", "games": [1, 0]}
    rows = {row["name"]: row["tiebreaks"] for row in answer(season)["standings"]}
    values = [rows[name]["game_wins"]["exact"] for match in (first, second) for name in match["players"]]
    assert values == ["2", "0", "1", "0"]
    assert [rows[name]["game_win_percentage"]["exact"] for name in first["players"]] == ["1", "0"]


def test_an_order_counts_only_while_it_is_of_exactly_one_group_of_equals() -> None:
    season = season_of("lightseekers-swiss", 6)
    play(season)
    table = [row["name"] for row in answer(season)["standings"]]
    winners, losers = table[:3], table[3:]

    def ranked(*orders: list[str]) -> tuple[list[str], list[str]]:
        found = answer({**season, "decisions": [{"after_round": 1, "order": order} for order in orders]})
        assert found["verify"]["fine"]
        lines = [line for line in found["verify"]["lines"] if line.startswith("decision")]
        return [row["name"] for row in found["standings"]], lines

    turned = winners[::-1]
    assert ranked(turned) == ([*turned, *losers], [])
    assert ranked(turned, losers[::-1]) == ([*turned, *losers[::-1]], [])
    for other in (winners[:0:-1], table[::-1], [*winners[:0:-1], losers[0]]):
        order, (line,) = ranked(other)
        assert order == table
        assert f"({', '.join(other)}): counts for nothing" in line
    again = [winners[1], winners[0], winners[2]]
    order, (line,) = ranked(turned, again)
    assert order == [*again, *losers]
    assert f"({', '.join(turned)}): counts for nothing, because a newer one" in line


def forgotten_bracket() -> dict[str, Any]:
    """Return a season of a bracket that would be drawn otherwise by the name a player has since."""
    season = season_of("single-elimination", 8)
    play(season)
    slots: list[str | None] = [None] * 8
    for i, match in enumerate(season["rounds"][0]["matches"]):
        slots[i], slots[7 - i] = match["players"]
    text = json.dumps({**season, "bracket": slots, "forgotten": True})
    return json.loads(text.replace('"P5"', '"Player 5"'))


def test_a_bracket_goes_on_as_it_began_when_a_player_is_forgotten() -> None:
    season = forgotten_bracket()
    found = answer(season)
    assert found["verify"]["fine"]
    assert "bracket: its first slots as in the file, because a player was forgotten" in found["verify"]["lines"]
    winners = season["bracket"][:4]
    pairs = [match["players"] for match in found["pair"]["matches"]]
    assert pairs == [[winners[0], winners[3]], [winners[1], winners[2]]]
    assert not answer({**season, "bracket": None})["verify"]["fine"]


@pytest.mark.parametrize(("fields", "fine"), [({"forgotten": True}, True), ({"forgotten": True, "kept": False}, False)])
def test_an_end_that_is_kept_is_not_compared(fields: dict[str, Any], fine: bool) -> None:
    season = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    kept = fields.pop("kept", True)
    end = season["final"]
    champion = next(row["name"] for row in end["standings"] if row["name"] != end["champion"])
    season |= fields | {"final": {**end, "champion": champion, "kept": kept}}
    text = json.dumps(season)
    found = answered([text])[0]
    assert difference(text, found) is None
    assert found["verify"]["fine"] is fine
    not_compared = "final: as in the file, not compared, because a player was forgotten"
    assert (not_compared in found["verify"]["lines"]) is fine


def test_only_where_somebody_was_forgotten_an_end_is_kept() -> None:
    season = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    season["final"]["kept"] = True
    assert answer(season) == {"invalid": "final.kept: stands only in a file with forgotten: true"}


FOUR = ["P1", "P2", "P3", "P4"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"bracket": FOUR}, "bracket: stands only in a file with forgotten: true"),
        ({"bracket": FOUR[:3], "forgotten": True}, "bracket: has 3 slots; a bracket has 2, 4, 8, 16, ..."),
        ({"bracket": [], "forgotten": True}, "bracket: has 0 slots; a bracket has 2, 4, 8, 16, ..."),
        ({"bracket": "P1", "forgotten": True}, "bracket: must be a list"),
        ({"bracket": [*FOUR[:3], "P1"], "forgotten": True}, "bracket: names someone twice"),
        ({"bracket": [*FOUR[:3], "Zoë"], "forgotten": True}, "bracket[3]: Zoë is not among the players"),
        ({"bracket": [*FOUR[:3], 4], "forgotten": True}, "bracket[3]: must be a text"),
    ],
)
def test_a_bracket_that_cannot_have_begun_is_refused(fields: dict[str, Any], said: str) -> None:
    assert answer(season_of("single-elimination", 4, **fields)) == {"invalid": said}


def test_a_bracket_has_no_more_rounds_than_it_began_with() -> None:
    season = forgotten_bracket()
    season["bracket"] = season["bracket"][:1]
    text = json.dumps(season)
    assert answer(season) == {"invalid": "bracket: has too few slots for the rounds the finals have"}
    with pytest.raises(InvalidFile, match="too few slots for the finals that are played"):
        read(text.encode())


def test_players_of_the_final_and_of_the_match_for_third_place_cannot_change_places() -> None:
    season = season_of("single-elimination", 4, settings={"third_place": True})
    play(season)
    play(season)
    assert answer(season)["verify"]["fine"]
    final, third = season["rounds"][1]["matches"]
    final["players"][1], third["players"][1] = third["players"][1], final["players"][1]
    season["rounds"][1]["by_hand"] = "changed by an organiser"
    said = answer(season)["invalid"]
    assert said == "rounds[1].matches[0].players: are of the final and of the match for third place"


def test_a_semi_final_beside_which_everyone_left_has_no_match_for_third_place_yet() -> None:
    season = season_of("single-elimination", 6, settings={"third_place": True})
    play(season)
    opening = season["rounds"][0]
    leaves(season, opening["bye"][0])
    through = [match["players"][0] for match in opening["matches"]]
    ahead = answer(season)["pair"]
    (against,) = {*through, opening["bye"][1]} - {name for match in ahead["matches"] for name in match["players"]}
    leaves(season, against, opening["matches"][0]["players"][1])
    found = answer(season)["pair"]
    assert len(found["matches"]) == 1
    assert not found["bye"]


@pytest.mark.parametrize("coming", ["late", "back"])
def test_who_comes_for_the_finals_and_leaves_again_keeps_no_place_in_them(coming: str) -> None:
    season = season_of("keyforge-swiss", 4, settings={"rounds": 1, "cut": 4, "replace": False})
    play(season)
    for match in season["rounds"][0]["matches"]:
        match["kind"] = "forfeit"
        season["departures"].append({"name": match["players"][1], "kind": "drop", "round": 1, "after_pairing": True})
    expected = answer(season)["pair"]
    assert len(expected["matches"]) == 1
    if coming == "late":
        season["players"].append({"name": "Zoë", "entered": 2})
    else:
        season["departures"][0]["rejoined"] = 2
    leaves(season, season["players"][-1]["name"] if coming == "late" else season["departures"][0]["name"])
    assert same(answer(season)["pair"], expected)


def test_who_enters_only_later_is_not_through_before_they_come() -> None:
    season = season_of("two-loss-out", 16, settings={"losses": 3, "late_entry": 3})
    lost_by_all(season)
    season["players"].append({"name": "Zoë", "entered": 3})
    assert {row["status"] for row in answer(season)["standings"]} == {"active"}


def test_byes_of_the_finals_are_listed_from_the_best_seed() -> None:
    season = season_of("keyforge-swiss", 5, settings={"rounds": 1, "cut": 4, "replace": False})
    play(season)
    table = [row["name"] for row in answer(season)["standings"]]
    leaves(season, table[0], table[1])
    assert answer(season)["pair"]["bye"] == [table[2], table[3]]


def test_a_match_that_a_swap_moved_up_is_listed_by_its_smaller_first_slot() -> None:
    """Slots 2 and 7 were to meet, and 2 takes 13 from 12, so 7 v 12 stands before 11 v 14."""
    season = season_of("ohs", 14, settings={"rounds": 1, "cut": 14})
    play(season)
    play(season, 1, 1, 1, 1)
    opening = season["rounds"][1]
    best, second = opening["bye"]
    (_, p14), (_, p13), (_, p12), (_, p11), (p7, _), (p8, _) = (match["players"] for match in opening["matches"])
    drawn = [[best, p8], [second, p7], [p11, p14], [p12, p13]]
    assert [match["players"] for match in answer(season)["pair"]["matches"]] == drawn
    season["apart"] = [{"players": [second, other], "round": 3} for other in (p7, p14)]
    swapped = [[best, p8], [second, p13], [p7, p12], [p11, p14]]
    (found,) = answered([json.dumps(season)])
    assert [match["players"] for match in found["pair"]["matches"]] == swapped
    assert difference(json.dumps(season), found) is None


@pytest.mark.parametrize("put_in", ["never in the bracket", "lost before"])
def test_players_put_into_a_later_round_count_in_the_places_of_those_who_lost_before(put_in: str) -> None:
    """As in files whose forgotten players had no kept bracket; of five only the four in the bracket have slots."""
    season = season_of("keyforge-swiss", 5, settings={"rounds": 1, "cut": 4})
    play(season)
    outside = answer(season)["standings"][-1]["name"]
    play(season)
    (first, third), (second, fourth) = (match["players"] for match in season["rounds"][1]["matches"])
    play(season)
    last = outside if put_in == "never in the bracket" else fourth
    final = {"players": [first, last], "winner": last, "games": None, "kind": "played"}
    season["rounds"][2] |= {"matches": [final], "by_hand": "changed by an organiser"}
    (found,) = answered([json.dumps(season)])
    assert difference(json.dumps(season), found) is None
    places = {row["name"]: row["place"] for row in found["standings"] if row["place"] is not None}
    assert places == {last: 1, first: 2, second: 2} | {name: 4 for name in (third, fourth) if name != last}
    assert next(row["status"] for row in found["standings"] if row["name"] == last) == "champion"


def test_a_player_put_into_the_round_that_is_still_played_is_in_the_bracket_and_who_made_room_is_out() -> None:
    season = season_of("keyforge-swiss", 5, settings={"rounds": 1, "cut": 4})
    play(season)
    outside = answer(season)["standings"][-1]["name"]
    play(season)
    (first, third), (second, fourth) = (match["players"] for match in season["rounds"][1]["matches"])
    put_in = {"players": [first, outside], "winner": None, "games": None, "kind": "open"}
    season["rounds"][1] |= {"matches": [put_in, season["rounds"][1]["matches"][1]], "by_hand": "a player was forgotten"}
    (found,) = answered([json.dumps(season)])
    assert difference(json.dumps(season), found) is None
    rows = {row["name"]: (row["status"], row["place"]) for row in found["standings"]}
    assert rows == {
        **dict.fromkeys((first, second, outside), ("qualified", None)),
        **dict.fromkeys((third, fourth), ("eliminated", 3)),
    }


SEASON = {"fairpair": 1, "league": "L", "season": 7, "format": "ohs", "players": [{"name": "Zoë"}, {"name": "Ada"}]}


def changed(**fields: Any) -> str:
    return json.dumps({**SEASON, **fields}, ensure_ascii=False)


@pytest.mark.long
def test_it_runs_in_a_shell_with_the_exit_codes_of_the_program() -> None:
    code, printed, _ = check("pair", "-", text=changed())
    assert (code, json.loads(printed)["number"]) == (0, 1)
    assert check("standings", "-", text=changed())[0] == 0
    match = {"players": ["Zoë", "Ada"], "winner": "Zoë", "games": None, "kind": "played"}
    round_: dict[str, Any] = {"number": 1, "stage": "regular", "bye": None, "matches": [match]}
    played = changed(rounds=[round_])
    assert check("verify", "-", text=played)[:2] == (0, "round 1: as the rules say\n")
    wrong = changed(rounds=[{**round_, "matches": [], "bye": ["Zoë", "Ada"]}])
    assert check("verify", "-", text=wrong)[0] == 1
    open_ = changed(rounds=[{**round_, "matches": [{**match, "winner": None, "kind": "open"}]}])
    assert check("pair", "-", text=open_)[0] == 1
    assert check("pair", "no-such-file.json")[0] == 2
    assert check("sing", "-")[0] == 2


def final(text: str) -> dict[str, Any]:
    """Return what a file says of its season's end, by the checker's own standings."""
    (found,) = answered([text])
    keys = ("rank", "name", "points", "wins", "losses", "draws", "byes")
    standings = [
        {key: row[key] for key in keys}
        | {"tiebreaks": {key: value["value"] for key, value in row["tiebreaks"].items()}}
        for row in found["standings"]
    ]
    return {"ended": "rules", "champion": found["pair"]["champion"], "standings": standings}


def test_the_end_that_a_file_says_is_compared() -> None:
    season = json.loads(list(texts("keyforge-swiss", 4))[-1])
    end = final(json.dumps(season))
    assert end["champion"] is not None

    def lines(**other: Any) -> tuple[bool, str]:
        (found,) = answered([json.dumps({**season, "final": {**end, **other}})])
        return found["verify"]["fine"], found["verify"]["lines"][-1]

    fine, said = lines()
    assert said == "final: as the rules say"
    (before,) = answered([json.dumps(season)])
    assert fine == before["verify"]["fine"]
    first, second, *others = end["standings"]
    other = next(row["name"] for row in end["standings"] if row["name"] != end["champion"])
    assert "champion should be" in lines(champion=other)[1]
    assert "place 1 should be" in lines(standings=[second, first, *others])[1]
    assert "places" in lines(standings=[first, second])[1]
    ties = {key: value + 1e-8 for key, value in first["tiebreaks"].items()}
    assert "strength_of_schedule" in lines(standings=[{**first, "tiebreaks": ties}, second, *others])[1]
    assert lines(ended="finished", champion=None)[1] == "final: as the rules say"
    begun = {**season, "rounds": season["rounds"][:1], "departures": []}
    (going_on,) = answered([json.dumps({**begun, "final": {**end, "standings": []}})])
    assert "final: it has 0 places" in going_on["verify"]["lines"][-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed(surprise=1), 'unknown field "surprise"'),
        (changed(season=1.0), "season: must be a whole number"),
        (changed(fairpair=2), "newer version"),
        (changed(format="chess"), "format: must be one of"),
        (changed(settings={"cut": "many"}), "settings.cut"),
        (changed(players=[{"name": "Ada"}, {"name": "Ada"}]), "players[1].name: stands twice"),
        (changed(players=[{"name": "draw"}]), "nobody can be called draw"),
        (json.dumps({**SEASON, "players": [{"name": "\ud800"}]}), "half a character"),
        (changed(rounds=[{"number": 2, "stage": "regular", "bye": None, "matches": []}]), "rounds[0].number"),
        ('{"fairpair": NaN}', "line 1, column 14"),
        ('{"fairpair": 1, "fairpair": 1}', "stands twice"),
        ('{"fairpair": 1} x', "text after the end"),
        ("[" * 5_000, "nested too deeply"),
        ("", "expected a value"),
    ],
)
def test_a_broken_file_is_refused_in_one_line(text: str, said: str) -> None:
    code, printed, complaint = check("verify", "-", text=text)
    assert (code, printed, complaint.count("\n")) == (2, "", 1)
    assert said in complaint


NESTED = "@nested@"


@pytest.mark.long
@pytest.mark.parametrize("value", [10**9, 1e300, -1, "x" * 100_000, "\\\n" * 50_000, [[[]]] * 9, NESTED])
def test_what_no_field_may_hold_is_refused_in_one_short_line(value: Any) -> None:
    """In every field, and none makes the reader loop for ever or name a hundred thousand letters."""
    given = json.loads(list(texts("two-loss-out", 3, 8))[-1])
    given["settings"] |= {"cut": 2, "losses": 2, "best_of": 1, "late_entry": 1, "max_players": 8}
    written = [
        json.dumps(file).replace(f'"{NESTED}"', "[" * 100_000 + "]" * 100_000)
        for spot in range(len(list(first_spots(given))))
        for file in [json.loads(json.dumps(given))]
        for where, key in [list(first_spots(file))[spot]]
        for where[key] in [value]
    ]
    for found in answered(written):
        assert "crash" not in found, found
        assert len(found.get("invalid", "")) <= 300
        assert "\n" not in found.get("invalid", "")
    assert len(written) > 40


def first_spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each field of a file, and of the first of each list, as what it is in and its key."""
    for key in list(value) if isinstance(value, dict) else range(len(value[:1])):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from first_spots(value[key])


def test_a_tie_break_round_ends_the_run_offs_though_a_result_before_it_was_corrected() -> None:
    """More than half the cut are undefeated since, and no run-off round follows a tie-break round."""

    def played(*pairs: str, **more: Any) -> dict[str, Any]:
        matches = [{"players": [*pair], "winner": pair[0], "games": None, "kind": "played"} for pair in pairs]
        return {"bye": None, "matches": matches, **more}

    rounds = [
        played("AB", "CD", "EF", number=1, stage="regular"),
        played("BD", number=2, stage="tiebreak", by_hand="changed by an organiser"),
        played("BF", number=3, stage="tiebreak"),
        played("AB", "CE", number=4, stage="finals"),
    ]
    told: dict[str, Any] = {"fairpair": 1, "league": "L", "season": 1, "format": "two-loss-out"}
    told |= {"settings": {"cut": 4}, "past_seasons": [], "departures": []}
    text = json.dumps({**told, "players": [{"name": name} for name in "ABCDEF"], "rounds": rounds})
    (found,) = answered([text])
    assert difference(text, found) is None
    assert "round 3: as the rules say" in found["verify"]["lines"]


def test_a_fingerprint_is_found_after_its_round() -> None:
    (found,) = answered([changed()])
    (first,) = found["fingerprints"]
    code, printed, _ = check("verify", "-", "--fingerprint", first[:16], text=changed())
    assert (code, printed) == (0, "the file has this fingerprint after round 0\n")
    assert check("verify", "-", "--fingerprint", "0" * 16, text=changed())[0] == 1
