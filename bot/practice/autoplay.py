"""Play for the people nobody acts for: sign up, start, report, confirm, sometimes dispute, and decide."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import discord
from simcord.actors import MemberActor

from bot.league.errors import LeagueError
from bot.league.season import MatchState, SeasonPhase
from bot.practice.simulation import Simulation
from bot.services import leagues, seasons
from bot.services.season_views import SeasonView
from bot.services.views import MatchView, SideView
from storage.database import Database

log = logging.getLogger(__name__)

PACE = 1.5  # seconds between two moves: one can follow them, and a season takes a few minutes
VISITOR_PATIENCE = 60.0  # seconds in which somebody may open the page before the season goes on without him


class Autoplay:
    """Look at the season as anybody may, and act through the same commands as people."""

    def __init__(self, simulation: Simulation, database: Path) -> None:
        self._simulation = simulation
        self._world = simulation.world
        self._database = database
        self._joined: set[int] = set()

    async def run(self) -> None:
        """Make one move after another until cancelled."""
        await self._simulation.preview.wait_for_visitor(VISITOR_PATIENCE)
        db = await Database.open(self._database)
        try:
            while True:
                await asyncio.sleep(PACE)
                await self._try_step(db)
        finally:
            await db.close()

    async def _try_step(self, db: Database) -> None:
        try:
            await self.step(db)
        except Exception:
            # A move that fails leaves the guild as it is; the next one may do.
            log.exception("A move of the practice server failed")

    async def step(self, db: Database) -> bool:
        """Make the next move, if somebody nobody acts for has one; return whether one was made."""
        async with self._simulation.lock:
            move = await self._next_move(db)
            if move is not None:
                await move
                await self._simulation.preview.refresh()
        return move is not None

    async def _next_move(self, db: Database) -> Awaitable[Any] | None:
        league = await leagues.resolve(db, guild_id=self._world.guild.id, channel_id=self._world.league.id, name=None)
        try:
            season = await seasons.status(db, league_id=league.id)
        except LeagueError:
            return self._if_free(self._world.organiser, "season create", format="ohs")
        if season.season.phase is SeasonPhase.SIGNUP:
            return self._sign_up(season)
        if season.tied:
            return self._if_free(self._world.organiser, "round tiebreak", how="draw")
        missing = season.current_round.missing if season.current_round is not None else ()
        return next(self._moves(missing), None)

    def _sign_up(self, season: SeasonView) -> Awaitable[Any] | None:
        names = {entrant.name for entrant in season.entrants}
        missing = [player for player in self._world.players if _name(player) not in names]
        for player in missing:
            # Who withdrew again meant it.
            if player.id not in self._joined and self._is_free(player):
                self._joined.add(player.id)
                return self._slash(player, "signup")
        waited_for = [player for player in missing if not self._is_free(player)]
        if waited_for or len(names) < 2:
            return None
        return self._if_free(self._world.organiser, "season start")

    def _moves(self, matches: tuple[MatchView, ...]) -> Iterator[Awaitable[Any]]:
        for match in matches:
            move = self._move(match)
            if move is not None:
                yield move

    def _move(self, match: MatchView) -> Awaitable[Any] | None:
        story = _Story(match)
        if match.match.state is MatchState.DISPUTED:
            return self._decide(match, story)
        if match.match.state is MatchState.REPORTED:
            answering = match.opponent_of(match.reports[-1].side)
            player = self._player(answering)
            if story.disputed:
                return self._if_free(player, "dispute", reason=story.complaint)
            return self._if_free(player, "confirm")
        # A match of somebody one acts for is his to report.
        if not all(self._is_free(self._player(side)) for side in match.sides):
            return None
        if story.modest:
            return self._if_free(self._player(story.loser), "report", result="lost")
        return self._if_free(self._player(story.winner), "report", result="won")

    def _decide(self, match: MatchView, story: "_Story") -> Awaitable[Any] | None:
        moderator, channel = self._world.moderator, self._world.moderators
        for post in reversed(channel.history(viewer=moderator) if self._is_free(moderator) else []):
            if any(match.label in (embed.title or "") for embed in post.embeds) and post.components:
                return self._press_and_explain(moderator, post, f"{story.winner.name} won")
        return None

    async def _press_and_explain(self, moderator: MemberActor, post: discord.Message, label: str) -> None:
        form = await moderator.click(post, label=label)
        await moderator.submit_modal(form, {"reason": "The game log says so."})

    def _if_free(self, person: MemberActor | None, command: str, **options: Any) -> Awaitable[Any] | None:
        return self._slash(person, command, **options) if person is not None and self._is_free(person) else None

    def _slash(self, person: MemberActor, command: str, **options: Any) -> Awaitable[Any]:
        return person.slash(self._world.league, command, **options)

    def _is_free(self, person: MemberActor | None) -> bool:
        return person is not None and person.id not in self._simulation.preview.acted_for()

    def _player(self, side: SideView) -> MemberActor | None:
        return next((player for player in self._world.people if player.id == side.discord_id), None)


class _Story:
    """How a match goes, the same whenever one asks: who wins, and how the two tell it."""

    def __init__(self, match: MatchView) -> None:
        chance = random.Random(f"{match.season_number}/{match.label}")
        self.winner, self.loser = chance.sample(match.sides, 2)
        # Every way comes up in every season, a dispute in round 2 for the first time.
        telling = (3 * match.round_number + match.match.position) % 8
        self.modest = 1 <= telling <= 5
        self.disputed = telling == 0
        self.complaint = "We never finished the last game."


def _name(player: MemberActor) -> str:
    return player.user.global_name or player.name
