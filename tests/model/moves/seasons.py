"""Seasons: prepared, opened, started, paused, changed and ended."""

from datetime import timedelta
from typing import Any

from bot import steps
from bot.services.organising import announcing
from bot.services.organising.announcing import Audience
from bot.services.reads import my_match, overview, pairings, tables
from bot.services.reads.past import champions, profiles
from bot.services.seasons import lifecycle, pausing, planning, plans
from tests.model import drawn_settings
from tests.model.moves.moving import Move, often
from tests.model.walk import Walk


async def prepare(walk: Walk) -> None:
    given: dict[str, Any] = {"format": walk.format}
    if walk.maybe(0.3):
        given["signups_close"] = walk.now + timedelta(hours=walk.chance.choice([2, 30, 60]))
    if walk.maybe(0.3):
        given["copy_from"] = 1
    await walk.call(planning.prepare, **walk.who(walk.staff()), **given)


async def open_signups(walk: Walk) -> None:
    await walk.call(planning.open_signups, **walk.who(walk.staff()))


async def discard(walk: Walk) -> None:
    await walk.call(planning.discard, **walk.who(walk.staff()))


async def change(walk: Walk) -> None:
    given = drawn_settings.some(walk.chance, walk.format, most=2)
    number = walk.pick([None, walk.file.value("SELECT max(number) FROM seasons")])
    await walk.call(planning.change_settings, **walk.who(walk.staff()), settings=given, number=number)


async def close_signups(walk: Walk) -> None:
    closing = walk.pick([None, walk.now + timedelta(hours=26), walk.now + timedelta(hours=80)])
    number = walk.file.value("SELECT max(number) FROM seasons")
    await walk.call(planning.change_settings, **walk.who(walk.staff()), signups_close=closing, number=number)


async def start(walk: Walk) -> None:
    await walk.call(lifecycle.start, **walk.who(walk.staff()))


async def cancel(walk: Walk) -> None:
    """Cancel a season; organisers give up most often where something waits that they would have to decide."""
    waiting = "SELECT 1 FROM ties WHERE settled_at IS NULL UNION ALL SELECT 1 FROM problems WHERE ended_at IS NULL"
    if walk.maybe(0.2) or (walk.file.value(waiting) and walk.maybe(0.5)):
        await walk.agreed(lifecycle.cancel, **walk.who(walk.staff()), reason="too few")


async def finish(walk: Walk) -> None:
    if walk.maybe(0.2):
        await walk.agreed(lifecycle.finish, **walk.who(walk.staff()), reason="enough")


async def pause(walk: Walk) -> None:
    until = walk.now + timedelta(hours=walk.chance.choice([-1, 20, 200]))
    await walk.agreed(pausing.pause, **walk.who(walk.staff()), until=until)


async def end_pause(walk: Walk) -> None:
    await walk.agreed(pausing.end, **walk.who(walk.staff()))


async def pass_time(walk: Walk) -> None:
    """Let hours or days pass, now and then backwards as a clock that is set, and do what is due."""
    if walk.together is None:
        walk.pass_time(hours=walk.chance.choice([0.1, 1, 7, 13, 25, 25, 80, 170, -2]))
    await walk.call(steps.tick, now=walk.now)


async def look_up(walk: Walk) -> None:
    asked = {"actor": walk.player(), "league_id": walk.league.id}
    await walk.look(overview.status, **asked)
    await walk.look(plans.plan, **walk.who(walk.staff()))
    await walk.look(tables.standings, **asked)
    await walk.look(tables.bracket, **asked)
    await walk.look(tables.ranking, **asked)
    await walk.look(pairings.why, **asked, player=walk.name())
    await walk.look(my_match.my_match, **asked)
    await walk.look(profiles.meetings, **asked, player=walk.name())
    await walk.look(profiles.profile, **asked, player=walk.name())
    await walk.look(champions.champions, **asked)


async def announce(walk: Walk) -> None:
    to = walk.pick(list(Audience))
    await walk.agreed(
        announcing.announce, **walk.who(walk.staff()), text=f"Hello @everyone, **read** this: {walk.now}", to=to
    )


MOVES: tuple[Move, ...] = (
    *often(3, prepare),
    *often(3, open_signups),
    *often(2, announce),
    *often(1, discard),
    *often(2, change),
    *often(1, close_signups),
    *often(4, start),
    *often(1, cancel),
    *often(1, finish),
    *often(1, pause),
    *often(1, end_pause),
    *often(10, pass_time),
    *often(1, look_up),
)
