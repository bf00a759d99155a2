"""Publishing leagues' pages, written in a process of its own: a folder, or a zip; whole leagues as a zip, too.

A league is read in one look.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from bot.exporters.archives import packed
from bot.league.errors import Invalid, NotFound, Unavailable
from bot.league.season.phases import LIVE, SeasonPhase
from bot.league.summaries.season_table import with_verdicts
from bot.services.base.order import Order, by_bot
from bot.services.leagues import exporting
from bot.services.reads.past import whole_league
from bot.services.times import calendars
from bot.site.facts import Calendar, LeagueFacts
from bot.steps import TakenOut, outlook_of
from bot.worker import Worker, WorkerFailed
from storage.database import Connection, Database
from storage.rows import LeagueId, LeagueRow
from storage.tables import audit, leagues, seasons

WRITING_SECONDS = 120
LARGEST_ZIP = 9_500_000
"""Bytes; Discord takes 10 MB from a bot on a server without boosts."""
_log = logging.getLogger(__name__)
_Facts = TypeVar("_Facts")


async def facts_of(db: Database, order: Order, worker: Worker | None = None) -> LeagueFacts:
    """Return all that a league's pages say, for an organiser; raises NotAllowed.

    Without a worker nobody's chances are worked out.
    """
    facts = await db.read(whole_league.whole, order)
    if not facts.seasons:
        return facts
    if worker is not None and facts.seasons[-1].table.going_on and facts.seasons[-1].phase is SeasonPhase.RUNNING:
        facts = await _with_verdicts(db, facts, worker)
    calendars_of = [
        calendar for row in facts.seasons[-2:] if (calendar := await _calendar(db, order, row.number)) is not None
    ]
    if not calendars_of:
        return facts
    entries = tuple(entry for calendar in calendars_of for entry in calendar.entries)
    newest, every = calendars_of[-1], replace(calendars_of[-1], name=facts.name, entries=entries)
    facts = replace(facts, every_season=every)
    if newest.season != facts.seasons[-1].number:
        return facts
    if facts.seasons[-1].phase not in LIVE and all(entry.start <= order.now for entry in newest.entries):
        return facts  # else it still calls off what people have ahead
    return replace(facts, calendar=newest)


async def _calendar(db: Database, order: Order, number: int) -> Calendar | None:
    """Hand out a season's calendar; None where it has no deadline and no agreed time yet."""
    try:
        name, entries = await db.write(calendars.of_season, order, season_number=number)
    except NotFound:
        return None
    return Calendar(season=number, name=name, entries=entries)


async def _with_verdicts(db: Database, facts: LeagueFacts, worker: Worker) -> LeagueFacts:
    """Add who is sure of the finals and who can't reach them, as the standings on Discord say it."""
    live = await db.read(seasons.live, LeagueId(facts.id))
    outlook = None if live is None else await outlook_of(db, worker, live.id, verdicts_only=True)
    newest = facts.seasons[-1]
    if outlook is None or live is None or live.number != newest.number:
        return facts
    rows = with_verdicts(newest.table.rows, outlook.verdicts)
    judged = replace(newest, table=replace(newest.table, rows=rows))
    return replace(facts, seasons=(*facts.seasons[:-1], judged))


async def as_zip(db: Database, order: Order, worker: Worker) -> TakenOut:
    """Return a league's pages as a zip, for an organiser; raises NotAllowed, Invalid and Unavailable."""
    content = await _written(worker, zipped, await facts_of(db, order, worker))
    later = "to write them with python -m bot site, or to set SITE"
    return _for_discord("fairpair-pages.zip", content, "The pages have", later)


async def league_as_zip(db: Database, order: Order, worker: Worker) -> TakenOut:
    """Return all seasons and people of a league as a zip; raises as `as_zip` does, and NotFound without a season."""
    content = await _written(worker, exporting.zipped, await db.read(exporting.export_league, order))
    return _for_discord("fairpair-league.zip", content, "The league has", "to write it with python -m bot export --all")


async def _written(worker: Worker, write: Callable[[_Facts], bytes], facts: _Facts) -> bytes:
    try:
        return await worker.run(write, facts, seconds=WRITING_SECONDS)
    except WorkerFailed:
        raise Unavailable("The file took too long to write. Try again in a minute.") from None


def _for_discord(name: str, content: bytes, has: str, later: str) -> TakenOut:
    if len(content) > LARGEST_ZIP:
        size = f"{has} {len(content) / 1_000_000:.0f} MB"
        raise Invalid(f"{size}, more than Discord takes. Ask the person who runs the bot {later}.")
    return TakenOut(filename=name, content=content)


def zipped(facts: LeagueFacts) -> bytes:
    """Return a league's pages as a zip; the same bytes for the same facts."""
    from bot.site.pages import pages  # only the process that writes pages needs it

    return packed(pages(facts).items())


async def publish(db: Database, league: LeagueId, now: datetime, worker: Worker, root: Path, address: str = "") -> int:
    """Write a league's pages into its folder below `root`; return how many files; raises Invalid and WorkerFailed."""
    from bot.site import folder

    facts = await facts_of(db, by_bot(now, league), worker)
    return await worker.run(folder.publish, facts, root, address, seconds=WRITING_SECONDS)


def with_pages(conn: Connection) -> tuple[tuple[LeagueRow, int], ...]:
    """Return the leagues that have pages, each with its newest change."""
    return tuple((row, audit.newest(conn, row.id)) for row in leagues.with_pages(conn))


def is_urgent(conn: Connection, league: LeagueId, since: int) -> bool:
    """Whether someone was forgotten after a change, so that older pages may not stay."""
    return audit.forgotten_since(conn, league, since)
