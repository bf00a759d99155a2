"""What waits for one person's answer: who may answer, when its time begins and ends, and that silence decides then.

The time to answer begins when the message that asks was sent, or at once where it can reach nobody; in a pause it
stands still, apart from that of a report (`stands_still`). Each subject declares its questions;
`bot/services/wiring.py` lists them all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from bot.league.errors import NotAllowed, NotFound
from bot.services.base.events import Paused
from bot.services.base.order import Order, by_bot
from bot.services.base.permissions import Actor
from bot.services.base.post_kinds import AnyKind
from bot.services.base.transaction import ORGANISER, Transaction, transaction
from storage import question_rows, rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.question_rows import QuestionRow, QuestionRows
from storage.rows import EntrantId, EntrantRow, SeasonRow
from storage.tables.field import entrants

GONE = "That question is gone: there's nothing left to answer."


Row = TypeVar("Row")


def _time_to_answer(season: SeasonRow) -> timedelta:
    return timedelta(hours=rules_season.settings_of(season).confirm_hours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A kind of question: the post that asks it, where it stands, and what silence does.

    `about` names the rows a message asked about. `silence` does what an answer would have done; the clock's log calls
    that `words`. Without it silence is looked at when something else happens. `begun` is what follows besides once the
    question was asked.
    """

    kind: AnyKind
    asked: QuestionRows
    about: Callable[[Connection, PostRow], Sequence[int]]
    words: str = ""
    silence: Callable[[Transaction, int], None] | None = None
    stands_still: bool = True
    time: Callable[[SeasonRow], timedelta] = _time_to_answer
    begun: Callable[[Connection, int, datetime], None] | None = None


_all: Sequence[Question] = ()


def wire(table: Sequence[Question]) -> None:
    """Ask these questions; called once, by `wiring`."""
    global _all
    _all = table


def with_silence() -> Sequence[Question]:
    """Return the questions that silence answers, in the order in which that is looked at."""
    return [question for question in _all if question.silence is not None]


def begin(conn: Connection, post: PostRow, now: datetime) -> None:
    """Let the time to answer begin: the question was sent; one asked again, or answered meanwhile, begins nothing."""
    for question in _all:
        if question.kind == post.kind:
            for row in question.about(conn, post):
                _begin(conn, question, row, now)


def asks(kind: AnyKind) -> bool:
    """Return whether posts of a kind ask someone, who has to be told of each new message of them."""
    return kind.for_moderators or any(question.kind == kind for question in _all)


def begin_at_once(tx: Transaction, kind: AnyKind, row: int) -> None:
    """Let the time to answer begin although no one can be asked: they have no Discord account."""
    _begin(tx.conn, _of(kind), row, tx.now)


def begin_again(tx: Transaction, kind: AnyKind, row: int) -> None:
    """Let the time to answer begin again once another message asks: of a new account, or another person in the seat."""
    question_rows.set_until(tx.conn, _of(kind).asked, row, None)


def found(row: Row | None) -> Row:
    """Return the question a button is about; raises NotFound where it's there no more."""
    if row is None:
        raise NotFound(GONE)
    return row


def require_asked(actor: Actor, account: int | None, called: str) -> None:
    """Raise NotAllowed for anyone but the one who is asked."""
    if account is None or actor.user_id != account:
        raise NotAllowed(f"Only {called} can answer this.")


def to_answer(
    conn: Connection, order: Order, entrant_id: EntrantId, *, own: bool = False
) -> tuple[Transaction, EntrantRow]:
    """Return an act of one who may answer, and the player it's about: organisers answer, or the player if it's `own`.

    Raises NotFound and NotAllowed.
    """
    player = entrants.get(conn, entrant_id)
    tx = transaction(conn, order, by=None if own else ORGANISER, season_id=player.season_id)
    if own:
        require_asked(order.actor, player.discord_id, player.called)
    return tx, player


def _of(kind: AnyKind) -> Question:
    return next(question for question in _all if question.kind is kind)


def _begin(conn: Connection, question: Question, row: int, now: datetime) -> None:
    question_row = question_rows.find(conn, question.asked, row)
    if question_row is not None and question_row.waits and question_row.until is None:
        question_rows.set_until(conn, question.asked, row, _end(question, question_row, now))
        if question.begun is not None:
            question.begun(conn, row, now)


def ends(conn: Connection, kind: AnyKind, row: int, sent: datetime) -> datetime:
    """Return until when a question can be answered: as it stands, or if it is sent at a moment."""
    question = _of(kind)
    question_row = found(question_rows.find(conn, question.asked, row))
    return question_row.until or _end(question, question_row, sent)


def _end(question: Question, row: QuestionRow, sent: datetime) -> datetime:
    begins = runs_from(row.season, sent) if question.stands_still else sent
    until = begins + question.time(row.season)
    return until if row.latest is None else max(min(until, row.latest), begins)


def runs_from(season: SeasonRow, now: datetime) -> datetime:
    """Return from when on a time counts that begins now: at once, or from the end of the season's pause."""
    return now if season.paused_until is None else max(now, season.paused_until)


def silent(question: Question, conn: Connection, now: datetime) -> Sequence[int]:
    """Return the questions of a kind nobody answered in time, for the clock."""
    return question_rows.silent(conn, question.asked, now, in_pause=not question.stands_still)


def lapse(question: Question, conn: Connection, row: int, now: datetime) -> bool:
    """Let silence answer a question; False where something happened meanwhile."""
    if not question_rows.silent(conn, question.asked, now, in_pause=not question.stands_still, only=row):
        return False
    tx = transaction(conn, by_bot(now), season_id=found(question_rows.find(conn, question.asked, row)).season.id)
    assert question.silence is not None
    question.silence(tx, row)
    return True


def paused(tx: Transaction, event: Paused) -> None:
    """Let what can be answered wait longer, or less long where the pause ends early."""
    questions = [question for question in with_silence() if question.stands_still]
    for question in questions:
        question_rows.move(tx.conn, question.asked, tx.season.id, after=event.after, seconds=event.seconds)
    tx.invalidate(None, *(question.kind for question in questions))
