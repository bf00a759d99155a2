"""When a match gets its thread, when another, and when one is archived; a lost one is in `thread_notes.py`.

A group whose matches are all open gets its thread with its card (`matches/group_cards.py`).
"""

from collections.abc import Sequence
from datetime import datetime

from bot.league.season.choices import MatchPlaces
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import find, outbox, retracting
from bot.services.base.events import (
    AccountChanged,
    MatchChanged,
    MatchReseated,
    RoundPosted,
    SeasonOver,
)
from bot.services.base.outbox import THREAD, ThreadFacts, thread_key
from bot.services.base.transaction import Transaction
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, MatchRow
from storage.tables import matches, rounds, threads
from storage.tables.outbox import outbox_rows


def round_posted(tx: Transaction, event: RoundPosted) -> None:
    """Promise each match of a round a thread, if its season has them; where all are open at once a group has one."""
    if not event.round.together:
        _enqueue(tx, event.matches)


def _enqueue(tx: Transaction, pairs: Sequence[MatchRow]) -> None:
    if tx.settings.match_places is not MatchPlaces.CARD:
        for match in pairs:
            tx.enqueue(THREAD, ThreadFacts(), match)


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """Let the thread of settled matches be archived a day later, and that of one that is open again work again."""
    match, settled = event.after, event.after.state is MatchState.CONFIRMED
    threads.rest(tx.conn, match.id, tx.now)
    was_settled = event.before.state is MatchState.CONFIRMED
    if settled != was_settled and not (settled and threads.to_play(tx.conn, match.id)):
        outbox.invalidate_thread(tx.conn, match, now=tx.now)


def match_reseated(tx: Transaction, event: MatchReseated) -> None:
    """Promise a match of an open round that has another player a new thread; the old one is archived."""
    if event.round.phase is not RoundPhase.OPEN:
        return
    for post in outbox_rows.of_round(tx.conn, event.round.id):
        if post.kind == THREAD and post.match_id == event.match.id:
            text = "An organiser changed this pairing by hand, so this match isn't played."
            retracting.end_thread(tx.conn, post, text, now=tx.now)
    threads.forget(tx.conn, [event.match.id])
    _enqueue(tx, [event.match])


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Let the matches of a player who has a new account show it, and their threads let it in."""
    side = find.seat_of(tx, event.after)
    for match in () if side is None else _shown_last(tx, side):
        tx.invalidate(match)
        outbox.invalidate_thread(tx.conn, match, now=tx.now)


def _shown_last(tx: Transaction, side: EntrantRow) -> tuple[MatchRow, ...]:
    """Return a player's matches in the rounds being played, or the one of the last round."""
    latest, open_ = rounds.latest(tx.conn, tx.season.id), matches.in_open_rounds(tx.conn, tx.season.id, side.id)
    last = None if latest is None else matches.in_round(tx.conn, latest.id, side.id)
    return open_ or (() if last is None else (last,))


def archive(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Archive the thread a match keeps, in which nothing has happened for a day after all it's about was settled."""
    if match_id not in threads.to_archive(conn, now):
        return False
    threads.archive(conn, match_id)
    outbox_rows.invalidate_key(conn, thread_key(match_id), now=now)
    return True


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Let the threads of matches no one plays any more be archived a day later."""
    last = rounds.latest(tx.conn, tx.season.id)
    for row in () if last is None else rounds.at_once(tx.conn, last):
        threads.rest_unfinished(tx.conn, row.id, tx.now)
