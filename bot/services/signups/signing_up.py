"""Who gets into a season: sign-up, late entry, the role and rules it wants, adding someone (docs/formats/shared.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from bot.league.errors import Conflict, Invalid, NotAllowed
from bot.league.formats import by_key
from bot.league.season.model import DepartureKind
from bot.league.season.names import check_name
from bot.league.season.phases import PLAYING
from bot.league.season.setting_values import MOST_PLAYERS
from bot.services.base import cached, hooks
from bot.services.base.accounts import Newcomer, known_player, new_player, require_own_seat
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.outbox import NOTICE, OWN_PLACE
from bot.services.base.transaction import ORGANISER, ReadTransaction, Transaction, live, read_transaction, transaction
from bot.services.matches import season_ladders
from bot.services.play import progression
from bot.services.play.field.eligibility import require_open_stage, round_to_enter, too_long, way_back
from bot.services.signups import approval, free_places, names_in_game, recognising, waiting_list
from bot.services.signups.approval import Asks
from bot.services.signups.recognising import Claimed, Past, PerhapsYou
from bot.services.signups.waiting_list import Waits
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, PlayerId, PlayerRow, SeasonRow
from storage.tables.field import entrants
from storage.tables.people import players
from storage.tables.signups import claims, join_requests, waitlist
from storage.tables.signups.waitlist import WaitingRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedUp:
    """An entry; `first_time` when the league name was fixed with it, `already` when they had it.

    `linked` when they had it without an account, and an organiser gave them this one. `kept` is what subjects made of
    what was typed with it, by its name.
    """

    entrant: EntrantRow
    season: SeasonRow
    count: int
    first_time: bool = False
    already: bool = False
    linked: bool = False
    kept: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def cost(self) -> str:
        """Return what entering late costs, and what else follows from it; nothing before round 1."""
        missed = missed_rounds(self.entrant.entered)
        also = by_key(self.season.format).on_late_entry(rules_season.settings_of(self.season)) if missed else ""
        return f"{missed} {also}".strip()


class LateEntry(Conflict):
    """Joining now costs rounds the person hasn't agreed to lose; `first` is the round they would play first."""

    def __init__(self, first: int, *, let_in: bool = False) -> None:
        self.first = first
        missed = "round 1: it counts as a loss" if first == 2 else f"rounds 1 to {first - 1}: they count as losses"
        also = f" {LET_IN_LATE}" if let_in else ""
        super().__init__(f"You missed {missed}.{also} Join anyway?")


LET_IN_LATE = "An organiser has to let you in, and each round that begins before they answer counts as a loss too."


class RoleNeeded(NotAllowed):
    """Only members with a role can join, and this one doesn't have it."""

    def __init__(self, role_id: int, number: int | None) -> None:
        self.role_id, self.number = role_id, number
        super().__init__(f"Only members with one role can join season {number}. Ask an organiser for it.")


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
    typed: Mapping[str, str | None] = MappingProxyType({}),
    agreed: int = 1,
    rules: str | None = None,
    answer: str | None = None,
    claims_to_be: PlayerId | None = None,
    someone_else: bool = False,
) -> SignedUp | Waits | Asks | Claimed:
    """Put the actor into the season that takes players, or on its waiting list where it's full, or ask organisers.

    Raises LateEntry where they'd miss more than they `agreed` to: the first round they know they would play. `rules` is
    their agreement to the league's own rules, as `ask_first` takes it, `typed` what they typed for other subjects.
    Raises AnswerNeeded where the season asks something for opponents and they gave no `answer`, nor before, and
    PerhapsYou where their name is that of someone of the past without an account: then `claims_to_be` says that they
    are this player, which organisers are asked, or they are `someone_else`.
    """
    if order.actor.user_id is None:
        raise NotAllowed("Only people can sign up.")
    account: dict[str, Any] = {"discord_id": order.actor.user_id, "wanted": name, "display_name": display_name}
    tx = transaction(conn, order)
    newcomer = Newcomer(**account, agreed=agreed, rules=rules, claims=claims_to_be, someone_else=someone_else)
    past = recognising.meant(tx, newcomer)
    waiting = _waiting_claim(tx, newcomer, past)
    if waiting is not None:
        return waiting
    if past is not None:
        return _claim(tx, newcomer, past, answer)
    done = _with_typed(tx, _enter(tx, newcomer), typed)
    player = players.by_discord(tx.conn, tx.league.id, order.actor.user_id)
    assert player is not None
    names_in_game.ask(tx, player, answer)
    return done


def _waiting_claim(tx: Transaction, newcomer: Newcomer, past: Past | None) -> Claimed | None:
    """Return the claim of an account that waits already, unless it gives another name now, or joins as it's known."""
    season = tx.about(live(tx))
    row = recognising.own(tx)
    joins = newcomer.wanted is None and row is not None and row.own is not None
    other = newcomer.wanted is not None and (past is None or row is None or past.player.id != row.player_id)
    if row is None or joins or other:
        return None
    return Claimed(name=row.name, season=season, own=row.own, already=True)


def _claim(tx: Transaction, newcomer: Newcomer, past: Past, answer: str | None) -> Claimed:
    """Ask organisers whether someone is a player of the past; what joining takes is asked first.

    One who is a player already asks for the two to be merged, and joins by their own name meanwhile.
    """
    player = players.by_discord(tx.conn, tx.league.id, newcomer.discord_id)
    hooks.require_welcome(tx, player, account=newcomer.discord_id, called=newcomer.display_name)
    hooks.require_welcome(tx, past.player)
    recognising.require_not_refused(tx, past, newcomer.discord_id)
    first = 1 if player is not None else _round_to_claim(tx, newcomer, past)
    if newcomer.claims != past.player.id:
        other = bool(claims.for_player(tx.conn, tx.season.id, past.player.id))
        name = newcomer.wanted_name or newcomer.display_name
        taken = bool(players.mistakable(tx.conn, tx.league.id, name))
        raise PerhapsYou(past, own=None if player is None else player.name, other=other, taken=taken)
    if player is None:
        _ask_rules(tx, newcomer)
        if first > newcomer.agreed:
            raise LateEntry(first, let_in=True)
        names_in_game.require_answer(tx, past.player, answer)
    return recognising.ask(tx, newcomer, past, answer)


def _round_to_claim(tx: Transaction, newcomer: Newcomer, past: Past) -> int:
    """Return the first round of someone who is recognised now; raises WrongPhase, and RoleNeeded."""
    first = round_to_enter(tx)
    require_open_stage(tx, past.player.name)
    _require_role(tx, newcomer, None)
    return first


def require_open_to(conn: Connection, order: Order) -> None:
    """Raise WrongPhase or RoleNeeded where the actor, new to the league, can't join it as anyone now."""
    tx = transaction(conn, order, live)
    if players.by_discord(conn, tx.league.id, order.actor.user_id or 0) is None:
        round_to_enter(tx)
        newcomer = Newcomer(discord_id=order.actor.user_id or 0, wanted=None, display_name=order.actor.name)
        _require_role(tx, newcomer, None)


def names_a_newcomer(conn: Connection, order: Order, *, name: str) -> bool:
    """Whether this would become the name of someone new to the league.

    Raises as `sign_up` does where that isn't possible: for a league without a season, or a name that can't be taken.
    """
    tx = read_transaction(conn, order, live)
    if order.actor.user_id is None or players.by_discord(tx.conn, tx.league.id, order.actor.user_id) is not None:
        return False
    wanted = check_name(name)
    return not players.mistakable(tx.conn, tx.league.id, wanted)


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
    newcomer: dict[str, Any] = {"discord_id": discord_id, "wanted": name, "display_name": display_name}
    tx = transaction(conn, order, by=ORGANISER)
    if is_bot:
        raise Invalid(f"{display_name} is a bot, and bots can't play. Choose a person.")
    unknown = players.by_discord(tx.conn, tx.league.id, discord_id) is None
    done = _enter(tx, Newcomer(**newcomer, by_organiser=True, reason=reason))
    assert isinstance(done, SignedUp)
    return replace(done, linked=done.already and unknown)


def take_place(conn: Connection, order: Order, *, waiting_id: int, agreed: int = 1) -> SignedUp | Waits | Asks:
    """Take the place the actor was offered; raises as `waiting_list.offered` does, and LateEntry as `sign_up` does."""
    tx, row = waiting_list.offered(conn, order, waiting_id)
    assert order.actor.user_id is not None
    newcomer = Newcomer(discord_id=order.actor.user_id, wanted=None, display_name=row.name, agreed=agreed)
    return _enter(tx, newcomer)


def _with_typed(
    tx: Transaction, done: SignedUp | Waits | Asks, typed: Mapping[str, str | None]
) -> SignedUp | Waits | Asks:
    """Let subjects keep what was typed with a sign-up; of those who wait nothing is kept."""
    if not isinstance(done, SignedUp):
        return done
    kept = hooks.keep_typed(tx, done.entrant, typed)
    return replace(done, kept=kept, already=False) if kept else done


def _enter(tx: Transaction, newcomer: Newcomer) -> SignedUp | Waits | Asks:
    season = tx.about(live(tx))
    registered = known_player(tx, newcomer)
    entrant = None if registered is None else entrants.by_player(tx.conn, season.id, registered.id)
    if entrant is not None and registered is not None:
        require_own_seat(entrant, registered)
        return _again(tx, entrant, newcomer)
    first = round_to_enter(tx)
    queued = waitlist.by_discord(tx.conn, season.id, newcomer.discord_id)
    _require_role(tx, newcomer, queued)
    if tx.settings.approval and queued is None and not newcomer.by_organiser:
        return _ask_in(tx, newcomer, registered, first)
    if not _has_room(tx, queued):
        return _wait(tx, newcomer, registered, queued)
    _require_place(tx, by_organiser=newcomer.by_organiser)
    player = registered or new_player(tx, newcomer)
    entrant = put_in(tx, player, first)
    require_open_stage(tx, entrant.name)
    _ask_rules(tx, newcomer)
    if first > newcomer.agreed and not newcomer.by_organiser:
        raise LateEntry(first)
    after = {"name": entrant.name, "entered": first, "discord_id": newcomer.discord_id}
    action = "entrant.add" if newcomer.by_organiser else "entrant.sign_up"
    tx.note(action, entrant.name, after=after, reason=newcomer.reason)
    if queued is not None:
        free_places.leave(tx, queued, "waitlist.take")
    request = join_requests.of_player(tx.conn, season.id, player.id)
    if request is not None:
        approval.end(tx, request, accepted=True)
    tx.invalidate()
    progression.advance(tx)
    done = SignedUp(entrant=entrant, season=season, count=free_places.taken(tx), first_time=registered is None)
    if season.phase in PLAYING:
        text = f"{entrant.name} joins season {season.number} from round {first} on. {done.cost}"
        if entrant.discord_id == tx.actor.user_id:
            tx.tell(text.strip(), kind=NOTICE)
        else:
            tx.tell(text.strip(), kind=OWN_PLACE, pings=[entrant.discord_id])
    elif newcomer.by_organiser and entrant.discord_id != tx.actor.user_id:
        added = f"{entrant.name}, you're in season {season.number}: an organiser added you."
        tx.tell(f"{added} /drop takes you off the list.", kind=OWN_PLACE, pings=[entrant.discord_id])
    return done


def _ask_in(tx: Transaction, newcomer: Newcomer, registered: PlayerRow | None, first: int) -> Asks:
    """Ask the organisers to let someone in; what they have to agree to is asked first."""
    request = None if registered is None else join_requests.of_player(tx.conn, tx.season.id, registered.id)
    if request is not None:
        return Asks(name=request.name, season=tx.season, already=True)
    player = registered or new_player(tx, newcomer)
    require_open_stage(tx, player.name)
    _ask_rules(tx, newcomer)
    if first > newcomer.agreed:
        raise LateEntry(first, let_in=True)
    return approval.ask(tx, player, first_time=registered is None)


def let_in(tx: Transaction, player: PlayerRow) -> SignedUp | Waits:
    """Put a player into the season that organisers let in, or on the waiting list where it is full."""
    first, left = round_to_enter(tx), free_places.free(tx)
    if left is not None and left <= 0:
        require_open_stage(tx, player.name)
        return waiting_list.join(tx, player, first_time=False)
    _require_place(tx, by_organiser=True)
    entrant = put_in(tx, player, first)
    require_open_stage(tx, entrant.name)
    tx.note("entrant.let_in", entrant.name, after={"entered": first})
    tx.invalidate()
    progression.advance(tx)
    return SignedUp(entrant=entrant, season=tx.season, count=free_places.taken(tx))


def _require_role(tx: Transaction, newcomer: Newcomer, queued: WaitingRow | None) -> None:
    """Raise RoleNeeded for someone who joins by themselves without the role the season asks for.

    Someone offered a place by direct message had it when they began to wait; their roles aren't known there.
    """
    role, is_known = tx.settings.join_role, queued is not None and tx.actor.direct
    if role is not None and not newcomer.by_organiser and not is_known and role not in tx.actor.role_ids:
        raise RoleNeeded(role, tx.season.number)


def _ask_rules(tx: Transaction, newcomer: Newcomer) -> None:
    require_confirmation(tx.league.rules_text or "", newcomer.rules if tx.league.rules_text else None)


def _has_room(tx: Transaction, queued: WaitingRow | None) -> bool:
    """Whether there's a place for someone who joins now; one who waits needs a place that was offered to them."""
    if queued is not None and queued.asked_at is not None:
        return True
    left = free_places.free(tx)
    return left is None or left > 0


def takes_one_more(tx: ReadTransaction) -> bool:
    """Whether someone can be let in: into the season, or on its waiting list where its places are taken."""
    left = free_places.free(tx)
    return (left is not None and left <= 0) or not _why_full(tx, by_organiser=True)


def _why_full(tx: ReadTransaction, *, by_organiser: bool) -> str:
    """Return why a season can't have one player more on Discord, or by its rounds, and what to do; "" where it can."""
    if free_places.taken(tx) >= MOST_PLAYERS:
        return f"Season {tx.season.number} is full: a season on Discord can have {MOST_PLAYERS:,} players."
    return too_long(tx, by_organiser=by_organiser)


def _require_place(tx: Transaction, *, by_organiser: bool) -> None:
    full = _why_full(tx, by_organiser=by_organiser)
    if full:
        raise Conflict(full)


def _wait(tx: Transaction, newcomer: Newcomer, registered: PlayerRow | None, queued: WaitingRow | None) -> Waits:
    """Put someone on the waiting list of a full season; raises Conflict for a player an organiser adds."""
    if newcomer.by_organiser:
        words = f"Season {tx.season.number} is full: all {tx.settings.max_players} places are taken or offered."
        raise Conflict(
            f"{words} Raise max_players with /season settings, or let them join the waiting list with /signup."
        )
    if queued is not None:
        place = waiting_list.place_of(tx, queued)
        return Waits(name=queued.name, season=tx.season, place=place, already=True)
    player = registered or new_player(tx, newcomer)
    require_open_stage(tx, player.name)
    _ask_rules(tx, newcomer)
    return waiting_list.join(tx, player, first_time=registered is None)


def put_in(tx: Transaction, player: PlayerRow, first: int) -> EntrantRow:
    """Put a player into the season from a round on; one who signs up during the check-in needn't check in."""
    rating = cached.rating_now(tx.conn, tx.season, player.id) if tx.season.phase in PLAYING else None
    entrant = entrants.add(
        tx.conn,
        season_id=tx.season.id,
        player_id=player.id,
        name=player.name,
        former_names=players.former_names(tx.conn, player),
        entered=first,
        mu=None if rating is None else rating.mu,
        sigma=None if rating is None else rating.sigma,
        checked_in=tx.season.signups_close is not None and tx.season.check_in == tx.season.signups_close,
    )
    if tx.season.phase in PLAYING:
        season_ladders.keep(tx)  # before its first round, which was undone
    return entrant


def _again(tx: Transaction, entrant: EntrantRow, newcomer: Newcomer) -> SignedUp:
    season = tx.season
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{entrant.called} was disqualified from season {season.number} and can't come back.")
    if entrant.departed is not None:
        by_organiser = "If it isn't too late, /player reinstate brings them back."
        way = by_organiser if newcomer.by_organiser else way_back(tx)
        raise Conflict(f"{entrant.called} has left season {season.number}. {way}")
    return SignedUp(entrant=entrant, season=season, count=free_places.taken(tx), already=True)
