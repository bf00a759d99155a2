"""The life of a round as organisers lead it, and what players ask about it."""

import asyncio
import hashlib
import subprocess
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, PairingImpossible, WrongPhase
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.outbox import NoticePost
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.organising.rounds_by_hand import EndFirst
from bot.services.reads import inbox, pairings
from bot.services.reads.my_match import my_match
from bot.services.seasons import pausing
from bot.services.signups import signing_up
from storage import rules_season
from storage.tables import rounds
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World


async def current(world: World, number: int | None = None) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)


def asked(world: World) -> dict[str, object]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def pair(world: World) -> RoundView:
    return await do(rounds_by_hand.preview, db=world.db, **asked(world))  # type: ignore[arg-type]


async def post(world: World) -> RoundView:
    return await do(rounds_by_hand.post, db=world.db, **asked(world))  # type: ignore[arg-type]


async def swap(world: World, first: str, second: str, reason: str = "they asked") -> RoundView:
    return await do(swapping.swap, db=world.db, first=first, second=second, reason=reason, **asked(world))  # type: ignore[arg-type]


async def undo(world: World, reason: str = "wrong") -> RoundView:
    return await do(rounds_by_hand.undo, db=world.db, reason=reason, **asked(world))  # type: ignore[arg-type]


async def close(world: World) -> RoundView | None:
    return await do(rounds_by_hand.close, db=world.db, **asked(world))  # type: ignore[arg-type]


def who_meets(view: RoundView) -> set[frozenset[str]]:
    return {frozenset(side.name for side in match.sides) for match in view.matches}


async def verified(world: World) -> list[str]:
    view = await world.status()
    with look_into(world.db) as conn:
        return verify(rules_season.load(conn, view.season.id)).lines()


async def between_rounds(world: World, count: int = 8) -> None:
    """Play round 1 of a season whose organiser pairs himself."""
    await world.begin(count, advance="manual")
    await world.play_round()


async def test_only_organisers_lead_rounds(world: World) -> None:
    await between_rounds(world)
    for actor in (STRANGER, MODERATOR, world.player("dok")):
        who = {"actor": actor, "now": world.now, "league_id": world.league_id}
        for attempt in (
            do(rounds_by_hand.preview, db=world.db, **who),
            do(rounds_by_hand.post, db=world.db, **who),
            do(rounds_by_hand.close, db=world.db, **who),
            do(rounds_by_hand.extend, db=world.db, days=1, **who),
            do(swapping.swap, db=world.db, first="dok", second="Zoë", reason="x", **who),
            do(rounds_by_hand.undo, db=world.db, reason="x", **who),
        ):
            with pytest.raises(NotAllowed):
                await attempt


async def test_a_draft_is_seen_by_organisers_alone_and_published_as_it_is(world: World) -> None:
    await between_rounds(world)
    queued = {post.key for post in await world.posts()}
    draft = await pair(world)
    assert (draft.round.phase, draft.round.number) == (RoundPhase.DRAFT, 2)
    assert (await current(world)).round.number == 1
    kept = {key for key in queued if not key.startswith("stuck:")}  # that all results are in is done with
    assert {post.key for post in await world.posts()} == kept | {"news:1"}
    with pytest.raises(NotFound, match="no posted round 2"):
        await current(world, 2)
    posted = await post(world)
    assert posted.round.phase is RoundPhase.OPEN
    assert who_meets(posted) == who_meets(draft)
    assert [post.facts["page"] for post in await world.posts("round")] == [1, 1]


async def test_missing_results_are_named(world: World) -> None:
    await world.begin(4)
    first, second = (await current(world)).matches
    await world.lose(first.lower.name)
    ways = r"Remind the players with /announce to:unplayed, set results with /result set"
    for attempt in (pair(world), post(world), close(world)):
        with pytest.raises(WrongPhase, match=rf"missing in round 1: {second.pairing} \(open\)\. {ways}"):
            await attempt


async def test_closing_goes_on_as_the_season_says(world: World) -> None:
    await between_rounds(world)
    assert await close(world) is None
    assert (await current(world)).round.phase is RoundPhase.CLOSED
    with pytest.raises(WrongPhase, match=r"No round is open.*/round post"):
        await close(world)


async def test_closing_before_the_deadline_posts_the_next_round(world: World) -> None:
    await world.begin(4, advance="deadline")
    await world.play_round()
    following = await close(world)
    assert following is not None
    assert following.round.number == 2


async def test_closing_the_final_ends_the_season(world: World) -> None:
    await world.begin(2, advance="manual", rounds=1)
    await world.play_round()
    await close(world)
    await post(world)
    await world.play_round()
    with pytest.raises(WrongPhase, match=r"is the champion.*/round post"):
        await pair(world)
    assert await close(world) is None
    assert (await world.status()).season.phase is SeasonPhase.FINISHED


async def test_a_season_that_is_decided_once_its_finals_are_taken_back_is_closed(world: World) -> None:
    await world.begin(2, advance="manual", rounds=1)
    await world.play_round()
    await post(world)
    await world.play_round()
    await world.drop("dok")
    who: Any = asked(world)
    await do(rounds_by_hand.undo_finals, db=world.db, **who)
    with pytest.raises(EndFirst, match=r"^No round follows: Xorlof is the champion\. The season ends now\.$"):
        await do(rounds_by_hand.post, db=world.db, agreed="", **who)
    assert await post(world) is None
    assert (await world.status()).season.phase is SeasonPhase.FINISHED


@pytest.mark.long
async def test_swapping_in_a_draft(world: World) -> None:
    await between_rounds(world)
    draft = await pair(world)
    first, second = draft.matches[:2]
    after = await swap(world, first.upper.name, second.lower.name)
    assert frozenset((second.lower.name, first.lower.name)) in who_meets(after)
    assert frozenset((second.upper.name, first.upper.name)) in who_meets(after)
    assert after.round.by_hand == "they asked"
    assert "by hand: they asked" in after.matches[0].match.why[0]
    await post(world)
    await world.play_round()
    await post(world)
    assert (await verified(world))[1] == "round 2: changed by hand (they asked); no one plays twice"
    assert (await verified(world))[2] == "round 3: as the rules say"


async def test_a_preview_goes_where_the_season_ends_because_players_leave(world: World) -> None:
    await world.begin(4, advance="manual", cut=0)
    await world.play_round()
    await close(world)
    preview = await pair(world)
    for name in NAMES[:3]:
        await world.drop(name)
    view = await world.status()
    assert view.season.phase is SeasonPhase.FINISHED
    assert (await current(world)).round.number == preview.round.number - 1
    assert [post.kind for post in await world.posts() if post.kind == "champion"] == ["champion"]


async def test_who_is_left_alone_once_round_1_is_undone_is_the_champion(world: World) -> None:
    await world.begin(2, "single-elimination")
    await undo(world)
    await world.drop("dok")
    view = await world.status()
    assert (view.season.phase, view.champion) == (SeasonPhase.FINISHED, "Xorlof")


async def test_a_preview_that_cannot_be_paired_any_more_is_gone_and_is_not_posted(world: World) -> None:
    await world.begin(5, "lightseekers-swiss")
    await undo(world)
    preview = await pair(world)
    await world.drop("dok")
    with pytest.raises(PairingImpossible, match="needs at least 5 players and has 4"):
        await post(world)
    with look_into(world.db) as conn:
        assert rounds.draft(conn, preview.season.id) is None
    assert [line for line in await verified(world) if "differs" in line] == []


@pytest.mark.long
async def test_a_preview_that_was_changed_by_hand_is_shown_as_it_is_until_it_is_undone(world: World) -> None:
    await between_rounds(world)
    draft = await pair(world)
    await swap(world, draft.matches[0].upper.name, draft.matches[1].lower.name)
    again = await pair(world)
    assert again.round.by_hand == "they asked"
    assert who_meets(again) != who_meets(draft)
    await undo(world)
    assert who_meets(await pair(world)) == who_meets(draft)


async def test_posting_is_asked_first_and_agreed_to_as_it_was_shown(world: World) -> None:
    await between_rounds(world)
    who: Any = asked(world)
    with pytest.raises(ConfirmationNeeded, match=r"^Round 1 of 4 ends\. Round 2 of 4 is paired and posted at once"):
        await do(rounds_by_hand.post, db=world.db, **who, agreed="")
    assert (await current(world)).round.phase is RoundPhase.OPEN
    shown = await pair(world)
    seen = rounds_by_hand.agreement_to(shown)
    await swap(world, shown.matches[0].upper.name, shown.matches[1].lower.name)
    with pytest.raises(ConfirmationNeeded, match=r"^Round 2 of 4 is posted and mentions its players: ") as changed:
        await do(rounds_by_hand.post, db=world.db, **who, agreed=seen)
    assert changed.value.changed
    posted = await do(rounds_by_hand.post, db=world.db, **who, agreed=rounds_by_hand.agreement_to(await pair(world)))
    assert posted is not None
    assert posted.round.phase is RoundPhase.OPEN


async def test_swapping_in_a_posted_round_tells_the_players(world: World) -> None:
    await world.begin(5)
    view = await current(world)
    match, other, bye = view.matches[0], view.matches[1], view.byes[0].name
    after = await swap(world, match.lower.name, bye)
    assert (after.round.name, [one.name for one in after.byes]) == (view.round.name, [match.lower.name])
    (notice,) = await world.posts("pairings-changed")
    assert f"{match.upper.name} v {bye}" in notice.facts["text"]
    assert f"bye for {match.lower.name}" in notice.facts["text"]
    why = await world.db.read(pairings.why, Order(actor=STRANGER, now=world.now, league_id=world.league_id), player=bye)
    assert why.by_hand == "they asked"
    assert "by hand" in why.sentences[0]
    assert after.matches[0].match.version > match.match.version
    again = await swap(world, match.upper.name, other.upper.name, "once more")
    assert again.round.by_hand == "they asked; once more"


async def test_a_swap_says_first_who_plays_then_and_the_match_keeps_the_records_of_both(world: World) -> None:
    await between_rounds(world)
    await post(world)
    pairs = (await current(world)).matches
    won, lost = ([one for one in pairs if one.match.tier == tier] for tier in ("both unbeaten", "both 1 loss"))
    named = {"first": won[0].lower.name, "second": lost[0].lower.name}
    with pytest.raises(ConfirmationNeeded) as question:
        await do(swapping.swap, db=world.db, agreed="", **named, **asked(world))  # type: ignore[arg-type]
    mixed = f"{won[0].upper.name} v {lost[0].lower.name} and {lost[0].upper.name} v {won[0].lower.name}"
    before = f"{won[0].pairing} and {lost[0].pairing}"
    assert question.value.cost.startswith(f"{mixed} instead of {before}.")
    assert question.value.cost.endswith("sees that an organiser changed round 2. 4 players will be told.")
    assert who_meets(await current(world)) >= {frozenset(side.name for side in won[0].sides)}
    token = question.value.token
    after = await do(swapping.swap, db=world.db, agreed=token, **named, **asked(world))  # type: ignore[arg-type]
    tiers = {one.pairing: one.match.tier for one in after.matches}
    assert tiers[f"{won[0].upper.name} v {lost[0].lower.name}"] == "unbeaten v 1 loss"
    assert tiers[f"{lost[0].upper.name} v {won[0].lower.name}"] == "1 loss v unbeaten"
    assert tiers[won[1].pairing] == "both unbeaten"


async def test_swaps_that_cannot_be(world: World) -> None:
    await world.begin(8)
    first, second, third, _ = (await current(world)).matches
    with pytest.raises(Invalid, match="already play each other"):
        await swap(world, first.upper.name, first.lower.name)
    with pytest.raises(Invalid, match="two different"):
        await swap(world, first.upper.name, first.upper.name)
    with pytest.raises(NotFound):
        await swap(world, first.upper.name, "nobody")
    await world.lose(first.lower.name)
    with pytest.raises(Conflict, match=r"won.*/result clear"):
        await swap(world, first.upper.name, second.upper.name)
    await world.drop(third.lower.name)
    with pytest.raises(Conflict, match="has left"):
        await swap(world, third.lower.name, second.upper.name)


@pytest.mark.long
async def test_players_of_the_final_and_of_third_place_are_never_swapped(world: World) -> None:
    await world.begin(4, "single-elimination", third_place=True, advance="manual")
    semis = (await current(world)).matches
    assert len((await swap(world, semis[0].lower.name, semis[1].lower.name)).matches) == 2
    await world.play_round()
    for step in (rounds_by_hand.preview, rounds_by_hand.post):
        final, third = (await do(step, db=world.db, **asked(world))).matches  # type: ignore[arg-type]
        assert "hird place" in third.heading
        for one, other in ((final.lower, third.lower), (third.upper, final.upper)):
            with pytest.raises(Invalid, match="semi-finals decided"):
                await swap(world, one.name, other.name)


async def test_a_swap_without_a_reason_says_what_was_changed(world: World) -> None:
    await world.begin(8)
    first, second, *_ = (await current(world)).matches
    await swap(world, first.upper.name, second.upper.name, " ")
    assert (await current(world)).round.by_hand == "two players swapped"


async def test_rematches_made_by_hand_say_so(world: World) -> None:
    await between_rounds(world, 4)
    met = (await current(world)).matches[0]
    draft = await pair(world)
    mine = next(match for match in draft.matches if met.upper.name in {side.name for side in match.sides})
    opponent = mine.lower.name if mine.upper.name == met.upper.name else mine.upper.name
    after = await swap(world, opponent, met.lower.name)
    changed = next(m for m in after.matches if {side.name for side in m.sides} == {met.upper.name, met.lower.name})
    assert changed.match.rematch
    assert "a rematch" in changed.match.why[0]


async def test_extending_the_round_or_one_match(world: World) -> None:
    await world.begin(4)
    view = await current(world)
    before = view.round.deadline
    assert before is not None
    after = await do(rounds_by_hand.extend, db=world.db, days=2, **asked(world))  # type: ignore[arg-type]
    assert after.round.deadline == before + timedelta(days=2)
    one = await do(rounds_by_hand.extend, db=world.db, days=3, match=view.matches[0].code, **asked(world))  # type: ignore[arg-type]
    assert one.matches[0].deadline == before + timedelta(days=5)
    assert one.matches[1].deadline == before + timedelta(days=2)
    assert one.matches[0].match.version == view.matches[0].match.version
    for days in (0, -1, 366):
        with pytest.raises(Invalid, match="1 to 365"):
            await do(rounds_by_hand.extend, db=world.db, days=days, **asked(world))  # type: ignore[arg-type]


async def test_a_late_extension_counts_from_now_and_calls_the_moderators_again(world: World) -> None:
    await world.begin(4)
    world.later(days=10)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("overdue")) == 1
    after = await do(rounds_by_hand.extend, db=world.db, days=1, **asked(world))  # type: ignore[arg-type]
    assert after.round.deadline == world.now + timedelta(days=1)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("overdue")) == 1
    world.later(days=2)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("overdue")) == 2


async def test_taking_back_a_draft(world: World) -> None:
    await between_rounds(world)
    draft = await pair(world)
    await undo(world)
    with pytest.raises(NotFound, match="no preview and no open round"):
        await undo(world)
    assert who_meets(await pair(world)) == who_meets(draft)


async def test_taking_back_a_posted_round(world: World) -> None:
    await world.begin(4)
    queued = await world.posts("round")
    await world.db.write(delivery.sent, queued[0].id, now=world.now, channel_id=1, message_id=2, version=1)
    before = await undo(world, "a player was missing")
    (withdrawn,) = await world.posts("withdrawn")
    shown = await world.shown(withdrawn)
    assert isinstance(shown, NoticePost)
    assert "a player was missing" in shown.text
    assert (withdrawn.message_id, withdrawn.round_id) == (2, None)
    assert await world.posts("round") == ()
    with pytest.raises(NotFound, match="no posted round"):
        await current(world)
    again = await post(world)
    assert who_meets(again) == who_meets(before)
    assert len(await world.posts("round")) == 1
    assert await verified(world) == ["round 1: as the rules say"]


async def test_a_post_on_its_way_is_taken_back_when_it_arrives(world: World) -> None:
    await world.begin(4)
    (sending,) = await world.posts("round")
    await undo(world)
    assert await world.posts("round") == ()
    await world.db.write(delivery.sent, sending.id, now=world.now, channel_id=1, message_id=2, version=sending.wanted)
    (arrived,) = await world.posts("withdrawn")
    assert arrived.id == sending.id


async def test_a_round_with_reports_is_not_taken_back(world: World) -> None:
    await world.begin(4)
    match = (await current(world)).matches[0]
    await world.lose(match.lower.name)
    with pytest.raises(Conflict, match=r"There are results in round 1: .*/result clear"):
        await undo(world)


async def test_who_left_with_a_bye_is_not_paired_after_the_round_is_taken_back(world: World) -> None:
    await world.begin(5)
    idle = (await current(world)).byes[0].name
    await world.drop(idle)
    await undo(world)
    again = await post(world)
    assert again.byes == ()
    assert idle not in {name for pairing in who_meets(again) for name in pairing}
    assert await verified(world) == ["round 1: as the rules say"]


async def test_taking_back_the_finals_leads_back_to_the_regular_stage(world: World) -> None:
    await world.begin(4, rounds=1)
    await world.play_round()
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    await undo(world)
    assert (await world.status()).season.phase is SeasonPhase.RUNNING
    await post(world)
    assert (await world.status()).season.phase is SeasonPhase.FINALS


async def test_two_organisers_at_once_pair_one_round(world: World) -> None:
    await between_rounds(world)
    answers = await asyncio.gather(post(world), post(world), pair(world), return_exceptions=True)
    assert sum(isinstance(answer, RoundView) for answer in answers) == 1
    assert sum(isinstance(answer, LeagueError) for answer in answers) == 2
    assert (await current(world)).round.number == 2
    assert [post.facts["page"] for post in await world.posts("round")] == [1, 1]


async def test_a_draft_follows_who_comes_and_goes(world: World) -> None:
    await between_rounds(world)
    await pair(world)
    await world.drop("dok")
    with look_into(world.db) as conn:
        preview = rounds.draft(conn, (await world.status()).season.id)
    assert preview is not None, "organisers see it before they publish it"
    posted = await post(world)
    assert posted.round.id == preview.id
    assert "dok" not in {name for pairing in who_meets(posted) for name in pairing} | {bye.name for bye in posted.byes}
    assert await verified(world) == ["round 1: as the rules say", "round 2: as the rules say"]


async def test_why_tells_every_step_with_draws_to_recompute(world: World) -> None:
    await world.begin(5)
    view = await current(world)
    bye = view.byes[0].name
    why = await world.db.read(pairings.why, Order(actor=STRANGER, now=world.now, league_id=world.league_id), player=bye)
    assert why.title == f"Round 1 of 4: {bye} has a bye"
    line, runner_up = why.draws
    assert line.text == f"1/1/bye/{bye}"
    assert runner_up.text.startswith("1/1/bye/")
    assert line.value < runner_up.value
    assert line.value == hashlib.sha256(line.text.encode()).hexdigest()
    printed = subprocess.run(["sh", "-c", line.shell], capture_output=True, text=True, check=True).stdout  # noqa: ASYNC221
    assert printed.split()[0] == line.value
    mine = await world.db.read(
        pairings.why, Order(actor=world.player(view.matches[0].lower.name), now=world.now, league_id=world.league_id)
    )
    assert mine.title == f"Round 1 of 4: {view.matches[0].upper.name} v {view.matches[0].lower.name}"
    assert mine.sentences
    assert {f"1/1/order/{side.name}" for side in view.matches[0].sides} <= {draw.text for draw in mine.draws}
    with pytest.raises(NotFound):
        await world.db.read(pairings.why, Order(actor=STRANGER, now=world.now, league_id=world.league_id))


async def test_a_shell_line_survives_any_name(world: World) -> None:
    await world.create()
    await world.sign_up("O'Neil $(id)", "b`a`c")
    await world.start()
    why = await world.db.read(
        pairings.why, Order(actor=STRANGER, now=world.now, league_id=world.league_id), player="O'Neil $(id)"
    )
    for line in why.draws:
        printed = subprocess.run(["sh", "-c", line.shell], capture_output=True, text=True, check=True).stdout  # noqa: ASYNC221
        assert printed.split()[0] == line.value


async def test_all_players_are_told_their_next_step(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES[:5])
    mine = await world.db.read(my_match, Order(actor=world.player("dok"), now=world.now, league_id=world.league_id))
    assert mine.match is None
    await world.start()
    view = await current(world)
    idle = await world.db.read(
        my_match, Order(actor=world.player(view.byes[0].name), now=world.now, league_id=world.league_id)
    )
    assert "bye in round 1" in idle.what_to_do
    upper = world.player(view.matches[0].upper.name)
    mine = await world.db.read(my_match, Order(actor=upper, now=world.now, league_id=world.league_id))
    assert mine.match is not None
    assert mine.match.label == view.matches[0].label
    assert "/report" in mine.what_to_do
    with pytest.raises(NotFound, match="/signup"):
        await world.db.read(my_match, Order(actor=STRANGER, now=world.now, league_id=world.league_id))


async def test_why_explains_the_match_of_the_button_and_not_the_newest(world: World) -> None:
    await world.begin(4)
    first = (await current(world)).matches[0]
    await world.play_round()
    assert (await current(world)).round.number == 2
    why = await world.db.read(pairings.why_match, Order(actor=STRANGER, now=world.now), match_id=first.match.id)
    assert why.title == f"Round 1 of 4: {first.upper.name} v {first.lower.name}"
    assert why.sentences == first.match.why
    with pytest.raises(NotFound):
        await world.db.read(pairings.why_match, Order(actor=FOREIGNER, now=world.now), match_id=first.match.id)


async def test_three_more_days_are_given_once_for_the_deadline_that_was_seen(world: World) -> None:
    await world.begin(4)
    deadline = (await current(world)).round.deadline
    assert deadline is not None
    seen = int(deadline.timestamp())
    await do(rounds_by_hand.extend_overdue, db=world.db, days=3, deadline=seen, **asked(world))  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="deadline of round 1 has moved"):
        await do(rounds_by_hand.extend_overdue, db=world.db, days=3, deadline=seen, **asked(world))  # type: ignore[arg-type]
    assert (await current(world)).round.deadline == deadline + timedelta(days=3)


async def test_an_eliminated_player_is_not_told_they_play_again(world: World) -> None:
    await world.begin(8, "single-elimination")
    out = {match.lower.name for match in (await current(world)).matches}
    await world.play_round()
    for name in out:
        mine = await world.db.read(my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id))
        assert mine.match is None
        assert mine.what_to_do.startswith("You've been out since the quarter-finals.")


@pytest.mark.long
async def test_a_player_out_after_two_losses_is_told_so(world: World) -> None:
    await world.begin(8, "two-loss-out", cut=2)
    told: set[str] = set()
    while (await world.status()).season.phase is SeasonPhase.RUNNING:
        await world.play_round()
        for name in NAMES[:8]:
            mine = await world.db.read(
                my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id)
            )
            told.add(mine.what_to_do if mine.match is None else "plays")
    assert not any("next round on" in text for text in told)
    assert any(text.startswith("You've been out since") for text in told)


async def told(world: World, name: str) -> str:
    mine = await world.db.read(my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id))
    return mine.what_to_do


@pytest.mark.long
async def test_a_player_through_to_the_finals_is_told_so(world: World) -> None:
    await world.begin(8, "two-loss-out", cut=2)
    through: set[str] = set()
    while (await world.status()).season.phase is SeasonPhase.RUNNING:
        await world.play_round()
        through |= {name for name in NAMES[:8] if "You're through to the finals" in await told(world, name)}
    finalists = {side.name for match in (await current(world)).matches for side in match.sides}
    assert through <= finalists


async def test_a_bye_in_the_finals_is_told_as_one(world: World) -> None:
    await world.begin(5, "single-elimination")
    idle = [bye.name for bye in (await current(world)).byes]
    assert len(idle) == 3
    for name in idle:
        assert (await told(world, name)).startswith("You have a bye in the play-in round: you're through")


async def test_a_late_entry_without_a_match_is_told_when_they_play(world: World) -> None:
    await world.begin(4)
    late = {"actor": world.player("Late"), "display_name": "Late", "league_id": world.league_id}
    await do(signing_up.sign_up, db=world.db, **late, now=world.now, agreed=2)
    assert await told(world, "Late") == "You have no match in round 1. You play from round 2 on."
    await world.play_round()
    assert (await current(world)).round.number == 2
    mine = await world.db.read(my_match, Order(actor=world.player("Late"), now=world.now, league_id=world.league_id))
    assert mine.match is not None or mine.bye


async def test_players_who_left_are_told_whether_they_can_come_back(world: World) -> None:
    await between_rounds(world)
    await world.drop("dok")
    await post(world)
    mine = await world.db.read(my_match, Order(actor=world.player("dok"), now=world.now, league_id=world.league_id))
    assert mine.what_to_do == "You've left season 1. To come back, use /rejoin."


async def test_a_swap_or_undo_without_reason_gives_none(world: World) -> None:
    await world.begin(8)
    first, second = (await current(world)).matches[:2]
    after = await do(swapping.swap, db=world.db, first=first.upper.name, second=second.upper.name, **asked(world))  # type: ignore[arg-type]
    assert after.round.by_hand == "two players swapped"
    (notice,) = await world.notices()
    assert notice.endswith(f"{first.upper.name} v {second.lower.name}.") or notice.endswith(f"{first.lower.name}.")
    assert "reason" not in notice.lower()
    for queued in await world.posts("round"):
        await world.db.write(delivery.sent, queued.id, now=world.now, channel_id=1, message_id=2, version=queued.wanted)
    await do(rounds_by_hand.undo, db=world.db, **asked(world))  # type: ignore[arg-type]
    (withdrawn,) = await world.posts("withdrawn")
    assert withdrawn.facts["text"] == "An organiser undid round 1. These pairings don't count; a new round follows."
    assert (await world.audit())[0].reason is None


async def mentioned_daily(world: World) -> bool:
    """Whether organisers are mentioned on both of the next days."""
    counts: list[int] = []
    for _ in range(2):
        world.later(hours=25)
        await steps.tick(world.db, world.now)
        counts.append(len([made for made in await world.announce() if made.row.kind == "waiting"]))
    return counts == [1, 1]


async def waiting_lines(world: World) -> list[str]:
    found = await world.db.read(inbox.inbox, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return [line for section in found.sections for line in (section.heading, *section.lines)]


@pytest.mark.parametrize("rounds_before", [0, 1])
async def test_a_season_without_a_round_after_an_undo_waits_for_organisers(world: World, rounds_before: int) -> None:
    await world.begin(4, rounds=2, cut=0)
    for _ in range(rounds_before):
        await world.play_round()
    assert await waiting_lines(world) == []
    world.later(days=2)
    await undo(world)
    assert await waiting_lines(world) == ["No round is open", "season 1"]
    await steps.tick(world.db, world.now)
    assert await world.posts("waiting") == (), "it waits since now"
    assert await mentioned_daily(world)
    await post(world)
    assert await waiting_lines(world) == []


async def test_finals_taken_back_and_a_preview_wait_for_organisers(world: World) -> None:
    await world.begin(4, rounds=1, cut=2)
    await world.play_round()
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    await do(rounds_by_hand.undo_finals, db=world.db, **asked(world))  # type: ignore[arg-type]
    assert await waiting_lines(world) == ["No round is open", "season 1"]
    await pair(world)
    assert await mentioned_daily(world)
    await post(world)
    await world.play_round()
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    assert await waiting_lines(world) == []


async def test_a_bracket_whose_first_round_was_undone_waits_for_organisers(world: World) -> None:
    await world.begin(4, "single-elimination")
    await undo(world)
    assert await mentioned_daily(world)


async def test_a_season_between_rounds_is_not_mentioned_while_it_is_paused(world: World) -> None:
    await world.begin(4)
    await undo(world)
    await do(pausing.pause, db=world.db, until=world.now + timedelta(days=9), **asked(world))  # type: ignore[arg-type]
    assert await waiting_lines(world) == []
