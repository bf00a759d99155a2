"""Seeds of a season's players, given by an organiser before the start (docs/formats/single-elimination.md)."""

from collections.abc import Sequence

from bot.league.errors import Invalid, WrongPhase
from bot.league.season.phases import SeasonPhase
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, live, read_transaction, transaction
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables.field import entrants


def listed(conn: Connection, order: Order) -> tuple[EntrantRow, ...]:
    """Return the players by their seeds, those without one last; raises NotAllowed, and WrongPhase after the start."""
    tx = read_transaction(conn, order, live, by=ORGANISER)
    _require_sign_ups(tx)
    return tuple(row for row in _in_order(entrants.of_season(conn, tx.season.id)) if row.active)


def rank(conn: Connection, order: Order, *, first: int, names: Sequence[str]) -> tuple[str, ...]:
    """Give players the seeds from `first` on, in this order, and return who has none; other seeds stay in their order.

    Raises as `listed` does, and Invalid for a name that comes twice or a `first` beyond the field.
    """
    tx = transaction(conn, order, live, by=ORGANISER)
    _require_sign_ups(tx)
    chosen = [find.entrant(tx, name) for name in names]
    ids = [row.id for row in chosen]
    if twice := next((row.name for row in chosen if ids.count(row.id) > 1), None):
        raise Invalid(f"{twice} is in the list twice. Give each player one line.")
    field = entrants.of_season(conn, tx.season.id)
    others = [row for row in _in_order(field) if row.seed is not None and row.id not in ids]
    if not 1 <= first <= len(others) + 1:
        raise Invalid(f"Seeds up to {len(others)} are given: begin at {len(others) + 1} or before.")
    ranked = enumerate([*others[: first - 1], *chosen, *others[first - 1 :]], start=1)
    moved = [(row, seed) for seed, row in ranked if row.seed != seed]
    for row, _ in moved:  # a seed is unique in a season, so no one holds one while they change places
        entrants.change(conn, row.id, seed=None)
    for row, seed in moved:
        entrants.change(conn, row.id, seed=seed)
        tx.note("entrant.seed", row.name, before={"seed": row.seed}, after={"seed": seed})
    return tuple(row.name for row in entrants.of_season(conn, tx.season.id) if row.seed is None and row.active)


def _require_sign_ups(tx: ReadTransaction) -> None:
    if tx.season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {tx.season.number} has started, so its seeds are fixed. Give seeds during sign-ups.")


def _in_order(field: Sequence[EntrantRow]) -> list[EntrantRow]:
    return sorted(field, key=lambda row: (row.seed is None, row.seed or 0))
