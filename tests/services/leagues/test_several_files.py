"""A past of several files: together or one after the other, in the order of their dates, all or nothing."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot import steps
from bot.importers.summary import Summary
from bot.league.counting.rating_formula import rate
from bot.league.errors import Conflict, InvalidFile
from bot.league.season.model import Rating
from bot.league.season.scales import RatingScale
from bot.services.base import cached
from bot.services.leagues import exporting, importing_records, taking_back
from bot.services.leagues.importing_records import Brought
from bot.steps import File
from storage.query import records
from tests.files import look_into
from tests.services.conftest import World
from tests.services.leagues.test_importing_records import dump, order
from tests.services.leagues.test_making_room import days, months

MONTHS = range(1, 13)
LATE = (7, 2, 12, 1, 5, 3, 11, 4, 10, 6, 9, 8)


def of_month(month: int) -> File:
    """Return an evening of which Ann, Ben and Cy know who won, as a table, as Cobra's JSON or as a chess report."""
    day, (winner, loser) = f"2024-{month:02}-05", result(month)
    if month % 3 == 0:
        text = f"player,opponent,winner,score,date\n{winner},{loser},{winner},2-1,{day}\n"
        return File(name=f"{month}.csv", data=text.encode())
    if month % 3 == 1:
        players = [{"id": at, "name": name, "rank": at} for at, name in enumerate((winner, loser), start=1)]
        sides = [
            {"id": at, "corpScore": won, "runnerScore": won, "combinedScore": 2 * won} for at, won in ((1, 3), (2, 0))
        ]
        table = {"table": 1, "player1": sides[0], "player2": sides[1], "intentionalDraw": False, "twoForOne": False}
        file = {"name": f"Evening {month}", "date": day, "cutToTop": 0, "preliminaryRounds": 1, "players": players}
        return File(name=f"{month}.json", data=json.dumps({**file, "rounds": [[table]]}).encode())
    lines = [
        f"001 {rank:4d} m    {name:<33} {1800 + rank:4d} GER {rank:11d} 1990/01/01  1.0 {rank:4d}  {other:4d} {game}"
        for rank, name, other, game in ((1, winner, 2, "w 1"), (2, loser, 1, "b 0"))
    ]
    return File(name=f"{month}.trf", data="\n".join([f"012 {month}", f"042 {day.replace('-', '/')}", *lines]).encode())


def result(month: int) -> tuple[str, str]:
    """Return who won a month, and against whom."""
    return (("Ann", "Ben"), ("Ben", "Cy"), ("Cy", "Ann"), ("Ann", "Cy"))[month * month % 4 - 1]


def by_hand() -> dict[str, float]:
    """Return the ratings after the twelve months in their order, match after match."""
    ratings = dict.fromkeys(("Ann", "Ben", "Cy"), Rating(mu=25, sigma=25 / 3))
    for month in MONTHS:
        winner, loser = result(month)
        ratings[winner], ratings[loser] = rate(ratings[winner], ratings[loser], RatingScale())
    return {name: rating.mu for name, rating in ratings.items()}


async def looked(world: World, files: Sequence[File]) -> Summary:
    short = await steps.look_through(files)
    assert short is not None
    return short


async def brought(world: World, files: Sequence[File]) -> Brought:
    short = await looked(world, files)
    assert not short.problems, short.problems
    plan = await world.db.read(importing_records.plan, order(world), file=short, decided={})
    return await steps.bring_in(world.db, order(world), files=files, short=short, planned=plan)


@pytest.mark.long
@pytest.mark.parametrize("at_once", [1, 4, 12])
async def test_twelve_months_of_three_kinds_stand_in_the_order_of_their_dates(world: World, at_once: int) -> None:
    before, done = dump(world), list[Brought]()
    for start in range(0, 12, at_once):
        done.append(await brought(world, [of_month(month) for month in LATE[start : start + at_once]]))
    assert (months(world), list(days(world))) == ([*MONTHS], [*MONTHS])
    with look_into(world.db) as conn:
        ids = dict(records(conn, "SELECT id, name FROM players"))
        ratings = cached.ratings_before(conn, world.league_id, 13)
    assert {ids[player]: rating.mu for player, rating in ratings.items()} == pytest.approx(by_hand(), rel=1e-9)
    for one in reversed(done):
        await world.db.write(taking_back.take_back, order(world), import_id=one.id)
    assert dump(world) == before


async def test_one_broken_file_of_ten_is_named_and_nothing_comes_in(world: World) -> None:
    files = [of_month(month) for month in range(1, 10)]
    short = await looked(world, [*files, File(name="ten.csv", data=b"player,opponent,winner\nAnn,Ben,Zed\n")])
    assert [(one.where, one.column) for one in short.problems] == [("ten.csv, row 2", "winner")]
    with pytest.raises(InvalidFile, match=r"ten\.csv: is a PDF"):
        await looked(world, [*files, File(name="ten.csv", data=b"%PDF-1.7")])


async def test_the_same_file_twice_is_named(world: World) -> None:
    again = File(name="again.csv", data=of_month(3).data)
    with pytest.raises(InvalidFile, match=r"3\.csv and again\.csv are the same file"):
        await looked(world, [of_month(3), again])


async def test_questions_of_each_file_say_which_it_is(world: World) -> None:
    files = [of_month(3), File(name="b.csv", data=b"wer,gegen wen,hat gewonnen\nKai,Ida,Kai\n")]
    short = await looked(world, files)
    (asked,) = short.questions
    assert (short.asks, asked.text.startswith("b.csv: ")) == (1, True)


HALF = b"player,opponent,winner,date\nAnn,Ben,Ann,2024-03-05\nAnn,Cy,Cy,2024-03-06\n"
WHOLE = HALF + b"Ben,Cy,Ben,2024-03-07\n"


@pytest.mark.parametrize(("answer", "sizes"), [("once", [2, 1]), ("twice", [2, 3])])
async def test_what_two_files_have_is_asked_about(world: World, answer: str, sizes: list[int]) -> None:
    files = [File(name="half.csv", data=HALF), File(name="whole.csv", data=WHOLE)]
    short = await looked(world, files)
    (asked,) = short.questions
    told = "half.csv, row 2 and whole.csv, row 2 are the same match, Ann against Ben on 5 March 2024. So is 1 more."
    assert asked.text == f"{told} Were they played twice?"
    files[short.asks] = File(name="whole.csv", data=WHOLE, answers=files[short.asks].answers.answered(asked, answer))
    short = await looked(world, files)
    assert (short.questions, [season.matches for season in short.seasons]) == ((), sizes)


async def test_seasons_without_dates_are_asked_about_where_all_of_one_is_in_another_file(world: World) -> None:
    first = File(name="a.csv", data=b"player,opponent,winner\nAnn,Ben,Ann\n")
    second = File(name="b.csv", data=b"player,opponent,winner,notes\nAnn,Ben,Ann,final\n")
    third = File(name="c.csv", data=b"player,opponent,winner\nAnn,Ben,Ann\nBen,Cy,Cy\n")
    assert [question.key for question in (await looked(world, [first, second])).questions] == ["in two files"]
    assert (await looked(world, [first, third])).questions == ()


async def test_a_season_in_two_files_is_named(world: World) -> None:
    files = [
        File(name=f"{name}.csv", data=f"season,player,opponent,winner\n3,Ann,{name},Ann\n".encode()) for name in "bc"
    ]
    (problem,) = (await looked(world, files)).problems
    assert problem.line.startswith("Season 3: is in several files. Put its matches into one file")


async def test_the_same_name_in_other_letters_is_one_person(world: World) -> None:
    files = [
        File(name="a.csv", data=b"player,opponent,winner,date\nAnn,Ben,Ann,2024-01-01\n"),
        File(name="b.csv", data=b"player,opponent,winner,date\nANN,ben,ANN,2024-02-01\n"),
    ]
    done = await brought(world, files)
    assert (done.numbers, done.known, done.new) == ((1, 2), 0, 2)


def league_file(number: int, *people: Any, **more: Any) -> bytes:
    names = [one if isinstance(one, dict) else {"name": one} for one in people]
    pair = [names[0]["name"], names[1]["name"]]
    played = [{"number": 1, "matches": [{"players": pair, "winner": pair[0], "kind": "played"}]}]
    file = {"fairpair": 1, "league": "Old", "season": number, "format": "record", "players": names, "rounds": played}
    return json.dumps({**file, **more}).encode()


async def test_several_league_files_are_a_season_each_and_one_import(world: World) -> None:
    before = dump(world)
    second = league_file(2, {"name": "Anna", "former_names": ["Ann"]}, "Ben")
    files = [league_file(3, "Anna", "Cy"), second]
    done = await steps.import_file(world.db, order(world), data=league_file(1, "Ann", "Ben"), others=files)
    assert (done.numbers, done.known, done.new, done.players) == ((1, 2, 3), 0, 3, 3)
    with look_into(world.db) as conn:
        assert [name for (name,) in records(conn, "SELECT name FROM players ORDER BY name")] == ["Anna", "Ben", "Cy"]
    made = await world.db.read(exporting.export, order(world), season_number=1)
    assert [one["name"] for one in json.loads(made.text)["players"]] == ["Ann", "Ben"]
    assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (1, 2, 3)
    assert dump(world) == before


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ([league_file(1, "Ann", "Cy")], "Several of the files are season 1"),
        ([league_file(2, "Ann", "Annie"), league_file(3, {"name": "Ann", "former_names": ["Annie"]}, "Ben")], "says"),
    ],
)
async def test_league_files_that_cannot_come_in_together_are_refused(
    world: World, others: list[bytes], told: str
) -> None:
    before = dump(world)
    with pytest.raises(Conflict, match=told):
        await steps.import_file(world.db, order(world), data=league_file(1, "Ann", "Ben"), others=others)
    assert dump(world) == before


async def test_league_files_among_others_are_refused_in_a_sentence(world: World) -> None:
    files = [of_month(3), File(name="old.json", data=league_file(1, "Ann", "Ben"))]
    with pytest.raises(InvalidFile, match=r"old\.json is a league file, 3\.csv isn't\. Send the league files on their"):
        await looked(world, files)
