"""Announcements: who is told, after a preview, once a minute, and mentioned by no one's text."""

from typing import Any

import pytest

from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.services.base.order import Order
from bot.services.organising import announcing
from bot.services.organising.announcing import LONGEST, Announced, Audience, PreviewFirst
from bot.services.people import forgetting, notifying
from bot.services.ties import tie_decisions
from storage.tables.people.notify import How, Topic
from tests.files import change_by_hand, do
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, STRANGER, World
from tests.services.ties.test_ties import tied


async def announce(world: World, to: Audience = Audience.ALL, text: str = "Hello", **more: Any) -> Announced:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}
    return await do(announcing.announce, db=world.db, text=text, to=to, **who)


async def told(world: World, to: Audience) -> set[str]:
    """Return who would be told, without telling them."""
    with pytest.raises(PreviewFirst) as first:
        await announce(world, to, agreed="")
    return set(first.value.preview.people)


async def test_everyone_is_shown_first_and_then_mentioned(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    with pytest.raises(PreviewFirst) as first:
        await announce(world, text=" Hello @everyone ", agreed="")
    assert await world.posts("announcement") == ()
    made = await announce(world, text=" Hello @everyone ", agreed=first.value.token)
    assert made == first.value.preview
    (post,) = await world.posts("announcement")
    facts = await world.shown(post)
    assert facts.ping_ids == tuple(world.player(name).user_id for name in ("Ann", "Bo"))
    noted = (await world.audit())[0]
    assert (noted.action, noted.after) == (
        "league.announce",
        {"to": "all", "people": 2, "text": "Hello @everyone"},
    )


async def test_someone_who_came_meanwhile_is_asked_about_again(world: World) -> None:
    await world.create()
    await world.sign_up("Ann")
    with pytest.raises(PreviewFirst) as first:
        await announce(world, agreed="")
    await world.sign_up("Bo")
    with pytest.raises(PreviewFirst) as again:
        await announce(world, agreed=first.value.token)
    assert again.value.changed


async def test_a_league_waits_a_minute_between_two(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    await announce(world)
    world.later(seconds=59)
    with pytest.raises(Conflict, match="less than a minute ago"):
        await announce(world)
    world.later(seconds=1)
    await announce(world)
    assert len(await world.posts("announcement")) == 2


async def test_an_announcement_is_posted_though_the_clock_was_ahead_for_the_last_one(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    right = world.now
    world.later(days=365)
    await announce(world)
    world.now = right
    await announce(world)
    assert len(await world.posts("announcement")) == 2


async def test_in_out_and_unplayed_are_as_they_say(world: World) -> None:
    await world.begin(8, format="single-elimination")
    view = await world.status()
    assert view.current_round is not None
    first, *_ = view.current_round.matches
    everyone = set(NAMES[:8])
    assert await told(world, Audience.ALL) == await told(world, Audience.UNPLAYED) == everyone
    with pytest.raises(Invalid, match="Everyone can still play in season 1"):
        await announce(world, Audience.OUT)
    await world.lose(first.lower.name)
    assert await told(world, Audience.OUT) == {first.lower.name}
    assert await told(world, Audience.IN) == everyone - {first.lower.name}
    assert await told(world, Audience.UNPLAYED) == everyone - {side.name for side in first.sides}
    await world.play_out()
    assert await told(world, Audience.OUT) == everyone
    for to in (Audience.IN, Audience.UNPLAYED):
        with pytest.raises(Invalid, match="Nothing was posted"):
            await announce(world, to)


async def test_who_dropped_out_is_out_and_who_takes_over_is_told(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    assert await told(world, Audience.OUT) == {"dok"}
    assert "dok" not in await told(world, Audience.IN)


async def test_before_a_season_there_is_no_one_to_tell(world: World) -> None:
    with pytest.raises(NotFound, match="no season yet"):
        await announce(world)
    await world.create()
    with pytest.raises(Invalid, match="Season 1 has no players yet"):
        await announce(world)


async def test_only_organisers_and_only_what_fits(world: World) -> None:
    await world.create()
    await world.sign_up("Ann")
    for actor in (STRANGER, MODERATOR, world.player("Ann")):
        with pytest.raises(NotAllowed):
            await announce(world, actor=actor)
    with pytest.raises(Invalid, match="at most 1,800 characters; this one has 1,801"):
        await announce(world, text="x" * (LONGEST + 1))
    with pytest.raises(Invalid, match="Write what players should read"):
        await announce(world, text=" \n ")


async def test_who_wants_no_news_and_who_has_no_account_is_named_apart(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo", "Cy")
    who: Any = {"actor": world.player("Ann"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.NEWS, how=How.OFF)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'Bo'")
    made = await announce(world)
    assert (made.people, set(made.silent)) == (("Cy",), {"Ann", "Bo"})
    (found,) = [one for one in await world.announce() if one.row.kind == "announcement"]
    assert found.mention.people == (world.player("Cy").user_id,)


@pytest.mark.long
async def test_more_than_eighty_people_are_mentioned_in_several_messages(world: World) -> None:
    await world.create()
    names = [f"Player No {number}x" for number in range(100)]
    await world.sign_up(*names)
    await announce(world)
    found = [one for one in await world.announce() if one.row.kind == "announcement"]
    people = [person for one in found for person in one.mention.people]
    assert [len(one.mention.people) for one in found] == [80, 20]
    assert sorted(people) == sorted(world.player(name).user_id or 0 for name in names)


async def test_a_forgotten_person_is_named_no_more(world: World) -> None:
    await world.create()
    await world.sign_up("Annika", "Bo")
    await announce(world, text="Annika leads!")
    await world.announce()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(forgetting.forget, db=world.db, **who, player="Annika")
    (post,) = await world.posts("announcement")
    assert not post.removed
    shown: Any = await world.shown(post)
    assert "Annika" not in shown.text
    assert shown.ping_ids == (world.player("Bo").user_id,)


async def test_while_a_tie_waits_all_of_it_are_in(world: World) -> None:
    tie = await tied(world)
    assert await told(world, Audience.IN) >= set(tie.names)
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    assert await told(world, Audience.IN) == set(tie.names[:2])
