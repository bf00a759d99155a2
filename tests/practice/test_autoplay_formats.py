"""With --autoplay every format is played to its end, ties that wait for the organiser included."""

from pathlib import Path
from typing import Any

import pytest

from bot.league import formats
from bot.league.season import SeasonPhase
from tests.practice.test_autoplay import _announce, _season, playing

pytestmark = pytest.mark.timeout(300)

CASES: list[tuple[str, dict[str, Any]]] = [(format_.key, {}) for format_ in formats.ALL]
CASES.append(("lightseekers-swiss", {"cut": 4}))


@pytest.mark.parametrize(("key", "settings"), CASES)
async def test_a_season_of_any_format_comes_to_its_end(tmp_path: Path, key: str, settings: dict[str, Any]) -> None:
    async with playing(tmp_path) as (simulation, autoplay, db):
        async with simulation.lock:
            await simulation.world.organiser.slash(simulation.world.league, "season create", format=key, **settings)
        moves = 0
        while await autoplay.step(db):
            await _announce(simulation)
            moves += 1
            assert moves < 200
        season = await _season(db, simulation)
        assert (season.season.format, season.season.phase) == (key, SeasonPhase.FINISHED)
        posts = [str(embed.to_dict()) for m in simulation.world.league.history() for embed in m.embeds]
        assert any("is over" in post for post in posts)
        asked = [str(embed.to_dict()) for m in simulation.world.moderators.history() for embed in m.embeds]
        assert any("An organiser took the draw" in post for post in asked) == bool(settings)
