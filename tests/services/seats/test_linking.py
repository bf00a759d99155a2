"""A new Discord account for a player: who may ask, who is refused, and what goes with it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.outbox import NOTICE, ROUND, THREAD
from bot.services.base.permissions import Actor
from bot.services.base.post_kinds import PostKind
from bot.services.delivery import delivery
from bot.services.organising import rounds_by_hand
from bot.services.people import linking, notifying
from bot.services.people.linking import LINK, Account
from bot.services.play import reporting
from bot.services.play.round_posts import QUESTION
from bot.services.problems import on_server, telling
from bot.services.problems.evidence import PROBLEM
from bot.services.reads.details import MatchThreadPost
from bot.services.seasons import lifecycle
from bot.services.signups import check_in, signing_up
from bot.services.signups.check_in import CHECK_IN
from bot.services.signups.free_places import PLACE
from bot.services.signups.signing_up import SignedUp
from bot.services.times import accepting, proposing
from bot.services.times.time_posts import AGREED
from cogs.posting.messages import mark_of
from cogs.posting.renderings import render
from storage.posts import PostRow, Target
from storage.query import many
from storage.tables import times
from storage.tables.field import entrants
from storage.tables.people import players
from storage.tables.people.memberships import Sought
from storage.tables.people.notify import How, Topic
from storage.tables.people.players import LinkId
from storage.tables.problems import ProblemKind
from tests.files import change_by_hand, do, look_into
from tests.services.conftest import GUILD, ORGANISER, STRANGER, World, person
from tests.services.people import test_merging

NEW = person(5000, "dok2")


async def propose(world: World, actor: Actor = ORGANISER, player: str = "dok", new: Actor = NEW, **more: Any) -> LinkId:
    account = Account(discord_id=new.user_id or 0, name=new.name, is_bot=more.pop("is_bot", False))
    who: Any = {"actor": actor, "now": world.now, "league_id": world.league_id, "player": player}
    done = await do(linking.propose, db=world.db, **who, account=account, **more)
    with look_into(world.db) as conn:
        link = players.waiting_link(conn, done.id)
    assert link is not None
    return link.id


async def answer(world: World, link: LinkId, actor: Actor = NEW, *, accept: bool = True) -> None:
    await world.db.write(linking.answer, Order(actor=actor, now=world.now), link=link, accept=accept)


def old_id(world: World) -> int:
    return world.player("dok").user_id or 0


async def kept(world: World, kind: PostKind) -> tuple[PostRow, ...]:
    with look_into(world.db) as conn:
        return many(conn, PostRow, "SELECT * FROM outbox WHERE kind = ? ORDER BY id", kind)


async def account_of(world: World, name: str) -> int | None:
    with look_into(world.db) as conn:
        row = players.by_name(conn, world.league_id, name)
    assert row is not None
    return row.discord_id


async def test_the_new_account_becomes_the_player_once_it_accepts_and_the_old_one_is_told(world: World) -> None:
    await world.begin(4)
    with pytest.raises(ConfirmationNeeded, match="stay, and belong to dok2"):
        await propose(world, agreed="")
    link = await propose(world)
    old = world.player("dok")
    (question,) = [made for made in await world.announce() if made.row.kind == LINK]
    assert question.mention.people == (NEW.user_id,)
    assert await account_of(world, "dok") == old.user_id
    await answer(world, link)
    assert await account_of(world, "dok") == NEW.user_id
    (told,) = [post for post in await world.posts("notice") if "another account" in str(post.facts["text"])]
    assert told.facts["pings"] == [old.user_id]
    match = await world.match_of("dok")
    assert match is not None
    said: Any = {"match": match.match.id, "result": "lost", "now": world.now}
    with pytest.raises(NotAllowed):
        await do(reporting.report, db=world.db, actor=old, **said)
    await do(reporting.report, db=world.db, actor=NEW, **said)
    assert [row.action for row in await world.audit() if "link" in row.action] == ["player.link", "player.ask_link"]


async def test_a_player_may_ask_from_the_old_account_and_others_may_not(world: World) -> None:
    await world.begin(4)
    with pytest.raises(NotAllowed):
        await propose(world, world.player("Zoë"))
    await answer(world, await propose(world, world.player("dok")))
    assert await account_of(world, "dok") == NEW.user_id


async def test_an_account_that_is_asked_already_isnt_asked_again(world: World) -> None:
    await world.begin(4)
    await propose(world)
    with pytest.raises(Conflict, match="was asked already"):
        await propose(world)
    assert [made.mention.people for made in await world.announce() if made.row.kind == LINK] == [(NEW.user_id,)]
    assert [row.action for row in await world.audit()].count("player.ask_link") == 1


async def test_players_bots_and_the_same_account_are_refused(world: World) -> None:
    await world.begin(4)
    with pytest.raises(Conflict, match="already, as Zoë"):
        await propose(world, new=world.player("Zoë"))
    with pytest.raises(Conflict, match="already"):
        await propose(world, new=world.player("dok"))
    with pytest.raises(Invalid, match="bot"):
        await propose(world, is_bot=True)


async def test_an_account_that_joined_meanwhile_stays_who_it_is(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    link = await propose(world)
    who: Any = {"actor": NEW, "now": world.now, "league_id": world.league_id}
    await world.announce()
    await do(signing_up.sign_up, db=world.db, **who, display_name="dok2")
    (post,) = await world.posts("link")
    assert isinstance(facts := await world.shown(post), linking.LinkPost)
    assert facts.other == "dok2"
    assert "This account plays as dok2 in this league. If both are you" in str(render(LINK, facts).parts)
    with pytest.raises(Conflict, match="is settled"):
        await answer(world, link)


async def test_an_account_that_is_a_player_again_once_a_merge_is_taken_back_is_asked_no_more(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Zoë", "Kinseth")
    for name in ("Zoë", "Kinseth"):
        await world.drop(name)
    merged = await test_merging.merge(world, "Zoë", "Kinseth")
    link = await propose(world, new=world.player("Zoë"))
    await test_merging.back(world, merged)
    with pytest.raises(Conflict, match="is settled"):
        await answer(world, link, world.player("Zoë"))


async def test_an_account_that_becomes_another_player_without_a_season_is_asked_no_more(world: World) -> None:
    await world.begin(4)
    await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, reason="few")
    first, second = await propose(world), await propose(world, player="Zoë")
    await answer(world, second)
    with pytest.raises(Conflict, match="is settled"):
        await answer(world, first)


async def test_only_the_account_asked_answers_once_and_a_newer_question_replaces_the_old(world: World) -> None:
    await world.begin(4)
    first = await propose(world)
    with pytest.raises(NotAllowed):
        await answer(world, first, STRANGER)
    other = person(5001, "dok3")
    second = await propose(world, new=other)
    with pytest.raises(Conflict):
        await answer(world, first)
    await answer(world, second, other, accept=False)
    assert await account_of(world, "dok") == world.player("dok").user_id
    third = await propose(world)
    done = await asyncio.gather(*(answer(world, third) for _ in range(2)), return_exceptions=True)
    assert [isinstance(one, LeagueError) for one in done].count(True) == 1


@pytest.mark.long
async def test_what_waits_for_the_player_is_asked_of_the_new_account(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    opponent = world.player((match.upper if match.lower.name == "dok" else match.lower).name)
    world.later(days=2)
    said: Any = {"kind": ProblemKind.NO_ANSWER, "text": "where are you", "match": match.match.id, "now": world.now}
    await do(telling.tell_problem, db=world.db, actor=opponent, **said)
    sought = Sought(guild_id=GUILD, discord_id=world.player("dok").user_id or 0)
    await world.db.write(on_server.seen, sought, now=world.now, present=False)
    await world.announce()
    await answer(world, await propose(world))
    made = {made.row.kind: made.row.person_id for made in await world.announce()}
    assert made[PROBLEM] == NEW.user_id
    with look_into(world.db) as conn:
        entrant = entrants.by_discord(conn, match.season.id, NEW.user_id or 0)
    assert entrant is not None
    await world.db.write(reporting.report, Order(actor=opponent, now=world.now), match=match.match.id, result="won")
    (question,) = [made for made in await world.announce() if made.row.kind == QUESTION]
    assert question.mention.people == (NEW.user_id,)


async def test_the_new_account_takes_the_place_of_the_old_one_in_the_thread_of_the_match(world: World) -> None:
    await world.begin(4, match_places="private")
    match = await world.match_of("dok")
    assert match is not None
    await world.announce()
    await answer(world, await propose(world))
    (thread,) = await world.posts(THREAD)
    facts = await world.shown(thread)
    assert isinstance(facts, MatchThreadPost)
    assert NEW.user_id in facts.ping_ids


async def test_signing_up_with_a_taken_name_tells_how_to_move_to_a_new_account(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    who: Any = {"actor": NEW, "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match="use /player link from the old one, or ask an organiser"):
        await do(signing_up.sign_up, db=world.db, **who, display_name="dok2", name="dok")


async def test_the_new_account_has_the_time_zone_and_hours_of_the_old_unless_it_gave_its_own(world: World) -> None:
    await world.begin(2)
    old = world.player("dok").user_id or 0
    with change_by_hand(world.db) as conn:
        times.keep_hours(conn, old, time_zone="Europe/Berlin", hours="Mo 18-22")
    await answer(world, await propose(world))
    newest = person(5001, "dok3")
    with change_by_hand(world.db) as conn:
        times.keep_hours(conn, newest.user_id or 0, time_zone="Asia/Tokyo", hours="")
    await answer(world, await propose(world, new=newest), newest)
    with look_into(world.db) as conn:
        known = times.hours_of(conn, (NEW.user_id or 0, newest.user_id or 0))
    assert [(row.time_zone, row.hours) for row in known.values()] == [("Europe/Berlin", "Mo 18-22"), ("Asia/Tokyo", "")]


@pytest.mark.parametrize("hours", [5, -7], ids=["later", "a clock that went back"])
async def test_a_new_account_is_asked_about_the_place_that_is_kept_for_it_and_has_all_the_time(
    world: World, hours: int
) -> None:
    await world.create(max_players=2, confirm_hours=6)
    await world.sign_up("Zoë", "Ann", "dok", "Bo")
    await world.drop("Ann")
    await world.announce()
    world.later(hours=hours)
    await answer(world, await propose(world))
    (question,) = [made for made in await world.announce() if made.row.kind == PLACE]
    assert question.mention.people == (NEW.user_id,)
    world.later(hours=5)
    assert await steps.tick(world.db, world.now) == 0
    taken = await world.db.write(
        signing_up.take_place, Order(actor=NEW, now=world.now), waiting_id=int(question.row.facts["waiting_id"])
    )
    assert isinstance(taken, SignedUp)


async def test_a_place_asked_about_in_a_direct_message_is_asked_about_at_the_new_account_too(world: World) -> None:
    await world.create(max_players=2)
    await world.sign_up("Zoë", "Ann", "dok")
    who: Any = {"actor": world.player("dok"), "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, now=world.now, topic=Topic.QUESTION, how=How.DIRECT)
    await world.drop("Ann")
    await world.announce()
    await answer(world, await propose(world))
    (question,) = [made for made in await world.announce() if made.row.kind == PLACE]
    assert (question.row.target, question.row.person_id) == (Target.PERSON, NEW.user_id)
    assert {post.person_id for post in await kept(world, PLACE) if post.removed} == {None, old_id(world)}


async def test_a_new_account_is_asked_to_check_in(world: World) -> None:
    closes = world.now + timedelta(hours=48)
    await world.opened(format="ohs", settings={"check_in_hours": 24}, signups_close=closes)
    await world.sign_up("dok", "Zoë", "Ann")
    world.later(hours=30)
    await steps.tick(world.db, world.now)
    await world.announce()
    await answer(world, await propose(world))
    (question,) = [made for made in await world.announce() if made.row.kind == CHECK_IN]
    assert question.mention.people == (NEW.user_id,)
    await world.db.write(check_in.check_in, Order(actor=NEW, now=world.now, league_id=world.league_id))


async def test_what_is_sent_after_the_link_mentions_the_new_account_wherever_it_was_kept(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    opponent = view.opponent_of(view.side_of(old_id(world)) or view.upper)
    await world.announce()
    who: Any = {"now": world.now, "match": view.match.id}
    start = world.now + timedelta(days=2)
    await do(proposing.propose, db=world.db, actor=world.player("dok"), **who, chosen=[start])
    with look_into(world.db) as conn:
        (row,) = times.waiting_proposals(conn, [view.match.id])
    await do(accepting.accept, db=world.db, actor=world.player(opponent.name), **who, proposal=row.id, start=start)
    await world.db.write(
        rounds_by_hand.extend, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), days=2
    )
    await answer(world, await propose(world))
    sent = [made for made in await world.announce() if made.row.kind in (AGREED, NOTICE)]
    mentioned = [made.mention.people for made in sent if "another account" not in str(made.row.facts)]
    assert len(mentioned) == 2
    assert all(NEW.user_id in people and old_id(world) not in people for people in mentioned)


async def test_a_player_without_an_account_who_is_given_one_is_asked_what_waits_for_them(world: World) -> None:
    """A season that was brought along has players no one could ask."""
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    opponent = next(side.name for side in view.sides if side.name != "dok")
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'dok'")
    other = await propose(world, new=person(5001, "someone else"))
    who: Any = {"actor": world.player(opponent), "now": world.now}
    await do(reporting.report, db=world.db, **who, match=view.match.id, result="won")
    assert not [made for made in await world.announce() if NEW.user_id in made.mention.people]
    given: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "discord_id": NEW.user_id}
    done = await do(signing_up.add, db=world.db, **given, display_name="dok2", name="dok")
    assert done.already
    (asked,) = [made for made in await world.announce() if made.row.kind == QUESTION]
    assert asked.mention.people == (NEW.user_id,)
    with pytest.raises(Conflict, match="settled"):
        await answer(world, other, person(5001, "someone else"))


async def test_a_direct_message_that_was_not_sent_yet_goes_to_the_new_account(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Zoë", "Ann", "Bo")
    who: Any = {"actor": world.player("dok"), "league_id": world.league_id, "now": world.now}
    await do(notifying.choose, db=world.db, **who, topic=Topic.ROUND, how=How.DIRECT)
    await world.start()
    assert [post.person_id for post in await world.posts(ROUND) if post.target is Target.PERSON] == [old_id(world)]
    await answer(world, await propose(world))
    (made,) = [made for made in await world.announce() if made.row.kind == ROUND and made.row.person_id is not None]
    assert made.row.person_id == NEW.user_id
    assert made.row.key.endswith(f":to:{NEW.user_id}")


async def test_a_direct_message_that_was_perhaps_sent_is_deleted_at_the_old_account_and_sent_to_the_new(
    world: World,
) -> None:
    """Discord took it and failed: it stood in the direct messages of both accounts."""
    await world.create()
    await world.sign_up("dok", "Zoë", "Ann", "Bo")
    who: Any = {"actor": world.player("dok"), "league_id": world.league_id, "now": world.now}
    await do(notifying.choose, db=world.db, **who, topic=Topic.ROUND, how=How.DIRECT)
    await world.start()
    (post,) = [post for post in await world.posts(ROUND) if post.target is Target.PERSON]
    failed: Any = {"now": world.now, "problem": "Discord didn't answer.", "retry_at": world.now}
    await world.db.write(delivery.failed, post.id, **failed)
    await answer(world, await propose(world))
    posts = [each for each in await world.posts(ROUND) if each.target is Target.PERSON]
    assert [(each.person_id, each.removed) for each in posts] == [(old_id(world), True), (NEW.user_id, False)]
    assert (posts[0].id, posts[0].attempts) == (post.id, 1)
    assert mark_of(posts[1]) != mark_of(post)
    made = [made.row.person_id for made in await world.announce() if made.row.kind == ROUND]
    assert made == [None, NEW.user_id]


async def test_an_account_is_moved_where_no_season_was_opened_since_a_league_came_along(world: World) -> None:
    with change_by_hand(world.db) as conn:
        player = players.add(conn, league_id=world.league_id, discord_id=old_id(world), name="dok", name_key="dok")
    await answer(world, await propose(world))
    assert await account_of(world, player.name) == NEW.user_id
