"""Seeds of a season's players, given by an organiser before the start (docs/rules.md, 7)."""

from dataclasses import dataclass

from bot.league.errors import Invalid, WrongPhase
from bot.league.season.phases import SeasonPhase
from bot.services.base import find
from bot.services.base.act import ORGANISER, act, live
from bot.services.base.order import Order
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """Who has which seed now, who had it before (and has the other's in exchange), and who has none yet."""

    entrant: EntrantRow
    exchanged: EntrantRow | None
    unseeded: tuple[str, ...]


def give(conn: Connection, order: Order, *, player: str, seed: int, reason: str | None = None) -> Seeded:
    """Give a player a seed; the player who had it takes the old one in exchange."""
    do = act(conn, order, live, by=ORGANISER)
    season = do.season
    if season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {season.number} has started, so its seeds are fixed. Give seeds during sign-ups.")
    entrant = find.entrant(do, player)
    field = entrants.of_season(do.conn, season.id)
    if not 1 <= seed <= len(field):
        raise Invalid(f"There are {len(field)} players so far: give a seed from 1 to {len(field)}.")
    holder = next((row for row in field if row.seed == seed and row.id != entrant.id), None)
    seeded, exchanged = _exchange(do.conn, entrant, holder, seed)
    before, after = {"seed": entrant.seed}, {"seed": seed}
    do.note("entrant.seed", entrant.name, before=before, after=after, reason=reason)
    unseeded = tuple(row.name for row in entrants.of_season(do.conn, season.id) if row.seed is None)
    return Seeded(entrant=seeded, exchanged=exchanged, unseeded=unseeded)


def _exchange(
    conn: Connection, entrant: EntrantRow, holder: EntrantRow | None, seed: int
) -> tuple[EntrantRow, EntrantRow | None]:
    # A seed is unique in a season, so no one holds the player's old one while two change places.
    entrants.change(conn, entrant.id, seed=None)
    exchanged = None if holder is None else entrants.change(conn, holder.id, seed=entrant.seed)
    return entrants.change(conn, entrant.id, seed=seed), exchanged
