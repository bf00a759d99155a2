"""Commands: the processor time of the bot's own process until an answer is sent."""

import asyncio
import statistics
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.leagues import set_up
from bot.services.play import reporting
from storage.database import Database
from tests.benchmarks.figures import Figure, Row, best_of
from tests.benchmarks.measured_bot import MeasuredBot
from tests.benchmarks.yardsticks import HASHING, hashing
from tests.looked_up import posted_round
from tests.loopback.objects import GUILD, LEAGUE_CHANNEL, OWNER, Person
from tests.story import AtServices

ASKED = 25
"""How often each command is asked; half of the answers take longer than the figure, half less."""

Ask = Callable[[MeasuredBot], Awaitable[float]]


def person(number: int) -> Person:
    return 4000 + number, f"player{number:03}"


def actor(number: int) -> Actor:
    user_id, name = person(number)
    return Actor(user_id=user_id, name=name, guild_id=GUILD)


async def league(path: Path, *, players: int, rounds: int = 2, start: bool = True) -> list[tuple[int, int]]:
    """Make a league with a season of which some rounds are played; return the pairs of players to report."""
    db, now = await Database.open(path), datetime.now(UTC) - timedelta(hours=1)
    owner = Actor(user_id=OWNER, name="owner", guild_id=GUILD, manage_guild=True)
    made = await db.write(set_up.create, Order(actor=owner, now=now), name="Bench", channel_id=LEAGUE_CHANNEL)
    story = AtServices(db=db, league_id=made.id, organiser=owner, now=now)
    await story.open()
    await story.sign_up(*map(actor, range(players)))
    pairs: list[tuple[int, int]] = []
    if start:
        await story.start()
        for _ in range(rounds):
            for _, loser, match in await _open(db, made.id, now):
                await story.report(actor(loser), "lost", match=match)
        pairs = [(winner, loser) for winner, loser, _ in await _open(db, made.id, now)]
    await db.close()
    return pairs


async def _open(db: Database, league_id: Any, now: datetime) -> list[tuple[int, int, int]]:
    view = await db.read(posted_round, Order(actor=BOT, now=now, league_id=league_id))
    return [
        (int(match.upper.name[6:]), int(match.lower.name[6:]), match.match.id)
        for match in view.matches
        if match.match.state is not MatchState.CONFIRMED
    ]


async def _seconds(path: Path, asks: Sequence[Ask], *, resting: bool = False) -> float:
    """Return the seconds of a command, asked for the second time and more often.

    With `resting` the posts of the answer before are made first, and a bot that slept answers something small: on some
    machines its memory is slow after a sleep, however much of it a command uses.
    """
    bot = await MeasuredBot.start(path)
    try:
        await asks[0](bot)  # what is loaded when it's asked for the first time
        measured: list[float] = []
        for ask in asks[1:]:
            if resting:
                await bot.rest()
                for _ in range(ASKED):
                    await _says(1, "match")(bot)
            measured.append(await ask(bot))
    finally:
        await bot.close()
    return statistics.median(measured)


def _read(command: str, *, players: int, at_most: float, **options: Any) -> Row:
    """Return a row for a command that changes nothing."""

    async def measure(path: Path) -> float:
        await league(path, players=players)
        return await _seconds(path, [_says(1, command, **options)] * ASKED)

    return _row(f"/{command}, {players} players", measure, at_most)


def _row(title: str, measure: Callable[[Path], Awaitable[float]], at_most: float) -> Row:
    def row() -> Figure:
        with tempfile.TemporaryDirectory() as folder:
            took = asyncio.run(_as_coroutine(measure, Path(folder) / "league.db"))
        (least,) = best_of(hashing())
        return Figure(
            title=title, value=took * 1000, yardstick=least * 1000, against=HASHING, at_most=at_most, unit="ms"
        )

    return row


async def _as_coroutine(measure: Callable[[Path], Awaitable[Any]], path: Path) -> Any:
    return await measure(path)


async def _reports(path: Path) -> float:
    pairs = await league(path, players=16)
    return await _seconds(path, [_says(winner, "report", result="won") for winner, _ in pairs], resting=True)


async def _confirmations(path: Path) -> float:
    pairs = await league(path, players=16)
    db = await Database.open(path)
    for winner, _, match in await _open(db, 1, datetime.now(UTC)):
        await db.write(reporting.report, Order(actor=actor(winner), now=datetime.now(UTC)), match=match, result="won")
    await db.close()
    return await _seconds(path, [_says(loser, "confirm") for _, loser in pairs[:-1]], resting=True)


def _says(number: int, command: str, **options: Any) -> Ask:
    return lambda bot: bot.slash(person(number), command, **options)


async def _joins(path: Path) -> float:
    await league(path, players=16, start=False)
    return await _seconds(path, [_joins_as(number) for number in range(16, 25)], resting=True)


def _joins_as(number: int) -> Ask:
    return lambda bot: bot.click(person(number), "fp:join:1")


ROWS: tuple[Row, ...] = (
    _read("match", players=16, at_most=0.5),
    _read("why", players=16, at_most=0.5),
    _row("/report, 16 players", _reports, 0.5),
    _row("/confirm, 16 players", _confirmations, 0.5),
    _row("Join, 16 players", _joins, 0.5),
    _read("standings", players=500, at_most=1),
    _read("profile", players=500, at_most=0.7, player="player007"),
)
