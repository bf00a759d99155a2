"""A database of 0.2 opens with everything in it, and each of its seasons goes on and ends."""

import json
from pathlib import Path

import pytest

from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.season.list_rules import fingerprint
from bot.league.season.names import skeleton
from bot.services.base.order import Order
from bot.services.leagues import exporting
from storage.database import Database
from storage.tables import leagues
from tests.examples import mostly_long
from tests.files import look_into
from tests.played_on import NAMES_CHANGED, require_facts_read, require_kept, require_problems_named, rows_of
from tests.services.conftest import ADMIN, GUILD
from tests.version_0_2.conftest import NOW, RELEASE

CHANGED = {
    **NAMES_CHANGED,
    "seasons": {"settings", "salted"},
    "lists": {"sha256", "sealed_at"},
    "outbox": NAMES_CHANGED["outbox"] | {"wanted", "state"},
}
"""Columns whose values a migration changes; its test says how."""
GONE = {"outbox": "kind IN ('unscheduled', 'late-list')"}
"""Rows that a migration deletes."""


@pytest.mark.long
async def test_everything_in_it_is_there_after_the_migrations(path: Path) -> None:
    before = rows_of(path, GONE)
    await (await Database.open(path)).close()
    require_kept(before, rows_of(path, GONE), CHANGED)
    require_problems_named(before, path)
    require_facts_read(path)
    assert path.with_name("league.db.version-1").exists()


@pytest.mark.long
async def test_its_league_files_are_those_that_0_2_exported(db: Database) -> None:
    with look_into(db) as conn:
        ids = {league.name: league.id for league in leagues.of_guild(conn, GUILD)}
    assert len(RELEASE.league_files()) == 19
    for name, old in RELEASE.league_files().items():
        league, _, number = name.rpartition(" ")
        made = await db.read(
            exporting.export, Order(actor=ADMIN, now=NOW, league_id=ids[league]), season_number=int(number)
        )
        new = json.loads(made.text)
        same = old.keys() - {"settings", "lists"}
        assert {key: new[key] for key in same} == {key: old[key] for key in same}
        assert all(one in new["lists"] for one in old.get("lists", ()))
        assert new["settings"].items() <= old["settings"].items()
        for text in (made.text, json.dumps(old)):
            found = verify(reading.read(text.encode()))
            assert found.agrees, "\n".join(found.lines())


def names() -> list[str]:
    """Return the leagues of the file, as its README lists them."""
    walks = [f"Walk {key} {number}" for key in FORMATS for number in range(2)]
    return [
        *walks,
        "Sign-ups",
        "Check-in",
        "Round open",
        "Overdue",
        "Lost by both",
        "Preview",
        "Ties",
        "Paused",
        "Finals",
    ]


FORMATS = ("ohs", "two-loss-out", "keyforge-swiss", "lightseekers-swiss", "single-elimination")


@pytest.mark.long
@pytest.mark.parametrize("name", mostly_long(sorted(names(), key=lambda name: name != "Ties")))
async def test_each_season_goes_on_and_ends(path: Path, name: str) -> None:
    await RELEASE.play_on(path, name)


@pytest.mark.long
async def test_the_times_to_answer_problems_and_offers_are_one_setting_now(path: Path) -> None:
    """League files of 0.2 have those two as well; they're read and ignored."""
    before = rows_of(path)["seasons"]
    await (await Database.open(path)).close()
    gone = {"claim_hours", "accept_hours"}
    assert any(gone & json.loads(row["settings"]).keys() for row in before.values())
    for key, row in rows_of(path)["seasons"].items():
        old = json.loads(before[key]["settings"])
        assert json.loads(row["settings"]) == {name: value for name, value in old.items() if name not in gone}
    assert any(gone & file["settings"].keys() for file in RELEASE.league_files().values())


@pytest.mark.long
async def test_late_lists_that_waited_for_a_moderator_are_sealed(path: Path) -> None:
    before = rows_of(path)["lists"]
    await (await Database.open(path)).close()
    waited = [key for key, row in before.items() if row["late"] and row["sealed_at"] is None]
    assert waited
    for key, row in rows_of(path)["lists"].items():
        if key not in waited:
            assert before[key].items() <= row.items()
        elif row["sealed_at"] is not None:
            assert row["sha256"] == fingerprint(row["key"], row["text"])
    assert any(rows_of(path)["lists"][key]["sealed_at"] for key in waited)


async def test_every_list_and_sit_out_knows_who_wrote_it_and_every_name_its_shape(path: Path) -> None:
    await (await Database.open(path)).close()
    after = rows_of(path)
    owners = {key: row["player_id"] for key, row in after["entrants"].items()}
    taken = {(row["entrant_id"], row["player_id"]) for row in after["substitutes"].values()}
    for table in ("lists", "sat_out"):
        assert after[table]
        for row in after[table].values():
            seat, writer = row["entrant_id"], row["player_id"]
            assert writer == owners[seat] or (seat, writer) in taken
    assert all(row["skeleton"] == skeleton(row["name"]) for row in after["player_names"].values())


@pytest.mark.long
async def test_every_message_that_can_be_answered_is_made_again_once(path: Path) -> None:
    """Its buttons say in another way what they do, so that those of 0.2 no longer work."""
    before, seasons = rows_of(path)["outbox"], rows_of(path)["seasons"]
    await (await Database.open(path)).close()
    after = rows_of(path)["outbox"]
    over = {key for key, row in seasons.items() if row["phase"] in ("finished", "cancelled")}
    live = {key for key, row in before.items() if row["state"] == "done" and row["season_id"] not in over}
    live -= {key for key, row in before.items() if row["removed"]}
    again = {key for key, row in after.items() if row["wanted"] > before[key]["wanted"]}
    assert live
    assert again == live & after.keys()
    assert all(after[key]["state"] == "due" and after[key]["shown"] == before[key]["shown"] for key in again)
