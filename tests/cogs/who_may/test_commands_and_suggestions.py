"""Every command and what it suggests, by eleven kinds of people without a right to it, and then by those with one."""

import pytest
from discord import app_commands

from tests.cogs.conftest import World
from tests.cogs.who_may.crowd import Kind, crowd_of
from tests.cogs.who_may.matrix import COMMANDS, HERE, SUGGESTIONS
from tests.cogs.who_may.tries import Trial, with_right, without_right


def leaves(world: World) -> dict[str, app_commands.Command]:
    walked = world.env.bot.tree.walk_commands()
    return {command.qualified_name: command for command in walked if isinstance(command, app_commands.Command)}


async def type_all(trial: Trial, *, rightly: bool) -> None:
    for name, line in COMMANDS.items():
        for kind in (with_right if rightly else without_right)(line):
            for options in line.tries:
                await trial.command(kind, name, line, options)


@pytest.mark.timeout(300)
async def test_every_command_does_what_the_matrix_says(world: World) -> None:
    found = leaves(world)
    assert set(COMMANDS) == set(found), "each command has its line in the matrix"
    suggesting = {
        f"{name} {option.display_name}"
        for name, command in found.items()
        for option in command.parameters
        if option.autocomplete and option.display_name != "league"
    }
    assert set(SUGGESTIONS) == suggesting, "each option with suggestions has its line in the matrix"
    trial = Trial(await crowd_of(world))
    for name, may in {**SUGGESTIONS, **{f"{name} league": HERE for name in found}}.items():
        for kind in Kind:
            await trial.suggestion(kind, *name.rsplit(" ", 1), may=kind in may)
    await type_all(trial, rightly=False)
    await type_all(trial, rightly=True)
    assert trial.wrong == []
