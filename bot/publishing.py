"""Publishing leagues' pages, written in a process of its own: a folder, or a zip no larger than Discord takes.

A league is read in one look.
"""

import io
import logging
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot.league.errors import Invalid, NotFound, Unavailable
from bot.league.season.phases import LIVE, SeasonPhase
from bot.services.base.order import Order, by_bot
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


async def facts_of(db: Database, order: Order, worker: Worker | None = None) -> LeagueFacts:
    """Return all that a league's pages say, for an organiser; raises NotAllowed.

    Without a worker nobody's chances are worked out.
    """
    facts = await db.read(whole_league.whole, order)
    if not facts.seasons:
        return facts
    if worker is not None and facts.seasons[-1].table.going_on and facts.seasons[-1].phase is SeasonPhase.RUNNING:
        facts = await _with_verdicts(db, facts, worker)
    number = facts.seasons[-1].number
    try:
        name, entries = await db.write(calendars.of_season, order, season_number=number)
    except NotFound:  # no deadline and no agreed time yet
        return facts
    if facts.seasons[-1].phase not in LIVE and all(entry.start <= order.now for entry in entries):
        return facts  # else it still calls off what people have ahead
    return replace(facts, calendar=Calendar(season=number, name=name, entries=entries))


async def _with_verdicts(db: Database, facts: LeagueFacts, worker: Worker) -> LeagueFacts:
    """Add who is sure of the finals and who can't reach them, as the standings on Discord say it."""
    live = await db.read(seasons.live, LeagueId(facts.id))
    outlook = None if live is None else await outlook_of(db, worker, live.id, verdicts_only=True)
    newest = facts.seasons[-1]
    if outlook is None or live is None or live.number != newest.number:
        return facts
    verdicts = {name: prospect.verdict for name, prospect in outlook.players.items()}
    rows = (replace(row, verdict=verdicts.get(row.standing.name, row.verdict)) for row in newest.table.rows)
    judged = replace(newest, table=replace(newest.table, rows=tuple(rows)))
    return replace(facts, seasons=(*facts.seasons[:-1], judged))


async def as_zip(db: Database, order: Order, worker: Worker) -> TakenOut:
    """Return a league's pages as a zip, for an organiser; raises NotAllowed, Invalid and Unavailable."""
    facts = await facts_of(db, order, worker)
    try:
        content = await worker.run(zipped, facts, seconds=WRITING_SECONDS)
    except WorkerFailed:
        raise Unavailable("The pages took too long to write. Try again in a minute.") from None
    if len(content) > LARGEST_ZIP:
        raise Invalid(
            f"The pages have {len(content) / 1_000_000:.0f} MB, more than Discord takes. Ask the person who runs the"
            " bot to write them with python -m bot site, or to set SITE."
        )
    return TakenOut(filename="fairpair-pages.zip", content=content)


def zipped(facts: LeagueFacts) -> bytes:
    """Return a league's pages as a zip; the same bytes for the same facts."""
    from bot.site.pages import pages  # only the process that writes pages needs it

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content in pages(facts).items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
    return whole.getvalue()


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
