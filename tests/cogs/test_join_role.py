"""The role members need to join, chosen by name or mention, told to those without it, and checked."""

from tests.cogs.conftest import World, message_text, text_of


async def test_a_role_is_chosen_told_and_missed(world: World) -> None:
    await world.league()
    role = world.guild.create_role("Players")
    await world.organiser.slash(world.channel, "season create", format="ohs")
    typed = {"setting": "join_role", "value": "@players"}
    shown = await world.organiser.slash(world.channel, "season settings", **typed)
    assert "Settings saved" in text_of(shown)
    await world.organiser.click(shown.response, label="Open sign-ups")
    board = world.post("Sign-ups are open")
    assert f"Only members with <@&{role.id}> can join." in message_text(board)
    assert world.pinged(board)[1] == set()
    ada, eva = world.player("Ada"), world.member("Eva", role)
    for told in (await ada.click(board, label="Join"), await ada.slash(world.channel, "signup")):
        assert f"Only members with <@&{role.id}> can join season 1. Ask an organiser for the role" in text_of(told)
    assert "You're in season 1" in text_of(await eva.click(board, label="Join"))
    assert f"<@&{role.id}>" in text_of(await ada.slash(world.channel, "season settings"))
    checked = text_of(await world.organiser.slash(world.channel, "league settings"))
    assert f"Only members with <@&{role.id}> can join the season." in checked
    refused = await world.organiser.slash(world.channel, "season settings", setting="join_role", value="nobody's")
    assert "a role of the server, mentioned" in text_of(refused)
    await world.organiser.slash(world.channel, "season settings", setting="join_role", value="999999999999999999")
    assert "was deleted, so no one can join" in text_of(await world.organiser.slash(world.channel, "league settings"))
    assert "isn't there any more" in text_of(await ada.slash(world.channel, "signup"))
    await world.organiser.slash(world.channel, "season settings", setting="join_role", value="")
    assert "You're in season 1" in text_of(await ada.slash(world.channel, "signup"))
