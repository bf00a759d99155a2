"""What's due by the clock, and what it does itself: start a season as sign-ups close, say why it can't, end a round."""

import logging
from datetime import datetime
from typing import Any

from bot.league.errors import LeagueError, Unavailable
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.services.base import hooks
from bot.services.base.hooks import Job
from bot.services.base.order import by_bot
from bot.services.base.outbox import STUCK
from bot.services.base.transaction import Transaction, transaction
from bot.services.play import deadlines, progression
from bot.services.seasons import lifecycle
from bot.services.signups import check_in
from storage import shards
from storage.database import ALL_SHARDS, Connection, Shards
from storage.rows import RoundId, SeasonId
from storage.tables import matches, rounds, seasons, ties

log = logging.getLogger(__name__)


def due(conn: Connection, now: datetime, here: Shards = ALL_SHARDS) -> list[tuple[Job, Any]]:
    """Return what is due, in the order of the table; a question that can't be answered is logged and hides no other."""
    due_jobs: list[tuple[Job, Any]] = []
    elsewhere = shards.leagues_elsewhere(conn, here)
    for job in hooks.jobs():
        try:
            rows = shards.here(conn, job.table, job.find(conn, now), elsewhere=elsewhere)
        except Unavailable:
            raise
        except Exception as problem:
            _tell_unreadable(job.words.format("?"), problem)
            continue
        due_jobs += [(job, row) for row in rows if _is_due(conn, job, row, now)]
    return due_jobs


def _is_due(conn: Connection, job: Job, row: Any, now: datetime) -> bool:
    try:
        return job.due is None or job.due(conn, row, now)
    except Exception as problem:
        _tell_unreadable(job.words.format(row), problem)
        return False


def _tell_unreadable(what: str, problem: Exception) -> None:
    """Log in one line why the clock doesn't know; an error of the program with its trace."""
    trace = None if isinstance(problem, LeagueError) else problem
    log.error("the clock could not find out whether it is time to %s: %s", what, problem, exc_info=trace)


def do(conn: Connection, job: Job, row: int, now: datetime) -> bool:
    """Do what a job does about a row; False where it was done or undone meanwhile."""
    return job.done(conn, row, now)


def refuse(conn: Connection, job: Job, row: int, now: datetime, problem: str) -> bool:
    """Do what follows where the rules of the league say no to a job."""
    assert job.refused is not None
    return job.refused(conn, row, now, problem)


def can_end(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Whether the clock may end a round with all results: not by hand, before its deadline, in a pause or a tie."""
    row = rounds.get(conn, round_id)
    season = seasons.get(conn, row.season_id)
    return progression.ends_by_itself(season, row, now) and not ties.waiting(conn, row.season_id)


def is_late(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Whether matches of a round are past their deadline."""
    return bool(deadlines.late(conn, round_id, now))


def begin(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Start a season whose sign-ups are over."""
    tx = transaction(conn, by_bot(now), season_id=season_id)
    if not _signups_over(tx):
        return False
    check_in.make_room(tx)
    lifecycle.begin(tx)
    return True


def _signups_over(tx: Transaction) -> bool:
    closing = tx.season.signups_close
    return tx.season.phase is SeasonPhase.SIGNUP and closing is not None and closing <= tx.now


def keep_open(conn: Connection, season_id: SeasonId, now: datetime, problem: str) -> bool:
    """Leave sign-ups open without a closing time, and tell the organisers why the season did not start."""
    tx = transaction(conn, by_bot(now), season_id=season_id)
    if not _signups_over(tx):
        return False
    tx.change_season(signups_close=None)
    check_in.close(tx)
    tx.note("season.not-started", f"season {tx.season.number}", reason=problem)
    text = (
        f"Sign-ups for season {tx.season.number} should have closed now, but it can't start: {problem} "
        "Sign-ups stay open. An organiser can use /season start, or set a new closing time with /season settings."
    )
    tx.tell(text, kind=STUCK)
    tx.invalidate()
    return True


def advance(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Close a round that can end: its deadline has come, or its season's settings were changed."""
    row = rounds.find(conn, round_id)
    if row is None or row.phase is not RoundPhase.OPEN or matches.count_unfinished(conn, round_id):
        return False
    progression.advance(transaction(conn, by_bot(now), season_id=row.season_id))
    after = rounds.get(conn, round_id)
    return after.phase is RoundPhase.CLOSED
