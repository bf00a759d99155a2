"""The tables of groups as everyone is shown them: places, everyone's matches, who rests, the line of the cut."""

from dataclasses import replace
from typing import Any

import pytest

from bot.exporters.sheets import to_csv
from bot.importers.as_seasons import recorded
from bot.importers.read_file import read
from bot.league.formats.shared.groups import results_in
from bot.league.summaries.outlook.prospects import Verdict
from bot.pictures.drawing import Picture
from bot.pictures.group_grid import Ended
from bot.pictures.group_table import GroupPicture
from bot.pictures.standings import StandingsPicture
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.reads import season_sheets, tables
from bot.services.reads.tables import StandingsView
from bot.steps import outlook_of, with_verdicts
from bot.worker import Worker
from cogs.reads.groups import group_cut_words, group_lines, group_picture, groups_picture, how_far
from tests.services.conftest import ORGANISER, World
from tests.services.play.test_scores import play_round as play_round_with_scores

NINE: dict[str, Any] = {"format": "round-robin", "group_size": 5}
"""Of nine players a group of five, in which one rests, and one of four."""


async def standings_of(world: World) -> StandingsView:
    return await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))


def pictures(view: StandingsView) -> list[GroupPicture]:
    made: list[Picture] = [group_picture(view, group) for group in view.groups]
    return [picture for picture in made if isinstance(picture, GroupPicture)]


async def begun(world: World, players: int = 9, **settings: Any) -> StandingsView:
    await world.begin(players, NINE["format"], **{"group_size": 5, **settings})
    return await standings_of(world)


async def test_groups_are_there_from_the_start_in_the_order_of_their_numbers(world: World) -> None:
    view = await begun(world)
    assert [group.table.called for group in view.groups] == ["group A", "group B"]
    assert [tuple(row.standing.name for row in group.rows) for group in view.groups] == [
        group.table.numbers for group in view.groups
    ]
    five, four = view.groups
    assert len(five.resting) == 1
    assert four.resting == ()
    assert how_far(view, five) == f"0 of 10 results in · no results yet · {five.resting[0]} rests"
    assert {meeting.ended for row in pictures(view)[0].rows for cell in row.meetings for meeting in cell} == {
        Ended.TO_PLAY
    }
    assert group_lines(view, five)[:5] == [f"• {row.called}" for row in five.rows]


@pytest.mark.long
async def test_no_table_of_a_lower_division_says_that_its_players_are_out(world: World) -> None:
    """The season is won in the first division, so each of them would be out from the first day."""
    await begun(world, 8, group_size=4, grouping="divisions", cut=2)
    await world.play_round()
    worker = Worker()
    seen = await with_verdicts(world.db, worker, await standings_of(world))
    outlook = await outlook_of(world.db, worker, seen.season.id)
    await worker.close()
    assert {row.verdict for row in seen.groups[1].rows} == {Verdict.OPEN}
    assert outlook is not None
    words = {outlook.players[row.standing.name].words for row in seen.groups[1].rows}
    assert words == {"You play in a lower division: you can go up, but not win the season."}


async def test_each_result_stands_in_both_players_rows(world: World) -> None:
    await begun(world)
    await world.play_round()
    view = await standings_of(world)
    for group, picture in zip(view.groups, pictures(view), strict=True):
        assert results_in(group.matches)[0] == 2
        for row in picture.rows:
            assert row.meetings[row.rank - 1] == ()
            for at, cell in enumerate(row.meetings):
                mirrored = {Ended.WON: Ended.LOST, Ended.LOST: Ended.WON}
                back = picture.rows[at].meetings[row.rank - 1]
                assert [mirrored.get(one.ended, one.ended) for one in cell] == [one.ended for one in back]
        assert group.cut_after == 2
        assert group_cut_words(view, group) == "2 of each group go on"
        text = "\n".join(group_lines(view, group))
        assert text.count("beat ") == text.count("lost to ") == 2


@pytest.mark.long
async def test_all_groups_below_each_other_have_the_places_and_lines_of_their_tables(world: World) -> None:
    await begun(world)
    await world.play_round()
    view = await standings_of(world)
    picture = groups_picture(view)
    assert [group.title for group in picture.groups] == ["Group A", "Group B"]
    for group, other in zip(picture.groups, pictures(view), strict=True):
        assert [(row.rank, row.name, row.cells) for row in group.rows] == [
            (row.rank, row.name, row.cells) for row in other.rows
        ]
        assert [row.rank for row in group.rows] == [*range(1, len(group.rows) + 1)]
        assert (group.cut_after, group.cut_words) == (2, "2 of each group go on")


async def test_scores_stand_in_the_cells_and_what_they_decide_beside_them(world: World) -> None:
    await begun(world, 4, group_size=None, scores=True, draws=True)
    await play_round_with_scores(world)
    view = await standings_of(world)
    [picture] = pictures(view)
    assert picture.title == "Everyone’s matches"
    assert [column.title for column in picture.columns] == ["Pts", "+/−", "Scored", "SB", "W–L"]
    first = picture.rows[0]
    assert first.cells[:3] == ("3", "+25", "87")
    assert [(one.own, one.other) for cell in first.meetings for one in cell if one.own] == [("87", "62")]
    assert picture.rows[-1].cells[:3] == ("0", "−25", "62")
    assert picture.ties[0].startswith("Win 3, draw 1, loss 0. Equal? Their own matches, then score difference")
    assert any("the draw" in words for words in picture.ties[1:])


async def test_a_player_who_left_early_has_an_empty_row_at_the_end(world: World) -> None:
    view = await begun(world, 5, group_size=None)
    await world.play_round()
    name = view.groups[0].rows[0].called
    await world.drop(name)
    view = await standings_of(world)
    [picture] = pictures(view)
    last = picture.rows[-1]
    assert (last.name, last.cells, {*last.meetings}) == (name, (), {()})
    assert all(row.meetings[-1] == () for row in picture.rows)
    assert f"{name} · left, so none of their results count" in group_lines(view, view.groups[0])


@pytest.mark.long
async def test_a_large_group_is_shown_without_everyones_matches(world: World) -> None:
    view = await begun(world, 13, group_size=None)
    await world.play_round()
    view = await standings_of(world)
    picture = group_picture(view, view.groups[0])
    assert isinstance(picture, StandingsPicture)
    assert [row.name for row in picture.rows] == [row.called for row in view.groups[0].rows]


@pytest.mark.long
async def test_groups_stay_as_they_were_before_the_finals(world: World) -> None:
    await begun(world, 6, group_size=3)
    await world.play_round()
    await world.play_round()
    await world.play_round()
    before = await standings_of(world)
    await world.play_out()
    after = await standings_of(world)
    assert [[row.standing.wins for row in group.rows] for group in after.groups] == [
        [row.standing.wins for row in group.rows] for group in before.groups
    ]
    assert {group.cut_after for group in after.groups} == {None}


@pytest.mark.long
async def test_groups_and_scores_are_in_the_files_and_come_back_from_them(world: World) -> None:
    await begun(world, scores=True)
    await play_round_with_scores(world)
    who = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    table, matches, *_ = season_sheets.sheets(await world.db.read(season_sheets.taken, who))
    groups = {row[table.titles.index("player")]: row[table.titles.index("group")] for row in table.rows}
    assert sorted(groups.values()) == ["group A"] * 5 + ["group B"] * 4
    assert max(row[table.titles.index("place in the group")] or 0 for row in table.rows) == 5  # type: ignore[type-var]
    upper, group, score = (matches.titles.index(title) for title in ("player", "group", "score"))
    played = replace(matches, rows=tuple(row for row in matches.rows if row[score]))
    assert {(groups[row[upper]], row[group], row[score]) for row in played.rows} == {
        (called, called, "87-62") for called in ("group A", "group B")
    }
    found = read(to_csv(played), "matches.csv")
    assert not found.problems
    [season] = recorded(found, "Back", [1])
    assert season.format == "record"
    assert [match.score for round_ in season.rounds for match in round_.matches] == [(87, 62)] * 4
