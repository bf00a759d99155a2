"""The clock of a live round: the organiser starts it, warnings are promised for their moments.

See docs/formats/time-called.md.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.league.errors import Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.season.choices import Game, Pace
from bot.league.season.in_words import amount
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import outbox
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import RoundReopened
from bot.services.base.order import Order
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Until, known
from bot.services.base.transaction import ORGANISER, Transaction, playing, transaction
from bot.services.matches import views
from bot.services.matches.views import RoundView
from bot.services.play.round_posts import view_of
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import RoundRow
from storage.tables import matches, rounds
from storage.tables.field import entrants
from storage.tables.people.notify import Topic

WARNINGS = (10, 5, 0)
"""Minutes before the end at which something is said; at 0 time is called."""

MOST_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFacts(Facts):
    """The minutes of a round, how many of them are left (None as it starts), and when it ends."""

    left: int | None
    minutes: int
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPost(Post):
    """The clock of a live round: it starts (`left` None), so many minutes are left, or time is called (0)."""

    view: RoundView
    game: Game | None
    left: int | None
    minutes: int
    ends_at: datetime


def _load(conn: Connection, post: PostRow, _: datetime) -> ClockPost:
    """Load what the clock says; its warnings mention the players whose matches nobody has reported.

    A match that is open again can have more time: its players were told until when. Raises Gone for a warning where no
    match ends with the round.
    """
    view, facts = view_of(conn, post), CLOCK.facts(post)
    ending = [
        match for match in view.matches if match.match.state is MatchState.OPEN and match.deadline == facts.ends_at
    ]
    if facts.left is not None and not ending:
        raise Gone
    players = [side.discord_id for match in ending for side in match.sides]
    return ClockPost(
        view=view,
        game=by_key(view.season.format).game_of(rules_season.settings_of(view.season)),
        left=facts.left,
        minutes=facts.minutes,
        ends_at=facts.ends_at,
        ping_ids=() if facts.left is None else known(players),
    )


CLOCK = PostKind("clock", ClockFacts, topic=Topic.DEADLINE, until=Until.ROUND_CLOSES, load=_load)


def start(conn: Connection, order: Order, *, minutes: int | None = None, agreed: str | None = None) -> RoundView:
    """Start the open round's clock, by default with the minutes of its document; started again, it begins again.

    Raises NotAllowed, WrongPhase, Invalid where no document says how long the round lasts, and ConfirmationNeeded where
    it runs.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    row = _timed_round(tx)
    length = _length(tx, row, minutes)
    ends_at = order.now + timedelta(minutes=length)
    # Pressed twice within a second: the same clock, and the same posts.
    if (row.clock_started_at, row.deadline) != (order.now.replace(microsecond=0), ends_at.replace(microsecond=0)):
        if row.clock_started_at is not None:
            again = f"The clock of {row.words} begins again: {amount(length, 'minute')} from now."
            require_confirmation(
                f"{again} The end that was posted doesn't hold any more, and a new one is posted.", agreed
            )
        _run(tx, row, length)
        before = {"deadline": row.deadline and int(row.deadline.timestamp())}
        after = {"deadline": int(ends_at.timestamp()), "minutes": length}
        tx.note("round.start-clock", row.words, before=before, after=after)
    return views.round_view(tx.conn, row.id)


def _timed_round(tx: Transaction) -> RoundRow:
    if tx.settings.pace is not Pace.LIVE:
        raise WrongPhase(
            f"Rounds of season {tx.season.number} last days, so there's no clock: /round extend moves a deadline. "
            "A live event needs another pace: when you prepare the season with /season create, choose it under "
            "All settings, Time and results."
        )
    row = rounds.latest(tx.conn, tx.season.id)
    if row is None or row.phase is not RoundPhase.OPEN:
        raise WrongPhase("No round is open now. /round post publishes the next one; then start its clock.")
    if not matches.count_unfinished(tx.conn, row.id):
        raise WrongPhase(f"All results of {row.words} are in, so there's nothing left to time.")
    return row


def _length(tx: Transaction, row: RoundRow, minutes: int | None) -> int:
    if minutes is not None:
        if not 1 <= minutes <= MOST_MINUTES:
            raise Invalid(f"A round lasts 1 to {MOST_MINUTES} minutes, not {minutes}.")
        return minutes
    record = rules_season.load(tx.conn, tx.season.id)
    round_ = next(round_ for round_ in record.rounds if round_.number == row.number)
    by_document = by_key(tx.season.format).minutes(record, round_)
    if by_document is None:
        raise Invalid("The rules don't say how long this round lasts. Give its minutes, for example minutes:50.")
    return by_document


def _run(tx: Transaction, row: RoundRow, length: int) -> None:
    """Set the round's clock and enqueue its posts; what an earlier clock still had to say is cancelled."""
    ends_at = tx.now + timedelta(minutes=length)
    outbox.cancel_unsent(tx.conn, row, CLOCK, now=tx.now)
    timed = rounds.change(tx.conn, row.id, clock_started_at=tx.now, deadline=ends_at)
    matches.forget_overdue(tx.conn, row.id, ends_at)
    tx.invalidate(timed)
    for left in (None, *WARNINGS):
        if left is None or left < length:
            _enqueue(tx, timed, length, left, ends_at)


def round_reopened(tx: Transaction, event: RoundReopened) -> None:
    """Enqueue what the clock of a round that is open again still has to say: its end took that back."""
    row = event.round
    if row.clock_started_at is None or row.deadline is None:
        return
    length = int((row.deadline - row.clock_started_at).total_seconds()) // 60
    for left in WARNINGS:
        if left < length and row.deadline - timedelta(minutes=left) > tx.now:
            _enqueue(tx, row, length, left, row.deadline)


def _enqueue(tx: Transaction, row: RoundRow, length: int, left: int | None, ends_at: datetime) -> None:
    """Enqueue one thing the clock says; a warning is of no use once the next one is due."""
    later = [warning for warning in WARNINGS if warning < (length if left is None else left)]
    tx.enqueue(
        CLOCK,
        ClockFacts(left=left, minutes=length, ends_at=ends_at),
        row,
        people=[entrant.discord_id for entrant in entrants.of_season(tx.conn, tx.season.id)],
        due_at=tx.now if left is None else ends_at - timedelta(minutes=left),
        expires_at=ends_at - timedelta(minutes=later[0]) if later else None,
    )
