"""Whether players stay: asked after a second forfeit and when they are gone from the server; nothing by itself."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState
from bot.services.base.accounts import Newcomer
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand
from bot.services.people import removing
from bot.services.play import clearing, decisions
from bot.services.problems import on_server, stay_or_leave
from bot.services.problems.stay_or_leave import STAYING, StayPost
from bot.services.reads import inbox
from bot.services.seasons import lifecycle
from bot.services.seats import substitutes
from cogs.posting.renderings import render
from cogs.ui.cards import texts_of
from storage.query import records
from storage.tables.people.memberships import Sought, StayAnswer, StayDecisionId, StayReason
from tests.files import change_by_hand, do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import GUILD, MODERATOR, NAMES, ORGANISER, World, person
from tests.services.people.test_moving_up import finals, leave


async def forfeit(world: World, name: str, **more: Any) -> None:
    match = await world.match_of(name)
    assert match is not None
    outcome = Outcome.LOWER if match.upper.name == name else Outcome.UPPER
    said: Any = {"match": match.match.id, "outcome": outcome, "reason": "no-show", "kind": Kind.FORFEIT, **more}
    await do(decisions.decide, db=world.db, actor=MODERATOR, now=world.now, **said)


async def asked(world: World) -> list[StayPost]:
    found = [await world.shown(post) for post in await world.posts(STAYING)]
    return [facts for facts in found if isinstance(facts, StayPost)]


async def look(world: World, name: str, *, there: bool | None) -> None:
    sought = Sought(guild_id=GUILD, discord_id=world.player(name).user_id or 0)
    await world.db.write(on_server.seen, sought, now=world.now, present=there)


async def sought(world: World) -> set[int]:
    return {one.discord_id for one in await world.db.read(on_server.due, world.now)}


async def keep(world: World, post: StayPost) -> None:
    await world.db.write(stay_or_leave.keep, Order(actor=ORGANISER, now=world.now), stay=post.stay.id)


async def test_a_third_forfeit_asks_nothing_more_while_the_question_waits_though_the_clock_went_back(
    world: World,
) -> None:
    await world.begin(8, format="keyforge-swiss", no_show="forfeit", rounds=4, cut=0)
    for hours in (0, 300):
        world.now -= timedelta(hours=hours)
        await forfeit(world, "dok")
        world.now += timedelta(hours=hours)
        await world.play_round()
    (waiting,) = await asked(world)
    await forfeit(world, "dok")
    assert [post.stay.id for post in await asked(world)] == [waiting.stay.id]


@pytest.mark.long
@pytest.mark.parametrize("no_show", ["forfeit", "drop"])
async def test_organisers_are_asked_once_about_a_second_forfeit_that_dropped_nobody(world: World, no_show: str) -> None:
    await world.begin(8, no_show=no_show)
    only: Any = {"only_this_match": no_show == "drop"}
    await forfeit(world, "dok", **only)
    await world.play_round()
    assert await asked(world) == []
    await forfeit(world, "dok", **only)
    (facts,) = await asked(world)
    assert (facts.player.name, facts.player.active, facts.stay.reason) == ("dok", True, StayReason.ABSENT)
    assert "dok leaves season 1" in facts.cost
    await keep(world, facts)
    await world.play_round()
    await forfeit(world, "dok", **only)
    assert [one.stay.how for one in await asked(world)] == [StayAnswer.STAYS]


@pytest.mark.long
@pytest.mark.parametrize("how", ["cleared", "corrected"])
async def test_a_forfeit_that_is_one_no_more_takes_the_question_back_and_another_asks_again(
    world: World, how: str
) -> None:
    await world.begin(8, no_show="forfeit")
    await forfeit(world, "dok")
    await world.play_round()
    await forfeit(world, "dok")
    await world.announce()
    match = await world.match_of("dok")
    assert match is not None
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "a slip"}
    if how == "cleared":
        await do(clearing.clear, **who)
    else:
        await do(decisions.decide, **who, outcome=Outcome.UPPER if match.upper.name == "dok" else Outcome.LOWER)
    await world.announce()
    assert (await see(inbox.inbox, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)).empty
    await forfeit(world, "dok")
    assert [facts.player.name for facts in await asked(world)] == ["dok"]


@pytest.mark.long
@pytest.mark.parametrize("missed", [1, 2])
async def test_finals_taken_back_take_the_question_back_unless_two_matches_were_missed_before(
    world: World, missed: int
) -> None:
    await world.begin(8, rounds=2, no_show="forfeit", cut=8)
    for number in (1, 2):
        if number <= missed:
            await forfeit(world, "dok")
        await world.play_round()
    await forfeit(world, "dok")
    await world.announce()
    await do(rounds_by_hand.undo_finals, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.announce()
    found = await see(inbox.inbox, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert [line for section in found.sections for line in section.lines] == [*["dok"] * (missed - 1), "season 1"]


async def test_nobody_is_asked_after_a_first_forfeit_because_others_forfeited_too(world: World) -> None:
    await world.begin(8, no_show="forfeit")
    match = await world.match_of("dok")
    assert match is not None
    await forfeit(world, "dok")
    await world.play_round()
    await forfeit(world, next(name for name in NAMES if name not in {side.name for side in match.sides}))
    assert await asked(world) == []


async def test_nobody_is_asked_about_a_player_the_forfeit_drops(world: World) -> None:
    await world.begin(8)
    await forfeit(world, "dok", only_this_match=True)
    await world.play_round()
    await forfeit(world, "dok")
    assert await asked(world) == []


async def test_those_with_an_open_match_are_looked_for_daily_and_at_half_of_the_round(world: World) -> None:
    await world.begin(4)
    everyone = {world.player(name).user_id for name in world.players}
    looked: dict[Sought, datetime] = {}

    async def due() -> set[int]:
        return {one.discord_id for one in await world.db.read(on_server.due, world.now, looked)}

    def look_for_all() -> None:
        looked.update({Sought(guild_id=GUILD, discord_id=one or 0): world.now for one in everyone})

    assert await due() == everyone
    look_for_all()
    assert await due() == set()
    world.later(hours=23, minutes=59)
    assert await due() == set()
    world.later(minutes=1)
    assert await due() == everyone
    world.later(days=2, hours=11)
    look_for_all()
    assert await due() == set()
    world.later(hours=1)
    assert await due() == everyone
    await world.lose("dok")
    over = {side.discord_id for match in await confirmed(world) for side in match.sides}
    assert await due() == everyone - over


async def confirmed(world: World) -> list[MatchView]:
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    return [match for match in view.matches if match.match.state is MatchState.CONFIRMED]


async def test_no_one_is_looked_for_during_sign_ups_and_between_rounds(world: World) -> None:
    await world.create(advance="manual")
    await world.sign_up("dok", "Ann", "Bo", "Cy")
    assert await sought(world) == set()
    await world.start()
    await world.play_round()
    assert await sought(world) == set()


async def test_the_person_who_plays_the_open_match_is_looked_for(world: World) -> None:
    await world.begin(4)
    newcomer = Newcomer(discord_id=7777, wanted=None, display_name="Sam", by_organiser=True)
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "old": "dok"}
    await do(substitutes.substitute, db=world.db, **asked, newcomer=newcomer)
    world.players["Sam"] = person(7777, "Sam")
    assert 7777 not in await sought(world)
    assert world.player("dok").user_id in await sought(world)
    await world.play_round()
    assert 7777 in await sought(world)
    assert world.player("dok").user_id not in await sought(world)


async def test_a_look_that_finds_everything_as_it_was_writes_nothing(world: World) -> None:
    await world.begin(4)
    counted = (await changes(world), len(await world.audit()))
    for there in (True, None, True):
        await look(world, "dok", there=there)
    assert (await changes(world), len(await world.audit())) == counted


async def changes(world: World) -> int:
    """Return a number that changes with each write to the file."""
    with closing(sqlite3.connect(world.db.path)) as file:
        return sum(file.execute("SELECT count(*), coalesce(sum(checked_at), 0) FROM memberships").fetchone())


async def test_someone_gone_is_asked_about_once_and_the_opponent_is_told_once(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    opponent = match.upper if match.lower.name == "dok" else match.lower
    for _ in range(3):
        await look(world, "dok", there=False)
        world.later(days=1)
    (facts,) = await asked(world)
    assert facts.stay.reason is StayReason.GONE
    (told,) = [post for post in await world.posts("notice") if "isn't on the server" in str(post.facts["text"])]
    assert told.facts["pings"] == [opponent.discord_id]
    assert (await world.match_of("dok")) is not None
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert all(side.active for one in view.matches for side in one.sides)


async def test_pairing_does_not_wait_and_the_next_opponent_is_told_too(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    await world.play_round()
    world.later(days=1)
    await look(world, "dok", there=False)
    told = [post for post in await world.posts("notice") if "isn't on the server" in str(post.facts["text"])]
    assert len(told) == 2
    assert len(await asked(world)) == 1


async def test_someone_gone_is_looked_for_again_where_the_clock_went_back(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    world.later(hours=-2)
    await look(world, "dok", there=False)
    assert len(await asked(world)) == 1
    world.later(hours=1)
    await look(world, "dok", there=True)
    assert [one.stay.how for one in await asked(world)] == [StayAnswer.BACK]


async def test_someone_who_comes_back_clears_it_and_a_second_leave_is_asked_again(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    await look(world, "dok", there=None)
    assert [one.stay.how for one in await asked(world)] == [None]
    world.later(days=1)
    await look(world, "dok", there=True)
    assert [one.stay.how for one in await asked(world)] == [StayAnswer.BACK]
    world.later(days=1)
    await look(world, "dok", there=False)
    assert [one.stay.how for one in await asked(world)] == [StayAnswer.BACK, None]


@pytest.mark.long
async def test_the_question_about_a_finalist_who_is_gone_ends_when_they_are_dropped(world: World) -> None:
    name = (await finals(world))[0]
    await look(world, name, there=False)
    await world.announce()
    await leave(world, name)
    (facts,) = await asked(world)
    assert (facts.player.active, facts.cost) == (False, "")


@pytest.mark.parametrize("back", [True, False], ids=["back", "kept"])
async def test_the_opponent_of_someone_gone_is_told_what_came_of_it_and_again_if_they_go_again(
    world: World, back: bool
) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    opponent = match.upper if match.lower.name == "dok" else match.lower
    await look(world, "dok", there=False)
    (facts,) = await asked(world)
    await world.announce()
    if back:
        await look(world, "dok", there=True)
    else:
        await keep(world, facts)
    told = {post.removed: post.facts.get("pings", []) for post in await world.posts("notice")}
    assert told == {True: [opponent.discord_id], False: [opponent.discord_id]}, "the first isn't true any more"
    await world.announce()
    await look(world, "dok", there=True)
    world.later(days=1)
    await look(world, "dok", there=False)
    (again,) = [post for post in await world.posts("notice") if not post.removed]
    assert "isn't on the server" in str(again.facts["text"])


async def test_a_question_about_someone_who_withdraws_before_the_start_is_deleted(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Zoë")
    await look(world, "dok", there=False)
    await world.announce()
    await world.drop("dok")
    await world.announce()
    with look_into(world.db) as conn:
        sql = "SELECT removed, message_id FROM outbox WHERE kind = ?"
        assert list(records(conn, sql, STAYING)) == [(1, None)], "its buttons would stand there for ever"


async def test_the_question_of_a_season_cancelled_before_the_start_names_no_season_none(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Zoë")
    await look(world, "dok", there=False)
    await world.announce()
    await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    (facts,) = await asked(world)
    said = "\n".join(texts_of(render(STAYING, facts).parts))
    assert said == "### Online HeroScape: does dok stay?\nThe season is over."


async def test_organisers_are_asked_about_someone_gone_who_signed_up_in_another_league_too(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Zoë")
    await look(world, "dok", there=False)
    (facts,) = await asked(world)
    assert "taken off the sign-up list" in facts.cost
    reason: Any = {"player": "dok", "reason": "gone"}
    await do(
        removing.remove, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **reason, agreed=None
    )
    assert [made.row.kind for made in await world.announce() if made.row.kind == STAYING] == []


async def test_only_organisers_answer_and_only_once(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    (facts,) = await asked(world)
    who: Any = {"now": world.now, "stay": facts.stay.id}
    with pytest.raises(NotAllowed):
        await do(stay_or_leave.keep, db=world.db, actor=MODERATOR, **who)
    meant = await do(stay_or_leave.drop_meant, db=world.db, actor=ORGANISER, **who)
    assert (meant.player, meant.reason) == ("dok", "isn't on the server any more")
    await world.drop("dok")
    with pytest.raises(Conflict):
        await do(stay_or_leave.keep, db=world.db, actor=ORGANISER, **who)


async def test_what_waits_is_in_the_inbox_and_reminded_of(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    found = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    assert [player.name for player in found.rows("stays").values()] == ["dok"]
    world.later(days=1)
    await steps.tick(world.db, world.now)
    assert await world.posts("waiting")
    await world.db.write(
        stay_or_leave.keep,
        Order(actor=ORGANISER, now=world.now + timedelta(1)),
        stay=StayDecisionId(next(iter(found.rows("stays")))),
    )
    after = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    assert after.rows("stays") == ()


async def test_organisers_are_not_asked_twice_at_once_about_one_who_was_back_unseen(world: World) -> None:
    await world.begin(4)
    await look(world, "dok", there=False)
    world.later(hours=30)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE memberships SET gone_since = NULL")  # as after a merge with somebody who was there
    await look(world, "dok", there=False)
    assert [one.stay.answered_at for one in await asked(world)] == [None]
