"""With --autoplay whoever nobody acts for plays by himself: a whole season, with disputes, without anybody's help."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.client import LeagueBot
from bot.league.season import MatchState, SeasonPhase
from bot.practice import welcome
from bot.practice.autoplay import Autoplay
from bot.practice.simulation import Simulation
from bot.services import leagues, seasons
from bot.services.season_views import SeasonView
from bot.settings import Settings
from storage.database import Database

pytestmark = pytest.mark.timeout(300)


@asynccontextmanager
async def playing(folder: Path) -> AsyncGenerator[tuple[Simulation, Autoplay, Database]]:
    settings = Settings(database=folder / "practice.db")
    simulation = Simulation(lambda now: LeagueBot(settings, now=now), folder / "practice.jsonl", port=0)
    async with simulation.running():
        async with simulation.lock:
            await welcome.prepare(simulation)
        db = await Database.open(settings.database)
        try:
            yield simulation, Autoplay(simulation, settings.database), db
        finally:
            await db.close()


async def _season(db: Database, simulation: Simulation) -> SeasonView:
    world = simulation.world
    league = await leagues.resolve(db, guild_id=world.guild.id, channel_id=world.league.id, name=None)
    return await seasons.status(db, league_id=league.id)


async def _announce(simulation: Simulation) -> None:
    """Let the bot make the posts it has promised."""
    async with simulation.lock:
        await simulation.env.advance_time(3)


async def test_a_season_is_played_to_its_champion_by_nobody(tmp_path: Path) -> None:
    async with playing(tmp_path) as (simulation, autoplay, db):
        await _announce(simulation)
        moves = 0
        while await autoplay.step(db):
            await _announce(simulation)
            moves += 1
            assert moves < 200
        season = await _season(db, simulation)
        assert (season.season.phase, len(season.entrants)) == (SeasonPhase.FINISHED, 8)
        posts = [str(embed.to_dict()) for m in simulation.world.league.history() for embed in m.embeds]
        assert any(f"{season.champion}" in post and "is the champion" in post for post in posts)
        settled = simulation.world.moderators.history()
        assert any("Settled" in (embed.title or "") for message in settled for embed in message.embeds)


async def test_a_person_somebody_acts_for_is_left_alone(tmp_path: Path) -> None:
    async with playing(tmp_path) as (simulation, autoplay, db):
        ada = simulation.world.players[0]
        page = simulation.preview._open_page(str(ada.id))
        while await autoplay.step(db):
            await _announce(simulation)
        season = await _season(db, simulation)
        assert "Ada" not in {entrant.name for entrant in season.entrants}
        assert (season.season.phase, len(season.entrants)) == (SeasonPhase.SIGNUP, 7)
        async with simulation.lock:
            await ada.slash(simulation.world.league, "signup")
        while await autoplay.step(db):
            await _announce(simulation)
        season = await _season(db, simulation)
        assert season.current_round is not None
        waiting = season.current_round.missing
        assert [(m.match.state, m.side_of(ada.id) is not None) for m in waiting] == [(MatchState.OPEN, True)]
        simulation.preview._close_page(page.id)
        assert await autoplay.step(db)
