"""Looks ask the database as often for much as for little: how many statements they run doesn't grow with the rows."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.reads import details, inbox
from bot.services.reads.past import champions, whole_league
from storage.cache import Cache
from storage.database import Connection, Database
from tests.files import change_by_hand
from tests.services.conftest import ORGANISER, World

_NAMES = (
    "INSERT INTO player_names (league_id, player_id, name, name_key, skeleton)"
    " SELECT league_id, id, {0} || name, {0} || name, {0} || name FROM players WHERE true ON CONFLICT DO NOTHING"
)


def statements(
    db: Database, look: Callable[..., Any], *args: Any, cache: Cache | None = None, **given: Any
) -> list[str]:
    """Return the statements that a look runs, with what a cache has kept or with nothing kept."""
    run: list[str] = []
    with closing(sqlite3.connect(db.path, isolation_level=None)) as sqlite:
        sqlite.row_factory = sqlite3.Row
        sqlite.set_trace_callback(run.append)
        look(Connection(sqlite, cache), *args, **given)
    return run


def order(world: World) -> Order:
    return Order(actor=BOT, now=world.now, league_id=world.league_id)


async def test_all_that_pages_say_takes_as_many_for_any_number_of_players(world: World) -> None:
    await world.begin(4, rounds=2, cut=0)
    few = statements(world.db, whole_league.whole, order(world))
    with change_by_hand(world.db) as conn:
        for number in range(100, 120):
            conn.execute(
                "INSERT INTO players (id, league_id, name) VALUES (?, ?, ?)", (number, world.league_id, number)
            )
        conn.execute(_NAMES.format("''"))
        conn.execute(_NAMES.format("'was '"))
    found = await world.db.read(whole_league.whole, order(world))
    assert [who.former_names for who in found.players] == [(f"was {who.name}",) for who in found.players]
    assert len(statements(world.db, whole_league.whole, order(world))) == len(few)


async def test_what_waits_takes_as_many_for_any_number_of_matches(world: World) -> None:
    await world.begin(16, rounds=2, cut=0)
    counts: list[int] = []
    for most in (1, 8):
        with change_by_hand(world.db) as conn:
            conn.execute("UPDATE matches SET overdue_at = 1 WHERE position <= ?", (most,))
        found = await world.db.read(inbox.inbox, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
        assert [view.match.position for view in found.rows("overdue")] == [*range(1, most + 1)]
        counts.append(len(statements(world.db, inbox.inbox, order(world))))
    assert counts[0] == counts[1]


async def test_what_else_waits_takes_as_many_for_any_number_of_it(world: World) -> None:
    await world.begin(8, rounds=2, cut=0)
    counts: list[int] = []
    for most in (1, 2):
        with change_by_hand(world.db) as conn:
            people = f"SELECT id FROM entrants WHERE id NOT IN (SELECT entrant_id FROM {{}}) ORDER BY id LIMIT {most}"
            stays, requests = people.format("stay_decisions"), people.format("rejoin_requests")
            conn.execute(
                f"INSERT INTO stay_decisions (entrant_id, reason, asked_at) SELECT id, 'gone', 1 FROM ({stays})"
            )
            conn.execute(f"INSERT INTO rejoin_requests (entrant_id, asked_at) SELECT id, 1 FROM ({requests})")
            conn.execute(
                "UPDATE outbox SET state = 'failed', failed_at = 1, problem = 'gone' WHERE id IN"
                f" (SELECT id FROM outbox ORDER BY id LIMIT {most})"
            )
        found = await world.db.read(inbox.inbox, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
        assert (
            min(len(found.rows("stays")), len(found.rows("rejoin_requests")), len(found.rows("missing_posts")))
            >= most
            > len(counts)
        )
        counts.append(len(statements(world.db, inbox.inbox, order(world))))
    assert counts[0] == counts[1]


@pytest.mark.long
async def test_champions_take_as_many_for_any_number_of_seasons(world: World) -> None:
    """Records go on from those kept of the seasons before, so each season is read once; then none is read."""
    counts: list[tuple[int, int]] = []
    for number in range(1, 4):
        await world.begin(4, "single-elimination")
        await world.play_out()
        first, later = (statements(world.db, champions.champions, order(world), cache=world.db.cache) for _ in range(2))
        counts.append((len(first), len(later)))
        found = await world.db.read(champions.champions, order(world))
        assert all(won.beaten is not None and won.beaten != won.champion for won in found.won)
        assert [won.season.number for won in found.won] == [*range(number, 0, -1)]
    assert len({*counts}) == 1
    assert counts[0][1] < counts[0][0]


@pytest.mark.long
async def test_a_match_takes_as_many_for_any_number_of_earlier_meetings(world: World) -> None:
    counts: list[int] = []
    for seasons in range(4):
        await world.begin(2, "single-elimination")
        match = await world.match_of("dok")
        assert match is not None
        found = await world.db.read(details.details, order(world), match=match.match.id)
        assert [meeting.season for meeting in found.met] == [*range(1, seasons + 1)]
        assert all(meeting.winner_id in {side.person_id for side in match.sides} for meeting in found.met)
        counts.append(len(statements(world.db, details.details, order(world), match=match.match.id)))
        await world.play_out()
    assert len({*counts}) == 1


async def test_what_waits_in_one_league_is_found_without_what_waits_in_others(world: World) -> None:
    """Only the league's own season is looked into; the clock, which asks for all leagues, walks what waits."""
    await world.begin(4, rounds=2, cut=0)
    run = [sql for sql in statements(world.db, inbox.inbox, order(world)) if sql.startswith("SELECT kind, id, since")]
    with closing(sqlite3.connect(world.db.path)) as conn:
        (waits,) = (conn.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in run)
        every = conn.execute(f"EXPLAIN QUERY PLAN {run[0].partition(' WHERE league_id = ')[0]}").fetchall()
    walked = [line for *_, line in waits if line.startswith("SCAN ")]
    assert all(line.startswith("SCAN (subquery") for line in walked)
    walked_by_clock = [line for *_, line in every if line.startswith("SCAN ") and " INDEX " not in line]
    assert all(line.startswith("SCAN (subquery") for line in walked_by_clock)
