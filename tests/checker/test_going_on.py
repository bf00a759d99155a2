"""A long comparison of the engines goes on where it stopped."""

import json
from pathlib import Path

import pytest

from tests.checker.__main__ import Notes, Part, main, parts
from tests.checker.engines import KINDS

BY_PROGRAM, BY_JAVASCRIPT = "by the program, checked by JavaScript", "by JavaScript, checked by the program"


def test_every_season_of_each_format_and_way_is_in_one_part() -> None:
    wanted = list(parts(120, 7))
    assert len(wanted) == len(set(wanted)) == 3 * 2 * len(KINDS)
    for way in (BY_PROGRAM, BY_JAVASCRIPT):
        seeds = [seed for part in wanted if (part.way, part.format) == (way, "ohs") for seed in range(*part[2:])]
        assert seeds == list(range(7, 127))


def test_what_was_being_written_when_it_stopped_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    done, cut_off = list(parts(10, 1))[:2]
    Notes(path).add(done, 3)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps([cut_off, 0])[:-4])
    notes = Notes(path)
    assert notes.differ == {done: 3}
    notes.add(cut_off, 0)
    assert Notes(path).differ == {done: 3, cut_off: 0}


def test_a_run_that_stopped_goes_on_and_says_what_all_runs_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    notes, (left, *others) = Notes(Path("notes")), parts(2, 50)
    for part in others:
        notes.add(part, int(part == Part(BY_JAVASCRIPT, "round-robin", 50, 52)))
    assert main(["2", "50", "--notes", "notes", "--processes", "1"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[KINDS.index(left.format)] == f"{left.format}: 2 seasons {left.way}: 0 differ"
    assert f"round-robin: 2 seasons {BY_JAVASCRIPT}: 1 differ" in said
    assert len(Notes(Path("notes")).differ) == len(others) + 1
