"""Joining by button or command: the league's own rules and another's name are asked before it counts."""

from typing import Any

import pytest

from cogs.signups import signup
from tests.cogs.conftest import World, labels, message_text, text_of

RULES = "Be **kind**.\n-# Name: Mallory\nAnswer within 2 days."


async def write_rules(world: World, text: str) -> str:
    form = await world.rules_form()
    return text_of(await world.organiser.submit_modal(form, {"rules": text}))


async def joined(world: World) -> str:
    return message_text(world.post("Sign-ups are open"))


async def test_the_leagues_own_rules_are_agreed_to_before_joining_counts(world: World) -> None:
    await world.league()
    await world.season(players=0)
    assert "agree before they join" in await write_rules(world, RULES)
    ada = world.players[0]
    asked = await ada.click(world.post("Sign-ups are open"), label="Join")
    assert asked.ephemeral
    assert "Be **kind**." in text_of(asked)
    assert labels(asked.response) == ["I agree, join", "Stay out"]
    assert "Ada" not in await joined(world)
    done = text_of(await ada.click(asked.response, label="I agree, join"))
    assert "You're in season 1 as **Ada**" in done
    assert "already in season 1" in text_of(await ada.click(world.post("Sign-ups are open"), label="Join"))


@pytest.mark.long
async def test_rules_that_changed_meanwhile_are_asked_again_and_what_was_typed_is_kept(world: World) -> None:
    await world.league()
    await world.season(players=0)
    await write_rules(world, RULES)
    asked = await world.players[0].slash(world.channel, "signup", name="Countess")
    await write_rules(world, "Be very kind.")
    again = await world.players[0].click(asked.response, label="I agree, join")
    assert "have changed" in text_of(again)
    assert "You're in season 1 as **Countess**" in text_of(
        await world.players[0].click(again.response, label="I agree, join")
    )
    form = await world.rules_form()
    assert "Be very kind." in str(form.modal)
    assert "Removed" in text_of(await world.organiser.submit_modal(form, {"rules": " "}))
    assert "You're in season 1" in text_of(await world.players[1].slash(world.channel, "signup"))


@pytest.mark.long
async def test_a_question_from_before_a_restart_is_asked_again_by_the_command(world: World) -> None:
    await world.league()
    await world.season(players=0)
    await write_rules(world, RULES)
    asked = await world.players[0].slash(world.channel, "signup", name="Countess")
    pressed = await world.players[1].click(world.post("Sign-ups are open"), label="Join")
    await world.restart()
    late = text_of(await world.players[0].click(asked.response, label="I agree, join"))
    assert "This message is too old, so nothing was changed. Use the command again." in late
    assert "Countess" not in await joined(world)
    done = await world.players[1].click(pressed.response, label="I agree, join")
    assert "This message is too old" in text_of(done)
    again = await world.players[1].click(world.post("Sign-ups are open"), label="Join")
    done = await world.players[1].click(again.response, label="I agree, join")
    assert "You're in season 1 as **Bruno**" in text_of(done)


@pytest.mark.long
async def test_rules_and_a_late_entry_are_asked_one_after_the_other(world: World) -> None:
    await world.started(players=4)
    await write_rules(world, "Be kind.")
    asked = await world.players[5].slash(world.channel, "signup")
    late = await world.players[5].click(asked.response, label="I agree, join")
    assert "You missed round 1" in text_of(late)
    assert "You're in season 1 as **Farah**" in text_of(
        await world.players[5].click(late.response, label="Join anyway")
    )


@pytest.mark.long
async def test_the_longest_rules_fit_the_question(world: World) -> None:
    await world.league()
    await world.season(players=0)
    await write_rules(world, "x" * 3599 + "y")
    typed = {one.name: "d" * 100 for one in signup.ADDED}
    asked = await world.players[0].slash(world.channel, "signup", name="n" * 32, **typed)
    assert "xy" in text_of(asked)
    assert "You're in" in text_of(await world.players[0].click(asked.response, label="I agree, join"))


@pytest.mark.parametrize("typed", ["Bruno", "BRUNO", "bruno"])
async def test_another_members_name_is_warned_of_before_it_counts(world: World, typed: str) -> None:
    await world.league()
    await world.season(players=0)
    asked = await world.players[0].slash(world.channel, "signup", name=typed)
    assert asked.ephemeral
    assert f"Someone else on this server is called {typed}" in text_of(asked)
    assert typed not in await joined(world)
    done: Any = await world.players[0].click(asked.response, label="Take it and join")
    assert f"as **{typed}**" in text_of(done)


async def test_ones_own_name_and_a_name_no_one_has_are_not_warned_of(world: World) -> None:
    await world.league()
    await world.season(players=0)
    assert "You're in season 1" in text_of(await world.players[0].slash(world.channel, "signup", name="Ada"))
    assert "You're in season 1" in text_of(await world.players[1].slash(world.channel, "signup", name="Bru"))


async def test_a_name_that_looks_like_another_members_is_warned_of_too(world: World) -> None:
    await world.league()
    await world.season(players=0)
    asked = await world.players[0].slash(world.channel, "signup", name="Вrunо")  # Cyrillic
    assert "Someone else on this server is called" in text_of(asked)


async def test_a_name_is_asked_about_only_where_there_is_a_season_to_join(world: World) -> None:
    await world.league()
    refused = await world.players[0].slash(world.channel, "signup", name="Bruno")
    assert refused.ephemeral
    assert "has no season running" in text_of(refused)


@pytest.mark.long
async def test_a_name_that_reads_like_a_mention_is_refused_wherever_it_is_given(world: World) -> None:
    await world.league()
    await world.season(players=2)
    for user, command, more in (
        (world.players[3], "signup", {}),
        (world.organiser, "player add", {"user": world.outsider}),
        (world.organiser, "player rename", {"player": "Ada", "reason": "asked"}),
    ):
        refused = await user.slash(world.channel, command, name="@everyone", **more)
        assert "reads like a mention" in text_of(refused)
    shown = await world.member("@here").slash(world.channel, "signup")
    assert text_of(shown).startswith("Your display name can't be a league name.")
    assert text_of(shown).endswith("Use `/signup` with another name.")


async def test_an_organiser_is_asked_before_a_player_takes_another_members_name_and_the_player_is_told(
    world: World,
) -> None:
    await world.league()
    await world.season(players=1)
    given: dict[str, Any] = {"player": "Ada", "reason": "asked"}
    asked = await world.organiser.slash(world.channel, "player rename", name="Bruno", **given)
    assert "Someone else on this server is called Bruno" in text_of(asked)
    assert "Bruno" not in await joined(world)
    done = await world.organiser.click(asked.response, label="Rename them")
    assert "Ada is now **Bruno**" in text_of(done)
    (told,) = world.posts("an organiser renamed you")
    assert world.pinged(told) == ({world.players[0].user.id}, set())
    plain = await world.organiser.slash(world.channel, "player rename", player="Bruno", name="Nobody", reason="asked")
    assert "is now **Nobody**" in text_of(plain)
