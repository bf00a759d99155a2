"""Hostile texts in every option of every command that takes a text; a new option is tried by itself."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.cogs.conftest import World, labels, text_of
from tests.cogs.hostile import TEXTS, require_harmless, require_no_ping
from tests.test_documentation import _leaves

EACH = 4
"""How many texts each option gets; over all options each text comes up many times."""
LAST = ("season cancel", "league delete")
"""What ends the season or the league is tried after all others."""
FORMATTED = {("announce", "text")}
"""What organisers format themselves, with links; tests/cogs/test_announcing.py looks at whom it mentions."""
USUAL: dict[str, Any] = {
    "player": "Ada", "old": "Ada", "a": "Ada", "b": "Bruno", "into": "Bruno", "match": "R1 M1",
    "outcome": "Ada", "reason": "seen",
    "name": "Evil One", "result": "won", "format": "ohs", "game": "keyforge", "days": 2, "round": 2,
    "setting": "round_days", "value": "3", "file": ("season.json", b"{}"),
    "text": "evil",
}  # fmt: skip


def commands(world: World) -> list[Any]:
    """Return every command with at least one option that takes a text."""
    found = _leaves(world.env.bot.tree.get_commands())
    return sorted(found, key=lambda one: (one.qualified_name in LAST, one.qualified_name))


def text_options(command: Any) -> dict[str, int]:
    """Return the options that take any text, with how long Discord lets it be."""
    texts = [option for option in command.parameters if option.type.name == "string" and not option.choices]
    return {option.name: int(option.max_value or 6000) for option in texts}


def usual(world: World, command: Any) -> dict[str, Any]:
    """Return a value for each option a command can't do without."""
    people = {"user": world.outsider, "new": world.outsider, "channel": world.channel}
    needed = [option.name for option in command.parameters if option.required]
    given = {name: people.get(name, USUAL.get(name)) for name in needed}
    return {**given, "setting": "round_days"} if command.qualified_name == "season settings" else given


async def agree(who: MemberActor, asked: InteractionResult) -> list[Any]:
    """Press what does it where a command asks first, and return every answer."""
    answers = [answer for answer in (asked.response, *asked.followups) if answer is not None]
    if answers and "Cancel" in labels(answers[0]):
        done = await who.click(answers[0], label=labels(answers[0])[0])
        answers += [answer for answer in (done.response, *done.followups) if answer is not None]
    return answers


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2))])
async def test_a_hostile_text_in_any_option_stays_text(world: World, part: int) -> None:
    """Whatever is typed: no ping, no link, no heading, no crash; and the league goes on."""
    await world.league()
    manager = world.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    ora = world.member("Ora", *world.roles.values(), manager)
    await world.season(players=3)
    await ora.click(world.post("Sign-ups are open"), label="Join")
    await world.organiser.slash(world.channel, "season start")
    everything = commands(world)
    turn = part * EACH
    for command in everything:
        for option, longest in text_options(command).items():
            if (command.qualified_name, option) in FORMATTED:
                continue
            turn += 1
            for text in (TEXTS[(turn * 7 + step) % len(TEXTS)] for step in range(1 if option == "league" else EACH)):
                given = {**usual(world, command), option: text[:longest]}
                asked = await ora.slash(world.channel, command.qualified_name, **given)
                for answer in await agree(ora, asked):
                    require_harmless(answer)
    for channel in (world.channel, world.back_room):
        for post in channel.history():
            require_harmless(post)
            require_no_ping(world, post, ora)
    assert "As a player" in text_of(await ora.slash(world.channel, "help"))
