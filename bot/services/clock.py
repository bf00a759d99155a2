"""What is due by the clock: sign-ups that close, silence that confirms, reminders, deadlines."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from bot import logs
from bot.league.errors import LeagueError
from bot.league.phases import RoundPhase, SeasonPhase
from bot.services import round_deadlines
from bot.services.act import Act
from bot.services.computing import begins_again
from bot.services.lists import sealing
from bot.services.outbox import missing
from bot.services.outbox.post_kinds import PostKind
from bot.services.permissions import BOT
from bot.services.places import thread_life
from bot.services.problems import answering
from bot.services.results import moderators, unanswered
from bot.services.rounds import progress
from bot.services.seasons import lifecycle, pausing
from bot.services.signups import check_in, free_places, last_day
from bot.services.ties import commands
from bot.services.ties.tie_words import silent_at
from storage import rules_season, shards
from storage.database import Connection, Database
from storage.rows import RoundId, SeasonId, TieRow
from storage.tables import (
    claims,
    lists,
    matches,
    outbox,
    parked,
    rounds,
    seasons,
    threads,
    ties,
    waitlist,
)

log = logging.getLogger(__name__)

Action = Callable[[], Awaitable[bool]]
"""Something due, done in its own transaction; False where it was done or undone meanwhile."""
Change = Callable[..., Awaitable[bool]]
"""What is done inside it."""


async def tick(db: Database, now: datetime) -> int:
    """Do everything that is due, each in its own transaction, and return how many things were done.

    What is due is looked at again inside its transaction, so it happens once however often this runs. A failure is
    logged and tried again with the next tick; it keeps nothing else from being done.
    """
    done = 0
    for what, action in await _due(db, now):
        with logs.one_action(f"clock: {what}"):
            try:
                did = await action()
                done += did
                logs.tell(result="done" if did else "not needed")
            except Exception:
                logs.tell(result="failed")
                log.exception("the clock could not do: %s", what)
    return done


async def _due(db: Database, now: datetime) -> list[tuple[str, Action]]:
    async with db.snapshot() as conn:
        elsewhere = await shards.leagues_elsewhere(conn, db.shards)
        here = partial(shards.here, conn, elsewhere=elsewhere)
        paused = await here("seasons", await seasons.pauses_due(conn, now))
        starting = await here("seasons", [row.id for row in await seasons.signups_due(conn, now)])
        silent = await here("matches", await matches.reports_due(conn, now))
        asked_again = await here("matches", await matches.questions_due(conn, now))
        claimed = await here("matches", await claims.unanswered(conn, now))
        overdue = await here("rounds", await rounds.overdue(conn, now))
        late = [r for r in overdue if await round_deadlines.late(conn, r, now)]
        unsaid = dict.fromkeys(match.round_id for match in await matches.reminders_due(conn, now))
        reminded = await here("rounds", tuple(unsaid))
        last_days = await here("seasons", await seasons.last_days_due(conn, now))
        check_ins = await here("seasons", await seasons.check_ins_due(conn, now))
        lapsed = await here("waitlist", await waitlist.lapsed(conn, now))
        waiting = await here("leagues", await moderators.due(conn, now))
        ending = await here("rounds", await rounds.played_out(conn))
        played_out = [r for r in ending if await _can_end(conn, r, now)]
        asked = await here("ties", [row.id for row in await ties.unanswered(conn) if await _is_silent(conn, row, now)])
        to_seal = await here("list_sets", [scope.id for scope in await lists.to_seal(conn, now)])
        no_lists = await here("list_sets", await sealing.to_remind(conn, now))
        expired = await outbox.any_expired(conn, now)
        rested = await parked.any_rested(conn, now)
        settled = await here("matches", await threads.to_archive(conn, now))
    inside = partial(_in_transaction, db)
    due: list[tuple[str, Action]] = []
    due += [(f"end the pause of season {s}", inside(pausing.resume, season_id=s, now=now)) for s in paused]
    due += [(f"last day of sign-ups, season {s}", inside(last_day.tell, season_id=s, now=now)) for s in last_days]
    due += [(f"check-in of season {s}", inside(check_in.ask, season_id=s, now=now)) for s in check_ins]
    due += [(f"start season {s}", partial(_start, db, season_id=s, now=now)) for s in starting]
    due += [(f"confirm match {m}", inside(unanswered.confirm_by_silence, match_id=m, now=now)) for m in silent]
    due += [(f"ask again about match {m}", inside(unanswered.ask_again, match_id=m, now=now)) for m in asked_again]
    due += [(f"pass on the problem of match {m}", inside(answering.pass_on, match_id=m, now=now)) for m in claimed]
    due += [(f"deadline of round {r}", inside(round_deadlines.pass_deadline, round_id=r, now=now)) for r in late]
    due += [(f"settle tie {t}", inside(commands.take_draw_by_silence, tie_id=t, now=now)) for t in asked]
    due += [(f"offer place {w} to the next", inside(free_places.lapse, waiting_id=w, now=now)) for w in lapsed]
    due += [(f"seal lists {x}", inside(sealing.seal_due, set_id=x, now=now)) for x in to_seal]
    due += [(f"remind of lists {x}", inside(sealing.remind, set_id=x, now=now)) for x in no_lists]
    due += [("let posts expire", inside(outbox.expire, now=now, elsewhere=elsewhere))] if expired else []
    due += [("try missing posts again", inside(missing.try_rested, now=now))] if rested else []
    due += [(f"archive thread of match {m}", inside(thread_life.archive, match_id=m, now=now)) for m in settled]
    due += [(f"remind round {r}", inside(round_deadlines.remind, round_id=r, now=now)) for r in reminded]
    due += [(f"remind moderators of league {x}", inside(moderators.remind, league_id=x, now=now)) for x in waiting]
    due += [(f"go on from round {r}", inside(_go_on, round_id=r, now=now)) for r in played_out]
    return due


async def _can_end(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Whether the clock may end a round with all results: not by hand, before its deadline, in a pause or a tie."""
    row = await rounds.get(conn, round_id)
    season = await seasons.get(conn, row.season_id)
    ends = season.paused_until is None and progress.ends_by_itself(rules_season.settings_of(season), row, now)
    return ends and not await ties.waiting(conn, row.season_id)


async def _is_silent(conn: Connection, row: TieRow, now: datetime) -> bool:
    until = silent_at(row, await seasons.get(conn, row.season_id))
    return until is not None and until <= now


def _in_transaction(db: Database, change: Change, **what: Any) -> Action:
    return partial(_change, db, change, what)


@begins_again
async def _change(db: Database, change: Change, what: Mapping[str, Any]) -> bool:
    async with db.transaction() as conn:
        return await change(conn, **what)


async def _start(db: Database, *, season_id: SeasonId, now: datetime) -> bool:
    """Start a season whose sign-ups are over; one that can't start waits for its organiser."""
    what: dict[str, Any] = {"season_id": season_id, "now": now}
    try:
        return await _change(db, _begin, what)
    except LeagueError as problem:
        return await _change(db, _keep_open, {**what, "problem": str(problem)})


async def _begin(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    do = await Act.inside(conn, BOT, season_id, now=now)
    if not _signups_over(do):
        return False
    await check_in.make_room(do)
    await lifecycle.begin(do)
    return True


def _signups_over(do: Act) -> bool:
    closing = do.season.signups_close
    return do.season.phase is SeasonPhase.SIGNUP and closing is not None and closing <= do.now


async def _keep_open(conn: Connection, season_id: SeasonId, now: datetime, problem: str) -> bool:
    """Leave sign-ups open without a closing time, and tell the organisers why the season did not start."""
    do = await Act.inside(conn, BOT, season_id, now=now)
    if not _signups_over(do):
        return False
    await do.change_season(signups_close=None)
    await do.note("season.not-started", f"season {do.season.number}", reason=problem)
    text = (
        f"Sign-ups for season {do.season.number} should have closed now, but it can't start: {problem} "
        "Sign-ups stay open. An organiser can use /season start, or set a new closing time with /season settings."
    )
    await do.owe(PostKind.STUCK, text=text)
    await do.touch()
    return True


async def _go_on(conn: Connection, *, round_id: RoundId, now: datetime) -> bool:
    """Close a round that can end: its deadline has come, or its season's settings were changed."""
    row = await rounds.find(conn, round_id)
    if row is None or row.phase is not RoundPhase.OPEN or await matches.count_unfinished(conn, round_id):
        return False
    await progress.advance(await Act.inside(conn, BOT, row.season_id, now=now))
    after = await rounds.get(conn, round_id)
    return after.phase is RoundPhase.CLOSED
