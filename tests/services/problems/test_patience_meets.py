"""What becomes of players who were asked when they begin: cleared, left, put back, banned, paused, and so on."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.delivery import delivery
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, notifying, rejoining
from bot.services.play import clearing
from bot.services.problems import telling
from bot.services.problems.patience import FIRST_MATCH, IDLE, IdlePost
from bot.services.seasons import pausing
from cogs.posting.renderings import render
from cogs.ui.cards import Attached, texts_of
from storage.query import column
from storage.tables.field.first_matches import FirstMatchId
from storage.tables.people.notify import How, Topic
from storage.tables.problems import ProblemKind
from tests.files import change_by_hand, do, look_into
from tests.services.conftest import MODERATOR, ORGANISER, World
from tests.services.meeting.events import EVENTS
from tests.services.meeting.scene import Scene
from tests.services.people.test_moving_up import move_to_a_new_account, organiser
from tests.services.play.test_open_rounds import begin, lose, open_of, opponent
from tests.services.problems.test_patience import begun, by, listed, rows, tick


async def asked_people(world: World) -> list[int]:
    """Send what is due; return the accounts that new questions mention."""
    made = await world.announce()
    return [account for post in made if post.row.kind == FIRST_MATCH for account in post.mention.people]


@pytest.mark.long
async def test_a_question_whose_message_fails_has_no_end_and_begins_once_it_is_sent(world: World) -> None:
    await begun(world)
    world.later(days=7, minutes=1)
    await steps.tick(world.db, world.now)
    (post,) = await world.posts(FIRST_MATCH)
    closed: Any = {"problem": "The channel is closed.", "retry_at": None, "channel_closed": True}
    await world.db.write(delivery.failed, post.id, now=world.now, **closed)
    await steps.tick(world.db, world.later(days=5))
    assert await listed(world) == []
    assert len(await asked_people(world)) == 10, "it's tried again, and begins then"
    assert await tick(world, hours=23) == []
    assert await tick(world, hours=2) == [IDLE]
    assert len(await listed(world)) == 10


@pytest.mark.long
async def test_who_has_begun_before_the_message_is_sent_is_not_mentioned_and_never_listed(world: World) -> None:
    await begun(world)
    world.later(days=7, minutes=1)
    await steps.tick(world.db, world.now)
    view = (await open_of(world, "dok"))[0]
    await lose(world, view, "dok")
    account = world.player("dok").user_id
    assert account not in await asked_people(world)
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="a mix-up")
    await tick(world, hours=25)
    assert "dok" not in await listed(world)


@pytest.mark.long
async def test_what_is_cleared_before_the_time_is_over_counts_as_no_answer(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    view = (await open_of(world, "dok"))[0]
    other = opponent(view)
    await lose(world, view, "dok")
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="not they")
    await tick(world, hours=25)
    assert other in await listed(world)
    assert "dok" not in await listed(world), "they reported something themselves"


@pytest.mark.long
async def test_who_answered_in_time_is_not_listed_when_their_result_is_cleared_later(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    view = (await open_of(world, "dok"))[0]
    await lose(world, view, "dok")
    await tick(world, hours=25)
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="not they")
    assert await tick(world, days=2) == []
    assert {"dok", opponent(view)}.isdisjoint(await listed(world))


@pytest.mark.long
async def test_a_match_that_is_cleared_asks_those_once_who_were_not_asked(world: World) -> None:
    await begun(world)
    view = (await open_of(world, "dok"))[0]
    await lose(world, view, "dok")
    await tick(world, days=7, minutes=1)
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="not they")
    await steps.tick(world.db, world.later(minutes=1))
    assert await asked_people(world) == [world.player(opponent(view)).user_id]
    assert await tick(world, hours=5) == []


@pytest.mark.long
async def test_a_reported_problem_is_an_answer(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    view = (await open_of(world, "dok"))[0]
    given: Any = {"match": view.match.id, "kind": ProblemKind.TOO_LATE, "text": "away until spring"}
    await world.db.write(telling.tell_problem, by(world, "dok"), **given)
    await tick(world, hours=25)
    assert "dok" not in await listed(world)


@pytest.mark.long
async def test_an_opponent_who_leaves_is_no_beginning(world: World) -> None:
    await begun(world)
    other = opponent((await open_of(world, "dok"))[0])
    await world.drop(other)
    await steps.tick(world.db, world.later(days=7, minutes=1))
    accounts = await asked_people(world)
    assert world.player("dok").user_id in accounts
    assert world.player(other).user_id not in accounts


@pytest.mark.long
async def test_who_is_put_back_is_not_asked_a_second_time_and_has_the_time_that_is_left(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await world.drop("dok")
    await reinstate(world)
    assert await tick(world, hours=20) == []
    assert "dok" not in await listed(world)
    assert await tick(world, hours=5) == [IDLE]
    assert "dok" in await listed(world)


async def reinstate(world: World) -> None:
    given: Any = {"player": "dok", "reason": "a mistake"}
    await do(rejoining.reinstate, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **given)


@pytest.mark.long
async def test_who_is_put_back_after_the_others_were_asked_is_asked_once(world: World) -> None:
    await begun(world)
    await world.drop("dok")
    await tick(world, days=7, minutes=1)
    await reinstate(world)
    await steps.tick(world.db, world.later(minutes=1))
    assert await asked_people(world) == [world.player("dok").user_id]
    assert FIRST_MATCH not in await tick(world, days=2)


@pytest.mark.long
async def test_who_is_banned_is_off_the_list_and_their_opponents_still_wait(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    given: Any = {"player": "dok", "reason": "cheats"}
    await do(banning.ban, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **given)
    assert "dok" not in await listed(world)
    assert len(await listed(world)) == 9


@pytest.mark.long
async def test_more_time_for_the_stage_or_one_match_changes_nothing_of_it(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    before = await rows(world)
    view = (await open_of(world, "dok"))[0]
    for match in (None, view.match.id):
        await do(rounds_by_hand.extend, db=world.db, **organiser(world), days=3, match=match)
    assert await rows(world) == before
    assert await tick(world, hours=25) == [IDLE]


@pytest.mark.long
async def test_a_stage_with_more_time_asks_after_a_deadline_that_was_over(world: World) -> None:
    await begun(world, first_match_days=12, round_days=2)
    assert FIRST_MATCH not in await tick(world, days=11)
    await do(rounds_by_hand.extend, db=world.db, **organiser(world), days=10)
    assert FIRST_MATCH in await tick(world, days=1, minutes=1)


@pytest.mark.long
async def test_a_pause_after_the_question_moves_its_end(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await world.db.write(pausing.pause, by(world), until=world.now + timedelta(days=3))
    assert await tick(world, days=3, hours=1) == []
    assert await tick(world, hours=24) == [IDLE]


@pytest.mark.long
async def test_a_pause_that_ends_early_moves_it_back(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await world.db.write(pausing.pause, by(world), until=world.now + timedelta(days=10))
    await tick(world, days=1)
    await world.db.write(pausing.end, by(world))
    assert await tick(world, hours=25) == [IDLE]


@pytest.mark.long
async def test_a_merge_with_someone_of_the_past_changes_nothing(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    scene = Scene(world=world, stage="open", person="dok")
    await EVENTS["merged"].do(scene)
    assert await world.posts(FIRST_MATCH) == () or await asked_people(world) == []
    await tick(world, hours=25)
    assert "dok" in await listed(world)


@pytest.mark.long
async def test_a_substitute_for_the_finals_is_not_asked_about_the_matches_of_the_other(world: World) -> None:
    await begun(world)
    scene = Scene(world=world, stage="open", person="dok")
    account = world.player("dok").user_id
    await EVENTS["substituted"].do(scene)
    await steps.tick(world.db, world.later(days=7, minutes=1))
    accounts = await asked_people(world)
    assert account in accounts
    assert 8888 not in accounts


async def test_a_player_without_an_account_is_on_the_list_after_their_time(world: World) -> None:
    await begin(world, first_match_days=7)
    with change_by_hand(world.db, seasons=False) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'dok'")
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    assert "dok" in await listed(world)


@pytest.mark.long
async def test_a_new_account_of_someone_on_the_list_is_not_asked(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    await move_to_a_new_account(world, "dok")
    assert await asked_people(world) == []
    assert "dok" in await listed(world)


@pytest.mark.long
async def test_the_questions_go_once_no_one_has_time_left_and_the_list_is_in_one_message(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    with look_into(world.db) as conn:
        kinds = column(conn, "SELECT kind FROM outbox WHERE removed = 0 AND kind IN ('first-match', 'idle')")
    assert kinds == (IDLE,)


@pytest.mark.long
async def test_who_hears_directly_is_asked_there_alone(world: World) -> None:
    await begin(world, first_match_days=7)
    order = by(world, "dok")
    await world.db.write(notifying.choose, order, topic=Topic.QUESTION, how=How.DIRECT)
    await world.announce()
    await steps.tick(world.db, world.later(days=7, minutes=1))
    made = [post for post in await world.announce() if post.row.kind == FIRST_MATCH]
    account = world.player("dok").user_id
    assert [post.row.person_id for post in made] == [None, account]
    assert account not in made[0].mention.people
    assert {row.until for row in await rows(world)} == {world.now + timedelta(hours=24)}


@pytest.mark.long
async def test_nothing_is_forfeited_before_the_deadline_whatever_it_says(world: World) -> None:
    await begun(world, overdue="double_loss", round_days=7)
    await tick(world, days=7, minutes=1)
    await tick(world, days=20)
    assert len(await open_of(world, "dok")) == 4
    await tick(world, days=8)
    assert (await world.status()).season.phase is SeasonPhase.FINALS, "the deadline has decided all of them"
    assert await listed(world) == []


@pytest.mark.long
async def test_the_last_result_ends_the_list(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    view = (await world.status()).current_round
    assert view is not None
    for match in view.missing:
        await lose(world, match)
    assert await listed(world) == []


@pytest.mark.long
async def test_a_list_of_very_many_players_fits_into_one_message_with_the_whole_in_a_file(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await steps.tick(world.db, world.later(hours=25))
    (post,) = await world.posts(IDLE)
    facts = await world.shown(post)
    assert isinstance(facts, IdlePost)
    many = {FirstMatchId(number): player for number, player in enumerate(30 * [*facts.people.values()])}
    parts = render(IDLE, replace(facts, people=many)).parts
    assert sum(map(len, texts_of(parts))) < 4000
    (file,) = [part for part in parts if isinstance(part, Attached)]
    assert str(file.content).count("dok") == 30
