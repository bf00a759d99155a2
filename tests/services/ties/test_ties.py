"""Ties in a Lightseekers season: asked about, decided each way, and verified outside."""

import json
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.season.model import Kind, Name, Stage, Status
from bot.league.season.phases import SeasonPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.matches.outcome import read_outcome
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand
from bot.services.people import moving_up_answers, removing
from bot.services.play import clearing, decisions, reporting
from bot.services.play.field.moving_up import MovingUpPost
from bot.services.reads import inbox, looking_ahead, my_match, overview, tables
from bot.services.reads.board import BoardPost
from bot.services.seasons import lifecycle, pausing
from bot.services.ties import tie_decisions
from bot.services.ties.tie_posts import TieMatchPost, TiePost
from storage.rows import Settled, TieRow
from storage.tables import seasons, ties
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.seats.test_seats import substitute

PLAYERS = 6
"""After one round that everybody wins or loses 2-0, three are equal on top and three at the bottom."""


async def begin(world: World, **settings: object) -> None:
    await world.begin(PLAYERS, "lightseekers-swiss", **{"rounds": 1, "cut": 2, **settings})


async def current(world: World) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))


async def play_level(world: World) -> RoundView:
    """Let the upper player win every match 2-0, so that all winners are equal."""
    view = await current(world)
    for match in view.matches:
        order = Order(actor=world.player(match.lower.name), now=world.now)
        await world.db.write(reporting.report, order, match=match.match.id, result="lost", score="0-2")
    return view


async def waiting(world: World) -> tuple[TieRow, ...]:
    return await world.db.write(tie_decisions.waiting, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))


async def tied(world: World, **settings: object) -> TieRow:
    """Play to the tie of three for two places."""
    await begin(world, **settings)
    await play_level(world)
    [tie] = await waiting(world)
    return tie


async def finalists(world: World) -> set[str]:
    view = await current(world)
    assert view.round.stage is Stage.FINALS
    return {side.name for match in view.matches for side in match.sides}


async def require_verified(world: World) -> None:
    text = (
        await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    ).text
    checks = verify(reading.read(text.encode()))
    assert checks.agrees, checks.lines()
    assert all("as the rules say" in line for line in checks.lines())


async def test_the_finals_wait_for_the_organiser(world: World) -> None:
    tie = await tied(world)
    assert (tie.first, tie.going_on, len(tie.names)) == (1, 2, 3)
    assert (await current(world)).round.stage is Stage.REGULAR
    [post] = await world.posts("tie")
    assert post.target == "moderation"
    facts = await world.shown(post)
    assert isinstance(facts, TiePost)
    assert all(name in facts.text for name in tie.names)
    assert facts.silent_at == world.now + timedelta(hours=24)
    assert "/round tiebreak" in (await world.status()).next_step
    waiting = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    assert [row.id for row in waiting.rows("ties")] == [tie.id]
    for _ in range(3):
        await steps.tick(world.db, world.later(hours=1))
    assert (await current(world)).round.stage is Stage.REGULAR
    assert len(await world.posts("tie")) == 1


async def test_the_board_says_that_a_tie_waits_until_it_is_settled(world: World) -> None:
    await begin(world)
    await world.announce()
    await play_level(world)
    (board,) = await world.posts("board")
    facts = await world.shown(board)
    assert isinstance(facts, BoardPost)
    assert facts.decision.endswith("the finals have room for 2. An organiser settles that.")
    await world.announce()
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    facts = await world.shown((await world.posts("board"))[0])
    assert isinstance(facts, BoardPost)
    assert facts.decision == ""


async def test_an_order_decides_who_enters_and_as_which_seed(world: World) -> None:
    tie = await tied(world)
    last, first, _ = tie.names
    settled = await world.db.write(
        tie_decisions.order,
        Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
        named=f" {first} ,{last}",
        reason="deck",
    )
    assert (settled.how, settled.names[:2]) == ("order", (first, last))
    view = await current(world)
    assert [side.name for side in view.matches[0].sides] == [first, last]
    assert any("The organiser decided (deck)" in text for text in await world.notices())
    await require_verified(world)
    over = await world.play_out()
    assert over.champion == first
    await require_verified(world)
    assert any(row.action == "round.tiebreak" and row.reason == "deck" for row in await world.audit())


async def test_the_draw_decides_when_an_organiser_says_so(world: World) -> None:
    tie = await tied(world)
    [settled] = await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    assert (settled.how, settled.names) == ("draw", tie.names)
    assert await finalists(world) == set(tie.names[:2])
    await require_verified(world)


async def test_silence_takes_the_draw(world: World) -> None:
    tie = await tied(world, confirm_hours=5)
    await world.announce()
    await steps.tick(world.db, world.later(hours=4))
    assert (await current(world)).round.stage is Stage.REGULAR
    assert await steps.tick(world.db, world.later(hours=1)) > 0
    assert await finalists(world) == set(tie.names[:2])
    await require_verified(world)


async def test_a_tie_break_match_is_seated_by_the_draw_and_its_result_is_an_order(world: World) -> None:
    tie = await tied(world)
    [called] = await world.db.write(
        tie_decisions.call_match, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    [post] = await world.posts("tie-match")
    assert post.target == "league"
    facts = await world.shown(post)
    assert isinstance(facts, TieMatchPost)
    assert {text for _, text in facts.seats} == {f"1/1/seat/{name}" for name in tie.names}
    assert set(facts.ping_ids) == {world.player(name).user_id for name in tie.names}
    with pytest.raises(Conflict, match="called already"):
        await world.db.write(tie_decisions.call_match, Order(actor=ORGANISER, now=world.now), tie_id=called.id)
    # A match takes as long as it takes.
    await steps.tick(world.db, world.later(days=3))
    assert (await current(world)).round.stage is Stage.REGULAR
    order = ", ".join(reversed(tie.names))
    settled = await world.db.write(
        tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=order
    )
    assert (settled.how, settled.names) == ("match", tuple(reversed(tie.names)))
    assert await finalists(world) == set(tie.names[1:])
    assert any("The tie-break match decided" in text for text in await world.notices())
    await require_verified(world)


async def test_without_finals_the_first_place_is_asked_about_alone(world: World) -> None:
    tie = await tied(world, cut=0)
    assert (tie.first, tie.going_on) == (1, 0)
    assert (await world.status()).season.phase is SeasonPhase.RUNNING
    await world.db.write(tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=tie.names[2])
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    table = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert [row.standing.name for row in table.rows][:3] == [tie.names[2], *tie.names[:2]]
    with pytest.raises(LeagueError):
        await waiting(world)


async def test_two_ties_are_settled_one_after_the_other(world: World) -> None:
    await begin(world, cut=4)
    await play_level(world)
    upper, lower = await waiting(world)
    assert (upper.first, lower.first) == (1, 4)
    third = lower.names[2]
    await world.db.write(
        tie_decisions.order, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), named=third
    )
    assert (await current(world)).round.stage is Stage.REGULAR
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert await finalists(world) == {*upper.names, third}
    await require_verified(world)


async def test_all_ties_take_the_draw_or_a_match_at_once(world: World) -> None:
    await begin(world, cut=4)
    await play_level(world)
    upper, lower = await waiting(world)
    await world.db.write(tie_decisions.call_match, Order(actor=ORGANISER, now=world.now), tie_id=lower.id)
    called = await world.db.write(
        tie_decisions.call_match, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    assert [tie.id for tie in called] == [upper.id]
    settled = await world.db.write(
        tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    assert [tie.id for tie in settled] == [upper.id, lower.id]
    assert await finalists(world) == {*upper.names, lower.names[0]}
    await require_verified(world)


async def test_who_leaves_meanwhile_is_asked_about_no_more(world: World) -> None:
    tie = await tied(world, cut=0)
    await world.drop(tie.names[0])
    [left] = await waiting(world)
    assert (left.id != tie.id, left.names) == (True, tie.names[1:])
    with pytest.raises(Conflict, match="settled"):
        await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=left.id)
    await require_verified(world)


async def below_the_cut(world: World) -> TieRow:
    """Post finals of the three winners, and let one of them leave: one of three equals moves up."""
    first = await tied(world, cut=3)
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=first.id)
    await world.drop(first.names[0])
    [tie] = await waiting(world)
    assert (tie.first, tie.going_on) == (3, 3)
    return tie


async def test_an_organiser_decides_who_of_equals_moves_up_before_anyone_is_asked(world: World) -> None:
    tie = await below_the_cut(world)
    assert [post.kind for post in await world.posts() if post.kind in ("tie", "moving-up")] == ["tie", "tie"]
    named = tie.names[2]
    await world.db.write(tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=named)
    [asked] = await world.posts("moving-up")
    facts = await world.shown(asked)
    assert isinstance(facts, MovingUpPost)
    assert facts.player.name == named
    await world.move_up()
    assert named in await finalists(world)


@pytest.mark.long
async def test_who_of_equals_moves_up_is_drawn_where_no_organiser_answers(world: World) -> None:
    tie = await below_the_cut(world)
    await world.announce()
    await steps.tick(world.db, world.later(hours=25))
    await world.move_up()
    assert tie.names[0] in await finalists(world)


async def test_a_tie_is_about_other_places_once_a_player_above_has_left(world: World) -> None:
    await begin(world, cut=4)
    await play_level(world)
    left, tie = await waiting(world)
    assert (tie.first, tie.going_on) == (4, 4)
    await world.drop(left.names[0])
    now = (await waiting(world))[-1]
    assert (now.id, now.first) == (tie.id, 3)


async def test_a_correction_can_end_a_tie(world: World) -> None:
    tie = await tied(world)
    view = await current(world)
    match = next(match for match in view.matches if tie.names[0] in (match.upper.name, match.lower.name))
    says = {"actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "seen"}
    await do(
        decisions.decide, db=world.db, outcome=read_outcome(match, tie.names[0]), score="2-1", kind=Kind.PLAYED, **says
    )
    assert await finalists(world) == set(tie.names[1:])
    assert await world.posts("tie")
    await require_verified(world)


async def test_a_result_taken_back_ends_the_question_and_its_time(world: World) -> None:
    tie = await tied(world)
    view = await current(world)
    world.later(hours=23)
    match = view.matches[0]
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=match.match.id, reason="seen")
    with pytest.raises(WrongPhase, match="no tie"):
        await waiting(world)
    await world.db.write(
        reporting.report,
        Order(actor=world.player(match.lower.name), now=world.now),
        match=match.match.id,
        result="lost",
        score="0-2",
    )
    [again] = await waiting(world)
    assert (again.names, again.asked_at, again.id != tie.id) == (tie.names, world.now, True)
    await steps.tick(world.db, world.later(hours=2))
    assert (await current(world)).round.stage is Stage.REGULAR


async def test_the_season_goes_on_only_by_an_answer(world: World) -> None:
    await begin(world, advance="manual")
    await play_level(world)
    for act in (rounds_by_hand.post, rounds_by_hand.close):
        with pytest.raises(Conflict, match="/round tiebreak"):
            await world.db.write(act, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    draft = await world.db.write(
        rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    assert draft.round.stage is Stage.FINALS
    [tie] = await waiting(world)
    status = await world.db.read(
        overview.status, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), number=None
    )
    assert "/round tiebreak settles that" in status.next_step
    await world.db.write(
        tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=", ".join(tie.names[::-1])
    )
    posted = await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert {side.name for side in posted.matches[0].sides} == set(tie.names[1:])
    with pytest.raises(WrongPhase, match="finals have begun"):
        await waiting(world)
    await require_verified(world)


async def taken_back(world: World) -> TieRow:
    """Decide a tie of three for two places by the draw, post the final, and take it back."""
    tie = await tied(world, advance="manual")
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    who = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.post, who)
    await world.db.write(rounds_by_hand.undo, who, reason="a mistake")
    with pytest.raises(WrongPhase, match=f"no tie.*Decided: {', then '.join(tie.names)}.*another order"):
        await waiting(world)
    return tie


@pytest.mark.long
async def test_a_taken_back_final_can_be_seeded_otherwise(world: World) -> None:
    tie = await taken_back(world)
    who = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(tie_decisions.order, who, named=f"{tie.names[2]}, {tie.names[1]}")
    await world.db.write(rounds_by_hand.post, who)
    assert await finalists(world) == set(tie.names[1:])
    with pytest.raises(WrongPhase, match="finals have begun"):
        await world.db.write(tie_decisions.order, who, named=tie.names[0])
    await require_verified(world)


@pytest.mark.long
async def test_an_order_decides_nothing_about_others_who_are_equal_after_a_correction(world: World) -> None:
    tie = await taken_back(world)
    view = await current(world)
    match = next(match for match in view.matches if tie.names[0] in (match.upper.name, match.lower.name))
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "seen"}
    await do(decisions.decide, **who, outcome=read_outcome(match, match.lower.name), score="2-0", kind=Kind.PLAYED)
    assert any("doesn't count any more" in text for text in await world.notices())
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    with pytest.raises(Conflict, match="/round tiebreak"):
        await world.db.write(rounds_by_hand.post, organiser)
    [now] = await waiting(world)
    assert set(now.names) == {match.lower.name, *tie.names[1:]}
    await world.db.write(tie_decisions.order, organiser, named=match.lower.name)
    await world.db.write(rounds_by_hand.post, organiser)
    assert match.lower.name in await finalists(world)
    await require_verified(world)


async def test_an_order_stays_where_a_correction_changes_nothing_about_those_who_are_equal(world: World) -> None:
    tie = await tied(world, advance="manual")
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    match = (await current(world)).matches[0]
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "seen"}
    await do(decisions.decide, **who, outcome=read_outcome(match, match.upper.name), score="2-0", kind=Kind.ADJUDICATED)
    with pytest.raises(WrongPhase, match=r"no tie.*Decided"):
        await waiting(world)


async def test_an_order_counts_no_more_in_a_season_that_is_over_as_the_look_at_a_correction_says(world: World) -> None:
    tie = await tied(world, cut=0)
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    last = tie.names[-1]
    await world.db.write(tie_decisions.order, organiser, named=last)
    wrong = next(match for match in (await current(world)).matches if match.upper.name != last)
    said: Any = {"match": wrong.match.id, "outcome": read_outcome(wrong, wrong.lower.name), "score": "2-0"}
    look = await world.db.read(decisions.decide_preview, organiser, **said)
    await world.db.write(decisions.decide, organiser, **said, reason="a typo")
    champion = (await world.status()).champion
    assert champion != last
    assert f"The champion is {champion}." in look.effects
    export = await world.db.read(exporting.export, organiser)
    checks = verify(reading.read(export.text.encode()))
    assert checks.agrees
    assert any("counts for nothing" in line for line in checks.lines())


async def test_an_order_of_some_tells_where_one_of_the_equals_stands_who_left(world: World) -> None:
    tie = await tied(world, cut=0, advance="manual")
    await world.drop(tie.names[0])
    [left] = await waiting(world)
    assert left.names == tie.names[1:]
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(tie_decisions.order, organiser, named=left.names[1])
    await require_verified(world)
    export = await world.db.read(exporting.export, organiser)
    [decision] = reading.read(export.text.encode()).decisions
    assert decision.order == (left.names[1], left.names[0], tie.names[0])


@pytest.mark.long
async def test_each_tie_has_its_own_order_and_a_correction_takes_back_those_it_changes(world: World) -> None:
    await begin(world, cut=4, advance="manual")
    view = await play_level(world)
    first, second = await waiting(world)
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    for tie in (first, second):
        await world.db.write(tie_decisions.order, organiser, named=", ".join(reversed(tie.names)), tie_id=tie.id)
    export = await world.db.read(exporting.export, organiser)
    orders = [decision.order for decision in reading.read(export.text.encode()).decisions]
    assert orders == [first.names[::-1], second.names[::-1]]
    match = view.matches[0]
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "seen"}
    upper = read_outcome(match, match.upper.name)
    for score, left in (("2-0", orders), ("2-1", [])):
        await do(decisions.decide, **who, outcome=upper, score=score, kind=Kind.ADJUDICATED)
        export = await world.db.read(exporting.export, organiser)
        assert [decision.order for decision in reading.read(export.text.encode()).decisions] == left


async def test_only_the_organisers_of_the_league_decide(world: World) -> None:
    tie = await tied(world)
    for actor in (STRANGER, MODERATOR, world.player(NAMES[0])):
        with pytest.raises(NotAllowed):
            await world.db.write(tie_decisions.take_draw, Order(actor=actor, now=world.now), tie_id=tie.id)
        with pytest.raises(NotAllowed):
            await world.db.write(tie_decisions.waiting, Order(actor=actor, now=world.now, league_id=world.league_id))
    with pytest.raises(NotFound):
        await world.db.write(tie_decisions.take_draw, Order(actor=FOREIGNER, now=world.now), tie_id=tie.id)
    with pytest.raises(NotFound):
        await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id + 1)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Name the players"),
        (" , ", "Name the players"),
        ("nobody", "isn't one of the tied players"),
        ("{0}, {0}", "once"),
    ],
)
async def test_an_order_has_to_name_equals(world: World, typed: str, told: str) -> None:
    tie = await tied(world)
    with pytest.raises(Invalid, match=told):
        await world.db.write(
            tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=typed.format(tie.names[0])
        )


async def test_names_with_commas_can_be_ordered(world: World) -> None:
    names = ("Ann", "Ann, the second", "Bo", "Cy", "Dee", "Eve")
    await world.create("lightseekers-swiss", rounds=1, cut=4)
    await world.sign_up(*names)
    await world.start()
    await play_level(world)
    tie = next(tie for tie in await waiting(world) if "Ann, the second" in tie.names)
    other = next(name for name in tie.names if name != "Ann, the second")
    typed = f"{other}, ann, the second" if other != "Ann" else "Ann, Ann, the second"
    if "ann" in typed:
        typed = typed.replace("ann", "Ann")
    settled = await world.db.write(
        tie_decisions.order, Order(actor=ORGANISER, now=world.now), tie_id=tie.id, named=typed
    )
    assert settled.names[:2] == (other, "Ann, the second")


async def test_an_order_is_suggested_name_by_name(world: World) -> None:
    tie = await tied(world)
    a, b, c = tie.names
    assert (
        await world.db.read(tie_decisions.choices, Order(actor=BOT, now=world.now, league_id=world.league_id), typed="")
        == tie.names
    )
    assert await world.db.read(
        tie_decisions.choices, Order(actor=BOT, now=world.now, league_id=world.league_id), typed=f"{b},"
    ) == (
        f"{b}, {a}",
        f"{b}, {c}",
    )
    assert await world.db.read(
        tie_decisions.choices, Order(actor=BOT, now=world.now, league_id=world.league_id), typed=f"{b}, {c[:2]}"
    ) == (f"{b}, {c}",)


async def test_other_formats_break_their_ties_themselves(world: World) -> None:
    await world.begin(6, "keyforge-swiss", rounds=1, cut=2)
    with pytest.raises(WrongPhase, match="breaks its ties by its own rules"):
        await waiting(world)
    await world.play_round()
    assert (await current(world)).round.stage is Stage.FINALS
    assert await world.posts("tie") == ()


async def test_nothing_is_asked_while_results_are_missing(world: World) -> None:
    await begin(world)
    with pytest.raises(WrongPhase, match="no tie"):
        await waiting(world)


async def test_a_season_that_was_ended_keeps_the_draw(world: World) -> None:
    tie = await tied(world)
    await world.db.write(
        lifecycle.finish, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="late"
    )
    assert (await world.db.read(ties.get, tie.id)).how is Settled.GONE
    with pytest.raises(WrongPhase, match="its order stands"):
        await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    await steps.tick(world.db, world.later(days=3))
    text = (
        await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    ).text
    assert reading.read(text.encode()).decisions == ()


@pytest.mark.parametrize("called", [False, True])
async def test_nobody_is_in_or_out_while_a_tie_waits(world: World, called: bool) -> None:
    await world.begin(9, "lightseekers-swiss", rounds=2, cut=4)
    for _ in range(2):
        await play_level(world)
    (tie,) = await waiting(world)
    if called:
        await world.db.write(tie_decisions.call_match, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)
    view = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert {row.standing.status for row in view.rows if row.standing.name in tie.names} == {Status.ACTIVE}
    for name in tie.names:
        order = Order(actor=world.player(name), now=world.now, league_id=world.league_id)
        mine = await world.db.read(my_match.my_match, order)
        told = " ".join((mine.what_to_do, *mine.after))
        assert "out since" not in told
        assert "through to the finals" not in told
        assert all(one in told for one in tie.names)
        assert not (await world.db.read(looking_ahead.asked_about, order)).over
    await substitute(world, tie.names[-1], "Uma")


async def test_who_goes_on_whatever_a_tie_decides_is_through(world: World) -> None:
    await begin(world, cut=4)
    await play_level(world)
    tied = {tie.about_going_on: tie.names for tie in await waiting(world)}
    assert tied.keys() == {False, True}
    view = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    states = {row.standing.name: row.standing.status for row in view.rows}
    assert {states[Name(name)] for name in tied[False]} == {Status.QUALIFIED}
    assert {states[Name(name)] for name in tied[True]} == {Status.ACTIVE}


async def test_another_order_of_one_tie_leaves_that_of_the_other(world: World) -> None:
    await begin(world, cut=4, advance="manual")
    await play_level(world)
    upper, lower = await waiting(world)
    for tie in (upper, lower):
        order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        await world.db.write(tie_decisions.order, order, named=", ".join(tie.names[::-1]), tie_id=tie.id)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    done = await world.db.write(tie_decisions.order, order, named=upper.names[1])
    assert done.names == (upper.names[1], upper.names[0], upper.names[2])
    with pytest.raises(WrongPhase, match=f"Decided: .*{lower.names[2]}, then {lower.names[1]}, then {lower.names[0]}"):
        await waiting(world)
    await world.db.write(rounds_by_hand.post, order)
    assert await finalists(world) == {*upper.names, lower.names[2]}
    await require_verified(world)


@pytest.mark.parametrize("how", ["tie", "pause"])
async def test_who_leaves_while_a_tie_or_a_pause_holds_the_finals_is_not_asked_whether_they_move_up(
    world: World, how: str
) -> None:
    await world.begin(PLAYERS, "lightseekers-swiss", rounds=1, cut=3)
    view = await current(world)
    for number, match in enumerate(view.matches):
        by = Order(actor=world.player(match.lower.name), now=world.now)
        score = "0-2" if number else "1-2"
        await world.db.write(reporting.report, by, match=match.match.id, result="lost", score=score)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(tie_decisions.take_draw, order)
    await world.announce()
    await world.drop(view.matches[0].upper.name)
    (question,) = [post for post in await world.posts("moving-up") if not post.removed]
    shown = await world.shown(question)
    assert isinstance(shown, MovingUpPost)
    if how == "pause":
        await world.db.write(pausing.pause, order, until=world.now + timedelta(days=9))
    await world.drop(shown.player.name)
    assert all(post.removed for post in await world.posts("moving-up") if post.id == question.id)
    answer: Any = {"actor": world.player(shown.player.name), "now": world.now, "place_id": shown.asked.id}
    with pytest.raises(Conflict, match="settled"):
        await do(moving_up_answers.answer, db=world.db, **answer, plays=True)


@pytest.mark.parametrize("cut", [2, 0], ids=["for the finals", "for the title"])
async def test_an_open_tie_is_asked_about_where_its_season_is_imported_and_nobody_wins_by_the_draw(
    world: World, cut: int
) -> None:
    tie = await tied(world, cut=cut)
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    with look_into(world.db) as conn:
        [asked] = ties.waiting_of_league(conn, copy)
        season = seasons.live(conn, copy)
    assert season is not None
    assert (season.phase, season.champion_id) == (SeasonPhase.RUNNING, None)
    assert (asked.names, asked.first, asked.going_on) == (tie.names, tie.first, tie.going_on)
    last, *_ = tie.names
    done = await world.db.write(
        tie_decisions.order, Order(actor=ADMIN, now=world.now, league_id=copy), named=last, tie_id=asked.id
    )
    assert done.how is Settled.ORDER
    with look_into(world.db) as conn:
        row = seasons.newest(conn, copy)
        assert row is not None
        assert row.phase is (SeasonPhase.FINALS if cut else SeasonPhase.FINISHED)


async def test_who_leaves_an_imported_season_before_its_open_tie_is_settled_ends_no_season(world: World) -> None:
    tie = await tied(world, cut=0)
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    gone = next(name for name in NAMES[:PLAYERS] if name not in tie.names)
    here = Order(actor=ADMIN, now=world.now, league_id=copy)
    await world.db.write(removing.remove, here, player=gone, reason="moved away")
    with look_into(world.db) as conn:
        assert seasons.live(conn, copy) is not None
        assert [row.names for row in ties.waiting_of_league(conn, copy)] == [tie.names]


async def test_organisers_read_that_a_season_between_two_rounds_goes_on_by_hand(world: World) -> None:
    await begin(world)
    for file, goes_on in (
        (await exported(world, world.league_id), "its board and its open round are posted at once."),
        ("", "its board is posted at once. No round of it is open: /round post goes on with it."),
    ):
        if not file:
            await play_level(world)
        text = (file or await exported(world, world.league_id)).encode()
        there = await world.db.write(
            set_up.create, Order(actor=ADMIN, now=world.now), name=f"Copy {len(goes_on)}", channel_id=len(goes_on)
        )
        order = Order(actor=ADMIN, now=world.now, league_id=there.id)
        with pytest.raises(ConfirmationNeeded) as asked:
            await steps.import_file(world.db, order, data=text, agreed="")
        assert f"Season 1 goes on here: {goes_on}" in asked.value.cost
        done = await steps.import_file(world.db, order, data=text)
        assert done.between_rounds is not goes_on.startswith("its board and")
