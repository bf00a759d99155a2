"""The program's table of an exported season is the table Discord shows."""

import re

import pytest

from bot.answers import standings_table
from bot.league.checking.league_file.reading import read
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.reads import tables
from cogs.reads.pictures import standings_picture
from tests.services.conftest import World


async def both(world: World) -> tuple[list[list[str]], list[list[str]]]:
    """Return the cells of every row as Discord's picture has them, and as the program prints them."""
    view = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    picture = standings_picture(view)
    discord = [["#", "name", *(column.title for column in picture.columns), "rating"]]
    for row in picture.rows:
        rating = [] if row.rating is None else [f"{row.rating} ± {row.uncertainty}"]
        discord.append([str(row.rank), row.name, *row.cells, *rating])
    text = (await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=world.league_id))).text
    lines = [re.split(r"\s{2,}", line.strip()) for line in standings_table(read(text.encode())).splitlines()]
    if view.groups:  # the program prints the group; on Discord each group has a table of its own
        lines = [[*line[:2], *line[3:]] for line in lines]
    return discord, [line[:-2] for line in lines]


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
async def test_the_program_and_discord_show_the_same_table(world: World, format_: Format) -> None:
    await world.begin(9, format_.key)
    await world.play_round()
    discord, program = await both(world)
    assert program == discord
    await world.play_out()
    discord, program = await both(world)
    assert program == discord
