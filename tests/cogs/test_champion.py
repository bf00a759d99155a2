"""The post at the end of a season, in every format: its champion, their way, the season in numbers, the file."""

from dataclasses import replace
from typing import Any, cast

import pytest

from bot.client import LeagueBot
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.formats import ALL
from tests.cogs.conftest import World, labels, message_text, text_of
from tests.examples import mostly_long

FORMATS: dict[str, dict[str, Any]] = {
    format_.key: {"cut": 4} if format_.key == "keyforge-swiss" else {} for format_ in ALL
}
FORMATS["no finals"] = {"format": "keyforge-swiss", "cut": 0}
WITHOUT_FINALS = ("no finals", "lightseekers-swiss", "round-robin")


async def play_out(world: World, rounds: int = 20) -> None:
    for _ in range(rounds):
        for match in world.open_matches():
            await world.sides(match)[1].slash(world.channel, "report", result="lost", match=match.pairing)


@pytest.mark.long
@pytest.mark.parametrize("key", mostly_long(FORMATS, quick=2))
async def test_the_champion_is_mentioned_with_their_way_and_the_file_to_check_it_all(world: World, key: str) -> None:
    await world.started(players=8, **{"format": key, **FORMATS[key]})
    await play_out(world)
    (post,) = world.posts("is the champion!")
    people, roles = world.pinged(post)
    assert len(people) == 1
    assert not roles
    picture, file = post.attachments
    assert (picture.filename, file.filename) == ("champion.png", "fairpair-season-1.json")
    assert picture.description is None or "is the champion of season 1" in picture.description
    assert verify(reading.read(await file.read())).agrees
    assert labels(post) == (["Standings"] if key in WITHOUT_FINALS else ["Standings", "Bracket"])
    answer = await world.outsider.click(post, label="Standings")
    assert answer.ephemeral
    assert "8 players" in message_text(post)
    assert text_of(answer) is not None


async def test_a_season_ended_early_has_no_champion_and_mentions_no_one(world: World) -> None:
    await world.started(players=4, advance="manual")
    await play_out(world, 1)
    await world.finished("no more time")
    (post,) = world.posts("Season 1 is over")
    assert "It ends without a champion." in message_text(post)
    assert world.pinged(post) == (set(), set())
    assert [file.filename for file in post.attachments] == ["fairpair-season-1.json"]


@pytest.mark.long
async def test_where_the_league_has_pages_on_the_web_posts_link_to_the_checker_there(world: World) -> None:
    bot = cast(LeagueBot, world.env.bot)
    bot.settings = replace(bot.settings, site_url="https://league.example.org/pages")
    await world.started(players=4)
    asker = world.sides(world.open_matches()[0])[0]

    async def checked() -> str:
        why = await asker.slash(world.channel, "why")
        assert why.response is not None
        return text_of(await asker.click(why.response, label="Check it yourself"))

    assert "Watch it in the browser" not in await checked()
    await world.organiser.slash(world.channel, "league settings", site="on")
    page = "https://league.example.org/pages/1/season-1/check.html"
    _, first, *_, shell, _ = (await checked()).splitlines()
    assert first.startswith(f"**[Watch it in the browser](<{page}#round-1>)**")
    assert "sha256sum" in shell
    await play_out(world)
    (post,) = world.posts("is the champion!")
    text = message_text(post)
    assert text.index(f"[Check every pairing in the browser](<{page}>)") < text.index("For programmers")
