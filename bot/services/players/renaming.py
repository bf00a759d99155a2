"""Another league name for a player, between seasons (docs/rules.md, 1)."""

from bot.league.errors import WrongPhase
from bot.league.season.names import check_name, look_alike_key, require_free
from bot.league.season.phases import PLAYING
from bot.services.base import find
from bot.services.base.accounts import require_not_forgotten
from bot.services.base.act import ORGANISER, Act, act, live_if_any
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from storage.database import Connection
from storage.rows import PlayerRow
from storage.tables import entrants, players


def rename(
    conn: Connection,
    order: Order,
    *,
    player: str,
    new_name: str,
    reason: str | None,
    taken: bool = False,
    agreed: str | None = None,
) -> PlayerRow:
    """Give a player another league name between seasons; past seasons keep the one they were drawn with.

    A name that is `taken` by someone else on the server is asked about first; raises AskFirst.
    """
    name = check_name(new_name)
    do = act(conn, order, live_if_any, by=ORGANISER)
    if do.found is not None and do.found.phase in PLAYING:
        raise WrongPhase(
            f"Season {do.found.number} is running, and its draws use the names. Rename players between seasons."
        )
    row = find.player(do, player)
    if name == row.name:
        return row
    require_not_forgotten(do, row, "they keep this name.")
    require_free(name, players.mistakable(do.conn, do.league.id, name, but=row.id))
    if taken:
        same = f"Someone else on this server is called {name}."
        ask_first(f"{same} If {row.name} takes that name, people will mix them up.", agreed)
    renamed = players.rename(do.conn, row, name, look_alike_key(name))
    _rename_entry(do, renamed)
    do.note("player.rename", name, before={"name": row.name}, after={"name": name}, reason=reason)
    if row.discord_id not in (None, order.actor.user_id):
        told = f"{row.name}, an organiser renamed you: in {do.league.name} you're {name} from now on."
        do.tell(told, pings=[row.discord_id])
    return renamed


def _rename_entry(do: Act, player: PlayerRow) -> None:
    """Carry a new name into the season that takes sign-ups: nothing is drawn in it yet."""
    if do.found is None:
        return
    entrant = entrants.by_player(do.conn, do.found.id, player.id)
    if entrant is not None and entrant.player_id == player.id:  # a substitute's seat keeps its name
        former = players.former_names(do.conn, player)
        entrants.change(do.conn, entrant.id, name=player.name, former_names=list(former))
    do.touch()
