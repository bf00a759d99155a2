"""What a league of 50,000 imported matches costs: profiles, the ranking, and how long the writer is held."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from bot import steps
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import importing_records, set_up
from bot.services.reads import looking_back, tables
from bot.services.reads.past import profiles
from bot.services.seasons import lifecycle
from bot.services.seats import substitutes
from bot.services.signups import signing_up
from bot.steps import File
from bot.worker import Worker
from storage.database import Connection
from storage.rows import LeagueId, SeasonRow
from storage.tables import seasons
from tests.benchmarks.figures import Figure, Row
from tests.benchmarks.holds import GUILD, NOW, OWNER, Timed
from tests.files import do
from tests.story import AtServices

SEASONS, PLAYERS, MATCHES = 20, 400, 50_000
LEAGUE = LeagueId(1)
TOLD, NEXT, HOLD = 5.0, 1.0, 0.1
"""At most so many seconds of processor time: telling all careers beside the bot, a look after it, the writer."""
IN_THE_SEASON = 32


def _table() -> bytes:
    """Return past seasons as a table, where the players with small numbers win more often."""
    chance, rows = random.Random(1), ["season,round,player,opponent,winner"]
    for season in range(1, SEASONS + 1):
        left = MATCHES // SEASONS
        for number in range(1, -(-left * 2 // PLAYERS) + 1):
            order = chance.sample(range(PLAYERS), PLAYERS)
            for one, other in list(zip(order[::2], order[1::2], strict=True))[:left]:
                winner = one if chance.random() < 1 / (1 + 10 ** ((one - other) / 400)) else other
                rows.append(f"{season},{number},p{one:03},p{other:03},p{winner:03}")
                left -= 1
    return "\n".join(rows).encode()


@cache
def _imported() -> Path:
    """Import them once a run, as `/league import` does."""
    path = Path(tempfile.mkdtemp(prefix="fairpair-")) / "league.db"

    async def fill() -> None:
        db = await Timed.open(path)
        await do(set_up.create, db=db, actor=OWNER, now=NOW, name="Bench", channel_id=901)
        order, file = Order(actor=OWNER, now=NOW, league_id=LEAGUE), File(name="old.csv", data=_table())
        short = await steps.look_through([file])
        assert short is not None
        planned = await db.read(importing_records.plan, order, file=short, decided={})
        await steps.bring_in(db, order, files=[file], short=short, planned=planned)
        await db.close()

    asyncio.run(fill())
    return path


class _League:
    """The league with a worker, and what is measured in it."""

    def __init__(self, db: Timed, worker: Worker) -> None:
        self.db, self.worker = db, worker
        self.order = Order(actor=OWNER, now=datetime(2026, 11, 22, 12, tzinfo=UTC), league_id=LEAGUE)

    @staticmethod
    def live(conn: Connection) -> SeasonRow | None:
        return seasons.live(conn, LEAGUE)

    async def enter(self, use_case: Any, order: Order | None = None, **given: Any) -> float:
        """Do what asks for ratings and return the longest hold of the writer."""
        self.db.longest = 0.0
        await steps.with_ratings(self.db, self.worker, self.live, use_case, order or self.order, **given)
        return self.db.longest

    async def ready(self) -> None:
        """Let players of the past sign up for a season."""
        who: Any = {"db": self.db, "actor": OWNER, "now": NOW, "league_id": LEAGUE}
        await AtServices(db=self.db, league_id=LEAGUE, organiser=OWNER, now=NOW).open()
        for number in range(IN_THE_SEASON):
            newcomer: Any = {"discord_id": 5000 + number, "display_name": f"x{number}", "name": f"p{number:03}"}
            await do(signing_up.add, **who, **newcomer)

    async def start(self) -> float:
        await self.ready()
        return await self.enter(lifecycle.start, agreed="")

    async def late(self) -> float:
        await self.start()
        actor = Actor(user_id=7000, name="late", guild_id=GUILD)
        order = Order(actor=actor, now=self.order.now, league_id=LEAGUE)
        return await self.enter(signing_up.sign_up, order, display_name="late", name="late", agreed=2)

    async def substitute(self) -> float:
        await self.start()
        newcomer = Newcomer(discord_id=7001, wanted=None, display_name="substitute", by_organiser=True)
        given: Any = {"old": "p001", "newcomer": newcomer}
        try:
            return await self.enter(substitutes.substitute, **given, agreed="")
        except ConfirmationNeeded as question:
            return await self.enter(substitutes.substitute, **given, agreed=question.token)

    async def told(self) -> float:
        """Tell all careers here, as the worker does."""
        missing = await self.db.read(looking_back.takes_long, self.order)
        assert missing is not None
        begun = time.process_time()
        told = looking_back.tell(missing.brought, missing.rest)
        done = time.process_time() - begun
        missing.keep(self.db.cache, told)
        return done

    async def profile(self) -> float:
        """Look at someone after the running season changed."""
        await self.told()
        await self.start()
        begun = time.process_time()
        await steps.look_back(self.db, self.worker, self.order, profiles.profile, player="p008")
        return time.process_time() - begun

    async def ranking(self) -> float:
        await self.start()
        begun = time.process_time()
        await self.db.read(tables.ranking, self.order)
        return time.process_time() - begun


Measured = Callable[[_League], Awaitable[float]]


def _row(title: str, measured: Measured, most: float) -> Row:
    async def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            db = await Timed.open(shutil.copy(await asyncio.to_thread(_imported), Path(folder) / "league.db"))
            worker = Worker()
            try:
                return await measured(_League(db, worker))
            finally:
                await worker.close()
                await db.close()

    def measure() -> Figure:
        against = f"{most:g} s"
        return Figure(
            title=f"{MATCHES:,} matches, {title}", value=asyncio.run(run()), yardstick=most, against=against, at_most=1
        )

    return measure


ROWS: tuple[Row, ...] = (
    _row("all careers, in the worker", _League.told, TOLD),
    _row("/profile after a change", _League.profile, NEXT),
    _row("/ranking after a change", _League.ranking, HOLD),
    _row("start, the writer's hold", _League.start, HOLD),
    _row("late entry, the writer's hold", _League.late, HOLD),
    _row("substitute, the writer's hold", _League.substitute, HOLD),
)
