"""Leaving and coming back: asked first where it costs a match, answered by organisers with buttons."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.files import change_by_hand


@pytest.mark.long
async def test_before_the_start_a_drop_takes_the_sign_up_back(world: World) -> None:
    await world.league()
    await world.season(players=3)
    told = await world.players[0].slash(world.channel, "drop")
    assert told.ephemeral
    assert "sign-up list" in text_of(told)
    assert "2 players so far" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_a_drop_that_costs_a_match_is_asked_first(world: World) -> None:
    await world.started(players=4)
    post = world.open_matches()[0]
    upper, lower = world.sides(post)
    asked = await upper.slash(world.channel, "drop", reason="*exams*")
    assert asked.ephemeral
    assert "forfeit" in text_of(asked)
    assert labels(asked.response) == ["Drop out", "Stay"]
    assert "Nothing was changed" in text_of(await upper.click(asked.response, label="Stay"))
    assert world.fresh(post).label == "Report"
    asked = await upper.slash(world.channel, "drop", reason="*exams*")
    told = await upper.click(asked.response, label="Drop out")
    assert "You've left season 1" in text_of(told)
    assert world.fresh(post).winner == lower.user.global_name
    assert f"Forfeit: {upper.user.global_name} has left" in world.fresh(post).text


async def test_who_hears_that_their_results_count_for_nobody_isnt_told_that_they_still_count(world: World) -> None:
    """The question said it and the answer the opposite, also for the organiser who disqualifies them later."""
    await world.started(players=4, format="round-robin")
    ada = world.players[0]
    asked = await ada.slash(world.channel, "drop")
    assert "You have played 0 of 3: your results will count for nobody." in text_of(asked)
    told = text_of(await ada.click(asked.response, label="Drop out"))
    assert told.endswith("Your results count for nobody.")
    asked = await world.organiser.slash(world.channel, "player disqualify", player="Ada", reason="cheated")
    assert "They are disqualified as well and can't come back. Their results count for nobody." in text_of(asked)
    told = text_of(await world.organiser.click(asked.response, label="Disqualify them"))
    assert told == "Ada was disqualified from season 1. Their results count for nobody."


@pytest.mark.long
async def test_coming_back_is_the_organisers_to_allow(world: World) -> None:
    await world.started(players=5)
    player = world.players[0]
    await world.agreed("player drop", "Drop them", player="Ada", reason="no answer")
    told = await player.slash(world.channel, "rejoin")
    assert "Request sent" in text_of(told)
    request = world.post("asks to come back", world.back_room)
    refused = await world.players[1].click(request, label="Accept")
    assert "Only organisers" in text_of(refused)
    answered = await world.organiser.click(request, label="Accept")
    assert "is back in the season" in text_of(answered)
    assert labels(world.post("asks to come back", world.back_room)) == []


@pytest.mark.long
async def test_a_disqualified_player_is_out_and_can_be_reinstated(world: World) -> None:
    await world.started(players=4)
    done = await world.agreed("player disqualify", "Disqualify them", player="Ada", reason="cheated")
    assert "Ada was disqualified from season 1" in text_of(done)
    assert (await world.players[0].slash(world.channel, "rejoin")).ephemeral
    back = await world.agreed("player reinstate", "Undo it", player="Ada", reason="a mistake")
    assert "Ada is back" in text_of(back)


@pytest.mark.long
async def test_what_to_do_for_a_place_without_an_account_is_said_in_commands_to_click(world: World) -> None:
    await world.started(players=4)
    await world.agreed("player drop", "Drop them", player="Ada", reason="no answer")
    with change_by_hand(world.env.bot.database) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'Ada'")  # as in a season that was imported
    back = await world.agreed("player reinstate", "Undo it", player="Ada", reason="a mistake")
    assert "\\" not in text_of(back)


async def test_an_organiser_adds_and_renames(world: World) -> None:
    await world.league()
    await world.season(players=2)
    added = await world.organiser.slash(
        world.channel, "player add", user=world.outsider, name="The Other", reason="asked by mail"
    )
    assert "The Other" in text_of(added)
    renamed = await world.organiser.slash(
        world.channel, "player rename", player="The Other", name="Otto", reason="typo"
    )
    assert "Otto" in text_of(renamed)
    assert "Otto" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_a_name_given_during_the_season_is_told_and_can_be_undone(world: World) -> None:
    await world.started(players=4)
    who: dict[str, str] = {"player": "Ada", "reason": "typo"}
    told = text_of(await world.organiser.slash(world.channel, "player rename", **who, name="Adelheid"))
    assert "**Adelheid** is Ada's name once season 1 is over: its draws use the one before." in told
    assert world.pinged(world.post("you're Adelheid once season 1 is over"))[0] == {world.players[0].id}
    profile = text_of(await world.outsider.slash(world.channel, "profile", player="Ada"))
    assert "**Adelheid** once the season is over" in profile
    undone = await world.organiser.slash(world.channel, "player rename", **who, name="Ada")
    assert "**Ada** keeps this name, and won't be Adelheid." in text_of(undone)


@pytest.mark.long
async def test_a_place_without_an_account_gets_the_one_an_organiser_adds(world: World) -> None:
    await world.started(players=4)
    ada = world.players[0]
    with change_by_hand(world.env.bot.database) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'Ada'")  # as in a season that was imported
    added = await world.organiser.slash(world.channel, "player add", user=ada.user, name="Ada")
    assert f"**Ada** was already in the season, and {ada.user.mention} is their account now" in text_of(added)


@pytest.mark.long
async def test_late_entry_by_the_command(world: World) -> None:
    await world.started(players=4)
    asked = await world.outsider.slash(world.channel, "signup", name="Late One")
    assert asked.ephemeral
    assert "You missed round 1: it counts as a loss. Join anyway?" in text_of(asked)
    assert not world.posts("Late One joins season 1")
    told = await world.outsider.click(asked.response, label="Join anyway")
    assert "You're in season 1 as **Late One**" in text_of(told)
    assert world.pinged(world.post("Late One joins season 1")) == (set(), set())
    again = await world.outsider.slash(world.channel, "signup")
    assert "already in season 1 as **Late One**" in text_of(again)


@pytest.mark.long
async def test_nobody_is_sent_to_a_button_that_is_gone_once_the_season_runs(world: World) -> None:
    await world.league()
    await world.opened()
    joined = [await who.click(world.post("Sign-ups are open"), label="Join") for who in world.players[:4]]
    assert all("To leave, press **Leave** where you joined." in text_of(told) for told in joined)
    await world.organiser.slash(world.channel, "season start")
    again = text_of(await world.players[0].slash(world.channel, "signup"))
    assert "To leave, use `/drop`." in again
    assert "Leave**" not in again


@pytest.mark.long
async def test_a_late_entry_can_be_thought_over(world: World) -> None:
    await world.started(players=4)
    asked = await world.outsider.slash(world.channel, "signup")
    assert "Nothing was changed" in text_of(await world.outsider.click(asked.response, label="Stay out"))
    assert not world.posts("joins season 1")
