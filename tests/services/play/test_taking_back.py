"""Taking back: for ten minutes, while nothing is paired on it, a match becomes what it was before one press."""

import asyncio
from typing import Any

import pytest

from bot.league.errors import Conflict
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.decision_posts import MatchPost
from bot.services.matches.views import MatchView
from bot.services.play import decisions, reporting
from bot.services.play.round_posts import QuestionPost
from bot.services.reads import details
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, World, person


@pytest.fixture
async def match(world: World) -> MatchView:
    await world.begin(4)
    await world.announce()
    return await now(world)


async def now(world: World) -> MatchView:
    return (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    ).matches[0]


async def report(world: World, name: str, result: str) -> None:
    view = await now(world)
    said: Any = {"match": view.match.id, "result": result}
    await do(reporting.report, db=world.db, actor=world.player(name), now=world.now, **said)


async def take_back(world: World, name: str, version: int | None = None) -> MatchView:
    view = await now(world)
    meant: Any = {"match": view.match.id, "version": version or view.match.version}
    return await do(reporting.take_back, db=world.db, actor=world.player(name), now=world.now, **meant)


async def press(world: World, match: MatchView, how: str) -> str:
    """Make a match count by one player's press, after what `how` names; return who pressed."""
    upper, lower = match.upper.name, match.lower.name
    if how in ("confirmed", "agreed", "disputed"):
        await report(world, upper, "won")
    if how == "own report":
        await report(world, lower, "won")
    if how == "disputed":
        await report(world, lower, "won")
    await world.announce()
    if how == "confirmed":
        await world.db.write(reporting.confirm, Order(actor=world.player(lower), now=world.now), match=match.match.id)
    else:
        await report(world, lower, "lost")
    return lower


STATES = {
    "open": MatchState.OPEN,
    "own report": MatchState.REPORTED,
    "confirmed": MatchState.REPORTED,
    "agreed": MatchState.REPORTED,
    "disputed": MatchState.DISPUTED,
}

TOLD = {
    "open": "took back the loss they reported",
    "confirmed": "took back their answer, so your report waits for it again",
    "agreed": "took back their answer, so your report waits for it again",
    "disputed": "took back what they reported last, so the moderators decide after all",
}


@pytest.mark.parametrize("how", STATES)
async def test_the_match_is_what_it_was_before_that_press(world: World, match: MatchView, how: str) -> None:
    presser = await press(world, match, how)
    assert (await now(world)).match.state is MatchState.CONFIRMED
    after = await take_back(world, presser)
    assert (after.match.state, after.match.kind) == (STATES[how], "open")
    assert len(after.reports) == {"open": 0, "disputed": 2}.get(how, 1)
    assert (after.dispute is not None) == (how == "disputed")


@pytest.mark.parametrize("how", STATES)
async def test_one_message_tells_the_other_player_or_asks_again(world: World, match: MatchView, how: str) -> None:
    presser = await press(world, match, how)
    await world.announce()
    await take_back(world, presser)
    told = [made for made in await world.announce() if isinstance(made.post, MatchPost | QuestionPost)]
    to_other = [made for made in told if match.upper.discord_id in made.mention.people]
    assert len(to_other) == 1
    told_of = to_other[0].post
    if isinstance(told_of, MatchPost):
        assert told_of.decided is not None
        assert TOLD[how] in told_of.decided.text
    asked = [made for made in told if isinstance(made.post, QuestionPost)]
    assert len(asked) == (STATES[how] is MatchState.REPORTED)
    assert all((made in to_other) == (how == "own report") for made in asked)


async def test_after_ten_minutes_it_stands(world: World, match: MatchView) -> None:
    presser = await press(world, match, "open")
    until = reporting.can_take_back(await now(world), world.player(presser), world.now)
    world.later(minutes=10)
    assert until == world.now
    with pytest.raises(Conflict, match="can't be taken back any more"):
        await take_back(world, presser)


async def test_only_the_player_whose_press_made_it_count_can(world: World, match: MatchView) -> None:
    await press(world, match, "confirmed")
    with pytest.raises(Conflict, match="can't be taken back any more"):
        await take_back(world, match.upper.name)


async def test_everyone_sees_a_match_that_a_moderator_confirmed_for_a_player(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, "won")
    order = Order(actor=MODERATOR, now=world.now)
    await world.db.write(decisions.confirm_for, order, match=match.match.id, reason="seen")
    onlooker = Order(actor=person(8888, "Onlooker"), now=world.now)
    assert (await world.db.read(details.details, onlooker, match=match.match.id)).until is None
    assert (await world.db.read(details.shared, match.match.id, world.now)).until is None
    assert (await world.db.read(details.details, order, match=match.match.id)).until is not None


async def test_once_the_next_round_is_paired_on_it_it_stands(world: World, match: MatchView) -> None:
    await world.play_round()
    view = await now(world)
    done = await world.db.write(
        reporting.report, Order(actor=world.player(view.lower.name), now=world.now), match=view.match.id, result="lost"
    )
    assert done.until is None
    with pytest.raises(Conflict, match="can't be taken back any more"):
        await take_back(world, view.lower.name)


async def test_the_answer_to_the_last_result_says_what_it_started(world: World, match: MatchView) -> None:
    matches = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    done = [
        await world.db.write(
            reporting.report,
            Order(actor=world.player(one.lower.name), now=world.now),
            match=one.match.id,
            result="lost",
        )
        for one in matches
    ]
    assert [(one.started, one.until is None) for one in done] == [("", False), ("started round 2", True)]


async def test_organisers_who_lead_are_not_asked_to_go_on_once_a_result_is_missing_again(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    assert len(await world.posts("stuck")) == 1
    await take_back(world, (await now(world)).lower.name)
    assert await world.posts("stuck") == ()


async def test_organisers_who_lead_are_not_asked_to_go_on_once_a_loss_is_disputed(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    assert len(await world.posts("stuck")) == 1
    await report(world, (await now(world)).upper.name, "lost")
    assert (await now(world)).match.state is MatchState.DISPUTED
    assert await world.posts("stuck") == ()


async def test_a_report_that_still_waits_is_replaced_and_not_taken_back(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, "won")
    assert reporting.can_take_back(await now(world), world.player(match.upper.name), world.now) is None
    with pytest.raises(Conflict, match="can't be taken back any more"):
        await take_back(world, match.upper.name)


async def test_pressed_twice_at_once_it_is_taken_back_once(world: World, match: MatchView) -> None:
    presser = await press(world, match, "open")
    version = (await now(world)).match.version
    done = await asyncio.gather(*(take_back(world, presser, version) for _ in range(2)), return_exceptions=True)
    assert sorted(isinstance(one, Conflict) for one in done) == [False, True]


@pytest.mark.long
async def test_a_result_that_counts_again_can_be_taken_back_again(world: World, match: MatchView) -> None:
    presser = await press(world, match, "confirmed")
    await take_back(world, presser)
    await world.announce()
    await world.db.write(reporting.confirm, Order(actor=world.player(presser), now=world.now), match=match.match.id)
    assert (await take_back(world, presser)).match.state is MatchState.REPORTED


async def test_a_player_who_left_leaves_the_result_as_it_is(world: World, match: MatchView) -> None:
    presser = await press(world, match, "open")
    await world.drop(match.upper.name)
    with pytest.raises(Conflict, match="can't be taken back any more"):
        await take_back(world, presser)
