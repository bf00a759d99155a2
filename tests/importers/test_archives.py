"""Zips: what is in them is read as the sheets of one workbook are, or one sentence says why not."""

import io
import zipfile

import pytest

from bot.importers import archives
from bot.importers.found import Answers
from bot.importers.read_file import read
from bot.league.errors import InvalidFile
from tests.importers.files import Cells, challonge_1, cobra, packed, trf, xlsx
from tests.importers.test_read_file import whole

MATCHES = b"season,round,player,opponent,winner\n1,1,Ada,Bruno,Ada\n"
STANDINGS = b"rank,player,wins,losses,points\n1,Ada,1,0,1\n2,Bruno,0,1,0\n"
PEOPLE = b"player,seed\nAda,1\nBruno,2\nChlo,3\n"


def test_of_several_tables_only_the_matches_and_the_people_are_read() -> None:
    found = whole(read(packed({"standings.csv": STANDINGS, "matches.csv": MATCHES, "people.csv": PEOPLE}), "a.zip"))
    assert [season.number for season in found.seasons] == [1]
    assert found.names == ("Ada", "Bruno", "Chlo")
    assert "Left out, because no matches were found there: standings.csv." in found.notes


def test_the_same_holds_for_the_sheets_of_a_workbook() -> None:
    sheets: dict[str, Cells | str] = {name: [line.split(",") for line in text.decode().splitlines()] for name, text in
              {"standings": STANDINGS, "matches": MATCHES, "people": PEOPLE}.items()}  # fmt: skip
    found = whole(read(xlsx(sheets), "a.xlsx"))
    assert (found.matches, found.names) == (1, ("Ada", "Bruno", "Chlo"))


def test_a_sheet_of_matches_that_lacks_the_winner_is_asked_about_not_left_out() -> None:
    unclear = b"player,opponent,x\nAda,Bruno,Ada\n"
    (question,) = read(packed({"a.csv": MATCHES, "b.csv": unclear}), "a.zip").questions
    assert question.text.startswith("Which column says who won")


def test_folders_and_what_systems_and_people_add_are_passed_over() -> None:
    files = {
        "../../etc/league.csv": MATCHES, "__MACOSX/league.csv": b"\0", "in/.DS_Store": b"\0\1", "README.md": b"# Hi\n",
        "logo.png": b"\x89PNG\r\n\x1a\n", "rules.pdf": b"%PDF-1.7", "in/Thumbs.db": b"\0",
    }  # fmt: skip
    found = whole(read(packed(files), "a.zip"))
    assert (found.matches, found.names) == (1, ("Ada", "Bruno"))
    assert found.notes == (
        "Left out, because no matches were found there: README.md.",
        "Left out, because nothing can be read of it: logo.png, rules.pdf.",
    )


def test_files_of_other_programs_are_a_season_each() -> None:
    files = {"may.json": cobra(), "june.json": cobra(), "july.json": challonge_1(), "august.trf": trf(), "x.txt": b"Hi"}
    found = whole(read(packed(files), "past.zip"))
    titles = [(season.title, len(season.matches)) for season in found.seasons]
    assert titles == [("Winter Cup", 6), ("Winter Cup", 6), ("Spring Open", 6), ("Town Swiss", 5)]
    assert "Left out, because no matches were found there: x.txt." in found.notes


def test_equal_names_in_two_folders_are_two_seasons() -> None:
    plain = b"player,opponent,winner\nAda,Bruno,Ada\n"
    found = whole(read(packed({"2023/matches.csv": plain, "2024/matches.csv": plain}), "a.zip"))
    assert [season.title for season in found.seasons] == ["2023/matches", "2024/matches"]


def test_a_problem_names_the_file_in_the_zip() -> None:
    wrong = packed({"a.csv": MATCHES, "b.csv": b"player,opponent,winner\nAda,Bruno,Mio\n"})
    assert read(wrong, "a.zip").problems[0].line == "b.csv, row 2, winner: “Mio” didn't play. Write Ada or Bruno."
    cobras = packed({"a.json": cobra(), "b.json": cobra().replace(b'"id": 12, "name"', b'"id": 99, "name"')})
    assert read(cobras, "a.zip").problems[0].line.startswith("b.json, round 1, table 1, player2: player 12 has no name")


def test_one_table_among_several_is_chosen() -> None:
    zipped = packed({"one.csv": b"x,y\na,b\n", "two.csv": b"x,y\nc,d\n"})
    (question,) = read(zipped, "a.zip").questions
    assert [choice.value for choice in question.choices] == ["one.csv", "two.csv"]
    (following,) = read(zipped, "a.zip", Answers().answered(question, "two.csv")).questions
    assert following.choices[0].label == "x: c"


def locked() -> bytes:
    data = bytearray(packed({"a.csv": MATCHES}))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def twice() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.csv", MATCHES)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.csv", MATCHES)
    return file.getvalue()


WRONG = {
    "a zip in a zip": (
        packed({"a.csv": MATCHES, "in.zip": packed({"b.csv": MATCHES})}),
        "a.zip: has a zip in it, in.zip. Unpack it, and send that file itself.",
    ),
    "a league file": (
        packed({"index.html": b"<!doctype html>", "season.json": b'{"fairpair": 1}'}),
        "a.zip: has a league file in it, season.json. Unpack it, and send that file itself.",
    ),
    "a bomb": (packed({"a.csv": b"x" * (archives.LARGEST + 1)}), "a.zip: unpacks to more than 64 MB."),
    "a large file": (packed({"a.csv": b"x" * (25 << 20)}), "a.zip, a.csv: has 25 MB; at most 24 MB can be read."),
    "many files": (
        packed({f"{n}.csv": b"" for n in range(101)}),
        "a.zip: has 101 files in it; at most 100 can be read.",
    ),
    "a picture alone": (packed({"a.png": b"\x89PNG\r\n\x1a\n"}), "a.zip, a.png: is a picture."),
    "half a JSON": (packed({"a.csv": MATCHES, "b.json": cobra()[:99]}), "a.zip, b.json, line 1, column"),
    "a locked file": (locked(), "a.zip: is locked with a password. Pack it without one."),
    "one name twice": (twice(), "a.zip: has two files of one name in it. Delete one of them."),
    "only folders": (packed({"a/": b"", "b/": b""}), "a.zip: has no files in it."),
    "a cell that never ends": (packed({"a.csv": b'a,"b' + b"x" * 140_000}), "a.zip, a.csv, row 1: a cell never ends."),
}


@pytest.mark.long
@pytest.mark.parametrize("case", WRONG)
def test_a_zip_that_cannot_be_read_says_why_in_one_line(case: str) -> None:
    data, begins = WRONG[case]
    with pytest.raises(InvalidFile) as refused:
        read(data, "a.zip")
    assert str(refused.value).startswith(begins)
    assert "\n" not in str(refused.value)
