"""Profiles and champions: true for oneself and others, in every kind of season, and silent about who was forgotten."""

import logging
import os
import signal
from typing import Any

import pytest

from bot import steps
from bot.league.errors import NotFound
from bot.league.summaries.tallies import Tally
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting
from bot.services.reads import looking_back, tables
from bot.services.reads.past import champions, profiles
from bot.services.reads.past.champions import Champions
from bot.services.reads.past.profiles import Profile
from bot.services.seasons import lifecycle
from bot.services.seats import substitutes
from bot.worker import Worker
from storage.rows import SeasonId
from tests.files import change_by_hand
from tests.services.conftest import ADMIN, ORGANISER, ORGANISER_ROLE, STRANGER, World


async def profile_of(world: World, name: str | None, *, by: Actor = BOT) -> Profile:
    return await world.db.read(profiles.profile, Order(actor=by, now=world.now, league_id=world.league_id), player=name)


async def champions_of(world: World) -> Champions:
    return await world.db.read(champions.champions, Order(actor=BOT, now=world.now, league_id=world.league_id))


@pytest.mark.long
async def test_a_profile_says_what_the_tables_say(world: World) -> None:
    for _ in range(2):
        await world.begin(8, cut=4, rounds=3)
        await world.play_out()
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    view = await world.db.read(tables.standings, order, number=2)
    wins = losses = 0
    for row in view.rows:
        found = await profile_of(world, row.standing.name)
        assert [one.number for one in found.seasons] == [2, 1]
        newest = found.seasons[0]
        line = row.standing
        assert (newest.rank, newest.place, newest.of) == (line.rank, line.place, 8)
        assert newest.tally == Tally(wins=line.wins, losses=line.losses)
        assert newest.champion is (line.rank == 1)
        assert found.ratings[-1].rating == row.rating
        assert sum(one.tally.wins + one.tally.losses for one in found.met) == len(found.ratings)
        wins, losses = wins + found.tally.wins, losses + found.tally.losses
    assert wins == losses
    won = await champions_of(world)
    assert [one.season.number for one in won.won] == [2, 1]
    for one in won.won:
        assert one.champion is not None
        assert one.beaten is not None
        assert one.beaten.name != one.champion.name
        assert one.season.number in (await profile_of(world, one.champion.name)).titles


@pytest.mark.long
async def test_a_profile_is_read_though_the_process_that_tells_careers_was_killed_and_the_next_tells_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(looking_back, "MOST_WHILE_READING", 0)
    await world.begin(4, cut=0, rounds=3)
    worker = Worker()
    read: list[Profile] = []
    for killed in (False, True, False):
        await world.play_round()
        if killed:
            os.kill(await worker.run(os.getpid, seconds=steps.WORKER_SECONDS), signal.SIGKILL)
        order = Order(actor=BOT, now=world.now, league_id=world.league_id)
        read.append(await steps.look_back(world.db, worker, order, profiles.profile, player="dok"))
        warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        assert warnings == ["no careers of league 1"] * killed
        caplog.clear()
    await worker.close()
    assert [found.tally.wins + found.tally.losses for found in read] == [1, 2, 3]
    assert [len(found.ratings) for found in read] == [1, 2, 3]


@pytest.mark.long
async def test_a_record_has_the_finals_while_they_are_played(world: World) -> None:
    await world.begin(8, cut=4, rounds=3)
    for _ in range(4):
        await world.play_round()
    assert (await world.status()).current_round is not None
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    for row in (await world.db.read(tables.standings, order)).rows:
        found = await profile_of(world, row.standing.name)
        assert found.tally.wins + found.tally.losses == sum(one.tally.wins + one.tally.losses for one in found.met)


@pytest.mark.long
async def test_longest_run_and_best_win_are_counted_over_the_seasons(world: World) -> None:
    for _ in range(4):
        await world.begin(4, cut=0, rounds=3)
        for _ in range(3):
            await _dok_wins(world)
    found = await profile_of(world, "dok")
    assert found.longest == 12
    assert found.best is not None
    assert found.best.points is None
    assert found.tally.wins == 12
    loser = await profile_of(world, min(one.opponent.name for one in found.met))
    assert loser.seasons[0].tally.wins < 3


async def _dok_wins(world: World) -> None:
    match = await world.match_of("dok")
    assert match is not None
    await world.lose(match.opponent_of(next(side for side in match.sides if side.name == "dok")).name)
    await world.play_round()


async def test_the_two_of_you_are_seen_from_your_side(world: World) -> None:
    await world.begin(2, "single-elimination")
    match = await world.match_of("dok")
    assert match is not None
    await world.lose("dok")
    mine = await profile_of(world, "Xorlof", by=world.player("dok"))
    assert not mine.own
    assert mine.against_reader == Tally(losses=1)
    assert mine.last is not None
    assert mine.last.result == "Xorlof won"
    own = await profile_of(world, None, by=world.player("dok"))
    assert own.own
    assert own.against_reader is None
    assert (await profile_of(world, "dok", by=STRANGER)).against_reader is None


async def test_the_next_match_is_shown_only_once_it_is_posted_and_until_it_is_reported(world: World) -> None:
    await world.begin(4, rounds=3, advance="manual")
    match = await world.match_of("dok")
    assert match is not None
    found = (await profile_of(world, "dok")).next
    assert found is not None
    [opponent] = [side.name for side in match.sides if side.name != "dok"]
    assert (found.opponent, found.place) == (opponent, "round 1")
    await world.play_round()
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.preview, order)
    assert (await profile_of(world, "dok")).next is None, "a preview"
    await world.db.write(rounds_by_hand.post, order)
    assert (await profile_of(world, "dok")).next is not None


async def test_signed_up_and_never_played(world: World) -> None:
    with pytest.raises(NotFound, match="haven't played"):
        await profile_of(world, None, by=world.player("dok"))
    await world.create()
    await world.sign_up("dok")
    found = await profile_of(world, None, by=world.player("dok"))
    assert (found.seasons, found.ratings, found.signed_up) == ((), (), 1)
    assert (await champions_of(world)).won == ()


async def test_a_substitute_has_their_own_matches_and_the_title_of_the_last_round(world: World) -> None:
    await world.begin(4, "single-elimination")
    winner = await world.match_of("dok")
    assert winner is not None
    await world.lose(winner.opponent_of(next(one for one in winner.sides if one.name == "dok")).name)
    zed_user = world.player("Zed").user_id
    assert zed_user is not None
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    newcomer = Newcomer(discord_id=zed_user, wanted="Zed", display_name="Zed")
    await _agreed(world, substitutes.substitute, order, old="dok", newcomer=newcomer)
    await world.play_round()
    final = await world.match_of("dok")
    assert final is not None
    await world.lose(final.opponent_of(next(one for one in final.sides if one.name == "dok")).name)
    zed, dok = await profile_of(world, "Zed"), await profile_of(world, "dok")
    assert (zed.titles, dok.titles) == ((1,), ())
    assert zed.tally == dok.tally == Tally(wins=1)
    assert zed.seasons[0].shared_with == (dok.player.id,)
    [won] = (await champions_of(world)).won
    assert won.champion is not None
    assert won.champion.called == "Zed (for dok)"


async def test_a_drop_a_season_ended_early_and_one_cancelled(world: World) -> None:
    await world.begin(8, rounds=3, cut=0)
    await _drop(world, "dok")
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await _agreed(world, lifecycle.cancel, order, reason="snow")
    found = await profile_of(world, "dok")
    assert found.seasons[0].phase == "cancelled"
    assert found.seasons[0].rank is None
    assert (await champions_of(world)).won == ()


async def _drop(world: World, name: str) -> None:
    try:
        await world.drop(name)
    except ConfirmationNeeded as question:
        await world.drop(name, agreed=question.token)


async def _agreed(world: World, use_case: Any, order: Order, **given: Any) -> None:
    agreed: str | None = None
    for _ in range(3):
        try:
            await world.db.write(use_case, order, **given, agreed=agreed)
            return
        except ConfirmationNeeded as question:
            agreed = question.token
    raise AssertionError("it asks for ever")


async def test_who_was_forgotten_has_no_profile(world: World) -> None:
    await world.begin(2, "single-elimination")
    await world.lose("dok")
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await _agreed(world, forgetting.forget, order, player="dok")
    other = await profile_of(world, "Xorlof")
    [met] = other.met
    assert met.opponent.name.startswith("Player ")
    with pytest.raises(NotFound, match="asked to be forgotten"):
        await profile_of(world, met.opponent.name)
    with pytest.raises(NotFound, match="asked to be forgotten"):
        await world.db.read(profiles.profile, order, player=met.opponent.id)


@pytest.mark.long
async def test_a_recorded_season_has_results_and_no_places(world: World) -> None:
    await world.begin(4, rounds=3, cut=0)
    await world.play_out()
    with change_by_hand(world.db) as conn:
        conn.execute(
            "UPDATE seasons SET format = 'record', settings = '{}', champion_id = NULL WHERE id = ?", (SeasonId(1),)
        )
    await world.begin(4, rounds=3, cut=0)
    found = await profile_of(world, "dok")
    [new, old] = found.seasons
    assert (old.rank, old.champion) == (None, False)
    assert old.tally.wins + old.tally.losses == 3
    assert new.rank is None, "no result yet"
    [won] = (await champions_of(world)).won
    assert (won.champion, won.beaten) == (None, None)


async def test_a_member_is_found_in_the_league_of_the_channel_or_another(world: World) -> None:
    await world.begin(2, "single-elimination")
    other = await world.db.write(
        set_up.create,
        Order(actor=ADMIN, now=world.now),
        name="Second",
        channel_id=777,
        organiser_role_id=ORGANISER_ROLE,
    )
    dok = world.player("dok").user_id
    assert dok is not None
    order = Order(actor=STRANGER, now=world.now)

    async def league_in(channel: int) -> int | None:
        return await world.db.read(profiles.league_of_member, order, discord_id=dok, channel_id=channel)

    assert await league_in(777) == world.league_id
    second = World(db=world.db, league=other, now=world.now, players=world.players)
    await second.create()
    await second.sign_up("dok")
    assert await league_in(777) == other.id
    assert await league_in(1) == world.league_id
    assert [one.name for one in (await profile_of(world, "dok")).elsewhere] == ["Second"]
    assert await world.db.read(profiles.league_of_member, order, discord_id=5, channel_id=1) is None
