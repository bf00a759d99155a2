"""The places of a season: the players who wait for one, and who is asked when one becomes free."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.season.phases import SeasonPhase
from bot.services.base import hooks, pending_questions
from bot.services.base.events import (
    AccountChanged,
    FieldChanged,
    PlayerBanned,
    PlayerForgotten,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
    SettingsChanged,
)
from bot.services.base.order import by_bot
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.pending_questions import Question
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, Shows, known, there
from bot.services.base.transaction import ReadTransaction, Transaction, read_transaction
from bot.services.play.field import eligibility
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import PlayerRow
from storage.tables import audit
from storage.tables.field import entrants
from storage.tables.people import players
from storage.tables.people.notify import Topic
from storage.tables.signups import join_requests, waitlist
from storage.tables.signups.waitlist import WaitingId, WaitingRow

CLOSED = "waitlist.close"
"""What the audit log calls it, with who waited: they wait again where the round that closed the list is undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceFacts(Facts):
    """Which wish for a place a question is about."""

    waiting_id: WaitingId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacePost(SeasonPost):
    """The question to the first who waits whether they take a free place, until `until`; `first` is their first round.

    Before the season starts that is round 1.
    """

    waiting: WaitingRow
    first: int
    until: datetime


def _load(conn: Connection, post: PostRow, now: datetime) -> PlacePost:
    """Load the question to a player who waits; raises Gone where it's answered, or no place is free any more."""
    row = there(waitlist.find(conn, PLACE.facts(post).waiting_id))
    if row.asked_at is None:
        raise Gone
    tx = read_transaction(conn, by_bot(now), season_id=row.season_id)
    until = pending_questions.ends(conn, PLACE, row.id, post.created_at)
    return PlacePost(
        league=tx.league,
        season=tx.season,
        waiting=row,
        first=1 if tx.season.phase is SeasonPhase.SIGNUP else eligibility.next_round(tx),
        until=min(until, tx.season.signups_close or until),
        ping_ids=known([row.discord_id]),
    )


PLACE = PostKind("place", PlaceFacts, topic=Topic.QUESTION, personal=True, shows=Shows.SEASON, load=_load)


def taken(tx: ReadTransaction) -> int:
    """Return how many are in the season."""
    return sum(entrant.active for entrant in entrants.of_season(tx.conn, tx.season.id))


def free(tx: ReadTransaction) -> int | None:
    """Return how many places no one has or waits for, perhaps below zero; None where there's no limit."""
    limit = tx.settings.max_players
    waiting = waitlist.of_season(tx.conn, tx.season.id)
    return None if limit is None else limit - taken(tx) - len(waiting)


def offer(tx: Transaction) -> None:
    """Ask the first who wait whether they take the free places; one that isn't free any more isn't offered any more."""
    waiting = waitlist.of_season(tx.conn, tx.season.id)
    if not waiting:
        return
    asked = [row for row in waiting if row.asked_at is not None]
    limit = tx.settings.max_players
    left = len(waiting) if limit is None else limit - taken(tx)
    for row in asked[max(left, 0) :]:
        _release(tx, row)
        waitlist.change(tx.conn, row.id, asked_at=None, until=None)
        tx.note("waitlist.withdraw-place", row.name)
    unasked = [row for row in waiting if row.asked_at is None]
    for row in unasked[: max(left - len(asked), 0)]:
        _ask(tx, row)


def _ask(tx: Transaction, row: WaitingRow) -> None:
    waitlist.change(tx.conn, row.id, asked_at=tx.now)
    _enqueue(tx, row)
    tx.note("waitlist.ask", row.name)


def _enqueue(tx: Transaction, row: WaitingRow) -> None:
    tx.enqueue(PLACE, PlaceFacts(waiting_id=row.id), once=str(row.id), people=[row.discord_id])


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask a player with a new account about the place kept for them; the time to take it begins again."""
    row = waitlist.by_player(tx.conn, tx.season.id, event.after.id)
    if row is not None and row.asked_at is not None:
        _release(tx, replace(row, discord_id=event.before.discord_id))
        waitlist.change(tx.conn, row.id, until=None)
        _enqueue(tx, row)


def _release(tx: Transaction, row: WaitingRow) -> None:
    """Delete the question to a player, which may be asked again."""
    tx.retract(PLACE, once=str(row.id))


def leave(tx: Transaction, row: WaitingRow, action: str) -> None:
    """Take a player off the waiting list, for the reason the audit log gives; a place kept for them is offered on."""
    take_off(tx, row, action)
    offer(tx)
    tx.invalidate()


def take_off(tx: Transaction, row: WaitingRow, action: str) -> None:
    """Take a player off the waiting list without asking the next."""
    _release(tx, row)
    waitlist.remove(tx.conn, row.id)
    tx.note(action, row.name)


def _lapse(tx: Transaction, waiting_id: int) -> None:
    """Offer a place to the next on the waiting list where the one asked was silent."""
    row = waitlist.get(tx.conn, WaitingId(waiting_id))
    leave(tx, row, "waitlist.lapse")
    tx.tell(
        f"{row.name}, the free place in season {tx.season.number} is there for others again. Still interested? Use "
        "/signup.",
        kind=OWN_PLACE,
        pings=[row.discord_id],
    )


PLACE_ANSWER = Question(
    kind=PLACE,
    asked=waitlist.ASKED,
    about=lambda _, post: [PLACE.facts(post).waiting_id],
    words="offer place {} to the next",
    silence=_lapse,
)
"""Whether the first who waits takes a free place."""


def field_changed(tx: Transaction, _: FieldChanged | SettingsChanged) -> None:
    """Offer the places that became free; one that isn't free any more isn't offered any more."""
    offer(tx)


def seat_taken(tx: Transaction, event: SeatTaken) -> None:
    """Let a substitute wait no more for a place of their own: one person has one seat a season."""
    queued = waitlist.by_player(tx.conn, tx.season.id, event.person.id)
    if queued is not None:
        leave(tx, queued, "waitlist.substitute")


def player_forgotten(tx: Transaction, event: PlayerForgotten) -> None:
    """Let someone who is forgotten wait no more."""
    queued = waitlist.by_player(tx.conn, tx.season.id, event.player.id)
    if queued is not None:
        leave(tx, queued, "waitlist.forget")


def player_banned(tx: Transaction, event: PlayerBanned) -> None:
    """Let someone who is banned wait no more."""
    queued = None if tx.found is None else waitlist.by_player(tx.conn, tx.season.id, event.player.id)
    if queued is not None:
        leave(tx, queued, "waitlist.ban")


def round_posted(tx: Transaction, _: RoundPosted) -> None:
    """Tell those who wait that the season has started; once no one can enter any more, the list is closed."""
    waiting = waitlist.of_season(tx.conn, tx.season.id)
    if not waiting:
        return
    tx.invalidate(None, PLACE)  # it says which rounds are missed
    number, first = tx.season.number, eligibility.next_round(tx)
    unasked = [row.discord_id for row in waiting if row.asked_at is None]
    if not eligibility.takes_players(tx):
        _close(tx, waiting)
    elif first == 2 and unasked:
        tx.tell(
            f"Season {number} has started, and all places are taken. You stay on the waiting list and can still get "
            f"a place until round {tx.settings.late_entry} is paired. /drop takes you off the list.",
            pings=unasked,
            once="the waiting list, told of the start",
        )


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Let those wait again, in their order, whose list was closed as this round was posted."""
    posted = eligibility.closed_doors_at(tx, event.round)
    closed = None if posted is None else audit.noted_at(tx.conn, tx.season.id, CLOSED, posted)
    names = () if closed is None or closed.before is None else closed.before["waiting"]
    known = (players.by_name(tx.conn, tx.league.id, name) for name in names)
    people = {player.id: player for player in known if player is not None}  # two names may be one player's now
    again = [player for player in people.values() if can_wait(tx, player)]
    if not again:
        return
    for player in again:
        waitlist.add(tx.conn, season_id=tx.season.id, player_id=player.id)
    tx.note("waitlist.open", f"season {tx.season.number}", after={"waiting": [player.name for player in again]})
    text = f"Round {event.round.number} was undone, so you're on the waiting list of season {tx.season.number} again"
    tx.tell(
        f"{text}, in the same order. /drop takes you off the list.",
        kind=OWN_PLACE,
        pings=[player.discord_id for player in again],
    )
    offer(tx)
    tx.invalidate()


def can_wait(tx: Transaction, player: PlayerRow) -> bool:
    """Whether someone who wanted to join can still get in: they have an account and no place, and aren't banned."""
    inside = entrants.by_player(tx.conn, tx.season.id, player.id)
    queued = waitlist.by_player(tx.conn, tx.season.id, player.id)
    asks = join_requests.of_player(tx.conn, tx.season.id, player.id)
    return player.discord_id is not None and inside is queued is asks is None and hooks.is_welcome(tx, player)


def _close(tx: Transaction, waiting: Sequence[WaitingRow]) -> None:
    """Tell those who still wait that there's no place for them this season."""
    _tell_closed(tx, f"Season {tx.season.number} takes no more players", waiting)
    _clear(tx, waiting)


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Take everyone off the waiting list, and tell them: no one waits for a place any more."""
    waiting = waitlist.of_season(tx.conn, tx.season.id)
    if waiting:
        _tell_closed(tx, f"Season {tx.season.number} is over", waiting)
    _clear(tx, waiting)


def _tell_closed(tx: Transaction, why: str, waiting: Sequence[WaitingRow]) -> None:
    tx.tell(
        f"{why}, so its waiting list is closed. You can join the next season: its sign-ups are announced here.",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def _clear(tx: Transaction, waiting: Sequence[WaitingRow]) -> None:
    """Take everyone off the waiting list, and their questions away."""
    tx.retract_all(tx.season, PLACE)
    if waiting:
        waitlist.clear(tx.conn, tx.season.id)
        tx.note(CLOSED, f"season {tx.season.number}", before={"waiting": [row.name for row in waiting]})
