"""LS, Tiebreakers: a tie-break match of two is reported by its players, like any other match."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.services.base.order import Order
from bot.services.organising import rounds_by_hand
from bot.services.people import linking
from bot.services.people.linking import Account
from bot.services.play import clearing
from bot.services.reads.guidance import guidance
from bot.services.seasons import lifecycle, pausing
from bot.services.threads import thread_notes
from bot.services.ties import tie_decisions, tie_match_reports
from bot.services.ties.tie_match_reports import TieReport
from bot.services.ties.tie_posts import TieMatchPost, TieQuestionPost
from storage.rows import TieRow
from tests.files import change_by_hand, do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import BOT, ORGANISER, STRANGER, World, person
from tests.services.seats.test_seats import substitute
from tests.services.ties.test_ties import finalists, play_level, require_verified, waiting


async def called(world: World) -> TieRow:
    """Play to a tie of two for the first seed, and let an organiser call the match."""
    await world.begin(9, "lightseekers-swiss", rounds=2, cut=4)
    for _ in range(2):
        await play_level(world)
    [tie] = await waiting(world)
    assert len(tie.names) == 2
    await world.db.write(tie_decisions.call_match, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    await world.announce()
    [tie] = await waiting(world)
    return tie


async def say(world: World, tie: TieRow, name: str, *, won: bool) -> TieReport:
    who: Any = {"actor": world.player(name), "now": world.now}
    return await do(tie_match_reports.report, db=world.db, **who, tie_id=tie.id, won=won)


async def answer(world: World, tie: TieRow, name: str, *, right: bool) -> TieReport:
    who: Any = {"actor": world.player(name), "now": world.now}
    return await do(tie_match_reports.answer, db=world.db, **who, tie_id=tie.id, right=right)


async def question(world: World) -> TieQuestionPost:
    [post] = [post for post in await world.posts("tie-question") if not post.removed]
    facts = await world.shown(post)
    assert isinstance(facts, TieQuestionPost)
    return facts


async def settled(world: World, *order: str) -> None:
    """Hold that the match decided, in this order, and that the season went on."""
    assert any(f"The tie-break match decided: {', then '.join(order)}." in text for text in await world.notices())
    assert order[0] in await finalists(world)
    await require_verified(world)


@pytest.mark.long
async def test_a_loss_counts_at_once_and_the_season_goes_on(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    assert (await say(world, tie, first, won=False)).settled
    await settled(world, second, first)
    with pytest.raises(Conflict, match="already settled"):
        await say(world, tie, second, won=False)


@pytest.mark.long
async def test_a_win_asks_the_opponent_who_confirms(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    done = await say(world, tie, first, won=True)
    assert (done.settled, done.hours, done.opponent.name) == (False, 24, second)
    assert (await question(world)).ping_ids == (world.player(second).user_id,)
    assert not (await say(world, tie, first, won=True)).settled
    assert (await answer(world, tie, second, right=True)).settled
    await settled(world, first, second)
    assert not [post for post in await world.posts("tie-question") if not post.removed]


@pytest.mark.long
async def test_silence_counts_once_the_question_was_sent(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await steps.tick(world.db, world.later(hours=30))
    assert len(await waiting(world)) == 1
    await world.announce()
    await steps.tick(world.db, world.later(hours=24))
    await settled(world, first, second)


@pytest.mark.long
async def test_silence_counts_for_an_opponent_who_can_not_be_asked(world: World) -> None:
    """A season that was brought along has players without an account."""
    tie = await called(world)
    first, second = tie.names
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = ?", (second,))
    world.db.forget()
    await say(world, tie, first, won=True)
    await steps.tick(world.db, world.later(hours=24))
    await settled(world, first, second)


@pytest.mark.long
@pytest.mark.parametrize("how", ["both won", "disputed"])
async def test_two_who_disagree_are_decided_by_an_organiser(world: World, how: str) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await world.announce()
    done = await (say(world, tie, second, won=True) if how == "both won" else answer(world, tie, second, right=False))
    assert done.disputed
    told = await world.notices()
    assert any("disagree about their tie-break match" in text for text in told), "organisers"
    assert any(f"{second} disputes the result" in text for text in told), "the one who reported"
    with pytest.raises(Conflict, match="an organiser decides"):
        await say(world, tie, first, won=True)
    await steps.tick(world.db, world.later(days=9))
    assert len(await waiting(world)) == 1, "silence decides nothing"
    await world.db.write(tie_decisions.order, Order(actor=ORGANISER, now=world.now), named=second, tie_id=tie.id)
    await settled(world, second, first)


@pytest.mark.long
@pytest.mark.parametrize("how", ["decided", "cleared"])
async def test_no_one_is_asked_to_decide_about_two_who_disagreed_once_that_is_over(world: World, how: str) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await say(world, tie, second, won=True)
    await world.announce()
    order = Order(actor=ORGANISER, now=world.now)
    if how == "decided":
        await world.db.write(tie_decisions.order, order, named=second, tie_id=tie.id)
    else:
        view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
        await world.db.write(clearing.clear, order, match=view.matches[0].match.id, reason="wrong")
    (told,) = [post for post in await world.posts("stuck") if "disagree" in post.facts["text"]]
    assert told.removed


@pytest.mark.long
async def test_only_the_two_players_report_it(world: World) -> None:
    tie = await called(world)
    other = next(name for name in world.players if name not in tie.names)
    for actor in (STRANGER, ORGANISER, world.player(other)):
        with pytest.raises(NotAllowed):
            await world.db.write(tie_match_reports.report, Order(actor=actor, now=world.now), tie_id=tie.id, won=True)
    with pytest.raises(NotFound):
        await world.db.write(tie_match_reports.report, Order(actor=STRANGER, now=world.now), tie_id=99, won=True)  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="hasn't reported"):
        await answer(world, tie, tie.names[0], right=True)


@pytest.mark.long
async def test_a_pause_moves_when_a_report_counts(world: World) -> None:
    tie = await called(world)
    await say(world, tie, tie.names[0], won=True)
    await world.announce()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(pausing.pause, db=world.db, **who, until=world.now + timedelta(days=3), agreed=None)
    await steps.tick(world.db, world.later(days=2))
    assert len(await waiting(world)) == 1
    await steps.tick(world.db, world.later(days=2, hours=1))
    await steps.tick(world.db, world.later(seconds=30))
    await settled(world, *tie.names)


@pytest.mark.long
async def test_a_new_account_is_asked_again(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await world.announce()
    who: Any = {"actor": ORGANISER, "now": world.later(hours=5), "league_id": world.league_id}
    await do(linking.propose, db=world.db, **who, player=second, account=Account(discord_id=7777, name="new"))
    with look_into(world.db) as conn:
        (link,) = conn.execute_fetchall("SELECT id FROM links")
    world.players[second] = person(7777, second)
    await world.db.write(linking.answer, Order(actor=world.player(second), now=world.now), link=link["id"], accept=True)
    assert (await question(world)).ping_ids == (7777,)
    (asked,) = [made for made in await world.announce() if isinstance(made.post, TieQuestionPost)]
    assert isinstance(asked.post, TieQuestionPost)
    assert asked.post.counts_at == world.now + timedelta(hours=24)


@pytest.mark.long
async def test_who_takes_a_seat_before_the_finals_is_told_of_its_tie_break_match_and_asked(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await world.db.write(rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await world.announce()
    await substitute(world, second, "Sub")
    new = world.player("Sub").user_id
    made = {type(one.post): one for one in await world.announce() if one.mention.people == (new,)}
    assert made.keys() >= {TieMatchPost, TieQuestionPost}
    done = await answer(world, tie, "Sub", right=True)
    assert done.settled


async def test_who_was_to_play_for_a_tie_is_told_that_a_cleared_result_ended_it(world: World) -> None:
    tie = await called(world)
    await world.announce()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    who: Any = {"actor": ORGANISER, "now": world.now}
    await do(clearing.clear, db=world.db, **who, match=view.matches[0].match.id, reason="a slip")
    (told,) = [post for post in await world.posts("notice") if "isn't played" in str(post.facts["text"])]
    assert set(told.facts["pings"]) == {world.player(name).user_id for name in tie.names}


@pytest.mark.long
async def test_a_cleared_result_or_a_cancelled_season_takes_the_question_away(world: World) -> None:
    tie = await called(world)
    await say(world, tie, tie.names[0], won=True)
    who: Any = {"actor": ORGANISER, "now": world.now}
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await do(clearing.clear, db=world.db, **who, match=view.matches[0].match.id, reason="a slip")
    assert not [post for post in await world.posts("tie-question") if not post.removed]
    await do(lifecycle.cancel, db=world.db, **who, league_id=world.league_id, agreed=None)
    assert await steps.tick(world.db, world.later(days=30)) >= 0
    with look_into(world.db) as conn:
        assert conn.execute_fetchall("SELECT * FROM tie_reports") == []


@pytest.mark.long
async def test_in_the_thread_of_a_match_what_is_typed_is_about_that_match(world: World) -> None:
    tie = await called(world)
    view = await world.match_of(tie.names[0])
    assert view is not None
    await world.db.write(thread_notes.begin, view.match.id)
    await world.db.write(thread_notes.made, view.match.id, 77, now=world.now)
    player = world.player(tie.names[0])
    for thread, meant in ((None, tie.id), (77, None)):
        order = Order(actor=replace(player, thread_id=thread), now=world.now, league_id=world.league_id)
        assert await world.db.read(tie_match_reports.own, order) == meant


@pytest.mark.long
async def test_help_tells_both_players_their_step_in_the_tie_break_match(world: World) -> None:
    tie = await called(world)
    first, second = tie.names

    async def told(name: str) -> str:
        order = Order(actor=world.player(name), now=world.now, league_id=world.league_id)
        (own,) = [
            one for one in (await world.db.read(guidance, order)).parts["As a player"] if "tie-break match" in one
        ]
        return own

    assert await told(first) == f"Your tie-break match against {second}: play it, then one of you uses /report."
    await say(world, tie, first, won=True)
    assert f"waiting for {second} to confirm" in await told(first)
    assert f"{first} reported that they won. Answer with /confirm or /dispute." in await told(second)
    await say(world, tie, second, won=True)
    for name in tie.names:
        assert "you two disagree, so an organiser decides" in await told(name)
