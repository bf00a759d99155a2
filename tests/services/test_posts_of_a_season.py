"""How much a season writes into its league's channel, and how often it mentions people: an upper bound of each."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest

from bot import steps
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from bot.worker import Worker
from storage.posts import Target
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import NAMES, World


class Here(Worker):
    """A worker that computes at once, in the test's own process."""

    def begin(self, function: Callable[..., Any], *given: Any, seconds: float) -> asyncio.Future[Any]:
        computed = asyncio.get_running_loop().create_future()
        computed.set_result(function(*given))
        return computed


@dataclass
class Written:
    """What the channel was sent, each kind of post as often, and how often people were mentioned by each."""

    posts: Counter[str] = field(default_factory=Counter[str])
    mentions: Counter[str] = field(default_factory=Counter[str])

    async def read(self, world: World, worker: Worker) -> None:
        """Send, edit and delete what is due."""
        while lanes := await world.db.read(delivery.due, world.now):
            for post in chain(*lanes.values()):
                if post.removed:
                    await world.db.write(delivery.deleted, post.id, world.now)
                elif (made := await steps.load(world.db, post.id, world.now, worker)) is not None:
                    if post.message_id is None and made.row.target is Target.LEAGUE:
                        self.posts[made.row.kind] += 1
                        self.mentions[made.row.kind] += len(made.mention.people)
                    sent: Any = {"channel_id": made.channel_id, "message_id": post.id, "version": made.row.wanted}
                    await world.db.write(delivery.sent, post.id, now=world.now, rest=made.rest, **sent)


def by_strength(match: MatchView) -> tuple[str, str]:
    """Return who wins and who loses."""
    winner, loser = sorted((side.name for side in match.sides), key=NAMES.index)
    return winner, loser


@pytest.mark.usefixtures("few_endings")
@pytest.mark.parametrize(
    ("says", "answers", "posts", "mentions"),
    [
        pytest.param("lost", False, 12, 45, id="losers-report"),
        pytest.param("won", True, 33, 66, id="all-confirm"),
        pytest.param("won", False, 57, 91, id="nobody-answers"),
    ],
)
async def test_a_season_of_eight_writes_and_mentions_no_more_than_this(
    world: World, says: str, answers: bool, posts: int, mentions: int
) -> None:
    written, worker = Written(), Here()
    await world.create()
    await written.read(world, worker)
    await world.sign_up(*NAMES[:8])
    await world.start()
    while (await world.status()).season.phase is not SeasonPhase.FINISHED:
        await written.read(world, worker)
        view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
        for match in view.matches:
            winner, loser = by_strength(match)
            said: Any = {"db": world.db, "now": world.later(minutes=3), "match": match.match.id}
            if match.match.state is MatchState.OPEN:
                await do(reporting.report, actor=world.player(winner if says == "won" else loser), result=says, **said)
                await written.read(world, worker)
            if answers:
                await do(reporting.confirm, actor=world.player(loser), **said)
        for _ in range(0 if says == "lost" or answers else 2):  # half of the time to answer, then all of it
            world.later(hours=11)
            for _ in range(30):
                await steps.tick(world.db, world.later(minutes=3), worker)
                await written.read(world, worker)
    await written.read(world, worker)
    print(f"{written.posts.total()} posts: {dict(written.posts)}")
    print(f"{written.mentions.total()} mentions: {dict(written.mentions)}")
    assert written.posts.total() <= posts
    assert written.mentions.total() <= mentions
