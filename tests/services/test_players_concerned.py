"""Players concerned are mentioned: decisions, more time, a round undone, a tie, leaving, invitations; each once."""

from typing import Any

import pytest

from bot import steps
from bot.league.season.model import Kind
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.delivery.delivery import Delivery, Mention
from bot.services.matches.outcome import Outcome
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import banning, notifying, removing
from bot.services.play import decisions
from bot.services.seasons import planning
from storage.posts import Target
from storage.tables.people.notify import How, Topic
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, ORGANISER_ROLE, World
from tests.services.people.acting import rejoin


def organiser(world: World, **more: Any) -> Any:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}


def ids(world: World, *names: str) -> set[int | None]:
    return {world.player(name).user_id for name in names}


async def told(world: World) -> list[set[int]]:
    """Return whom each new message reached, those that reached nobody left out."""
    return [reached for made in await world.announce() if (reached := _reached(made))]


def _reached(made: Delivery) -> set[int]:
    direct = made.row.target is Target.PERSON and made.row.person_id is not None
    return {made.row.person_id or 0} if direct else set(made.mention.people)


async def begun(world: World, count: int = 8, **settings: Any) -> None:
    await world.begin(count, **settings)
    await world.announce()


async def choose(world: World, name: str, topic: Topic, how: How) -> None:
    who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=topic, how=how)


async def test_a_forfeit_that_drops_the_absent_player_is_one_message_to_both(world: World) -> None:
    await begun(world)
    match = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]
    decided: Any = {"match": match.match.id, "outcome": Outcome.UPPER, "kind": Kind.FORFEIT, "reason": "never came"}
    await do(decisions.decide, db=world.db, actor=MODERATOR, now=world.now, **decided)
    (message,) = [made for made in await world.announce() if made.mention.people]
    assert set(message.mention.people) == {side.discord_id for side in match.sides}
    assert f"{match.lower.name} has left season 1." in str(message.row.facts["text"])


async def test_a_drop_that_forfeits_the_match_is_one_message_to_the_opponent(world: World) -> None:
    await begun(world)
    match = await world.match_of("dok")
    assert match is not None
    await world.drop("dok")
    other = next(side for side in match.sides if side.name != "dok")
    assert await told(world) == [{other.discord_id}]


async def test_more_time_is_told_to_those_who_still_play(world: World) -> None:
    await begun(world, 4)
    as_posted = Order(actor=BOT, now=world.now, league_id=world.league_id)
    first, second = (await world.db.read(posted_round, as_posted)).matches
    await world.lose(first.lower.name)
    await world.announce()
    await do(rounds_by_hand.extend, db=world.db, **organiser(world), days=2)
    assert await told(world) == [{side.discord_id for side in second.sides}]
    await do(rounds_by_hand.extend, db=world.db, **organiser(world), days=2, match=second.match.id)
    assert await told(world) == [{side.discord_id for side in second.sides}]


async def test_a_round_that_is_extended_by_itself_tells_those_who_still_play(world: World) -> None:
    await begun(world, 4, overdue="extend", round_days=1)
    as_posted = Order(actor=BOT, now=world.now, league_id=world.league_id)
    first, second = (await world.db.read(posted_round, as_posted)).matches
    await world.lose(first.lower.name)
    await world.announce()
    await steps.tick(world.db, world.later(days=1))
    assert await told(world) == [{side.discord_id for side in second.sides}]


async def test_an_undone_round_is_told_to_everyone_in_it(world: World) -> None:
    await begun(world, 5)
    await do(rounds_by_hand.undo, db=world.db, **organiser(world))
    assert await told(world) == [ids(world, *NAMES[:5])]


async def test_a_disqualified_player_and_their_opponent_hear_of_it(world: World) -> None:
    await begun(world)
    match = await world.match_of("dok")
    assert match is not None
    await do(removing.disqualify, db=world.db, **organiser(world), player="dok", reason="cheats")
    assert await told(world) == [{side.discord_id for side in match.sides}]


async def test_the_champion_is_mentioned(world: World) -> None:
    await begun(world, 2, rounds=1, cut=2)
    view = await world.play_out()
    assert view.champion is not None
    assert ids(world, view.champion) in await told(world)


@pytest.mark.long
async def test_no_one_who_is_banned_is_invited(world: World) -> None:
    await world.begin(4)
    await world.play_out()
    await do(banning.ban, db=world.db, **organiser(world), player="dok", reason="cheats")
    await world.announce()
    await world.create()
    (invited,) = [made for made in await world.announce() if made.row.kind == "invitation"]
    assert _reached(invited) == ids(world, *NAMES[1:4])


@pytest.mark.long
async def test_players_of_the_last_two_seasons_are_invited_once(world: World) -> None:
    await world.begin(4)
    await world.play_out()
    await world.announce()
    await choose(world, "dok", Topic.NEWS, How.DIRECT)
    await choose(world, "Zoë", Topic.NEWS, How.OFF)
    await world.create()
    await world.sign_up("Kinseth", "Ann")
    invited = [made for made in await world.announce() if made.row.kind == "invitation"]
    assert [_reached(made) for made in invited] == [ids(world, "Xorlof"), ids(world, "dok")]
    await do(planning.change_settings, db=world.db, **organiser(world), settings={"rounds": 3})
    assert not [made for made in await world.announce() if made.row.kind == "invitation"]
    await world.sign_up("dok")
    await world.start()
    assert [post.removed for post in await world.posts("invitation")] == [True, True]


async def test_what_only_organisers_answer_mentions_them_alone(world: World) -> None:
    await begun(world, 6, rejoin="ask")
    await world.drop("dok")
    await world.announce()
    await rejoin(world, "dok")
    (asked,) = [made for made in await world.announce() if made.row.kind == "rejoin"]
    assert asked.mention == Mention(roles=(ORGANISER_ROLE,))


@pytest.mark.parametrize("how", How)
async def test_a_choice_holds_for_its_topic_alone(world: World, how: How) -> None:
    await begun(world, 4)
    await choose(world, "dok", Topic.NEWS, how)
    match = await world.match_of("dok")
    assert match is not None
    decided: Any = {"match": match.match.id, "outcome": Outcome.UPPER, "reason": "seen"}
    await do(decisions.decide, db=world.db, actor=MODERATOR, now=world.now, **decided)
    made = [made for made in await world.announce() if made.row.kind == "decision"]
    dok = world.player("dok").user_id
    reached = {How.MENTION: [Target.LEAGUE], How.DIRECT: [Target.PERSON], How.OFF: []}[how]
    assert [one.row.target for one in made if dok in _reached(one)] == reached


@pytest.mark.parametrize(("off", "mentioned"), [(Topic.NEWS, True), (Topic.ROUND, False)])
async def test_who_wants_no_news_still_hears_of_another_opponent(world: World, off: Topic, mentioned: bool) -> None:
    await begun(world, 4)
    as_posted = Order(actor=BOT, now=world.now, league_id=world.league_id)
    first, second = (await world.db.read(posted_round, as_posted)).matches
    name = first.upper.name
    await choose(world, name, off, How.OFF)
    await do(swapping.swap, db=world.db, **organiser(world), first=name, second=second.upper.name)
    reached = {person for people in await told(world) for person in people}
    assert (world.player(name).user_id in reached) is mentioned
    assert world.player(second.upper.name).user_id in reached
