"""What people are told is true in the state they are told it in, and names a step that works then."""

from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, Invalid, NotFound, WrongPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD
from bot.services.base.permissions import BOT
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining, removing
from bot.services.people.rejoining import REJOIN
from bot.services.play import clearing, possible_results, reporting
from bot.services.play.news import NEWS
from bot.services.play.round_posts import COUNTED, REMINDER
from bot.services.reads import board, guidance, overview, pairings, tables
from bot.services.reads.my_match import my_match
from bot.services.seasons import lifecycle, planning
from bot.services.signups import dropping, signing_up
from cogs.matches.rounds import CLOCK_TO_COME
from cogs.posting.renderings import render
from storage.tables import seasons
from storage.tables.field import entrants
from storage.tables.people import players
from tests.files import change_by_hand, do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World


def organiser(world: World) -> Any:
    return {"actor": ORGANISER, "league_id": world.league_id}


def player(world: World, name: str = "dok") -> Any:
    return {"actor": world.player(name), "league_id": world.league_id}


async def to_do(world: World, name: str = "dok") -> str:
    return (await see(my_match, db=world.db, **player(world, name))).what_to_do


async def cost(world: World, name: str = "dok") -> str:
    with pytest.raises(ConfirmationNeeded) as asked:
        await do(dropping.drop, db=world.db, **player(world, name), now=world.now, agreed="")
    return asked.value.cost


async def next_step(world: World, number: int | None = None) -> str:
    return (await see(overview.status, db=world.db, **organiser(world), number=number)).next_step


async def test_a_league_without_a_moderators_channel_does_not_block_the_settings_of_another(world: World) -> None:
    await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Other", channel_id=77)
    changed = await do(
        set_up.change, db=world.db, **organiser(world), now=world.now, changes={"time_zone": "Europe/Berlin"}
    )
    assert changed.time_zone == "Europe/Berlin"
    with pytest.raises(Conflict, match="Other already uses that channel"):
        await do(set_up.change, db=world.db, **organiser(world), now=world.now, changes={"channel_id": 77})


async def test_an_undone_first_round_does_not_wait_for_sign_ups_to_close(world: World) -> None:
    await world.begin(4)
    await do(rounds_by_hand.undo, db=world.db, **organiser(world), now=world.now)
    assert await to_do(world) == "You're in season 1. An organiser posts round 1."
    with pytest.raises(NotFound, match="An organiser posts round 1"):
        await see(pairings.why, db=world.db, **player(world))
    with pytest.raises(NotFound, match="/round post pairs and posts round 1"):
        await see(pairings.why, db=world.db, **organiser(world), player="dok")


async def test_no_way_back_is_promised_in_the_last_round_before_the_finals(world: World) -> None:
    await world.begin(6, rounds=2)
    assert "You can come back with /rejoin until the last regular round is paired" in await cost(world)
    await world.play_round()
    assert (await cost(world)).endswith("You can't come back this season.")
    await world.drop("dok")
    with pytest.raises(Conflict, match=r"has left season 1\. You can't come back this season"):
        await do(signing_up.sign_up, db=world.db, **player(world), now=world.now, display_name="dok")


async def test_a_request_nobody_could_accept_is_not_sent(world: World) -> None:
    await world.begin(6, rounds=1)
    await world.drop("dok")
    with pytest.raises(WrongPhase, match="no round left to join"):
        await do(rejoining.rejoin, db=world.db, **player(world), now=world.now)
    assert not await world.posts(REJOIN)


async def test_where_rejoin_is_never_nobody_is_sent_to_rejoin(world: World) -> None:
    await world.begin(6, rejoin="never")
    await world.drop("dok")
    with pytest.raises(Conflict, match="You can't come back this season"):
        await do(signing_up.sign_up, db=world.db, **player(world), now=world.now, display_name="dok")


async def test_a_request_is_accepted_when_an_organiser_reinstates_the_player(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    await do(rejoining.rejoin, db=world.db, **player(world), now=world.now)
    await do(rejoining.reinstate, db=world.db, **organiser(world), now=world.now, player="dok", reason="asked")
    with look_into(world.db) as conn:
        asked = entrants.request(conn, 1)
    assert asked is not None
    assert asked.accepted


async def test_nobody_is_asked_to_report_in_a_cancelled_season(world: World) -> None:
    await world.begin(4)
    await do(lifecycle.cancel, db=world.db, **organiser(world), now=world.now, reason=None)
    assert await to_do(world) == "Season 1 was cancelled, so there's nothing left to play."


async def test_eliminated_players_are_sent_to_the_bracket_only_once_there_is_one(world: World) -> None:
    await world.begin(8, format="two-loss-out", cut=2)
    await world.play_round()
    await world.play_round()
    told = [await to_do(world, name) for name in NAMES[:8]]
    assert "You've been out since round 2. /standings shows your place and who is still in." in told


async def test_leaving_a_bracket_that_is_paired_again_does_not_promise_a_forfeit(world: World) -> None:
    await world.begin(8, rounds=1)
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    name = view.matches[0].upper.name
    assert "your place in the finals, which are paired again without you" in await cost(world, name)
    assert not (await world.drop(name)).forfeited


async def test_a_result_of_a_finished_season_is_not_cleared_because_a_next_round_is_paired(world: World) -> None:
    await world.begin(4, rounds=1, cut=2)
    await world.play_out()
    with pytest.raises(Conflict, match=r"Season 1 is over, so .* can't be played again"):
        await do(clearing.clear, db=world.db, **organiser(world), now=world.now, match="R2 M1", reason="x")


async def test_with_advance_manual_no_deadline_ends_a_round(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    assert await next_step(world) == "All results of round 1 are in. /round post ends it and goes on."
    [told] = await world.notices()
    assert "If no round follows, it ends the season." in told


async def test_an_old_season_does_not_offer_another_beside_the_running_one(world: World) -> None:
    await world.begin(4, rounds=1, cut=2)
    await world.play_out()
    assert await next_step(world) == (
        "The season is over: /standings season:1 shows the result. Start the next one with /season create."
    )
    await world.create()
    assert await next_step(world, 1) == "The season is over: /standings season:1 shows the result."


async def test_a_season_without_finals_promises_no_bracket(world: World) -> None:
    await world.begin(4, cut=0)
    with pytest.raises(NotFound, match=r"has no finals\. /standings shows the table, /rules who wins"):
        await see(tables.bracket, db=world.db, **player(world))


async def test_rules_tell_of_the_salt_before_it_is_made(world: World) -> None:
    made = await world.opened(format="ohs", settings={"salt": "sealed"})
    assert "SEASON/ROUND/PURPOSE/SALT/NAME" in made.rules[-1].text
    await world.sign_up(*NAMES[:4])
    begun = await world.start()
    assert f"SEASON/ROUND/PURPOSE/{begun.season.salt}/NAME" in begun.rules[-1].text


async def test_a_live_round_is_given_more_time_by_its_clock(world: World) -> None:
    await world.begin(4, pace="live", game="keyforge")
    with pytest.raises(WrongPhase, match="give more time with /round start-clock"):
        await do(rounds_by_hand.close, db=world.db, **organiser(world), now=world.now)


async def test_a_player_is_not_told_of_the_organisers_record(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    who: Any = {"match": view.match.id, "now": world.now}
    await do(reporting.report, db=world.db, actor=world.player(view.upper.name), result="won", **who)
    with pytest.raises(Invalid, match="Give a reason") as refused:
        await do(reporting.dispute, db=world.db, actor=world.player(view.lower.name), reason=" ", **who)
    assert "/league audit" not in str(refused.value)


async def test_only_the_matches_given_more_days_are_said_to_have_them(world: World) -> None:
    await world.begin(4, overdue="extend", round_days=2)
    view = await world.match_of("dok")
    assert view is not None
    await do(rounds_by_hand.extend, db=world.db, **organiser(world), now=world.now, days=1, match=view.match.id)
    for days in (2, 1):
        await steps.tick(world.db, world.later(days=days))
    told = await world.notices()
    assert told[0].startswith("2 more days for round 1")
    assert told[1].startswith("2 more days for this match of round 1. Still to play: dok v")


@pytest.mark.long
async def test_of_many_matches_given_more_days_it_says_how_many_it_does_not_name(world: World) -> None:
    await world.begin(16, overdue="extend", round_days=2)
    await world.sign_up(*(f"late {number}" for number in range(12)))
    await world.play_round()
    await steps.tick(world.db, world.later(days=2))
    (told,) = [text for text in await world.notices() if "Still to play" in text]
    assert told.endswith(" and 2 more.")


async def test_players_disqualified_during_sign_ups_do_not_count_in_the_rules(world: World) -> None:
    await world.create("keyforge-swiss")
    await world.sign_up(*NAMES[:9])
    await do(removing.disqualify, db=world.db, **organiser(world), now=world.now, player="dok", reason="cheated before")
    begun = await world.start()
    assert begun.rules[0].text.startswith("3. Everyone plays all of them")
    assert "None. The first in the standings wins the season." in [rule.text for rule in begun.rules]


async def test_a_full_season_asks_nobody_to_join(world: World) -> None:
    await world.create(max_players=4)
    await world.sign_up(*NAMES[:4])
    assert await next_step(world) == (
        "All 4 places are taken. With 4 players everyone is in the finals."
        " /season start closes sign-ups and posts round 1."
    )


async def test_a_seeded_season_asks_for_its_seeds_before_the_start(world: World) -> None:
    await world.create("single-elimination", seeding="seeded")
    await world.sign_up(*NAMES[:2])
    assert "Every player needs a seed before the start: /season settings has Seeds." in await next_step(world)


async def test_a_reminder_says_the_deadline_of_a_match_that_has_its_own(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    await do(rounds_by_hand.extend, db=world.db, **organiser(world), now=world.now, days=3, match=view.match.id)
    await steps.tick(world.db, world.later(days=6, hours=1))
    [post] = await world.posts(REMINDER)
    text = str(render(REMINDER, await world.shown(post)).parts[0])
    assert text.count("lay by <t:") == 2


async def test_no_drop_is_undone_for_a_match_whose_next_round_is_paired(world: World) -> None:
    await world.begin(6)
    await world.play_round()
    await world.drop("dok")
    view = await see(posted_round, db=world.db, **player(world), number=1)
    [match] = [match for match in view.matches if "dok" in match.label]
    with pytest.raises(Conflict, match="The round is over and the next one is paired"):
        await world.db.write(clearing.clear, Order(actor=ORGANISER, now=world.now), match=match.match.id, reason="x")


async def test_a_disqualified_player_is_not_told_that_they_left(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES[:4])
    await do(removing.disqualify, db=world.db, **organiser(world), now=world.now, player="dok", reason="cheated before")
    assert await to_do(world) == "You were disqualified from season 1. You can't come back this season."


@pytest.mark.parametrize(("result", "told_how"), [("won", True), ("lost", False)])
async def test_only_a_player_who_has_not_conceded_is_told_how_to(world: World, result: str, told_how: bool) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    for side in view.sides:
        who = world.player(side.name)
        await world.db.write(reporting.report, Order(actor=who, now=world.now), match=view.match.id, result=result)
    told = await to_do(world)
    assert told.startswith("The moderators will decide and tell you.")
    assert ("/report result:lost" in told) is told_how


# -- the board, the news and help ------------------------------------------------------------------------------------


async def on_the_board(world: World) -> str:
    with look_into(world.db) as conn:
        season = seasons.live(conn, world.league_id)
        assert season is not None
        return str(render(BOARD, board.of_season(conn, world.league, season, world.now)).parts[0])


async def helped(world: World, name: str) -> str:
    actor = ORGANISER if name == ORGANISER.name else world.player(name)
    found = await world.db.read(guidance.guidance, Order(actor=actor, now=world.now, league_id=world.league_id))
    return "\n".join(line for lines in found.parts.values() for line in lines)


async def forget_account(world: World, name: str) -> None:
    with change_by_hand(world.db) as conn:
        found = players.by_discord(conn, world.league_id, world.player(name).user_id or 0)
        assert found is not None
        players.change(conn, found.id, discord_id=None)


async def test_losers_of_the_semi_finals_who_play_for_third_place_are_not_out(world: World) -> None:
    await world.begin(4, format="single-elimination", third_place=True)
    await world.play_round()
    [post] = await world.posts(NEWS)
    text = "\n".join(str(part) for part in render(NEWS, await world.shown(post)).parts)
    assert "**For third place:**" in text
    assert "**Out:**" not in text


async def test_the_last_match_ends_the_season_even_if_it_is_the_one_for_third_place(world: World) -> None:
    await world.begin(4, format="single-elimination", third_place=True)
    await world.play_round()
    final, third = (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).matches
    await world.lose(final.lower.name)
    found = await world.db.read(
        possible_results.choices, Order(actor=world.player(third.upper.name), now=world.now), match=third.match.id
    )
    assert "Counts at once and ends the season" in {one.follows for one in found.results}


@pytest.mark.parametrize(("best_of", "shown"), [(7, 20), (9, 10)])
async def test_a_live_match_offers_what_time_cut_short_as_long_as_a_list_holds_it(
    world: World, best_of: int, shown: int
) -> None:
    await world.begin(4, pace="live", best_of=best_of)
    view = await world.match_of("dok")
    assert view is not None
    order = Order(actor=world.player("dok"), now=world.now)
    found = await world.db.read(possible_results.choices, order, match=view.match.id)
    assert len(found.results) == shown <= possible_results.MOST_RESULTS


async def test_the_board_says_when_all_places_are_taken(world: World) -> None:
    await world.create(max_players=4)
    await world.sign_up(*NAMES[:3])
    assert "All places are taken" not in await on_the_board(world)
    await world.sign_up(NAMES[3])
    assert "**Sign-ups are open.** All places are taken: **Join** puts you on the waiting list." in await on_the_board(
        world
    )
    assert "All places of season 1 are taken." in await helped(world, "Ann")


async def test_the_board_counts_no_one_disqualified_before_the_start(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES[:4])
    await do(removing.disqualify, db=world.db, **organiser(world), now=world.now, player="dok", reason="cheated before")
    assert "**3 players so far:** Xorlof, " in await on_the_board(world)


async def test_the_board_promises_no_round_at_once_and_no_size_of_a_cut_that_is_open(world: World) -> None:
    await world.begin(4, advance="manual", rounds=2)
    assert "to come**, then round 2." in await on_the_board(world)
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, **organiser(world), now=world.now)
    await do(rounds_by_hand.post, db=world.db, **organiser(world), now=world.now)
    assert "to come**, then the finals." in await on_the_board(world)


async def test_help_tells_only_players_who_are_in_to_leave(world: World) -> None:
    await world.begin(6)
    assert "Leave the season with /drop" in await helped(world, "dok")
    await world.drop("dok")
    assert "/drop" not in await helped(world, "dok")


async def test_help_sends_organisers_to_the_season_they_prepared(world: World) -> None:
    await do(planning.prepare, db=world.db, **organiser(world), now=world.now, format="ohs")
    told = await helped(world, ORGANISER.name)
    assert "with /season settings" in told
    assert "/season create" not in told


# -- reports -----------------------------------------------------------------------------------------------------------


async def test_no_one_is_told_that_someone_without_a_discord_account_didnt_answer(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    await forget_account(world, view.lower.name)
    actor = world.player(view.upper.name)
    await world.db.write(reporting.report, Order(actor=actor, now=world.now), match=view.match.id, result="won")
    await steps.tick(world.db, world.later(days=1, hours=1))
    world.later(minutes=10)
    assert [made for made in await world.announce() if made.row.kind == COUNTED] == [], "there is nobody to tell"


@pytest.mark.parametrize(("overdue", "late"), [("moderators", "goes to the moderators"), ("double_loss", "is a loss")])
async def test_live_rules_say_what_becomes_of_a_match_without_a_report(world: World, overdue: str, late: str) -> None:
    season = await world.begin(4, format="keyforge-swiss", pace="live", cut=0, overdue=overdue)
    assert any(f"15 minutes after time {late}" in rule.text for rule in season.rules)
    assert any(("Both players lose" in line) is (overdue == "double_loss") for line in season.in_short)


async def test_players_are_not_told_the_command_that_starts_the_clock_and_organisers_are(world: World) -> None:
    await world.begin(4, pace="live", game="keyforge")
    assert "/round" not in CLOCK_TO_COME
    assert "/round start-clock starts the clock." in await next_step(world)


# -- what it costs -----------------------------------------------------------------------------------------------------


async def test_undoing_is_promised_only_until_the_finals_are_posted_again(world: World) -> None:
    await world.begin(8, rounds=1)
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    who: Any = {**organiser(world), "now": world.now, "player": view.matches[0].upper.name, "reason": "cheated"}
    with pytest.raises(ConfirmationNeeded) as asked:
        await do(removing.disqualify, db=world.db, **who, agreed="")
    assert asked.value.cost.endswith("/player reinstate undoes this only until the finals are posted again.")
    await do(removing.disqualify, db=world.db, **who)
    await world.move_up()
    with pytest.raises(Conflict, match="can't be undone"):
        await do(rejoining.reinstate, db=world.db, **who)


async def test_moderators_without_a_channel_of_their_own_leave_the_organisers_commands_to_them(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    [told] = await world.notices()
    assert told.startswith("All results of round 1 are in. Organisers go on: /round post")


@pytest.mark.long
@pytest.mark.parametrize(("rejoin", "words"), [("ask", "is paired, if an organiser agrees. "), ("free", "is paired. ")])
async def test_who_leaves_reads_whether_an_organiser_has_to_agree_to_their_return(
    world: World, rejoin: str, words: str
) -> None:
    await world.begin(4, rounds=3, rejoin=rejoin)
    assert words in await cost(world)


async def test_a_way_back_is_promised_where_dropping_starts_a_round_that_is_not_the_last(world: World) -> None:
    await world.begin(4, rounds=3)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    for match in view.matches:
        if "dok" not in match.pairing:
            await world.lose(match.lower.name)
    assert "You can come back" in await cost(world)


async def test_no_way_back_is_promised_where_dropping_starts_the_last_round(world: World) -> None:
    await world.begin(4, rounds=2)
    assert "You can come back" in await cost(world)
    for match in (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).matches:
        if "dok" not in match.pairing:
            await world.lose(match.lower.name)
    assert (await cost(world)).endswith("You can't come back this season.")
    await world.drop("dok")
    with pytest.raises(WrongPhase, match="no round left to join"):
        await do(rejoining.rejoin, db=world.db, **player(world), now=world.now)
