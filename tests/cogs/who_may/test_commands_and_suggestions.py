"""Every command and what it suggests, by eleven kinds of people without a right to it, and then by those with one."""

import pytest
from discord import AppCommandType, app_commands

from tests import examples
from tests.cogs.conftest import World
from tests.cogs.who_may.crowd import Crowd, Kind
from tests.cogs.who_may.matrix import COMMANDS, HERE, MENUS, SUGGESTIONS
from tests.cogs.who_may.tries import Trial, tried_by

MENU_KINDS = (AppCommandType.user, AppCommandType.message)


def leaves(world: World) -> dict[str, app_commands.Command]:
    walked = world.env.bot.tree.walk_commands()
    return {command.qualified_name: command for command in walked if isinstance(command, app_commands.Command)}


async def type_all(trial: Trial, *, rightly: bool) -> None:
    for number, (name, line) in enumerate(COMMANDS.items()):
        for kind in tried_by(line, number, rightly=rightly):
            for options in line.tries:
                await trial.command(kind, name, line, options)


async def use_menus(trial: Trial, *, rightly: bool) -> None:
    for number, (name, line) in enumerate(MENUS.items()):
        for kind in tried_by(line, number, rightly=rightly):
            for about in line.tries:
                await trial.menu(kind, name, line, about)


@pytest.mark.at_once
@pytest.mark.timeout(900)
async def test_every_command_does_what_the_matrix_says(crowd: Crowd, caplog: pytest.LogCaptureFixture) -> None:
    found = leaves(crowd.world)
    assert set(COMMANDS) == set(found), "each command has its line in the matrix"
    menus = {menu.name for kind in MENU_KINDS for menu in crowd.world.env.bot.tree.get_commands(type=kind)}
    assert set(MENUS) == menus, "each menu has its line in the matrix"
    suggesting = {
        f"{name} {option.display_name}"
        for name, command in found.items()
        for option in command.parameters
        if option.autocomplete and option.display_name != "league"
    }
    assert set(SUGGESTIONS) == suggesting, "each option with suggestions has its line in the matrix"
    trial = Trial(crowd, caplog)
    for number, (name, may) in enumerate({**SUGGESTIONS, **{f"{name} league": HERE for name in found}}.items()):
        for kind in Kind if examples.all_wanted() else [list(Kind)[number % len(Kind)]]:
            await trial.suggestion(kind, *name.rsplit(" ", 1), may=kind in may)
    for rightly in (False, True):
        await use_menus(trial, rightly=rightly)
        await type_all(trial, rightly=rightly)
    assert trial.wrong == []
