"""Bans as people meet them: a question with its choices, the list, and the doors that stay shut."""

import pytest

from tests.cogs.conftest import World, labels, selects_of, text_of


@pytest.mark.long
async def test_an_organiser_bans_a_player_who_then_presses_join_in_vain(world: World) -> None:
    await world.league()
    await world.opened()
    ada = world.player("Ada")
    await ada.slash(world.channel, "signup")
    asked = await world.organiser.slash(
        world.channel, "player ban", player="Ada", reason="cheated <@1> *twice*", until="30d"
    )
    assert asked.ephemeral
    assert labels(asked.response) == ["Ban", "Don't ban"]
    assert "Ada is banned from" in text_of(asked)
    assert "They're taken off the sign-up list of season 1, and told so, but not why." in text_of(asked)
    left = await world.organiser.click(asked.response, label="Don't ban")
    assert "Nothing was changed" in text_of(left)
    given = {"player": "Ada", "reason": "cheated <@1> *twice*"}
    asked, again = [await world.organiser.slash(world.channel, "player ban", **given) for _ in range(2)]
    done = await world.organiser.click(asked.response, label="Ban")
    assert "**Ada** is banned for good." in text_of(done)
    twice = await world.organiser.click(again.response, label="Ban")
    assert "banned for good already" in text_of(twice)
    assert "You're banned from" in text_of(await ada.click(world.post("Sign-ups are open"), label="Join"))
    assert "You're banned from" in text_of(await ada.slash(world.channel, "signup"))


@pytest.mark.long
async def test_the_list_of_bans_is_for_organisers_and_moderators(world: World) -> None:
    await world.league()
    await world.opened()
    otto = world.outsider
    asked = await world.organiser.slash(
        world.channel, "player ban", player=f"<@{otto.id}>", reason="spam @everyone", until="2030-01-02"
    )
    assert "Otto is banned from" in text_of(asked)
    await world.organiser.click(asked.response, label="Ban")
    shown = await world.organiser.slash(world.channel, "league settings")
    assert "Banned: 1 person" in text_of(shown)
    assert "**Otto**" in text_of(shown)
    assert "spam" in text_of(shown)
    assert "spam" in text_of(await world.moderator.slash(world.channel, "league settings"))
    assert "Banned" not in text_of(await otto.slash(world.channel, "league settings"))
    read = await world.moderator.slash(world.channel, "league settings")
    assert not selects_of(read.response)
    [custom_id], [[option]] = selects_of(shown.response), selects_of(shown.response).values()
    form = await world.organiser.select(shown.response, [option.value], custom_id=custom_id)
    done = await world.organiser.submit_modal(form, {"reason": "served"})
    assert "**Otto** isn't banned any more" in text_of(done)
    assert "You're in season 1" in text_of(await otto.slash(world.channel, "signup"))


@pytest.mark.long
async def test_in_a_running_season_the_organiser_chooses(world: World) -> None:
    await world.started(players=4)
    asked = await world.organiser.slash(world.channel, "player ban", player="Ada", reason="cheated")
    assert labels(asked.response) == ["Drop now", "Play the season out", "Don't ban"]
    await world.organiser.click(asked.response, label="Play the season out")
    assert not world.posts("Ada has left season 1")
    listed = text_of(await world.organiser.slash(world.channel, "league settings"))
    assert "plays season 1 out" in listed
    asked = await world.organiser.slash(world.channel, "player ban", player="Bruno", reason="cheated")
    await world.organiser.click(asked.response, label="Drop now")
    assert world.posts("Bruno has left season 1")
    told = await world.player("Bruno").slash(world.channel, "rejoin")
    assert "You're banned from" in text_of(told)


async def test_what_cannot_be_is_said(world: World) -> None:
    await world.league()
    await world.opened()
    given = {"reason": "x", "player": "Ada"}
    told = text_of(await world.organiser.slash(world.channel, "player ban", **given, until="yesterday"))
    assert "isn't a date" in told
    robot = world.guild.add_member(world.env.create_user("robot", bot=True, global_name="Robot"))
    told = text_of(await world.organiser.slash(world.channel, "player ban", player=f"<@{robot.id}>", reason="x"))
    assert "is a bot" in told
    told = text_of(await world.organiser.slash(world.channel, "player ban", player="<@123456789012345678>", reason="x"))
    assert "someone who isn't on this server is banned from" in told
