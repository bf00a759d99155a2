"""Organisers let a player into the season who asked to join, or don't."""

from bot.league.errors import Conflict, WrongPhase
from bot.league.formats.shared.words import ordinal
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.services.base import hooks, pending_questions
from bot.services.base.events import SettingsChanged
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.transaction import ORGANISER, Transaction, transaction
from bot.services.play.field import eligibility
from bot.services.signups import approval, signing_up
from bot.services.signups.waiting_list import Waits
from storage.database import Connection
from storage.rows import SeasonRow
from storage.tables import seasons
from storage.tables.people import players
from storage.tables.signups import join_requests
from storage.tables.signups.join_requests import JoinRequestRow


def season_of(conn: Connection, *, request_id: int) -> SeasonRow | None:
    """Return the season someone asked to join, or None where they don't any more."""
    row = join_requests.find(conn, request_id)
    return None if row is None else seasons.get(conn, row.season_id)


def account_of(conn: Connection, *, request_id: int) -> int | None:
    """Return the account that asked to join, or None where it doesn't any more."""
    row = join_requests.find(conn, request_id)
    return None if row is None else row.discord_id


def answer(conn: Connection, order: Order, *, request_id: int, accept: bool, left: bool = False) -> JoinRequestRow:
    """Let a player in who asked to join, or don't, and tell them; raises Conflict where that's settled.

    Nobody who `left` the server is let in: they don't ask any more, and can ask again.
    """
    row = pending_questions.found(join_requests.find(conn, request_id))
    tx = transaction(conn, order, by=ORGANISER, season_id=row.season_id)
    if row.answered_at is not None:
        done = {True: "This player was already let in.", False: "This player was already refused."}
        raise Conflict("This player doesn't ask to join any more." if row.accepted is None else done[row.accepted])
    if not accept:
        approval.end(tx, row, accepted=False)
        tx.note("entrant.not_let_in", row.name)
        words = f"{row.name} isn't in season {tx.season.number}: an organiser didn't let them in."
        tx.tell(words, kind=OWN_PLACE, pings=[row.discord_id])
        return row
    if left:
        approval.stop(tx, row)
        return row
    if tx.season.phase not in (SeasonPhase.SIGNUP, *PLAYING):
        raise WrongPhase(f"Season {tx.season.number} is over. {row.name} can join the next one.")
    _let_in(tx, row)
    return row


def _let_in(tx: Transaction, row: JoinRequestRow) -> None:
    player = players.get(tx.conn, row.player_id)
    hooks.require_welcome(tx, player)
    approval.end(tx, row, accepted=True)
    done, number = signing_up.let_in(tx, player), tx.season.number
    if isinstance(done, Waits):
        text = f"{row.name}, you can play in season {number}, but it's full: you're {ordinal(done.place)} on the"
        tx.tell(
            f"{text} waiting list. When a place becomes free for you, you'll be asked.",
            kind=OWN_PLACE,
            pings=[row.discord_id],
        )
    elif tx.season.phase in PLAYING:
        text = f"{row.name} joins season {number} from round {done.entrant.entered} on. {done.cost}"
        tx.tell(text.strip(), kind=OWN_PLACE, pings=[row.discord_id])
    else:
        tx.tell(
            f"{row.name}, you're in season {number}: an organiser let you in.", kind=OWN_PLACE, pings=[row.discord_id]
        )


def settings_changed(tx: Transaction, _: SettingsChanged) -> None:
    """Let everyone in who waits, in order of asking, once organisers needn't let players in any more."""
    if tx.settings.approval or not eligibility.takes_players(tx) or eligibility.has_closed(tx):
        return
    for row in join_requests.waiting(tx.conn, tx.season.id):
        if signing_up.takes_one_more(tx):
            _let_in(tx.by_itself(), row)
