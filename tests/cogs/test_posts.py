"""Promised posts: sent once, edited, sent again when lost; one that fails never stops the others."""

from collections.abc import Awaitable, Callable

import pytest
from simcord.actors import MemberActor

from tests.cogs.conftest import MatchRow, World, message_text, text_of
from tests.files import change_by_hand


@pytest.mark.long
async def test_the_sign_up_post_counts_and_says_the_rules(world: World) -> None:
    await world.league()
    await world.season(players=3, rounds=3, signups_close="3d")
    post = world.post("Sign-ups are open")
    text = message_text(post)
    assert "3 players so far" in text
    assert "Ada, Bruno, Chidi" in text
    assert "<t:" in text
    assert "You play three rounds, one match a week (a single game)." in text
    assert "Equal? Who had the stronger opponents is ahead, then who has the better rating." in text
    assert len(world.posts("Sign-ups are open")) == 1


@pytest.mark.long
async def test_a_round_pings_exactly_its_players(world: World) -> None:
    await world.started(players=4)
    round_post = world.post("Round 1")
    assert world.pinged(round_post) == ({player.id for player in world.players[:4]}, set())
    await world.report(world.players[0], "won", own_row(world, world.players[0]))
    assert "<@" not in message_text(world.post("Round 1"))


async def test_a_post_discord_failed_on_comes_later_and_once(world: World) -> None:
    await world.league()
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=503, times=1)
    done = await world.opened()
    assert "are open in" in text_of(done)
    assert not world.posts("Sign-ups are open")
    await world.jump(minutes=1)
    assert len(world.posts("Sign-ups are open")) == 1
    await world.jump(hours=1)
    assert len(world.posts("Sign-ups are open")) == 1


@pytest.mark.long
async def test_a_post_that_was_sent_before_a_crash_is_found_again(world: World) -> None:
    await world.league()
    await world.season(players=1)
    db = world.env.bot.database
    with change_by_hand(db) as conn:
        conn.execute("UPDATE outbox SET state = 'due', message_id = NULL, channel_id = NULL, shown = 0")
    await world.restart()
    await world.jump(minutes=1)
    assert len(world.posts("Sign-ups are open")) == 1
    await world.players[1].click(world.post("Sign-ups are open"), label="Join")
    assert "2 players so far" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_a_deleted_round_card_comes_back(world: World) -> None:
    await world.started(players=2)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.chief.delete(row.post)
    await upper.slash(world.channel, "report", result="won")
    assert "It counts now" in text_of(await world.answer(lower, "Confirm", world.fresh(row)))


@pytest.mark.long
async def test_a_question_deleted_by_hand_comes_back_and_mentions_who_has_to_answer(world: World) -> None:
    await world.league()
    await world.opened(approval=True)
    await world.player("Ada").click(world.post("Sign-ups are open"), label="Join")
    question = world.post("who is let in?", world.back_room)
    asked = world.pinged(question)
    assert asked[1]
    await world.chief.delete(question)
    await world.env.advance_time(90)
    await world.organiser.slash(world.channel, "season settings", setting="rounds", value="5")
    await world.env.advance_time(90)
    again = world.post("who is let in?", world.back_room)
    assert again.id != question.id
    assert world.pinged(again) == asked


async def forgotten(world: World) -> None:
    again = await world.agreed("player forget", "Forget them", player="Ada")
    await world.organiser.click(again.response, label="Forget them")


async def with_another_account(world: World) -> None:
    await world.agreed("player link", "Ask them", player="Ada", user=world.outsider)
    await world.outsider.click(world.post("Are you"), label="That's me")


async def banned(world: World) -> None:
    await world.agreed("player ban", "Drop now", player="Ada", reason="why not")


@pytest.mark.long
@pytest.mark.parametrize("happens", [forgotten, with_another_account, banned])
async def test_what_only_told_something_and_was_deleted_stays_deleted_whatever_happens_to_whom_it_names(
    world: World, happens: Callable[[World], Awaitable[None]]
) -> None:
    await world.started(players=4)
    await world.agreed("round extend", "Give more time", days=3)
    await world.agreed("announce", "Post it", text="Ada brings cake.")
    told = ("3 more days for round 1", "Ada brings cake.", "An organiser undid round 1")
    await world.agreed("round undo", "Undo the round", reason="wrong maps")
    await world.agreed("round post", "Post it")
    await world.jump(minutes=5)
    for post in (*world.posts("## Round 1"), *(post for words in told for post in world.posts(words))):
        await world.chief.delete(post)
    await world.jump(hours=1)
    await happens(world)
    await world.jump(minutes=2)
    assert len(world.posts("## Round 1")) == 1, "what stands is posted again"
    assert [words for words in told if world.posts(words)] == []


@pytest.mark.long
async def test_what_only_told_something_in_a_channel_that_closed_is_not_told_once_more_where_the_league_moves(
    world: World,
) -> None:
    await world.started(players=4)
    await world.agreed("round extend", "Give more time", days=3)
    await world.agreed("announce", "Post it", text="Ada brings cake.")
    told = ("3 more days for round 1", "Ada brings cake.")
    for post in world.channel.history():
        world.env.inject_error("PATCH", f"/channels/{world.channel.id}/messages/{post.id}", status=403, code=50001)
    again = await world.agreed("player forget", "Forget them", player="Ada")
    await world.organiser.click(again.response, label="Forget them")
    await world.jump(minutes=2)
    elsewhere = world.guild.create_text_channel("elsewhere")
    await world.organiser.slash(world.back_room, "league settings", channel=elsewhere)
    await world.jump(hours=2)
    assert "Player " in message_text(world.post("## Round 1", elsewhere)), "what stands is posted where the league is"
    assert [words for words in told if world.posts(words, elsewhere)] == []
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_a_round_undone_after_its_card_was_deleted_is_told_of_once(world: World) -> None:
    await world.started(players=4)
    await world.chief.delete(world.post("## Round 1"))
    await world.agreed("round undo", "Undo the round", reason="wrong maps")
    await world.jump(minutes=1)
    assert world.pinged(world.post("wrong maps")) == ({player.id for player in world.players[:4]}, set())
    assert len(world.posts("wrong maps")) == 1


def own_row(world: World, player: MemberActor) -> MatchRow:
    return next(row for row in world.open_matches() if player in world.sides(row))


async def test_a_closed_channel_parks_the_post_and_tells_the_organisers(world: World) -> None:
    await world.league()
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=403, code=50013, times=1)
    await world.opened()
    assert not world.posts("Sign-ups are open")
    trouble = world.post("a post is missing", world.back_room)
    inbox = text_of(await world.moderator.slash(world.channel, "disputes"))
    assert "**Posts the bot couldn't make** · Fix what each line says, then try the posts again." in inbox
    assert "• board:" in inbox
    assert "Trying again" in text_of(await world.moderator.click(trouble, label="Try again"))
    assert len(world.posts("Sign-ups are open")) == 1


@pytest.mark.long
async def test_one_bad_post_never_stops_the_others(world: World) -> None:
    await world.league()
    await world.season(players=2)
    db = world.env.bot.database
    with change_by_hand(db) as conn:
        conn.execute(
            "INSERT INTO outbox (key, kind, league_id, target, due_at, created_at)"
            " VALUES ('broken', 'round', 1, 'league', 0, 0)"
        )
    await world.organiser.slash(world.channel, "season start")
    assert len(world.open_matches()) == 1


@pytest.mark.long
async def test_a_cut_that_leaves_no_one_out_says_all_and_tells_no_values(world: World) -> None:
    await world.started(players=8, format="two-loss-out")
    for match in world.open_matches():
        await world.report(world.sides(match)[1], "lost", match)
    post = message_text(world.post("The finals: all 8 players go on"))
    assert "1–0" in post
    assert "SoS" not in post
