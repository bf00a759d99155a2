"""What people are told as a round ends, opens again or can't follow: once, and as long as it is true."""

from typing import Any

import pytest

from bot import steps
from bot.league.errors import PairingImpossible
from bot.services.base.order import Order, by_bot
from bot.services.base.outbox import STUCK
from bot.services.base.permissions import BOT
from bot.services.base.post_kinds import PostKind
from bot.services.base.transaction import transaction
from bot.services.organising import rounds_by_hand, swapping
from bot.services.play import clearing, prepared
from bot.services.play.news import NEWS
from bot.services.problems import stay_or_leave
from bot.services.problems.stay_or_leave import STAYING
from bot.services.seasons import lifecycle, planning
from storage.posts import PostRow
from storage.query import column, many
from storage.tables.field import entrants
from tests.files import change_by_hand, do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World


def organiser(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def clear_first(world: World, number: int = 1) -> str:
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)
    match = view.matches[0]
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=match.match.id, reason="typo")
    return match.lower.name


async def standing(world: World, kind: PostKind) -> list[PostRow]:
    """Return the posts of a kind that people can see or will, in order."""
    with look_into(world.db) as conn:
        sql = "SELECT * FROM outbox WHERE kind = ? AND removed = 0 AND state <> 'withdrawn' ORDER BY id"
        return list(many(conn, PostRow, sql, kind))


async def test_with_manual_advance_organisers_are_told_again_when_all_results_are_in_again(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    await world.announce()
    assert len(await standing(world, STUCK)) == 1
    loser = await clear_first(world)
    assert await standing(world, STUCK) == [], "that all results are in isn't true any more"
    await world.announce()
    await world.lose(loser)
    made = [one for one in await world.announce() if one.row.kind == STUCK]
    assert len(made) == 1
    await do(rounds_by_hand.close, db=world.db, **organiser(world))
    assert await standing(world, STUCK) == []


async def test_organisers_are_asked_to_end_a_round_no_more_once_its_deadline_does(world: World) -> None:
    await world.begin(4, advance="manual", round_days=9)
    await world.play_round()
    await world.announce()
    await do(planning.change_settings, db=world.db, **organiser(world), settings={"advance": "deadline"})
    assert await standing(world, STUCK) == []


async def test_a_round_that_is_open_again_is_not_said_to_lack_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin(4)

    def impossible(*_: Any) -> None:
        raise PairingImpossible("nobody is left to meet")

    with monkeypatch.context() as patched:
        patched.setattr(prepared, "next_round", impossible)
        await world.play_round()
        await world.announce()
        assert len(await standing(world, STUCK)) == 1
        await clear_first(world)
    assert await standing(world, STUCK) == []


@pytest.mark.long
async def test_the_same_trouble_is_posted_once_with_the_words_of_now(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin(8)
    trouble = "nobody is left to meet"

    def impossible(*_: Any) -> None:
        raise PairingImpossible(trouble)

    with monkeypatch.context() as patched:
        patched.setattr(prepared, "next_round", impossible)
        await world.play_round()
        await world.announce()
        names = [who.name for who in (await world.status()).entrants if who.active]
        await world.drop(names[0])
        trouble = "too few are left"
        await world.drop(names[1])
        (post,) = await standing(world, STUCK)
        assert post.message_id is not None
        assert post.wanted > post.shown
        assert trouble in post.facts["text"]
    await do(rounds_by_hand.preview, db=world.db, **organiser(world))
    assert await standing(world, STUCK) == []
    await do(rounds_by_hand.post, db=world.db, **organiser(world))
    assert await standing(world, STUCK) == []


async def test_the_news_of_a_round_that_opens_again_is_taken_back_and_told_again(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, **organiser(world))
    await world.announce()
    assert len(await standing(world, NEWS)) == 1
    loser = await clear_first(world)
    assert await standing(world, NEWS) == []
    await world.announce()
    await world.lose(loser)
    await do(rounds_by_hand.close, db=world.db, **organiser(world))
    assert len([one for one in await world.announce() if one.row.kind == NEWS]) == 1


@pytest.mark.long
@pytest.mark.parametrize("how", ["played out", "finished", "cancelled"])
async def test_no_question_has_live_buttons_after_any_end_of_a_season(world: World, how: str) -> None:
    await world.begin(4, rounds=2)
    season = (await world.status()).season
    with change_by_hand(world.db) as conn:
        stay_or_leave.ask_about_gone(
            transaction(conn, by_bot(world.now), season_id=season.id), entrants.of_season(conn, season.id)[0], world.now
        )
    await world.announce()
    if how == "played out":
        await world.play_out()
    elif how == "cancelled":
        await do(lifecycle.cancel, db=world.db, **organiser(world))
    else:
        await world.play_round()
        await do(planning.change_settings, db=world.db, **organiser(world), settings={"advance": "manual"})
        await world.play_round()
        await do(lifecycle.finish, db=world.db, **organiser(world))
    (asked,) = await standing(world, STAYING)
    assert asked.wanted > asked.shown, "it is edited"
    facts: Any = await world.shown(asked)
    assert facts.cost == "", "and nothing is left to press"


async def draft_ids(world: World) -> list[int]:
    with look_into(world.db) as conn:
        sql = "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.phase = 'draft' ORDER BY m.id"
        return list(column(conn, sql))


async def preview(world: World) -> None:
    await world.begin(8, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.preview, db=world.db, **organiser(world))


@pytest.mark.long
async def test_a_preview_is_saved_again_only_where_something_in_it_changed(world: World) -> None:
    """Its matches keep their ids, so the buttons under it still work."""
    await preview(world)
    before = await draft_ids(world)
    for _ in range(2):
        await do(planning.change_settings, db=world.db, **organiser(world), settings={"confirm_hours": 12})
        await steps.tick(world.db, world.now)
    assert await draft_ids(world) == before


@pytest.mark.long
@pytest.mark.parametrize("by_hand", [False, True])
async def test_a_preview_that_is_paired_again_stands_in_the_audit_log(world: World, by_hand: bool) -> None:
    await preview(world)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    if by_hand:
        pair: Any = {"first": view.matches[0].upper.name, "second": view.matches[1].upper.name}
        await do(swapping.swap, db=world.db, **organiser(world), **pair)
    await world.drop(view.matches[3].lower.name)
    (line,) = [row for row in (await world.audit()) if row.action == "round.pair" and row.actor_id is None]
    assert ("by hand are gone" in (line.reason or "")) is by_hand


@pytest.mark.long
async def test_a_finals_round_taken_back_because_someone_left_stands_in_the_audit_log(world: World) -> None:
    await world.begin(8, rounds=2, cut=4)
    for _ in range(2):
        await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await world.drop(view.matches[0].lower.name)
    done = [row.action for row in await world.audit()]
    assert "round.undo" in done
