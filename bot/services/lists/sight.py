"""Who can read which list: the owner always, others once it's sealed and as the season's settings say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.errors import NotFound
from bot.league.season.list_rules import ListRules
from bot.services.base import find
from bot.services.base.act import Look, look, numbered
from bot.services.base.order import Order
from bot.services.base.permissions import is_moderator
from bot.services.lists import list_sets
from bot.services.lists.list_sets import Progress
from bot.services.matches import choosing
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, MatchId, PlayerId, RoundRow, SeasonRow
from storage.tables import entrants, lists, players
from storage.tables.lists import ListRow, ListSetRow


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


def lists_of(see: Look, entrant: EntrantRow, *, round_: int | None = None) -> tuple[SeenList, ...]:
    """Return an entrant's lists as the actor sees them, all of them or those for a round.

    Others aren't told of a list before it's sealed.
    """
    rules = see.settings.lists
    if rules is None:
        return ()
    viewer = _player(see)
    found: list[SeenList] = []
    for row in lists.of_entrant(see.conn, entrant.id):
        scope = lists.get_set(see.conn, row.set_id)
        owner = list_sets.owner_of(see.conn, scope, entrant.id)
        own, sealed = _is(see, owner), row.sealed_at is not None
        if not (own or sealed) or (round_ and scope.round not in (None, round_)):
            continue
        met = viewer is not None and lists.have_met(see.conn, viewer, entrant.id, scope.round)
        readable = rules.readable(own=own, sealed=sealed, revealed=scope.revealed_at is not None, opponent=met)
        words = list_sets.words_of(see.conn, scope)
        row = row if readable else replace(row, key=None, text=None)
        found.append(SeenList(owner=owner, row=row, scope=scope, words=words))
    return tuple(found)


def on_match(see: Look, round_: RoundRow, sides: Sequence[EntrantRow]) -> MatchLists:
    """Return the lists a match is played with, as the actor sees them, and what they have to hand in if they play."""
    return MatchLists(
        lists=tuple(one for who in sides for one in lists_of(see, who, round_=round_.number)),
        to_do=to_hand_in(see) if any(_is(see, side) for side in sides) else "",
    )


def _is(see: Look, owner: EntrantRow) -> bool:
    return see.actor.user_id is not None and owner.discord_id == see.actor.user_id


def _player(see: Look) -> PlayerId | None:
    known = see.actor.user_id
    row = None if known is None else players.by_discord(see.conn, see.league.id, known)
    return None if row is None else row.id


def _entrant(see: Look) -> EntrantRow | None:
    known = see.actor.user_id
    return None if known is None else entrants.by_discord(see.conn, see.season.id, known)


def of_player(conn: Connection, order: Order, *, player: str, number: int | None = None) -> tuple[SeenList, ...]:
    """Return a player's lists of a season, by default the newest, as the actor sees them; raises NotFound for none."""
    see = look(conn, order, numbered(number))
    owner = find.entrant(see, player)
    found = lists_of(see, owner)
    if not found:
        raise NotFound(f"{owner.called} has no sealed lists in season {see.season.number}.")
    return found


def of_match(conn: Connection, order: Order, *, match_id: MatchId) -> tuple[SeenList, ...]:
    """Return the lists both players of a match play it with, as the actor sees them; raises NotFound."""
    see = look(conn, order, match_id=match_id)
    view = choosing.find_match(see, match_id)
    sides = [lists_of(see, side, round_=view.round.number) for side in view.sides]
    return tuple(seen for side in sides for seen in side)


def own_lists(conn: Connection, order: Order) -> OwnLists:
    """Return what the actor is to hand in, with what they have; moderators see who has handed in, nothing more."""
    see = look(conn, order, numbered())
    season = see.season
    rules = see.settings.lists
    if rules is None:
        raise NotFound(f"Season {season.number} takes no lists.")
    entrant = _entrant(see)
    there = list_sets.going_on(see.conn, season)
    runs = is_moderator(see.league, order.actor)
    progress = [list_sets.progress_of(see.conn, season, scope) for scope in there] if runs else []
    return OwnLists(
        league=see.league,
        season=season,
        rules=rules,
        entrant=entrant,
        slots=() if entrant is None else _slots(see, entrant, rules, there),
        progress=tuple(progress),
    )


def _slots(see: Look, entrant: EntrantRow, rules: ListRules, there: tuple[ListSetRow, ...]) -> tuple[Slot, ...]:
    """Return a slot for each list that is the actor's to hand in, in the rounds they sit in the seat."""
    return tuple(
        [
            Slot(
                scope=scope,
                words=list_sets.words_of(see.conn, scope),
                number=number,
                row=lists.one_of(see.conn, scope, entrant.id, number),
            )
            for scope in there
            if _is(see, list_sets.owner_of(see.conn, scope, entrant.id))
            for number in range(1, rules.number + 1)
        ]
    )


def to_hand_in(see: Look) -> str:
    """Return which lists of the actor are missing now, as a sentence; nothing where none is."""
    there = list_sets.going_on(see.conn, see.season)
    found = [list_sets.progress_of(see.conn, see.season, scope) for scope in there]
    words = [one.words for one in found if any(_is(see, owner) for owner in one.missing)]
    return f"Your list for {' and '.join(words)} is missing: hand it in with /list." if words else ""
