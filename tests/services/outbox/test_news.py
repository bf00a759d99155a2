"""The post after each round: who is through and out, who is told, and the cut."""

from typing import Any

import pytest

from bot.league import formats
from bot.services.outbox import delivery
from bot.services.outbox.news import NewsPost
from bot.services.outbox.post_kinds import PostKind
from bot.services.rounds import organising
from bot.worker import Worker
from cogs.ui.posts.by_kind import render
from tests.services.conftest import ORGANISER, World

EVERY_FORMAT = [format_.key for format_ in formats.ALL]


async def news(world: World) -> list[NewsPost]:
    """Return the news that waits to be sent."""
    found = [await delivery.load(world.db, post.id, world.now) for post in await world.posts(PostKind.NEWS)]
    return [one.facts for one in found if one is not None and isinstance(one.facts, NewsPost)]


def words(facts: NewsPost) -> str:
    return "\n".join(part for part in render(PostKind.NEWS, facts).parts if isinstance(part, str))


@pytest.mark.parametrize("format_", EVERY_FORMAT)
async def test_each_round_has_one_post_of_news_and_the_last_one_the_champions(world: World, format_: str) -> None:
    await world.begin(8, format=format_)
    await world.play_out()
    rounds = [facts.view.round.number for facts in await news(world)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(await world.posts(PostKind.CHAMPION)) == 1
    posted = [row for row in await world.audit() if row.action == "round.post"]
    assert len(posted) == len(rounds) + 1


@pytest.mark.parametrize("format_", EVERY_FORMAT)
async def test_everyone_who_is_out_is_told_once_and_only_those_whose_state_changed(world: World, format_: str) -> None:
    await world.begin(8, format=format_)
    await world.play_out()
    out = [name for facts in await news(world) for name in facts.news.out]
    assert len(out) == len(set(out))
    for facts in await news(world):
        changed = {facts.people[name].discord_id for name in (*facts.news.through, *facts.news.out)}
        assert set(facts.ping_ids) == changed


async def test_the_cut_tells_seeds_and_what_decided_the_last_place(world: World) -> None:
    await world.begin(8, rounds=3, cut=3)
    await world.play_out()
    (cut,) = [facts for facts in await news(world) if facts.news.cut is not None]
    text = words(cut)
    assert "The finals: 3 players go on" in text
    assert cut.news.cut is not None
    assert (len(cut.news.cut.seeds), len(cut.news.out)) == (3, 5)
    assert "is ahead of" in text
    assert "**Next:** the play-in round" in text


async def test_the_news_says_what_follows_also_where_an_organiser_publishes_it_later(world: World) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await world.begin(4, rounds=1, cut=2, advance="manual")
    await world.play_round()
    await organising.pair(world.db, **who)
    assert PostKind.NEWS in [made.post.kind for made in await world.announce()]
    await organising.post(world.db, **who)
    [cut] = await news(world)
    assert "**Next:** the final" in words(cut)


async def after_two_rounds(world: World) -> tuple[NewsPost, ...]:
    """Play two rounds, and return the news of each with what it changed for everyone."""
    worker = Worker()
    await world.play_round()
    await world.play_round()
    found = [await delivery.load(world.db, post.id, world.now, worker) for post in await world.posts(PostKind.NEWS)]
    await worker.close()
    return tuple(one.facts for one in found if one is not None and isinstance(one.facts, NewsPost))


async def test_players_hear_that_they_are_sure_or_have_no_chance_while_they_play_on(world: World) -> None:
    await world.begin(6, rounds=3, cut=2)
    first, second = await after_two_rounds(world)
    assert first.sure == first.hopeless == ()
    assert second.hopeless
    assert f"**Can't reach the finals any more:** {second.hopeless[0]}" in words(second)
    assert {second.people[name].discord_id for name in second.hopeless} <= set(second.ping_ids)


async def test_without_finals_they_hear_that_they_cant_win_the_season(world: World) -> None:
    await world.begin(4, rounds=3, cut=0)
    first, _ = await after_two_rounds(world)
    assert f"**Can't win the season any more:** {first.hopeless[0]}" in words(first)
    assert "finals" not in words(first)
