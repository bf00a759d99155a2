"""Another league name for a player: at once between seasons, else when the season ends (docs/formats/shared.md)."""

from dataclasses import dataclass, replace

from bot.league.season.names import check_name, look_alike_key, require_free
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.services.base import find
from bot.services.base.accounts import require_not_forgotten
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import SeasonOver
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.base.transaction import ORGANISER, Transaction, live_if_any, transaction
from storage.database import Connection
from storage.rows import PlayerRow, SeasonRow
from storage.tables.field import entrants
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A player with a new name, or with the one they get when the season `after` ends; `kept` is one that waited."""

    player: PlayerRow
    after: SeasonRow | None = None
    kept: str | None = None


def rename(
    conn: Connection,
    order: Order,
    *,
    player: str,
    new_name: str,
    reason: str | None,
    taken: bool = False,
    agreed: str | None = None,
) -> Renamed:
    """Give a player another league name: past seasons keep the one they were drawn with.

    While a season is played it waits until that ends; the name they have ends the wait. A name that is `taken` by
    someone else on the server is asked about first; raises ConfirmationNeeded.
    """
    name = check_name(new_name)
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    row = find.player(tx, player)
    if name == row.name:
        return _keep(tx, row, reason)
    require_not_forgotten(tx, row, "they keep this name.")
    require_free(name, players.mistakable(tx.conn, tx.league.id, name, but=row.id))
    if taken:
        same = f"Someone else on this server is called {name}."
        require_confirmation(f"{same} If {row.name} takes that name, people will mix them up.", agreed)
    if tx.found is not None and tx.found.phase in PLAYING:
        return _wait(tx, tx.found, row, name, reason)
    return Renamed(player=_rename(tx, row, name, reason))


def _wait(tx: Transaction, season: SeasonRow, row: PlayerRow, name: str, reason: str | None) -> Renamed:
    """Keep a name until the season is over, whose draws use the one they have."""
    if name != row.next_name:
        row = players.change(tx.conn, row.id, next_name=name)
        tx.note("player.rename-later", row.name, after={"name": name}, reason=reason)
        _tell(tx, row, f"{row.name}, you're {name} once season {season.number} is over: an organiser renamed you.")
    return Renamed(player=row, after=season)


def _keep(tx: Transaction, row: PlayerRow, reason: str | None) -> Renamed:
    """Let a player keep the name they have, whatever waits for them."""
    if row.next_name is None:
        return Renamed(player=row)
    kept = players.change(tx.conn, row.id, next_name=None)
    tx.note("player.rename-dropped", row.name, before={"name": row.next_name}, reason=reason)
    _tell(tx, row, f"{row.name}, you keep this name: an organiser changed their mind about {row.next_name}.")
    return Renamed(player=kept, kept=row.next_name)


def _rename(tx: Transaction, row: PlayerRow, name: str, reason: str | None) -> PlayerRow:
    renamed = players.rename(tx.conn, row, name, look_alike_key(name))
    _rename_entry(tx, renamed)
    tx.note("player.rename", name, before={"name": row.name}, after={"name": name}, reason=reason)
    _tell(tx, row, f"{row.name}, an organiser renamed you: in {tx.league.name} you're {name} from now on.")
    return renamed


def _tell(tx: Transaction, row: PlayerRow, text: str) -> None:
    """Tell a player of their name, unless they did it themselves or have no account."""
    if row.discord_id not in (None, tx.actor.user_id):
        tx.tell(text, pings=[row.discord_id])


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Give players the names that waited for the season's end, or tell them that one was taken since."""
    tx = replace(tx, actor=BOT)
    for row in players.to_rename(tx.conn, tx.league.id):
        name = row.next_name or row.name
        if not players.mistakable(tx.conn, tx.league.id, name, but=row.id):
            _rename(tx, row, name, None)
            continue
        players.change(tx.conn, row.id, next_name=None)
        tx.note("player.rename-dropped", row.name, before={"name": name})
        _tell(tx, row, f"{row.name}, you keep this name: {name} was taken during the season.")


def _rename_entry(tx: Transaction, player: PlayerRow) -> None:
    """Carry a new name into the season that takes sign-ups: nothing is drawn in it yet."""
    if tx.found is None or tx.found.phase is not SeasonPhase.SIGNUP:
        return
    entrant = entrants.by_player(tx.conn, tx.found.id, player.id)
    if entrant is not None and entrant.player_id == player.id:  # a substitute's seat keeps its name
        former = players.former_names(tx.conn, player)
        entrants.change(tx.conn, entrant.id, name=player.name, former_names=list(former))
    tx.invalidate()
