"""The example league: a season in each format, and each right for the engine that its pages have."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from bot.league.formats import ALL
from storage.rows import Settled
from storage.tables import ties
from tests.checker.engines import NODE
from tests.practice.browser import ROOT
from tests.services.conftest import World
from tests.site import demo

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


def test_an_example_league_has_a_season_in_each_format_that_its_pages_find_right(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    demo.main(tmp_path)
    league = tmp_path / "1"
    assert f"Open {league / 'index.html'} in a browser." in capfd.readouterr().out
    files = sorted(league.glob("season-*/*.json"))
    assert len(files) == len(demo.SEASONS) == len(list(league.glob("season-*/check.html")))
    assert {format_ for format_, _ in demo.SEASONS} == {format_.key for format_ in ALL}
    checker = ROOT / "bot" / "site" / "checker" / "check.js"
    judged = subprocess.run([NODE, checker, "verify", *files], capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    demo.main(tmp_path)  # over the pages of the first


async def test_the_example_goes_on_after_a_tie_that_an_organiser_must_settle(world: World) -> None:
    """Seasons that are built outside of tests draw with a secret, so any of them may end with such a tie."""
    await demo.play(world, "lightseekers-swiss", {}, Random(4))
    season = (await world.status()).season
    (tie,) = await world.db.read(ties.decided, season.id, 4)
    assert tie.how is Settled.DRAW
