"""Earlier rounds that are open again because a player is back: the last one goes on beside them and waits for them."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, WrongPhase
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, live, read_transaction
from bot.services.matches import match_finding
from bot.services.matches.match_finding import WhichMatch
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining
from bot.services.play import deadlines, reporting
from bot.services.play.possible_results import what_follows
from bot.services.reads import my_match
from bot.services.seasons.season_dates import season_dates
from bot.services.times import calendars
from storage.database import Connection
from storage.rows import RoundRow
from storage.tables import rounds
from tests.checker.engines import answered, difference
from tests.files import look_into
from tests.services.conftest import ADMIN, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_open_rounds import lose, open_of, rows, to_play
from tests.services.play.test_round_robin import ROUND_ROBIN, drop, file_of, record, reinstate


def order(world: World) -> Order:
    return Order(actor=ADMIN, now=world.now, league_id=world.league_id)


async def begin(world: World, *, played: int = 2, **settings: Any) -> None:
    """Let dok leave in round 1, so many rounds be played without them, and come back."""
    await world.begin(6, "round-robin", **{"cut": 0, **settings})
    await drop(world, "dok")
    for _ in range(played):
        await world.play_round()


async def phases(world: World) -> list[RoundPhase]:
    return [row.phase for row in await rows(world)]


@pytest.mark.long
async def test_who_is_back_is_asked_which_match_and_reports_each(world: World) -> None:
    await begin(world)
    await reinstate(world, "dok")
    back = await open_of(world, "dok")
    assert [view.round.number for view in back] == [1, 2, 3]
    asking = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    with pytest.raises(WhichMatch, match="You have 3 open matches"):
        await world.db.read(match_finding.match_meant, asking, match=None)
    mine = await world.db.read(my_match.my_match, asking)
    assert mine.several is not None
    assert mine.what_to_do == "0 of 3 played, 3 left."
    for view in back:
        await lose(world, view, "dok")
    assert await open_of(world, "dok") == ()


@pytest.mark.long
async def test_who_has_only_the_match_of_the_last_round_sees_that_alone(world: World) -> None:
    await begin(world)
    await reinstate(world, "dok")
    earlier = {side.name for view in (await open_of(world, "dok"))[:2] for side in view.sides}
    name = next(side.name for view in await to_play(world) for side in view.sides if side.name not in earlier)
    mine = await world.db.read(
        my_match.my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id)
    )
    assert (mine.several, mine.match is not None) == (None, True)


@pytest.mark.long
async def test_the_last_round_waits_and_then_all_of_them_end_with_it(world: World) -> None:
    await begin(world)
    await reinstate(world, "dok")
    await world.play_round()
    assert await phases(world) == [RoundPhase.OPEN] * 3
    *first, last = await to_play(world)
    for view in first:
        await lose(world, view)
    assert len(await rows(world)) == 3
    said = await world.db.write(
        reporting.report, Order(actor=world.player(last.lower.name), now=world.now), match=last.match.id, result="lost"
    )
    assert said.started == "started round 4"
    assert await phases(world) == [*[RoundPhase.CLOSED] * 3, RoundPhase.OPEN]
    assert not any(row.together for row in await rows(world))
    await world.play_out()
    file = await file_of(world)
    assert verify(file).agrees
    assert {match.kind for round_ in file.rounds for match in round_.matches} == {Kind.PLAYED}
    table = {row.name: row for row in ROUND_ROBIN.standings(file)}
    assert table["dok"].wins + table["dok"].losses == 5


@pytest.mark.long
async def test_everyone_of_these_matches_is_told_until_when_they_have_time(world: World) -> None:
    await begin(world, round_days=7)
    await world.announce()
    world.later(days=3)
    await reinstate(world, "dok")
    told = [post for post in await world.posts("open-again") if "dok is back" in str(post.facts["text"])]
    until = [int((world.now + timedelta(days=days)).timestamp()) for days in (7, 7, 4)]
    assert [post.facts["until"] for post in told] == until
    assert all(len(post.facts["pings"]) == 2 for post in told)


@pytest.mark.long
async def test_nobody_is_reminded_at_once_and_who_is_late_goes_to_the_moderators(world: World) -> None:
    await begin(world, round_days=7)
    world.later(days=3)
    await reinstate(world, "dok")
    (early, *_) = await rows(world)
    assert not await world.db.write(deadlines.remind, early.id, world.now)
    assert await world.db.write(deadlines.remind, early.id, world.later(days=6, hours=1))
    reminded = [match for post in await world.posts("reminder") for match in post.facts["matches"]]
    assert {view.match.id for view in (await open_of(world, "dok"))[:2]} <= set(reminded)
    assert await world.db.write(deadlines.pass_deadline, early.id, world.later(days=1))
    overdue = [view.round.number for view in await to_play(world) if view.match.overdue_at is not None]
    assert overdue[:2] == [1, 2]


@pytest.mark.long
async def test_one_press_gives_all_that_are_open_more_time(world: World) -> None:
    await begin(world, round_days=7)
    world.later(days=3)
    await reinstate(world, "dok")
    await world.db.write(rounds_by_hand.extend, order(world), days=2)
    assert {row.deadline for row in await rows(world)} == {world.now + timedelta(days=9)}


@pytest.mark.long
async def test_more_time_for_all_takes_none_from_a_round_that_was_opened_later(world: World) -> None:
    await world.begin(6, "round-robin", cut=0, round_days=7)
    names = [view.upper.name for view in await to_play(world)][:2]
    await drop(world, names[0])
    await world.play_round()
    await drop(world, names[1])
    await world.play_round()
    await reinstate(world, names[0])
    world.later(days=3)
    await reinstate(world, names[1])
    before = [row.deadline for row in await rows(world)]
    assert len(set(before)) > 1
    await world.db.write(rounds_by_hand.extend, order(world), days=1)
    assert {row.deadline for row in await rows(world)} == {world.now + timedelta(days=8)}


@pytest.mark.long
async def test_a_round_that_is_over_gets_longer_and_those_open_beside_it_keep_their_deadline(world: World) -> None:
    await begin(world, round_days=7, overdue="extend")
    world.later(days=3)
    await reinstate(world, "dok")
    *first, last = [row.deadline for row in await rows(world)]
    late = {side.discord_id for view in await to_play(world) if view.round.number == 3 for side in view.sides}
    world.later(days=4, hours=1)
    await steps.tick(world.db, world.now)
    assert [row.deadline for row in await rows(world)] == [*first, last + timedelta(days=7)]
    (told,) = [post for post in await world.posts("notice") if "more days" in str(post.facts["text"])]
    assert str(told.facts["text"]).startswith("7 more days for these matches of the regular rounds. Still to play: ")
    assert set(told.facts["pings"]) == late


@pytest.mark.long
async def test_dates_calendars_and_what_follows_go_by_the_last_round(world: World) -> None:
    await begin(world, round_days=7)
    world.later(days=3)
    await reinstate(world, "dok")
    until = world.now + timedelta(days=7)
    dates = await world.db.read(lambda conn: season_dates(looking(conn, world)))
    assert [date.name for date in dates.rounds] == ["Round 3", "Round 4", "Round 5"]
    assert dates.rounds[0].by == until
    _, entries = await world.db.write(calendars.of_season, order(world))
    for number in (1, 2, 3):
        assert [entry for entry in entries if entry.summary.startswith(f"Deadline: round {number} ")]
    *others, last = await to_play(world)
    for view in others:
        await lose(world, view)
    follows = await world.db.read(lambda conn: what_follows(looking(conn, world), last, world.now))
    assert follows == "starts round 4"


def looking(conn: Connection, world: World) -> ReadTransaction:
    """Return a look at the season that is played."""
    return read_transaction(conn, order(world), live)


@pytest.mark.long
async def test_undoing_takes_the_last_round_back_alone(world: World) -> None:
    await begin(world)
    await reinstate(world, "dok")
    await world.db.write(rounds_by_hand.undo, order(world))
    assert await phases(world) == [RoundPhase.OPEN] * 2
    with pytest.raises(Conflict, match="There are results in round 2"):
        await world.db.write(rounds_by_hand.undo, order(world))
    for view in await to_play(world):
        await lose(world, view)
    assert await phases(world) == [RoundPhase.CLOSED, RoundPhase.CLOSED, RoundPhase.OPEN]


@pytest.mark.long
@pytest.mark.parametrize("previewed", [False, True])
async def test_a_round_that_has_ended_is_open_with_the_earlier_ones_before_the_next(
    world: World, previewed: bool
) -> None:
    await begin(world, played=0, advance="manual")
    await world.play_round()
    await world.db.write(rounds_by_hand.post, order(world))
    await world.play_round()
    await world.db.write(rounds_by_hand.close, order(world))
    if previewed:
        await world.db.write(rounds_by_hand.preview, order(world))
    await reinstate(world, "dok")
    assert await phases(world) == [RoundPhase.OPEN] * 2
    with pytest.raises(WrongPhase, match="Results are missing in the regular rounds"):
        await world.db.write(rounds_by_hand.preview, order(world))
    gone = [text for text in await world.notices() if "The preview of round 3 is gone" in text]
    assert len(gone) == previewed
    for view in await to_play(world):
        await lose(world, view)
    await world.db.write(rounds_by_hand.post, order(world))
    assert await phases(world) == [RoundPhase.CLOSED, RoundPhase.CLOSED, RoundPhase.OPEN]


@pytest.mark.long
async def test_the_end_of_the_stage_waits_too_and_the_finals_follow(world: World) -> None:
    await begin(world, played=0, cut=2, advance="manual")
    for _ in range(4):
        await world.play_round()
        await world.db.write(rounds_by_hand.post, order(world))
    await world.play_round()
    await world.db.write(rounds_by_hand.close, order(world))
    await reinstate(world, "dok")
    assert (await world.status()).season.phase is SeasonPhase.RUNNING
    assert [view.round.number for view in await to_play(world)] == [1, 2, 3, 4, 5]
    for view in await to_play(world):
        await lose(world, view, other(view))
    await world.db.write(rounds_by_hand.post, order(world))
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    assert any("dok" in match.players for match in (await record(world)).rounds[-1].matches)


def other(view: MatchView) -> str:
    return next(side.name for side in view.sides if side.name != "dok")


@pytest.mark.long
async def test_leaving_again_forfeits_the_same_matches(world: World) -> None:
    await begin(world)
    before = (await record(world)).rounds
    await reinstate(world, "dok")
    await drop(world, "dok")
    assert (await record(world)).rounds == before
    assert verify(await file_of(world)).agrees


@pytest.mark.long
async def test_both_engines_read_the_file_and_it_goes_on_elsewhere(world: World) -> None:
    await begin(world)
    await reinstate(world, "dok")
    text = await exported(world, world.league_id)
    (answer,) = answered([text])
    assert difference(text, answer) is None
    copy = await imported(world, json.loads(text))
    season = await open_rounds(world, copy)
    assert [(row.number, row.together) for row in season] == [(1, True), (2, True), (3, True)]
    again = json.loads(await exported(world, copy))
    assert again["rounds"] == json.loads(text)["rounds"]
    told = [str(post.facts["text"]) for post in await world.posts("open-again")]
    assert [text for text in told if "still open" in text] == [
        f"Your match of round {number} is still open. Play your match and report it." for number in (1, 2)
    ]


async def test_who_is_back_plays_what_leaving_cost_them_in_a_season_that_was_imported(world: World) -> None:
    await begin(world)
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    for league_id in (world.league_id, copy):
        back = Order(actor=ADMIN, now=world.now, league_id=league_id)
        await world.db.write(rejoining.reinstate, back, player="dok", reason="is back")
    assert [row.number for row in await open_rounds(world, copy)] == [1, 2, 3]
    ours, theirs = [json.loads(await exported(world, league_id)) for league_id in (world.league_id, copy)]
    assert theirs | {"league": ours["league"]} == ours


async def open_rounds(world: World, league_id: int) -> Sequence[RoundRow]:
    with look_into(world.db) as conn:
        (season,) = conn.execute("SELECT id FROM seasons WHERE league_id = ?", (league_id,)).fetchone()
        return rounds.open_rounds(conn, season)


async def test_an_opponent_who_left_later_loses_instead(world: World) -> None:
    await begin(world, played=0)
    opponent = next(match.winner for match in (await record(world)).rounds[0].matches if "dok" in match.players)
    assert opponent is not None
    await world.play_round()
    await drop(world, opponent)
    await reinstate(world, "dok")
    (first,) = [match for match in (await record(world)).rounds[0].matches if "dok" in match.players]
    assert (first.kind, first.winner) == (Kind.FORFEIT, "dok")
    assert MatchState.OPEN not in {view.match.state for view in await open_of(world, opponent)}
