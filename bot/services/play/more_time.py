"""More time for one match: what moves its deadline, and how much it gets when it's open again."""

from datetime import datetime, timedelta

from bot.league.errors import Invalid
from bot.league.season.phases import MatchState
from bot.league.season.round_end import end_after_reopening
from bot.services.base.act import Act
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play.round_length import time_runs_from
from storage.tables import matches

MOST_DAYS = 365
OVER = "The time to play it is over."
PLAY = "Play your match and report it."


def more_days(days: int) -> str:
    """Return how many days more, in words; raises Invalid for none and for too many."""
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"A deadline can be moved by 1 to {MOST_DAYS} days, not by {days}.")
    return f"{days} more {'day' if days == 1 else 'days'}"


def give_days(do: Act, view: MatchView, days: int) -> datetime:
    """Give a match more days, counted from its deadline or, if that is over, from now or the end of a pause.

    Returns the new deadline.
    """
    before = view.deadline or do.now
    after = max(before, time_runs_from(do)) + timedelta(days=days)
    matches.set_time(do.conn, view.match.id, deadline=after, overdue_at=None)
    do.touch(view.match)
    moved = [{"deadline": int(moment.timestamp())} for moment in (before, after)]
    do.note("round.extend", view.label, before=moved[0], after=moved[1])
    return after


def open_again(do: Act, view: MatchView, *, by_players: bool = False) -> MatchView:
    """Return a match that is open again, with time to play it where little or nothing is left of it.

    What its players bring about themselves gives it once, what organisers and moderators decide each time. Who tells
    the players of it reminds them by that.
    """
    view = views.match_view(do.conn, view.match.id)
    round_, own = view.round, view.deadline
    begun = round_.clock_started_at or (round_.posted_at and round_.posted_at + timedelta(seconds=round_.paused))
    if view.match.state is not MatchState.OPEN or own is None or round_.deadline is None or begun is None:
        return view
    until = end_after_reopening(own, time_runs_from(do), round_.deadline - begun)
    if until <= own or (by_players and view.match.got_time):
        return view
    matches.set_time(do.conn, view.match.id, deadline=until, overdue_at=None, reminded_at=do.now)
    if by_players:
        matches.got_time(do.conn, view.match.id)
    do.touch(view.match)
    moved = [{"deadline": int(moment.timestamp())} for moment in (own, until)]
    do.by_itself().note("match.more-time", view.label, before=moved[0], after=moved[1])
    return views.match_view(do.conn, view.match.id)


def is_over(do: Act, view: MatchView) -> bool:
    """Whether nothing is left of a match's time."""
    return view.deadline is not None and view.deadline <= do.now
