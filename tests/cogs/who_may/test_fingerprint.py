"""The rows that hang on a league: all of them, also those of tables nobody has thought of yet."""

import sqlite3
from contextlib import closing

import pytest

from tests.cogs.conftest import World
from tests.cogs.who_may.fingerprint import Watch, changes, keys, tables

OF_NO_LEAGUE = {"guilds", "arrivals", "availability"}
"""Tables about servers, and about a person in all leagues."""


async def test_every_table_hangs_on_a_league_or_is_known_not_to(world: World) -> None:
    with closing(sqlite3.connect(world.env.bot.settings.database)) as conn:
        targets = {table: {target for _, target in keys(conn, table)} for table in tables(conn)}
    hanging = {"leagues"}
    while more := {table for table, there in targets.items() if there & hanging} - hanging:
        hanging |= more
    assert set(targets) - hanging == OF_NO_LEAGUE


@pytest.mark.long
async def test_a_row_of_a_new_table_that_names_a_match_is_seen(world: World) -> None:
    await world.started(players=2)
    file = world.env.bot.settings.database
    with closing(Watch(file, 1)) as watch, closing(sqlite3.connect(file)) as conn:
        before = watch.rows()
        assert len(before["matches"]) == 1
        conn.execute("CREATE TABLE cheers (id INTEGER PRIMARY KEY, match_id INTEGER REFERENCES matches (id))")
        conn.execute("INSERT INTO cheers (match_id) SELECT id FROM matches")
        conn.commit()
        assert len(changes(before, watch.rows())) == 1
