"""Events are handled at once, in any order of those who follow from them, and never for ever."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.services import wiring
from bot.services.base import events
from bot.services.base.events import AccountChanged, Event, FieldChanged, SeasonOver
from bot.services.base.order import Order
from bot.services.base.transaction import Transaction, transaction
from bot.services.seasons import lifecycle
from storage.database import Connection
from storage.rows import PlayerRow
from storage.tables import seasons
from storage.tables.people import players
from tests.services.conftest import ORGANISER, World
from tests.services.meeting.features import FEATURES
from tests.services.meeting.scene import NEW_ACCOUNT, Scene

Table = Mapping[type[Event], Sequence[events.Listener]]
HELD = ("report", "problem answered", "agreed time", "thread", "check-in", "tie-break report", "moving up")
ENDED = ("thread", "tie-break report")
"""Of what else waits only posts end with the season, which their kinds say themselves."""
ORDERS = 4


class Undone(Exception):
    """What a transaction came to, which is rolled back."""

    def __init__(self, state: object) -> None:
        self.state = state


@pytest.fixture(autouse=True)
def wired() -> Generator[None]:
    yield
    events.wire(wiring.LISTENERS)


def shuffled(event: type[Event], seed: int) -> Table:
    listeners = list(wiring.LISTENERS[event])
    Random(seed).shuffle(listeners)
    return {**wiring.LISTENERS, event: listeners}


def state_of(conn: Connection) -> object:
    """Return every row of the file, apart from the order in which posts and lines came to be."""
    file = conn._sqlite  # reads whole tables, which the bot never does
    tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found: dict[str, list[str]] = {}
    for table in sorted(tables):
        asked = file.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in asked.description]
        unordered = {"id"} if table in ("outbox", "audit") else set[str]()
        rows = [[value for name, value in zip(names, row, strict=True) if name not in unordered] for row in asked]
        found[table] = sorted(map(repr, rows))
    return found


async def come_to(scene: Scene, table: Table, what: Callable[..., object]) -> object:
    """Return what something comes to with this table, without leaving a trace."""

    def try_it(conn: Connection, order: Order) -> None:
        events.wire(table)
        what(conn, order, scene)
        raise Undone(state_of(conn))

    with pytest.raises(Undone) as undone:
        await scene.world.db.write(try_it, Order(actor=ORGANISER, now=scene.world.now, league_id=scene.world.league_id))
    return undone.value.state


def cancelled(conn: Connection, order: Order, _: Scene) -> None:
    lifecycle.cancel(conn, order, agreed=None)


def linked(conn: Connection, order: Order, scene: Scene) -> None:
    season = seasons.live(conn, scene.world.league_id)
    assert season is not None
    before = players.by_name(conn, scene.world.league_id, scene.person)
    assert isinstance(before, PlayerRow)
    after = players.change(conn, before.id, discord_id=NEW_ACCOUNT)
    transaction(conn, order, season_id=season.id).happened(AccountChanged(before=before, after=after))


@pytest.mark.long
@pytest.mark.parametrize(
    ("held", "event", "what"),
    [*((held, SeasonOver, cancelled) for held in ENDED), *((held, AccountChanged, linked) for held in HELD)],
)
async def test_who_follows_from_an_event_does_so_in_any_order(
    world: World, held: str, event: type[Event], what: Any
) -> None:
    scene = await FEATURES[held].set_up(world, "round")
    nothing = await come_to(scene, {**wiring.LISTENERS, event: ()}, what)
    expected = await come_to(scene, wiring.LISTENERS, what)
    assert nothing != expected, "nothing follows"
    for seed in range(ORDERS):
        assert await come_to(scene, shuffled(event, seed), what) == expected


async def test_an_event_that_tells_of_itself_ends_the_transaction_and_leaves_nothing(world: World) -> None:
    await world.begin(4)

    def again(do: Transaction, event: FieldChanged) -> None:
        do.happened(replace(event))

    def tell(conn: Connection) -> None:
        season = seasons.live(conn, world.league_id)
        assert season is not None
        do = transaction(conn, Order(actor=ORGANISER, now=world.now), season_id=season.id)
        do.change_season(number=17)
        do.happened(FieldChanged())

    events.wire({**wiring.LISTENERS, FieldChanged: (again,)})
    with pytest.raises(RuntimeError, match="FieldChanged tells of itself"):
        await world.db.write(tell)
    assert (await world.db.read(seasons.live, world.league_id)).number == 1
