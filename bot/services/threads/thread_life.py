"""When a match gets its thread, when another, and when it's archived; a lost one is in `thread_notes.py`."""

from collections.abc import Sequence
from datetime import datetime

from bot.league.season.choices import MatchPlaces
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import find, taking_down
from bot.services.base.act import Act
from bot.services.base.events import (
    AccountChanged,
    MatchChanged,
    MatchReseated,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
)
from bot.services.base.promises import THREAD, thread_key
from storage.database import Connection
from storage.rows import MatchId, MatchRow
from storage.tables import matches, outbox, rounds, threads


def round_posted(do: Act, event: RoundPosted) -> None:
    """Promise each match of a round a thread, if its season has them."""
    _owe(do, event.matches)


def _owe(do: Act, pairs: Sequence[MatchRow]) -> None:
    if do.settings.match_places is not MatchPlaces.CARD:
        for match in pairs:
            do.owe(THREAD, match)


def match_changed(do: Act, event: MatchChanged) -> None:
    """Let the thread of a settled match be archived a day later, and that of one that is open again work again."""
    settled = event.after.state is MatchState.CONFIRMED
    threads.rest(do.conn, event.after.id, do.now if settled else None)


def match_reseated(do: Act, event: MatchReseated) -> None:
    """Promise a match of an open round that has another player a new thread; the old one is archived."""
    if event.round.phase is not RoundPhase.OPEN:
        return
    for post in outbox.of_round(do.conn, event.round.id):
        if post.kind == THREAD and post.match_id == event.match.id:
            text = "An organiser changed this pairing by hand, so this match isn't played."
            taking_down.end_thread(do.conn, post, text, now=do.now)
    threads.forget(do.conn, [event.match.id])
    _owe(do, [event.match])


def round_taken_back(do: Act, event: RoundTakenBack) -> None:
    """Forget the threads of matches that are taken back; their cards say why they're over."""
    threads.forget(do.conn, [match.id for match in event.matches])


def account_changed(do: Act, event: AccountChanged) -> None:
    """Let the match of a player who has a new account show it, and its thread let it in."""
    side, latest = find.seat_of(do, event.after), rounds.latest(do.conn, do.season.id)
    match = None if side is None or latest is None else matches.in_round(do.conn, latest.id, side.id)
    if match is not None:
        do.touch(match)


def archive(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Archive the thread of a match in which nothing has happened for a day after it was settled."""
    if match_id not in threads.to_archive(conn, now):
        return False
    threads.archive(conn, match_id)
    outbox.touch_key(conn, thread_key(match_id), now=now)
    return True


def season_over(do: Act, _: SeasonOver) -> None:
    """Let the threads of matches no one plays any more be archived a day later."""
    last = rounds.latest(do.conn, do.season.id)
    if last is not None:
        threads.rest_unfinished(do.conn, last.id, do.now)
