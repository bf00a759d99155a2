"""Two people who are never paired, if it can be avoided; organisers say so, and why stays with them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.errors import Conflict, Invalid
from bot.league.formats import by_key
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import RoundTakenBack
from bot.services.base.order import Order
from bot.services.base.permissions import is_organiser
from bot.services.base.transaction import ORGANISER, Transaction, live_if_any, read_transaction, transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import progression
from bot.services.play.prepared import PreparedRound, propose
from storage.database import Connection
from storage.rows import PlayerRow, RoundRow
from storage.tables import rounds, seasons
from storage.tables.people import apart
from storage.tables.people.apart import Apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Two people who are kept apart, or no longer, from a round of a season on.

    `preview` is the round whose preview was made again, `by_hand` one that wasn't, because it was changed by hand;
    `against` is the match they have against each other at the moment.
    """

    first: str
    second: str
    season: int
    round: int
    preview: str = ""
    by_hand: str = ""
    against: MatchView | None = None


def keep_apart(
    conn: Connection, order: Order, *, first: str, second: str, reason: str, agreed: str | None = None
) -> Kept:
    """Never pair two people from the next round that is paired on, if that can be avoided.

    Raises ConfirmationNeeded, NotAllowed, NotFound, Invalid for the same person twice, and Conflict if they already
    are.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    two = _two(tx, first, second)
    if apart.of_two(tx.conn, tx.league.id, two[0].id, two[1].id):
        raise Conflict(f"{_named(two)} are kept apart already. /league settings has the list, which ends that too.")
    require_confirmation(
        f"{_named(two)} won't be paired with each other, if that can be avoided. They can still meet where it can't, "
        "and in finals whose bracket follows from the seeds alone. Players can see that they are kept apart, not why."
        f"{_all_the_same(tx)}",
        agreed,
    )
    season, number = _next_paired(tx)
    apart.add(tx.conn, tx.league.id, two[0].id, two[1].id, season=season, number=number)
    tx.note("player.apart", _named(two), reason=reason)
    return _done(tx, two, season, number)


def _all_the_same(tx: Transaction) -> str:
    """Return that it has no effect in a season where everyone meets everyone, with a space before it."""
    if tx.found is None or not by_key(tx.season.format).fixed_rounds:
        return ""
    together = f"if they are in one {tx.settings.grouping.unit}"
    return f" In season {tx.season.number}, a round robin, they meet all the same {together}."


def let_together(
    conn: Connection, order: Order, *, first: str | int, second: str | int, reason: str, agreed: str | None = None
) -> Kept:
    """Let two people be paired again, from the next round that is paired on.

    Raises ConfirmationNeeded, NotAllowed, NotFound, Invalid for the same person twice, and Conflict if they aren't kept
    apart.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    two = _two(tx, first, second)
    if not apart.of_two(tx.conn, tx.league.id, two[0].id, two[1].id):
        raise Conflict(f"{_named(two)} aren't kept apart. /league settings lists who is.")
    require_confirmation(f"{_named(two)} can be paired with each other again.", agreed)
    season, number = _next_paired(tx)
    apart.end(tx.conn, tx.league.id, two[0].id, two[1].id, season=season, number=number)
    tx.note("player.together", _named(two), reason=reason)
    return _done(tx, two, season, number)


def listed(conn: Connection, order: Order) -> Sequence[Apart]:
    """Return who is kept apart in a league, for its organisers; nothing for others."""
    tx = read_transaction(conn, order)
    return apart.going_on(conn, tx.league.id) if is_organiser(tx.league, order.actor) else ()


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Let what was said since a round was paired hold when it's paired again."""
    if tx.season.number is not None:
        apart.pair_again(tx.conn, tx.league.id, tx.season.number, event.round.number)


def _two(tx: Transaction, first: str | int, second: str | int) -> tuple[PlayerRow, PlayerRow]:
    two = find.player(tx, first), find.player(tx, second)
    if two[0].id == two[1].id:
        raise Invalid(f"Choose two different players: both are {two[0].name}.")
    return two


def _named(two: tuple[PlayerRow, PlayerRow]) -> str:
    return " and ".join(player.name for player in two)


def _next_paired(tx: Transaction) -> tuple[int, int]:
    """Return the season and the round that are paired next; a preview that nobody changed by hand is paired again."""
    season = tx.found
    if season is None or season.number is None:
        last = seasons.newest(tx.conn, tx.league.id)
        return (1 if last is None or last.number is None else last.number + 1), 1
    draft = rounds.draft(tx.conn, season.id)
    if draft is not None:
        return season.number, draft.number + (draft.by_hand is not None)
    latest = rounds.latest(tx.conn, season.id)
    return season.number, 1 if latest is None else latest.number + 1


def _done(tx: Transaction, two: tuple[PlayerRow, PlayerRow], season: int, number: int) -> Kept:
    draft = None if tx.found is None else rounds.draft(tx.conn, tx.season.id)
    preview = by_hand = ""
    if draft is not None and draft.by_hand is None:
        preview = draft.words
        _pair_again(tx, draft)
    elif draft is not None:
        by_hand = draft.words
    return Kept(
        first=two[0].name,
        second=two[1].name,
        season=season,
        round=number,
        preview=preview,
        by_hand=by_hand,
        against=None if tx.found is None else _against(tx, two),
    )


def _pair_again(tx: Transaction, draft: RoundRow) -> None:
    """Make a preview again by the rules."""
    progression.drop_draft(tx, draft)
    next_ = propose(tx)
    if isinstance(next_, PreparedRound):
        progression.save_draft(tx, next_)


def _against(tx: Transaction, two: tuple[PlayerRow, PlayerRow]) -> MatchView | None:
    """Return the match two people have against each other in the preview or the open round, if they do."""
    row = progression.open_round(tx)
    if row is None:
        return None
    ids = {player.id for player in two}
    view = views.stage_view(tx.conn, row)
    return next((match for match in view.matches if {side.person_id for side in match.sides} == ids), None)
