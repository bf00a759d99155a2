"""The clock of a live round: the organiser starts it, warnings are promised for their moments (docs/rules.md, 8)."""

from datetime import datetime, timedelta

from bot.league.errors import Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.phases import RoundPhase
from bot.league.settings import Pace
from bot.services import find
from bot.services.act import note
from bot.services.matches import loading
from bot.services.matches.views import RoundView
from bot.services.outbox import promises
from bot.services.outbox.promises import PostKind
from bot.services.permissions import Actor, require_organiser
from storage import matches, rounds, rules_season
from storage.database import Connection, Database
from storage.rows import LeagueId, RoundRow, SeasonRow

WARNINGS = (10, 5, 0)
"""Minutes before the end at which something is said; at 0 time is called."""

MOST_MINUTES = 24 * 60


async def start(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, minutes: int | None = None
) -> RoundView:
    """Start the open round's clock, by default with the minutes of its document; started again, it runs anew.

    Raises NotAllowed, WrongPhase, and Invalid where no document says how long the round lasts.
    """
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        season = await find.playing_season(conn, league)
        row = await _timed_round(conn, season)
        length = await _length(conn, season, row, minutes)
        ends_at = now + timedelta(minutes=length)
        before = row.deadline and int(row.deadline.timestamp())
        # Pressed twice within a second: the same clock, and the same posts.
        if (row.clock_started_at, row.deadline) != (now.replace(microsecond=0), ends_at.replace(microsecond=0)):
            await _run(conn, season, row, length, now)
            await note(
                conn, actor=actor, now=now, league=league, season=season, action="round.start-clock",
                subject=f"round {row.number}", before={"deadline": before},
                after={"deadline": int(ends_at.timestamp()), "minutes": length},
            )  # fmt: skip
        return await loading.round_view(conn, await rounds.get(conn, row.id))


async def _timed_round(conn: Connection, season: SeasonRow) -> RoundRow:
    if rules_season.settings_of(season).pace is not Pace.LIVE:
        raise WrongPhase(
            f"Season {season.number} counts in days, so its rounds have no clock: /round extend moves a deadline. A "
            "live event is made with /season create and pace live."
        )
    row = await rounds.latest(conn, season.id)
    if row is None or row.phase is not RoundPhase.OPEN:
        raise WrongPhase("No round is open now. /round post publishes the next one; then its clock can be started.")
    if not await matches.count_unfinished(conn, row.id):
        raise WrongPhase(f"All results of round {row.number} are in, so there is nothing left to time.")
    return row


async def _length(conn: Connection, season: SeasonRow, row: RoundRow, minutes: int | None) -> int:
    if minutes is not None:
        if not 1 <= minutes <= MOST_MINUTES:
            raise Invalid(f"minutes: a round lasts 1 to {MOST_MINUTES} minutes, not {minutes}.")
        return minutes
    record = await rules_season.load(conn, season.id)
    round_ = next(round_ for round_ in record.rounds if round_.number == row.number)
    by_document = by_key(season.format).minutes(record, round_)
    if by_document is None:
        raise Invalid("No document says how long this round lasts: give its minutes, for example minutes:50.")
    return by_document


async def _run(conn: Connection, season: SeasonRow, row: RoundRow, length: int, now: datetime) -> None:
    """Set the round's clock and promise what it says; what an earlier clock still had to say is taken back."""
    ends_at = now + timedelta(minutes=length)
    await promises.cancel_unsent(conn, row, PostKind.CLOCK)
    await rounds.change(conn, row.id, clock_started_at=now, deadline=ends_at)
    await matches.forget_overdue(conn, row.id, ends_at)
    await promises.touch(conn, round_id=row.id, now=now)
    await _promise(conn, season, row, length, None, now)
    for left in WARNINGS:
        if left < length:
            await _promise(conn, season, row, length, left, now)


async def _promise(
    conn: Connection, season: SeasonRow, row: RoundRow, length: int, left: int | None, now: datetime
) -> None:
    """Promise one thing the clock says; a warning is of no use any more when the next one is due."""
    ends_at = now + timedelta(minutes=length)
    later = [warning for warning in WARNINGS if warning < (length if left is None else left)]
    said = "started" if left is None else str(left)
    await promises.promise(
        conn,
        key=f"season:{season.id}:round:{row.number}:clock:{int(now.timestamp())}:{int(ends_at.timestamp())}:{said}",
        kind=PostKind.CLOCK,
        league_id=season.league_id,
        now=now,
        season_id=season.id,
        round_id=row.id,
        facts={"left": left, "minutes": length, "ends_at": int(ends_at.timestamp())},
        due_at=now if left is None else ends_at - timedelta(minutes=left),
        expires_at=ends_at - timedelta(minutes=later[0]) if later else None,
    )
