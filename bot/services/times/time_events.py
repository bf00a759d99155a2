"""An agreed time: kept, told to both, reminded of, and what becomes of it when its match changes or is taken back."""

from datetime import datetime, timedelta

from bot.league.season.phases import MatchState
from bot.services.base.events import MatchChanged, MatchPrepared, MatchReseated, RoundTakenBack
from bot.services.base.transaction import Transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.times.time_posts import AGREED, TIME_REMINDER, TIMES, StartFacts
from storage.rows import EntrantRow, MatchRow
from storage.tables import matches, times
from storage.tables.times import TimeAnswer

AHEAD = (timedelta(hours=24), timedelta(hours=1))
"""How long before the agreed time both players are reminded."""
_POSTS = (TIMES, AGREED, TIME_REMINDER)


def agree(tx: Transaction, view: MatchView, proposer: EntrantRow, start: datetime) -> MatchView:
    """Let a start proposed by one player count, which the other accepted; both are told."""
    times.end_proposals(tx.conn, view.match.id, TimeAnswer.ACCEPTED, tx.now, by=proposer.id, accepted=start)
    before = view.match.agreed_at
    withdraw(tx, view.match)
    matches.change(tx.conn, view.match.id, agreed_at=start)
    after = views.match_view(tx.conn, view.match.id)
    facts = StartFacts(at=start, to=proposer.discord_id)
    tx.enqueue(AGREED, facts, after.match, people=[proposer.discord_id], expires_at=start)
    _remind(tx, after)
    tx.invalidate(after.match)
    was = {"at": int(before.timestamp())} if before else None
    tx.note("match.time", view.label, before=was, after={"at": int(start.timestamp()), "proposed by": proposer.called})
    tx.happened(MatchPrepared(match=after.match))
    return after


def _remind(tx: Transaction, view: MatchView) -> None:
    """Enqueue the reminders of the agreed time whose moment is still to come."""
    start, people = view.match.agreed_at, [side.discord_id for side in view.sides]
    for ahead, next_ in zip(AHEAD, (*AHEAD[1:], timedelta()), strict=True):
        if start is not None and tx.now < start - ahead:
            facts, due, over = StartFacts(at=start), start - ahead, start - next_
            tx.enqueue(TIME_REMINDER, facts, view.match, people=people, due_at=due, expires_at=over)


def withdraw(tx: Transaction, match: MatchRow) -> None:
    """Close what was proposed for a match, and delete the messages about its time."""
    times.end_proposals(tx.conn, match.id, TimeAnswer.LAPSED, tx.now)
    tx.retract_all(match, *_POSTS)


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """Let go of the times of a match that isn't open any more; remind again of one that is open once more."""
    withdraw(tx, event.after)
    if event.after.state is MatchState.OPEN and event.after.agreed_at is not None:
        _remind(tx, views.match_view(tx.conn, event.after.id))


def match_reseated(tx: Transaction, event: MatchReseated) -> None:
    """Forget the times of a match that gets another player."""
    withdraw(tx, event.match)


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Forget the times of matches that are taken back."""
    times.forget(tx.conn, [match.id for match in event.matches])


AUDIT_WORDS = {
    "match.propose-times": "{}: times were proposed",
    "match.time": "{}: a time was agreed on",
    "player.availability": "{} set their time zone or hours",
    "player.availability-gone": "{} deleted their time zone and hours",
}
"""What the audit log says of times and hours."""
