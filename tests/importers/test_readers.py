"""The table of readers: each is known by its name to people, and knows its own files only."""

from pathlib import Path

import pytest

from bot.importers.read_file import READERS, reader_of
from tests.importers.files import challonge_1, challonge_2, cobra, ods, packed, trf, xlsx

CELLS = [["player", "opponent", "winner"], ["Ada", "Bruno", "Ada"]]
FILES: dict[str, list[bytes]] = {
    "CSV": ["\n".join(map(",".join, CELLS)).encode(), b"[GER] Ada;Bruno;2-0", b"Ada"],
    ".xlsx, .ods": [xlsx({"A": CELLS}), ods(CELLS)],
    "zip": [packed({"a.csv": b"x"}), packed({"in/a.json": cobra(), "README": b"hello"})],
    "copied text": [b"Round 1\nAda 2 - 0 Bruno\n"],
    "Challonge": [challonge_1(), challonge_2()],
    "Cobra": [cobra()],
    "TRF": [trf()],
    "zip of a league": [packed({"league.json": b"{}", "a.json": b"{}"}), packed({"in/league.json": b""})],
    "league file": [b'{"fairpair": 1}', b'{"fairpair": 1, "rounds": [], "players": []}'],
}


@pytest.mark.parametrize("name", [reader.name for reader in READERS])
def test_each_reader_is_known_by_what_is_in_its_files(name: str) -> None:
    assert {reader_of(data).name for data in FILES[name]} == {name}


def test_people_read_of_every_reader_where_they_get_such_files() -> None:
    page = (Path(__file__).parents[2] / "docs/moving-in.md").read_text(encoding="utf-8")
    table = page.partition("| file | how to get it |\n|---|---|\n")[2].partition("\n\n")[0].replace("`", "")
    assert sorted(table.splitlines()) == sorted(f"| {reader.name} | {reader.file} |" for reader in READERS)
    assert len({reader.name for reader in READERS}) == len(READERS)
