"""Files of other programs: never another winner, never another person, never one less, without a word."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.importers.found import About, Answers, Found
from bot.importers.read_file import read
from bot.league.errors import InvalidFile
from tests.importers import shapes
from tests.importers.files import PEOPLE, challonge_1, cobra, trf
from tests.importers.test_read_file import whole

Rows = list[tuple[Any, ...]]


def rows(found: Found) -> Rows:
    return [
        (match.round, *match.players, match.winner, match.kind.value, match.games)
        for season in found.seasons
        for match in season.matches
    ]


def byes(found: Found) -> Rows:
    return [(bye.round, bye.name) for season in found.seasons for bye in season.byes]


def days(found: Found) -> list[str]:
    return [str(match.day) for season in found.seasons for match in season.matches]


def test_challonge_with_groups_a_third_place_and_a_final() -> None:
    found = whole(read(shapes.challonge_two_stages(), "x.json"))
    assert rows(found) == [
        (1, "Ada", "Bruno", "Ada", "played", (2, 1)),
        (1, "Chlo", "Daria", None, "played", (1, 1)),
        (2, "Ada", "Chlo", "Chlo", "played", None),
        (3, "Ada", "Daria", "Ada", "played", (2, 1)),
        (3, "Bruno", "Chlo", "Bruno", "forfeit", None),
        (4, "Ada", "Bruno", "Bruno", "played", (1, 2)),
        (4, "Chlo", "Daria", "Chlo", "played", (2, 0)),
    ]
    assert (found.seasons[0].champion, found.notes) == ("Bruno", ("1 match had no result and stayed out.",))


def test_challonge_version_2_in_pages_with_a_dummy_and_an_open_match() -> None:
    found = whole(read(shapes.challonge_2_unfinished(), "x.json"))
    assert [season.title for season in found.seasons] == ["Autumn"]
    assert rows(found) == [
        (1, "Ada", "Bruno", "Bruno", "played", (0, 2)),
        (4, "Ada", "Bruno", None, "played", (1, 1)),
    ]
    assert (byes(found), found.names, days(found)) == ([(2, "Ada")], ("Ada", "Bruno"), ["2025-10-01", "2025-10-04"])
    assert "“Bye 1” is read as a bye, not as a person." in [note.replace('"Bye 1"', "“Bye 1”") for note in found.notes]


def test_aesops_tables() -> None:
    found = whole(read(shapes.aesops_tables(), "x.json"))
    assert rows(found) == [
        (1, "Ada", "Bruno", None, "played", (3, 3)),
        (2, "Ada", "Bruno", "Bruno", "played", (0, 3)),
    ]
    assert (byes(found), days(found)) == ([(1, "Chlo")], ["2025-06-14"] * 2)
    assert found.notes == ("Without a match or a bye, so left out: Dan.",)


def test_lichess_leaves_the_opponent_blank() -> None:
    found = whole(read(shapes.trf_of_lichess(), "x.trf"))
    assert rows(found) == [
        (1, "AdaPlays", "bruno_x", "AdaPlays", "played", None),
        (2, "bruno_x", "Chlo", "bruno_x", "played", None),
    ]
    assert (byes(found), found.source) == ([(1, "Chlo"), (2, "AdaPlays")], "TRF")
    assert found.notes == ("Without a match or a bye, so left out: Late.",)


def test_older_programs_write_byes_as_results_without_an_opponent() -> None:
    found = whole(read(shapes.trf_of_older_programs(), "x.trf"))
    assert rows(found) == [
        (1, "Ada", "Bruno", "Ada", "played", None),
        (2, "Bruno", "Chlo", None, "double_loss", None),
    ]
    assert (byes(found), days(found)) == ([(2, "Ada"), (3, "Bruno")], ["2004-05-01"] * 2)


def test_trf_26_says_the_day_of_each_round() -> None:
    found = whole(read(shapes.trf_26(), "x.trf"))
    assert rows(found) == [
        (1, "Lovelace, Ada", "Bruno", "Lovelace, Ada", "played", None),
        (2, "Bruno", "Chlo", None, "played", None),
    ]
    assert (byes(found), days(found)) == ([(1, "Chlo"), (2, "Lovelace, Ada")], ["2026-01-10", "2026-01-11"])


def test_a_round_of_the_last_century_is_no_round_to_come() -> None:
    found = whole(read(shapes.trf_26().replace(b"26/01/1", b"98/01/1").replace(b"2026", b"1998"), "x.trf"))
    assert days(found) == ["1998-01-10", "1998-01-11"]


def test_sets_of_start_gg() -> None:
    found = whole(read(shapes.sets_of_start_gg(), "x.csv"))
    assert rows(found) == [
        (1, "Ada", "Bruno", "Ada", "played", (3, 1)),
        (2, "Ada", "Chlo", "Chlo", "played", (1, 3)),
    ]
    assert (days(found), found.notes) == (["2025-02-01"] * 2, ())
    assert [match.finals for match in found.seasons[0].matches] == [False, True]


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        (shapes.trf_of_lichess().replace(b"bruno_x", b"adaplay").replace(b"AdaPlays", b"AdaPlay "), "1 and 2"),
        (json.dumps(json.loads(cobra())).replace("Chlo\\u00e9", "ada ").encode(), "11 and 13"),
        (json.dumps(json.loads(challonge_1())).replace("Chlo\\u00e9", "ADA").encode(), "11 and 13"),
    ],
)
def test_two_numbers_are_two_people_until_someone_says_otherwise(data: bytes, numbers: str) -> None:
    (question,) = read(data, "x").questions
    assert (question.about, numbers in question.text) == (About.NAME, True)
    last = numbers.split()[-1]
    assert question.text.endswith(f"They played each other, so they're two people. What is number {last} called?")
    (choice,) = question.choices
    first = choice.value.removesuffix(" (2)")
    assert choice.value == f"{first} (2)"
    found = whole(read(data, "x", Answers().answered(question, choice.value)))
    assert {first, f"{first} (2)"} <= set(found.names)
    typed = whole(read(data, "x", Answers().answered(question, "Someone else")))
    assert {first, "Someone else"} <= set(typed.names)
    assert read(data, "x", Answers().answered(question, first.upper())).questions == (question,)


def two_novaks() -> bytes:
    return "\n".join([
        "012 Town Swiss",
        shapes.trf_line(1, "Jan Novak", "     3 w 1"), shapes.trf_line(2, "jan  novak", "     4 w 1"),
        shapes.trf_line(3, "Ada", "     1 b 0"), shapes.trf_line(4, "Jan Novak", "     2 b 0"),
    ]).encode()  # fmt: skip


def test_a_name_may_be_one_person_s_or_of_two_or_of_three() -> None:
    (first,) = read(two_novaks(), "x").questions
    assert first.text == "The file has two players called Jan Novak, numbers 1 and 2. Is it one person?"
    assert [(choice.value, choice.label) for choice in first.choices] == [
        ("Jan Novak", "One person"),
        ("Jan Novak (2)", "Another person: Jan Novak (2)"),
    ]
    one = Answers().answered(first, "Jan Novak")
    (second,) = read(two_novaks(), "x", one).questions
    assert [choice.value for choice in second.choices] == ["Jan Novak (3)"]  # who played number 2, so is not them
    assert [row[1:4] for row in rows(whole(read(two_novaks(), "x", one.answered(second, "Jan Novak (3)"))))] == [
        ("Jan Novak", "Ada", "Jan Novak"),
        ("Jan Novak", "Jan Novak (3)", "Jan Novak"),
    ]
    two = Answers().answered(first, "Jan Novak (2)")
    (third,) = read(two_novaks(), "x", two).questions
    assert third.text.endswith("3 players called Jan Novak, numbers 1, 2 and 4. Who is number 4?")
    assert [choice.value for choice in third.choices] == ["Jan Novak", "Jan Novak (3)"]
    assert [row[1:4] for row in rows(whole(read(two_novaks(), "x", two.answered(third, "Jan Novak"))))] == [
        ("Jan Novak", "Ada", "Jan Novak"),
        ("Jan Novak (2)", "Jan Novak", "Jan Novak (2)"),
    ]


@pytest.mark.long
def test_ten_thousand_of_one_name_are_one_question() -> None:
    people = [{"participant": {"id": key, "name": "Jan", "tournament_id": 1}} for key in range(1, 10_001)]
    match = {"match": {"id": 1, "tournament_id": 1, "player1_id": 1, "player2_id": 2, "state": "open"}}
    (question,) = read(json.dumps([*people, match]).encode(), "x").questions
    assert question.choices[-1].value == "Jan (2)"


def test_a_person_with_an_account_may_be_called_bye() -> None:
    data = shapes.challonge_two_stages().replace(b'"Daria", "username": null', b'"Bye", "username": "bye77"')
    assert "Bye" in whole(read(data, "x")).names


def dummies(*matches: dict[str, Any]) -> bytes:
    people = [{"participant": {"id": key, "name": name}} for key, name in {1: "Ada", 2: "BYE", 3: "spielfrei"}.items()]
    usual = {"state": "complete", "round": 1, "scores_csv": "1-0"}
    listed = [{"match": {"id": number, **usual, **match}} for number, match in enumerate(matches)]
    return json.dumps([*people, *listed]).encode()


def test_a_dummy_is_no_person_on_neither_side() -> None:
    found = whole(read(dummies(
        {"player1_id": 1, "player2_id": 2, "winner_id": 1},
        {"player1_id": 3, "player2_id": 1, "winner_id": 1, "round": 2},
        {"player1_id": 2, "player2_id": 3, "winner_id": 2, "round": 2},
        {"player1_id": 1, "player2_id": 2, "winner_id": 2, "round": 3},
    ), "x"))  # fmt: skip
    assert (found.names, rows(found), byes(found)) == (("Ada",), [], [(1, "Ada"), (2, "Ada")])
    assert [note.replace('"', "") for note in found.notes] == [
        "BYE is read as a bye, not as a person.",
        "spielfrei is read as a bye, not as a person.",
        "1 match was won by a bye and stayed out.",
    ]


def test_a_dummy_in_a_report_and_in_cobra() -> None:
    found = whole(read(shapes.trf_of_lichess().replace(b"bruno_x", b"(bye)  "), "x"))
    assert (byes(found), rows(found)) == ([(1, "AdaPlays"), (1, "Chlo"), (2, "AdaPlays")], [])
    cobras = whole(read(cobra().replace(b'"Emil"', b'"Freilos"'), "x"))
    assert (byes(cobras), "Freilos" in cobras.names) == ([], False)


@pytest.mark.parametrize(
    "text", ["Round 1\nAda 1 - 0 BYE\nspielfrei 0 - 1 Bo\n", "Round 1\nAda\n1\nBYE\n0\n(bye)\nBo\n"]
)
def test_a_dummy_in_copied_text(text: str) -> None:
    found = whole(read(text.encode(), "x"))
    assert (found.names, rows(found), byes(found)) == (("Ada", "Bo"), [], [(1, "Ada"), (1, "Bo")])


@pytest.mark.parametrize(
    ("score", "winner", "kept"),
    [
        ("0-0", 11, None), ("2-1", 14, None), ("3-1", None, None), ("1-1", None, (1, 1)), ("2-0", 11, (2, 0)),
        ("0-2,2-0,2-1", 11, (2, 1)), ("0-2,2-0,1-2", 11, None),
    ],
)  # fmt: skip
def test_a_score_that_contradicts_the_winner_stays_out(
    score: str, winner: int | None, kept: tuple[int, int] | None
) -> None:
    data = json.loads(challonge_1())
    data["tournament"]["matches"][0]["match"] |= {"scores_csv": score, "winner_id": winner}
    found = whole(read(json.dumps(data).encode(), "x"))
    assert rows(found)[0][3:] == (None if winner is None else PEOPLE[winner], "played", kept)
    note = "1 match had a score that doesn't fit the result, so the score stayed out."
    assert (note in found.notes) == (kept is None)


def test_a_match_that_stands_twice_counts_once() -> None:
    plain = json.loads(challonge_1())
    again = json.dumps(plain["tournament"]["matches"]).encode()
    assert rows(read(challonge_1() + again, "x")) == rows(read(challonge_1(), "x"))
    plain["tournament"]["matches"][0]["match"]["winner_id"] = 14
    both = read(json.dumps(plain).encode() + challonge_1(), "x")
    assert [problem.line for problem in both.problems] == [
        "Match A, winner_id: is in the file twice, with two winners. Keep the newer answer of the two."
    ]


def renamed(data: bytes, **names: str) -> bytes:
    whole_ = json.loads(data)
    return json.dumps({**whole_, **names}).encode()


def test_several_tournaments_of_one_program_are_several_seasons() -> None:
    two = b"[" + renamed(cobra(), name="May") + b"," + renamed(cobra(), name="June") + b"]"
    assert [(season.title, len(season.matches)) for season in whole(read(two, "x")).seasons] == [
        ("May", 6),
        ("June", 6),
    ]
    reports = trf() + b"\n" + shapes.trf_26()
    found = whole(read(reports, "x"))
    assert [(season.title, len(season.matches)) for season in found.seasons] == [("Town Swiss", 5), ("Winter Open", 2)]
    second = json.loads(
        challonge_1().replace(b'"id": 7,', b'"id": 8,').replace(b'"tournament_id": 7', b'"tournament_id": 8')
    )
    for match in second["tournament"]["matches"]:
        match["match"]["id"] += 1000
    second["tournament"]["name"] = "Autumn Open"
    both = whole(read(challonge_1() + json.dumps(second).encode(), "x"))
    assert [(season.title, len(season.matches)) for season in both.seasons] == [("Spring Open", 6), ("Autumn Open", 6)]
    assert both.names == read(challonge_1(), "x").names


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([cobra(), challonge_1()], "has several things in one: Cobra and Challonge. Send a file for each."),
        ([cobra(), b'{"fairpair": 1}'], "has several things in one: league file and Cobra. Send a file for each."),
        ([b'{"fairpair": 1}'] * 2, "has several things in one: league file. Send a file for each."),
    ],
)
def test_things_of_several_kinds_are_never_read_as_one(parts: Sequence[bytes], text: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        read(b"\n".join(parts), "x")
    assert refused.value.problem == text


def test_one_person_in_two_tournaments_is_one_also_if_participants_do_not_say_of_which_they_are() -> None:
    one, other = shapes.challonge_2_unfinished(), shapes.challonge_2_unfinished()
    for old, new in ((b'"8"', b'"9"'), (b'"Autumn"', b'"Winter"'), (b"autumn", b"winter"), (b'id": 1', b'id": 51'),
                     (b'id": 2', b'id": 52'), (b'id": 3', b'id": 53'), (b'"id": "', b'"id": "5')):  # fmt: skip
        other = other.replace(old, new)
    both = (one + other).replace(b'"tournament_id": 8,', b"")
    found = whole(read(both, "x"))
    assert [(season.title, len(season.matches)) for season in found.seasons] == [("Autumn", 2), ("Winter", 2)]
    assert found.names == ("Ada", "Bruno")
    wrong = both.replace(b'"winner_id": 51', b'"winner_id": 77')
    assert [problem.line for problem in read(wrong, "x").problems] == [
        "Winter, match M2, winner_id: 77 didn't play. Write 51 or 53."
    ]


def test_people_without_a_match_come_in_and_dummies_do_not() -> None:
    people = [{"participant": {"id": key, "name": name}} for key, name in enumerate(("Ada", "Bye 2", "Bruno"))]
    assert whole(read(json.dumps(people).encode(), "x")).names == ("Ada", "Bruno")


def test_matches_that_could_be_of_two_tournaments_are_refused() -> None:
    matches = [{"id": 1, "type": "match", "attributes": {"round": 1, "state": "complete"}}]
    tournaments = [{"id": key, "type": "tournament", "attributes": {"name": key}} for key in "AB"]
    people = [{"id": "5", "type": "participant", "attributes": {"name": "Ada"}}]
    with pytest.raises(InvalidFile, match="has several tournaments, and matches that don't say of which"):
        read(json.dumps([{"data": tournaments}, {"data": people}, {"data": matches}]).encode(), "x")


def test_a_place_stands_once_in_a_problem() -> None:
    data = two_novaks().replace(b"     4 w 1", b"     2 w 1")
    texts = [problem.line for problem in read(data, "x").problems]
    assert texts
    assert all(line.count("round 1") == 1 for line in texts)
