"""The replay of a real league, on a small made-up one of the same shape."""

import json
from itertools import combinations
from pathlib import Path

from bot.league.checking.league_file.reading import read
from tests.real_league import read_rows, real_winners, record, replay, roster

NAMES = ["ann", "Bea", "Çem", "dok", "Eve", "Finn", "Güz", "Hal", "Ida"]


def made_up(folder: Path) -> Path:
    """Write three seasons in which the earlier name wins, with every way a match can end."""
    hows = ["normal", "timeout", "forfeit"]
    lines = ["season,number,round,player_a,player_b,winner,how,start,end"]
    for season in (1, 2, 3):
        for index, (first, second) in enumerate(combinations(NAMES[: 6 + season], 2)):
            lines.append(f"S{season},{season},{index // 4 + 1},{first},{second},{first},{hows[index % 3]},,")
        lines.append(f"S{season},{season},1,Ida,,,inferred-bye,,")
    path = folder / "league.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


async def test_a_season_is_played_again_to_its_champion_and_verified(tmp_path: Path) -> None:
    rows = read_rows(made_up(tmp_path))
    found = await replay(rows, 3, tmp_path / "league.db")
    assert (found.number, found.players, found.champion, found.differing) == (3, 9, "ann", 0)
    assert found.rounds >= 6
    assert found.byes >= 4
    assert "champion ann; verify agrees with every round" in found.line()


def test_a_real_season_becomes_a_record(tmp_path: Path) -> None:
    rows = read_rows(made_up(tmp_path))
    season = read(record(rows, 2).encode())
    assert [entrant.name for entrant in season.entrants] == roster(rows, 2)
    matches = [match for round_ in season.rounds for match in round_.matches]
    assert len(matches) == 28
    assert {frozenset(match.players): match.winner for match in matches} == real_winners(rows, 2)
    assert [name for round_ in season.rounds for name in round_.byes] == ["Ida"]
    assert json.loads(record(rows, 2))["format"] == "record"
