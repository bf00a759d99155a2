"""The life of a result, as players make it: report, confirm, dispute, silence."""

import asyncio
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.season.match_score import DASH
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.matches import match_finding
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand
from bot.services.play import decisions, possible_results, reporting
from bot.services.play.reporting import Reported
from storage.rows import Confirmation
from storage.tables import audit
from tests.files import do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import FOREIGNER, MODERATOR, ORGANISER, STRANGER, World


@pytest.fixture
async def match(world: World) -> MatchView:
    """The first match of a round of four, with another one open beside it."""
    await world.begin(4, best_of=3)
    return (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]


async def report(
    world: World, name: str, match: MatchView, result: str, score: str | None = None, **more: Any
) -> Reported:
    return await do(
        reporting.report,
        db=world.db,
        actor=world.player(name),
        now=world.now,
        match=match.match.id,
        result=result,
        score=score,
        **more,
    )


def state(done: Reported) -> MatchState:
    return done.match.match.state


async def confirm(world: World, name: str, match: MatchView, **more: Any) -> MatchView:
    who: Any = {"actor": world.player(name), "now": world.now, "match": match.match.id}
    return (await do(reporting.confirm, db=world.db, **who, **more)).match


async def dispute(world: World, name: str, match: MatchView, reason: str = "no", **more: Any) -> MatchView:
    return await do(
        reporting.dispute,
        db=world.db,
        actor=world.player(name),
        now=world.now,
        match=match.match.id,
        reason=reason,
        **more,
    )


async def test_ones_own_loss_is_confirmed_at_once(world: World, match: MatchView) -> None:
    done = await report(world, match.lower.name, match, "lost", "1-2")
    assert (state(done), done.repeated) == (MatchState.CONFIRMED, False)
    assert done.match.winner == match.upper.name
    assert (done.match.match.upper_games, done.match.match.lower_games) == (2, 1)
    assert done.match.match.confirmed_by is Confirmation.LOSS


async def test_a_win_waits_for_the_opponent(world: World, match: MatchView) -> None:
    done = await report(world, match.lower.name, match, "won", "2:1")
    assert state(done) is MatchState.REPORTED
    assert done.match.match.state is MatchState.REPORTED
    assert done.match.winner is None
    after = await confirm(world, match.upper.name, match, version=done.match.match.version)
    assert (after.match.state, after.winner) == (MatchState.CONFIRMED, match.lower.name)
    assert (after.match.upper_games, after.match.lower_games) == (1, 2)


async def test_the_reporter_may_replace_their_report_until_it_is_confirmed(world: World, match: MatchView) -> None:
    first = await report(world, match.upper.name, match, "won", "2-0")
    world.later(hours=5)
    second = await report(world, match.upper.name, match, "won", "2-1")
    assert second.match.match.version > first.match.match.version
    with pytest.raises(Conflict, match=rf"outdated.*won 2{DASH}1"):
        await confirm(world, match.lower.name, match, version=first.match.match.version)
    after = await confirm(world, match.lower.name, match)
    assert after.match.lower_games == 1
    with pytest.raises(Conflict, match=r"already confirmed.*ask a moderator"):
        await report(world, match.upper.name, match, "won", "2-0")


async def test_a_replaced_report_can_be_a_loss(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    done = await report(world, match.upper.name, match, "lost")
    assert (state(done), done.match.winner) == (MatchState.CONFIRMED, match.lower.name)


@pytest.mark.parametrize("again", [None, "2-1"])
async def test_the_same_report_again_answers_with_the_first(world: World, match: MatchView, again: str | None) -> None:
    first = await report(world, match.upper.name, match, "won", "2-1")
    world.later(hours=3)
    second = await report(world, match.upper.name, match, "won", again, version=match.match.version)
    assert (second.repeated, state(second)) == (True, MatchState.REPORTED)
    assert second.match == first.match


async def test_the_same_loss_again_is_still_confirmed(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "lost")
    again = await report(world, match.upper.name, match, "lost")
    agreed = await report(world, match.lower.name, match, "won")
    assert again.repeated
    assert agreed.repeated
    assert state(again) is MatchState.CONFIRMED
    assert state(agreed) is MatchState.CONFIRMED


@pytest.mark.parametrize(("first", "second"), [("won", "lost"), ("lost", "won")])
async def test_two_reports_that_agree_confirm(world: World, match: MatchView, first: str, second: str) -> None:
    await report(world, match.upper.name, match, first)
    done = await report(world, match.lower.name, match, second)
    assert state(done) is MatchState.CONFIRMED
    assert done.match.winner == (match.upper.name if first == "won" else match.lower.name)


@pytest.mark.parametrize(
    ("first", "second"),
    [(("won", None), ("won", None)), (("lost", None), ("lost", None)), (("won", "2-1"), ("lost", "0-2"))],
)
async def test_a_different_report_by_the_opponent_is_a_dispute(
    world: World, match: MatchView, first: tuple[str, str | None], second: tuple[str, str | None]
) -> None:
    await report(world, match.upper.name, match, *first)
    done = await report(world, match.lower.name, match, *second)
    assert state(done) is MatchState.DISPUTED
    assert done.match.winner is None
    assert [done.match.side(said.entrant_id).name for said in done.match.reports] == [
        match.upper.name,
        match.lower.name,
    ]
    assert len(await world.posts("dispute")) == 1
    # Whoever disputes by a report of their own needs no message about it.
    assert [post.facts["entrant_id"] for post in await world.posts("disputed")] == [match.upper.id]
    world.later(days=30)
    await steps.tick(world.db, world.now)
    assert (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[
        0
    ].match.state is MatchState.DISPUTED


async def test_each_result_one_can_choose_says_what_follows_from_it(world: World, match: MatchView) -> None:
    async def follows() -> dict[str, str]:
        order = Order(actor=world.player(match.upper.name), now=world.now)
        found = await world.db.read(possible_results.choices, order, match=match.match.id)
        return {one.result: one.follows for one in found.results}

    waits = f"Waits for {match.lower.name} to confirm"
    assert await follows() == {"won": waits, "lost": "Counts at once"}
    await report(world, match.upper.name, match, "won", "2-0")
    await report(world, match.lower.name, match, "won", "2-0")
    assert await follows() == {"won": "The moderators decide", "lost": "Counts at once"}


async def test_a_disputed_match_is_given_away_by_reporting_the_loss(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    await dispute(world, match.lower.name, match)
    done = await report(world, match.upper.name, match, "won", "2-0")
    assert state(done) is MatchState.DISPUTED
    done = await report(world, match.lower.name, match, "lost")
    assert (state(done), done.match.dispute) == (MatchState.CONFIRMED, None)
    assert done.match.winner == match.upper.name
    assert done.match.match.upper_games == 2


async def test_a_dispute_goes_to_the_moderators_with_its_reason(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    view = await dispute(world, match.lower.name, match, "we agreed on\n  a rematch")
    assert view.dispute is not None
    assert (view.dispute.entrant_id, view.dispute.reason) == (match.lower.id, "we agreed on a rematch")
    (post,) = await world.posts("dispute")
    assert (post.target, post.match_id) == ("moderation", match.match.id)
    with pytest.raises(WrongPhase, match="the moderators will decide and tell you"):
        await confirm(world, match.lower.name, match)
    with pytest.raises(WrongPhase, match="moderators will decide"):
        await dispute(world, match.lower.name, match)


async def test_only_the_two_or_a_moderator_may_act(world: World, match: MatchView) -> None:
    other = next(name for name in world.players if name not in (match.upper.name, match.lower.name))
    with pytest.raises(NotAllowed, match=match.upper.name):
        await report(world, other, match, "won")
    for actor in (STRANGER, world.player(other)):
        with pytest.raises(NotAllowed):
            await world.db.write(reporting.confirm, Order(actor=actor, now=world.now), match=match.match.id)
    with pytest.raises(NotFound):
        await world.db.write(
            reporting.report, Order(actor=FOREIGNER, now=world.now), match=match.match.id, result="won"
        )
    with pytest.raises(NotAllowed, match="/result set"):
        await world.db.write(
            reporting.report, Order(actor=MODERATOR, now=world.now), match=match.match.id, result="won"
        )
    await report(world, match.upper.name, match, "won")
    with pytest.raises(NotAllowed, match=r"yourself.*/report again"):
        await confirm(world, match.upper.name, match)
    with pytest.raises(NotAllowed, match="yourself"):
        await dispute(world, match.upper.name, match)
    with pytest.raises(NotAllowed, match="You don't play in"):
        await world.db.write(reporting.confirm, Order(actor=MODERATOR, now=world.now), match=match.match.id)


async def test_a_moderator_confirms_a_report_for_the_player_who_was_asked_and_both_are_told(
    world: World, match: MatchView
) -> None:
    await report(world, match.upper.name, match, "won")
    given = {"match": match.match.id, "reason": "they wrote it in the chat"}
    upper, outsider = world.player(match.upper.name), STRANGER
    for actor in (upper, outsider):
        with pytest.raises(NotAllowed):
            await do(decisions.confirm_for, db=world.db, actor=actor, now=world.now, **given)
    with pytest.raises(Invalid):
        await do(decisions.confirm_for, db=world.db, actor=MODERATOR, now=world.now, **{**given, "reason": " "})
    seen: Any = {"version": match.match.version}
    with pytest.raises(Conflict, match="outdated"):
        await do(decisions.confirm_for, db=world.db, actor=MODERATOR, now=world.now, **given, **seen)
    view = await do(decisions.confirm_for, db=world.db, actor=MODERATOR, now=world.now, **given)
    assert view.match.confirmed_by is Confirmation.MODERATOR
    assert view.winner == match.upper.called
    (post,) = await world.posts("decision")
    assert set(post.facts["pings"]) == {world.player(side.name).user_id for side in match.sides}
    assert post.facts["text"] == f"{view.state_words}. Confirmed for {match.lower.called}."
    assert (await world.audit())[0].reason == "they wrote it in the chat"
    with pytest.raises(Conflict, match="is already confirmed"):
        await do(decisions.confirm_for, db=world.db, actor=MODERATOR, now=world.now, **given)


async def test_a_reporter_who_presses_confirm_afterwards_hears_that_it_is_confirmed(
    world: World, match: MatchView
) -> None:
    await report(world, match.upper.name, match, "won")
    await confirm(world, match.lower.name, match)
    with pytest.raises(Conflict, match="is already confirmed"):
        await confirm(world, match.upper.name, match)
    assert (await confirm(world, match.lower.name, match)).match.state is MatchState.CONFIRMED


async def test_a_moderator_may_dispute_for_someone(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    view = await world.db.write(
        reporting.dispute, Order(actor=MODERATOR, now=world.now), match=match.match.id, reason="I saw it otherwise"
    )
    assert view.dispute is not None
    assert view.dispute.entrant_id is None


async def test_a_moderator_who_disputes_tells_the_player_whose_question_goes(world: World, match: MatchView) -> None:
    lower = match.lower.name
    await report(world, match.upper.name, match, "won")
    await world.announce()
    said = {"match": match.match.id, "reason": "I saw it otherwise"}
    await do(reporting.dispute, db=world.db, actor=MODERATOR, now=world.now, **said)
    assert [post.removed for post in await world.posts("question")] == [True]
    (told,) = await world.posts("open-again")
    assert told.facts["pings"] == [world.player(lower).user_id]
    assert "you don't have to answer it" in str(told.facts["text"])
    assert "otherwise" not in str(told.facts), "the reason is for those who decide"


async def test_nothing_reported_is_nothing_to_confirm(world: World, match: MatchView) -> None:
    with pytest.raises(WrongPhase, match=r"No one has reported.*/report"):
        await confirm(world, match.lower.name, match)
    with pytest.raises(WrongPhase, match="nothing to dispute"):
        await dispute(world, match.lower.name, match)


async def test_a_dispute_needs_a_reason(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    with pytest.raises(Invalid, match="reason"):
        await dispute(world, match.lower.name, match, "  ")


async def test_a_confirmed_match_takes_nothing_more(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won")
    await confirm(world, match.lower.name, match)
    assert (await confirm(world, match.lower.name, match)).winner == match.upper.name
    for attempt in (report(world, match.lower.name, match, "won"), dispute(world, match.lower.name, match)):
        with pytest.raises(Conflict, match="already confirmed"):
            await attempt


@pytest.mark.parametrize(
    ("result", "score"),
    [("won", "1-2"), ("lost", "2-1"), ("won", "2-2"), ("won", "banana"), ("won", "-1-2"), ("won", "2-1-0")],
)
async def test_scores_that_contradict_themselves_are_refused(
    world: World, match: MatchView, result: str, score: str
) -> None:
    with pytest.raises(Invalid):
        await report(world, match.upper.name, match, result, score)
    assert (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[
        0
    ].match == match.match


@pytest.mark.parametrize("score", ["1-0", "3-0", "2-2", "3-2"])
async def test_scores_fit_the_best_of(world: World, score: str) -> None:
    await world.begin(2, best_of=3)
    (match,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    with pytest.raises(Invalid, match=r"in a best of 3, a win is 2-0 or 2-1\."):
        await report(world, match.upper.name, match, "won", score)


async def test_a_match_of_one_game_is_one_to_nothing_and_nothing_else(world: World) -> None:
    await world.begin(2)
    (match,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    with pytest.raises(Invalid, match=r"3-0 isn't possible: a match here is one game, so its score is 1-0\."):
        await report(world, match.upper.name, match, "won", "3-0")
    assert state(await report(world, match.lower.name, match, "lost", "0-1")) is MatchState.CONFIRMED


@pytest.mark.long
async def test_a_two_loss_out_semi_final_takes_one_game_and_the_final_three(world: World) -> None:
    await world.begin(8, "two-loss-out", cut=4)
    while (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).round.stage != "finals":
        await world.play_round()
    semi, _ = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    with pytest.raises(Invalid, match=r"3-1 isn't possible: a match here is one game, so its score is 1-0\."):
        await report(world, semi.upper.name, semi, "won", "3-1")
    await report(world, semi.upper.name, semi, "won", "1-0")
    await world.play_round()
    (final,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    assert state(await report(world, final.upper.name, final, "lost", "1-2")) is MatchState.CONFIRMED
    text = (
        await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    ).text
    assert verify(reading.read(text.encode())).agrees


async def test_draws_only_where_the_season_has_them(world: World, match: MatchView) -> None:
    with pytest.raises(Invalid, match="can't be a draw"):
        await report(world, match.upper.name, match, "draw")
    with pytest.raises(Invalid, match="won, lost or draw"):
        await report(world, match.upper.name, match, "victory")


async def test_a_draw_is_confirmed_by_the_other_side(world: World) -> None:
    await world.begin(2, format="keyforge-swiss", draws=True, rounds=3, cut=0)
    (match,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    assert state(await report(world, match.upper.name, match, "draw")) is MatchState.REPORTED
    done = await report(world, match.lower.name, match, "draw")
    assert (state(done), done.match.winner) == (MatchState.CONFIRMED, None)
    assert done.match.state_words == "draw"


async def test_two_presses_at_once_make_one_report(world: World, match: MatchView) -> None:
    pressed = await asyncio.gather(
        *(report(world, match.upper.name, match, "won", version=match.match.version) for _ in range(5))
    )
    assert sorted(done.repeated for done in pressed) == [False, True, True, True, True]
    assert {done.match.match.version for done in pressed} == {match.match.version + 1}
    assert [len(done.match.reports) for done in pressed] == [1] * 5


async def test_a_confirmation_pressed_twice_is_answered_twice(world: World, match: MatchView) -> None:
    shown = (await report(world, match.upper.name, match, "won")).match.seen
    who: Any = {"actor": world.player(match.lower.name), "now": world.now}
    done = [await do(reporting.confirm, db=world.db, **who, **shown) for _ in range(2)]
    assert [one.repeated for one in done] == [False, True]
    assert done[0].match.match == done[1].match.match


async def test_a_typed_confirmation_of_a_match_that_counts_is_refused_so_that_it_can_be_about_another(
    world: World, match: MatchView
) -> None:
    await report(world, match.upper.name, match, "won")
    await confirm(world, match.lower.name, match)
    who: Any = {"actor": world.player(match.lower.name), "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match="already confirmed"):
        await do(reporting.confirm, db=world.db, **who)


async def test_both_win_at_once_is_one_dispute(world: World, match: MatchView) -> None:
    both = [report(world, side.name, match, "won") for side in match.sides]
    done = await asyncio.gather(*both)
    assert sorted(state(one) is MatchState.DISPUTED for one in done) == [False, True]
    assert len(await world.posts("dispute")) == 1


async def test_confirm_and_dispute_at_once_leave_one_of_them(world: World, match: MatchView) -> None:
    version = (await report(world, match.upper.name, match, "won")).match.match.version
    answers = await asyncio.gather(
        confirm(world, match.lower.name, match, version=version),
        dispute(world, match.lower.name, match, version=version),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, LeagueError) for answer in answers) == 1


async def test_the_last_results_at_once_post_the_next_round_once(world: World, match: MatchView) -> None:
    matches = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    await asyncio.gather(*(report(world, one.lower.name, one, "lost") for one in matches for _ in range(2)))
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert view.round.number == 2
    assert len({post.round_id for post in await world.posts("round")}) == len(await world.posts("round")) == 2


async def test_everything_is_noted(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won", "2-1")
    await dispute(world, match.lower.name, match, "it was 2-0")
    with look_into(world.db) as conn:
        disputed, reported = audit.page(conn, world.league_id, limit=2, offset=0)
    assert (reported.action, reported.actor_id) == ("result.report", world.player(match.upper.name).user_id)
    assert reported.before == {"state": "open"}
    assert reported.after == {"said": f"{match.upper.name}: won 2{DASH}1", "state": "reported, not confirmed yet"}
    assert (disputed.action, disputed.reason, disputed.subject) == ("result.dispute", "it was 2-0", match.label)


async def test_matches_are_found_as_people_write_them(world: World, match: MatchView) -> None:
    for typed in (
        None,
        match.code,
        match.label,
        match.pairing.lower(),
        match.code.lower(),
        "m1",
        "1",
        match.lower.name,
        match.upper.name.upper(),
    ):
        done = await world.db.write(
            reporting.report,
            Order(actor=world.player(match.upper.name), now=world.now, league_id=world.league_id),
            match=typed,
            result="won",
        )
        assert done.match.match.id == match.match.id
    for typed in ("R9 M1", "R1 M9", "nobody", "99", "R1"):
        with pytest.raises(NotFound):
            await world.db.write(
                reporting.confirm, Order(actor=MODERATOR, now=world.now, league_id=world.league_id), match=typed
            )


async def test_choices_name_open_matches_first_and_only_ones_own(world: World, match: MatchView) -> None:
    await world.lose(match.lower.name)
    everything = await world.db.read(
        match_finding.choices, Order(actor=BOT, now=world.now, league_id=world.league_id), typed=""
    )
    assert [value for _, value in everything] == ["R1 M2", "R1 M1"]
    assert everything[1][0] == f"{match.code} {match.pairing} (round 1, confirmed)"
    found = await world.db.read(
        match_finding.choices,
        Order(actor=BOT, now=world.now, league_id=world.league_id),
        typed=match.lower.name.upper(),
    )
    assert [value for _, value in found] == ["R1 M1"]
    mine = await world.db.read(
        match_finding.choices,
        Order(actor=world.player(match.lower.name), now=world.now, league_id=world.league_id),
        typed="",
        own=True,
    )
    assert mine == ()


async def test_choices_name_no_match_of_a_preview(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.preview, **who)
    assert {code for _, code in await see(match_finding.choices, **who, typed="")} == {"R1 M1", "R1 M2"}


async def test_a_decided_result_is_not_disputed_by_a_late_report(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "lost")
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=match.match.id,
        outcome=Outcome.UPPER,
        reason="a slip",
    )
    with pytest.raises(Conflict, match="already confirmed"):
        await report(world, match.lower.name, match, "won")


async def test_a_loss_stands_once_one_of_the_two_has_left(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "lost")
    await world.drop(match.upper.name)
    with pytest.raises(Conflict, match="already confirmed"):
        await report(world, match.lower.name, match, "lost")
    view = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]
    assert (view.winner, view.dispute) == (match.lower.name, None)


async def test_the_reporter_who_confirms_afterwards_is_told_that_it_counts_already(
    world: World, match: MatchView
) -> None:
    await report(world, match.upper.name, match, "won")
    await confirm(world, match.lower.name, match)
    with pytest.raises(Conflict, match=r"already confirmed.*ask a moderator"):
        await confirm(world, match.upper.name, match)
