"""Play for the people no one acts for: open seasons in one format after another, sign up, report, dispute, decide."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Hashable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.league import formats
from bot.league.season.choices import Seeding
from bot.league.season.match_score import Scoreline, typed_score
from bot.league.season.phases import MatchState, SeasonPhase
from bot.practice.guide import newest_season
from bot.practice.simulation import Simulation
from bot.services.base.order import by_bot
from bot.services.matches.views import MatchView
from bot.services.reads.overview import SeasonView
from bot.services.ties import tie_decisions
from cogs.ui.cards import texts
from storage.database import Database
from storage.rows import EntrantRow, SeasonRow

log = logging.getLogger(__name__)

PACE = 1.5  # seconds between two moves: one can follow them, and a season takes a few minutes
VISITOR_PATIENCE = 60.0  # seconds in which someone can open the page before the season goes on without them
READING = timedelta(seconds=8)
"""How long a new round is left to be read."""
REST = timedelta(seconds=30)
"""How long a season's end is left to be read before the next one is opened."""
CUT = 4
"""Half the field goes on to the finals: small enough for a few minutes, and every format shows both stages."""
GROUP = 4
"""Two groups of this size, of which two each go on."""

Move = Awaitable[Any] | None


class Autoplay:
    """Look at the season as anyone can, and act through the same commands as people."""

    def __init__(self, simulation: Simulation, db: Database) -> None:
        self._simulation = simulation
        self._world = simulation.world
        self._db = db
        self._done: set[Hashable] = set()
        self._last: SeasonRow | None = None

    async def run(self) -> None:
        """Make one move after another until cancelled."""
        await self._simulation.preview.wait_for_visitor(VISITOR_PATIENCE)
        while True:
            await asyncio.sleep(PACE)
            try:
                await self.step()
            except Exception:
                # A move that fails leaves the guild as it is; the next one may do.
                log.exception("A move of the practice server failed")

    async def step(self) -> bool:
        """Make the next move of the people no one acts for; return whether there was one."""
        async with self._simulation.lock:
            move = await self._next_move()
            if move is not None:
                await move
                await self._simulation.preview.refresh()
        return move is not None

    async def _next_move(self) -> Move:
        season = await newest_season(self._db, self._world)
        if season is not None and (self._last is None or self._last.id < season.season.id):
            self._last = season.season
        match season.season.phase if season is not None else SeasonPhase.FINISHED:
            case SeasonPhase.SIGNUP if season is not None:
                return self._sign_up(season)
            case SeasonPhase.RUNNING | SeasonPhase.FINALS if season is not None:
                return await self._play(season)
            case _:
                return self._open(season)

    def _open(self, season: SeasonView | None) -> Move:
        """Open a season in the format after the last one's, so that one sees each in turn."""
        ended = season.season.ended_at if season is not None else None
        if ended is not None and self._simulation.now() - ended < REST:
            return None
        # A season cancelled before its first round is no longer the league's newest; it was the last one all the same.
        last = self._last
        keys = [format_.key for format_ in formats.ALL]
        place = keys.index(last.format) + 1 if last is not None and last.format in keys else 0
        next_ = formats.ALL[place % len(keys)]
        state = (last and last.id, self._simulation.now().replace(second=0, microsecond=0))
        create = self._once(state, self._world.organiser, "season create", format=next_.key)
        return None if create is None else self._set_and_open(create, next_.own_settings)

    async def _set_and_open(self, create: Awaitable[InteractionResult], settings: Sequence[str]) -> None:
        """Prepare a season, choose its groups or how many enter the finals where there are some, and open sign-ups."""
        organiser, panel = self._world.organiser, await create
        for setting, value in (("group_size", GROUP), ("cut", CUT)):
            if setting in settings:
                given = {"setting": setting, "value": str(value)}
                panel = await organiser.slash(self._world.league, "season settings", **given)
                break
        if panel.response is not None:
            await organiser.click(panel.response, label="Open sign-ups")

    def _sign_up(self, season: SeasonView) -> Move:
        names = {entrant.name for entrant in season.entrants}
        players = self._world.players
        missing = [player for player in players if (player.user.global_name or player.name) not in names]
        # People who withdrew meant it, so each signs up only once.
        for player in missing:
            move = self._once(season.season.id, player, "signup")
            if move is not None:
                return move
        if not all(self._is_free(player) for player in missing):
            return None
        return self._seed(season) or self._once((season.season.id, len(names)), self._world.organiser, "season start")

    def _seed(self, season: SeasonView) -> Move:
        """Give everyone a seed, in the order they joined, where the season asks for seeds."""
        unseeded = [entrant.name for entrant in season.entrants if entrant.seed is None and entrant.active]
        if season.settings.seeding is not Seeding.SEEDED or not unseeded:
            return None
        settings = self._once((season.season.id, *unseeded), self._world.organiser, "season settings")
        return None if settings is None else self._give_seeds(settings, [entrant.name for entrant in season.entrants])

    async def _give_seeds(self, settings: Awaitable[InteractionResult], names: Sequence[str]) -> None:
        organiser, panel = self._world.organiser, (await settings).response
        if panel is not None:
            await organiser.submit_modal(await organiser.click(panel, label="Seeds"), {"names": "\n".join(names)})

    async def _play(self, season: SeasonView) -> Move:
        current = season.current_round
        posted = current.round.posted_at if current is not None else None
        if posted is not None and self._simulation.now() - posted < READING:
            return None
        if current is None or not current.missing:
            return await self._advance(season)
        return next((move for match in current.missing if (move := self._move(match)) is not None), None)

    def _move(self, match: MatchView) -> Move:
        story = _Story(match)
        if match.match.state is MatchState.DISPUTED:
            return self._press(self._world.moderator, f"{story.winner.name} won", match.label, reason=_PROOF)
        if match.match.state is MatchState.REPORTED:
            answering = self._player(match.opponent_of(match.side(match.reports[-1].entrant_id)))
            if story.disputed:
                return self._if_free(answering, "dispute", match=match.code, reason="We never finished the last game.")
            return self._if_free(answering, "confirm", match=match.code)
        # A match of a person the user acts for is theirs to report.
        if not all(self._is_free(self._player(side)) for side in match.sides):
            return None
        return self._if_free(self._player(story.reporter), "report", match=match.code, **story.report)

    async def _advance(self, season: SeasonView) -> Move:
        """Do what a season without open matches waits for: an answer to a tie, or the organiser's next round."""
        tied = await self._db.read(tie_decisions.choices, by_bot(datetime.now(UTC), season.league.id), typed="")
        organiser, current = self._world.organiser, season.current_round
        if not tied and current is not None:
            state = (season.season.id, current.round.id, current.round.phase)
            return self._once(state, organiser, "round post", then=("Post it", "End the season"))
        chance = random.Random("/".join(tied))
        way = chance.choice(("Tie-break match", "Use the draw", "Enter an order"))
        pressed = self._press(organiser, way) if way != "Enter an order" else None
        # A tie-break match that was called has a result, which is an order as well.
        return pressed or self._if_free(organiser, "round tiebreak", order=chance.choice(tied), reason=_PROOF)

    def _press(self, person: MemberActor, label: str, about: str = "", **answers: str) -> Move:
        """Press the newest such button in the moderators' channel, and fill in the form it opens."""
        if not self._is_free(person):
            return None
        for post in reversed(self._world.moderators.history(viewer=person)):
            if label in _labels(post.components) and about in "\n".join(texts(post.components)):
                return _press_and_answer(person, post, label, answers)
        return None

    def _once(
        self, state: Hashable, person: MemberActor, command: str, *, then: Sequence[str] = (), **options: Any
    ) -> Move:
        """Type a command and press a button of its answer (`then`), but not again in the same state: it was undone."""
        key = (state, person.id, command)
        if key in self._done or not self._is_free(person):
            return None
        self._done.add(key)
        typed = person.slash(self._world.league, command, **options)
        return _then_press(person, typed, then) if then else typed

    def _if_free(self, person: MemberActor | None, command: str, **options: Any) -> Move:
        if person is None or not self._is_free(person):
            return None
        return person.slash(self._world.league, command, **options)

    def _is_free(self, person: MemberActor | None) -> bool:
        return person is not None and person.id not in self._simulation.preview.acted_for()

    def _player(self, side: EntrantRow) -> MemberActor | None:
        return next((player for player in self._world.people if player.id == side.discord_id), None)


class _Story:
    """Who wins a match no one acts for, by how many games, and how the two tell it: the same each time."""

    def __init__(self, match: MatchView) -> None:
        chance = random.Random(f"{match.season.number}/{match.label}")
        self.winner, self.loser = chance.sample(match.sides, 2)
        needed = match.best_of // 2 + 1
        lost = chance.randrange(needed)
        # Every way comes up in every season, a dispute in round 2 for the first time.
        telling = (3 * match.round.number + match.match.position) % 8
        self.modest = 1 <= telling <= 5
        self.disputed = telling == 0
        self.reporter = self.loser if self.modest else self.winner
        self.report = {"result": "lost" if self.modest else "won"}
        """What the reporter says, as options of /report."""
        drawn, most, least = match.draws and telling == 7, chance.randrange(40, 90), chance.randrange(40)
        scoreline = Scoreline((needed, lost) if match.best_of > 1 else None, (most, least) if match.scores else None)
        if drawn:
            self.report = {"result": "draw"}
            scoreline = Scoreline(score=(most, most) if match.scores else None)
        numbers = typed_score(*(scoreline.flipped if self.modest and not drawn else scoreline)).strip()
        if numbers:
            self.report["score"] = numbers


_PROOF = "The game log says so."


async def _then_press(person: MemberActor, typed: Awaitable[InteractionResult], labels: Sequence[str]) -> None:
    """Press the button of an answer that has one of these labels."""
    answer = (await typed).response
    labels_shown = () if answer is None else _labels(answer.message.components)
    label = next((text for text in labels_shown if text in labels), None)
    if answer is not None and label is not None:
        await person.click(answer, label=label)


async def _press_and_answer(person: MemberActor, post: discord.Message, label: str, answers: dict[str, str]) -> None:
    pressed = await person.click(post, label=label)
    if answers:
        await person.submit_modal(pressed, answers)


def _labels(components: Iterable[Any]) -> Iterator[str]:
    """Yield the labels of a message's buttons, wherever they stand in it."""
    for component in components:
        if isinstance(component, discord.Button):
            yield component.label or ""
        beside = getattr(component, "accessory", None)
        yield from _labels([*getattr(component, "children", ()), *([] if beside is None else [beside])])
