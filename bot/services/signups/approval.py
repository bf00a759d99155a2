"""Asking to join a season in which organisers let each player in: who waits takes no place and is in no draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import NotAllowed
from bot.league.season.in_words import first_few
from bot.services.base.events import (
    AccountChanged,
    MergeTakenBack,
    ModeratorsMoved,
    PlayerBanned,
    PlayerForgotten,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
)
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.outbox import OWN_PLACE, PageFacts
from bot.services.base.post_kinds import Gone, PostKind, Readers, SeasonPost, Shows, Until, about_season
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.play.field import eligibility
from bot.services.signups import door_pages, free_places
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import PlayerRow, SeasonRow
from storage.tables.outbox import outbox_rows
from storage.tables.people import players
from storage.tables.signups import join_requests
from storage.tables.signups.join_requests import JoinRequestRow

_NAMED = 20
"""As many names as a message says: more of them could push out what to do next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequestPost(SeasonPost):
    """A page of players who ask to join, each with how that was answered."""

    rows: tuple[JoinRequestRow, ...]


def _load(conn: Connection, post: PostRow, _: datetime) -> JoinRequestPost:
    league, season = about_season(conn, post)
    rows = join_requests.of_page(conn, season.id, JOIN_REQUEST.facts(post).page)
    if not rows:
        raise Gone
    return JoinRequestPost(league=league, season=season, rows=rows)


JOIN_REQUEST = PostKind(
    "join-request", PageFacts, to=Readers.ORGANISERS, shows=Shows.SEASON, until=Until.SEASON_STARTS, load=_load
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """A player who asked to join and waits for an organiser; `already` when nothing changed."""

    name: str
    season: SeasonRow
    first_time: bool = False
    already: bool = False


def own(tx: ReadTransaction) -> JoinRequestRow | None:
    """Return the actor's request that waits for its answer, or None."""
    user_id = tx.actor.user_id
    return None if user_id is None else join_requests.by_discord(tx.conn, tx.season.id, user_id)


def ask(tx: Transaction, player: PlayerRow, *, first_time: bool) -> Asks:
    """Ask the organisers to let a player in; raises NotAllowed for one they didn't let into this season."""
    if join_requests.was_refused(tx.conn, tx.season.id, player.id):
        raise NotAllowed(
            f"An organiser didn't let you into season {tx.season.number}. If that's a mistake, ask one of them."
        )
    page = door_pages.page_for(join_requests.last_page(tx.conn, tx.season.id), tx.now)
    join_requests.add(tx.conn, season_id=tx.season.id, player_id=player.id, page=page, asked_at=tx.now)
    door_pages.show(tx, JOIN_REQUEST, page)
    tx.note("entrant.ask_in", player.name)
    return Asks(name=player.name, season=tx.season, first_time=first_time)


def _ask_again(tx: Transaction, row: JoinRequestRow) -> None:
    """Let someone wait again, on their page, which is posted again where its message is gone."""
    join_requests.change(tx.conn, row.id, answered_at=None, accepted=None)
    door_pages.show(tx, JOIN_REQUEST, row.page)


def end(tx: Transaction, row: JoinRequestRow, *, accepted: bool | None) -> None:
    """Let someone wait no more: they were let in or not, or (None) stopped asking."""
    join_requests.change(tx.conn, row.id, answered_at=tx.now, accepted=accepted)
    tx.invalidate()


def stop(tx: Transaction, row: JoinRequestRow) -> None:
    """Let someone ask no more."""
    end(tx, row, accepted=None)
    tx.note("entrant.stop_asking", row.name)


def player_gone(tx: Transaction, event: PlayerForgotten | PlayerBanned) -> None:
    """Let someone who is forgotten or banned ask no more."""
    if tx.found is not None:
        stop_player(tx, event.player)
        tx.invalidate(None, JOIN_REQUEST)  # one that was answered goes, too, with who is forgotten


def seat_taken(tx: Transaction, event: SeatTaken) -> None:
    """Let a substitute ask no more for a place of their own: one person has one seat a season."""
    stop_player(tx, event.person)


def stop_player(tx: Transaction, player: PlayerRow) -> None:
    """Let a player ask no more, if they do."""
    row = join_requests.of_player(tx.conn, tx.season.id, player.id)
    if row is not None:
        stop(tx, row)


def merge_taken_back(tx: Transaction, event: MergeTakenBack) -> None:
    """Ask organisers again about someone whose question went with them, unless no one can join any more."""
    join_requests.stop_where_over(tx.conn, tx.now, event.player.id)
    row = None if tx.found is None else join_requests.of_player(tx.conn, tx.season.id, event.player.id)
    if row is not None and not eligibility.takes_players(tx):
        stop(tx, row)
    elif row is not None:
        _ask_again(tx, row)


def account_changed(tx: Transaction, _: AccountChanged) -> None:
    """Show the new account of someone who waits."""
    tx.invalidate(None, JOIN_REQUEST)


def round_posted(tx: Transaction, _: RoundPosted) -> None:
    """Tell those who weren't let in as the season starts, or once no one can enter any more, that they aren't in."""
    waiting = join_requests.waiting(tx.conn, tx.season.id)
    if not waiting:
        return
    takes = eligibility.takes_players(tx)
    if takes and eligibility.next_round(tx) != 2:
        return
    asks = tx.settings.approval
    how = "/signup asks again: new players can still join." if asks else "New players can still join with /signup."
    then = how if takes else "You can join the next season."
    why = "No organiser answered in time, so season" if asks else "Season"
    _clear(tx, waiting)
    tx.tell(
        f"{why} {tx.season.number} goes on without {_names(waiting)}. {then}",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Let organisers answer those after all who weren't let in when this round was posted, until it is posted again.

    Where nobody has to be let in any more, they are told that they can join.
    """
    posted = eligibility.closed_doors_at(tx, event.round)
    stopped = () if posted is None else join_requests.stopped_at(tx.conn, tx.season.id, posted)
    again = [row for row in stopped if free_places.can_wait(tx, players.get(tx.conn, row.player_id))]
    if not again:
        return
    number, people, undone = tx.season.number, [row.discord_id for row in again], event.round.number
    if not tx.settings.approval:
        text = f"Round {undone} was undone, so {_names(again)} can still join season {number} with /signup."
        tx.tell(text, kind=OWN_PLACE, pings=people)
        return
    for row in again:
        _ask_again(tx, row)
        tx.note("entrant.ask_in", row.name)
    text = f"Round {undone} was undone, so organisers can still let {_names(again)} into season {number}."
    tx.tell(f"{text} You'll be told.", kind=OWN_PLACE, pings=people)


def moderators_moved(tx: Transaction, _: ModeratorsMoved) -> None:
    """Post the pages on which someone waits where only moderators read from now on."""
    pages = sorted({row.page for row in join_requests.waiting(tx.conn, tx.season.id)})
    outbox_rows.post_again(tx.conn, tx.season.id, JOIN_REQUEST, "page", pages, now=tx.now)


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Let no one wait for a season that is over, and tell those who did."""
    waiting = join_requests.waiting(tx.conn, tx.season.id)
    if not waiting:
        return
    _clear(tx, waiting)
    tx.tell(
        f"Season {tx.season.number} is over, and no organiser had answered {_names(waiting)}. "
        "You can join the next season: its sign-ups are announced here.",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def _names(waiting: Sequence[JoinRequestRow]) -> str:
    return first_few([row.name for row in waiting], _NAMED)


def _clear(tx: Transaction, waiting: Sequence[JoinRequestRow]) -> None:
    for row in waiting:
        stop(tx, row)


def _who_asks(conn: Connection, ids: Sequence[int]) -> dict[int, JoinRequestRow]:
    return {request.id: request for request in join_requests.some(conn, ids)}


def _section(rows: Mapping[int, JoinRequestRow]) -> Section:
    join = "An organiser lets them in or refuses. Who waits takes no place and isn't in the draw."
    return Section("Want to join", join, [row.name for row in rows.values()])


WAITING_TO_JOIN = PendingItems("join_requests", join_requests.WAITING, _who_asks, _section, by_organisers=True)
"""Players who want to join, by the id of their request, in order of asking."""
