"""A league that moved in gets through the door: who people were, on Discord, and an organiser's answer."""

from typing import Any

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_moving_in import sent

PAST = "season,player,opponent,winner\n1,Ada,Bruno,Ada\n2,Ada,Chidi,Ada\n2,Kim Lee,Chidi,Chidi\n"


async def moved_in(world: World, past: str = PAST, **settings: Any) -> Any:
    """Make a league with a past, and open the sign-ups of its next season."""
    await world.league()
    shown = await sent(world, past)
    (press,) = [label for label in labels(shown.response) if label.startswith("Import")]
    done = await world.organiser.click(shown.response, label=press)
    assert "Imported" in text_of(done)
    await world.opened(**settings)
    return done


async def claim(world: World, who: Any) -> Any:
    """Press **Join**, then **That's me**: two presses, and nothing more is asked."""
    asked: Any = await who.click(world.post("Sign-ups are open"), label="Join")
    assert asked.ephemeral
    assert labels(asked.response) == ["That's me", "Someone else"], text_of(asked)
    return await who.click(asked.response, label="That's me")


@pytest.mark.long
async def test_join_under_a_known_name_asks_and_an_organiser_lets_them_in(world: World) -> None:
    await moved_in(world)
    ada = world.player("Ada")
    asked: Any = await ada.click(world.post("Sign-ups are open"), label="Join")
    assert "Are you the **Ada** who played seasons 1 and 2 (2 matches)?" in text_of(asked)
    told = await ada.click(asked.response, label="That's me")
    assert "Request sent: an organiser confirms that you're **Ada**, and you're in season 3" in text_of(told)
    assert "You've already asked" in text_of(await ada.slash(world.channel, "signup"))
    post = world.post("who is who?", world.back_room)
    assert world.pinged(post) == (set(), {world.roles["organiser_role"].id})
    assert labels(post) == ["Yes, it's Ada", "No"]
    assert not world.posts("who is who?", world.channel)
    assert "Only organisers" in text_of(await world.moderator.click(post, label="Yes, it's Ada"))
    assert "Ada says they're Ada" in text_of(await world.organiser.slash(world.channel, "disputes"))
    confirmed = text_of(await world.organiser.click(post, label="Yes, it's Ada"))
    assert "**Ada** has this account now, and is told" in confirmed
    assert world.pinged(world.post("Ada, you're in season 3: an organiser confirmed who you are."))[0] == {ada.id}
    post = world.post("who is who?", world.back_room)
    assert labels(post) == ["Undo"]
    assert "Undone: Ada isn't Ada" in text_of(await world.organiser.click(post, label="Undo"))
    assert labels(world.post("who is who?", world.back_room)) == []
    assert "An organiser said you aren't Ada" in text_of(await ada.click(world.post("Sign-ups are open"), label="Join"))


async def test_someone_else_types_another_name(world: World) -> None:
    await moved_in(world)
    ada = world.player("Ada")
    asked: Any = await ada.click(world.post("Sign-ups are open"), label="Join")
    form = await ada.click(asked.response, label="Someone else")
    done = await ada.submit_modal(form, {"name": "Ada Two"})
    assert "You're in season 3 as **Ada Two**" in text_of(done)


@pytest.mark.long
async def test_whoever_has_another_name_on_discord_finds_theirs_by_the_form(world: World) -> None:
    await moved_in(world)
    daria = world.player("Daria")
    board = world.post("Sign-ups are open")
    assert "I played before" in labels(board)
    form = await daria.click(board, label="I played before")
    missed = await daria.submit_modal(form, {"name": "Kim"})
    assert "No player without an account was called “Kim”" in text_of(missed)
    form = await daria.click(board, label="I played before")
    asked: Any = await daria.submit_modal(form, {"name": "kim lee"})
    assert "Are you the **Kim Lee** who played season 2 (1 match)?" in text_of(asked)
    await daria.click(asked.response, label="That's me")
    await world.organiser.click(world.post("who is who?", world.back_room), label="No")
    assert "An organiser said you aren't Kim Lee" in text_of(await daria.slash(world.channel, "signup", name="Kim Lee"))
    assert "You're in season 3 as **Daria**" in text_of(await daria.click(board, label="Join"))


@pytest.mark.long
async def test_who_cannot_join_types_no_name_of_the_past(world: World) -> None:
    await moved_in(world)
    await world.organiser.slash(world.channel, "season settings", setting="join_role", value="@moderators")
    told = await world.player("Daria").click(world.post("Sign-ups are open"), label="I played before")
    assert told.modal is None
    assert "Only members with" in text_of(told)


@pytest.mark.long
async def test_a_league_without_a_room_for_moderators_names_nobody_in_public(world: World) -> None:
    made = await world.chief.slash(
        world.channel, "league create", name="Arena League", channel=world.channel, **world.roles
    )
    assert "is set up" in text_of(made)
    shown = await sent(world, PAST)
    await world.organiser.click(shown.response, label="Import 3 matches")
    await world.opened()
    await claim(world, world.player("Ada"))
    post = world.post("who is who?")
    assert "1 to answer" in message_text(post)
    assert "Ada" not in message_text(post)
    assert labels(post) == []
    inbox: Any = await world.organiser.slash(world.channel, "disputes")
    assert labels(inbox.response) == ["Yes, it's Ada", "No, not Ada"]
    assert "is told" in text_of(await world.organiser.click(inbox.response, label="Yes, it's Ada"))


@pytest.mark.long
async def test_who_claims_after_all_who_did_were_forgotten_is_shown_to_organisers_too(world: World) -> None:
    await moved_in(world)
    await claim(world, world.player("Ada"))
    asked: Any = await world.organiser.slash(world.channel, "player forget", player="Ada")
    again: Any = await world.organiser.click(asked.response, label="Forget them")
    await world.organiser.click(again.response, label="Forget them")
    await world.jump(minutes=5)
    assert not world.posts("who is who?", world.back_room)
    await claim(world, world.player("Bruno"))
    post = world.post("who is who?", world.back_room)
    assert world.pinged(post) == (set(), {world.roles["organiser_role"].id})
    assert "Bruno" in message_text(post)
    assert labels(post) == ["Yes, it's Bruno", "No"]


@pytest.mark.long
async def test_one_who_waits_leaves_by_the_button(world: World) -> None:
    await moved_in(world)
    ada = world.player("Ada")
    await claim(world, ada)
    assert "You don't ask to join season 3 any more" in text_of(
        await ada.click(world.post("Sign-ups are open"), label="Leave")
    )
    assert "doesn't ask any more" in message_text(world.post("who is who?", world.back_room))


@pytest.mark.long
async def test_an_account_is_taken_off_by_the_command(world: World) -> None:
    await moved_in(world)
    await claim(world, world.player("Ada"))
    await world.organiser.click(world.post("who is who?", world.back_room), label="Yes, it's Ada")
    done = await world.agreed("player link", "Take it off", player="Ada")
    assert "Ada has no Discord account any more" in text_of(done)


@pytest.mark.long
@pytest.mark.timeout(900)
async def test_forty_people_of_the_past_are_in_with_two_presses_each_and_one_of_an_organiser(world: World) -> None:
    names = [
        f"{name} {letter}" for letter in "ABCDE" for name in ("Ida", "Jan", "Kai", "Lea", "Mia", "Nik", "Ole", "Pia")
    ]
    rows = "".join(f"1,{one},{other},{one}\n" for one, other in zip(names[::2], names[1::2], strict=True))
    await moved_in(world, f"season,player,opponent,winner\n{rows}")
    presses, pinged = 0, dict[int, set[int]]()
    for person in [world.member(name) for name in names]:
        assert "Request sent" in text_of(await claim(world, person))
        for page in world.posts("who is who?", world.back_room):
            pinged.setdefault(page.id, world.pinged(page)[1])
    pages = world.posts("who is who?", world.back_room)
    assert list(pinged.values()) == [{world.roles["organiser_role"].id}] * len(pages)
    for page in pages:
        for label in [label for label in labels(page) if label.startswith("Yes")]:
            assert "is told" in text_of(await world.organiser.click(page, label=label))
            presses += 1
    assert (presses, len(pages)) == (40, 5)
    assert "40 players" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_someone_who_left_the_server_gets_no_player_and_can_ask_again(world: World) -> None:
    await moved_in(world)
    ada = world.player("Ada")
    await claim(world, ada)
    world.guild.remove_member(ada)
    answered = await world.organiser.click(world.post("who is who?", world.back_room), label="Yes, it's Ada")
    assert "Ada isn't on this server any more, so **Ada** has no account yet." in text_of(answered)
    assert labels(world.post("who is who?", world.back_room)) == []
    assert not world.posts("you're in season 3")
    world.guild.add_member(ada)
    assert "Request sent" in text_of(await claim(world, ada))
