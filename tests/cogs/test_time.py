"""What happens by the clock alone: sign-ups close, silence confirms, players are reminded, moderators are called."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


@pytest.mark.long
async def test_sign_ups_close_by_themselves(world: World) -> None:
    await world.league()
    await world.season(players=4, signups_close="12h")
    await world.jump(hours=11)
    assert not world.open_matches()
    await world.jump(hours=1, minutes=1)
    assert len(world.open_matches()) == 2
    assert labels(world.post("**Round 1 of 4** · Ends"))[0] == "My match"


@pytest.mark.long
async def test_silence_confirms(world: World) -> None:
    await world.started(players=2, confirm_hours=6)
    post = world.open_matches()[0]
    upper, _ = world.sides(post)
    await world.report(upper, "won", post)
    await world.jump(hours=5)
    assert world.fresh(post).label == "Answer"
    await world.jump(hours=1, minutes=1)
    assert world.fresh(post).label == "Details"
    assert world.fresh(post).winner == upper.user.global_name
    assert "Confirmed: no answer in time" in world.fresh(post).text


@pytest.mark.long
async def test_only_players_with_open_matches_are_reminded(world: World) -> None:
    await world.started(players=4)
    done, waiting = world.open_matches()
    await world.report(world.sides(done)[0], "lost", done)
    await world.jump(days=6, minutes=5)
    reminder = world.post("still to play")
    assert {user.id for user in reminder.mentions} == {side.id for side in world.sides(waiting)}
    await world.jump(hours=1)
    assert len(world.posts("still to play")) == 1


@pytest.mark.long
async def test_overdue_matches_go_to_the_moderators(world: World) -> None:
    await world.started(players=4)
    done, waiting = world.open_matches()
    await world.report(world.sides(done)[0], "lost", done)
    await world.jump(days=7, minutes=5)
    overdue = world.post("past the deadline", world.back_room)
    match = waiting.pairing
    assert match in message_text(overdue)
    upper = world.sides(waiting)[0].user.global_name
    panel = await world.moderator.click(overdue, label=f"Decide {match}")
    assert panel.ephemeral
    assert f"{upper} wins by forfeit…" in labels(panel.response)
    asked = await world.moderator.click(panel.response, label=f"{upper} wins by forfeit…")
    form = await world.moderator.click(asked.response, label="Forfeit and drop")
    told = await world.moderator.submit_modal(form, {"reason": "The other never answered."})
    assert "Both players will be told" in text_of(told)
    assert "Forfeit, decided by the moderators" in world.fresh(waiting).text


@pytest.mark.long
@pytest.mark.parametrize("who", ["moderator", "organiser"])
async def test_moderators_who_are_asked_at_the_deadline_give_more_days(world: World, who: str) -> None:
    await world.started(players=4)
    await world.jump(days=7, minutes=5)
    overdue = world.post("past the deadline", world.back_room)
    assert "Only moderators" in text_of(await world.outsider.click(overdue, label="3 more days for all"))
    told = await getattr(world, who).click(overdue, label="3 more days for all")
    assert "the new deadline is <t:" in text_of(told)


async def test_a_clock_that_fails_goes_on_the_next_time(world: World) -> None:
    await world.league()
    await world.season(players=4, signups_close="1h")
    db = world.env.bot.database
    world.env.bot.database = None
    await world.jump(hours=2)
    assert not world.open_matches()
    world.env.bot.database = db
    await world.jump(minutes=1)
    assert len(world.open_matches()) == 2
    assert not world.env.errors
