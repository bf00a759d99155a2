"""The folder of a league's pages: whole or as before, and nothing of others is ever deleted."""

from pathlib import Path

import pytest

from bot.league.errors import Invalid
from bot.site import folder

FIRST = {"index.html": b"one", "season-1/index.html": b"season 1", "players/7.html": b"Ada"}
SECOND = {"index.html": b"two", "season-1/index.html": b"season 1"}


def parts(files: dict[str, bytes]) -> list[tuple[str, tuple[bytes, ...]]]:
    return [(path, (content[:2], content[2:])) for path, content in files.items()]


def there(root: Path) -> dict[str, bytes]:
    files = (file for file in root.rglob("*") if file.is_file() and file.name != folder.WRITTEN)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def test_pages_take_the_place_of_those_before(tmp_path: Path) -> None:
    league = tmp_path / "site" / "1"
    folder.write(league, parts(FIRST), changed=3)
    assert there(league) == FIRST
    folder.write(league, parts(SECOND), changed=4)
    assert there(league) == SECOND
    assert folder.written(league)["changed"] == 4
    assert [path.name for path in league.parent.iterdir()] == ["1"]


def test_what_others_put_there_stays(tmp_path: Path) -> None:
    league = tmp_path / "1"
    folder.write(league, parts(FIRST), changed=3)
    (league / "players" / "mine.txt").write_text("mine")
    folder.write(league, parts(SECOND), changed=4)
    assert there(league) == {**SECOND, "players/mine.txt": b"mine"}
    folder.remove(league)
    assert there(league) == {"players/mine.txt": b"mine"}


def test_a_folder_with_a_file_of_others_in_the_way_is_left_as_it_is(tmp_path: Path) -> None:
    league = tmp_path / "1"
    league.mkdir()
    (league / "index.html").write_text("my own page")
    with pytest.raises(Invalid, match=r"index\.html wasn't written by Fairpair"):
        folder.write(league, parts(FIRST), changed=3)
    assert there(league) == {"index.html": b"my own page"}
    folder.remove(league)
    assert there(league) == {"index.html": b"my own page"}


@pytest.mark.parametrize("cut", ["before", "between", "after"])
def test_writing_that_was_cut_off_loses_nothing(tmp_path: Path, cut: str) -> None:
    league = tmp_path / "1"
    folder.write(league, parts(FIRST), changed=3)
    (league / "mine.txt").write_text("mine")
    half = tmp_path / ".1.new"
    if cut == "before":
        (half / "players").mkdir(parents=True)
        (half / "index.html").write_text("half")
    else:
        league.rename(tmp_path / ".1.old")
        if cut == "after":
            league.mkdir()
            for path, content in {"index.html": b"two", "season-1/index.html": b"season 1"}.items():
                (league / path).parent.mkdir(parents=True, exist_ok=True)
                (league / path).write_bytes(content)
            (league / folder.WRITTEN).write_text('{"changed": 4, "files": ["index.html", "season-1/index.html"]}')
    folder.write(league, parts(SECOND), changed=5)
    assert there(league) == {**SECOND, "mine.txt": b"mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_leagues_without_pages_lose_theirs_and_no_other_folder_is_touched(tmp_path: Path) -> None:
    folder.write(tmp_path / "1", parts(FIRST), changed=1)
    folder.write(tmp_path / "2", parts(FIRST), changed=1)
    (tmp_path / "3").mkdir()
    (tmp_path / "3" / "index.html").write_text("not ours")
    assert folder.remove_others(tmp_path, frozenset({2})) == (1,)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2", "3"]
