"""Who can read which list: the owner always, others once it's sealed and as the season's settings say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.errors import NotFound
from bot.league.season.list_rules import ListRules
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.permissions import is_moderator
from bot.services.base.transaction import ReadTransaction, numbered, read_transaction
from bot.services.lists import list_sets
from bot.services.lists.list_sets import Progress
from bot.services.matches import match_finding
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, MatchId, PlayerId, RoundRow, SeasonRow
from storage.tables import lists
from storage.tables.field import entrants
from storage.tables.lists import ListRow, ListSetRow
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenList:
    """A list as one person sees it: without its key and text where they can't read it."""

    owner: EntrantRow
    row: ListRow
    scope: ListSetRow
    words: str

    @property
    def is_hidden(self) -> bool:
        """Whether this person can't read it."""
        return self.row.text is None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLists:
    """The lists of both players of a match as one person sees them, and which of their own they still hand in."""

    lists: tuple[SeenList, ...]
    to_do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A list a player is to hand in; `row` is None while it's missing."""

    scope: ListSetRow
    words: str
    number: int
    row: ListRow | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLists:
    """What someone is to hand in, and for moderators how far all lists are; `entrant` is None for others."""

    league: LeagueRow
    season: SeasonRow
    rules: ListRules
    entrant: EntrantRow | None
    slots: tuple[Slot, ...]
    progress: tuple[Progress, ...]


def lists_of(tx: ReadTransaction, entrant: EntrantRow, *, round_: int | None = None) -> tuple[SeenList, ...]:
    """Return an entrant's lists as the actor sees them, all of them or those for a round.

    Others aren't told of a list before it's sealed.
    """
    rules = tx.settings.lists
    if rules is None:
        return ()
    viewer = _player(tx)
    seen: list[SeenList] = []
    for row in lists.of_entrant(tx.conn, entrant.id):
        scope = lists.get_set(tx.conn, row.set_id)
        owner = list_sets.owner_of(tx.conn, scope, entrant.id)
        own, sealed = _is(tx, owner), row.sealed_at is not None
        if not (own or sealed) or (round_ and scope.round not in (None, round_)):
            continue
        met = viewer is not None and lists.have_met(tx.conn, viewer, entrant.id, scope.round)
        readable = rules.readable(own=own, sealed=sealed, revealed=scope.revealed_at is not None, opponent=met)
        words = list_sets.words_of(tx.conn, scope)
        row = row if readable else replace(row, key=None, text=None)
        seen.append(SeenList(owner=owner, row=row, scope=scope, words=words))
    return tuple(seen)


def on_match(tx: ReadTransaction, round_: RoundRow, sides: Sequence[EntrantRow]) -> MatchLists:
    """Return the lists a match is played with, as the actor sees them, and what they have to hand in if they play."""
    return MatchLists(
        lists=tuple(seen_list for side in sides for seen_list in lists_of(tx, side, round_=round_.number)),
        to_do=to_hand_in(tx) if any(_is(tx, side) for side in sides) else "",
    )


def _is(tx: ReadTransaction, owner: EntrantRow) -> bool:
    return tx.actor.user_id is not None and owner.discord_id == tx.actor.user_id


def _player(tx: ReadTransaction) -> PlayerId | None:
    user_id = tx.actor.user_id
    row = None if user_id is None else players.by_discord(tx.conn, tx.league.id, user_id)
    return None if row is None else row.id


def _entrant(tx: ReadTransaction) -> EntrantRow | None:
    user_id = tx.actor.user_id
    return None if user_id is None else entrants.by_discord(tx.conn, tx.season.id, user_id)


def of_player(conn: Connection, order: Order, *, player: str, number: int | None = None) -> tuple[SeenList, ...]:
    """Return a player's lists of a season, by default the newest, as the actor sees them; raises NotFound for none."""
    tx = read_transaction(conn, order, numbered(number))
    owner = find.entrant(tx, player)
    handed_in = lists_of(tx, owner)
    if not handed_in:
        raise NotFound(f"{owner.called} has no sealed lists in season {tx.season.number}.")
    return handed_in


def of_match(conn: Connection, order: Order, *, match_id: MatchId) -> tuple[SeenList, ...]:
    """Return the lists both players of a match play it with, as the actor sees them; raises NotFound."""
    tx = read_transaction(conn, order, match_id=match_id)
    view = match_finding.find_match(tx, match_id)
    sides = [lists_of(tx, side, round_=view.round.number) for side in view.sides]
    return tuple(seen for side in sides for seen in side)


def own_lists(conn: Connection, order: Order) -> OwnLists:
    """Return what the actor is to hand in, with what they have; moderators see who has handed in, nothing more."""
    tx = read_transaction(conn, order, numbered())
    season = tx.season
    rules = tx.settings.lists
    if rules is None:
        raise NotFound(f"Season {season.number} takes no lists.")
    entrant = _entrant(tx)
    scopes = list_sets.going_on(tx.conn, season)
    runs = is_moderator(tx.league, order.actor)
    progress = [list_sets.progress_of(tx.conn, season, scope) for scope in scopes] if runs else []
    return OwnLists(
        league=tx.league,
        season=season,
        rules=rules,
        entrant=entrant,
        slots=() if entrant is None else _slots(tx, entrant, rules, scopes),
        progress=tuple(progress),
    )


def _slots(
    tx: ReadTransaction, entrant: EntrantRow, rules: ListRules, scopes: tuple[ListSetRow, ...]
) -> tuple[Slot, ...]:
    """Return a slot for each list that is the actor's to hand in, in the rounds they sit in the seat."""
    return tuple(
        [
            Slot(
                scope=scope,
                words=list_sets.words_of(tx.conn, scope),
                number=number,
                row=lists.one_of(tx.conn, scope, entrant.id, number),
            )
            for scope in scopes
            if _is(tx, list_sets.owner_of(tx.conn, scope, entrant.id))
            for number in range(1, rules.number + 1)
        ]
    )


def to_hand_in(tx: ReadTransaction) -> str:
    """Return which lists of the actor are missing now, as a sentence; nothing where none is."""
    scopes = list_sets.going_on(tx.conn, tx.season)
    progresses = [list_sets.progress_of(tx.conn, tx.season, scope) for scope in scopes]
    words = [progress.words for progress in progresses if any(_is(tx, owner) for owner in progress.missing)]
    return f"Your list for {' and '.join(words)} is missing: hand it in with /list." if words else ""
