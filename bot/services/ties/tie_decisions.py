"""What an organiser does about a tie: enter an order, call a tie-break match, or take the draw.

See docs/formats/lightseekers-swiss.md.
"""

from collections.abc import Iterable, Sequence

from bot.league.errors import Conflict, Invalid, NotFound, WrongPhase
from bot.league.formats import by_key
from bot.league.season.model import Stage
from bot.league.season.names import written_key
from bot.league.season.phases import PLAYING
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, Transaction, playing, read_transaction, shortened, transaction
from bot.services.play import progression
from bot.services.ties import open_ties
from bot.services.ties.open_ties import TieAnswer
from bot.services.ties.tie_words import tie_words
from storage.database import Connection
from storage.rows import Settled, TieRow
from storage.tables import rounds, ties

Waiting = tuple[TieRow, ...]
_NO_TIE = "There's no such tie here. /round tiebreak shows the open ones."
_SETTLED = "This tie is already settled, or results changed it. /standings shows the order."


def waiting(conn: Connection, order: Order) -> Waiting:
    """Return the ties that wait for an organiser; raises NotAllowed, and WrongPhase with why there are none."""
    _, waiting_ties = _asked(conn, order)
    return waiting_ties


def require_waiting(conn: Connection, order: Order, *, tie_id: int) -> None:
    """Raise NotAllowed, NotFound or Conflict where an order can't settle the tie of a button, whatever it is."""
    row = ties.find(conn, tie_id)
    if row is None:
        raise NotFound(_NO_TIE)
    read_transaction(conn, order, by=ORGANISER, season_id=row.season_id)
    if row.settled_at is not None:
        raise Conflict(_SETTLED)


def choices(conn: Connection, order: Order, *, typed: str) -> tuple[str, ...]:
    """Return what a half-typed order can become: the names so far and one more of the same tie."""
    tx = read_transaction(conn, order)
    waiting_ties = ties.waiting_of_league(tx.conn, tx.league.id)
    named = _pieces(typed, [name for row in waiting_ties for name in row.names])
    begun = named.pop() if named and not typed.rstrip().endswith(",") else ""
    return tuple(
        ", ".join([*named, name])
        for row in waiting_ties
        if set(named) <= set(row.names)
        for name in row.names
        if name not in named and begun.casefold() in name.casefold()
    )


def _pieces(typed: str, names: Sequence[str]) -> list[str]:
    """Return the texts between commas, but keep names whole that contain a comma."""
    pieces: list[str] = []
    left = typed.strip(" ,")
    while left:
        whole = [name for name in names if left == name or left.startswith(f"{name},")]
        piece = max(whole, key=len, default=left.partition(",")[0])
        pieces.append(piece.strip())
        left = left[len(piece) :].strip(" ,")
    return pieces


def order(
    conn: Connection, order: Order, *, named: str, tie_id: int | None = None, reason: str | None = None
) -> TieRow:
    """Settle a tie by an order: names separated by commas, best first; players left out follow as the draw has them.

    After a tie-break match it is its result. Until the finals are posted it also replaces the order that was decided.
    Raises NotAllowed, NotFound, Invalid, WrongPhase and Conflict.
    """
    tx, waiting_ties = _asked(conn, order, tie_id, again=True)
    row, names = _named(waiting_ties, named)
    if row.settled_at is not None:
        row = open_ties.ask_again(tx, row)
    if row is None:
        raise Conflict(_SETTLED)
    how = Settled.ORDER if row.match_at is None else Settled.MATCH
    full = (*names, *(name for name in row.names if name not in names))
    open_ties.settle(tx, row, TieAnswer(order=full, how=how, reason=shortened(reason)))
    progression.advance(tx, answered=True)
    return ties.get(tx.conn, row.id)


def take_draw(conn: Connection, order: Order, *, tie_id: int | None = None) -> Waiting:
    """Settle a tie, or all that wait where none is named, by the draw; raises as `order` does."""
    tx, waiting_ties = _asked(conn, order, tie_id)
    for row in waiting_ties:
        open_ties.settle(tx, row, TieAnswer(order=row.names, how=Settled.DRAW))
    progression.advance(tx, answered=True)
    return tuple([ties.get(tx.conn, row.id) for row in waiting_ties])


def call_match(conn: Connection, order: Order, *, tie_id: int | None = None) -> Waiting:
    """Let all tied players play a tie-break match, in every tie that waits where none is named.

    Its result is entered as an order. Raises as `order` does.
    """
    tx, waiting_ties = _asked(conn, order, tie_id)
    uncalled = [row for row in waiting_ties if row.match_at is None]
    if not uncalled:
        raise Conflict("This tie-break match has been called already. Enter its result with /round tiebreak.")
    return tuple([open_ties.call_match(tx, row) for row in uncalled])


def _asked(
    conn: Connection, order: Order, tie_id: int | None = None, *, again: bool = False
) -> tuple[Transaction, Waiting]:
    """Return an organiser's act with the ties that are meant: the one of a button, or all that wait in a league.

    Where none waits it's `again` those that were decided last.
    """
    if tie_id is None:
        tx = transaction(conn, order, playing, by=ORGANISER)
        asked_ties = open_ties.ask(tx)
        if not asked_ties and again:
            asked_ties = open_ties.decided(tx)
        if not asked_ties:
            raise WrongPhase(_why_none(tx))
        return tx, asked_ties
    row = ties.find(conn, tie_id)
    if row is None:
        raise NotFound(_NO_TIE)
    tx = transaction(conn, order, by=ORGANISER, season_id=row.season_id)
    return tx, _still_waiting(tx, row)


def _still_waiting(tx: Transaction, row: TieRow) -> Waiting:
    if tx.season.phase not in PLAYING:
        raise WrongPhase(f"Season {tx.season.number} is {tx.season.phase}: its order stands.")
    left = tuple(tie for tie in open_ties.ask(tx) if tie.id == row.id)
    if not left:
        raise Conflict(_SETTLED)
    return left


def _why_none(tx: Transaction) -> str:
    format_ = by_key(tx.season.format)
    if not format_.organiser_breaks_ties:
        return f"{format_.title} breaks its ties by its own rules; /rules says how."
    if any(row.stage is Stage.FINALS for row in rounds.published(tx.conn, tx.season.id)):
        return "The finals have begun, so their seeds stand. Until someone reports in them, /round undo undoes them."
    standing = open_ties.standing_order(tx)
    if standing:
        return f"There's no tie to break now. {standing}"
    return (
        "There's no tie to break now. You'll be asked about players who are equal in everything once the last regular "
        "round is over. /standings shows who is equal."
    )


def _named(waiting_ties: Sequence[TieRow], order: str) -> tuple[TieRow, tuple[str, ...]]:
    """Return the tie an order is about and its names as they are written; raises Invalid."""
    typed = _pieces(order, [name for row in waiting_ties for name in row.names])
    if not typed:
        raise Invalid(f"Name the players in order, separated by commas: {', '.join(waiting_ties[0].names)}.")
    row = next((row for row in waiting_ties if _match(row.names, typed[0]) is not None), None)
    names = [None if row is None else _match(row.names, name) for name in typed]
    strange = [name for name, entrant in zip(typed, names, strict=True) if entrant is None]
    if row is None or strange:
        equal = " ".join(tie_words(tie) for tie in (waiting_ties if row is None else [row]))
        raise Invalid(f"“{strange[0][:50]}” isn't one of the tied players. {equal}")
    meant = tuple(name for name in names if name is not None)
    if len(set(meant)) < len(meant):
        raise Invalid(f"Name each player once, best first: {', '.join(row.names)}.")
    return row, meant


def _match(names: Iterable[str], typed: str) -> str | None:
    """Return the name that is meant: exactly, or the only one but for case, width and spaces."""
    alike = [name for name in names if written_key(name) == written_key(typed)]
    return typed if typed in names else alike[0] if len(alike) == 1 else None
