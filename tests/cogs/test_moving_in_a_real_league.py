"""A new organiser brings in eleven seasons of a real league, as the file is, only by pressing and typing."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from bot.league.counting.ratings import after_matches, new_rating, shown_rating
from bot.league.season.model import Kind, Match, Name, Rating
from bot.league.season.scales import RatingScale
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from tests.cogs.conftest import World, text_of
from tests.looked_up import history

CODEX = Path(__file__).parents[3] / "shared" / "data" / "codex-2016-2019.csv"
RATED = {"normal", "timeout"}
"""How a match ended that counts for ratings: played, or decided because time was up."""


def from_the_file() -> tuple[dict[Name, Rating], Counter[Name], Counter[frozenset[str]]]:
    """Return everyone's rating and number of rated matches, and how often each two met, as the rows say."""
    with CODEX.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["how"] != "inferred-bye"]
    rows.sort(key=lambda row: (int(row["number"]), int(row["round"])))
    people = [Name(row[side]) for row in rows for side in ("player_a", "player_b")]
    ratings = {name: new_rating(RatingScale()) for name in people}
    rated: Counter[Name] = Counter()
    for row in rows:
        if row["how"] in RATED:
            upper, lower = Name(row["player_a"]), Name(row["player_b"])
            match = Match(upper=upper, lower=lower, winner=Name(row["winner"]), kind=Kind.PLAYED)
            ratings |= after_matches(ratings, [match], RatingScale())
            rated.update(match.players)
    return ratings, rated, Counter(frozenset((row["player_a"], row["player_b"])) for row in rows)


@pytest.mark.long
@pytest.mark.skipif(not CODEX.exists(), reason="the real league isn't there")
async def test_a_new_organiser_brings_a_real_league_in_and_takes_it_back(world: World) -> None:
    await world.chief.slash(world.channel, "league create", name="Codex", channel=world.channel)
    shown = await world.chief.slash(world.channel, "league import", file=(CODEX.name, CODEX.read_bytes()))
    assert "11 seasons, 460 matches, 60 people:** 0 known, 60 new." in text_of(shown)
    assert "Every row could be read." in text_of(shown)
    assert shown.response is not None
    done = await world.chief.click(shown.response, label="Import 460 matches")
    assert "Imported: 11 seasons, 460 matches" in text_of(done)
    ratings, rated, met = from_the_file()
    for name, rating in ratings.items():
        profile = text_of(await world.outsider.slash(world.channel, "profile", player=name))
        expected = shown_rating(rating, RatingScale(), rated[name])
        if rated[name]:
            assert f"Rating {expected.value} ± {expected.uncertainty}" in profile, name
    for pair, often in met.most_common(25):
        one, other = sorted(pair)
        order = Order(actor=BOT, now=world.now(), league_id=1)
        past = await world.env.bot.database.read(history, order, player=one, opponent=other)
        assert len(past.meetings) == often, (one, other)
    assert done.response is not None
    back = await world.chief.click(done.response, label="Take the import back")
    assert "Everything is as it was before the import." in text_of(back)
    assert "No one in" in text_of(await world.outsider.slash(world.channel, "profile", player="PiHalbe"))
