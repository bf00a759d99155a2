"""Who plays in a season: sign-up, late entry, and adding another person (docs/rules.md, 1 and 9)."""

from dataclasses import dataclass, replace
from typing import Any

from bot.league.errors import Conflict, Invalid, NotAllowed
from bot.league.season.model import DepartureKind
from bot.league.season.names import check_name
from bot.league.season.phases import PLAYING
from bot.league.season.setting import MOST_PLAYERS
from bot.services.base import asked, counted
from bot.services.base.accounts import Newcomer, known_player, new_player, require_own_seat
from bot.services.base.act import ORGANISER, Act, act, live, look
from bot.services.base.asked import Deck
from bot.services.base.asking import ask_first
from bot.services.base.order import Order
from bot.services.play import course
from bot.services.play.eligibility import require_open_stage, round_to_enter, way_back
from bot.services.signups import free_places, waiting_list
from bot.services.signups.waiting_list import Waits
from storage.database import Connection
from storage.rows import EntrantRow, PlayerRow, SeasonRow
from storage.tables import entrants, players, waitlist
from storage.tables.waitlist import WaitingRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedUp:
    """An entry; `first_time` when the league name was fixed with it, `already` when nothing changed.

    `handed_in` is the deck that came with it.
    """

    entrant: EntrantRow
    season: SeasonRow
    count: int
    first_time: bool = False
    already: bool = False
    handed_in: Deck | None = None

    @property
    def cost(self) -> str:
        """Return what entering late costs, in one sentence; nothing before round 1."""
        return missed_rounds(self.entrant.entered)


class LateEntry(Conflict):
    """Joining now costs rounds the person hasn't agreed to lose; `first` is the round they would play first."""

    def __init__(self, first: int) -> None:
        self.first = first
        missed = "round 1: it counts as a loss" if first == 2 else f"rounds 1 to {first - 1}: they count as losses"
        super().__init__(f"You missed {missed}. Join anyway?")


def missed_rounds(first: int) -> str:
    """Return which rounds count as losses for a player who enters with round `first`; nothing before round 1."""
    match first - 1:
        case 0:
            return ""
        case 1:
            return "Round 1 counts as a loss."
        case last:
            return f"Rounds 1 to {last} count as losses."


def sign_up(
    conn: Connection,
    order: Order,
    *,
    display_name: str,
    name: str | None = None,
    deck: str | None = None,
    agreed: int = 1,
    rules: str | None = None,
) -> SignedUp | Waits:
    """Put the actor into the season that takes players, or on its waiting list where it's full.

    Raises LateEntry where they'd miss more than they `agreed` to: the first round they know they would play. `rules` is
    their agreement to the league's own rules, as `ask_first` takes it.
    """
    if order.actor.user_id is None:
        raise NotAllowed("Only people can sign up.")
    who: dict[str, Any] = {"discord_id": order.actor.user_id, "wanted": name, "display_name": display_name}
    do = act(conn, order)
    return _with_deck(do, _enter(do, Newcomer(**who, agreed=agreed, rules=rules)), deck)


def names_a_newcomer(conn: Connection, order: Order, *, name: str) -> bool:
    """Whether this would become the name of someone new to the league.

    Raises as `sign_up` does where that isn't possible: for a league without a season, or a name that can't be taken.
    """
    see = look(conn, order, live)
    if order.actor.user_id is None or players.by_discord(see.conn, see.league.id, order.actor.user_id) is not None:
        return False
    wanted = check_name(name)
    return not players.mistakable(see.conn, see.league.id, wanted)


def add(
    conn: Connection,
    order: Order,
    *,
    discord_id: int,
    display_name: str,
    is_bot: bool = False,
    name: str | None = None,
    reason: str | None = None,
) -> SignedUp:
    """Put another person into the season; a name from an imported season makes them that player."""
    who: dict[str, Any] = {"discord_id": discord_id, "wanted": name, "display_name": display_name}
    do = act(conn, order, by=ORGANISER)
    if is_bot:
        raise Invalid(f"{display_name} is a bot, and bots can't play. Choose a person.")
    done = _enter(do, Newcomer(**who, by_organiser=True, reason=reason))
    assert isinstance(done, SignedUp)
    return done


def take_place(conn: Connection, order: Order, *, waiting_id: int, agreed: int = 1) -> SignedUp | Waits:
    """Take the place the actor was offered; raises as `waiting_list.offered` does, and LateEntry as `sign_up` does."""
    do, row = waiting_list.offered(conn, order.actor, order.now, waiting_id)
    assert order.actor.user_id is not None
    who = Newcomer(discord_id=order.actor.user_id, wanted=None, display_name=row.name, agreed=agreed)
    return _enter(do, who)


def _with_deck(do: Act, done: SignedUp | Waits, deck: str | None) -> SignedUp | Waits:
    """Keep the deck typed with a sign-up, if the season takes any."""
    kept = None if not deck or isinstance(done, Waits) else asked.keep_deck(do, done.entrant, deck)
    return done if kept is None or isinstance(done, Waits) else replace(done, handed_in=kept, already=False)


def _enter(do: Act, newcomer: Newcomer) -> SignedUp | Waits:
    season = do.about(live(do))
    known = known_player(do, newcomer)
    entrant = None if known is None else entrants.by_player(do.conn, season.id, known.id)
    if entrant is not None and known is not None:
        require_own_seat(entrant, known)
        return _again(do, entrant, newcomer)
    first = round_to_enter(do)
    queued = waitlist.by_discord(do.conn, season.id, newcomer.discord_id)
    if not _has_room(do, queued):
        return _wait(do, newcomer, known, queued)
    _require_place(do)
    player = known or new_player(do, newcomer)
    entrant = put_in(do, player, first)
    require_open_stage(do, entrant.name)
    _ask_rules(do, newcomer)
    if first > newcomer.agreed and not newcomer.by_organiser:
        raise LateEntry(first)
    after = {"name": entrant.name, "entered": first, "discord_id": newcomer.discord_id}
    action = "entrant.add" if newcomer.by_organiser else "entrant.sign_up"
    do.note(action, entrant.name, after=after, reason=newcomer.reason)
    if queued is not None:
        free_places.leave(do, queued, "waitlist.take")
    do.touch()
    course.advance(do)
    done = SignedUp(entrant=entrant, season=season, count=free_places.taken(do), first_time=known is None)
    if season.phase in PLAYING:
        text = f"{entrant.name} joins season {season.number} from round {first} on. {done.cost}"
        do.tell(text.strip(), pings=[entrant.discord_id])
    return done


def _ask_rules(do: Act, newcomer: Newcomer) -> None:
    ask_first(do.league.rules_text or "", newcomer.rules if do.league.rules_text else None)


def _has_room(do: Act, queued: WaitingRow | None) -> bool:
    """Whether there's a place for someone who joins now; one who waits needs a place that was offered to them."""
    if queued is not None and queued.asked_at is not None:
        return True
    left = free_places.free(do)
    return left is None or left > 0


def _require_place(do: Act) -> None:
    """Raise Conflict where a season has as many players as one on Discord can."""
    if free_places.taken(do) >= MOST_PLAYERS:
        raise Conflict(f"Season {do.season.number} is full: a season on Discord can have {MOST_PLAYERS:,} players.")


def _wait(do: Act, newcomer: Newcomer, known: PlayerRow | None, queued: WaitingRow | None) -> Waits:
    """Put someone on the waiting list of a full season; raises Conflict for a player an organiser adds."""
    if newcomer.by_organiser:
        told = f"Season {do.season.number} is full: all {do.settings.max_players} places are taken or offered."
        raise Conflict(
            f"{told} Raise max_players with /season settings, or let them join the waiting list with /signup."
        )
    if queued is not None:
        place = waiting_list.place_of(do, queued)
        return Waits(name=queued.name, season=do.season, place=place, already=True)
    player = known or new_player(do, newcomer)
    require_open_stage(do, player.name)
    _ask_rules(do, newcomer)
    return waiting_list.join(do, player, first_time=known is None)


def put_in(do: Act, player: PlayerRow, first: int) -> EntrantRow:
    """Put a player into the season from a round on; one who signs up during the check-in needn't check in."""
    rating = counted.rating_now(do.conn, do.season, player.id) if do.season.phase in PLAYING else None
    return entrants.add(
        do.conn,
        season_id=do.season.id,
        player_id=player.id,
        name=player.name,
        former_names=players.former_names(do.conn, player),
        entered=first,
        mu=None if rating is None else rating.mu,
        sigma=None if rating is None else rating.sigma,
        checked_in=do.season.signups_close is not None and do.season.check_in == do.season.signups_close,
    )


def _again(do: Act, entrant: EntrantRow, newcomer: Newcomer) -> SignedUp:
    season = do.season
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{entrant.called} was disqualified from season {season.number} and can't come back.")
    if entrant.departed is not None:
        by_organiser = "If it isn't too late, /player reinstate brings them back."
        way = by_organiser if newcomer.by_organiser else way_back(do)
        raise Conflict(f"{entrant.called} has left season {season.number}. {way}")
    return SignedUp(entrant=entrant, season=season, count=free_places.taken(do), already=True)
