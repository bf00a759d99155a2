"""Players who move up into the finals are asked first, and the finals wait for the answer (KTC, Making a Cut)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league import coming_and_going
from bot.services.base import find, pending_questions
from bot.services.base.events import AccountChanged, ResultsMissing, SeatTaken
from bot.services.base.outbox import BOARD
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, Until, about_season, known, there
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.play.time_to_play import deadline_now
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow
from storage.tables.field import entrants, finals_places
from storage.tables.field.finals_places import FinalsPlaceAnswer, FinalsPlaceId, FinalsPlaceRow
from storage.tables.people.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingUpFacts(Facts):
    """Which place in the finals a question is about."""

    place_id: FinalsPlaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingUpPost(SeasonPost):
    """The question to a player whether they move up into the finals, and until when they can say so."""

    player: EntrantRow
    asked: FinalsPlaceRow
    until: datetime


def _load(conn: Connection, post: PostRow, _: datetime) -> MovingUpPost:
    """Load the question to a player who moves up; raises Gone where it's answered."""
    row = there(finals_places.find(conn, MOVING_UP.facts(post).place_id))
    if row.answered_at is not None:
        raise Gone
    player = entrants.get(conn, row.entrant_id)
    league, season = about_season(conn, post)
    return MovingUpPost(
        league=league,
        season=season,
        player=player,
        asked=row,
        until=pending_questions.ends(conn, MOVING_UP, row.id, post.created_at),
        ping_ids=known([player.discord_id]),
    )


MOVING_UP = PostKind(
    "moving-up", MovingUpFacts, topic=Topic.QUESTION, personal=True, until=Until.SEASON_ENDS, load=_load
)


def ask(tx: Transaction) -> tuple[FinalsPlaceRow, ...]:
    """Ask who moves up into the finals that come next, each once, and return those who haven't answered."""
    names = coming_and_going.moving_up(rules_season.load(tx.conn, tx.season.id))
    ids = entrants.ids_of(tx.conn, tx.season.id)
    moving = [ids[name] for name in names]
    asked = {row.entrant_id: row for row in finals_places.of_season(tx.conn, tx.season.id)}
    for row in asked.values():
        if row.answered_at is None and row.entrant_id not in moving:
            close(tx, row, FinalsPlaceAnswer.GONE)
    for entrant_id in moving:
        row = asked.get(entrant_id)
        if row is None or (row.answered_at is not None and row.how is not FinalsPlaceAnswer.PLAYS):
            _ask(tx, entrants.get(tx.conn, entrant_id), row)
    return waiting(tx)


def waiting(tx: ReadTransaction) -> tuple[FinalsPlaceRow, ...]:
    """Return the questions of a season that nobody has answered, the first asked first."""
    return tuple(row for row in finals_places.of_season(tx.conn, tx.season.id) if row.answered_at is None)


def finals_wait(tx: ReadTransaction) -> bool:
    """Whether the finals of a season wait for someone's answer, or for the end of a pause after it."""
    return any(row.posted_at is None for row in finals_places.of_season(tx.conn, tx.season.id))


def _ask(tx: Transaction, player: EntrantRow, before: FinalsPlaceRow | None) -> None:
    fresh = {
        "asked_at": tx.now,
        "latest": deadline_now(tx),
        "until": None,
        "answered_at": None,
        "how": None,
        "posted_at": None,
    }
    if before is None:
        row = finals_places.add(tx.conn, entrant_id=player.id, **fresh)
    else:
        row = finals_places.change(tx.conn, before.id, **fresh)
    if player.discord_id is None:
        pending_questions.begin_at_once(tx, MOVING_UP, row.id)
    tx.enqueue(MOVING_UP, MovingUpFacts(place_id=row.id), once=_word(row), people=[player.discord_id])
    tx.note("entrant.ask_moving_up", player.name)
    tx.invalidate(None, BOARD)


def _word(row: FinalsPlaceRow) -> str:
    return f"{row.id} {int(row.asked_at.timestamp())}"


def seat_taken(tx: Transaction, event: SeatTaken) -> None:
    """Ask the person who takes a seat what the one before them was asked."""
    _ask_again(tx, event.after)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask a player's new account what the one before it was asked."""
    player = find.seat_of(tx, event.after)
    if player is not None:
        _ask_again(tx, player)


def _ask_again(tx: Transaction, player: EntrantRow) -> None:
    """Ask a new account, or another person in the seat, what was asked before."""
    for row in waiting(tx):
        if row.entrant_id == player.id:
            close(tx, row, FinalsPlaceAnswer.GONE)
            _ask(tx, player, row)


def left(tx: Transaction, player: EntrantRow) -> None:
    """Ask a player who leaves the season nothing any more; the next is asked where the finals still wait."""
    for row in waiting(tx):
        if row.entrant_id == player.id:
            close(tx, row, FinalsPlaceAnswer.GONE)


def results_missing(tx: Transaction, _: ResultsMissing) -> None:
    """Take all questions back, because results are missing again: who moves up is asked once they are in."""
    for row in waiting(tx):
        close(tx, row, FinalsPlaceAnswer.GONE)


def close(tx: Transaction, row: FinalsPlaceRow, how: FinalsPlaceAnswer) -> None:
    """Note what came of a question and delete its message."""
    finals_places.change(tx.conn, row.id, answered_at=tx.now, how=how)
    tx.retract(MOVING_UP, once=_word(row))
    tx.invalidate(None, BOARD)
