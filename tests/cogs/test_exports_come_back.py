"""What an organiser exported can be sent to `/league import` as it is."""

from datetime import date
from typing import Any

import pytest

from bot.importers.read_file import read as read_file
from tests.cogs.conftest import World, selects_of, text_of
from tests.cogs.test_taking_out import attached


@pytest.mark.long
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_an_export_is_read_by_import(world: World, kind: str) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export", **{"as": kind})
    name, content = await attached(given)
    shown: Any = await world.organiser.slash(world.channel, "league import", file=(name, content))
    assert "Preview: " in text_of(shown), text_of(shown)
    assert "0 new" in text_of(shown)


DATED = "season,round,player,opponent,winner,date\n1,1,Zoë,Pavel,Zoë,2024-02-01\n1,2,Zoë,Quinn,,2024-03-01\n"


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_the_day_each_match_was_played_comes_back_as_it_was(world: World, kind: str) -> None:
    await world.league()
    shown: Any = await world.organiser.slash(world.channel, "league import", file=("old.csv", DATED.encode()))
    (options,) = selects_of(shown.response).values()
    shown = await world.organiser.select(shown.response, values=[options[1].value])
    before = text_of(shown)
    assert "1 Feb to 1 Mar 2024" in before
    done: Any = await world.organiser.click(shown.response, label="Import 2 matches")
    name, content = await attached(await world.organiser.slash(world.channel, "league export", **{"as": kind}))
    await world.organiser.click(done.response, label="Take the import back")
    days = [match.day for season in read_file(content, name).seasons for match in season.matches]
    assert days == [date(2024, 2, 1), date(2024, 3, 1)]
    again: Any = await world.organiser.slash(world.channel, "league import", file=(name, content))
    assert "1 Feb to 1 Mar 2024" in text_of(again)


@pytest.mark.long
async def test_a_match_played_here_has_the_day_it_was_reported_on(world: World) -> None:
    await world.started(players=4)
    match = world.open_matches()[0]
    await world.report(world.sides(match)[0], "lost", match)
    name, content = await attached(await world.organiser.slash(world.channel, "league export", **{"as": "xlsx"}))
    days = [match.day for season in read_file(content, name).seasons for match in season.matches]
    assert days == [world.env.now().date()]


@pytest.mark.long
async def test_a_whole_league_comes_into_another(world: World) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export", **{"as": "league"})
    name, content = await attached(given)
    assert name == "fairpair-league.zip"
    refused = await world.organiser.slash(world.channel, "league import", file=(name, content))
    assert "already has a season 1. A season can be imported only once." in text_of(refused)
    await world.agreed("season cancel", "Cancel the season", reason="the hall burned down")
    _, content = await attached(await world.organiser.slash(world.channel, "league export", **{"as": "league"}))
    elsewhere = world.guild.create_text_channel("elsewhere")
    await world.chief.slash(elsewhere, "league create", name="Elsewhere", channel=elsewhere)
    shown: Any = await world.chief.slash(elsewhere, "league import", file=(name, content), league="Elsewhere")
    assert "People: 0 known, 4 new." in text_of(shown)
    done: Any = await world.chief.click(shown.response, label="Import")
    assert "Imported: 1 season" in text_of(done)
