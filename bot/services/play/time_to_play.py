"""How long a round and a match have: deadlines, the clock of a live round, more time for a match that is open again."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.league.errors import Invalid, WrongPhase
from bot.league.season.choices import Pace
from bot.league.season.in_words import amount
from bot.league.season.local_time import moments_meant
from bot.league.season.phases import MatchState
from bot.league.season.round_end import end_after_reopening, end_of_round
from bot.services.base import pending_questions
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.rows import RoundRow
from storage.tables import matches

MOST_DAYS = 365
OVER = "The time to play it is over."
PLAY = "Play your match and report it."


def more_days(days: int) -> str:
    """Return how many days more, in words; raises Invalid for none and for too many."""
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"A deadline can be moved by 1 to {MOST_DAYS} days, not by {days}.")
    return amount(days, "more day")


def after_days(tx: Transaction, deadline: datetime | None, days: int) -> datetime:
    """Return a deadline so many days later, counted from now or the end of a pause where it is over."""
    return max(deadline or tx.now, time_runs_from(tx)) + timedelta(days=days)


def give_days(tx: Transaction, view: MatchView, days: int) -> datetime:
    """Give a match more days; returns the new deadline."""
    before, after = view.deadline or tx.now, after_days(tx, view.deadline, days)
    matches.change(tx.conn, view.match.id, deadline=after, overdue_at=None)
    tx.invalidate(view.match)
    moved = [{"deadline": int(moment.timestamp())} for moment in (before, after)]
    tx.note("round.extend", view.label, before=moved[0], after=moved[1])
    return after


def open_again(tx: Transaction, view: MatchView, *, by_players: bool = False) -> MatchView:
    """Return a match that is open again, with time to play it where little or nothing is left of it.

    What its players bring about themselves gives it once, what organisers and moderators decide each time. Who tells
    the players of it reminds them by that. What opened it edits the posts that show it.
    """
    view = views.match_view(tx.conn, view.match.id)
    round_, own = view.round, view.deadline
    begun = round_.clock_started_at or (round_.posted_at and round_.posted_at + timedelta(seconds=round_.paused))
    if view.match.state is not MatchState.OPEN or own is None or round_.deadline is None or begun is None:
        return view
    start = time_runs_from(tx) if round_.clock_started_at is None else tx.now  # a clock runs on in a pause
    until = end_after_reopening(own, start, round_.deadline - begun)
    if until <= own or (by_players and view.match.got_time):
        return view
    got_time = by_players or view.match.got_time
    matches.change(tx.conn, view.match.id, deadline=until, overdue_at=None, reminded_at=tx.now, got_time=got_time)
    moved = [{"deadline": int(moment.timestamp())} for moment in (own, until)]
    tx.by_itself().note("match.more-time", view.label, before=moved[0], after=moved[1])
    return views.match_view(tx.conn, view.match.id)


def is_over(tx: Transaction, view: MatchView) -> bool:
    """Whether nothing is left of a match's time."""
    return view.deadline is not None and view.deadline <= tx.now


def deadline_now(tx: Transaction, drafts: Sequence[RoundRow] = ()) -> datetime | None:
    """Return the deadline of a round that starts now, or after the pause, or of all these that are played at once.

    None for a live one, which has a clock its organiser starts.
    """
    if drafts and drafts[0].together:
        return stage_deadline(tx, time_runs_from(tx), len(drafts))
    return None if tx.settings.pace is Pace.LIVE else deadline_from(tx, time_runs_from(tx))


def stage_deadline(tx: ReadTransaction, start: datetime, count: int) -> datetime:
    """Return when so many rounds end that are all played from a moment on: `stage_ends`, if that's still to come."""
    ends = stage_ends(tx)
    by_length = start + timedelta(days=tx.settings.round_days * count)
    return by_length if ends is None or ends <= start else ends


def stage_ends(tx: ReadTransaction) -> datetime | None:
    """Return the moment organisers chose as the deadline of all rounds, in the league's time zone."""
    local = tx.settings.stage_ends
    return None if local is None else moments_meant(datetime.fromisoformat(local), ZoneInfo(tx.league.time_zone))[0]


def time_runs_from(tx: Transaction) -> datetime:
    """Return from when on the days of a round count: now, or the end of the season's pause."""
    return pending_questions.runs_from(tx.season, tx.now)


def require_no_pause(tx: Transaction) -> None:
    """Raise WrongPhase while the season is paused."""
    if tx.season.paused_until is not None:
        raise WrongPhase(
            f"Season {tx.season.number} is paused, so no round is posted. /season pause shows until when, and can end"
            " it early. /round post shows a preview of the next round."
        )


def deadline_from(tx: ReadTransaction, start: datetime) -> datetime:
    """Return when a round of days that starts at a moment ends."""
    return end_of_round(start, tx.settings.round_days, tx.settings.round_ends, ZoneInfo(tx.league.time_zone))
