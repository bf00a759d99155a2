"""A practice server whose people play by themselves exactly as far as they are told."""

import asyncio
import shlex
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcord.actors import MemberActor

from bot.client import LeagueBot
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.season.phases import SeasonPhase
from bot.league.season.settings import SETTINGS
from bot.practice import welcome
from bot.practice.autoplay import READING, Autoplay
from bot.practice.guide import newest_season
from bot.practice.simulation import Simulation
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.reads.overview import SeasonView
from bot.settings import Settings
from storage.database import Database
from tests.cogs.conftest import message_text
from tests.story import OnServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A practice server whose people play alone as soon as they are let."""

    simulation: Simulation
    autoplay: Autoplay
    db: Database

    @property
    def story(self) -> OnServer:
        return OnServer(self.simulation.world.organiser, self.simulation.world.league)

    async def season(self) -> SeasonView:
        season = await newest_season(self.db, self.simulation.world)
        assert season is not None
        return season

    async def step(self, wait: float = 3) -> bool:
        """Make a move, and let the bot make the posts it has promised."""
        moved = await self.autoplay.step()
        async with self.simulation.lock:
            await self.simulation.env.advance_time(wait)
        return moved

    async def let_play(self) -> int:
        """Let them play until nobody has a move even after a while; return how many they made."""
        moves = 0
        while await self._move():
            moves += 1
            assert moves < 300
        return moves

    async def _move(self) -> bool:
        """Make a move, now or after a while."""
        return await self.step() or await self.step(READING.total_seconds()) or await self.step()

    async def play_to(self, round_number: int, decided: int, more: int) -> None:
        """Play until so many matches of a round are decided, and so many moves more; or to the end of the season."""
        self.simulation.preview._used.clear()  # nobody is acted for
        while not await self._is_at(round_number, decided):
            assert await self._move(), "nobody has a move"
        for _ in range(more):
            await self.step()

    async def _is_at(self, round_number: int, decided: int) -> bool:
        season = await newest_season(self.db, self.simulation.world)
        if season is None or season.season.phase is SeasonPhase.FINISHED or season.current_round is None:
            return season is not None and season.season.phase is SeasonPhase.FINISHED
        current = season.current_round
        done = len(current.matches) - len(current.missing)
        return (current.round.number, done) >= (round_number, decided)

    async def organise(self, command: str, *, then: str = "", **options: Any) -> None:
        """Let the organiser type a command, and press a button of its answer."""
        organiser = self.simulation.world.organiser
        async with self.simulation.lock:
            answer = await organiser.slash(self.simulation.world.league, command, **options)
            if then:
                await organiser.click(answer.response, label=then)

    async def type(self, name: str, command: str, **options: Any) -> None:
        """Let someone type a command in the league's channel."""
        person = self._person(name)
        if "new" in options:
            options["new"] = self._person(options["new"])
        async with self.simulation.lock:
            await person.slash(self.simulation.world.league, command, **options)
            await self.simulation.env.advance_time(3)

    def _person(self, name: str) -> MemberActor:
        return next(one for one in self.simulation.world.people if (one.user.global_name or "").startswith(name))

    async def open(self, format: str, **settings: Any) -> None:
        """Let the organiser prepare a season and open its sign-ups; without a seal its pairs are the same each time."""
        typed = {key: value if isinstance(value, str) else SETTINGS[key].text(value) for key, value in settings.items()}
        async with self.simulation.lock:
            await self.story.open(format, salt="off", **typed)

    async def sign_up(self) -> None:
        for player in self.simulation.world.players:
            async with self.simulation.lock:
                await self.story.sign_up(player)

    async def verified(self) -> list[str]:
        """Return what verify says of the export."""
        season = await self.season()
        file = await self.db.read(
            exporting.export,
            Order(actor=BOT, now=datetime.now(UTC), league_id=season.league.id),
            season_number=season.season.number,
        )
        found = verify(reading.read(file.text.encode()))
        assert found.agrees
        return list(found.lines())

    @property
    def league_posts(self) -> list[str]:
        return [message_text(message) for message in self.simulation.world.league.history()]

    @property
    def welcome_post(self) -> str:
        return message_text(self.simulation.world.welcome.history()[0])


@asynccontextmanager
async def playing(folder: Path, start: datetime | None = None) -> AsyncGenerator[Practice]:
    settings = Settings(database=folder / "practice.db", backups=None)
    simulation = Simulation(
        lambda now, sleep: LeagueBot(settings, now=now, sleep=sleep, paced=False), port=0, start=start
    )
    async with simulation.running():
        db = await Database.open(settings.database)
        async with simulation.lock:
            await welcome.prepare(simulation)
            await simulation.env.advance_time(3)
        try:
            yield Practice(simulation=simulation, autoplay=Autoplay(simulation, db), db=db)
        finally:
            await db.close()


async def _obey(folder: Path, start: datetime | None) -> None:
    """Print the page's address, then do what each line says.

    It is `open` and a format with settings, `sign-up` of everyone, `start` without all lists, `play` to a round, so
    many decided matches and so many further moves, `move` by hours, or who types which command with which options.
    """
    async with playing(folder, start) as practice:
        print(practice.simulation.preview.address, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            await _do(practice, *shlex.split(line))
            print("done", flush=True)


async def _do(practice: Practice, verb: str, *words: str) -> None:
    match verb:
        case "sign-up":
            await practice.sign_up()
        case "start":
            await practice.organise("season start", then="Start anyway")
        case "play":
            await practice.play_to(*map(int, words))
        case "open":
            await practice.open(words[0], **_options(words[1:]))
        case "move":
            async with practice.simulation.lock:
                await practice.simulation.move(int(words[0]))
        case name:
            plain = [word for word in words if "=" not in word]
            await practice.type(name, " ".join(plain), **_options(words))


def _options(words: Sequence[str]) -> dict[str, Any]:
    given = (word.split("=", 1) for word in words if "=" in word)
    return {option: int(value) if value.isdecimal() else value for option, value in given}


if __name__ == "__main__":
    asyncio.run(_obey(Path(), datetime.fromisoformat(sys.argv[1]) if sys.argv[1:] else None))
