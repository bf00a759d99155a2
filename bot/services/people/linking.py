"""A new Discord account for a player: asked for by them or an organiser, accepted by the new account."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid
from bot.league.season.in_words import first_few
from bot.league.season.phases import MatchState
from bot.services.base import find, hooks, pending_questions
from bot.services.base.accounts import NO_ACCOUNT, give_account, require_not_forgotten
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import AccountBanned, AccountChanged, AccountTaken, PlayerBanned
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE, PAGE
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, there
from bot.services.base.transaction import Transaction, live_if_any, transaction
from bot.services.matches import views
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, LeagueRow, PlayerRow
from storage.tables import leagues
from storage.tables.outbox import outbox_rows
from storage.tables.people import players
from storage.tables.people.players import LinkId, LinkRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A Discord account as the server shows it."""

    discord_id: int
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts(Facts):
    """Which question to a new account it is."""

    link_id: LinkId


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPost(Post):
    """The question to a new account, or how it was answered; `other` is the player the account is instead."""

    league: LeagueRow
    player: PlayerRow
    link: LinkRow
    other: str | None


def _load(conn: Connection, post: PostRow, _: datetime) -> LinkPost:
    """Load the question to a new account; raises Gone."""
    link = there(players.find_link(conn, LINK.facts(post).link_id))
    if link.ended_at is not None and post.message_id is None:
        raise Gone
    player = players.get(conn, link.player_id)
    league = leagues.get(conn, player.league_id)
    holder = players.by_discord(conn, league.id, link.discord_id)
    other = None if holder is None or holder.id == player.id else holder.name
    return LinkPost(league=league, player=player, link=link, other=other, ping_ids=(link.discord_id,))


LINK = PostKind("link", LinkFacts, stands=True, load=_load)


def propose(conn: Connection, order: Order, *, player: str, account: Account, agreed: str | None = None) -> PlayerRow:
    """Ask a new account to become a player's, as an organiser or the player.

    Raises ConfirmationNeeded, NotAllowed, Conflict.
    """
    tx = transaction(conn, order)
    row = find.player(tx, player)
    tx.player_or_organiser(row)
    _require_linkable(tx, row, account)
    waiting = players.waiting_link(tx.conn, row.id)
    if waiting is not None and waiting.discord_id == account.discord_id:
        raise Conflict(
            f"{account.name} was asked already and hasn't answered. The question is in the league's channel."
        )
    require_confirmation(_cost(row, account), agreed)
    _end(tx, row, accepted=None)
    link = players.ask_account(tx.conn, player_id=row.id, discord_id=account.discord_id, asked_at=order.now)
    tx.enqueue(LINK, LinkFacts(link_id=link.id), tx.league, once=str(link.id))
    tx.note("player.ask_link", row.name, after={"discord_id": account.discord_id})
    return row


def _require_linkable(tx: Transaction, player: PlayerRow, account: Account) -> None:
    if account.is_bot:
        raise Invalid(f"{account.name} is a bot, and bots can't play. Choose a person.")
    require_not_forgotten(tx, player, f"{NO_ACCOUNT} {account.name} can join with /signup.")
    hooks.require_welcome(tx, None, account=account.discord_id, called=account.name)
    if player.discord_id is not None:  # one without an account is banned by name until they have one
        hooks.require_welcome(tx, player)
    if player.discord_id == account.discord_id:
        raise Conflict(f"{player.name} plays with this account already.")
    holder = players.by_discord(tx.conn, tx.league.id, account.discord_id)
    if holder is not None:
        step = tx.hint(
            f"If they are the same person as {player.name}, use /player merge.",
            "If both are you, ask an organiser to merge them.",
        )
        raise Conflict(f"{account.name} plays in {tx.league.name} already, as {holder.name}.{step}")


def _cost(player: PlayerRow, account: Account) -> str:
    kept = f"Results, rating and history of {player.name} stay, and belong to {account.name} from then on."
    old = "" if player.discord_id is None else f" The old account can't play as {player.name} any more, and is told."
    return f"{account.name} is asked in the league's channel if they are {player.name}. {kept}{old}"


def answer(conn: Connection, order: Order, *, link: LinkId, accept: bool) -> PlayerRow:
    """Accept or refuse, as the new account; raises NotFound, NotAllowed and Conflict."""
    row = pending_questions.found(players.find_link(conn, link))
    player = players.get(conn, row.player_id)
    tx = transaction(conn, order.of(player.league_id), live_if_any)
    pending_questions.require_asked(order.actor, row.discord_id, "the person mentioned here")
    if row.ended_at is not None:
        raise Conflict("This question is settled. /help shows what you can do in the league.")
    if accept:
        _require_linkable(tx, player, Account(discord_id=row.discord_id, name=order.actor.name))
    _end(tx, player, accepted=accept)
    if accept:
        _link(tx, player, row.discord_id)
    else:
        tx.note("player.refuse_link", player.name)
    return player


def _end(tx: Transaction, player: PlayerRow, *, accepted: bool | None) -> None:
    """End the question to a new account, if there is one."""
    link = players.waiting_link(tx.conn, player.id)
    if link is not None:
        players.change_link(tx.conn, link.id, ended_at=tx.now, accepted=accepted)
        outbox_rows.invalidate_key(tx.conn, f"{LINK}:{tx.league.id}:{link.id}", now=tx.now)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask no other account any more to become a player's who was given one; the first one is told where they play."""
    _end(tx, event.after, accepted=None)
    seat = find.seat_of(tx, event.after) if event.before.discord_id is None else None
    if seat is not None and seat.active:
        _tell_place(tx, seat)


def _tell_place(tx: Transaction, seat: EntrantRow) -> None:
    """Tell someone who has an account only now what the round's pairings couldn't mention them for."""
    text, until = f"{seat.called}, you're in season {tx.season.number} with this account from now on.", None
    open_ = views.open_matches(tx.conn, seat.id)
    to_play = [view for view in open_ if view.match.state is MatchState.OPEN]
    if to_play:
        until = min((view.deadline for view in to_play if view.deadline is not None), default=None)
    if len(open_) == 1:
        where = f" in {open_[0].place}" if open_[0].place else ""
        text += f" Your opponent{where} is {open_[0].opponent_of(seat).called}: /match shows the rest."
    elif open_:
        opponents = [view.opponent_of(seat).called for view in open_]
        text += f" Your opponents are {first_few(opponents, PAGE)}: /match shows the rest."
    tx.tell(text, kind=OWN_PLACE, pings=[seat.discord_id], until=until)


def player_banned(tx: Transaction, event: PlayerBanned) -> None:
    """Ask no account any more to become a player's who can't play with it."""
    if event.player.discord_id is not None:  # one without an account is banned by name until they have one
        _end(tx, event.player, accepted=None)


def account_settled(tx: Transaction, event: AccountBanned | AccountTaken) -> None:
    """Ask an account no longer if it is a player that is another one now, or can't join: another can be asked."""
    for link in players.waiting_links_to(tx.conn, tx.league.id, event.account):
        _end(tx, players.get(tx.conn, link.player_id), accepted=None)


def _link(tx: Transaction, player: PlayerRow, discord_id: int) -> None:
    if player.discord_id is not None:
        hooks.move_to_account(tx.conn, player.discord_id, discord_id)
        outbox_rows.change_account(tx.conn, tx.league.id, old=player.discord_id, new=discord_id, now=tx.now)
        text = f"{player.name} plays with another account from now on. If you are {player.name} and didn't want this, "
        tx.tell(f"{text}tell an organiser now.", pings=[player.discord_id])
    give_account(tx, player, discord_id)
