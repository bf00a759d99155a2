import asyncio
import contextlib
import functools
import hashlib
import re
import sqlite3
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.database import Database
from storage.migrate import APPLICATION_ID, MIGRATIONS, UnusableFile, _apply, _steps, migrate
from tests.files import new_database
from tests.hosting.conftest import small_disk
from tests.played_on import NAMED_NOW

SCRIPTS = sorted(MIGRATIONS.glob("[0-9]*.sql"))
SCHEMA = MIGRATIONS / "schema.sql"


@contextlib.contextmanager
def opened(path: Path) -> Generator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        yield conn


def version_of(path: Path) -> tuple[int, int]:
    with opened(path) as conn:
        mark = conn.execute("PRAGMA application_id").fetchone()[0]
        return mark, conn.execute("PRAGMA user_version").fetchone()[0]


def schema_of(path: Path) -> list[str]:
    """Return what makes each table, index and trigger, as it's written whatever its spaces and quotes are."""
    with opened(path) as conn:
        rows = conn.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        return [" ".join(re.findall(r"\w+|[^\w\s\"]", _COMMENT.sub("", sql))) for (sql,) in rows]


_COMMENT = re.compile("--.*")


def scripts(folder: Path, *steps: str) -> Path:
    """Write the steps of a schema, and the schema they make."""
    folder.mkdir()
    for number, step in enumerate(steps, start=1):
        (folder / f"{number:04}_step.sql").write_text(step, "utf-8")
    (folder / "schema.sql").write_text("\n".join(steps), "utf-8")
    return folder


def copies_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.version-*"))


def of_version(path: Path, version: int) -> None:
    """Make a file as an earlier version of the program left it."""
    path.write_bytes(_left_by(version))


@functools.cache
def _left_by(version: int) -> bytes:
    with _in_memory(_schema_by(version)) as conn:
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {version}")
        if version:
            conn.execute("INSERT INTO leagues (guild_id, name, name_key, channel_id) VALUES (1, 'Kept', 'kept', 2)")
        return conn.serialize()


@functools.cache
def _schema_by(version: int) -> bytes:
    """Return a file in which nothing but the scripts up to this version ran, the last after those before it."""
    if not version:
        return b""
    with _in_memory(_schema_by(version - 1)) as conn:
        conn.executescript(SCRIPTS[version - 1].read_text("utf-8"))
        return conn.serialize()


@contextlib.contextmanager
def _in_memory(file: bytes) -> Generator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        if file:
            conn.deserialize(file)
        yield conn


def test_the_schema_of_version_0_2_stays_as_it_was() -> None:
    """Files of it exist; what changes comes in a step of its own."""
    text = (MIGRATIONS / "0001_initial.sql").read_bytes()
    assert hashlib.sha256(text).hexdigest() == "84690fa7b186c41d5eefa3e88093a32f23e9546c6c89a71a9d33f40f3b5a927c"


def test_the_scripts_are_numbered_without_gaps() -> None:
    assert [int(script.name[:4]) for script in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))


@pytest.mark.long
@pytest.mark.parametrize("version", [0, 1, *range(10, len(SCRIPTS) - 1, 10), len(SCRIPTS) - 1, len(SCRIPTS)])
async def test_an_older_file_becomes_the_newest_and_keeps_its_data(tmp_path: Path, version: int) -> None:
    path, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    of_version(path, version)
    await (await Database.open(path)).close()
    await new_database(fresh)
    assert version_of(path) == version_of(fresh) == (APPLICATION_ID, len(SCRIPTS))
    assert schema_of(path) == schema_of(fresh)
    with opened(path) as conn:
        assert conn.execute("SELECT name FROM leagues").fetchall() == ([("Kept",)] if version else [])
    assert len(copies_of(path)) == (1 if 0 < version < len(SCRIPTS) else 0)


@pytest.mark.long
async def test_what_was_written_in_any_version_is_kept_by_each_step_after_it(tmp_path: Path) -> None:
    path, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    with opened(path) as conn:
        conn.execute("PRAGMA legacy_alter_table = ON")
        for step in _steps(MIGRATIONS):
            _apply(conn, step)
            league = "INSERT INTO leagues (guild_id, name, name_key, channel_id) VALUES (?, 'Kept', 'kept', 2)"
            conn.execute(league, (step.number,))
        kept = conn.execute("SELECT guild_id, name FROM leagues ORDER BY id").fetchall()
    assert kept == [(version, "Kept") for version in range(1, len(SCRIPTS) + 1)]
    await new_database(fresh)
    assert version_of(path) == version_of(fresh)
    assert schema_of(path) == schema_of(fresh)


@pytest.mark.long
async def test_a_table_that_is_empty_gives_no_number_twice_once_it_is_rebuilt(tmp_path: Path) -> None:
    path, rebuilt_without = tmp_path / "old.db", {"held_roles"}
    of_version(path, 1)
    with opened(path) as conn:
        counted: set[str] = {
            name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
        }
        conn.execute("DELETE FROM leagues")
        conn.execute("DELETE FROM sqlite_sequence")
        conn.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, 1000)", [(name,) for name in counted])
    await (await Database.open(path)).close()
    with opened(path) as conn:
        there: set[str] = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        kept = conn.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    still = {NAMED_NOW.get(name, name) for name in counted} & there
    assert sorted(name for name, seq in kept if seq == 1000) == sorted(still - rebuilt_without)


@pytest.mark.long
async def test_what_moderators_were_still_to_be_told_at_half_time_isnt_owed_any_more(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    of_version(path, 1)
    with opened(path) as conn:
        for kind in ("unscheduled", "reminder"):
            sql = (
                "INSERT INTO outbox (key, kind, league_id, target, due_at, created_at) VALUES (?, ?, 1, 'league', 1, 1)"
            )
            conn.execute(sql, (kind, kind))
    await (await Database.open(path)).close()
    with opened(path) as conn:
        assert conn.execute("SELECT kind FROM outbox").fetchall() == [("reminder",)]


@pytest.mark.long
async def test_posts_whose_key_said_that_another_can_have_it_say_so_in_a_column(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    of_version(path, 49)
    keys = {1: "round:1", 2: "round:1:gone:2", 3: "news:1:to:7:gone:3", 4: "board:1:down:4", 5: "notice:1:gone:9"}
    with opened(path) as conn:
        sql = "INSERT INTO outbox (id, key, kind, league_id, target, due_at, created_at) VALUES (?, ?, 'x', 1, ?, 1, 1)"
        conn.executemany(sql, [(number, key, "league") for number, key in keys.items()])
    await (await Database.open(path)).close()
    with opened(path) as conn:
        assert conn.execute("SELECT key, superseded FROM outbox ORDER BY id").fetchall() == [
            ("round:1", 0),
            ("round:1", 1),
            ("news:1:to:7", 1),
            ("board:1", 1),
            ("notice:1:gone:9", 0),
        ]


def test_the_last_statement_of_a_migration_needs_no_semicolon(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    migrate(path, scripts(tmp_path / "scripts", "CREATE TABLE one (id INTEGER);\n\nCREATE TABLE two (id INTEGER)\n"))
    assert schema_of(path) == ["CREATE TABLE one ( id INTEGER )", "CREATE TABLE two ( id INTEGER )"]


def test_a_new_file_is_made_in_one_transaction_and_an_older_one_in_one_a_step(tmp_path: Path) -> None:
    new, older = tmp_path / "new.db", tmp_path / "older.db"
    one, two = "CREATE TABLE one (id INTEGER);", "CREATE TABLE two (id INTEGER);"
    migrate(older, scripts(tmp_path / "scripts", one))
    later = scripts(tmp_path / "later", one, two, two)
    for path in (new, older):
        with pytest.raises(sqlite3.OperationalError, match="two already exists"):
            migrate(path, later)
    assert schema_of(new) == []
    assert schema_of(older) == ["CREATE TABLE one ( id INTEGER )", "CREATE TABLE two ( id INTEGER )"]


def test_half_a_statement_at_the_end_of_a_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with pytest.raises(sqlite3.OperationalError):
        migrate(path, scripts(tmp_path / "scripts", "CREATE TABLE one (id INTEGER);\nCREATE TABLE two ("))
    assert (schema_of(path), version_of(path)) == ([], (0, 0))


@pytest.mark.long
async def test_a_file_that_cannot_have_a_write_ahead_log_is_refused() -> None:
    with pytest.raises(UnusableFile, match="write-ahead log"):
        await Database.open(":memory:")


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """The scripts of a later version: one more table, and a column with a value from the old data."""
    folder = tmp_path / "migrations"
    (folder / "python").mkdir(parents=True)
    for code in (MIGRATIONS / "python").glob("*.py"):
        (folder / "python" / code.name).write_text(code.read_text("utf-8"), "utf-8")
    for script in SCRIPTS:
        (folder / script.name).write_text(script.read_text("utf-8"), "utf-8")
    step = (
        "CREATE TABLE later (id INTEGER PRIMARY KEY, note TEXT DEFAULT 'a;b') STRICT;\n"
        "-- a comment; with a semicolon\n"
        "CREATE TRIGGER noted AFTER INSERT ON later BEGIN\n  UPDATE later SET note = 'seen'; SELECT 1;\nEND;\n"
        "INSERT INTO later (id) SELECT id FROM leagues;\n"
    )
    (folder / f"{len(SCRIPTS) + 1:04}_later.sql").write_text(step, "utf-8")
    (folder / "schema.sql").write_text(f"{SCHEMA.read_text('utf-8')}\n{step}", "utf-8")
    return folder


@pytest.mark.long
def test_a_file_with_data_is_copied_before_it_changes(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    migrate(path, future)
    assert version_of(path)[1] == len(SCRIPTS) + 1
    copy = tmp_path / f"league.db.version-{len(SCRIPTS)}"
    assert version_of(copy)[1] == len(SCRIPTS)
    with opened(path) as conn:
        assert conn.execute("SELECT id, note FROM later").fetchall() == [(1, "seen")]
    with opened(copy) as conn:
        assert conn.execute("SELECT name FROM leagues").fetchall() == [("Kept",)]
    migrate(path, future)
    assert copies_of(path) == [copy]


@pytest.mark.long
def test_an_earlier_copy_is_not_overwritten(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    earlier = tmp_path / f"league.db.version-{len(SCRIPTS)}"
    earlier.write_text("precious", "utf-8")
    migrate(path, future)
    assert earlier.read_text("utf-8") == "precious"
    assert version_of(tmp_path / f"{earlier.name}-2")[1] == len(SCRIPTS)


@pytest.mark.long
def test_two_programs_that_copy_at_once_take_two_names(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    begun = tmp_path / f"league.db.version-{len(SCRIPTS)}"
    begun.touch()  # the other program has its name, and nothing in it yet
    migrate(path, future)
    assert begun.read_bytes() == b""
    with ThreadPoolExecutor() as pool:
        for number in range(20):
            path = tmp_path / f"{number}.db"
            of_version(path, len(SCRIPTS))
            for done in [pool.submit(migrate, path, future) for _ in range(4)]:
                done.result()
            # A copy may be made after another program has finished: it is whole, and of the newer version then.
            found = {version_of(copy)[1] for copy in copies_of(path)}
            assert len(SCRIPTS) in found <= {len(SCRIPTS), len(SCRIPTS) + 1}


@pytest.mark.long
@pytest.mark.parametrize(
    "broken",
    [
        "CREATE TABLE half (id INTEGER) STRICT;\nCREATE TABLE nonsense (;\n",
        "CREATE TABLE half (id INTEGER) STRICT;\nINSERT INTO missing VALUES (1);\n",
        "CREATE TABLE half (id INTEGER) STRICT;\nINSERT INTO players (league_id, name) VALUES (77, 'nobody');\n",
    ],
)
def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, future: Path, broken: str) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    before = schema_of(path)
    (future / f"{len(SCRIPTS) + 1:04}_later.sql").write_text(broken, "utf-8")
    with pytest.raises(sqlite3.Error):
        migrate(path, future)
    assert version_of(path)[1] == len(SCRIPTS)
    assert schema_of(path) == before


REBUILT = """
CREATE TABLE players_new (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    letters INTEGER
) STRICT;
INSERT INTO players_new (id, league_id, name) SELECT id, league_id, name FROM players;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'players') WHERE name = 'players_new';
DROP TABLE players;
ALTER TABLE players_new RENAME TO players;
"""
FILLED = """
def fill(connection):
    for id_, name in connection.execute("SELECT id, name FROM players").fetchall():
        connection.execute("UPDATE players SET letters = ? WHERE id = ?", (len(name), id_))
"""


def with_a_player(path: Path) -> None:
    of_version(path, len(SCRIPTS))
    with opened(path) as conn:
        conn.execute("INSERT INTO players (id, league_id, name) VALUES (7, 1, 'Zoë')")
        conn.execute("INSERT INTO player_names (league_id, name, name_key, player_id) VALUES (1, 'Zoë', 'zoe', 7)")
        conn.execute("INSERT INTO players (id, league_id, name) VALUES (8, 1, 'Gone')")
        conn.execute("DELETE FROM players WHERE id = 8")


@pytest.mark.long
def test_a_table_others_refer_to_is_rebuilt_and_a_column_is_filled_in_by_python(tmp_path: Path, future: Path) -> None:
    path, step = tmp_path / "league.db", f"{len(SCRIPTS) + 1:04}_later"
    with_a_player(path)
    (future / f"{step}.sql").write_text(REBUILT, "utf-8")
    (future / "python" / f"{step}.py").write_text(FILLED, "utf-8")
    migrate(path, future)
    with opened(path) as conn:
        conn.execute("PRAGMA foreign_keys = ON")
        assert conn.execute("SELECT id, name, letters FROM players").fetchall() == [(7, "Zoë", 3)]
        assert conn.execute("SELECT players.name FROM player_names JOIN players ON players.id = player_id").fetchall()
        with pytest.raises(sqlite3.IntegrityError):
            conn.execute("DELETE FROM players")
        assert conn.execute("INSERT INTO players (league_id, name) VALUES (1, 'New') RETURNING id").fetchone() == (9,)


@pytest.mark.long
def test_a_table_that_triggers_name_is_rebuilt(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    rebuilt = (
        "CREATE TABLE matches_new (id INTEGER PRIMARY KEY, round_id INTEGER NOT NULL) STRICT;\n"
        "DROP TABLE matches;\nALTER TABLE matches_new RENAME TO matches;\n"
    )
    (future / f"{len(SCRIPTS) + 1:04}_later.sql").write_text(rebuilt, "utf-8")
    migrate(path, future)
    assert version_of(path)[1] == len(SCRIPTS) + 1


@pytest.mark.long
def test_a_migration_whose_python_fails_leaves_the_file_as_it_was(tmp_path: Path, future: Path) -> None:
    path, step = tmp_path / "league.db", f"{len(SCRIPTS) + 1:04}_later"
    with_a_player(path)
    before = schema_of(path)
    (future / f"{step}.sql").write_text(REBUILT, "utf-8")
    (future / "python" / f"{step}.py").write_text(f"{FILLED}    assert connection is None\n", "utf-8")
    with pytest.raises(AssertionError):
        migrate(path, future)
    assert (schema_of(path), version_of(path)[1]) == (before, len(SCRIPTS))


@pytest.mark.long
def test_a_disk_without_room_for_the_copy_keeps_no_half_of_one(tmp_path: Path, future: Path) -> None:
    with small_disk(tmp_path / "disk", 2) as disk:
        path = disk / "league.db"
        of_version(path, len(SCRIPTS))
        with opened(path) as conn:
            conn.execute("INSERT INTO players (league_id, name) VALUES (1, ?)", ("x" * 1_000_000,))
        with pytest.raises(sqlite3.OperationalError, match="full"):
            migrate(path, future)
        assert copies_of(path) == []
        assert version_of(path)[1] == len(SCRIPTS)


@pytest.mark.long
async def test_two_programs_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    opened_ = await asyncio.gather(*(Database.open(path) for _ in range(4)))
    for db in opened_:
        await db.close()
    assert version_of(path) == (APPLICATION_ID, len(SCRIPTS))


async def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    with opened(path) as conn:
        conn.execute("PRAGMA user_version = 9999")
    with pytest.raises(UnusableFile, match=r"version 9999.*update Fairpair"):
        await (await Database.open(path)).close()
    assert version_of(path)[1] == 9999


OTHERWISE = {
    "a table is missing": "DROP TABLE arrivals",
    "a column is missing": "ALTER TABLE leagues DROP COLUMN board",
    "a column has another name": "ALTER TABLE entrants RENAME COLUMN seed TO rank",
    "a column more": "ALTER TABLE rounds ADD COLUMN called TEXT",
    "an index is missing": "DROP INDEX look_alikes",
    "a law is missing": "DROP TRIGGER seats_stay_in_their_season",
}


@pytest.mark.parametrize("script", OTHERWISE.values(), ids=list(OTHERWISE))
async def test_a_file_of_0_1_with_the_same_number_and_other_tables_is_refused(tmp_path: Path, script: str) -> None:
    path = tmp_path / "league.db"
    of_version(path, 1)
    with opened(path) as conn:
        conn.execute(script)
    before = path.read_bytes()
    with pytest.raises(UnusableFile, match=r"has other tables .* Fairpair 0\.1 made it"):
        await (await Database.open(path)).close()
    assert path.read_bytes() == before
    assert copies_of(path) == []


@pytest.mark.long
async def test_tables_of_other_programs_beside_ours_and_statistics_are_no_reason_to_refuse(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, 1)
    with opened(path) as conn:
        conn.executescript("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); ANALYZE;")
    await (await Database.open(path)).close()


FOREIGN = {
    "text": None,
    "another program's tables": "CREATE TABLE other (id); PRAGMA user_version = 1;",
    "another program's mark": "PRAGMA application_id = 7;",
}


@pytest.mark.parametrize("script", FOREIGN.values(), ids=list(FOREIGN))
async def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path, script: str | None) -> None:
    path = tmp_path / "other.db"
    if script is None:
        path.write_bytes(b"this is no database at all" * 100)
    else:
        with opened(path) as conn:
            conn.executescript(script)
    before = path.read_bytes()
    with pytest.raises(UnusableFile, match=rf"{path} (isn't a SQLite database|belongs to another program)"):
        await (await Database.open(path)).close()
    assert path.read_bytes() == before


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="Set DATABASE to a file"):
        await Database.open(tmp_path / "nowhere" / "league.db")


@pytest.mark.long
async def test_an_empty_file_becomes_ours(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    path.touch()
    await (await Database.open(path)).close()
    assert version_of(path) == (APPLICATION_ID, len(SCRIPTS))


async def test_a_file_that_cannot_be_written_beside_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "league.db-journal").mkdir()
    with pytest.raises(UnusableFile, match="can't be used as Fairpair's database: unable to open"):
        async with asyncio.timeout(10):
            await Database.open(tmp_path / "league.db")


@pytest.mark.long
async def test_an_order_of_two_ties_becomes_an_order_for_each(tmp_path: Path) -> None:
    """An order counts for exactly one group of equals; until 0.3 those of one round were kept as one."""
    path = tmp_path / "league.db"
    of_version(path, 32)
    with opened(path) as conn:
        seasons = "INSERT INTO seasons (id, league_id, number, format, settings, phase) VALUES (?, 1, ?, 'x', '{}', ?)"
        conn.executemany(seasons, [(1, 1, "finished"), (2, 2, "running")])
        orders = [(1, 4, '["D","C","B","A"]'), (2, 4, '["X","Y"]')]
        conn.executemany("INSERT INTO decisions (season_id, after_round, names) VALUES (?, ?, ?)", orders)
        ties = (
            "INSERT INTO ties (season_id, after_round, first, going_on, names, asked_at, settled_at, how)"
            " VALUES (?, ?, 1, 4, ?, 1, 1, ?)"
        )
        settled = [(1, 4, '["B","A"]', "order"), (1, 4, '["D","C"]', "draw"), (2, 3, '["X","Y"]', "order")]
        others = [(1, 4, '["C","D"]', "gone"), (1, 4, '["C","Z"]', "order")]
        conn.executemany(ties, [*settled, *others])
    await (await Database.open(path)).close()
    with opened(path) as conn:
        rows = conn.execute("SELECT season_id, after_round, names FROM decisions ORDER BY id").fetchall()
    assert rows == [(1, 4, '["B","A"]'), (1, 4, '["D","C"]'), (2, 4, '["X","Y"]')]
