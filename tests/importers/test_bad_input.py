"""Broken files: one line that names row and column, or what is wrong with the whole file; never anything else."""

import io
import json
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.importers.found import Answers, Found
from bot.importers.read_file import read, reader_of
from bot.league.errors import Invalid
from tests.importers import shapes
from tests.importers.files import challonge_1, challonge_2, cobra, ods, packed, trf, xlsx

HEAD = "season,round,player,opponent,winner,score,how,date"


def table(*rows: str) -> bytes:
    return "\n".join([HEAD, *rows]).encode()


def changed(data: bytes, *path: str | int, value: object) -> bytes:
    whole = json.loads(data)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(whole).encode()


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (80 << 20))
    return file.getvalue()


def plain_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    return file.getvalue()


GOOD = ["season", "player", "opponent", "winner"]

ROWS: dict[str, tuple[bytes, str]] = {
    "against themselves": (
        table("1,1,Mio,mio,Mio,,,"),
        "Row 2, opponent: Mio plays against themselves. Write who the opponent was.",
    ),
    "a winner who didn't play": (
        table("1,1,Bruno,Kai,Brno,,,"),
        "Row 2, winner: “Brno” didn't play. Write Bruno or Kai.",
    ),
    "no season": (table("1,1,A1,B1,A1,,,", ",1,A1,C1,A1,,,"), "Row 3, season: empty. Give a number, for example 3."),
    "no winner": (
        table("1,1,A1,B1,,,played,"),
        "Row 2, winner: empty. Write A1 or B1, or draw; an unplayed match has unplayed in how.",
    ),
    "no opponent": (table("1,1,A1,,A1,,,"), "Row 2, opponent: empty. Write the opponent's name, or bye."),
    "no player": (table("1,1,,B1,B1,,,"), "Row 2, player: empty. Write the player's name."),
    "no round": (
        table("1,Group 2,A1,B1,B1,,,"),
        "Row 2, round: “Group 2” isn't a round. Write its number, or Semi-final.",
    ),
    "winner against score": (
        table("1,1,A1,B1,B1,2-0,,", "1,2,A1,B1,B1,0-2,,"),
        "Row 2, winner: says B1, but the score says 2-0. Fix one of them.",
    ),
    "a winner of two losers": (
        table("1,1,A1,B1,B1,,double loss,"),
        "Row 2, how: says that both lost, but there is a winner. Fix one of them.",
    ),
    "a bye with an opponent": (
        table("1,1,A1,B1,,,bye,"),
        "Row 2, how: says bye, but there is an opponent, B1. Fix one of them.",
    ),
    "another ending": (
        table("1,1,A1,B1,A1,,magic,"),
        "Row 2, how: “magic” isn't known. Write played, forfeit, adjudicated, double loss, bye or draw.",
    ),
    "no date": (table("1,1,A1,B1,A1,,,soon"), "Row 2, date: “soon” is no date. Write it like 2024-04-03."),
    "a formula": (
        table("1,1,=Sheet2!A1,B1,B1,,,"),
        "Row 2, player: “=Sheet2!A1” is a formula. Put its value there (copy, then paste values only).",
    ),
    "an error": (
        table("1,1,A1,#REF!,A1,,,"),
        "Row 2, opponent: “#REF!” is an error of the spreadsheet. Put the value there.",
    ),
    "a score that became a date": (
        xlsx({"A": [["player", "opponent", "score"], ["A1", "B1", 45_293]]}, dates=["C2"]),
        "Row 2, score: the spreadsheet made a date of the score. Format the column as text and write 2-1 again.",
    ),
    "a row of one sheet": (
        xlsx({"One": [GOOD, [1, "A1", "B1", "A1"]], "Two": [GOOD, [2, "A1", "B1", "C1"]]}),
        "Two, row 2, winner: “C1” didn't play. Write A1 or B1.",
    ),
    "a cell merged in ods": (
        ods([GOOD, [1, "A1", "B1", "A1"], [None, "A1", "C1", "A1"]]),
        "Row 3, season: empty. Give a number, for example 3.",
    ),
    "a person twice": (b"name,discord\nAda,1\nada,2", "Row 3, name: Ada is in row 2 already. Delete one of them."),
    "Cobra's player without a name": (
        changed(cobra(), "players", value=[{"id": 1, "name": "Nobody"}]),
        "Round 1, table 1, player2: player 12 has no name in this file. "
        "Show identities in Cobra and download it again.",
    ),
    "Challonge's winner who didn't play": (
        changed(challonge_1(), "tournament", "matches", 0, "match", "winner_id", value=13),
        "Match A, winner_id: 13 didn't play. Write 11 or 14.",
    ),
    "Challonge's unknown participant": (
        changed(challonge_1(), "tournament", "matches", 0, "match", "player1_id", value=99),
        "Match A, player: participant 99 isn't in this file. Add the participants to it.",
    ),
    "TRF's lines that don't fit": (
        trf().replace(b"   1 b 0", b"   1 b 1"),
        "Line 4, round 1: the results “1” and “1” of the two don't fit. Fix one of them.",
    ),
    "TRF's unknown opponent": (
        trf().replace(b"   4 w +", b"   9 w +"),
        "Line 5, round 2: there is no player 9. Fix the starting rank.",
    ),
    "copied without a score": (
        b"Round 1\nAda\n2\nBruno\n0\nRound 2\nAda\nBruno\n1",
        "Row 7, score: Ada against Bruno has no score. Write one number below each name.",
    ),
}

FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "old.csv: is empty."),
    "blank": (b"\n \n", "old.csv: is empty."),
    "one row": (HEAD.encode(), "old.csv: has a head but no rows below it."),
    "too many rows": (
        table(*(f"1,{n // 500 + 1},A{n},B{n},A{n},,," for n in range(100_000))),
        "old.csv: has 100,000 matches; one import takes at most 50,000.",
    ),
    "a picture": (b"\x89PNG\r\n\x1a\n", "old.csv: is a picture."),
    "an old Excel file": (b"\xd0\xcf\x11\xe0\xa1\xb1", "old.csv: is an old Excel file"),
    "a page": (b"<!DOCTYPE html><table>", "old.csv: is a web page"),
    "bytes": (b"\0\1\2", "old.csv: is no text"),
    "another zip": (plain_zip(), "old.csv: is a zip without a spreadsheet."),
    "a zip bomb": (bomb(), "old.csv: unpacks to more than 64 MB."),
    "half a workbook": (xlsx({"A": [GOOD, [1, "A1", "B1", "A1"]]})[:-400], "old.csv: is a damaged spreadsheet."),
    "a cell far away": (
        xlsx({"A": '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'}),
        "old.csv: reaches to row 1,048,576 and column 16,384.",
    ),
    "rows without end": (
        ods([GOOD], extra='<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
            'office:value-type="string"><text:p>A1</text:p></table:table-cell></table:table-row>'),
        "old.csv: reaches to row 1,000,001",
    ),
    "an empty sheet": (xlsx({"A": []}), "old.csv: has no cells that are filled."),
    "half of a JSON": (cobra()[:200], "old.csv, line 1, column"),
    "another JSON": (b'{"hello": 1}', "old.csv: is of another kind. These can be read: league file, "),
    "matches without people": (
        json.dumps([{"match": {"id": 1, "player1_id": 2, "player2_id": 3}}]).encode(),
        "old.csv: has matches but no participants.",
    ),
    "a quotation mark too many": (table('1,1,"A1,B1,A1,,,', "x" * 140_000), "old.csv, row 2: a cell never ends."),
    "two heads": (b"player,player,winner\nA1,B1,A1", "old.csv: 2 columns are called “player”."),
    "dates both ways": (
        table("1,1,A1,B1,A1,,,13/01/2024", "1,1,A1,C1,A1,,,01/13/2024"),
        "old.csv, date: some dates begin with the day",
    ),
    "deep JSON": (b"[" * 100_000, "old.csv: is no JSON"),
    "rounds without end": (
        shapes.trf_line(1, "A1", "  0000 - U" * 1_001).encode(),
        "old.csv: has 1,001 rounds; at most 1,000 can be read.",
    ),
    "a key twice": (b'{"matches": [], "matches": [{"id": 1}]}', "old.csv: has “matches” twice in one object."),
    "no number": (b'{"matches": [{"id": NaN}]}', "old.csv: has “NaN”, which is no number in JSON."),
    "a huge number": (b'{"matches": [{"id": ' + b"9" * 5_000 + b"}]}", "old.csv: is no JSON"),
    "a million values": (b"[]\n" * 1_000_000, "old.csv: is of another kind."),
    "an id that is true": (
        json.dumps([{"participant": {"id": True, "name": "A1"}}, {"match": {"id": 1, "player1_id": 1}}]).encode(),
        "old.csv: has matches but no participants.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ROWS)
def test_a_row_that_cannot_be_read_is_named_with_its_repair(case: str) -> None:
    data, line = ROWS[case]
    found = read(data, "old.csv", Answers(meant={"empty season": "empty", "empty round": "empty"}))
    assert line in [problem.line for problem in found.problems]
    assert all("\n" not in problem.line for problem in found.problems)


@pytest.mark.long
@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_read_says_why_in_one_line(case: str) -> None:
    data, begins = FILES[case]
    with pytest.raises(Invalid) as refused:
        read(data, "folder\\old.csv")
    assert str(refused.value).startswith(begins)
    assert "\n" not in str(refused.value)


def test_of_sheets_nobody_can_tell_apart_one_is_chosen() -> None:
    sheets = xlsx({"One": [["x", "y"], ["a", "b"]], "Two": [["x", "y"], ["c", "d"]]})
    (question,) = read(sheets, "a.xlsx").questions
    assert [choice.value for choice in question.choices] == ["One", "Two"]
    (following,) = read(sheets, "a.xlsx", Answers().answered(question, "Two")).questions
    assert following.choices[0].label == "x: c"


WORDS = st.sampled_from(
    [*HEAD.split(","), "Ada", "Bruno", "2-1", "draw", "1", "bye", "=A1", "01/02/2024", "", "\t", '"']
)
GRIDS = st.lists(st.lists(WORDS, max_size=9).map(",".join), max_size=8).map("\n".join).map(str.encode)
LEAVES = (
    st.none()
    | st.just("BYE")
    | st.booleans()
    | st.integers(-2, 20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["2-0", "A1", ""])
)
KEYS = st.sampled_from(
    ("match", "participant", "matches", "participants", "players", "id", "name", "attributes", "data")
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5))


def is_told(data: bytes) -> None:
    with suppress(Invalid):
        assert isinstance(read(data, "x"), Found)


@given(st.binary() | st.binary().map(b"PK\3\4".__add__) | GRIDS | VALUES.map(json.dumps).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    is_told(data)


@given(
    st.sampled_from(
        [
            cobra(),
            challonge_1(),
            challonge_2(),
            trf(),
            xlsx({"A": [GOOD, [1, "A", "B", "A"]]}),
            shapes.challonge_2_unfinished(),
            shapes.trf_26(),
            packed({"a.csv": table("1,1,A1,B1,A1,,,"), "b.json": cobra()}),
        ]
    ),
    st.data(),
)
def test_a_good_file_with_some_bytes_changed_is_read_or_refused(data: bytes, drawn: st.DataObject) -> None:
    changed_bytes = bytearray(data)
    for _ in range(drawn.draw(st.integers(1, 3))):
        changed_bytes[drawn.draw(st.integers(0, len(data) - 1))] = drawn.draw(st.integers(0, 255))
    is_told(bytes(changed_bytes))


JSONS = [cobra(), challonge_1(), challonge_2().split(b"\n")[1], shapes.challonge_two_stages(), shapes.aesops_tables()]


@given(VALUES, st.data())
def test_json_with_any_value_inside_is_read_or_refused(value: object, drawn: st.DataObject) -> None:
    whole = json.loads(drawn.draw(st.sampled_from(JSONS)))
    inner = whole
    while True:
        key = drawn.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if isinstance(inner[key], dict | list) and inner[key] and drawn.draw(st.integers(0, 3)):
            inner = inner[key]
            continue
        inner[key] = value
        break
    is_told(json.dumps(whole).encode())


def test_the_kind_is_in_the_content() -> None:
    assert reader_of(b'{"fairpair": 1}').name == "league file"
