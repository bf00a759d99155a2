"""KTC, Making a Cut: the best player outside the finals is asked before they replace a finalist who left."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league import formats
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.coming_and_going import moving_up
from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.league.season.model import Stage
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.organising import rounds_by_hand
from bot.services.people import linking, moving_up_answers, rejoining, removing
from bot.services.people.linking import Account
from bot.services.play import clearing, reporting
from bot.services.play.field.moving_up import MovingUpPost
from bot.services.reads import inbox
from bot.services.reads.board import BoardPost
from bot.services.seasons import lifecycle, pausing, planning
from bot.services.seats import substitutes
from storage import rules_season
from tests.files import change_by_hand, do, look_into
from tests.league.builders import play_rounds, season_of_file
from tests.looked_up import posted_round
from tests.played_on import rows_of
from tests.services.conftest import MODERATOR, ORGANISER, STRANGER, World, person

PLAYERS = 8


def organiser(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def finals(world: World, key: str = "keyforge-swiss", **settings: Any) -> list[str]:
    """Play to the finals of four, let people see them, and return everyone in the order of the table."""
    await world.begin(PLAYERS, key, **{"rounds": 2, "cut": 4, **settings})
    for _ in range(2):
        await world.play_round()
    await world.announce()
    return await table(world, key)


async def table(world: World, key: str) -> list[str]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        season = rules_season.load(conn, season_id)
    return [row.name for row in formats.by_key(key).standings(season)]


async def finalists(world: World) -> set[str]:
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    return {side.name for match in view.matches for side in match.sides} if view.round.stage is Stage.FINALS else set()


async def leave(world: World, name: str) -> None:
    await do(removing.remove, db=world.db, **organiser(world), player=name, reason="ill")


async def all_asked(world: World) -> list[MovingUpPost]:
    facts = [await world.shown(post) for post in await world.posts("moving-up") if not post.removed]
    return [one for one in facts if isinstance(one, MovingUpPost)]


async def asked(world: World) -> MovingUpPost:
    (one,) = await all_asked(world)
    return one


async def answer(world: World, question: MovingUpPost, *, plays: bool) -> None:
    who: Any = {"actor": world.player(question.player.name), "now": world.now}
    await do(moving_up_answers.answer, db=world.db, **who, place_id=question.asked.id, plays=plays)


async def asked_of(world: World, name: str) -> dict[str, Any]:
    """Return what the answer of a player who is asked needs."""
    with look_into(world.db) as conn:
        ((place,),) = [
            tuple(row)
            for row in conn.execute_fetchall(
                "SELECT f.id FROM finals_places f JOIN entrants e"
                " ON e.id = f.entrant_id WHERE e.name = ? AND f.answered_at IS NULL",
                (name,),
            )
        ]
    return {"actor": world.player(name), "now": world.now, "place_id": place}


async def kept(world: World) -> Any:
    """Return the only question as it is stored."""
    with look_into(world.db) as conn:
        (row,) = conn.execute_fetchall("SELECT * FROM finals_places")
    return row


async def require_verified(world: World) -> None:
    text = (
        await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    ).text
    checks = verify(reading.read(text.encode()))
    assert checks.agrees, checks.lines()


@pytest.mark.long
@pytest.mark.parametrize("key", ["keyforge-swiss", "ohs"])
async def test_who_moves_up_is_asked_and_the_finals_wait_for_them(world: World, key: str) -> None:
    order = await finals(world, key)
    before = await finalists(world)
    first, fifth = order[0], next(name for name in order if name not in before)
    await leave(world, first)
    assert await finalists(world) == set(), "the finals wait"
    question = await asked(world)
    assert (question.player.name, question.ping_ids) == (fifth, (world.player(fifth).user_id,))
    assert f"{fifth} is asked to move up into the finals." in (await world.status()).next_step
    [board] = await world.posts("board")
    facts = await world.shown(board)
    assert isinstance(facts, BoardPost)
    assert facts.decision == f"{fifth} is asked to move up into the finals."
    assert (await world.db.read(inbox.inbox, Order(**organiser(world)))).empty, "the finals follow by themselves"
    await answer(world, question, plays=True)
    assert await finalists(world) == before - {first} | {fifth}
    assert await all_asked(world) == []
    await require_verified(world)
    await world.play_out()
    await require_verified(world)


@pytest.mark.long
async def test_who_declines_is_out_and_the_next_is_asked(world: World) -> None:
    order = await finals(world)
    before = await finalists(world)
    outside = [name for name in order if name not in before]
    await leave(world, order[0])
    await answer(world, await asked(world), plays=False)
    question = await asked(world)
    assert question.player.name == outside[1]
    await answer(world, question, plays=True)
    assert await finalists(world) == before - {order[0]} | {outside[1]}
    entrants = {who.name: who for who in (await world.status()).entrants}
    assert not entrants[outside[0]].active
    assert any(row.action == "entrant.moving_up" for row in await world.audit())
    await require_verified(world)


@pytest.mark.long
async def test_silence_after_the_question_was_sent_asks_the_next(world: World) -> None:
    order = await finals(world, confirm_hours=5)
    await leave(world, order[0])
    first = await asked(world)
    await steps.tick(world.db, world.later(hours=30))
    assert (await asked(world)).player == first.player, "the time begins when the question was sent"
    await world.announce()
    await steps.tick(world.db, world.later(hours=4))
    assert await finalists(world) == set()
    await steps.tick(world.db, world.later(hours=1))
    assert (await asked(world)).player.name != first.player.name
    assert any("doesn't move up into the finals" in text for text in await world.notices())
    await require_verified(world)


@pytest.mark.long
async def test_who_can_not_be_asked_has_the_same_time_and_then_the_next_is_asked(world: World) -> None:
    """A season that was brought along has players without an account."""
    order = await finals(world, confirm_hours=5)
    before = await finalists(world)
    outside = [name for name in order if name not in before]
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = ?", (outside[0],))
    world.db.forget()
    await leave(world, order[0])
    assert (await kept(world))["until"] == int((world.now + timedelta(hours=5)).timestamp())
    await steps.tick(world.db, world.later(hours=5))
    assert (await asked(world)).player.name == outside[1]
    await require_verified(world)


@pytest.mark.long
async def test_the_time_to_answer_ends_when_the_first_result_would_be_due(world: World) -> None:
    order = await finals(world, round_days=1, confirm_hours=72)
    await leave(world, order[0])
    await world.announce()
    assert (await kept(world))["until"] == int((world.now + timedelta(days=1)).timestamp())


@pytest.mark.long
async def test_in_a_pause_nothing_ends_and_nothing_is_posted(world: World) -> None:
    order = await finals(world, confirm_hours=5)
    await leave(world, order[0])
    player = (await asked(world)).player.name
    await world.announce()
    await do(pausing.pause, db=world.db, **organiser(world), until=world.now + timedelta(days=3), agreed=None)
    await steps.tick(world.db, world.later(hours=10))
    row = await kept(world)
    assert row["answered_at"] is None
    who: Any = {"actor": world.player(player), "now": world.now}
    await do(moving_up_answers.answer, db=world.db, **who, place_id=row["id"], plays=True)
    assert await finalists(world) == set()
    await steps.tick(world.db, world.later(days=3))
    assert player in await finalists(world)


@pytest.mark.long
async def test_a_place_in_the_finals_that_becomes_free_in_a_pause_is_offered(world: World) -> None:
    """The next was asked only after the pause, and had to answer in its last hours."""
    order = await finals(world, confirm_hours=5)
    outside = [name for name in order if name not in await finalists(world)]
    await leave(world, order[0])
    await world.announce()
    await do(pausing.pause, db=world.db, **organiser(world), until=world.now + timedelta(days=3), agreed=None)
    await leave(world, outside[0])
    assert (await asked(world)).player.name == outside[1]
    await world.announce()
    await steps.tick(world.db, world.later(hours=10))
    assert await finalists(world) == set()
    question = await asked_of(world, outside[1])
    await do(moving_up_answers.answer, db=world.db, **question, plays=True)
    await steps.tick(world.db, world.later(days=3))
    assert await finalists(world) == {*order[1:4], outside[1]}


@pytest.mark.long
async def test_a_finalist_who_leaves_in_a_pause_before_anyone_was_asked_is_replaced(world: World) -> None:
    order = await finals(world, confirm_hours=5)
    outside = [name for name in order if name not in await finalists(world)]
    await do(pausing.pause, db=world.db, **organiser(world), until=world.now + timedelta(days=3), agreed=None)
    await leave(world, order[0])
    assert (await asked(world)).player.name == outside[0]
    await world.announce()
    question = await asked_of(world, outside[0])
    await do(moving_up_answers.answer, db=world.db, **question, plays=True)
    assert await finalists(world) == set()
    await steps.tick(world.db, world.later(days=3))
    assert outside[0] in await finalists(world)


@pytest.mark.long
async def test_only_who_is_asked_answers_and_only_once(world: World) -> None:
    order = await finals(world)
    await leave(world, order[0])
    question = await asked(world)
    there: Any = {"now": world.now, "plays": True}
    for actor in (STRANGER, ORGANISER, world.player(order[1])):
        with pytest.raises(NotAllowed):
            await do(moving_up_answers.answer, db=world.db, actor=actor, place_id=question.asked.id, **there)
    with pytest.raises(NotFound):
        await do(moving_up_answers.answer, db=world.db, actor=STRANGER, place_id=question.asked.id + 1, **there)
    await answer(world, question, plays=True)
    with pytest.raises(Conflict, match="settled"):
        await answer(world, question, plays=False)


@pytest.mark.long
async def test_a_second_finalist_who_leaves_asks_only_the_next(world: World) -> None:
    order = await finals(world)
    before = await finalists(world)
    outside = [name for name in order if name not in before]
    await leave(world, order[0])
    await leave(world, order[1])
    both = await all_asked(world)
    assert [one.player.name for one in both] == outside[:2]
    for one in both:
        assert await finalists(world) == set()
        await answer(world, one, plays=True)
    assert await finalists(world) == {*order[2:4], *outside[:2]}
    await world.announce()
    await leave(world, order[2])
    assert (await asked(world)).player.name == outside[2], "players who said yes aren't asked again"


@pytest.mark.long
async def test_a_finalist_who_comes_back_takes_the_question_away(world: World) -> None:
    order = await finals(world)
    before = await finalists(world)
    await leave(world, order[0])
    with pytest.raises(ConfirmationNeeded) as first:
        await do(rejoining.reinstate, db=world.db, **organiser(world), player=order[0], reason="well", agreed="")
    token = first.value.token
    await do(rejoining.reinstate, db=world.db, **organiser(world), player=order[0], reason="well", agreed=token)
    assert await finalists(world) == before
    assert await all_asked(world) == []


@pytest.mark.long
async def test_with_manual_advance_an_organiser_posts_and_the_finals_follow_the_answer(world: World) -> None:
    await world.begin(PLAYERS, "keyforge-swiss", rounds=2, cut=4, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.post, db=world.db, **organiser(world))
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, **organiser(world))
    first = (await table(world, "keyforge-swiss"))[0]
    await leave(world, first)
    assert await all_asked(world) == [], "nobody has asked for the finals yet"
    view = await do(rounds_by_hand.post, db=world.db, **organiser(world))
    assert view.round.phase is RoundPhase.DRAFT
    assert "round.pair" in {row.action for row in (await world.audit())[:3]}
    assert await finalists(world) == set()
    await leave(world, (await table(world, "keyforge-swiss"))[1])
    one, other = await all_asked(world)
    await answer(world, one, plays=True)
    assert await finalists(world) == set(), "the preview waits for the other answer too"
    await answer(world, other, plays=True)
    assert len(await finalists(world)) == 4


async def preview_without_a_finalist(world: World) -> None:
    """Play to the finals, let the first leave, and look at a preview as an organiser, who pairs by hand."""
    await world.begin(PLAYERS, "keyforge-swiss", rounds=1, cut=4, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, **organiser(world))
    await leave(world, (await table(world, "keyforge-swiss"))[0])
    await do(rounds_by_hand.preview, db=world.db, **organiser(world))


@pytest.mark.long
async def test_the_board_says_who_is_asked_once_an_organiser_posts_the_preview_of_the_finals(world: World) -> None:
    await preview_without_a_finalist(world)
    await world.announce()
    await do(rounds_by_hand.post, db=world.db, **organiser(world))
    [board] = await world.posts("board")
    facts = await world.shown(board)
    assert isinstance(facts, BoardPost)
    assert facts.decision == f"{(await asked(world)).player.name} is asked to move up into the finals."


@pytest.mark.long
async def test_settings_saved_without_a_change_change_nothing_while_someone_is_asked(world: World) -> None:
    await preview_without_a_finalist(world)
    await do(rounds_by_hand.post, db=world.db, **organiser(world))
    await do(rounds_by_hand.undo, db=world.db, **organiser(world), reason="too early")
    before = rows_of(world.db.path)
    for settings in ({}, {"advance": "manual"}):
        await do(planning.change_settings, db=world.db, **organiser(world), settings=settings)
        assert rows_of(world.db.path) == before
    await do(planning.change_settings, db=world.db, **organiser(world), settings={"advance": "all-in"})
    assert rows_of(world.db.path) != before
    await answer(world, await asked(world), plays=True)
    assert len(await finalists(world)) == 4


async def move_to_a_new_account(world: World, name: str) -> None:
    account = Account(discord_id=7777, name="new account")
    await do(linking.propose, db=world.db, **organiser(world), player=name, account=account)
    with look_into(world.db) as conn:
        (link,) = conn.execute_fetchall("SELECT id FROM links")
    world.players[name] = person(7777, name)
    await world.db.write(linking.answer, Order(actor=world.player(name), now=world.now), link=link["id"], accept=True)


@pytest.mark.long
async def test_a_new_account_and_a_substitute_are_asked_again(world: World) -> None:
    order = await finals(world)
    await leave(world, order[0])
    name = (await asked(world)).player.name
    await world.announce()
    await move_to_a_new_account(world, name)
    assert (await asked(world)).ping_ids == (7777,)
    await world.announce()
    sam = Newcomer(discord_id=8888, wanted=None, display_name="Sam", reason="away", by_organiser=True)
    await do(substitutes.substitute, db=world.db, **organiser(world), old=name, newcomer=sam)
    assert (await asked(world)).ping_ids == (8888,)


@pytest.mark.long
async def test_of_two_who_are_asked_only_the_one_with_a_new_account_is_asked_again(world: World) -> None:
    order = await finals(world)
    await leave(world, order[0])
    await leave(world, order[1])
    stays, moves = [question.player.name for question in await all_asked(world)]
    await world.announce()
    world.later(hours=1)
    await move_to_a_new_account(world, moves)
    again = await asked(world)
    assert (again.player.name, again.ping_ids) == (moves, (7777,)), f"{stays} was asked once more"


@pytest.mark.long
async def test_without_replace_nobody_is_asked(world: World) -> None:
    order = await finals(world, replace=False)
    await leave(world, order[0])
    assert await all_asked(world) == []


@pytest.mark.long
async def test_a_cancelled_season_asks_nobody_any_more(world: World) -> None:
    order = await finals(world)
    await leave(world, order[0])
    await do(lifecycle.cancel, db=world.db, **organiser(world), agreed=None)
    assert (await world.status()).season.phase is SeasonPhase.CANCELLED
    await steps.tick(world.db, world.later(days=30))
    assert await all_asked(world) == []


@pytest.mark.parametrize("key", ["ohs", "keyforge-swiss", "two-loss-out"])
def test_where_nobody_left_nobody_moves_up(key: str) -> None:
    assert moving_up(play_rounds(season_of_file(key, 9), rounds=1)) == ()


@pytest.mark.long
async def test_an_answer_after_the_season_was_ended_changes_nothing(world: World) -> None:
    order = await finals(world)
    await leave(world, order[0])
    place = await asked(world)
    await do(lifecycle.finish, db=world.db, **organiser(world))
    before = await world.db.read(exporting.export, Order(**organiser(world)))
    with pytest.raises(Conflict, match="That's settled"):
        await answer(world, place, plays=False)
    assert (await world.db.read(exporting.export, Order(**organiser(world)))).text == before.text


async def opponent_in_round_2(world: World, name: str) -> tuple[str, int]:
    """Return whom a player met in round 2, and that match's id."""
    with look_into(world.db) as conn:
        sql = (
            "SELECT m.id, u.name, l.name FROM matches m JOIN rounds r ON r.id = m.round_id"
            " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id WHERE r.number = 2"
        )
        for match, *names in conn.execute_fetchall(sql):
            if name in names:
                return next(other for other in names if other != name), match
    raise LookupError(name)


async def test_nobody_is_asked_whether_they_move_up_while_results_are_missing(world: World) -> None:
    order = await finals(world, confirm_hours=5)
    opponent, match = await opponent_in_round_2(world, order[4])
    await leave(world, next(name for name in order[:4] if name != opponent))
    question = await asked(world)
    assert question.player.name == order[4]
    await world.announce()
    await do(clearing.clear, db=world.db, actor=MODERATOR, now=world.now, match=match, reason="seen")
    assert await all_asked(world) == []
    with pytest.raises(Conflict, match="settled"):
        await answer(world, question, plays=True)
    await steps.tick(world.db, world.later(hours=6))
    assert order[4] in [who.name for who in (await world.status()).entrants if who.active]
    await do(reporting.report, db=world.db, actor=world.player(order[4]), now=world.now, match=match, result="lost")
    assert len(await all_asked(world)) == 1
