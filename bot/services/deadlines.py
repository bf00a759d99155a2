"""What the end of a round's time does: reminders before it, and what was not reported by then."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.league.model import Kind, Stage
from bot.league.phases import MatchState, RoundPhase
from bot.league.settings import Overdue, Pace
from bot.services.act import Act, note
from bot.services.matches import loading
from bot.services.matches.views import MatchResult, MatchView
from bot.services.outbox import promises
from bot.services.outbox.promises import PAGE, PostKind
from bot.services.permissions import BOT
from bot.services.results import transitions
from bot.services.rounds import progress
from storage import matches, rounds, rules_season, seasons
from storage.database import Connection
from storage.rows import Confirmation, RoundId, RoundRow, SeasonRow

REMIND = timedelta(hours=24)
"""How long before the deadline players are reminded; in shorter rounds it is half of the round."""

GRACE = timedelta(minutes=15)
"""How long after time was called a live match may still be finished and reported before it is overdue."""


async def remind(conn: Connection, *, round_id: RoundId, now: datetime) -> bool:
    """Remind the players of matches nobody reported, once a round; False where it is not the time."""
    row = await rounds.find(conn, round_id)
    if row is None or row.phase is not RoundPhase.OPEN or row.reminded_at is not None or not _is_time(row, now):
        return False
    season = await seasons.get(conn, row.season_id)
    if rules_season.settings_of(season).pace is Pace.LIVE:
        return False  # its clock warns
    await rounds.change(conn, row.id, reminded_at=now)
    waiting = [match.id for match in await matches.of_round(conn, row.id) if match.state is MatchState.OPEN]
    for first in range(0, len(waiting), PAGE):
        await promises.owe(conn, PostKind.REMINDER, row, now=now, matches=waiting[first : first + PAGE])
    return bool(waiting)


def _is_time(row: RoundRow, now: datetime) -> bool:
    """Whether a reminder is due; after the deadline, say after downtime, it is too late for one."""
    if row.deadline is None or row.posted_at is None:
        return False
    ahead = min(REMIND, (row.deadline - row.posted_at) / 2)
    return row.deadline - ahead <= now < row.deadline


async def pass_deadline(conn: Connection, *, round_id: RoundId, now: datetime) -> bool:
    """Do with the unreported matches of a round what its season's `overdue` says; False where none is late any more."""
    row = await rounds.get(conn, round_id)
    season = await seasons.get(conn, row.season_id)
    settings = rules_season.settings_of(season)
    by = now - GRACE if settings.pace is Pace.LIVE else now
    late = await matches.overdue(conn, round_id, by)
    if not late:
        return False
    views = await loading.match_views(conn, late)
    if settings.overdue is Overdue.EXTEND and settings.pace is not Pace.LIVE:
        await _extend(conn, season, row, views, now)
    elif settings.overdue is Overdue.DOUBLE_LOSS and row.stage is not Stage.FINALS:
        await _lose_both(conn, season, views, now)
    else:
        await _tell_moderators(conn, row, views, now)
    return True


async def _tell_moderators(conn: Connection, row: RoundRow, views: Sequence[MatchView], now: datetime) -> None:
    for view in views:
        await matches.set_time(conn, view.match.id, overdue_at=now)
        await promises.touch(conn, view.match, now=now)
    await promises.owe(conn, PostKind.OVERDUE, row, now=now)


async def _lose_both(conn: Connection, season: SeasonRow, views: Sequence[MatchView], now: datetime) -> None:
    """Let both lose: nobody reported in time, and the season's settings say so."""
    do, lost = await Act.inside(conn, BOT, season.id, now=now), MatchResult(kind=Kind.DOUBLE_LOSS)
    for view in views:
        await transitions.confirm(do, view, lost, Confirmation.SILENCE)
        text = f"{view.label}: no one reported by the deadline, so both lose."
        await promises.owe(conn, PostKind.DECISION, view.match, now=now, text=text)
        await note(
            conn, actor=BOT, now=now, league=view.league, season=season, action="result.overdue",
            subject=view.label, before={"state": view.news}, after={"state": view.words(lost)},
        )  # fmt: skip
    await progress.advance(do)


async def _extend(
    conn: Connection, season: SeasonRow, row: RoundRow, views: Sequence[MatchView], now: datetime
) -> None:
    """Give the round as many days again, or only the matches whose own time is over."""
    days = timedelta(days=rules_season.settings_of(season).round_days)
    if row.deadline is not None and row.deadline <= now:
        await rounds.change(conn, row.id, deadline=_later(row.deadline, days, now))
    for view in views:
        if view.match.deadline is not None:
            await matches.set_time(conn, view.match.id, deadline=_later(view.match.deadline, days, now))
    await promises.touch(conn, row, now=now)
    listed = ", ".join(view.label for view in views[:PAGE])
    text = f"Round {row.number} has {days.days} more days. Still to play: {listed}."
    await promises.tell(conn, row, text, now=now)
    await note(
        conn, actor=BOT, now=now, league=views[0].league, season=season, action="round.extend",
        subject=f"round {row.number}", after={"matches": [view.label for view in views], "days": days.days},
    )  # fmt: skip


def _later(deadline: datetime, days: timedelta, now: datetime) -> datetime:
    """Return the deadline moved by some days; after downtime it is moved once, and ahead of now."""
    return deadline + days if deadline + days > now else now + days
