"""The waiting list of a full season: joined by the same button, a free place is asked about in a new message."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


async def full(world: World, **options: object) -> None:
    """Open a season for two with Ada and Bruno in it, and Chidi and Daria on its waiting list."""
    await world.league()
    await world.season(players=2, max_players=2, **options)
    for player, place in ((world.players[2], "1st"), (world.players[3], "2nd")):
        told = text_of(await player.click(world.post("Sign-ups are open"), label="Join"))
        assert f"Season 1 is full. You're {place} on the waiting list." in told


async def leaves(world: World, name: str) -> None:
    asked = await world.player(name).click(world.post("Sign-ups are open"), label="Leave")
    await world.player(name).click(asked.response, label="Leave")


@pytest.mark.long
async def test_a_free_place_is_asked_about_in_a_message_that_survives_a_restart(world: World) -> None:
    await full(world)
    board = message_text(world.post("Sign-ups are open"))
    assert "All places are taken: **Join** puts you on the waiting list." in board
    assert "2 players wait for a place." in board
    await leaves(world, "Ada")
    question = world.post("a place for Chidi")
    assert world.pinged(question)[0] == {world.players[2].id}
    assert labels(question) == ["Take the place", "No thanks"]
    await world.restart()
    refused = await world.players[3].click(question, label="Take the place")
    assert "isn't offered to you" in text_of(refused)
    assert "You're in season 1 as **Chidi**" in text_of(await world.players[2].click(question, label="Take the place"))
    assert not world.posts("a place for Chidi")
    assert "1 player waits for a place." in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_no_thanks_and_silence_ask_the_next(world: World) -> None:
    await full(world, confirm_hours=6)
    await leaves(world, "Ada")
    told = await world.players[2].click(world.post("a place for Chidi"), label="No thanks")
    assert "off the waiting list" in text_of(told)
    assert world.posts("a place for Daria")
    await world.jump(hours=6, minutes=1)
    assert not world.posts("a place for")
    assert "Daria, the free place" in message_text(world.post("there for others again"))
    assert "for a place" not in message_text(world.post("Sign-ups are open"))


async def test_leave_and_drop_take_people_off_the_list(world: World) -> None:
    await full(world)
    asked = await world.players[2].click(world.post("Sign-ups are open"), label="Leave")
    assert "you're at its end" in text_of(asked)
    assert "off the waiting list" in text_of(await world.players[2].click(asked.response, label="Leave"))
    assert "off the waiting list" in text_of(await world.players[3].slash(world.channel, "drop"))
    assert "for a place" not in message_text(world.post("Sign-ups are open"))
    assert "You're not in season 1" in text_of(await world.players[3].slash(world.channel, "drop"))


@pytest.mark.long
async def test_a_place_of_a_season_that_runs_says_what_it_costs(world: World) -> None:
    await full(world)
    await world.organiser.slash(world.channel, "season start")
    assert world.pinged(world.post("You stay on the waiting list"))[0] == {world.players[2].id, world.players[3].id}
    assert "You're on the waiting list of season 1" in text_of(await world.players[2].slash(world.channel, "match"))
    await world.organiser.slash(world.channel, "season settings", setting="max_players", value="3")
    question = world.post("a place for Chidi")
    assert "Round 1 counts as a loss." in message_text(question)
    assert "You're in season 1" in text_of(await world.players[2].click(question, label="Take the place"))


@pytest.mark.long
async def test_check_in_by_a_button_after_a_restart(world: World) -> None:
    await full(world, signups_close="2d", check_in_hours=24)
    assert "Check-in opens <t:" in message_text(world.post("Sign-ups are open"))
    await world.jump(days=1, minutes=1)
    question = world.post("Still in?")
    assert world.pinged(question)[0] == {world.players[0].id, world.players[1].id}
    assert labels(question) == ["I'm in", "Leave"]
    assert "Last day to join:** 2 players are in." in message_text(world.post("Sign-ups are open"))
    for command in ("match", "help"):
        assert "Press I'm in under the check-in message" in text_of(
            await world.players[0].slash(world.channel, command)
        )
    await world.restart()
    assert "Checked in: you're in season 1" in text_of(await world.players[0].click(question, label="I'm in"))
    assert "I'm in under" not in text_of(await world.players[0].slash(world.channel, "match"))
    assert "1 of 2 have checked in. Still missing: Bruno" in message_text(world.post("Still in?"))
    assert "waiting list" in text_of(await world.players[2].click(question, label="I'm in"))
    assert "not in season 1" in text_of(await world.outsider.click(question, label="I'm in"))
    await world.jump(days=1)
    assert not world.posts("Still in?")
    told = world.post("Bruno didn't check in. From the waiting list, now in: Chidi.")
    assert world.pinged(told)[0] == {world.players[1].id, world.players[2].id}
    assert "Ada" in world.rows()[0].pairing
    assert "Chidi" in world.rows()[0].pairing
