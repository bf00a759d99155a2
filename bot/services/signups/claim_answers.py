"""Organisers say whether an account is a player of the past; a wrong Yes can be undone until they are paired."""

from contextlib import suppress

from bot.league.errors import Conflict, NotAllowed
from bot.league.formats.shared.words import ordinal
from bot.league.season.model import DepartureKind
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.services.base import find, hooks, pending_questions
from bot.services.base.accounts import NO_ACCOUNT, give_account, require_not_forgotten
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE, NoticeFacts
from bot.services.base.transaction import ORGANISER, Transaction, live_if_any, transaction
from bot.services.play.field import eligibility, withdrawals
from bot.services.signups import approval, free_places, names_in_game, recognising, signing_up
from bot.services.signups.names_in_game import AnswerNeeded
from bot.services.signups.waiting_list import Waits
from storage.database import Connection
from storage.rows import EntrantRow, PlayerRow, SeasonRow
from storage.tables import seasons
from storage.tables.field import entrants, sat_out, substitutions
from storage.tables.people import memberships, players
from storage.tables.signups import claims, join_requests, waitlist
from storage.tables.signups.claims import ClaimRow


def season_of(conn: Connection, *, claim_id: int) -> SeasonRow | None:
    """Return the season a claim was made in, or None where it's there no more."""
    row = claims.find(conn, claim_id)
    return None if row is None else seasons.get(conn, row.season_id)


def account_of(conn: Connection, *, claim_id: int) -> int | None:
    """Return the account that made a claim, or None where it's there no more."""
    row = claims.find(conn, claim_id)
    return None if row is None else row.discord_id


def answer(conn: Connection, order: Order, *, claim_id: int, accept: bool, left: bool = False) -> ClaimRow:
    """Say that an account is a player of the past, who gets it and the place they asked for, or that it isn't.

    Nobody gets the place of an account that `left` the server: the claim is over, and can be made again. Raises
    Conflict where that's settled, or where the account is another player already.
    """
    row = pending_questions.found(claims.find(conn, claim_id))
    tx = transaction(conn, order, by=ORGANISER, season_id=row.season_id)
    if row.answered_at is not None:
        done = {True: f"{row.called} is {row.name} already.", False: f"An organiser said no to {row.called} already."}
        raise Conflict("This isn't asked any more." if row.accepted is None else done[row.accepted])
    if not accept:
        _refuse(tx, row, f"{row.called}, an organiser couldn't confirm that you're {row.name}.")
        return row
    if left:
        recognising.end(tx, row, accepted=None)
        return row
    player = players.get(tx.conn, row.player_id)
    _require_possible(tx, row, player)
    recognising.end(tx, row, accepted=True)
    _put_in(tx, row, give_account(tx, player, row.discord_id))
    return claims.find(tx.conn, row.id) or row


def _refuse(tx: Transaction, row: ClaimRow, notice: str) -> None:
    recognising.end(tx, row, accepted=False)
    tx.note("claim.no", row.name)
    then = "If that's a mistake, ask an organiser. To join as someone new, use /signup with another name."
    recognising.tell(tx, row, f"{notice} {then}")


def _require_possible(tx: Transaction, row: ClaimRow, player: PlayerRow) -> None:
    hooks.require_welcome(tx, None, account=row.discord_id, called=row.called)
    hooks.require_welcome(tx, player)
    require_not_forgotten(tx, player, f"{NO_ACCOUNT} Press No.")
    if row.own is not None:
        raise Conflict(
            f"{row.called} is {row.own} in this league already. If they're {row.name} too, use /player merge "
            f"player:{row.name} into:{row.own}. If not, press No."
        )


def _put_in(tx: Transaction, row: ClaimRow, player: PlayerRow) -> None:
    """Put someone who was recognised into the season they wanted to join, and tell them."""
    number, name = tx.season.number, player.name
    with suppress(AnswerNeeded):  # where it's asked only since they claimed, /match says what is missing
        names_in_game.ask(tx, player, row.answer)
    seat = entrants.by_player(tx.conn, tx.season.id, player.id)
    instead = _of_seat(tx, player, seat) if seat is not None else _of_joining(tx)
    if instead:
        recognising.tell(tx, row, f"You're {name} in this league now: an organiser confirmed it. {instead}")
    if seat is not None or instead:
        return
    done = signing_up.let_in(tx, player)
    if isinstance(done, Waits):
        text = f"{name}, an organiser confirmed who you are. Season {number} is full: you're {ordinal(done.place)} on"
        text = f"{text} the waiting list. When a place becomes free for you, you'll be asked."
    elif tx.season.phase in PLAYING:
        text = f"{name}, an organiser confirmed who you are: you play in season {number} from round"
        text = f"{text} {done.entrant.entered} on. {done.cost}".strip()
    else:
        text = f"{name}, you're in season {number}: an organiser confirmed who you are."
    tx.tell(text, kind=OWN_PLACE, pings=[player.discord_id])


def _of_seat(tx: Transaction, player: PlayerRow, seat: EntrantRow) -> str:
    """Return what became of the place they had without an account; nothing where they're told that they play in it."""
    number = tx.season.number
    if seat.person_id != player.id:
        plays = f"{seat.person or seat.name} plays in your place in season {number}."
        return f"{plays} If you want it back, ask an organiser."
    if seat.active:
        return ""
    disqualified = seat.departed is DepartureKind.DISQUALIFICATION
    back = "You can't come back this season." if disqualified else eligibility.way_back(tx)
    return f"{player.name} has left season {number}. {back}"


def _of_joining(tx: Transaction) -> str:
    """Return that the season takes no new players any more; nothing while it does."""
    if eligibility.takes_players(tx):
        return ""
    next_ = "Join the next one: its sign-ups are announced in the league's channel."
    return f"Season {tx.season.number} takes no new players any more. {next_}"


def undo(conn: Connection, order: Order, *, claim_id: int) -> ClaimRow:
    """Take the account off a player again who got it by a claim; raises Conflict once they were paired."""
    row = pending_questions.found(claims.find(conn, claim_id))
    tx = transaction(conn, order, by=ORGANISER, season_id=row.season_id)
    if not row.accepted or row.account != row.discord_id:
        raise Conflict(f"{row.name} doesn't have the account of {row.called} any more. Nothing was changed.")
    _take_off(tx, players.get(tx.conn, row.player_id))
    return row


def unlink(conn: Connection, order: Order, *, player: str, agreed: str | None = None) -> PlayerRow:
    """Take the account off a player who came with an import.

    Raises ConfirmationNeeded, and Conflict once they were paired.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    player_row = find.player(tx, player)
    if player_row.discord_id is None:
        raise Conflict(f"{player_row.name} has no Discord account.")
    _require_undoable(tx, player_row)
    require_confirmation(
        f"{player_row.name} has no Discord account any more{_left(tx, player_row)}. The account is told. Results stay.",
        agreed,
    )
    _take_off(tx, player_row)
    return player_row


def _left(tx: Transaction, player: PlayerRow) -> str:
    """Return what someone leaves with their account, after a name."""
    if tx.found is None:
        return ""
    if tx.season.phase is SeasonPhase.SIGNUP:
        return f", and leaves the sign-ups of season {tx.season.number}"
    seat = entrants.by_player(tx.conn, tx.season.id, player.id)
    return f", and leaves season {tx.season.number}" if seat is not None and seat.active else ""


def _require_undoable(tx: Transaction, player: PlayerRow) -> None:
    if not claims.was_imported(tx.conn, player.id):
        raise NotAllowed(f"{player.name} didn't come with an import. /player link gives them another account.")
    if claims.played_here(tx.conn, player.id):
        raise Conflict(f"{player.name} was paired with this account. /player link gives them another one.")
    seat = None if tx.found is None else entrants.by_player(tx.conn, tx.season.id, player.id)
    if seat is not None and substitutions.of_entrant(tx.conn, seat.id):
        raise Conflict(
            f"{player.name} is in a place of season {tx.season.number} that one player takes over from another. Undo "
            f"that first: /player substitute with {seat.name} as the new person. Or use /player link, which "
            "gives them another account."
        )


def _take_off(tx: Transaction, player: PlayerRow) -> None:
    account = player.discord_id
    assert account is not None
    _require_undoable(tx, player)
    claim = claims.accepted(tx.conn, player.id, account)
    if tx.found is not None:
        _leave(tx, player)
    memberships.remove(tx.conn, player.id)
    join_requests.remove_answers(tx.conn, player.id)
    players.change(tx.conn, player.id, discord_id=None, refused_at=None)
    tx.note("player.unlink", player.name, before={"discord_id": account})
    if claim is not None:
        claims.change(tx.conn, claim.id, accepted=False)
        season = seasons.get(tx.conn, claim.season_id)
        tx.invalidate_once(recognising.CLAIMS, season, once=str(claim.page))
    whose = tx.found or tx.league
    words = f"An organiser took back that you're {player.name} in {tx.league.name}. If that's a mistake, ask them."
    tx.enqueue(
        recognising.CLAIM_ANSWER, NoticeFacts(text=words, pings=(account,)), whose, people=[account], quietly=True
    )


def _leave(tx: Transaction, player: PlayerRow) -> None:
    """Take someone out of a season, its waiting list and its requests: before the start as if they had never joined."""
    approval.stop_player(tx, player)
    queued = waitlist.by_player(tx.conn, tx.season.id, player.id)
    if queued is not None:
        free_places.leave(tx, queued, "waitlist.leave")
    entrant = entrants.by_player(tx.conn, tx.season.id, player.id)
    if entrant is not None and entrant.active:
        withdrawals.leave(tx, entrant, DepartureKind.DROP, None)
    elif entrant is not None:
        eligibility.settle_request(tx, entrant, accepted=False)
    sat_out.take_back(tx.conn, player.id)
