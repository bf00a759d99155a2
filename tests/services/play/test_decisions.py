"""Results import re
from the moderators: decide, correct, clear, and the look at what it changes first."""

import re
from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.season.match_score import DASH
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.delivery import delivery
from bot.services.matches.decision_posts import Decided, MatchPost
from bot.services.matches.outcome import Outcome, read_outcome
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.play import clearing, deadlines, decisions, reporting
from bot.services.reads import details, inbox, tables
from bot.services.seasons import lifecycle
from storage import rules_season
from storage.posts import Target
from storage.tables.people.notify import How, Topic
from tests.files import change_by_hand, do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import (
    FOREIGNER,
    MODERATOR,
    MODERATOR_ROLE,
    NAMES,
    ORGANISER,
    ORGANISER_ROLE,
    STRANGER,
    World,
    person,
)


async def current(world: World, number: int | None = None) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)


async def decide(world: World, match: MatchView, outcome: str, **more: Any) -> MatchView:
    said = {"actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "seen the log", **more}
    return await do(decisions.decide, db=world.db, outcome=read_outcome(match, outcome), **said)


async def preview(world: World, match: MatchView, outcome: str, **more: Any) -> decisions.DecisionPreview:
    return await see(
        decisions.decide_preview, db=world.db, actor=MODERATOR, match=match.match.id, outcome=outcome, **more
    )


async def clear(world: World, match: MatchView, **more: Any) -> MatchView:
    said = {"actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "a mix-up", **more}
    return await do(clearing.clear, db=world.db, **said)


async def test_a_decision_settles_a_dispute_and_tells_both(world: World) -> None:
    await world.begin(4, best_of=3)
    match = (await current(world)).matches[0]
    for side in match.sides:
        await world.db.write(
            reporting.report, Order(actor=world.player(side.name), now=world.now), match=match.match.id, result="won"
        )
    look = await preview(world, match, match.lower.name, score="2-1")
    assert look.after == f"{match.lower.name} won 2{DASH}1"
    assert "This closes the dispute." in look.effects
    assert (await current(world)).matches[0].match.state is MatchState.DISPUTED
    after = await decide(world, match, match.lower.name, score="2-1")
    assert (after.winner, after.dispute, after.match.upper_games) == (match.lower.name, None, 1)
    (post,) = await world.posts("decision")
    shown = await world.shown(post)
    assert isinstance(shown, MatchPost)
    assert shown.ping_ids == tuple(world.player(side.name).user_id for side in match.sides)
    assert shown.decided is not None
    assert shown.decided.text == f"{match.lower.name} won 2{DASH}1."
    assert (shown.decided.by, shown.decided.why, shown.why) == ("the moderator moderator", "seen the log", "")
    line = (await world.audit())[0]
    assert (line.action, line.reason, line.actor_id) == ("result.set", "seen the log", MODERATOR.user_id)
    assert line.before is not None
    assert line.before["state"].startswith("disputed")
    assert line.after == {"state": look.after}


async def test_only_moderators_decide_and_only_at_home(world: World) -> None:
    await world.begin(2)
    match = (await current(world)).matches[0]
    for actor, refusal in ((STRANGER, NotAllowed), (world.player("dok"), NotAllowed), (FOREIGNER, NotFound)):
        with pytest.raises(refusal):
            await decide(world, match, "dok", actor=actor)
        with pytest.raises(refusal):
            await world.db.write(clearing.clear, Order(actor=actor, now=world.now), match=match.match.id, reason="x")
        with pytest.raises(refusal):
            await world.db.read(
                decisions.decide_preview, Order(actor=actor, now=world.now), match=match.match.id, outcome="dok"
            )


@pytest.mark.parametrize(
    ("outcome", "more", "refusal"),
    [
        ("nobody", {}, r"isn't an outcome.*draw or double loss"),
        ("draw", {}, "can't be a draw"),
        ("dok", {"score": "1-2"}, "1-2 isn't possible"),
        ("dok", {"score": "x"}, "isn't a score"),
        ("double loss", {"score": "1-1"}, "no score"),
        ("dok", {"reason": " "}, "reason"),
    ],
)
async def test_decisions_that_cannot_be(world: World, outcome: str, more: dict[str, str], refusal: str) -> None:
    await world.begin(2)
    match = (await current(world)).matches[0]
    with pytest.raises(Invalid, match=refusal):
        await decide(world, match, outcome, **more)
    assert (await current(world)).matches[0].match == match.match


async def test_a_no_show_loses_and_is_dropped(world: World) -> None:
    await world.begin(8)
    match = (await current(world)).matches[0]
    look = await preview(world, match, match.upper.name, kind=Kind.FORFEIT)
    assert f"{match.lower.name} didn't appear, so this also drops them from the season." in look.effects
    assert "This closes the dispute." not in look.effects
    assert (look.outcome, look.absent) == (Outcome.UPPER, match.lower.name)
    after = await decide(world, match, match.upper.name, kind=Kind.FORFEIT)
    assert (after.winner, after.lower.active) == (match.upper.name, False)
    assert after.state_words == f"{match.upper.name} won by forfeit"
    await world.play_round()
    second = await current(world)
    assert match.lower.name not in {side.name for other in second.matches for side in other.sides}


async def test_a_no_show_may_stay_where_the_season_says_so(world: World) -> None:
    await world.begin(2, no_show="forfeit")
    match = (await current(world)).matches[0]
    after = await decide(world, match, match.upper.name, kind=Kind.FORFEIT)
    assert after.lower.active


async def test_a_double_loss_counts_for_both_but_never_in_a_bracket(world: World) -> None:
    await world.begin(4, rounds=1)
    first, second = (await current(world)).matches
    assert (await decide(world, first, "double loss")).state_words == "double loss"
    await decide(world, second, second.upper.name)
    final = await current(world)
    assert final.round.stage == "finals"
    with pytest.raises(Invalid, match=r"needs a winner.*/player drop"):
        await decide(world, final.matches[0], "double-loss")


async def test_an_old_button_says_what_changed(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await world.lose(match.lower.name)
    for attempt in (
        decide(world, match, match.lower.name, version=match.match.version),
        clear(world, match, version=match.match.version),
    ):
        with pytest.raises(Conflict, match=f"outdated.*{match.upper.name} won"):
            await attempt


async def test_the_same_result_again_is_refused(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await decide(world, match, match.upper.name)
    with pytest.raises(Conflict, match="already"):
        await decide(world, match, match.upper.name)


async def test_clearing_opens_a_match_again(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    with pytest.raises(WrongPhase, match="nothing to clear"):
        await clear(world, match)
    await world.lose(match.lower.name)
    after = await clear(world, match)
    assert (after.match.state, after.winner, after.reports) == (MatchState.OPEN, None, ())
    await world.lose(match.upper.name)
    assert (await current(world)).matches[0].winner == match.lower.name


async def test_clearing_a_dispute_closes_it(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    for side in match.sides:
        said: Any = {"match": match.match.id, "result": "won"}
        await world.db.write(reporting.report, Order(actor=world.player(side.name), now=world.now), **said)
    after = await clear(world, match)
    (again, _) = (await current(world)).matches
    assert (after.match.state, again.match.state, again.dispute) == (MatchState.OPEN, MatchState.OPEN, None)


async def test_a_match_of_somebody_who_left_is_not_opened(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await world.drop(match.lower.name)
    with pytest.raises(Conflict, match=r"left the season.*/player reinstate"):
        await clear(world, match)


async def test_clearing_the_last_result_opens_the_round_while_nothing_follows(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    await world.db.write(rounds_by_hand.close, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    match = (await current(world)).matches[0]
    await clear(world, match)
    assert (await current(world)).round.phase is RoundPhase.OPEN
    await world.lose(match.lower.name)
    await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    with pytest.raises(Conflict, match=r"next one is paired.*/result set"):
        await clear(world, match)


@pytest.mark.long
async def test_a_closed_round_is_corrected_and_posted_pairings_stand(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    before = [match.label for match in (await current(world)).matches]
    first = (await current(world, 1)).matches[0]
    look = await preview(world, first, first.lower.name)
    assert "posted pairings stay" in " ".join(look.effects)
    winner = first.lower.name
    assert any(re.fullmatch(rf"{winner}: \d\w\w → \d\w\w, now 1–0", move) for move in look.moves)
    assert any("Round 2 would have been paired differently" in effect for effect in look.effects)
    await decide(world, first, first.lower.name)
    second = await current(world)
    assert [match.label for match in second.matches] == before
    assert second.round.by_hand == f"paired before the result of {first.label} was corrected"
    await world.play_out()
    with look_into(world.db) as conn:
        season = rules_season.load(conn, second.season.id)
    assert verify(season).agrees
    assert "changed by hand" in verify(season).lines()[1]


@pytest.mark.long
async def test_a_draft_follows_a_correction(world: World) -> None:
    await world.begin(8, advance="manual")
    await world.play_round()
    draft = await world.db.write(
        rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    first = (await current(world, 1)).matches[0]
    await decide(world, first, first.lower.name)
    posted = await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert [match.label for match in posted.matches] != [match.label for match in draft.matches]
    with look_into(world.db) as conn:
        assert verify(rules_season.load(conn, posted.season.id)).agrees
    assert any("paired again" in text for text in await world.notices())


async def to_the_finals(world: World, count: int = 8) -> RoundView:
    await world.begin(count, rounds=2)
    for _ in range(2):
        await world.play_round()
    view = await current(world)
    assert view.round.stage == "finals"
    return view


@pytest.mark.long
async def test_a_bracket_that_stands_on_a_result_keeps_it(world: World) -> None:
    await to_the_finals(world)
    await world.play_round()
    assert (await current(world)).round.number == 4
    semi = (await current(world, 3)).matches[0]
    look = await preview(world, semi, semi.lower.name)
    assert look.by_organiser
    with pytest.raises(ConfirmationNeeded):
        await decide(world, semi, semi.lower.name)
    with pytest.raises(Conflict, match=r"has played on. An organiser can correct it"):
        await decide(world, semi, semi.lower.name, agreed=look.agreement)
    kept = await decide(world, semi, semi.upper.name, score="1-0")
    assert kept.winner == semi.upper.name


@pytest.mark.long
async def test_a_bracket_is_corrected_after_taking_the_next_round_back(world: World) -> None:
    await to_the_finals(world)
    await world.play_round()
    semi = (await current(world, 3)).matches[0]
    asked = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, db=world.db, reason="wrong winner", **asked)
    await decide(world, semi, semi.lower.name)
    final = await do(rounds_by_hand.post, db=world.db, **asked)
    seated = {side.name for match in final.matches for side in match.sides}
    assert semi.lower.name in seated
    assert semi.upper.name not in seated
    assert (await world.play_out()).season.phase is SeasonPhase.FINISHED


@pytest.mark.long
async def test_seeds_of_a_posted_bracket_keep_their_results(world: World) -> None:
    await to_the_finals(world)
    top = (await current(world, 2)).matches[0]
    with pytest.raises(Conflict, match="finals that depend on it are posted"):
        await decide(world, top, top.lower.name)


@pytest.mark.long
async def test_one_message_tells_of_a_correction_and_who_is_the_champion_by_it(world: World) -> None:
    await world.begin(4, rounds=3, cut=0)
    before = (await world.play_out()).champion
    match = next(match for match in (await current(world, 1)).matches if match.winner == before)
    assert match.loser is not None
    await world.announce()
    await decide(world, match, match.loser.name)
    now = (await world.status()).champion
    assert now is not None
    assert now not in [side.name for side in match.sides]
    assert await world.posts("notice") == ()
    (told,) = [post.facts for post in await world.posts("decision")]
    assert told["text"] == f"Corrected: {match.loser.name} won. {now} is the champion of season 1 now, not {before}."
    assert set(told["pings"]) == {world.player(name).user_id for name in (now, *(side.name for side in match.sides))}


async def test_a_correction_that_puts_out_the_last_one_left_leaves_no_champion(world: World) -> None:
    await world.begin(2, "two-loss-out", cut=0)
    await world.lose("dok")
    await world.lose("Xorlof")
    await world.drop("Xorlof")
    assert (await world.status()).champion == "dok"
    match = (await current(world, 2)).matches[0]
    assert "No one is the champion." in (await preview(world, match, "Xorlof")).effects
    await decide(world, match, "Xorlof")
    view = await world.status()
    assert (view.season.phase, view.champion) == (SeasonPhase.FINISHED, None)
    (told,) = [post.facts["text"] for post in await world.posts("decision")]
    assert told == "Corrected: Xorlof won. No one is the champion of season 1 now, not dok."


@pytest.mark.long
async def test_the_champion_can_be_corrected_until_the_next_season_starts(world: World) -> None:
    await to_the_finals(world, 4)
    over = await world.play_out()
    final = (await current(world)).matches[0]
    assert over.champion == final.upper.name
    look = await preview(world, final, final.lower.name)
    assert f"The champion is {final.lower.name}." in look.effects
    await decide(world, final, final.lower.name)
    assert (await world.status()).champion == final.lower.name
    with pytest.raises(Conflict):
        await clear(world, final)
    await world.create()
    await decide(world, final, final.upper.name)
    await world.sign_up(*NAMES[:2])
    await world.start()
    with pytest.raises(Conflict, match="Season 2 has started with the ratings of season 1"):
        await decide(world, final, final.lower.name)
    assert (
        await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    ).rows[0].standing.rank == 1


@pytest.mark.long
async def test_a_result_a_season_ended_by_is_not_turned_into_one_it_goes_on_with(world: World) -> None:
    await world.begin(7, "two-loss-out", cut=0)
    await world.play_out()
    last = (await current(world)).matches[0]
    with pytest.raises(
        Conflict, match="season 1 has ended, and with this result another round would have to be played"
    ):
        await preview(world, last, last.lower.name)


@pytest.mark.long
async def test_the_inbox_holds_everything_that_waits(world: World) -> None:
    await world.begin(8)
    asked = {"actor": MODERATOR, "league_id": world.league_id}
    with pytest.raises(NotAllowed):
        await world.db.read(inbox.inbox, Order(actor=STRANGER, now=world.now, league_id=world.league_id))
    assert (await see(inbox.inbox, db=world.db, now=world.now, **asked)).empty
    matches = (await current(world)).matches
    for match, sides in ((matches[0], match_sides(matches[0])), (matches[1], match_sides(matches[1])[:1])):
        for name in sides:
            await world.db.write(
                reporting.report, Order(actor=world.player(name), now=world.now), match=match.match.id, result="won"
            )
    (post, *_) = await world.posts("round")
    await world.db.write(delivery.failed, post.id, now=world.now, problem="I may not write there", retry_at=None)
    await world.announce()
    world.later(days=8)
    late = [match.match.id for match in matches[2:]]
    with change_by_hand(world.db) as conn:
        deadlines.pass_deadline(conn, round_id=matches[0].match.round_id, now=world.now)
        conn.execute("UPDATE matches SET ask_again_at = NULL WHERE id = ?", (matches[1].match.id,))
    box = await see(inbox.inbox, db=world.db, now=world.now, **asked)
    assert [item.match.id for item in box.rows("overdue")] == late
    assert [item.label for item in box.rows("disputes")] == [matches[0].label]
    assert [item.label for item in box.rows("stuck_reports")] == [matches[1].label]
    assert box.count == len(late) + 3
    assert [item.id for item in box.rows("missing_posts")] == [post.id]
    await steps.tick(world.db, world.now)
    assert (await see(inbox.inbox, db=world.db, now=world.now, **asked)).rows("stuck_reports") == ()


def match_sides(match: MatchView) -> list[str]:
    return [side.name for side in match.sides]


async def test_a_cancelled_season_keeps_its_results(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="storm"
    )
    with pytest.raises(LeagueError, match="cancelled"):
        await decide(world, match, match.upper.name)


async def test_a_match_of_a_cancelled_season_is_not_opened_again(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await world.lose(match.lower.name)
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="storm"
    )
    with pytest.raises(WrongPhase, match="was cancelled"):
        await clear(world, match)
    assert (await current(world)).matches[0].winner == match.upper.name
    assert await world.posts("decision") == ()


async def test_a_no_show_leaves_like_anyone_else_and_is_noted(world: World) -> None:
    await world.begin(8)
    match = (await current(world)).matches[0]
    await decide(world, match, match.upper.name, kind=Kind.FORFEIT)
    dropped, decided = (await world.audit())[:2]
    assert (decided.action, decided.subject) == ("result.set", match.label)
    assert (dropped.action, dropped.subject, dropped.actor_id) == (
        "entrant.drop",
        match.lower.name,
        MODERATOR.user_id,
    )
    assert dropped.reason == f"didn't appear for {match.label}: seen the log"
    assert dropped.after == {"status": "drop", "round": 1, "after_pairing": True}


async def test_a_no_show_can_be_kept_to_this_match(world: World) -> None:
    await world.begin(8)
    match = (await current(world)).matches[0]
    after = await decide(world, match, match.upper.name, kind=Kind.FORFEIT, only_this_match=True)
    assert (after.winner, after.lower.active) == (match.upper.name, True)


async def test_a_no_show_of_a_closed_round_is_not_dropped(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    match = (await current(world, 1)).matches[0]
    look = await preview(world, match, match.lower.name, kind=Kind.FORFEIT)
    assert look.absent is None
    after = await decide(world, match, match.lower.name, kind=Kind.FORFEIT)
    assert (after.winner, after.upper.active) == (match.lower.name, True)


async def test_the_forfeit_of_a_player_who_has_left_can_still_get_its_score(world: World) -> None:
    await world.begin(4, best_of=3)
    match = (await current(world)).matches[0]
    await world.drop(match.lower.name)
    after = await decide(world, match, match.upper.name, kind=Kind.FORFEIT, score="1-0")
    assert after.state_words == f"{match.upper.name} won 1{DASH}0 by forfeit"


async def playing(world: World, *roles: int) -> tuple[MatchView, Actor]:
    """Begin a season with someone who also has these roles, and return their match."""
    await world.create()
    judge = world.players["Judge"] = person(77, "Judge", *roles)
    await world.sign_up(*NAMES[:3], "Judge")
    await world.start()
    match = await world.match_of("Judge")
    assert match is not None
    return match, judge


async def test_moderators_do_not_decide_their_own_match(world: World) -> None:
    match, judge = await playing(world, MODERATOR_ROLE)
    for attempt in (
        decide(world, match, "Judge", actor=judge),
        clear(world, match, actor=judge),
        world.db.read(
            decisions.decide_preview, Order(actor=judge, now=world.now), match=match.match.id, outcome="Judge"
        ),
    ):
        with pytest.raises(NotAllowed, match=r"you play in this match\. Ask another moderator"):
            await attempt
    other = next(one for one in (await current(world)).matches if one.match.id != match.match.id)
    assert (await decide(world, other, other.upper.name, actor=judge)).winner == other.upper.name


async def test_an_organiser_who_decides_their_own_match_is_marked(world: World) -> None:
    match, judge = await playing(world, ORGANISER_ROLE)
    await decide(world, match, "Judge", actor=judge)
    assert (await world.posts("decision"))[-1].facts["by"].endswith(" (who plays in this match)")
    line = (await world.audit())[0]
    assert line.after is not None
    assert line.after["own match"]
    await clear(world, match, actor=judge)
    line = (await world.audit())[0]
    assert line.after == {"state": "open", "own match": True}


async def test_a_correction_that_makes_a_round_one_of_the_finals_marks_it(world: World) -> None:
    await world.begin(3, "two-loss-out", advance="manual")
    (match,) = (await current(world)).matches
    await world.drop(match.upper.name)
    asked = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.post, db=world.db, **asked)
    look = await preview(world, match, match.upper.name)
    after = await decide(world, match, match.upper.name)
    assert after.winner == match.upper.name
    assert any("Round 2 would have been paired differently" in effect for effect in look.effects)
    marked = (await current(world, 2)).round.by_hand
    assert marked == f"paired before the result of {match.label} was corrected"
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        assert verify(rules_season.load(conn, season_id)).agrees


async def test_the_reason_of_a_decision_reaches_the_two_players_and_the_moderators_and_nobody_else(
    world: World,
) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    upper, lower = (world.player(side.name) for side in match.sides)
    who: Any = {"now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, actor=lower, **who, topic=Topic.NEWS, how=How.DIRECT)
    await world.lose(match.lower.name)
    await decide(world, match, match.upper.name)
    made = [one for one in await world.announce() if one.row.kind == "decision"]
    told = {one.row.target: one.post for one in made}
    assert all(isinstance(facts, MatchPost) for facts in told.values())
    assert {target: getattr(facts, "why", None) for target, facts in told.items()} == {
        Target.LEAGUE: "",
        Target.PERSON: "seen the log",
    }
    for actor, reads in ((upper, True), (lower, True), (MODERATOR, True), (STRANGER, False)):
        seen = await world.db.read(details.details, Order(actor=actor, now=world.now), match=match.match.id)
        (ruled,) = [one for one in seen.statements if isinstance(one, Decided)]
        assert ruled.by == "the moderator moderator"
        assert bool(ruled.why) is reads


async def test_the_words_of_a_dispute_are_read_by_the_two_and_the_moderators_alone(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    upper, lower = (world.player(side.name) for side in match.sides)
    what: Any = {"now": world.now, "match": match.match.id}
    await do(reporting.report, db=world.db, actor=upper, result="won", **what)
    await do(reporting.dispute, db=world.db, actor=lower, reason="my cat ate the cards", **what)
    for actor, reads in ((upper, True), (lower, True), (MODERATOR, True), (STRANGER, False)):
        assert ("cat" in str((await see(details.details, db=world.db, actor=actor, **what)).statements)) is reads


@pytest.mark.parametrize("early", [False, True])
async def test_a_season_an_organiser_ended_without_a_champion_gets_none_by_a_correction(
    world: World, early: bool
) -> None:
    await world.begin(4, "keyforge-swiss", rounds=3 if early else 2, cut=0, advance="manual")
    await world.play_round()
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.post, organiser)
    await world.play_round()
    await world.db.write(lifecycle.finish, organiser)
    match = (await world.db.read(posted_round, organiser)).matches[0]
    assert match.loser is not None
    said: Any = {"match": match.match.id, "outcome": read_outcome(match, match.loser.name)}
    preview = await world.db.read(decisions.decide_preview, organiser, **said)
    assert not [effect for effect in preview.effects if "champion" in effect]
    after = await world.db.write(decisions.decide, organiser, **said, reason="typo")
    assert after.winner == match.loser.called
    assert (await world.status()).champion is None
    assert not [text for text in await world.notices() if "champion" in text]
