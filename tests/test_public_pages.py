"""What a stranger reads before trying: how long formats take, what a directory takes, and one place for addresses."""

import re
import subprocess

import pytest
from PIL import Image, ImageSequence

from tests import addresses
from tests.league.builders import by_chance, play_season, season
from tests.practice.tour import TOUR
from tests.test_documentation import README, ROOT, page, section

WEEKS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in section(page("which-format"), "How long it takes").splitlines()
    if "`" in line and line.startswith("| ")
]
PLAYERS = (6, 8, 12, 16, 32)
"""Those of the table for whom a season is played in a moment."""


@pytest.mark.parametrize("row", WEEKS, ids=lambda row: row[0])
def test_seasons_take_as_many_weeks_as_the_page_says(row: list[str]) -> None:
    *words, key_or_setting = re.findall(r"`([^`]+)`", row[0])
    setting, _, value = key_or_setting.partition(":")
    title = row[0].partition(",")[0]
    key = next(name for name in re.findall(r"`([^`]+)`", " ".join(line[0] for line in WEEKS if title in line[0])))
    settings = {setting: int(value)} if value else {}
    assert not words
    for players, said in zip(PLAYERS, row[1:], strict=False):
        fewest, _, most = said.partition("–")
        for seed in range(3):
            played = play_season(season(key, players, number=seed + 1, **settings), by_chance(seed))
            assert int(fewest) <= len(played.season.rounds) <= int(most or fewest), (players, seed)


def of_the_directory(field: str) -> str:
    found = re.search(rf"^\| {field}\b[^|]*\| (.+) \|$", page("discord-directory"), flags=re.MULTILINE)
    assert found
    return found[1]


def test_discord_s_directory_takes_what_the_page_says() -> None:
    assert len(of_the_directory("summary")) <= 200
    assert 200 < len(of_the_directory("description")) <= 400
    assert len(of_the_directory("tags").split(", ")) == 5


def test_the_pages_have_the_addresses_of_the_one_place_for_them() -> None:
    for path in addresses.PAGES:
        text = path.read_text(encoding="utf-8")
        assert addresses.written(text) == text, f"python -m tests.addresses writes {path.name}"


def test_no_other_file_has_an_address_of_ours() -> None:
    host = re.escape(addresses.addresses()["Website"].split("/")[2])
    listed = subprocess.run(
        ["git", "grep", "-lE", f"https://{host}", "--", ":!tests"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode > 1:
        pytest.skip("only a checkout says which files belong to it")
    known = {path.relative_to(ROOT).as_posix() for path in addresses.PAGES}
    assert set(listed.stdout.split()) <= {*known, "pyproject.toml"}


def test_another_address_is_written_into_commands_and_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "addresses", lambda: {"Source": "https://a.b/c.git", "Terms": "https://a.b/t"})
    before = (
        "    git clone https://x.y/z.git fairpair && cd fairpair\n| Terms | https://x.y/t |\n| Other | https://x.y/o |"
    )
    after = (
        "    git clone https://a.b/c.git fairpair && cd fairpair\n| Terms | https://a.b/t |\n| Other | https://x.y/o |"
    )
    assert addresses.written(before) == after


def test_the_moving_picture_is_short_and_small() -> None:
    assert f"](docs/{TOUR.name})" in README
    assert TOUR.stat().st_size < 3_000_000
    with Image.open(TOUR) as tour:
        lasts = 0
        for picture in ImageSequence.Iterator(tour):
            picture.load()  # only then it's known
            lasts += picture.info["duration"]
    assert 20_000 <= lasts <= 30_000
