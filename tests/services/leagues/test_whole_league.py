"""A whole league in one zip: out, in elsewhere, out again; and what doesn't come in, with nothing changed."""

import json
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.exporters.archives import packed
from bot.importers.archives import MOST_SEASONS
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, InvalidFile, NotAllowed, NotFound
from bot.league.season.model import Rating
from bot.league.season.phases import SeasonPhase
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.leagues import exporting, set_up, taking_back
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, forgetting, merging, renaming
from bot.services.play import clearing
from bot.services.reads import season_sheets
from bot.steps import File
from storage.query import records
from storage.rated_seasons import EVERY_SEASON
from storage.tables.field import entrants
from tests.files import look_into
from tests.services.conftest import ADMIN, NAMES, STRANGER, World
from tests.services.leagues.test_importing_records import brought, dump, order
from tests.services.leagues.test_later_imports import imported
from tests.services.leagues.test_several_files import league_file
from tests.services.play.test_scores import play_round
from tests.services.seasons.test_divisions import opened, played

Files = dict[str, bytes]


def whole(*files: bytes, people: Any = None, **changed: Any) -> Files:
    """Return a whole league of these league files; its people are those in them."""
    named = {f"season-{at}.json": file for at, file in enumerate(files, start=1)}
    names = {one["name"]: None for file in files for one in json.loads(file)["players"]}
    listed = {
        "fairpair_league": 1,
        "people": people or [{"name": name} for name in names],
        "seasons": [{"file": name} for name in named],
    }
    return {"league.json": json.dumps({**listed, **changed}).encode(), **named}


async def bring(world: World, files: Files, league_id: Any = None) -> Any:
    there = order(world) if league_id is None else Order(actor=ADMIN, now=world.now, league_id=league_id)
    return await steps.import_file(world.db, there, data=packed(files.items()))


async def out(world: World, league_id: Any = None) -> tuple[tuple[str, str], ...]:
    there = Order(actor=ADMIN, now=world.now, league_id=league_id or world.league_id)
    return (await world.db.read(exporting.export_league, there)).files


async def a_past(world: World) -> None:
    """Give a league seasons and people who were renamed, merged, explained, banned and forgotten."""
    await brought(world, "season,player,opponent,winner\n3,Ann,Ben,Ann\n3,Cy,Dee,Dee\n4,Ann,Dee,Ann\n4,Eve,Cy,Cy\n")
    text = "season,player,opponent,winner\n5,Anne,Ben,Anne\n5,Zed,Cy,Zed\n"
    await brought(world, text, Anne="Ann")
    await world.db.write(renaming.rename, order(world), player="Ben", new_name="Benedict", reason="asked to")
    await world.db.write(merging.merge, order(world), player="Zed", into="Eve", reason="the same", agreed=None)
    await world.db.write(banning.ban, order(world), player="Cy", reason="a secret reason", agreed=None)
    await world.db.write(forgetting.forget, order(world), player="Dee")


async def a_league(world: World, name: str = "Elsewhere") -> Any:
    return (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name=name, channel_id=77)).id


async def test_a_league_goes_out_comes_in_elsewhere_and_goes_out_the_same(world: World) -> None:
    await a_past(world)
    first = await out(world)
    there = await a_league(world)
    await bring(world, {name: text.encode() for name, text in first}, there)
    with look_into(world.db) as conn:
        ours = conn.execute("SELECT name FROM leagues WHERE id = ?", (world.league_id,)).fetchone()[0]
    again = [
        (name, text.replace('"league": "Elsewhere"', f'"league": "{ours}"')) for name, text in await out(world, there)
    ]
    assert again == list(first)
    listed = json.loads(first[0][1])
    assert [season["file"] for season in listed["seasons"]] == [
        f"fairpair-season-{number}.json" for number in (3, 4, 5)
    ]
    people = {one["name"]: one for one in listed["people"]}
    assert people["Ann"]["aliases"] == ["Anne"]
    assert (people["Benedict"]["former_names"], people["Eve"]["former_names"]) == (["Ben"], ["Zed"])
    assert "a secret reason" not in str(first)
    assert "Dee" not in str(first)


async def test_a_season_that_was_over_before_its_first_round_is_over_in_the_copy_too(world: World) -> None:
    await world.begin(3, "single-elimination")
    await world.db.write(rounds_by_hand.undo, order(world), reason="too early")
    await world.drop("dok")
    await world.drop("Xorlof")
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    await world.begin(4, "single-elimination")
    there = await a_league(world)
    await bring(world, {name: text.encode() for name, text in await out(world)}, there)
    with look_into(world.db) as conn:
        sql = "SELECT s.phase, e.name FROM seasons s LEFT JOIN entrants e ON e.id = s.champion_id WHERE s.league_id = ?"
        assert records(conn, sql, there)[0] == ("finished", "Zoë")


async def test_a_season_that_ended_before_it_began_because_the_clock_was_set_back_comes_in_too(world: World) -> None:
    await world.begin(3, "single-elimination")
    world.now -= timedelta(days=2)
    await world.db.write(rounds_by_hand.undo, order(world), reason="too early")
    await world.drop("dok")
    await world.drop("Xorlof")
    there = await a_league(world)
    first = await out(world)
    await bring(world, {name: text.encode() for name, text in first}, there)
    assert [name for name, _ in await out(world, there)] == [name for name, _ in first]


async def test_what_a_league_brings_is_known_by_its_other_names_and_can_be_taken_back(world: World) -> None:
    before = dump(world)
    people = [{"name": "Anna", "former_names": ["Ann"], "aliases": ["Anne"]}, {"name": "Ben"}, {"name": "Nobody yet"}]
    called = {"file": "season-1.json", "days": ["2024-01-01", "2024-02-01"], "called": {"Ann": "Anna"}}
    done = await bring(world, whole(league_file(1, "Ann", "Ben"), people=people, seasons=[called]))
    assert (done.numbers, done.players, done.known, done.new) == ((1,), 3, 0, 3)
    with look_into(world.db) as conn:
        assert [name for (name,) in records(conn, "SELECT name FROM players ORDER BY name")] == [
            "Anna",
            "Ben",
            "Nobody yet",
        ]
        assert records(conn, "SELECT name FROM aliases") == (("Anne",),)
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert dump(world) == before


async def test_the_numbers_of_seasons_may_jump(world: World) -> None:
    done = await bring(world, whole(league_file(2, "Ann", "Ben"), league_file(9, "Ann", "Cy")))
    assert done.numbers == (2, 9)
    assert [name for name, _ in await out(world)][1:] == ["fairpair-season-2.json", "fairpair-season-9.json"]


async def ratings(world: World, league_id: Any) -> dict[str, Rating]:
    """Return everyone's rating after all seasons, by their names."""
    with look_into(world.db) as conn:
        names = dict(records(conn, "SELECT id, name FROM players WHERE league_id = ?", league_id))
        known = cached.ratings_before(conn, league_id, EVERY_SEASON)
        return {names[person]: rating for person, rating in known.items()}


@pytest.mark.long
async def test_days_scores_and_divisions_are_in_the_copy_and_its_tables_are_the_same(world: World) -> None:
    await played(world)
    await opened(world, scores=True)
    await world.sign_up(*NAMES[:11])
    await world.start()
    world.now += timedelta(days=3)
    await play_round(world)
    first = await out(world)
    listed = json.loads(first[0][1])["seasons"]
    assert [len(days) for days in listed[0]["played"]] == [6] * 3
    assert all(day for days in listed[0]["played"] for day in days)
    assert {day for days in listed[1]["played"] for day in days} > {None}
    assert {"ladder", "ladder_of"} <= json.loads(first[2][1]).keys()
    there = await a_league(world)
    await bring(world, {name: text.encode() for name, text in first}, there)
    with look_into(world.db) as conn:
        (ours,) = records(conn, "SELECT name FROM leagues WHERE id = ?", world.league_id)[0]
    again = [(name, text.replace('"Elsewhere"', f'"{ours}"')) for name, text in await out(world, there)]
    assert again == list(first)
    for number in (1, 2):
        rows: list[Any] = []
        for league_id in (world.league_id, there):
            here = Order(actor=ADMIN, now=world.now, league_id=league_id)
            _, matches_, *_ = season_sheets.sheets(await world.db.read(season_sheets.taken, here, season_number=number))
            at = matches_.titles.index("date")
            rows.append([(row[: at + 1]) for row in matches_.rows])
        assert rows[0] == rows[1], number


async def test_a_day_goes_with_the_result_it_was_of(world: World) -> None:
    await world.begin(4, rounds=3, cut=0)
    await world.play_round()
    there = await a_league(world)
    await bring(world, {name: text.encode() for name, text in await out(world)}, there)
    sql = (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        " WHERE s.league_id = ? AND m.played_on IS NOT NULL"
    )
    who = Order(actor=ADMIN, now=world.now, league_id=there)
    with look_into(world.db) as conn:
        assert len(records(conn, sql, there)) == 2
        open_ = records(conn, "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.phase = 'open'")
    assert open_
    await world.db.write(rounds_by_hand.undo, who, reason="again")
    with look_into(world.db) as conn:
        (match_id, *_), *_ = records(conn, sql, there)
    await world.db.write(clearing.clear, who, match=match_id, reason="it wasn't so")
    with look_into(world.db) as conn:
        assert len(records(conn, sql, there)) == 1


@pytest.mark.long
async def test_ratings_of_a_copy_are_those_of_the_original_also_after_late_imports(world: World) -> None:
    await imported(world, 6, ("Zed", "Yan"))
    await world.begin(4, rounds=2, cut=0)
    await world.play_out()  # season 7
    await imported(world, 5, ("dok", "Xorlof"), ("dok", "Zed"))  # known only after that
    await world.begin(4, rounds=2, cut=0)
    await world.play_out()  # season 8
    first = await out(world)
    assert [season.get("ratings") for season in json.loads(first[0][1])["seasons"]] == [None, None, "outdated", "noted"]
    there = await a_league(world)
    await bring(world, {name: text.encode() for name, text in first}, there)
    known = await ratings(world, world.league_id)
    assert await ratings(world, there) == known
    again = await out(world, there)
    assert again[0] == first[0]
    met, met_again = ([json.loads(text).get("past_seasons") for _, text in files[1:]] for files in (first, again))
    assert met_again == met  # season 7 began without the meetings of season 5

    await imported(world, 4, ("Xorlof", "dok"), ("Xorlof", "Zed"))  # both learn of another season
    both = [world.league_id, there]
    late = dict(await out(world))["fairpair-season-4.json"]
    await steps.import_file(world.db, Order(actor=ADMIN, now=world.now, league_id=there), data=late.encode())
    after, copied = [await ratings(world, league_id) for league_id in both]
    assert after != known
    assert copied == after


BROKEN = league_file(2, "Ann", "Ben", rounds=[{"number": 1, "matches": [{"players": ["Ann", "Who"], "winner": None}]}])
TWO = whole(league_file(1, "Ann", "Ben"), league_file(2, "Ann", "Cy"))
WRONG: dict[str, tuple[Files, str]] = {
    "a broken season": (whole(league_file(1, "Ann", "Ben"), BROKEN), r"season-2\.json, rounds\[0\]\.matches\[0\]"),
    "a season that is missing": ({**TWO} | {"season-2.json": b""}, r"season-2\.json: is empty"),
    "a file that isn't there": (
        {name: file for name, file in TWO.items() if name != "season-2.json"},
        r"league\.json: names files that aren't in the zip: season-2\.json",
    ),
    "a file nobody names": ({**TWO, "more.json": b"{}"}, r"files in it that its league\.json doesn't name: more\.json"),
    "a zip in the zip": ({**TWO, "more.zip": packed(TWO.items())}, r"doesn't name: more\.zip"),
    "a zip as a season": ({**TWO, "season-2.json": packed(TWO.items())}, r"season-2\.json, line 1: is not UTF-8"),
    "no list": ({"season-1.json": TWO["season-1.json"]}, r"has no league\.json in it"),
    "a list of another kind": ({**TWO, "league.json": b"[]"}, r'league\.json: must be an object with the field "fair'),
    "a newer list": ({**TWO, "league.json": b'{"fairpair_league": 2}'}, r"version 2 is newer than this program"),
    "no season": (whole(seasons=[], people=[{"name": "Ann"}]), "has no season in it"),
    "someone who isn't listed": (whole(league_file(1, "Ann", "Ben"), people=[{"name": "Ann"}]), r'"Ben" is not among'),
    "someone called by nobody's name": (
        whole(league_file(1, "Ann", "Ben"), seasons=[{"file": "season-1.json", "called": {"Ann": "Who"}}]),
        r'seasons\[0\]\.called: "Who" is not among the people',
    ),
    "a name twice": (
        whole(league_file(1, "Ann", "Ben"), people=[{"name": "Ann"}, {"name": "Ben", "former_names": ["Ann"]}]),
        r'people\[1\]: "Ann" is here twice',
    ),
    "days of other matches": (
        whole(league_file(1, "Ann", "Ben"), seasons=[{"file": "season-1.json", "played": [[None, None]]}]),
        r"season-1\.json: league\.json has days of other matches than the file",
    ),
    "no word for ratings": (
        whole(league_file(1, "Ann", "Ben"), seasons=[{"file": "season-1.json", "ratings": "good"}]),
        r"league\.json, seasons\[0\]\.ratings",
    ),
    "days the wrong way": (
        whole(league_file(1, "Ann", "Ben"), seasons=[{"file": "season-1.json", "days": ["2024-02-01", "2024-01-01"]}]),
        "the last day is before the first",
    ),
}


@pytest.mark.parametrize("what", WRONG)
async def test_a_zip_with_a_fault_brings_nothing_and_says_where_it_is(world: World, what: str) -> None:
    files, told = WRONG[what]
    before = dump(world)
    with pytest.raises(InvalidFile, match=told):
        await bring(world, files)
    assert dump(world) == before


async def test_a_number_that_is_taken_brings_nothing(world: World) -> None:
    await bring(world, whole(league_file(2, "Xo", "Yu")))
    before = dump(world)
    with pytest.raises(Conflict, match="already has a season 2"):
        await bring(world, TWO)
    assert dump(world) == before


async def test_two_seasons_of_one_number_are_refused(world: World) -> None:
    with pytest.raises(Conflict, match="Several of the files are season 1"):
        await bring(world, whole(league_file(1, "Ann", "Ben"), league_file(1, "Ann", "Cy")))


@pytest.mark.long
async def test_what_unpacks_to_too_much_is_refused_before_it_does(world: World) -> None:
    with pytest.raises(InvalidFile, match="unpacks to more than 64 MB"):
        await bring(world, {**TWO, "season-2.json": b" " * (65 << 20)})
    with pytest.raises(InvalidFile, match="has 1,002 files in it; at most 1,001 can be read"):
        await bring(world, {**TWO, **{f"{at}.json": b"" for at in range(MOST_SEASONS - 1)}})


async def test_a_whole_league_comes_alone_and_not_in_another_zip(world: World) -> None:
    zip_, other = (
        File(name="league.zip", data=packed(TWO.items())),
        File(name="a.csv", data=b"player,opponent,winner\n"),
    )
    assert await steps.look_through([zip_]) is None
    with pytest.raises(InvalidFile, match=r"league\.zip is a whole league\. Send it on its own"):
        await steps.look_through([zip_, other])
    with pytest.raises(InvalidFile, match=r"has a zip of a league in it, league\.zip\. Unpack it"):
        await steps.look_through([File(name="all.zip", data=packed([("league.zip", zip_.data)]))])


async def test_only_organisers_take_a_league_out_and_only_one_with_a_season(world: World) -> None:
    with pytest.raises(NotAllowed):
        await world.db.read(exporting.export_league, Order(actor=STRANGER, now=world.now, league_id=world.league_id))
    with pytest.raises(NotFound, match="has no season yet"):
        await world.db.read(exporting.export_league, Order(actor=ADMIN, now=world.now, league_id=await a_league(world)))


@pytest.mark.long
async def test_the_champion_by_a_draw_stays_champion_elsewhere_once_they_are_forgotten(world: World) -> None:
    """The draw of names would now name somebody else, because a number is drawn otherwise than the name was."""
    await world.create("keyforge-swiss", rounds=1, cut=0)
    await world.sign_up(*NAMES[1:5])
    await world.start()
    season = (await world.play_out()).season
    champion = season.champion_id
    assert champion is not None
    with look_into(world.db) as conn:
        name = entrants.get(conn, champion).name
    number = await world.db.write(forgetting.forget, order(world), player=name)
    (_, (file, text)) = files = await out(world)
    season_file = reading.read(text.encode())
    assert season_file.final is not None
    assert (season_file.final.kept, season_file.final.champion) == (True, number)
    found = verify(season_file)
    assert found.agrees
    assert "final: as in the file, not compared, because a player was forgotten" in found.lines()
    there = await a_league(world)
    before = dump(world)
    await bring(world, {name: text.encode() for name, text in files}, there)
    assert dict(await out(world, there))[file] == text.replace("Online HeroScape", "Elsewhere")
    elsewhere = Order(actor=ADMIN, now=world.now, league_id=there)
    with look_into(world.db) as conn:
        ((import_id,),) = records(conn, "SELECT id FROM imports WHERE league_id = ?", there)
    await world.db.write(taking_back.take_back, elsewhere, import_id=import_id)
    assert dump(world) == before
    await bring(world, {name: text.encode() for name, text in files}, there)
    other = next(entrant.name for entrant in season_file.entrants if entrant.name != number)
    await world.db.write(forgetting.forget, elsewhere, player=other)
    again = reading.read(dict(await out(world, there))[file].encode())
    assert again.final is not None
    assert (again.final.kept, again.final.champion, other in str(again)) == (True, number, False)
    assert verify(again).agrees
