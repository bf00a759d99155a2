"""Divisions by the ladder of the season before: from the last result of one season to the first round of the next."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.league.checking.league_file import reading
from bot.league.checking.verify import Verification, verify
from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.formats.shared.words import ordinal
from bot.league.season.model import Name, Season
from bot.league.season.phases import SeasonPhase
from bot.services.base.accounts import Newcomer
from bot.services.leagues import exporting
from bot.services.matches.outcome import Outcome
from bot.services.people import forgetting, merging, renaming
from bot.services.play import decisions, reporting
from bot.services.reads import my_match
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from storage import rules_season
from storage.rows import SeasonRow
from storage.tables import seasons
from tests.files import do, look_into, see
from tests.services.conftest import NAMES, ORGANISER, World

IN_THREE: dict[str, Any] = {"grouping": "divisions", "group_size": 4}


def who(world: World) -> Mapping[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def record(world: World, number: int | None = None) -> Season:
    return await world.db.read(rules_season.load, (await world.status(number)).season.id)


async def played(world: World, names: Sequence[str] = NAMES[:12], **settings: Any) -> tuple[Name, ...]:
    """Play a first season in divisions, and return the ladder it leaves."""
    await world.create("round-robin", **IN_THREE | settings)
    await world.sign_up(*names)
    await world.start()
    await world.play_out()
    return by_key("round-robin").ladder(await record(world))


async def opened(world: World, copy_from: int = 1, **settings: Any) -> SeasonRow:
    """Open the season after, prepared from the last one."""
    view = await world.opened(format="round-robin", copy_from=copy_from, settings=settings)
    return view.season


async def divisions(world: World) -> list[set[str]]:
    return [{*group} for group in by_key("round-robin").kept_groups(await record(world))]


async def file_of(world: World, number: int) -> Season:
    exported = await see(exporting.export, **who(world), season_number=number)
    return reading.read(exported.text.encode())


async def verified(world: World) -> Verification:
    """Hold the file of the second season against that of the first."""
    first, second = await file_of(world, 1), await file_of(world, 2)
    return verify(second, [first, second])


@pytest.mark.long
async def test_the_next_season_begins_with_the_ladder_of_the_last_one(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up(*reversed(NAMES[:12]))
    await world.start()
    assert (await record(world)).ladder == ladder
    assert await divisions(world) == [{*ladder[:4]}, {*ladder[4:8]}, {*ladder[8:]}]
    assert "ladder: as season 1 says" in (await verified(world)).notes


@pytest.mark.long
async def test_newcomers_stand_below_and_missing_players_leave_their_places(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    back = [name for name in ladder if name not in (ladder[0], ladder[5])]
    await world.sign_up("Newcomer", *back)
    await world.start()
    first, second, third = await divisions(world)
    assert first == {*ladder[1:5]}
    assert second == {*ladder[6:10]}
    assert third == {*ladder[10:], "Newcomer"}
    assert not (await verified(world)).differences


async def correct(world: World, number: int, winner: Name) -> None:
    """Let a match of a season be won by the player who lost it."""
    season = await record(world, number)
    round_, match = next((one, match) for one in season.rounds for match in one.matches if match.winner != winner)
    side = Outcome.UPPER if match.lower == match.winner else Outcome.LOWER
    at = round_.matches.index(match)
    with look_into(world.db) as conn:
        rows = conn.execute(
            "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
            " WHERE s.number = ? AND r.number = ? ORDER BY m.position",
            (number, round_.number),
        ).fetchall()
    await do(decisions.decide, **who(world), match=rows[at][0], outcome=side, reason="wrong")


@pytest.mark.long
async def test_a_result_corrected_before_the_start_changes_the_ladder(world: World) -> None:
    before = await played(world)
    await opened(world)
    await world.sign_up(*NAMES[:12])
    for _ in range(3):
        await correct(world, 1, before[-1])
    await world.start()
    ladder = by_key("round-robin").ladder(await record(world, 1))
    assert ladder != before
    assert (await record(world)).ladder == ladder
    assert "ladder: as season 1 says" in (await verified(world)).notes


@pytest.mark.long
async def test_what_becomes_of_the_last_season_after_the_start_changes_nothing_and_is_not_compared(
    world: World,
) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up(*ladder[1:])
    await world.start()
    with pytest.raises(Conflict, match="its results are final"):
        await correct(world, 1, ladder[-1])
    before = await record(world)
    await do(forgetting.forget, **who(world), player=ladder[0])
    after = await record(world)
    assert (after.ladder, after.ladder_of) == (ladder[1:], before.ladder_of)
    checked = await verified(world)
    assert "ladder not compared: no given file has that fingerprint" in checked.notes
    assert not checked.differences


@pytest.mark.long
async def test_a_merged_person_has_the_place_of_the_name_they_had(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up("Merle", *ladder[1:])
    await do(merging.merge, **who(world), player=ladder[0], into="Merle", reason="one person")
    await world.start()
    assert (await record(world)).ladder == ("Merle", *ladder[1:])
    assert (await record(world)).entrants[0].former_names == (ladder[0],)
    assert "ladder: as season 1 says" in (await verified(world)).notes


@pytest.mark.long
async def test_a_renamed_person_keeps_their_place(world: World) -> None:
    ladder = await played(world)
    await do(renaming.rename, **who(world), player=ladder[3], new_name="Renamed", reason=None)
    await opened(world)
    await world.sign_up(*ladder)
    await world.start()
    assert (await record(world)).ladder == (*ladder[:3], "Renamed", *ladder[4:])
    assert "ladder: as season 1 says" in (await verified(world)).notes


@pytest.mark.long
async def test_a_forgotten_person_is_not_in_the_next_ladder(world: World) -> None:
    ladder = await played(world)
    await do(forgetting.forget, **who(world), player=ladder[2])
    await opened(world)
    await world.sign_up(*ladder[:2], *ladder[3:])
    await world.start()
    assert (await record(world)).ladder == (*ladder[:2], *ladder[3:])
    assert (await divisions(world))[0] == {*ladder[:2], *ladder[3:5]}


@pytest.mark.long
async def test_a_place_belongs_to_the_player_who_signed_up(world: World) -> None:
    """A substitute who plays the season to its end is a newcomer in the next."""
    await world.create("round-robin", **IN_THREE)
    await world.sign_up(*NAMES[:12])
    await world.start()
    newcomer = Newcomer(discord_id=world.player("Sub").user_id or 0, wanted=None, display_name="Sub")
    await do(substitutes.substitute, **who(world), old=NAMES[0], newcomer=newcomer)
    await world.play_out()
    ladder = by_key("round-robin").ladder(await record(world))
    await opened(world)
    await world.sign_up("Sub", *NAMES[:12])
    await world.start()
    assert (await record(world)).ladder == ladder
    assert "Sub" not in ladder
    assert not (await verified(world)).differences


@pytest.mark.long
async def test_a_season_that_is_not_over_gives_its_ladder_when_it_is(world: World) -> None:
    await world.create("round-robin", **IN_THREE)
    await world.sign_up(*NAMES[:12])
    await world.start()
    await do(planning.prepare, **who(world), format="round-robin", copy_from=1)
    await world.play_out()
    ladder = by_key("round-robin").ladder(await record(world, 1))
    await do(planning.open_signups, **who(world))
    await world.sign_up(*NAMES[:12])
    await world.start()
    assert (await record(world)).ladder == ladder


@pytest.mark.long
async def test_a_season_without_a_ladder_fills_divisions_by_rating(world: World) -> None:
    await world.begin(8)
    await world.play_out()
    await opened(world, **IN_THREE)
    await world.sign_up(*NAMES[:8])
    await world.start()
    season = await record(world)
    assert (season.ladder, season.ladder_of) == (None, None)
    assert not (await verified(world)).differences
    best = sorted(season.entrants, key=lambda one: -(one.rating.mu - 3 * one.rating.sigma) if one.rating else 0)
    assert (await divisions(world))[0] == {one.name for one in best[:4]}


async def test_a_season_cancelled_before_round_one_has_no_ladder_though_its_number_is_used_again(world: World) -> None:
    await world.create("round-robin", **IN_THREE)
    await world.sign_up(*NAMES[:12])
    await do(planning.prepare, **who(world), format="round-robin", copy_from=1)
    await do(lifecycle.cancel, **who(world))
    await do(planning.open_signups, **who(world))
    await world.sign_up(*NAMES[:12])
    assert (await world.start()).season.number == 1
    assert (await record(world)).ladder is None


@pytest.mark.long
async def test_a_league_that_stops_having_divisions_keeps_its_history(world: World) -> None:
    await played(world)
    await opened(world, grouping="drawn")
    await world.sign_up(*NAMES[:12])
    await world.start()
    assert (await record(world)).ladder is None
    assert not (await verified(world)).differences
    await world.play_out()
    with look_into(world.db) as conn:
        assert seasons.numbers(conn, world.league_id) == (2, 1)


@pytest.mark.long
async def test_the_file_of_a_season_that_takes_sign_ups_has_the_ladder_so_far(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up("Newcomer", *reversed(ladder[2:6]))
    assert (await file_of(world, 2)).ladder == ladder[2:6]


@pytest.mark.long
async def test_an_organiser_starts_the_next_season_in_three_divisions_and_types_no_name(world: World) -> None:
    """27 players in season 1; of them 24 come back and 3 don't, and 5 are new."""
    names = [f"p{number:02}" for number in range(27)]
    ladder = await played(world, names, group_size=9)
    assert (await world.status()).season.phase is SeasonPhase.FINISHED
    await opened(world, group_size=10)
    missing = {ladder[3], ladder[11], ladder[20]}
    back, new = [name for name in ladder if name not in missing], [f"new{number}" for number in range(5)]
    await world.sign_up(*new, *reversed(back))
    await world.start()
    first, second, third = await divisions(world)
    assert first == {*back[:10]}
    assert second == {*back[10:20]}
    assert third == {*back[20:], *new}
    assert "ladder: as season 1 says" in (await verified(world)).notes


async def told(world: World, name: str) -> str:
    """Return all a player reads under My match."""
    given: Any = {**who(world), "actor": world.player(name)}
    mine = await see(my_match.my_match, **given)
    return " ".join([mine.what_to_do, *mine.after])


@pytest.mark.long
async def test_everyone_reads_privately_where_their_place_leads_and_why_they_begin_where_they_do(world: World) -> None:
    ladder = await played(world)
    places = {place.name: place for place in by_key("round-robin").ladder_places(await record(world))}
    up, down = ladder[2], ladder[4]
    assert (places[up].division, places[down].division) == (2, 1)
    assert f"You were {ordinal(places[up].place)} in division 2: you'd go up to division 1" in await told(world, up)
    assert "in division 1: you'd go down to division 2 in the next season." in await told(world, down)
    await opened(world)
    missing = ladder[0]
    await world.sign_up("Newcomer", *(name for name in ladder if name != missing))
    await world.start()
    assert f"You were {ordinal(places[up].place)} in division 2 of season 1: up to division 1." in await told(world, up)
    assert "in division 1 of season 1, but places were free: you stay." in await told(world, down)
    assert "You weren't in season 1. After its players the divisions are filled by rating" in await told(
        world, "Newcomer"
    )
    await world.play_round()
    assert "season 1" not in await told(world, up)


@pytest.mark.long
async def test_where_all_matches_are_open_everyone_reads_why_they_begin_where_they_do_until_they_have_played(
    world: World,
) -> None:
    ladder = await played(world)
    await opened(world, schedule="open")
    await world.sign_up(*ladder)
    await world.start()
    player = world.player(ladder[2])
    assert " in division 2 of season 1: up to division 1." in await told(world, ladder[2])
    mine = await see(my_match.my_match, **{**who(world), "actor": player})
    assert mine.several is not None
    first = mine.several.matches[0].match.id
    await do(reporting.report, **{**who(world), "actor": player}, result="lost", match=first)
    assert "season 1" not in await told(world, ladder[2])
