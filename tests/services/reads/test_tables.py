"""What tables show of seasons as they are played: movement, cut, marks, ratings and the bracket, in every format."""

import random
import re

import pytest

from bot import steps
from bot.league.bracket.match_names import THIRD_PLACE
from bot.league.errors import NotFound
from bot.league.season.model import Name, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.league.summaries.outlook.prospects import Verdict
from bot.pictures.standings_grid import Mark
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.reads import season_sheets, tables
from bot.services.reads.past import profiles
from bot.services.reads.tables import BracketView, StandingsView
from bot.services.ties import tie_decisions
from bot.worker import Worker
from cogs.reads.pictures import bracket_picture, cut_words, rating_picture, standings_picture
from cogs.reads.table_lines import bracket_lines, standing_line
from tests.examples import mostly_long
from tests.looked_up import posted_round
from tests.services.conftest import ORGANISER, World

STAGED = ("ohs", "two-loss-out", "keyforge-swiss", "lightseekers-swiss")
FORMATS = (*STAGED, "single-elimination")


async def table(world: World) -> StandingsView:
    return await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))


async def bracket(world: World) -> BracketView | None:
    try:
        return await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
    except NotFound:
        return None


async def play_some(world: World, chance: random.Random) -> None:
    """Let half of the open matches be won by one side or the other, at least one."""
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    still_open = [match for match in view.matches if match.match.state is not MatchState.CONFIRMED]
    if not still_open:
        await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    for match in still_open[: max(1, len(still_open) // 2)]:
        await world.lose(match.sides[chance.randrange(2)].name)


def require_lawful(view: StandingsView) -> None:
    """A table and its picture agree with each other, whatever was played."""
    picture = standings_picture(view)
    assert [row.name for row in picture.rows] == [row.standing.name for row in view.rows]
    assert {len(row.cells) for row in picture.rows} == {len(picture.columns)}
    assert [column.title for column in picture.columns].count("W–L") == 1
    over = view.season.phase is SeasonPhase.FINISHED
    if over or view.in_finals:
        assert {row.movement for row in view.rows} == {None}
    if view.cut_after is not None:
        above = [row.standing for row in view.rows[: view.cut_after]]
        gone = {Status.DROPPED, Status.DISQUALIFIED, *([] if view.in_finals else [Status.ELIMINATED])}
        assert sum(row.status not in gone for row in above) == view.going_on
        assert str(view.going_on) in cut_words(view)
        assert not over
    for row, drawn in zip(view.rows, picture.rows, strict=True):
        status = row.standing.status
        assert (drawn.mark is Mark.CHAMPION) == (status is Status.CHAMPION)
        assert (drawn.mark is Mark.LEFT) == (status in (Status.DROPPED, Status.DISQUALIFIED))
        assert row.standing.name in standing_line(row, view.columns)


def require_a_whole_tree(view: BracketView) -> None:
    """Every match is there, each future side says which match it waits for, and the text has all of it."""
    picture = bracket_picture(view)
    labels = [match.label for match in picture.matches]
    assert len(labels) == len(set(labels))
    assert "Final" in labels
    for match in picture.matches:
        for side in match.sides:
            assert side.source is None or side.source in labels
    text = "\n".join(bracket_lines(view))
    for match in picture.matches:
        assert match.label in text or match.label == "Final"
        assert all(side.name in text for side in match.sides if side.name)


@pytest.mark.long
@pytest.mark.parametrize("size", mostly_long([7, 5, 12]))
@pytest.mark.parametrize("format", FORMATS)
async def test_at_every_moment_of_a_season_the_tables_are_true(world: World, format: str, size: int) -> None:
    settings = {"third_place": True} if format == "single-elimination" else {}
    await world.begin(size, format, **settings)
    chance = random.Random(size)
    assert not (await table(world)).begun
    for _ in range(200):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        await play_some(world, chance)
        require_lawful(await table(world))
        if tree := await bracket(world):
            require_a_whole_tree(tree)
    view, tree = await table(world), await bracket(world)
    assert view.season.phase is SeasonPhase.FINISHED
    places = [row.standing.place for row in view.rows if row.standing.place is not None]
    assert places == sorted(places)
    assert [row.standing.rank for row in view.rows[: len(places)]] == places
    assert view.rows[0].standing.status is Status.CHAMPION
    if tree:
        assert tree.champion == view.rows[0].standing.name
        assert all(match.match for match in tree.tree)
        finals_wins = sum(match.match.winner == tree.champion for match in tree.tree if match.match)
        assert view.rows[0].standing.wins >= finals_wins > 0
        assert (format == "single-elimination") == any(match.name == THIRD_PLACE for match in tree.tree)


@pytest.mark.long
async def test_no_one_is_in_the_finals_of_a_season_that_had_none(world: World) -> None:
    await world.begin(8, "lightseekers-swiss")
    await world.play_out()
    view = await table(world)
    lines = [standing_line(row, view.columns) for row in view.rows]
    assert lines[0].endswith("🏆")
    assert not any("finals" in line for line in lines)
    (standings, *_) = season_sheets.sheets(
        await world.db.read(season_sheets.taken, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    )
    assert {row[standings.titles.index("status")] for row in standings.rows} == {"champion", ""}


@pytest.mark.long
async def test_everyone_who_is_out_of_the_finals_has_their_place_in_the_table(world: World) -> None:
    await world.begin(8)
    while (drawn := await bracket(world)) is None or len(drawn.rounds) < 2:
        await world.play_round()
    view = await table(world)
    lines = {row.standing.name: standing_line(row, view.columns) for row in view.rows}
    lost = [side.name for match in drawn.rounds[0].matches for side in match.sides if side.id != match.match.winner_id]
    assert lost
    for name in lost:
        assert re.search(r" · place \d", lines[Name(name)])


@pytest.mark.long
async def test_a_play_in_has_a_number_and_a_bracket_keeps_its_order(world: World) -> None:
    await world.begin(10, "single-elimination")
    chance = random.Random(1)
    first = await bracket(world)
    assert first is not None
    names = [match.name for match in first.tree]
    assert names[:2] == ["Play-in 1", "Play-in 2"]
    while (await world.status()).season.phase is not SeasonPhase.FINISHED:
        await play_some(world, chance)
        now = await bracket(world)
        assert now is not None
        assert [match.name for match in now.tree] == names


@pytest.mark.long
async def test_who_goes_on_because_an_opponent_left_has_won_in_the_picture_too(world: World) -> None:
    await world.begin(8, "single-elimination")
    view = await bracket(world)
    assert view is not None
    first = view.rounds[0].matches[0]
    await world.lose(first.lower.name)
    await world.drop(first.upper.name)
    await world.play_out()
    view = await bracket(world)
    assert view is not None
    matches = bracket_picture(view).matches
    (semi_final,) = (match for match in matches if match.note == f"{first.upper.name} left")
    assert semi_final.winner == semi_final.upper.name
    final = next(match for match in matches if match.label == "Final")
    assert {match.winner for match in matches if match.label.startswith("Semi")} == {one.name for one in final.sides}


async def test_movement_is_what_the_last_finished_round_changed(world: World) -> None:
    await world.begin(8, "keyforge-swiss")
    await world.play_round()
    assert {row.movement for row in (await table(world)).rows} == {None}
    after_one = {row.standing.name: row.standing.rank for row in (await table(world)).rows}
    await world.play_round()
    for row in (await table(world)).rows:
        assert row.movement == after_one[row.standing.name] - row.standing.rank


@pytest.mark.long
async def test_ratings_start_with_a_rated_match_and_are_provisional_before_ten(world: World) -> None:
    await world.begin(8)
    assert {row.rating for row in (await table(world)).rows} == {None}
    await world.play_round()
    assert all(row.rating and row.rating.provisional for row in (await table(world)).rows)
    for _ in range(2):
        await world.play_out()
        over = await table(world)
        ranked = await world.db.read(tables.ranking, Order(actor=BOT, now=world.now, league_id=world.league_id))
        assert {one.name: one.rating for one in ranked.players} == {row.standing.name: row.rating for row in over.rows}
        assert [one.rating.provisional for one in ranked.players] == [one.matches < 10 for one in ranked.players]
        for one in ranked.players:
            career = await world.db.read(
                profiles.profile, Order(actor=BOT, now=world.now, league_id=world.league_id), player=one.name
            )
            assert career.ratings[-1].rating == one.rating
            assert len(rating_picture(career).points) == len(career.ratings) == one.matches
        await world.begin(8)


@pytest.mark.long
async def test_who_is_sure_is_marked_before_the_cut(world: World) -> None:
    await world.begin(6, "keyforge-swiss", rounds=3, cut=2)
    await world.play_round()
    await world.play_round()
    worker = Worker()
    try:
        counted = await table(world)
        view = await steps.with_verdicts(world.db, worker, counted)
        outlook = await steps.outlook_of(world.db, worker, view.season.id)
    finally:
        await worker.close()
    assert outlook is not None
    assert {row.standing.name: row.verdict for row in view.rows} == {
        name: prospect.verdict for name, prospect in outlook.players.items()
    }
    marks = {Verdict.IN: Mark.IN, Verdict.OUT: Mark.OUT, Verdict.OPEN: None}
    drawn = [row.mark for row in standings_picture(view).rows]
    assert drawn == [marks[row.verdict] for row in view.rows]
    assert Mark.OUT in drawn
