"""Maps of rounds: typed as lines, found by number or by the name of a round of the finals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid, NotAllowed
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.organising import round_maps
from bot.services.organising.round_maps import MatchMaps, SeasonMaps, read_maps
from bot.services.reads import details
from cogs.matches.rounds import chapter_lines, map_words, on_card
from storage.tables.rounds import MapRow
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import NAMES, ORGANISER, World


async def change(world: World, lines: str, **more: Any) -> SeasonMaps:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}
    return await do(round_maps.change_maps, db=world.db, **who, lines=lines)


async def test_maps_are_found_by_number_and_in_the_finals_by_name(world: World) -> None:
    await world.create(rounds=1, cut=4)
    await change(world, "1, Fields\n1, Ruins, only by day\nSemi-Final, Bridge\nfinal, Tower, , https://example.org/t")
    await world.sign_up(*NAMES[:4])
    found: dict[str, list[str]] = {}
    await world.start()
    while (view := await world.status()).season.phase != "finished":
        assert view.current_round is not None
        with look_into(world.db) as conn:
            maps = round_maps.of_round(conn, view.current_round.round)
        found[view.current_round.round.name] = [row.name for row in maps]
        await world.play_round()
    assert found == {"Round 1 of 1": ["Fields", "Ruins"], "Semi-finals": ["Bridge"], "Final": ["Tower"]}


async def test_the_match_for_third_place_has_maps_of_its_own(world: World) -> None:
    await world.create("single-elimination", third_place=True)
    await change(world, "1, Fields\nfinal, Tower\nthird place, Bridge")
    await world.sign_up(*NAMES[:4])
    await world.start()
    await world.play_round()
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    view = await world.db.read(posted_round, order)
    found: dict[str, list[str]] = {}
    for match in view.matches:
        shown = await world.db.read(details.details, order, match=match.match.id)
        there = shown.part(MatchMaps)
        assert there is not None
        found[match.match.name] = [row.name for row in there.maps]
    assert found == {"Final": ["Tower"], "Third place": ["Bridge"]}
    with look_into(world.db) as conn:
        assert on_card(round_maps.of_round(conn, view.round)) == ["🗺️ Tower, Bridge (third place)"]


async def test_a_change_edits_the_card_notes_both_states_and_tells_nobody(world: World) -> None:
    await world.begin(4)
    await change(world, "1, Fields")
    await world.announce()
    before = len(await world.notices())
    await change(world, "1, Ruins")
    assert [post.kind for post in await world.posts()] == ["board", "round"]
    assert len(await world.notices()) == before
    row = (await world.audit())[0]
    assert (row.action, row.before, row.after) == ("season.maps", {"maps": ["1, Fields"]}, {"maps": ["1, Ruins"]})
    with pytest.raises(NotAllowed):
        await change(world, "1, Fields", actor=world.player("dok"))


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("first, Fields", "Line 1: “first” isn't a round"),
        ("1, Fields\n\n1,", "Line 3: the map is missing"),
        ("1, Fields, http://example.org", "that link can't be posted"),
        ("1, Fields, note, https://user@example.org/", "that link can't be posted"),
        ("1, Fields, note, https://example.org/<@1>", "that link can't be posted"),
        ("1, Fields, javascript://alert(1)", "that link can't be posted"),
        ("1, Fields, note, https://еxample.org/", "that link can't be posted"),
        ("0000000019999, Fields", "isn't a round"),
        (f"1, {'x' * 81}", "at most 80 fit"),
        ("\n".join(["1, x"] * 101), "at most 100"),
    ],
)
def test_a_line_that_is_wrong_is_named(lines: str, wrong: str) -> None:
    with pytest.raises(Invalid, match=wrong.replace("(", r"\(")):
        read_maps(lines)


def test_a_line_of_characters_no_one_sees_is_an_empty_line() -> None:
    assert [row.name for row in read_maps("1, Fields\n\u200b\n\x00\n2, Ruins")] == ["Fields", "Ruins"]


FIELD = st.text(max_size=40)


@given(st.lists(st.tuples(st.sampled_from(["1", "round 2", "Final", "semi-finals", "Round of 16"]), FIELD, FIELD)))
def test_what_was_understood_is_read_the_same_again(typed: list[tuple[str, str, str]]) -> None:
    lines = "\n".join(f"{place}, {' '.join(name.split())}, {' '.join(note.split())}" for place, name, note in typed)
    try:
        maps = read_maps(lines)
    except Invalid:
        return
    found = SeasonMaps(league=None, season=None, maps=maps)  # type: ignore[arg-type]
    assert read_maps(found.lines) == maps
    assert all("\n" not in line for line in chapter_lines(maps))


def test_hostile_words_are_shown_as_they_are() -> None:
    row = MapRow(place="1", name="**@everyone**", note="[x](https://evil.example) <@1>", link="https://example.org/m")
    told = map_words(row)
    assert "@everyone" not in told
    assert "[x](https://" not in told
    assert told.endswith("· <https://example.org/m>")
