"""What players do about their match besides its result: times, and how they want to be told."""

import json
from datetime import UTC, datetime, timedelta

from bot import steps
from bot.services.matches import match_finding
from bot.services.people import notifying
from bot.services.reads import details
from bot.services.times import accepting, calendars, own_zone, proposing, timetable
from bot.steps import TakenAs
from bot.worker import Worker
from storage.tables.people.notify import How, Topic
from tests.model.moves.moving import Move, often
from tests.model.walk import Walk

ZONES = ("Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "UTC", "Mars/Olympus")
HOURS = ("weekdays 18:00-22:00", "sat, sun 02:00-03:00", "", "never")


async def propose(walk: Walk) -> None:
    match = walk.match()
    if match is None:
        return
    actor = walk.side(match)
    offered = await walk.look(proposing.offer, **walk.by(actor), match=match["id"])
    starts = [start.moment for start in offered.answer.starts][:2] if offered.answer is not None else []
    starts += [walk.now + timedelta(hours=walk.chance.choice([2, 20, 400]))]
    declined = walk.pick([None, walk.file.value("SELECT max(id) FROM time_proposals")])
    await walk.call(proposing.propose, **walk.by(actor), match=match["id"], chosen=starts, declines=declined)


async def type_time(walk: Walk) -> None:
    match = walk.match()
    if match is not None:
        text = walk.pick(["tomorrow 19:00", "29.3. 02:30", "sunday 2:30", "soon", "2027-02-29 10:00"])
        await walk.look(proposing.typed, **walk.by(walk.side(match)), match=match["id"], text=text)


async def accept(walk: Walk) -> None:
    sql = (
        "SELECT t.*, m.upper_id, m.lower_id, r.number FROM time_proposals t JOIN matches m ON m.id = t.match_id"
        " JOIN rounds r ON r.id = m.round_id ORDER BY t.answered_at IS NOT NULL, t.id DESC LIMIT 2"
    )
    row = walk.pick(walk.file.rows(sql))
    if row is not None:
        start = datetime.fromtimestamp(walk.chance.choice(json.loads(row["starts"])), UTC)
        about = {"match": row["match_id"], "proposal": row["id"], "start": start}
        await walk.call(accepting.accept, **walk.by(walk.side(row)), **about)


async def say_zone(walk: Walk) -> None:
    said = {"time_zone": walk.pick([None, *ZONES]), "hours": walk.pick([None, *HOURS])}
    await walk.call(own_zone.say, **walk.who(walk.player()), **said)
    if walk.maybe(0.2):
        await walk.call(own_zone.forget, **walk.who(walk.player()))


async def choose_how(walk: Walk) -> None:
    said = {"topic": walk.pick(list(Topic)), "how": walk.pick([How.DIRECT, *How])}
    await walk.call(notifying.choose, **walk.who(walk.player()), **said)


async def look_up(walk: Walk) -> None:
    match = walk.match()
    if match is not None:
        await walk.look(details.details, **walk.by(walk.side(match)), match=match["id"])
    await walk.look(timetable.timetable, **walk.who(walk.player()))
    await walk.look(match_finding.match_meant, actor=walk.player(), match=None, league_id=walk.league.id)
    await walk.call(calendars.own, **walk.who(walk.player()))
    await walk.call(calendars.of_season, **walk.who(walk.staff()))
    taken = {"worker": Worker(), "season_number": None, "as_": TakenAs.CALENDAR}
    await walk.call(steps.take_out, **walk.who(walk.staff()), **taken)


MOVES: tuple[Move, ...] = (
    *often(3, propose),
    *often(1, type_time),
    *often(2, accept),
    *often(2, say_zone),
    *often(5, choose_how),
    *often(1, look_up),
)
