"""A league file comes in after a preview and is taken back without a trace, as the tables of other programs are."""

import json
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, Invalid, NotFound
from bot.league.formats import ALL
from bot.random_seasons.season import texts
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.leagues import exporting, set_up, taking_back
from bot.services.leagues.importing import Imported
from bot.services.people import keeping_apart, linking, merging, rejoining, renaming
from bot.services.people.linking import Account
from bot.services.reads import my_match, tables
from bot.services.signups import signing_up
from storage.rows import LeagueId
from storage.tables.people.players import LinkId
from tests.files import do, see
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World
from tests.services.leagues.test_importing_records import dump


def order(world: World, league_id: LeagueId) -> Order:
    return Order(actor=ADMIN, now=world.now, league_id=league_id)


async def a_whole_season(world: World) -> dict[str, Any]:
    """Play a season in which someone drops and comes back, two are kept apart, and lists are handed in."""
    at: dict[str, Any] = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await world.begin(7, rounds=3, cut=2, rejoin="free")
    await do(keeping_apart.keep_apart, **at, first=NAMES[0], second=NAMES[1], reason="they asked")
    await world.play_round()
    await world.drop(NAMES[2])
    await world.db.write(
        rejoining.rejoin, Order(actor=world.player(NAMES[2]), now=world.now, league_id=world.league_id)
    )
    await world.play_out()
    made = await see(exporting.export, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    file = json.loads(made.text)
    first, *others = file["players"]
    # Earlier meetings of a season nobody has, and a former name.
    return {
        **file,
        "season": 3,
        "past_seasons": [{"season": 2, "matches": [[first["name"], others[0]["name"]]]}],
        "players": [{**first, "former_names": [f"Young {first['name']}"]}, *others],
    }


async def elsewhere(world: World) -> LeagueId:
    """Return another league, in which one of the file's people is known, written differently."""
    league = await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)
    await imported(world, league.id, a_record(1))
    return league.id


def a_record(season: int) -> dict[str, Any]:
    """Return the file of a season of another kind."""
    people = [NAMES[0].upper(), "Zed"]
    rows = [{"number": 1, "matches": [{"players": people, "winner": "Zed", "kind": "played"}]}]
    past = {"fairpair": 1, "league": "x", "season": season, "format": "record"}
    return {**past, "players": [{"name": name} for name in people], "rounds": rows}


async def imported(world: World, league_id: LeagueId, file: dict[str, Any], **more: Any) -> Imported:
    return await steps.import_file(world.db, order(world, league_id), data=json.dumps(file).encode(), **more)


@pytest.mark.long
async def test_it_says_what_a_file_brings_before_anything_is_written(world: World) -> None:
    file, league = await a_whole_season(world), await elsewhere(world)
    before = dump(world)
    with pytest.raises(ConfirmationNeeded, match=r"Season 3 \(.*\), over: 7 players") as asked:
        await imported(world, league, file, agreed="")
    assert "1 known, 6 new" in str(asked.value)
    assert f"{NAMES[0]} is {NAMES[0].upper()}" in str(asked.value)
    assert dump(world) == before
    done = await imported(world, league, file, agreed=asked.value.token)
    assert (done.numbers, done.known, done.new, done.live) == ((3,), 1, 6, False)


@pytest.mark.long
async def test_all_of_it_is_gone_again(world: World) -> None:
    file, league = await a_whole_season(world), await elsewhere(world)
    before = dump(world)
    done = await imported(world, league, file)
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": league}
    assert (await see(tables.standings, **at)).season.number == 3
    back = {"import_id": done.id}
    assert await world.db.write(taking_back.take_back, order(world, league), **back) == (3,)
    assert dump(world) == before
    with pytest.raises(NotFound, match="taken back already"):
        await world.db.write(taking_back.take_back, order(world, league), **back)
    again = await imported(world, league, file)
    await world.db.write(taking_back.take_back, order(world, league), import_id=again.id)
    assert dump(world) == before


async def test_a_season_that_goes_on_here_stays(world: World) -> None:
    league = await elsewhere(world)
    await world.begin(4)
    made = await see(exporting.export, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    file = {**json.loads(made.text), "season": 3}
    with pytest.raises(ConfirmationNeeded, match=r"not over: 4 players.*can't be taken back; /season cancel ends it"):
        await imported(world, league, file, agreed="")
    done = await imported(world, league, file)
    with pytest.raises(Conflict, match="can't be taken back any more, because something was changed in its seasons"):
        await world.db.write(taking_back.take_back, order(world, league), import_id=done.id)


async def test_a_season_that_goes_on_is_the_leagues_newest(world: World) -> None:
    """Commands without a number mean the newest season, so one below it would be played unseen."""
    league = await elsewhere(world)
    await world.begin(4)
    made = await see(exporting.export, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await imported(world, league, a_record(5))
    with pytest.raises(
        Conflict, match=r"Season 3 of the file isn't over, but Copy already has season 5.*once it's over"
    ):
        await imported(world, league, {**json.loads(made.text), "season": 3})
    await imported(world, league, {**json.loads(made.text), "season": 6})
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": league}
    assert (await see(tables.standings, **at)).season.number == 6


@pytest.mark.parametrize("way", ["/player add", "/player link"])
async def test_who_gets_an_account_in_a_season_that_goes_on_is_told_of_their_match(world: World, way: str) -> None:
    """The round was posted when nobody of the file had an account, so it mentioned no one."""
    league = await elsewhere(world)
    await world.begin(4)
    made = await see(exporting.export, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.announce()
    await imported(world, league, {**json.loads(made.text), "season": 2})
    assert [post.mention.people for post in await world.announce() if post.mention.people] == []
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": league}
    name, account = NAMES[1], world.player(NAMES[1])
    own: dict[str, Any] = {**at, "actor": account}
    if way == "/player add":
        await do(signing_up.add, **at, discord_id=account.user_id or 0, display_name="new", name=name)
    else:
        await do(linking.propose, **at, player=name, account=Account(discord_id=account.user_id or 0, name=name))
        await world.announce()
        await do(linking.answer, **own, link=LinkId(1), accept=True)
    match = (await see(my_match.my_match, **own)).match
    assert match is not None
    assert match.deadline is not None
    (told,) = [post for post in await world.announce() if account.user_id in post.mention.people]
    opponent = next(side.name for side in match.sides if side.name != name)
    assert f"Your opponent in round 1 is {opponent}" in str(told.row.facts["text"])
    assert told.row.facts["until"] == int(match.deadline.timestamp())


@pytest.mark.long
@pytest.mark.parametrize("what", ["renamed", "merged into", "merged away"])
async def test_people_who_were_renamed_or_merged_keep_it(world: World, what: str) -> None:
    file, league = await a_whole_season(world), await elsewhere(world)
    done = await imported(world, league, file)
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": league}
    before = dump(world)
    match what:
        case "renamed":
            await do(renaming.rename, **at, player=NAMES[0].upper(), new_name="Someone", reason=None)
            said, undo = "was renamed since", None
        case "merged into":
            undo = await do(merging.merge, **at, player="Zed", into=NAMES[1], reason="one person")
            said = f"{NAMES[1]} was merged with someone else since"
        case _:
            undo = await do(merging.merge, **at, player=NAMES[1], into="Zed", reason="one person")
            said = "Zed was merged with someone else since"
    with pytest.raises(Conflict, match=said):
        await world.db.write(taking_back.take_back, order(world, league), import_id=done.id)
    if undo is not None:
        await do(merging.take_back, **at, merge=undo.id)
        assert dump(world) == before
        await world.db.write(taking_back.take_back, order(world, league), import_id=done.id)


async def comes_and_goes(world: World, format_: str, seeds: range) -> None:
    league = (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)).id
    before, gone = dump(world), 0
    for seed in seeds:
        *_, text = texts(format_, seed)
        if "</" in text:  # a league is stricter with names than a file
            with pytest.raises(Invalid, match="reads like a command"):
                await imported(world, league, json.loads(text))
            continue
        done = await imported(world, league, json.loads(text))
        assert dump(world) != before
        if done.live:
            return  # what follows would need a league without a season
        await world.db.write(taking_back.take_back, order(world, league), import_id=done.id)
        assert dump(world) == before, f"{format_} {seed}"
        gone += 1
    assert gone > 0


every_format = pytest.mark.parametrize("format_", [format_.key for format_ in ALL])


@pytest.mark.long
@every_format
async def test_random_seasons_come_and_go_without_a_trace(world: World, format_: str) -> None:
    await comes_and_goes(world, format_, range(3))


@pytest.mark.long
@every_format
async def test_many_random_seasons_come_and_go_without_a_trace(world: World, format_: str) -> None:
    await comes_and_goes(world, format_, range(100, 120))
