"""A league to look at: two seasons over, one of them with a round changed by hand, and one in its last round."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from bot import publishing
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import by_bot
from bot.services.leagues import set_up
from bot.services.organising import swapping
from bot.site.facts import LeagueFacts
from tests.files import do, new_database
from tests.services.conftest import ADMIN, ORGANISER, ORGANISER_ROLE, Watched, World
from tests.services.play.test_scores import play_round

NAMES = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana", "Ivo", "Jun", "Kai", "Lena")
LONG = ("Zoë Wilhelmina of the Long Name", "مرحبا", "<b>Bold & Brave", "WWWWWWWWWWWWWWWWWWWWWWWW")


async def league(names: tuple[str, ...] = (*NAMES, *LONG), *, groups: bool = False) -> LeagueFacts:
    """Return what the pages of the league say; with `groups` of one season of a round robin."""
    with tempfile.TemporaryDirectory() as folder:
        db = await Watched.open(await new_database(Path(folder) / "league.db"))
        now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        try:
            who = {"name": "Sunday League", "channel_id": 7, "organiser_role_id": ORGANISER_ROLE}
            row = await do(set_up.create, db=db, actor=ADMIN, now=now, **who)
            world = World(db=db, league=row, now=now)
            if groups:
                await _groups(world, names)
            else:
                for number in range(1, 4):
                    await _season(world, names, number)
            return await publishing.facts_of(db, by_bot(world.now, row.id))
        finally:
            await db.close()


async def _groups(world: World, names: tuple[str, ...]) -> None:
    """Play two rounds of groups with scores; one player leaves early."""
    await world.create("round-robin", group_size=9, scores=True, draws=True)
    await world.sign_up(*names)
    await world.start()
    await play_round(world)
    await world.drop(names[1])
    await play_round(world)
    view = await world.status()
    assert view.current_round is not None
    assert view.current_round.round.number == 3


async def _season(world: World, names: tuple[str, ...], number: int) -> None:
    random = Random(number)
    await world.create("ohs", rounds=4, cut=6, finals_best_of=3, final_best_of=3)
    await world.sign_up(*names)
    await world.start()
    if number == 2:
        match = await world.match_of(names[0])
        assert match is not None
        other = next(name for name in names if name not in (match.upper.name, match.lower.name))
        who = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
        await do(swapping.swap, **who, first=names[0], second=other, reason="a quarrel")  # type: ignore[arg-type]
    while True:
        view = await world.status()
        current = view.current_round
        if view.season.phase is SeasonPhase.FINISHED or current is None:
            break
        if number == 3 and current.round.number == 4:
            break
        for match in current.matches:
            if match.match.state is not MatchState.CONFIRMED:
                await world.lose(random.choice((match.upper, match.lower, match.lower)).name)
        world.later(days=7)
    world.later(days=20)
