"""Corrections that moderators ask organisers for: posted, listed, made or left, and gone once nothing is to decide."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.leagues import set_up
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import asked_corrections, rounds_by_hand
from bot.services.organising.asked_corrections import CORRECTION, CorrectionPost
from bot.services.organising.daily_reminder import WAITING
from bot.services.people import forgetting
from bot.services.play import decisions
from bot.services.reads import inbox, overview
from bot.services.seasons import lifecycle
from storage.posts import Target
from tests.files import do, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATION, MODERATOR, MODERATOR_ROLE, ORGANISER, World, person


async def quarter(world: World) -> MatchView:
    """Return a quarter-final whose winner plays in the semi-finals."""
    await world.begin(8, "single-elimination")
    await world.play_round()
    await world.announce()
    order = Order(actor=MODERATOR, now=world.now, league_id=world.league_id)
    return (await world.db.read(posted_round, order, number=1)).matches[0]


def by(world: World, actor: Any = ORGANISER) -> dict[str, Any]:
    return {"db": world.db, "actor": actor, "now": world.now}


def other(view: MatchView) -> Outcome:
    return Outcome.LOWER if view.winner == view.upper.name else Outcome.UPPER


async def ask(world: World, view: MatchView, **more: Any) -> MatchView:
    who = by(world, more.pop("actor", MODERATOR))
    said: Any = {"match": view.match.id, "outcome": other(view), "reason": "they mixed it up", **more}
    return await do(asked_corrections.ask, **who, **said)


async def forget(world: World, name: str) -> None:
    """Let an organiser forget a player, who agrees to both questions."""
    agreed = ""
    while True:
        try:
            await do(forgetting.forget, **by(world), league_id=world.league_id, player=name, agreed=agreed)
        except ConfirmationNeeded as asked:
            agreed = asked.token
        else:
            return


async def waiting(world: World) -> list[int]:
    found = await see(inbox.inbox, **by(world, MODERATOR), league_id=world.league_id)
    return [row.match.id for row in found.rows("corrections")]


async def correct(world: World, view: MatchView) -> MatchView:
    """Make the correction that is asked for, as its button does."""
    asked = await see(asked_corrections.wanted, **by(world), match=view.match.id)
    look = await see(decisions.decide_preview, **by(world), match=view.match.id, **asked.result)
    more: Any = {"reason": asked.reason, "agreed": look.agreement or ""}
    return await do(decisions.decide, **by(world), match=view.match.id, **asked.result, **more)


async def told(world: World) -> list[tuple[str, Any]]:
    """Return what is said in the moderators' channel and to whom, of corrections."""
    posts = [post for post in await world.posts("notice") if post.target is Target.MODERATION]
    return [(str(post.facts["text"]), post.facts.get("pings", [])) for post in posts]


@pytest.mark.long
async def test_organisers_are_asked_with_the_reason_and_what_it_changes(world: World) -> None:
    view = await quarter(world)
    await ask(world, view)
    assert await waiting(world) == [view.match.id]
    (made,) = await world.announce()
    assert made.channel_id == MODERATION
    assert made.mention.roles == (world.league.organiser_role_id,)
    facts = made.post
    assert isinstance(facts, CorrectionPost)
    assert (facts.why, facts.by) == ("they mixed it up", f"the moderator {MODERATOR.name}")
    assert view.loser is not None
    assert facts.then.startswith(view.loser.name)
    assert any("don't count any more" in effect for effect in facts.effects)
    (line,) = [line for line in await world.audit() if line.action == "result.ask-organiser"]
    assert line.reason == "they mixed it up"


@pytest.mark.long
async def test_it_is_asked_once_and_another_result_takes_its_place(world: World) -> None:
    view = await quarter(world)
    await ask(world, view, kind=asked_corrections.Kind.FORFEIT)
    with pytest.raises(Conflict, match="have been asked for that already"):
        await ask(world, view, kind=asked_corrections.Kind.FORFEIT)
    await world.announce()
    await ask(world, view)
    assert len(await world.announce()) == 1
    assert await waiting(world) == [view.match.id]


async def test_a_moderator_is_told_that_another_asks_for_another_result_but_not_of_their_own(world: World) -> None:
    view = await quarter(world)
    second = person(30, "second", MODERATOR_ROLE)
    await ask(world, view, kind=asked_corrections.Kind.FORFEIT)
    await ask(world, view)
    assert await told(world) == []
    await ask(world, view, kind=asked_corrections.Kind.FORFEIT, actor=second)
    ((text, pings),) = await told(world)
    assert text.startswith(f"You asked for a correction of {view.label}. The moderator second asks for another result")
    assert pings == [MODERATOR.user_id]
    await do(asked_corrections.leave, **by(world), match=view.match.id)
    assert [pings for _, pings in await told(world)] == [[MODERATOR.user_id], [second.user_id]]


@pytest.mark.long
async def test_made_it_is_gone_and_the_moderator_is_told(world: World) -> None:
    view = await quarter(world)
    await ask(world, view)
    await world.announce()
    done = await correct(world, view)
    assert view.loser is not None
    assert done.winner == view.loser.name
    assert await waiting(world) == []
    ((text, pings),) = await told(world)
    assert text == f"You asked for a correction of {view.label}. Now: {done.news}."
    assert pings == [MODERATOR.user_id]
    await world.announce()
    assert await world.posts(CORRECTION) == ()
    with pytest.raises(Conflict, match="Nobody asks for a correction"):
        await see(asked_corrections.wanted, **by(world), match=view.match.id)


async def test_left_it_is_gone_and_the_moderator_is_told(world: World) -> None:
    view = await quarter(world)
    await ask(world, view)
    await do(asked_corrections.leave, **by(world), match=view.match.id)
    assert await waiting(world) == []
    ((text, pings),) = await told(world)
    assert text.startswith(f"{view.label} stays as it is: ")
    assert pings == [MODERATOR.user_id]
    with pytest.raises(Conflict, match="Nobody asks for a correction"):
        await do(asked_corrections.leave, **by(world), match=view.match.id)


async def test_moderators_ask_and_organisers_answer(world: World) -> None:
    view = await quarter(world)
    for actor in (world.player(view.upper.name), world.player(view.lower.name)):
        with pytest.raises(NotAllowed):
            await ask(world, view, actor=actor)
    await ask(world, view)
    for use_case in (asked_corrections.leave, asked_corrections.wanted):
        with pytest.raises(NotAllowed):
            await do(use_case, **by(world, MODERATOR), match=view.match.id)


async def test_what_a_moderator_can_do_isnt_asked_for(world: World) -> None:
    await quarter(world)
    order = Order(actor=MODERATOR, now=world.now, league_id=world.league_id)
    semi = (await world.db.read(posted_round, order)).matches[0]
    with pytest.raises(Conflict, match=r"You can correct .* yourself"):
        await ask(world, semi)


async def test_the_reason_stays_private_where_everyone_reads(world: World) -> None:
    await do(set_up.change, **by(world), league_id=world.league_id, changes={"moderation_channel_id": None})
    view = await quarter(world)
    await ask(world, view)
    (made,) = await world.announce()
    assert isinstance(made.post, CorrectionPost)
    assert made.post.why == ""
    changes = {"moderation_channel_id": MODERATION}
    await do(set_up.change, **by(world), league_id=world.league_id, changes=changes)
    (again,) = [made for made in await world.announce() if made.row.kind == CORRECTION]
    assert isinstance(again.post, CorrectionPost)
    assert again.post.why == "they mixed it up"


async def test_it_is_reminded_of_daily_and_shown_by_the_season(world: World) -> None:
    view = await quarter(world)
    await ask(world, view)
    await world.announce()
    found = await see(overview.status, **by(world), league_id=world.league_id)
    assert "1 thing waits for you: /disputes." in found.next_step
    await steps.tick(world.db, world.later(hours=25))
    assert WAITING in [made.row.kind for made in await world.announce()]


@pytest.mark.long
@pytest.mark.parametrize("end", ["cancelled", "played out", "forgotten"])
async def test_it_is_gone_with_what_it_is_about(world: World, end: str) -> None:
    view = await quarter(world)
    await ask(world, view)
    await world.announce()
    if end == "cancelled":
        await do(lifecycle.cancel, **by(world), league_id=world.league_id)
    elif end == "played out":
        await world.play_out()
    else:
        await forget(world, view.upper.name)
    assert await waiting(world) == []
    if end != "forgotten":
        ((text, pings),) = await told(world)
        assert text.startswith(f"You asked for a correction of {view.label}. Season 1 is over")
        assert pings == [MODERATOR.user_id]
    await world.announce()
    with pytest.raises(Conflict):
        await see(asked_corrections.wanted, **by(world), match=view.match.id)


@pytest.mark.long
async def test_it_is_gone_with_its_round_and_the_moderator_is_told(world: World) -> None:
    first = await quarter(world)
    await world.play_round()
    order = Order(actor=MODERATOR, now=world.now, league_id=world.league_id)
    semis = (await world.db.read(posted_round, order, number=2)).matches
    semi = next(match for match in semis if first.winner in {side.name for side in match.sides})
    await ask(world, semi)
    await world.announce()
    said: Any = {"match": first.match.id, "outcome": other(first)}
    look = await see(decisions.decide_preview, **by(world), **said)
    await do(decisions.decide, **by(world), **said, reason="a typo", agreed=look.agreement)
    assert await waiting(world) == []
    await told_that_it_was_taken_back(world, semi)
    with pytest.raises(NotFound):
        await see(asked_corrections.wanted, **by(world), match=semi.match.id)


@pytest.mark.long
async def test_it_is_gone_with_the_finals_and_the_moderator_is_told(world: World) -> None:
    await world.begin(8, "keyforge-swiss", rounds=1, cut=4)
    await world.play_round()
    order = Order(actor=MODERATOR, now=world.now, league_id=world.league_id)
    await world.play_round()
    semi = (await world.db.read(posted_round, order, number=2)).matches[0]
    await ask(world, semi)
    await world.announce()
    await do(rounds_by_hand.undo_finals, **by(world), league_id=world.league_id)
    assert await waiting(world) == []
    await told_that_it_was_taken_back(world, semi)
    await world.announce()
    assert await world.posts(CORRECTION) == ()


async def told_that_it_was_taken_back(world: World, view: MatchView) -> None:
    """Check that the moderator who asked is told that the match isn't there any more."""
    ((text, pings),) = [(text, pings) for text, pings in await told(world) if "taken back" in text]
    assert text.startswith(f"You asked for a correction of {view.label}. The match was taken back")
    assert pings == [MODERATOR.user_id]


@pytest.mark.long
async def test_a_season_that_is_over_sends_to_an_organiser(world: World) -> None:
    view = await quarter(world)
    await world.play_out()
    world.now += timedelta(minutes=1)
    with pytest.raises(Conflict, match="An organiser can correct it with /result set"):
        await ask(world, view)
