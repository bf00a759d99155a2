"""A round robin with all rounds open at once: many opponents, one deadline, from its sign-ups to its champion."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import Conflict
from bot.league.season.model import Stage
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.order import Order
from bot.services.matches import match_finding, views
from bot.services.matches.match_finding import WhichMatch
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining
from bot.services.play import clearing, deadlines, decisions, reporting
from storage.tables import leagues, rounds
from storage.tables.field import entrants
from tests.examples import mostly_long
from tests.files import look_into
from tests.services.conftest import ADMIN, ORGANISER, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_round_robin import file_of

OPEN: dict[str, Any] = {"schedule": "open"}


async def begin(world: World, count: int = 10, **settings: Any) -> None:
    await world.begin(count, "round-robin", **{"group_size": 5, **OPEN, **settings})


async def to_play(world: World) -> Sequence[MatchView]:
    view = (await world.status()).current_round
    return () if view is None else view.missing


async def lose(world: World, view: MatchView, name: str | None = None) -> None:
    name = name or view.lower.name
    await world.db.write(
        reporting.report, Order(actor=world.player(name), now=world.now), match=view.match.id, result="lost"
    )


async def play(world: World, chance: Random) -> None:
    """Play all matches of a season, in any order, until it's over."""
    for _ in range(500):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            return
        view = chance.choice(await to_play(world))
        await lose(world, view, chance.choice(view.sides).name)
    raise AssertionError("the season doesn't end")


async def open_of(world: World, name: str) -> tuple[MatchView, ...]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        entrant = entrants.by_name(conn, season_id, name)
        assert entrant is not None
        return views.open_matches(conn, entrant.id)


def opponent(view: MatchView) -> str:
    """Return who dok plays in a match."""
    return view.upper.name if view.lower.name == "dok" else view.lower.name


@pytest.mark.long
@pytest.mark.parametrize("seed", mostly_long(range(3)))
async def test_matches_are_played_in_any_order_and_the_finals_follow(world: World, seed: int) -> None:
    await begin(world)
    assert [row.phase for row in await rows(world)] == [RoundPhase.OPEN] * 5
    assert len(await to_play(world)) == 20
    assert (len(await open_of(world, "dok"))) == 4
    await play(world, Random(seed))
    played = await file_of(world)
    assert verify(played).agrees
    assert [round_.stage for round_ in played.rounds].count(Stage.REGULAR) == 5


async def rows(world: World) -> Sequence[Any]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return rounds.of_season(conn, season_id)


@pytest.mark.long
async def test_a_name_says_which_match_and_nothing_asks_which(world: World) -> None:
    await begin(world)
    opponents = [
        view.upper.name if view.lower.name == "dok" else view.lower.name for view in await open_of(world, "dok")
    ]
    order = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    with pytest.raises(WhichMatch, match="You have 4 open matches") as asked:
        await world.db.write(reporting.report, order, result="won")
    assert [opponent(view) for view in asked.value.candidates] == opponents
    said = await world.db.write(reporting.report, order, result="won", match=opponents[2])
    assert said.match.match.state is MatchState.REPORTED
    other = Order(actor=world.player(opponents[2]), now=world.now, league_id=world.league_id)
    confirmed = await world.db.write(reporting.confirm, other)  # one report waits: that one is meant
    assert confirmed.match.match.state is MatchState.CONFIRMED
    with pytest.raises(WhichMatch, match="3 open matches"):
        await world.db.read(match_finding.match_meant, order, match=None)


async def test_all_rounds_have_one_deadline(world: World) -> None:
    await begin(world, round_days=7)
    assert {row.deadline for row in await rows(world)} == {world.now + timedelta(days=35)}
    assert await world.posts("round") == ()
    assert {post.round_id for post in await world.posts("group")} == {(await rows(world))[0].id}


async def test_organisers_choose_the_deadline_of_all_rounds(world: World) -> None:
    await begin(world, stage_ends="2026-12-20 21:00")
    (deadline,) = {row.deadline for row in await rows(world)}
    assert deadline == datetime.fromisoformat("2026-12-20 21:00+00:00")


@pytest.mark.long
async def test_more_time_is_for_all_rounds_or_for_one_match(world: World) -> None:
    await begin(world)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    before = (await rows(world))[0].deadline
    await world.db.write(rounds_by_hand.extend, order, days=3)
    assert {row.deadline for row in await rows(world)} == {before + timedelta(days=3)}
    view = (await open_of(world, "dok"))[2]
    await world.db.write(rounds_by_hand.extend, order, days=2, match=view.code)
    assert {match.deadline for match in await open_of(world, "dok")} == {
        before + timedelta(days=3),
        before + timedelta(days=5),
    }


@pytest.mark.long
async def test_who_leaves_forfeits_all_matches_and_who_is_back_has_exactly_those_again(world: World) -> None:
    await begin(world)
    first, *others = await open_of(world, "dok")
    await lose(world, first, first.opponent_of(first.side_of(world.player("dok").user_id) or first.upper).name)
    dropped = await world.drop("dok")
    assert {view.match.id for view in dropped.forfeited} == {view.match.id for view in others}
    (gone,) = (await file_of(world)).departures
    assert (gone.round, gone.after_pairing) == (5, True)
    assert verify(await file_of(world)).agrees
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rejoining.reinstate, order, player="dok", reason="a mistake")
    assert {view.match.id for view in await open_of(world, "dok")} == {view.match.id for view in others}
    await play(world, Random(1))
    assert verify(await file_of(world)).agrees


@pytest.mark.long
async def test_all_is_undone_before_the_first_report_only(world: World) -> None:
    await begin(world)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.undo, order)
    assert not await rows(world)
    await world.drop("dok")
    preview = await world.db.write(rounds_by_hand.preview, order)
    assert (preview.round.name, len(preview.matches)) == ("Rounds 1 to 5", 16)
    await world.db.write(rounds_by_hand.post, order)
    await lose(world, (await to_play(world))[7])
    with pytest.raises(Conflict, match="There are results in the regular rounds"):
        await world.db.write(rounds_by_hand.undo, order)
    await play(world, Random(2))
    assert verify(await file_of(world)).agrees


@pytest.mark.long
@pytest.mark.parametrize("overdue", ["moderators", "double_loss", "extend"])
async def test_the_deadline_is_one_for_all_and_waits_for_reports(world: World, overdue: str) -> None:
    await begin(world, overdue=overdue)
    view = (await open_of(world, "dok"))[0]
    order = Order(actor=world.player("dok"), now=world.now)
    await world.db.write(reporting.report, order, match=view.match.id, result="won")
    row = (await rows(world))[2]
    world.later(days=36)
    assert await world.db.write(deadlines.pass_deadline, row.id, world.now)
    with look_into(world.db) as conn:
        assert not [other for other in await rows(world) if deadlines.late(conn, other.id, world.now)]
    waiting = await to_play(world)
    assert len(waiting) == (1 if overdue == "double_loss" else 20)
    assert [post.kind for post in await world.posts("overdue")] == ["overdue"] * (overdue == "moderators")
    if overdue == "extend":
        assert len({other.deadline for other in await rows(world)}) == 1


@pytest.mark.long
async def test_what_is_overdue_of_a_stage_is_edited_as_matches_of_its_later_rounds_are_decided(world: World) -> None:
    await begin(world, overdue="moderators")
    world.later(days=36)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("overdue")) == 1
    await world.announce()
    for view in [view for view in await to_play(world) if view.round.number in (1, 3, 5)][::5]:
        order = Order(actor=ORGANISER, now=world.later(minutes=20))
        await world.db.write(decisions.decide, order, match=view.match.id, outcome=Outcome.DOUBLE_LOSS, reason="time")
        (post,) = await world.posts("overdue")
        shown = await world.shown(post)
        assert view.match.id not in [late.match.id for late in shown.view.matches]
        await world.announce()
        assert await world.posts("overdue") == ()


@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("number", mostly_long([3, 1, 5]))
async def test_a_cleared_match_of_any_round_is_played_again(world: World, number: int, closed: bool) -> None:
    """After the rounds had ended at once, that of the match was open alone: nobody could see or report the match."""
    await begin(world, advance="manual")
    while views_left := await to_play(world):
        await lose(world, views_left[-1])
    row = (await rows(world))[number - 1]
    with look_into(world.db) as conn:
        first, *_ = views.round_view(conn, row.id).matches
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    if closed:
        await world.db.write(rounds_by_hand.close, order)
    await world.db.write(clearing.clear, order, match=first.match.id, reason="wrong")
    assert [view.match.id for view in await to_play(world)] == [first.match.id]
    await lose(world, first)
    await world.db.write(rounds_by_hand.close, order)
    assert {other.phase for other in await rows(world)} == {RoundPhase.CLOSED}
    await world.db.write(rounds_by_hand.post, order)
    assert (await world.status()).season.phase is SeasonPhase.FINALS


@pytest.mark.long
async def test_a_running_season_comes_in_from_a_file_and_goes_on(world: World) -> None:
    await begin(world)
    for view in (await to_play(world))[::3]:
        await lose(world, view)
    before = await file_of(world)
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    with look_into(world.db) as conn:
        world.league = leagues.get(conn, copy)
    assert len(await to_play(world)) == 13
    while view := next(iter(await to_play(world)), None):
        order = Order(actor=ADMIN, now=world.now, league_id=copy)
        await world.db.write(decisions.decide, order, match=view.match.id, outcome=Outcome.UPPER, reason="played")
    after = await file_of(world)
    assert verify(after).agrees
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    assert [entrant.name for entrant in before.entrants] == [entrant.name for entrant in after.entrants]


@pytest.mark.parametrize(
    ("settings", "refused"),
    [
        ({**OPEN, "pace": "live"}, "Pace: a live event"),
        ({**OPEN, "round_ends": "sunday 21:00"}, "Rounds end: "),
        ({**OPEN, "lists": {"per": "round"}}, "Lists: "),
        ({**OPEN, "match_places": "private"}, "Match places: "),
        ({**OPEN, "stage_ends": "2026-11-01 10:00"}, "Stage ends: that is before the season starts"),
        ({"stage_ends": "2026-12-20 10:00"}, "Stage ends is for seasons"),
    ],
)
async def test_what_rounds_that_are_all_open_do_not_go_with_is_said(
    world: World, settings: dict[str, Any], refused: str
) -> None:
    with pytest.raises(Conflict, match=refused):
        await world.create("round-robin", **settings)


async def test_a_stage_of_one_round_is_posted_from_its_preview(world: World) -> None:
    await begin(world, 4, group_size=3)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.undo, order)
    await world.db.write(rounds_by_hand.preview, order)
    posted = await world.db.write(rounds_by_hand.post, order)
    assert posted is not None
    assert (posted.round.phase, len(posted.matches)) == (RoundPhase.OPEN, 2)
