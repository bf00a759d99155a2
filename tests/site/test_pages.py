"""A league's pages: each link leads somewhere, nothing runs or loads that is not ours, nothing secret shows."""

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest

from bot import publishing
from bot.league.formats import ALL
from bot.services.base.order import Order, by_bot
from bot.services.leagues import exporting
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting
from bot.services.reads import tables
from bot.services.reads.past import profiles
from bot.services.reads.tables import StandingsView
from bot.services.seasons import lifecycle
from bot.site import folder
from bot.site.pages import Pages, pages
from cogs.reads.pictures import where
from tests.files import do, see
from tests.looked_up import posted_round
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.lists.test_handing_in import hand_in
from tests.services.seats.test_seats import substitute
from tests.services.times.test_calendars import App, meet
from tests.site.conftest import Reader, pages_of, target

every_format = pytest.mark.parametrize("format_", [format_.key for format_ in ALL])
HOSTILE = (
    "<script>alert(1)<b>",
    '"><img src=x onerror=alert(1)>',
    "..\\..",
    "{{ 7 * 7 }}",
    "🦊 fox",
    "مرحبا",
    "a&amp;b",
    "O'Neil `x`",
)


def html(pages: Pages) -> dict[str, bytes]:
    return {path: content for path, content in pages.items() if path.endswith(".html")}


def own(pages: Pages) -> dict[str, bytes]:
    """The pages but the checker's."""
    return {path: page for path, page in html(pages).items() if "check" not in path}


@pytest.mark.long
@every_format
async def test_every_link_leads_to_a_page_or_file(world: World, format_: str) -> None:
    await world.begin(8, format_)
    await world.play_out()
    await world.begin(8, format_)
    await world.play_round()
    made = await pages_of(world)
    assert {"index.html", "season-1/index.html", "season-2/index.html", "season-2/season.js"} <= made.keys()
    for path, page in own(made).items():
        for link in Reader(page).links:
            assert not re.match(r"[a-z]+:|//|/", link), link
            assert not link.endswith("/"), link
            if not link.startswith("#"):
                assert target(path, link) in made, (path, link)


@pytest.mark.long
async def test_names_are_text_whatever_they_are(world: World) -> None:
    await world.create("ohs", rounds=2, cut=2)
    await world.sign_up(*HOSTILE)
    await world.start()
    await world.play_round()
    made = await pages_of(world)
    for path, page in own(made).items():
        read = Reader(page)
        scripts = [given for tag, given in read.tags if tag == "script"]
        assert all(given.get("src") for given in scripts), path
        assert not [tag for tag, _ in read.tags if tag in ("img", "style", "iframe", "object")], path
        assert not [given for _, given in read.tags if any(key.startswith("on") or key == "style" for key in given)]
        (policy,) = [given["content"] for _, given in read.tags if given.get("http-equiv")]
        assert policy is not None
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    season = Reader(made["season-1/index.html"]).text
    assert [name for name in HOSTILE if name not in season] == []
    assert all(re.fullmatch(r"[a-z0-9_/.-]+", path) for path in made)


@every_format
async def test_a_season_says_what_the_standings_say(world: World, format_: str) -> None:
    await world.begin(8, format_)
    await world.play_round()
    view = await see(tables.standings, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    text = Reader((await pages_of(world))["season-1/index.html"]).text
    table = text[text.index("Player") :]
    names = [row.called for row in view.rows]
    at = [re.search(rf"\b{re.escape(name)}\b", table) for name in names]
    assert all(at)
    for row in view.rows:
        if row.rating:
            assert f"{row.rating.value} ± {row.rating.uncertainty}" in text


@pytest.mark.long
async def test_the_file_is_byte_for_byte_the_export(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    made = await pages_of(world)
    exported = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert made[f"season-1/{exported.filename}"] == exported.text.encode()


def unpacked(made: Pages) -> Iterator[bytes]:
    """Yield every page and file, and what is in those that are packed."""
    for path, content in made.items():
        yield content
        if path.endswith((".zip", ".xlsx")):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                yield from map(packed.read, packed.namelist())


@pytest.mark.long
async def test_a_round_changed_by_hand_is_marked_without_its_reason(world: World) -> None:
    await world.begin(8)
    first = await world.match_of("dok")
    assert first is not None
    other = next(name for name in NAMES[:8] if name not in (first.upper.name, first.lower.name))
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(swapping.swap, **who, first="dok", second=other, reason="because of a quarrel")
    await world.play_round()
    made = await pages_of(world)
    page = Reader(made["season-1/index.html"])
    assert page.text.count("Changed by an organiser") == 1
    assert [given for _, given in page.tags if given.get("id") == "changed"]
    assert all(b"quarrel" not in content for content in unpacked(made))


@pytest.mark.long
async def test_who_was_forgotten_has_no_page_and_no_name(world: World) -> None:
    await world.begin(8)
    await world.play_out()
    before = await pages_of(world)
    assert any(b"dok" in page for page in html(before).values())
    await do(
        forgetting.forget,
        db=world.db,
        actor=ORGANISER,
        now=world.now,
        league_id=world.league_id,
        player="dok",
    )
    after = await pages_of(world)
    for path, page in after.items():
        if not path.startswith("checker/"):
            assert b"dok" not in page, path
    assert len([path for path in after if path.startswith("players/")]) == 7
    assert "copies of older pages" in Reader(after["index.html"]).text
    # forgetting somebody is no change of the rounds they played
    assert [path for path, page in own(after).items() if b"hanged by an organiser" in page] == []


@pytest.mark.long
async def test_a_link_is_shown_with_a_picture_where_the_address_is_known(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
    made = pages(facts, "https://league.example.org/1")
    shown = {
        "index.html": "season-1/table",
        "season-1/index.html": "season-1/table",
        "players/1.html": "players/1",
    }
    for path, picture in shown.items():
        named = {given.get("property"): given["content"] for _, given in Reader(made[path]).tags if "content" in given}
        image = str(named["og:image"]).removeprefix("https://league.example.org/1/")
        assert image.startswith(f"{picture}-")
        assert made[image].startswith(b"\x89PNG")
        assert named["og:url"] == f"https://league.example.org/1/{path}"
        assert named["og:title"]
    assert not [path for path in pages(facts) if path.endswith(".png")]


def pictures(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.rglob("*.png")}


@pytest.mark.long
async def test_a_picture_that_shows_the_same_is_not_painted_again(world: World, tmp_path: Path) -> None:
    await world.begin(8)
    await world.play_round()
    facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
    folder.publish(facts, tmp_path, "https://league.example.org")
    painted = pictures(tmp_path)
    assert len(painted) == 1 + 8
    for picture in painted:
        picture.write_bytes(b"painted before")
    folder.publish(facts, tmp_path, "https://league.example.org")
    assert pictures(tmp_path) == dict.fromkeys(painted, b"painted before")
    await world.play_round()
    facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
    folder.publish(facts, tmp_path, "https://league.example.org")
    assert not painted.keys() & pictures(tmp_path).keys()
    assert all(png.startswith(b"\x89PNG") for png in pictures(tmp_path).values())


@pytest.mark.long
async def test_the_workbook_of_a_season_whose_tables_are_as_they_were_is_not_made_again(
    world: World, tmp_path: Path
) -> None:
    await world.begin(4)
    who = by_bot(world.now, world.league_id)
    folder.publish(await publishing.facts_of(world.db, who), tmp_path, "")
    workbook = tmp_path / str(world.league_id) / "season-1" / "fairpair-season-1.xlsx"
    workbook.write_bytes(b"made before")
    folder.publish(await publishing.facts_of(world.db, who), tmp_path, "")
    assert workbook.read_bytes() == b"made before"
    await world.play_round()
    folder.publish(await publishing.facts_of(world.db, who), tmp_path, "")
    assert workbook.read_bytes().startswith(b"PK")


def told(page: bytes) -> str:
    return re.sub(r"\s+", " ", Reader(page).text)


@pytest.mark.long
@pytest.mark.parametrize("other", ["Player", "1"])
async def test_who_was_forgotten_stays_without_a_page_whoever_is_forgotten_later(world: World, other: str) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof", "Ann", "Bo", "Cy", "Dee", "Eve", other)
    await world.start()
    await world.play_out()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    first = await do(forgetting.forget, **who, player="dok")
    second = await do(forgetting.forget, **who, player=other)
    made = await pages_of(world)
    assert "players/1.html" not in made
    assert {first, second} <= {row.called for row in (await see(tables.standings, **who)).rows}
    assert [row.subject for row in await world.audit() if row.action == "player.forget"] == [second, first]


@pytest.mark.long
async def test_a_cancelled_season_is_not_shown_as_being_played(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    match = await world.match_of("dok")
    assert match is not None
    await world.lose(match.lower.name)
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(lifecycle.cancel, **who)
    made = await pages_of(world)
    front, season = told(made["index.html"]), told(made["season-1/index.html"])
    assert "Season 1: cancelled" in front
    for page in (front, season):
        assert "Standings when it was cancelled" in page
        assert not re.search(r"being played|\d to play|No season has begun|top \d+ play the finals", page)
    view = await see(tables.standings, **who)
    assert (view.cut_after, where(view)) == (None, "cancelled")


@pytest.mark.long
async def test_a_bracket_names_who_played_its_matches(world: World) -> None:
    await world.begin(8, rounds=1, cut=4)
    await world.play_round()
    finalist = (await world.db.read(posted_round, by_bot(world.now, world.league_id))).matches[0].upper.name
    await substitute(world, finalist, "Uma")  # from the final on
    await world.play_round()
    page = told((await pages_of(world))["season-1/index.html"])
    table = page[page.index("The same as a table") :]
    semi_final = table[table.index("Semi-final 1") : table.index("Semi-final 2")]
    assert finalist in semi_final
    assert "Uma" not in semi_final
    assert f"Uma (for {finalist}) round 1" not in page


def in_bracket(pages_made: Pages, match: str) -> str:
    page = told(pages_made["season-1/index.html"])
    table = page[page.index("The same as a table") :]
    return re.split(r"Semi-final \d|Third place|Final|Rounds", table[table.index(match) + len(match) :])[0]


@pytest.mark.long
async def test_a_bracket_says_who_is_third_without_a_match(world: World) -> None:
    await world.begin(4, "single-elimination", third_place=True, advance="manual")
    await world.play_round()
    first = next(row for row in (await see_standings(world)).rows if row.standing.losses)
    await world.drop(first.standing.name)
    await do(rounds_by_hand.post, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert f"won, {first.standing.name} left" in in_bracket(await pages_of(world), "Third place")


async def test_a_bracket_of_a_cancelled_season_has_nothing_to_play(world: World) -> None:
    await world.begin(4, "single-elimination")
    assert "to play" in in_bracket(await pages_of(world), "Final")
    await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert "not played" in in_bracket(await pages_of(world), "Final")


async def see_standings(world: World) -> StandingsView:
    return await world.db.read(tables.standings, by_bot(world.now, world.league_id))


@pytest.mark.long
async def test_the_highest_rating_is_the_same_as_in_the_profile_and_never_a_provisional_one(world: World) -> None:
    order = by_bot(world.now, world.league_id)
    for number in range(4):
        await world.begin(4, rounds=3, cut=0)
        for _ in range(3):
            match = await world.match_of("dok")
            assert match is not None
            await world.lose("dok" if number else next(side.name for side in match.sides if side.name != "dok"))
            await world.play_round()
        if not number:
            found = await world.db.read(profiles.profile, order, player="dok")
            assert "highest rating" not in told((await pages_of(world))[f"players/{found.player.id}.html"])
    found = await world.db.read(profiles.profile, order, player="dok")
    best = max(after.rating.value for after in found.ratings if not after.rating.provisional)
    assert best < max(after.rating.value for after in found.ratings)
    assert f"{best}highest rating" in told((await pages_of(world))[f"players/{found.player.id}.html"])


@pytest.mark.long
async def test_lists_are_of_who_sat_in_the_seat_in_their_round(world: World) -> None:
    await world.create("ohs", lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    await world.sign_up(*NAMES[:8])
    for name in NAMES[:8]:
        await hand_in(world, name, f"army of {name}")
    await world.start()
    await substitute(world, "dok", "Uma")
    await world.play_round()
    page = told((await pages_of(world))["season-1/index.html"])
    assert "dok, round 1" in page
    assert "Uma (for dok), round 1" not in page


@pytest.mark.long
async def test_the_calendar_calls_off_what_is_ahead_when_the_season_ends(world: World) -> None:
    await world.begin(8)
    await meet(world, "dok", world.now + timedelta(days=2))
    app = App()
    for ahead in (2, 0):
        made = pages(await publishing.facts_of(world.db, by_bot(world.now, world.league_id)))
        app.take_in(list(icalendar.Calendar.from_ical(made["season-1/fairpair.ics"]).walk("VEVENT")))
        assert len(app.ahead(world.now)) == ahead
        if ahead:
            await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    late = by_bot(world.later(days=60), world.league_id)
    assert "season-1/fairpair.ics" not in pages(await publishing.facts_of(world.db, late))


@pytest.mark.long
async def test_a_calendar_subscribed_to_once_is_right_in_later_seasons(world: World) -> None:
    app = App()
    for season in (1, 2, 3):
        await world.begin(8)
        await meet(world, "dok", world.now + timedelta(days=2))
        for ahead in (2, 0):
            made = pages(await publishing.facts_of(world.db, by_bot(world.now, world.league_id)))
            own, every = (
                list(icalendar.Calendar.from_ical(made[path]).walk("VEVENT"))
                for path in (f"season-{season}/fairpair.ics", "calendar.ics")
            )
            assert {str(event["UID"]) for event in own} <= {str(event["UID"]) for event in every}
            app.take_in(every)
            assert len(app.ahead(world.now)) == ahead
            if ahead:
                await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    late = by_bot(world.later(days=60), world.league_id)
    assert "calendar.ics" in pages(await publishing.facts_of(world.db, late))
