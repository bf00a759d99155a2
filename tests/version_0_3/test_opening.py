"""A database of 0.3.0 opens with everything in it, and each of its seasons goes on and ends."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.formats import by_key
from bot.services.base.order import Order
from bot.services.delivery import delivery
from bot.services.leagues import exporting
from bot.services.matches.outcome import Outcome
from bot.services.play import decisions, reporting
from bot.services.play.round_posts import QUESTION
from bot.services.seasons import lifecycle, planning
from bot.services.signups import signing_up
from storage.database import Database
from storage.tables import leagues
from storage.tables.people import players
from tests.examples import mostly_long
from tests.files import do, look_into
from tests.played_on import (
    NAMES_CHANGED,
    require_facts_read,
    require_kept,
    require_problems_named,
    rows_of,
    with_one_choice,
)
from tests.services.conftest import ADMIN, GUILD, ORGANISER, person
from tests.version_0_3.conftest import NOW, RELEASE

CHANGED = {**NAMES_CHANGED, "seasons": {"salted", "sealed"}}
"""Columns whose values a migration changes; its test says how."""
GONE: dict[str, str] = {}
"""Rows that a migration deletes."""
DIFFERENT: dict[str, str] = {}
"""Seasons whose pairings are other than the rules of today say, with the reading that changed (CHANGELOG.md)."""
HOLDS = (
    "report",
    "dispute",
    "problem handed on",
    "agreed time",
    "offered place",
    "join request",
    "check-in",
    "comeback asked",
    "new account asked",
    "moving up",
    "late list",
    "tie",
)
NAMES = (
    *(f"Holds {feature}" for feature in HOLDS),
    "Finals stay asked",
    "Unpublished",
    "Sealed",
    "Sealed running",
    "Sealed finals",
    "Banned",
    "Moved in",
    "Parked",
    "Forgotten",
    "Second season",
    "Busy",
    "Tie settled",
)
ENDED = {"Unpublished"}
"""Leagues in which no season goes on."""


def league_of(db: Database, name: str) -> Any:
    with look_into(db) as conn:
        return next(row.id for row in leagues.of_guild(conn, GUILD) if row.name == name)


def order(db: Database, name: str, actor: Any = ORGANISER) -> Order:
    return Order(actor=actor, now=NOW, league_id=league_of(db, name))


@pytest.mark.long
async def test_everything_in_it_is_there_after_the_migrations(path: Path) -> None:
    before = rows_of(path, GONE)
    await (await Database.open(path)).close()
    require_kept(before, rows_of(path, GONE), CHANGED)
    require_problems_named(before, path)
    require_facts_read(path)


@pytest.mark.long
async def test_what_a_salt_is_made_of_is_one_choice(path: Path) -> None:
    before = rows_of(path)["seasons"]
    await (await Database.open(path)).close()
    kinds = {key: with_one_choice(row)["salt_kind"] for key, row in before.items()}
    assert {key: row["salt_kind"] for key, row in rows_of(path)["seasons"].items()} == kinds
    assert "sealed" in kinds.values()


async def test_it_holds_what_it_is_kept_for(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        for table in (
            "bans",
            "ban_keys",
            "merges",
            "sealed_salts",
            "imports",
            "apart",
            "substitutes",
            "maps",
            "threads",
        ):
            assert conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0], table
        assert conn.execute("SELECT count(*) FROM leagues").fetchone() == (len(NAMES),)
        for phase in ("unpublished", "signup", "running", "finals", "finished"):
            assert conn.execute("SELECT 1 FROM seasons WHERE phase = ?", (phase,)).fetchone(), phase
        assert conn.execute("SELECT 1 FROM outbox WHERE state = 'parked'").fetchone()


def rounded(value: Any) -> Any:
    """Return what a file holds with its numbers rounded to nine decimals."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.long
async def test_its_league_files_are_those_that_0_3_exported(db: Database) -> None:
    for name, old in RELEASE.league_files().items():
        league, _, number = name.rpartition(" ")
        made = await db.read(exporting.export, order(db, league, ADMIN), season_number=int(number))
        new = json.loads(made.text)
        # Ratings were computed in another order of operations until 0.4: their last digits may differ.
        assert rounded({key: new[key] for key in old}) == rounded(old), name
        for text in (made.text, json.dumps(old)):
            season = reading.read(text.encode())
            if not by_key(season.format).paired:
                continue  # it was played elsewhere
            checked = verify(season)
            assert checked.agrees is (name not in DIFFERENT), "\n".join([name, *checked.lines()])


@pytest.mark.long
@pytest.mark.parametrize("name", mostly_long([name for name in NAMES if name not in ENDED], quick=2))
async def test_each_season_goes_on_and_ends(path: Path, name: str) -> None:
    await RELEASE.play_on(path, name)


@pytest.mark.long
async def test_an_open_report_is_confirmed_and_its_question_goes(db: Database) -> None:
    league = league_of(db, "Holds report")
    with look_into(db) as conn:
        sql = (
            "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
            " WHERE s.league_id = ? AND m.state = 'reported'"
        )
        ((match,),) = [tuple(row) for row in conn.execute_fetchall(sql, (league,))]
        sql = (
            "SELECT p.discord_id, p.name FROM matches m JOIN entrants e ON e.id IN (m.upper_id, m.lower_id)"
            " JOIN players p ON p.id = e.player_id WHERE m.id = ? AND e.id NOT IN"
            " (SELECT entrant_id FROM reports WHERE match_id = m.id AND replaced_at IS NULL)"
        )
        ((account, name),) = [tuple(row) for row in conn.execute_fetchall(sql, (match,))]
    await do(reporting.confirm, db=db, actor=person(account, name), now=NOW, match=match)
    with look_into(db) as conn:
        posts = conn.execute_fetchall("SELECT removed FROM outbox WHERE kind = ? AND match_id = ?", (QUESTION, match))
        state = conn.execute("SELECT state FROM matches WHERE id = ?", (match,)).fetchone()[0]
    assert [tuple(row) for row in posts] == [(1,)]
    assert state == "confirmed"


@pytest.mark.long
async def test_a_parked_post_is_tried_again(db: Database) -> None:
    await steps.tick(db, NOW + timedelta(hours=2))
    due = [post.key for lane in (await db.read(delivery.due, NOW + timedelta(hours=2))).values() for post in lane]
    with look_into(db) as conn:
        assert not conn.execute("SELECT 1 FROM outbox WHERE state = 'failed'").fetchone()
    assert due


@pytest.mark.long
async def test_an_unpublished_season_is_opened_and_a_sealed_secret_stays_what_it_was(db: Database) -> None:
    await db.write(planning.open_signups, order(db, "Unpublished"))
    with look_into(db) as conn:
        league = league_of(db, "Sealed")
        sql = "SELECT x.secret FROM sealed_salts x JOIN seasons s ON s.id = x.season_id WHERE s.league_id = ?"
        before = conn.execute(sql, (league,)).fetchone()[0]
    await db.write(lifecycle.start, order(db, "Sealed"))
    made = await db.read(exporting.export, order(db, "Sealed", ADMIN))
    assert json.loads(made.text)["sealed"]["secret"] == before
    assert verify(reading.read(made.text.encode())).agrees


@pytest.mark.long
async def test_who_is_banned_stays_banned_and_who_was_merged_is_one_person(db: Database) -> None:
    league = league_of(db, "Moved in")
    with look_into(db) as conn:
        people = [row.name for row in players.of_league(conn, league)]
    assert "Old Bo" not in people
    assert {"Bo", "Old Dee"} <= set(people)
    league = league_of(db, "Banned")
    with look_into(db) as conn:
        (account,) = conn.execute(
            "SELECT discord_id FROM players WHERE league_id = ? AND name = 'Flo'", (league,)
        ).fetchone()
    await db.write(lifecycle.cancel, order(db, "Banned"), reason="too late")
    await db.write(planning.prepare, order(db, "Banned"), format="ohs")
    await db.write(planning.open_signups, order(db, "Banned"))
    who = Order(actor=person(account, "Flo"), now=NOW, league_id=league)
    with pytest.raises(Exception, match="banned"):
        await db.write(signing_up.sign_up, who, display_name="Flo")


@pytest.mark.long
async def test_a_dispute_is_decided(db: Database) -> None:
    with look_into(db) as conn:
        (match,) = conn.execute("SELECT match_id FROM disputes WHERE settled_at IS NULL").fetchone()
    said: Any = {"match": match, "outcome": Outcome.UPPER, "reason": "seen"}
    await do(decisions.decide, db=db, actor=ADMIN, now=NOW, **said)
    with look_into(db) as conn:
        assert not conn.execute("SELECT 1 FROM disputes WHERE settled_at IS NULL").fetchone()
