"""A break in a season: no new round is posted, and deadlines and times to answer move by its length.

The time to answer a report doesn't move: silence confirms it in a pause too.
What moves listens to `Paused`: questions in `base/pending_questions.py`, deadlines in `play/deadlines.py`.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid
from bot.league.season.phases import PLAYING
from bot.services.base import hooks, post_kinds
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import Paused
from bot.services.base.order import Order, by_bot
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, about_season, known
from bot.services.base.transaction import (
    ORGANISER,
    ReadTransaction,
    Transaction,
    playing,
    read_transaction,
    transaction,
)
from bot.services.play import progression
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import RoundRow, SeasonId, SeasonRow
from storage.tables import rounds
from storage.tables.field import entrants
from storage.tables.people.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseFacts(Facts):
    """Until when the season was paused; None for its end."""

    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PausePost(SeasonPost):
    """A pause, or its early end where `season` isn't paused; `round` is the open one, if its deadline still counts."""

    round: RoundRow | None


def _load(conn: Connection, post: PostRow, _: datetime) -> PausePost:
    """Load what a post about a pause shows; raises Gone where the pause has changed before it was sent."""
    league, season = about_season(conn, post)
    if season.phase not in PLAYING or season.paused_until != PAUSE.facts(post).until:
        raise Gone
    row = _open(conn, season)
    return PausePost(
        league=league,
        season=season,
        round=None if row is None or row.deadline is None else row,
        ping_ids=known(entrant.discord_id for entrant in entrants.of_season(conn, season.id) if entrant.active),
    )


PAUSE = PostKind("pause", PauseFacts, topic=Topic.DEADLINE, load=_load)


def paused(conn: Connection, order: Order) -> SeasonRow:
    """Return the season that is played, for an organiser; raises NotAllowed and WrongPhase."""
    return read_transaction(conn, order, playing, by=ORGANISER).season


def pause(conn: Connection, order: Order, *, until: datetime, agreed: str | None = None) -> SeasonRow:
    """Pause the season until a moment, or move the end of its pause.

    Raises ConfirmationNeeded, and Invalid for the past.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    if until <= order.now:
        raise Invalid("until: that time has passed. Try 3d, or a date such as 2026-12-01 18:00.")
    before = tx.season.paused_until
    if before == until:
        return tx.season
    require_confirmation(_what_it_does(tx), agreed)
    _move(tx, before or order.now, until)
    tx.change_season(paused_until=until)
    _note(tx, "season.pause", before)
    _tell(tx)
    return tx.season


def end(conn: Connection, order: Order, *, agreed: str | None = None) -> SeasonRow:
    """End the pause now: deadlines move back by what is left of it.

    Raises ConfirmationNeeded, and Conflict for no pause.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    before = tx.season.paused_until
    if before is None:
        raise Conflict(f"Season {tx.season.number} isn't paused. /season pause starts a pause.")
    moved = _deadline_to_move(tx, before) is not None
    keeps = "A match whose players agreed on a later time keeps its deadline."
    back = f"Open deadlines move back by what is left of the pause. {keeps} " if moved else ""
    require_confirmation(f"{back}The next round comes as soon as the rules say, and players are told.", agreed)
    _move(tx, before, order.now)
    tx.change_season(paused_until=None)
    _note(tx, "season.resume", before)
    _tell(tx)
    progression.advance(tx)
    return tx.season


def resume(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Go on after a pause; False where it was ended or made longer meanwhile."""
    tx = transaction(conn, by_bot(now), season_id=season_id)
    before = tx.season.paused_until
    if tx.season.phase not in PLAYING or before is None or before > now:
        return False
    tx.change_season(paused_until=None)
    _note(tx, "season.resume", before)
    _show(tx)
    progression.advance(tx)
    return True


def _move(tx: Transaction, old: datetime, new: datetime) -> None:
    """Move everything due after `old`, the end of the pause so far (or now), as far as it moves."""
    seconds = int(new.timestamp()) - int(old.timestamp())
    tx.happened(Paused(after=old, seconds=seconds))
    tx.invalidate(None, *(kind for kind in post_kinds.every() if kind.pauses))


def _what_it_does(tx: Transaction) -> str:
    old = tx.season.paused_until
    row = _deadline_to_move(tx, old or tx.now)
    first = "No new round is posted before then; /round post still shows a preview."
    words = "" if row is None else row.stage_words
    moved = f" The deadline of {words} and its reminders move by the length of the pause." if words else ""
    moved += "" if (timed := _timed_round(tx)) is None else f" The clock of {timed.words} runs on."
    also = "".join(f" {cost}" for cost in hooks.costs_of_pausing(tx))
    same = (
        " Times players agreed on stay. Reports still count without an answer; other questions wait that much longer."
    )
    return f"{first}{moved}{also}{same} Players are told. You can end the pause early."


def _timed_round(tx: Transaction) -> RoundRow | None:
    """Return the open live round whose clock runs, which no pause moves, if any."""
    row = _round_until(tx, tx.now)
    return None if row is None or row.clock_started_at is None else row


def _deadline_to_move(tx: ReadTransaction, after: datetime) -> RoundRow | None:
    """Return the open round whose deadline a pause moves, if any; the clock of a live round runs on."""
    row = _round_until(tx, after)
    return None if row is None or row.clock_started_at is not None else row


def _round_until(tx: ReadTransaction, after: datetime) -> RoundRow | None:
    """Return the open round whose deadline lies after a moment, if any."""
    row = _open(tx.conn, tx.season)
    return None if row is None or row.deadline is None or row.deadline <= after else row


def _open(conn: Connection, season: SeasonRow) -> RoundRow | None:
    """Return the open round, the first of those that are played at once; None between rounds."""
    return next(iter(rounds.open_rounds(conn, season.id)), None)


def _note(tx: Transaction, action: str, before: datetime | None) -> None:
    was, is_ = ({"until": moment and int(moment.timestamp())} for moment in (before, tx.season.paused_until))
    tx.note(action, f"season {tx.season.number}", before=was, after=is_)


def _tell(tx: Transaction) -> None:
    """Tell the players once how it is now; what an earlier pause still had to say is cancelled."""
    _show(tx)
    people = [entrant.discord_id for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active]
    tx.enqueue(PAUSE, PauseFacts(until=tx.season.paused_until), people=people)


def _show(tx: Transaction) -> None:
    """Have the board and the cards of the open round and its matches say how it is now."""
    tx.invalidate()
    for row in rounds.open_rounds(tx.conn, tx.season.id):
        tx.invalidate(row)
