"""Players who ask to join, and the organisers' answer, as both see it."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


@pytest.mark.long
async def test_an_organiser_lets_one_in_and_refuses_another(world: World) -> None:
    await world.league()
    await world.opened(approval=True)
    board = world.post("Sign-ups are open")
    assert "An organiser lets each player in who wants to join." in message_text(board)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    assert "You've asked to join season 1" in text_of(await ada.click(board, label="Join"))
    assert "You've already asked to join" in text_of(await ada.slash(world.channel, "signup"))
    post = world.post("who is let in?", world.back_room)
    assert world.pinged(post) == (set(), {world.roles["organiser_role"].id})
    assert labels(post) == ["Let in", "Refuse"]
    assert "Only organisers" in text_of(await world.moderator.click(post, label="Let in"))
    waiting = await world.organiser.slash(world.channel, "disputes")
    assert "Want to join" in text_of(waiting)
    assert ": waiting for you" in text_of(waiting)
    assert labels(waiting.response) == ["Let in Ada", "Refuse Ada"]
    waiting = await world.moderator.slash(world.channel, "disputes")
    assert "**Want to join** · That's up to an organiser.\n• Ada" in text_of(waiting)
    assert ": waiting for an organiser" in text_of(waiting)
    assert labels(waiting.response) == []
    assert "You asked to join season 1" in text_of(await ada.slash(world.channel, "match"))
    done = await world.organiser.click(post, label="Let in")
    assert "Ada is let in, and is told" in text_of(done)
    assert "is let in." in message_text(world.post("who is let in?", world.back_room))
    told = world.post("Ada, you're in season 1: an organiser let you in.")
    assert world.pinged(told)[0] == {ada.id}
    await bruno.click(board, label="Join")
    page = world.post("who is let in?", world.back_room)
    assert page.id != post.id, "all were answered on the first page, so another mentions organisers"
    await world.organiser.click(page, label="Refuse")
    for name in ("Chidi", "Daria"):
        await world.player(name).click(board, label="Join")
    assert labels(world.post("who is let in?", world.back_room)) == ["Let in", "Refuse"] * 2
    assert "An organiser didn't let you into season 1" in text_of(await bruno.click(board, label="Join"))


async def test_one_who_waits_leaves_by_the_button(world: World) -> None:
    await world.league()
    await world.opened(approval=True)
    board, ada = world.post("Sign-ups are open"), world.player("Ada")
    await ada.click(board, label="Join")
    assert "You don't ask to join season 1 any more" in text_of(await ada.click(board, label="Leave"))
    post = world.post("who is let in?", world.back_room)
    assert labels(post) == []


@pytest.mark.long
async def test_someone_who_left_the_server_is_not_let_in_and_can_ask_again(world: World) -> None:
    await world.league()
    await world.opened(approval=True)
    board, ada = world.post("Sign-ups are open"), world.player("Ada")
    await ada.click(board, label="Join")
    world.guild.remove_member(ada)
    done = await world.organiser.click(world.post("who is let in?", world.back_room), label="Let in")
    assert "Ada isn't on this server any more, so they aren't let in." in text_of(done)
    assert labels(world.post("who is let in?", world.back_room)) == []
    assert not world.posts("you're in season 1")
    world.guild.add_member(ada)
    assert "You've asked to join season 1" in text_of(await ada.click(board, label="Join"))
