"""A later import of what was played earlier: imported seasons make room for it, and get their numbers back."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from bot import steps
from bot.importers.together import File
from bot.league.counting.rating_formula import rate
from bot.league.errors import Conflict
from bot.league.season.model import Rating
from bot.league.season.scales import RatingScale
from bot.services.base import cached
from bot.services.leagues import exporting, importing_records, taking_back
from bot.services.leagues.importing_records import Brought
from bot.services.people import forgetting, keeping_apart, merging, renaming
from bot.services.reads.past.champions import champions
from bot.services.reads.past.whole_league import whole
from bot.services.seasons import planning
from bot.site.pages import pages
from storage.tables import imports, leagues
from tests.files import change_by_hand, do, look_into
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World
from tests.services.leagues.test_importing_records import brought, dump, order


async def month(world: World, number: int, winner: str = "Ann") -> Brought:
    return await brought(world, f"player,opponent,winner,date\nAnn,Ben,{winner},2024-{number:02}-05\n")


def days(world: World) -> Mapping[int, date | None]:
    """Return the first day of each imported season by its number."""
    with look_into(world.db) as conn:
        return {one.number: one.days and one.days[0] for one in imports.of_league(conn, world.league_id)}


def months(world: World) -> list[int | None]:
    return [day and day.month for _, day in sorted(days(world).items())]


@pytest.mark.parametrize("sent", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)])
@pytest.mark.parametrize("first", [None, 7])
async def test_months_stand_in_the_order_of_their_dates(world: World, sent: tuple[int, ...], first: int | None) -> None:
    if first is not None:
        await world.db.write(planning.prepare, order(world), format="ohs", number=first)
    done = [await month(world, number, "Ann" if number == 1 else "Ben") for number in sent]
    assert months(world) == [1, 2, 3]
    assert list(days(world)) == ([1, 2, 3] if first is None else [4, 5, 6])
    assert done[-1].next == (first or 4)
    with look_into(world.db) as conn:
        known = cached.ratings_before(conn, world.league_id, 99)
    assert sorted(round(rating.mu, 6) for rating in known.values()) == ratings_by_hand()


def ratings_by_hand() -> list[float]:
    """Return the ratings after Ann won January, and Ben February and March, match after match."""
    new = Rating(mu=25, sigma=25 / 3)
    ann, ben = rate(new, new, RatingScale())
    for _ in range(2):
        ben, ann = rate(ben, ann, RatingScale())
    return sorted(round(rating.mu, 6) for rating in (ann, ben))


async def test_what_made_room_gets_its_numbers_back(world: World) -> None:
    await month(world, 3)
    before = dump(world)
    done = await month(world, 1)
    assert months(world) == [1, 3]
    notes = [(row.action, row.subject, row.after) for row in await world.audit()]
    assert ("season.renumber", "season 1", {"number": 2}) in notes
    assert await world.db.write(taking_back.take_back, order(world), import_id=done.id) == (1,)
    assert dump(world) == before


async def test_seasons_that_are_used_make_no_room(world: World) -> None:
    await month(world, 3)
    await world.begin(4, rounds=1, cut=0)
    with pytest.raises(Conflict, match="season 2 isn't over, and no number is free below it"):
        await month(world, 1)


async def test_below_a_first_season_that_runs_nothing_comes_in_until_it_is_over(world: World) -> None:
    await world.begin(4, rounds=1, cut=0)
    told = r"1 past season can't come in now: season 1 isn't over, and no number is free below it\. Import it when"
    short = await steps.look_through([File(name="old.csv", data=b"player,opponent,winner\nAnn,Ben,Ann\n")])
    assert short is not None
    for number in (None, 1, 2):
        with pytest.raises(Conflict, match=told):
            await world.db.read(importing_records.plan, order(world), file=short, decided={}, number=number)


@pytest.mark.parametrize(
    "text", ["1,Ann,Ben,Ann\n2,Ann,Ben,Ben\n", "A,Ann,Ben,Ann\nB,Ann,Ben,Ben\n", "2,Ann,Ben,Ann\n"]
)
async def test_a_season_in_sign_ups_makes_room_and_follows_on_those_left(world: World, text: str) -> None:
    await world.create()
    await world.sign_up(*NAMES[:4])
    before = (await world.status()).season
    done = await brought(world, f"season,player,opponent,winner\n{text}")
    moved = (await world.status()).season
    assert (before.number, moved.number, moved.id, done.next) == (1, 3, before.id, 3)
    assert "Season 1 is season 3 now: earlier seasons were imported." in await world.notices()
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert (await world.status()).season.number == 1
    await brought(world, f"season,player,opponent,winner\n{text}")
    await world.start()
    with pytest.raises(Conflict, match=r"(no|1) number is free below it"):
        await brought(world, "season,player,opponent,winner,date\nC,Ann,Ben,Ann,2024-01-01\n3,Ann,Ben,Ann,\n")


async def test_an_earlier_month_during_sign_ups_moves_later_ones_and_the_season_after_them(world: World) -> None:
    await month(world, 2)
    await month(world, 3)
    await world.create()
    done = await month(world, 1)
    assert months(world) == [1, 2, 3]
    assert ((await world.status()).season.number, done.next) == (4, 4)
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert (months(world), (await world.status()).season.number) == ([2, 3], 3)


async def test_seasons_whose_pages_are_public_make_no_room(world: World) -> None:
    await month(world, 3)
    with change_by_hand(world.db) as conn:
        leagues.change(conn, world.league_id, site=True)
    with pytest.raises(Conflict, match="no number is free there"):
        await month(world, 1)


async def test_the_same_file_does_not_come_in_twice(world: World) -> None:
    await month(world, 1)
    with pytest.raises(Conflict, match='These matches are in the league already: "old" is season 1'):
        await month(world, 1)
    await world.db.write(forgetting.forget, order(world), player="Ann")
    with look_into(world.db) as conn:
        assert [one.digest for one in imports.of_league(conn, world.league_id)] == [None]


async def test_who_is_kept_apart_from_the_next_season_on_still_is(world: World) -> None:
    said: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await month(world, 3)
    await do(keeping_apart.keep_apart, **said, first="Ann", second="Ben", reason="they asked")
    before = dump(world)
    done = await month(world, 1)
    with look_into(world.db) as conn:
        assert [*conn.execute_fetchall("SELECT season FROM apart")[0]] == [3]
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert dump(world) == before


async def test_dates_are_those_of_the_file_and_none_where_it_has_none(world: World) -> None:
    await brought(world, "season,player,opponent,winner,date\n1,Ann,Ben,Ann,2024-01-05\n1,Ann,Cy,Ann,2024-03-01\n")
    await brought(world, "season,player,opponent,winner\n2,Ann,Ben,Ann\n")
    facts = await world.db.read(whole, order(world))
    assert [(one.began, one.ended) for one in facts.seasons] == [(date(2024, 1, 5), date(2024, 3, 1)), (None, None)]


CHAMPION = "season,player,opponent,winner,champion\n1,Ann,Ben,Ann,Ben\n1,Ann,Cy,Ann,Ben\n"


async def test_the_champion_of_a_past_season_goes_where_its_league_file_goes(world: World) -> None:
    done = await brought(world, CHAMPION)
    made = await world.db.read(exporting.export, order(world))
    assert (json.loads(made.text)["final"]["champion"], made.checkable) == ("Ben", False)
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    await steps.import_file(world.db, order(world), data=made.text.encode())
    won = (await world.db.read(champions, order(world))).won
    assert [one.champion and one.champion.called for one in won] == ["Ben"]
    assert (await world.db.read(exporting.export, order(world))).text == made.text


@pytest.mark.long
async def test_pages_of_a_past_season_offer_nothing_to_check(world: World) -> None:
    await brought(world, CHAMPION)
    await world.begin(4, rounds=1, cut=0)
    made = pages(await world.db.read(whole, order(world)))
    past, live = (made[f"season-{number}/index.html"].decode() for number in (1, 2))
    assert ("Check the pairings" in past, "Check the pairings" in live) == (False, True)


async def test_a_new_name_of_someone_without_an_account_is_told_to_nobody(world: World) -> None:
    await brought(world, CHAMPION)
    before = await world.notices()
    await world.db.write(renaming.rename, order(world), player="Cy", new_name="Cyrus", reason=None)
    assert await world.notices() == before


@pytest.mark.parametrize("event", ["renamed", "forgotten", "merged"])
async def test_what_happens_to_a_person_between_two_imports_leaves_the_way_back(world: World, event: str) -> None:
    rows = ["player,opponent,winner,date", *(f"{name},Ben,Ben,2024-03-05" for name in ("Ann", "Cy", "Di"))]
    await brought(world, "\n".join(rows))
    if event == "renamed":
        await world.db.write(renaming.rename, order(world), player="Ann", new_name="Zara", reason=None)
    elif event == "forgotten":
        await world.db.write(forgetting.forget, order(world), player="Di")
    else:
        await brought(world, "player,opponent,winner,date\nEve,Ben,Eve,2024-05-05\n")
        said: Any = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": world.league_id}
        await do(merging.merge, **said, player="Eve", into="Cy", reason="the same person", agreed=None)
    before = dump(world)
    done = await month(world, 1)
    assert (months(world)[:2], done.known) == ([1, 3], 2)
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert dump(world) == before
