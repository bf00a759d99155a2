"""Seasons of other programs come into a league whole or not at all, and are taken back without a trace."""

import contextlib
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.importers.as_seasons import recorded
from bot.importers.numbering import numbers_for
from bot.importers.read_file import read
from bot.league.checking.league_file import reading
from bot.league.counting.ratings import after_matches, new_rating
from bot.league.errors import Conflict, Invalid, InvalidFile, NotAllowed, NotFound
from bot.league.season.scales import RatingScale
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.leagues import exporting, importing_records, taking_back
from bot.services.leagues.importing_records import Brought, InLeague, Plan
from bot.services.people import banning, forgetting, keeping_apart, renaming
from bot.services.reads import tables
from bot.services.seasons import lifecycle, planning
from bot.steps import File
from cogs.reads.pictures import where
from storage import rules_season
from storage.query import records
from storage.tables import seasons
from storage.tables.people.bans import BanId
from tests.files import do, look_into
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World, person

CODEX = Path(__file__).parents[4] / "shared" / "data" / "codex-2016-2019.csv"
OLD = """season,round,player,opponent,winner,date
1,1,Chloe,Pavel,Chloe,2024-02-01
1,2,Chloe,Quinn,Quinn,2024-02-08
2,1,Quinn,Pavel,Quinn,2024-05-01
"""


def order(world: World, who: Any = ADMIN) -> Order:
    return Order(actor=who, now=world.now, league_id=world.league_id)


async def planned(world: World, text: str, **decided: str) -> tuple[File, Any, Plan]:
    file = File(name="old.csv", data=text.encode())
    short = await steps.look_through([file])
    assert short is not None
    return file, short, await world.db.read(importing_records.plan, order(world), file=short, decided=decided)


async def brought(world: World, text: str, **decided: str) -> Brought:
    file, short, plan = await planned(world, text, **decided)
    return await steps.bring_in(world.db, order(world), files=[file], short=short, planned=plan)


def dump(world: World) -> list[str]:
    with contextlib.closing(sqlite3.connect(world.db.path)) as conn:
        return [line for line in conn.iterdump() if '"audit"' not in line and "sqlite_sequence" not in line]


@pytest.mark.long
async def test_all_of_a_file_is_taken_back_without_a_trace_but_in_the_audit_log(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n4,Chloë,Ida,Chloë\n")
    await world.begin(8)
    before = dump(world)
    done = await brought(world, OLD, Chloe="Chloë")
    assert (done.numbers, done.matches, done.known, done.new, done.running) == ((1, 2), 3, 1, 2, 5)
    assert dump(world) != before
    assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (1, 2)
    assert dump(world) == before
    assert [row.action for row in await world.audit()][:2] == ["league.import_back", "league.import_records"]


async def test_it_says_how_far_it_is_after_each_season(world: World) -> None:
    file, short, plan = await planned(world, OLD)
    told: list[int] = []
    await steps.bring_in(world.db, order(world), files=[file], short=short, planned=plan, saved=told.append)
    assert told == [2, 3]


async def test_an_answer_is_kept_for_the_next_file(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Chloë,Pavel,Chloë\n")
    _, _, first = await planned(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n")
    assert [(one.name.name, one.candidates) for one in first.identities.unclear] == [("Chloe", ("Chloë",))]
    with pytest.raises(Conflict, match="still unclear"):
        await brought(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n")
    await brought(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n", Chloe="Chloë")
    _, _, again = await planned(world, "season,player,opponent,winner\n3,Chloe,Pavel,Chloe\n")
    assert again.identities.called == {"Chloe": "Chloë", "Pavel": "Pavel"}
    assert not again.identities.unclear


async def test_a_question_about_a_player_counts_no_season_that_was_cancelled_before_it_began(world: World) -> None:
    await world.create()
    await world.sign_up("Chloë")
    await world.db.write(lifecycle.cancel, order(world), reason="too few")
    await brought(world, "season,player,opponent,winner\n1,Chloë,Pavel,Chloë\n")
    _, _, plan = await planned(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n")
    assert plan.in_league == {"Chloë": InLeague(matches=1, seasons=(1,))}


async def test_a_typing_error_is_asked_about_unless_the_two_met(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Jonathan,Pavel,Pavel\n")
    _, _, plan = await planned(world, "season,player,opponent,winner\n2,Jonahtan,Pavol,Pavol\n2,Jonatan,Pavel,Pavel\n")
    asked = [("Jonahtan", ("Jonathan",)), ("Pavol", ("Pavel",)), ("Jonatan", ("Jonathan",))]
    assert [(one.name.name, one.candidates) for one in plan.identities.unclear] == asked
    done = await brought(world, "season,player,opponent,winner\n2,Jonahtan,Rosa,Rosa\n", Jonahtan="Jonathan")
    assert (done.known, done.new) == (1, 1)
    _, _, plan = await planned(world, "season,player,opponent,winner\n3,Margaret,Margarets,Margaret\n")
    assert not plan.identities.unclear


async def test_who_a_name_is_can_be_said_by_a_former_name_and_what_does_not_fit_is_named(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Chloë,Pavel,Chloë\n")
    who: Any = {"actor": ADMIN, "now": world.now, "league_id": world.league_id}
    await do(renaming.rename, db=world.db, **who, player="Chloë", new_name="Zara", reason="asked for it")
    text = "season,player,opponent,winner\n2,Ann,Bo,Ann\n2,Pavel,Cy,Cy\n"
    _, _, plan = await planned(world, text, Ann="Chloë", Bo="Boo", Pavel="Zara", Nobody="Nobody Else", Cy="")
    assert plan.identities.called["Ann"] == "Zara"
    assert plan.identities.unfit == {"Bo": "Boo", "Pavel": "Zara"}
    _, _, plan = await planned(world, "season,player,opponent,winner\n2,Ann,Bo,Ann\n2,Anna,Cy,Cy\n", Ann="Anna")
    assert (plan.identities.called["Ann"], plan.identities.new, plan.identities.unfit) == (
        "Anna",
        ("Bo", "Anna", "Cy"),
        {},
    )


async def test_someone_new_stays_someone_else(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Chloë,Pavel,Chloë\n")
    done = await brought(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n", Chloe="")
    assert (done.known, done.new) == (1, 1)


async def test_two_who_met_are_two_people_and_two_others_in_the_file_may_be_one(world: World) -> None:
    text = "season,player,opponent,winner\n1,Chloe,Chloë,Chloë\n1,Kai,Chloë,Kai\n1,KAI!,Chloe,Chloe\n"
    _, _, plan = await planned(world, text)
    assert [(one.name.name, one.candidates) for one in plan.identities.unclear] == [("KAI!", ("Kai",))]
    done = await brought(world, text, **{"KAI!": "Kai"})
    assert done.new == 3


async def test_taken_numbers_come_first_and_a_list_twice_brings_nothing(world: World) -> None:
    await brought(world, OLD)
    with pytest.raises(Conflict, match=r'already: "1" is season 1, "2" is season 2\. Leave them out\.$'):
        await planned(world, OLD)
    with pytest.raises(Conflict, match=r"has these seasons already: 1, 2\. Leave them out"):
        await planned(
            world,
            OLD.replace("Chloe,Pavel,Chloe", "Chloe,Pavel,Pavel").replace(
                "2,1,Quinn,Pavel,Quinn", "2,1,Quinn,Pavel,Pavel"
            ),
        )
    people = "name,discord\nPavel,pavel#1\nRosa,rosa#1\n"
    assert (await brought(world, people)).new == 1
    before = dump(world)
    with pytest.raises(Invalid, match="in the league already"):
        await brought(world, people)
    assert dump(world) == before


async def test_two_presses_at_once_import_once(world: World) -> None:
    file, short, plan = await planned(world, OLD)
    await steps.bring_in(world.db, order(world), files=[file], short=short, planned=plan)
    before = dump(world)
    with pytest.raises(Conflict, match="in the league already"):
        await steps.bring_in(world.db, order(world), files=[file], short=short, planned=plan)
    assert dump(world) == before


async def test_players_who_changed_since_the_preview_are_looked_at_again(world: World) -> None:
    file, short, plan = await planned(world, OLD)
    await brought(world, "season,player,opponent,winner\n7,Chloë,Ida,Chloë\n")
    before = dump(world)
    with pytest.raises(Conflict, match="changed since this preview"):
        await steps.bring_in(world.db, order(world), files=[file], short=short, planned=plan)
    assert dump(world) == before


async def test_who_is_renamed_or_has_an_account_or_plays_keeps_the_import(world: World) -> None:
    done = await brought(world, OLD)
    await world.db.write(renaming.rename, order(world), player="Pavel", new_name="Paul", reason=None)
    with pytest.raises(Conflict, match="was called Pavel"):
        await world.db.write(taking_back.take_back, order(world), import_id=done.id)


async def test_a_season_that_started_keeps_the_import(world: World) -> None:
    done = await brought(world, OLD)
    await world.begin(8)
    with pytest.raises(Conflict, match="a season has started since"):
        await world.db.write(taking_back.take_back, order(world), import_id=done.id)


async def test_an_import_says_which_season_keeps_it_once_it_starts(world: World) -> None:
    season = "season,player,opponent,winner\n{},Zed,Yan,Zed\n"
    assert (await brought(world, season.format(4))).next == 5
    await world.create()
    await world.sign_up(*NAMES[:4])
    during = await brought(world, season.format(3))
    assert during.next == 5
    await world.start()
    with pytest.raises(Conflict, match="a season has started since"):
        await world.db.write(taking_back.take_back, order(world), import_id=during.id)
    assert (await brought(world, season.format(2))).next == 6


@pytest.mark.long
async def test_sign_ups_follow_on_the_seasons_left_once_an_import_is_taken_back(world: World) -> None:
    await world.begin(4, rounds=1, cut=0)
    await world.play_out()
    done = await brought(world, "season,player,opponent,winner\n2,Zed,Yan,Zed\n5,Zed,Yan,Zed\n")
    await world.create()
    await world.sign_up(*NAMES[:6])
    said: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(keeping_apart.keep_apart, **said, first=NAMES[2], second=NAMES[3], reason="they asked")
    assert (await world.status()).season.number == 6
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert (await world.status()).season.number == 2
    assert "Season 6 is season 2 now: an import of earlier seasons was taken back." in await world.notices()
    await world.start()
    with look_into(world.db) as conn:
        live = seasons.live(conn, world.league_id)
        assert live is not None
        record = rules_season.load(conn, live.id)
    assert record.past, "who met in season 1 is known"
    assert [pair.round for pair in record.apart] == [1]


async def test_sign_ups_keep_a_number_that_was_wanted(world: World) -> None:
    await world.opened(format="ohs", settings={}, number=7)
    done = await brought(world, "season,player,opponent,winner\n5,Zed,Yan,Zed\n")
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert (await world.status()).season.number == 7


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("banned", "because Zed is banned (/league settings lets them in again)."),
        ("apart", "because Zed is kept apart from someone (/league settings ends that)."),
    ],
)
async def test_an_import_that_stays_during_sign_ups_says_what_keeps_it(world: World, what: str, told: str) -> None:
    done = await brought(world, "season,player,opponent,winner\n3,Zed,Yan,Zed\n")
    await world.create()
    await world.sign_up(*NAMES[:4])
    said: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    if what == "banned":
        await do(banning.ban, **said, player="Zed", reason="x")
    else:
        await do(keeping_apart.keep_apart, **said, first=NAMES[0], second="Zed", reason="they asked")
    with pytest.raises(Conflict, match=re.escape(told)):
        await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    if what == "banned":
        await do(banning.unban, **said, ban=BanId(1), reason="x")
    else:
        await do(keeping_apart.let_together, **said, first=NAMES[0], second="Zed", reason="x")
    assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (3,)
    assert (await world.status()).season.number == 1


async def test_the_newest_import_is_taken_back_first(world: World) -> None:
    season = "season,player,opponent,winner\n{},Zed,Yan,Zed\n"
    first, second = [await brought(world, season.format(number)) for number in (1, 2)]
    with pytest.raises(Conflict, match="another import came after it"):
        await world.db.write(taking_back.take_back, order(world), import_id=first.id)
    for done, number in ((second, 2), (first, 1)):
        assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (number,)


async def test_only_organisers_import_and_take_back(world: World) -> None:
    done = await brought(world, OLD)
    nobody = order(world, person(77, "Ada"))
    file = File(name="x.csv", data=b"season,player,opponent,winner\n9,A,B,A\n")
    short = await steps.look_through([file])
    assert short is not None
    for use_case, given in (
        (taking_back.take_back, {"import_id": done.id}),
        (importing_records.plan, {"file": short, "decided": {}}),
    ):
        with pytest.raises(NotAllowed):
            await world.db.write(use_case, nobody, **given)


async def test_who_is_forgotten_is_called_no_name_of_theirs_in_files(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Chloë,Pavel,Chloë\n")
    done = await brought(world, "season,player,opponent,winner\n2,Chloe,Pavel,Chloe\n", Chloe="Chloë")
    await world.db.write(forgetting.forget, order(world), player="Chloë")
    assert not any("Chlo" in line for line in dump(world))
    assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (2,)


async def test_two_names_of_one_person_who_play_each_other_are_refused_with_the_row(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,Kai,Ida,Kai\n")
    await world.db.write(renaming.rename, order(world), player="Kai", new_name="Kyle", reason=None)
    before = dump(world)
    with pytest.raises(InvalidFile, match="Row 3: Kai and Kyle play each other, but are the same person, Kyle"):
        await brought(world, "season,player,opponent,winner\n2,Mio,Ida,Mio\n2,Kai,Kyle,Kai\n")
    assert dump(world) == before


@pytest.mark.long
@pytest.mark.skipif(not CODEX.exists(), reason="the real league isn't there")
async def test_a_real_league_comes_in_as_it_is(world: World) -> None:
    done = await brought(world, CODEX.read_text(encoding="utf-8"))
    assert (len(done.numbers), done.known) == (11, 0)
    found = read(CODEX.read_bytes(), CODEX.name)
    assert done.matches == found.matches
    ratings: Any = {}
    met: dict[frozenset[str], int] = {}
    scale = RatingScale()
    for season in recorded(found, world.league.name, numbers_for(found.seasons).new):
        start = {one.name: ratings.get(one.name, new_rating(scale)) for one in season.entrants}
        matches = [match for round_ in season.rounds for match in round_.matches]
        ratings |= after_matches(start, matches, scale)
        for match in matches:
            pair = frozenset((str(match.upper), str(match.lower)))
            met[pair] = met.get(pair, 0) + 1
    with look_into(world.db) as conn:
        ids = dict(records(conn, "SELECT id, name FROM players"))
        known = cached.ratings_before(conn, world.league_id, 99)
        assert {ids[player]: rating for player, rating in known.items()} == ratings
        sql = (
            "SELECT u.name, l.name FROM matches m JOIN entrants u ON u.id = m.upper_id"
            " JOIN entrants l ON l.id = m.lower_id"
        )
        here: dict[frozenset[str], int] = {}
        for pair in records(conn, sql):
            here[frozenset(pair)] = here.get(frozenset(pair), 0) + 1
        assert here == met
        assert seasons.numbers(conn, world.league_id) == tuple(range(11, 0, -1))
    exported = await world.db.read(exporting.export, order(world), season_number=3)
    assert reading.read(exported.text.encode()).format == "record"


async def test_the_past_fits_below_the_number_of_the_first_season(world: World) -> None:
    await world.db.write(planning.prepare, order(world), format="ohs", number=7)
    text = "season,player,opponent,winner,date\nB,Kai,Ida,Kai,2024-05-01\nA,Kai,Ida,Ida,2023-05-01\n"
    assert (await brought(world, text)).numbers == (5, 6)
    await world.db.write(planning.open_signups, order(world))
    with look_into(world.db) as conn:
        assert seasons.numbers(conn, world.league_id) == (7, 6, 5)


async def test_a_first_season_that_is_given_a_number_has_it(world: World) -> None:
    assert (await world.opened(format="ohs", number=7)).season.number == 7


async def test_only_the_first_season_is_given_a_number(world: World) -> None:
    await brought(world, OLD)
    with pytest.raises(Conflict, match="This one will be season 3"):
        await world.db.write(planning.prepare, order(world), format="ohs", number=7)


async def test_the_table_of_a_recorded_season_names_its_champion_and_isnt_called_final(world: World) -> None:
    rows = ("1,Ida,Pavel,Ida", "1,Chloe,Quinn,Chloe", "2,Ida,Quinn,Ida", "2,Chloe,Pavel,Pavel", "Final,Chloe,Ida,Chloe")
    await brought(world, "season,round,player,opponent,winner\n" + "".join(f"1,{row}\n" for row in rows))
    view = await world.db.read(tables.standings, order(world), number=1)
    assert where(view) == "wins and losses of all matches · champion: Chloe"
    with pytest.raises(NotFound, match="recorded elsewhere, so its bracket isn't known"):
        await world.db.read(tables.bracket, order(world), number=1)
