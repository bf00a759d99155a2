"""Players hand in their lists: until they're due one replaces another; a late one is sealed at once and marked."""

import secrets
from dataclasses import dataclass

from bot.league.errors import Conflict, Invalid, NotFound, WrongPhase
from bot.league.season.list_rules import ListRules
from bot.league.season.phases import LIVE
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, Transaction, numbered, read_transaction, transaction
from bot.services.lists import list_sets, list_text, sealing
from bot.services.lists.list_posts import SEALS, SealsFacts
from storage.database import Connection
from storage.rows import EntrantRow, SeasonRow
from storage.tables import lists
from storage.tables.field import entrants
from storage.tables.lists import ListRow, ListSetRow


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """A list as it was kept; `replaced` is whether there was another."""

    season: SeasonRow
    rules: ListRules
    row: ListRow
    scope: ListSetRow
    words: str
    replaced: bool


def hand_in(
    conn: Connection, order: Order, *, text: str, number: int | None = None, round: int | None = None
) -> HandedIn:
    """Keep a list of the actor; without a round it's for the first that lacks it. Raises Invalid and Conflict."""
    tx = transaction(conn, order, numbered())
    return keep(tx, _seat(tx), text, number=number, round_=round)


def _seat(tx: ReadTransaction) -> EntrantRow:
    """Return the entry in whose seat the actor sits now or in another round; raises NotFound."""
    user_id = tx.actor.user_id
    row = None if user_id is None else entrants.by_discord(tx.conn, tx.season.id, user_id)
    return row or find.own_entrant(tx)


def keep(
    tx: Transaction, entrant: EntrantRow, text: str, *, number: int | None = None, round_: int | None = None
) -> HandedIn:
    """Keep a list of an entrant, as `hand_in` does."""
    rules = require_rules(tx)
    _require_active(tx, entrant)
    which = _numbered(rules, number)
    scope = _up_to_date(tx, _meant(tx, entrant, which, round_))
    before = lists.one_of(tx.conn, scope, entrant.id, which)
    _require_unsealed(rules, before, which)
    cleaned, words = list_text.clean(text), list_sets.words_of(tx.conn, scope)
    if before is not None and before.text == cleaned:
        return HandedIn(season=tx.season, rules=rules, row=before, scope=scope, words=words, replaced=False)
    row = _kept(tx, scope, entrant, which, cleaned)
    return HandedIn(season=tx.season, rules=rules, row=row, scope=scope, words=words, replaced=before is not None)


def require_open(conn: Connection, order: Order, *, number: int, round_: int | None) -> None:
    """Raise where the actor can't hand in this list, whatever is in it, as `hand_in` does."""
    tx = read_transaction(conn, order, numbered())
    entrant, rules = _seat(tx), require_rules(tx)
    _require_active(tx, entrant)
    scope = _meant(tx, entrant, number, round_)
    _require_unsealed(rules, lists.one_of(conn, scope, entrant.id, number), number)


def _require_active(tx: ReadTransaction, entrant: EntrantRow) -> None:
    if not entrant.active:
        raise WrongPhase(f"You've left season {tx.season.number}, so you can't hand in lists.")


def _require_unsealed(rules: ListRules, row: ListRow | None, number: int) -> None:
    if row is not None and row.sealed_at is not None:
        raise Conflict(f"{_called(rules, number)} is sealed and can't change any more. /list shows it.")


def keep_deck(tx: Transaction, entrant: EntrantRow, text: str) -> ListRow | None:
    """Keep the deck typed with a sign-up as list 1; a season that takes no lists keeps none."""
    return None if tx.settings.lists is None else keep(tx, entrant, text, number=1).row


def _kept(tx: Transaction, scope: ListSetRow, entrant: EntrantRow, number: int, text: str) -> ListRow:
    """Store a list that wasn't handed in like this before; a late one changes no more, as those that came in time."""
    owner = list_sets.owner_of(tx.conn, scope, entrant.id)
    columns = {"key": secrets.token_hex(16), "text": text}
    late = scope.sealed_at is not None
    row = lists.hand_in(
        tx.conn, scope, entrant.id, number=number, late=late, now=tx.now, player_id=owner.person_id, **columns
    )
    words = list_sets.words_of(tx.conn, scope)
    tx.note("list.hand-in", f"{entrant.name}, list {number} for {words}", after={"late": late})
    if late:
        row = sealing.seal_one(tx, row)
        tx.enqueue(SEALS, SealsFacts(set_id=row.set_id, list_id=row.id))
    sealing.came_in(tx, scope, owner)
    return row


def require_rules(tx: ReadTransaction) -> ListRules:
    """Return which lists the season takes; raises WrongPhase where it takes none, or none any more."""
    rules = tx.settings.lists
    if rules is None:
        step = tx.hint("/season settings setting:lists changes that before the start.")
        raise WrongPhase(f"Season {tx.season.number} takes no lists.{step}")
    if tx.season.phase not in LIVE:
        raise WrongPhase(f"Season {tx.season.number} is over, so it takes no more lists.")
    return rules


def _numbered(rules: ListRules, number: int | None) -> int:
    if number is None and rules.number > 1:
        raise Invalid(f"Which list? Choose a number from 1 to {rules.number}.")
    if not 1 <= (number or 1) <= rules.number:
        only = "takes one list" if rules.number == 1 else f"takes lists 1 to {rules.number}"
        raise Invalid(f"There's no list {number}: this season {only} from each player.")
    return number or 1


def _called(rules: ListRules, number: int) -> str:
    return "Your list" if rules.number == 1 else f"Your list {number}"


def _meant(tx: ReadTransaction, entrant: EntrantRow, number: int, round_: int | None) -> ListSetRow:
    """Return the set of this round, or else the first in which the list is missing, or the last; raises NotFound."""
    scopes = _own_sets(tx, entrant)
    if not scopes:
        find.own_entrant(tx)  # says who plays in their place
    if round_ is not None:
        scope_meant = next((scope for scope in scopes if scope.round in (None, round_)), None)
    else:
        gaps = [scope for scope in scopes if lists.one_of(tx.conn, scope, entrant.id, number) is None]
        scope_meant = next(iter([*gaps, *scopes[-1:]]), None)
    if scope_meant is None:
        raise NotFound("You can't hand in a list for that round now. /list shows which lists are due.")
    return scope_meant


def _own_sets(tx: ReadTransaction, entrant: EntrantRow) -> list[ListSetRow]:
    """Return the sets for which the actor hands in the seat's lists; those of other rounds are a substitute's."""
    scopes = list_sets.going_on(tx.conn, tx.season)
    owners = [list_sets.owner_of(tx.conn, scope, entrant.id) for scope in scopes]
    return [scope for scope, owner in zip(scopes, owners, strict=True) if owner.discord_id == tx.actor.user_id]


def _up_to_date(tx: Transaction, scope: ListSetRow) -> ListSetRow:
    """Seal a set first whose due date has come, in case the clock hasn't done it yet."""
    if scope.id in lists.to_seal(tx.conn, tx.now):
        sealing.seal(tx, scope)
        return lists.get_set(tx.conn, scope.id)
    return scope


AUDIT_WORDS = {
    "list.accept": "{} was accepted late",
    "list.hand-in": "{} was handed in",
    "list.refuse": "{} was refused",
    "lists.seal": "{} were sealed",
}
"""What the audit log says of lists; late ones waited for a moderator once."""
