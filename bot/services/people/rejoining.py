"""Coming back into a season: with or without an organiser's answer, or by undoing a departure.

See docs/formats/shared.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.coming_and_going import can_return
from bot.league.errors import Conflict, NotAllowed, WrongPhase
from bot.league.formats import by_key
from bot.league.season.choices import Rejoin
from bot.league.season.model import DepartureKind, Kind
from bot.league.season.phases import PLAYING, RoundPhase, SeasonPhase
from bot.services.base import find, hooks, pending_questions
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import (
    FieldChanged,
    PlayerBanned,
    PlayerForgotten,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
)
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.permissions import is_moderator, is_organiser
from bot.services.base.post_kinds import Facts, PostKind, Readers, SeasonPost, Shows, about_season, there
from bot.services.base.transaction import ReadTransaction, Transaction, live, playing, required, transaction
from bot.services.matches import views
from bot.services.matches.decision_posts import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.people import removing
from bot.services.people.removing import TakenOver
from bot.services.play import clearing, progression, time_to_play, transitions
from bot.services.play.field import eligibility, withdrawals
from bot.services.play.field.eligibility import knocked_out_in
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import DepartureRow, EntrantId, EntrantRow
from storage.tables import matches, rounds
from storage.tables.field import entrants, sat_out
from storage.tables.field.entrants import RejoinRow
from storage.tables.outbox import outbox_rows
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinFacts(Facts):
    """Which request a post is about."""

    request_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinPost(SeasonPost):
    """A player asks to come back."""

    player: EntrantRow
    request: RejoinRow


def _load(conn: Connection, post: PostRow, _: datetime) -> RejoinPost:
    request = there(entrants.request(conn, REJOIN.facts(post).request_id))
    league, season = about_season(conn, post)
    return RejoinPost(league=league, season=season, player=entrants.get(conn, request.entrant_id), request=request)


REJOIN = PostKind("rejoin", RejoinFacts, to=Readers.ORGANISERS, shows=Shows.SEASON, load=_load)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comeback:
    """A player who plays again from `round` on, or in all of them, or once an organiser agrees.

    A `forfeited` match stays lost. `to_do` is what is left to do for one who has no account. One who had `dropped`
    before they were disqualified has dropped again.
    """

    name: str
    round: int | None = None
    dropped: bool = False
    forfeited: MatchView | None = None
    to_do: str = ""


def rejoin(conn: Connection, order: Order) -> Comeback:
    """Bring the actor back into the season, or ask the organisers, as the season's `rejoin` says."""
    tx = transaction(conn, order, playing)
    season = tx.season
    entrant = find.own_entrant(tx)
    if entrant.active:
        since = knocked_out_in(tx, entrant) if rounds.published(tx.conn, season.id) else None
        if since is not None:
            raise Conflict(
                f"You've been out of season {season.number} since {since.words}, so you can't come back. "
                "Join the next season."
            )
        raise Conflict(f"You're already in season {season.number}. /match shows what comes next.")
    _require_way_back(tx, entrant)
    if tx.settings.rejoin is Rejoin.FREE:
        return Comeback(name=entrant.called, round=_come_back(tx, entrant))
    _ask(tx, entrant)
    return Comeback(name=entrant.called)


def _require_way_back(tx: Transaction, entrant: EntrantRow) -> None:
    _require_welcome(tx, entrant)
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{entrant.called} was disqualified from season {tx.season.number} and can't come back.")
    if not can_return(tx.settings):
        raise NotAllowed(f"In season {tx.season.number} players who left can't come back. Join the next season.")
    eligibility.require_before_finals(tx.season)


def _require_welcome(tx: Transaction, entrant: EntrantRow) -> None:
    """Raise NotAllowed where the person in a seat can't take part in the league any more."""
    hooks.require_welcome(tx, players.get(tx.conn, entrant.person_id))


def _ask(tx: Transaction, entrant: EntrantRow) -> None:
    if entrants.waiting_request(tx.conn, entrant.id) is not None:
        raise Conflict("You've already asked. You'll be told when an organiser answers.")
    eligibility.require_open_stage(tx, entrant.called)
    request_id = entrants.ask_back(tx.conn, entrant.id, tx.now)
    tx.enqueue(REJOIN, RejoinFacts(request_id=request_id))
    tx.note("entrant.ask_rejoin", entrant.name, after={"request": request_id})


def answer_rejoin(conn: Connection, order: Order, *, request_id: int, accept: bool) -> Comeback:
    """Answer a request to come back and tell the player; raises Conflict where it was answered already."""
    request = pending_questions.found(entrants.request(conn, request_id))
    tx, entrant = pending_questions.to_answer(conn, order, request.entrant_id)
    if tx.season.phase not in PLAYING:
        raise WrongPhase(f"Season {tx.season.number} is over. {entrant.called} can join the next one.")
    if request.answered_at is not None:
        raise Conflict(f"This request was already {'accepted' if request.accepted else 'refused'}.")
    entrants.answer(conn, request_id, accepted=accept, at=order.now)
    if accept:
        _require_way_back(tx, entrant)
    number = _come_back(tx, entrant) if accept else _refuse(tx, entrant)
    tx.invalidate()
    return Comeback(name=entrant.called, round=number)


def _refuse(tx: Transaction, entrant: EntrantRow) -> None:
    tx.note("entrant.answer_rejoin", entrant.name, after={"accepted": False})
    text = f"{entrant.called} can't come back into season {tx.season.number}: an organiser refused the request."
    tx.tell(f"{text} They can join the next season.", kind=OWN_PLACE, pings=[entrant.discord_id])


def _come_back(tx: Transaction, entrant: EntrantRow) -> int:
    """Let a player play from the next round on; the rounds between are lost without an opponent."""
    left, number = eligibility.departure(tx, entrant), eligibility.next_round(tx)
    if number > left.round:
        entrants.change_departure(tx.conn, left.id, rejoined=number)
    else:  # nothing was paired since: as if they had never left
        entrants.forget_departure(tx.conn, left.id)
    eligibility.require_open_stage(tx, entrant.called)
    _back(tx, entrant, "entrant.rejoin", left.kind, number)
    return number


def _back(
    tx: Transaction, entrant: EntrantRow, action: str, status: DepartureKind, number: int, reason: str | None = None
) -> None:
    eligibility.settle_request(tx, entrant, accepted=True)
    tx.note(action, entrant.name, before={"status": status}, after={"from_round": number}, reason=reason)
    away = sat_out.in_round(tx.conn, entrant.id, number)
    plays = f"plays from round {number} on" if away is None else f"still sits out round {number}"
    how = ", as if they had never left" if by_key(tx.season.format).fixed_rounds else f" and {plays}"
    text = f"{entrant.called} is back in season {tx.season.number}{how}."
    tx.tell(text, kind=OWN_PLACE, pings=[] if tx.actor.user_id == entrant.discord_id else [entrant.discord_id])
    tx.happened(FieldChanged())
    tx.invalidate()
    progression.advance(tx)


def player_gone(tx: Transaction, event: PlayerForgotten | PlayerBanned) -> None:
    """Take a request to come back away: no one could play in that place any more."""
    place = None if tx.found is None else find.seat_of(tx, event.player)
    if place is not None and not place.active:
        eligibility.settle_request(tx, place, accepted=False)


def reinstate(
    conn: Connection, order: Order, *, player: str, reason: str | None, agreed: str | None = None
) -> Comeback:
    """Undo a drop or disqualification before the next round is paired; a drop later too, with the rounds missed.

    Who was disqualified after a drop has dropped again, or comes back in the round that was agreed.
    Moderators can undo what a moderator decided. Raises ConfirmationNeeded and NotAllowed.
    """
    tx = transaction(conn, order, live, by=_undoing)
    why = required(reason)
    entrant = find.entrant(tx, player)
    left = entrants.last_departure(tx.conn, entrant.id)
    if left is None or not left.by_moderator:
        tx.organiser()
    if entrant.discord_id == order.actor.user_id and not is_organiser(tx.league, order.actor):
        raise NotAllowed("You can't decide about your own place. Ask another moderator or an organiser.")
    if entrant.active:
        raise Conflict(f"{entrant.called} is in season {tx.season.number}; there's nothing to undo.")
    _require_welcome(tx, entrant)
    left, number = eligibility.departure(tx, entrant), eligibility.next_round(tx)
    fixed = by_key(tx.season.format).fixed_rounds
    earlier = removing.taken_over(tx, entrant)
    in_time = earlier is not None and (number <= earlier.first or fixed)
    if earlier is not None and not earlier.comeback and in_time:
        return _drop_again(tx, entrant, left, earlier, why, agreed)
    missed = number > left.round + left.after_pairing and not fixed  # a round was paired without them
    if fixed:
        _require_no_finals(tx, entrant)
        _require_group(tx, entrant, left, number)
    if missed and not in_time:
        _require_returnable(tx, entrant)
    forfeited = None if missed else _forfeited(tx, entrant.id)
    require_confirmation(withdrawals.of_reinstating(tx, entrant, left, number, forfeited), agreed)
    to_do = withdrawals.without_account(tx, entrant)
    if missed:
        entrants.change_departure(tx.conn, left.id, kind=DepartureKind.DROP)
        return Comeback(name=entrant.called, round=_come_back(tx, entrant), to_do=to_do)
    entrants.forget_departure(tx.conn, left.id)
    if fixed:
        _open_again(tx, entrants.get(tx.conn, entrant.id))
    _back(tx, entrant, "entrant.reinstate", left.kind, number, why)
    first, lost = (None, None) if fixed else (number, forfeited)
    return Comeback(name=entrant.called, round=first, forfeited=lost, to_do=to_do)


def _drop_again(
    tx: Transaction, entrant: EntrantRow, left: DepartureRow, earlier: TakenOver, why: str | None, agreed: str | None
) -> Comeback:
    """Undo the disqualification of a player who had dropped before."""
    text = f"{entrant.called}'s disqualification from season {tx.season.number} is undone."
    text += " They've left the season, as before."
    cost = f"{text} A post in the league's channel says so. /player reinstate puts them back then."
    require_confirmation(cost, agreed)
    dropped = DepartureKind.DROP
    entrants.change_departure(tx.conn, left.id, kind=dropped, by_moderator=earlier.by_moderator)
    tx.note("entrant.reinstate", entrant.name, before={"status": left.kind}, after={"status": dropped}, reason=why)
    tx.tell(text, kind=OWN_PLACE, pings=[entrant.discord_id])
    return Comeback(name=entrant.called, dropped=True)


def _open_again(tx: Transaction, entrant: EntrantRow) -> None:
    """Open the matches that leaving cost a player who is back, of every round, and tell both players of each.

    An opponent who is gone loses theirs.
    """
    lost = transitions.lost_by_leaving(tx, entrant)
    opens = [view for view in lost if view.opponent_of(entrant).active]
    for view in lost:
        if view not in opens:
            transitions.lose(tx, view, view.opponent_of(entrant).id)
    clearing.reopen_earlier(tx, [view.round for view in opens if view.round.phase is RoundPhase.CLOSED])
    for view in opens:
        after = transitions.reopen(tx, views.match_view(tx.conn, view.match.id))
        progression.results_missing(tx, after.round)
        matches.change(tx.conn, after.match.id, overdue_at=None)
        text = f"{entrant.called} is back. {time_to_play.PLAY}"
        transitions.tell_players(tx, after, text, kind=OPEN_AGAIN, until=after.deadline)
        transitions.note(tx, "result.clear", view, after)


def _require_no_finals(tx: Transaction, entrant: EntrantRow) -> None:
    """Raise WrongPhase once the finals go on: then it stays as it is."""
    if tx.season.phase is SeasonPhase.FINALS:
        raise WrongPhase(f"The finals of season {tx.season.number} have begun without {entrant.called}: it's too late.")


def _require_group(tx: Transaction, entrant: EntrantRow, left: DepartureRow, next_round: int) -> None:
    """Raise WrongPhase for who left before the groups were made, once they are: they are in none."""
    if left.round == 1 and not left.after_pairing and next_round > 1:
        text = f"{entrant.called} left season {tx.season.number} before round 1 was paired, so they are in no group."
        raise WrongPhase(f"{text} They can join the next season.")


def _undoing(tx: ReadTransaction) -> None:
    """Raise NotAllowed unless the actor can undo some drops: all as organiser, as moderator what moderators decided."""
    if not is_moderator(tx.league, tx.actor):
        tx.organiser()


def _require_returnable(tx: Transaction, entrant: EntrantRow) -> None:
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        paired = f"The next round was paired without {entrant.called}"
        raise Conflict(f"{paired}, so the disqualification can't be undone any more.")
    _require_way_back(tx, entrant)


def _forfeited(tx: Transaction, entrant_id: EntrantId) -> MatchView | None:
    """Return the match that leaving cost, where it could still be played after clearing its result."""
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is None or latest.phase is not RoundPhase.OPEN:
        return None
    match = matches.in_round(tx.conn, latest.id, entrant_id)
    lost = match is not None and match.kind is Kind.FORFEIT and match.winner_id != entrant_id
    return views.match_view(tx.conn, match.id) if lost and match is not None else None


def round_posted(tx: Transaction, _: RoundPosted) -> None:
    """Refuse requests to come back once no round is left for them, and tell who asked."""
    waits = entrants.waiting_requests(tx.conn, tx.season.id)
    if waits and not (tx.season.phase is SeasonPhase.RUNNING and eligibility.is_round_left(tx)):
        _refuse_waiting(tx, "no organiser answered in time, and there's no round left to join")


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Let organisers answer requests to come back after all that were refused as this round was posted."""
    posted = eligibility.closed_doors_at(tx, event.round)
    requests = () if posted is None else entrants.refused_at(tx.conn, tx.season.id, posted)
    people = {request.id: entrants.get(tx.conn, request.entrant_id) for request in requests}
    again = {id_: entrant for id_, entrant in people.items() if _can_ask(tx, entrant)}
    for id_, entrant in again.items():
        entrants.ask_back_again(tx.conn, id_)
        tx.note("entrant.ask_rejoin", entrant.name, after={"request": id_})
        text = f"Round {event.round.number} was undone, so organisers can still let {entrant.called} back into"
        tx.tell(f"{text} season {tx.season.number}. You'll be told.", kind=OWN_PLACE, pings=[entrant.discord_id])
    outbox_rows.post_again(tx.conn, tx.season.id, REJOIN, "request_id", list(again), now=tx.now)


def _can_ask(tx: Transaction, entrant: EntrantRow) -> bool:
    """Whether someone who left can still want to come back: they dropped out, have an account and aren't banned."""
    dropped = entrant.departed is DepartureKind.DROP and entrant.discord_id is not None
    return dropped and hooks.is_welcome(tx, players.get(tx.conn, entrant.person_id))


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Refuse requests to come back into a season that is over, and tell who asked."""
    _refuse_waiting(tx, "it's over, and no organiser had answered")


def _refuse_waiting(tx: Transaction, why: str) -> None:
    for row in entrants.waiting_requests(tx.conn, tx.season.id):
        entrant = entrants.get(tx.conn, row.entrant_id)
        eligibility.settle_request(tx, entrant, accepted=False)
        refused = f"{entrant.called} can't come back into season {tx.season.number}: {why}."
        tx.tell(f"{refused} They can join the next season.", kind=OWN_PLACE, pings=[entrant.discord_id])


def _who_asks(conn: Connection, ids: Sequence[int]) -> dict[int, EntrantRow]:
    requests = entrants.requests(conn, ids)
    people = entrants.some(conn, [request.entrant_id for request in requests])
    return {request.id: player for request, player in zip(requests, people, strict=True)}


def _section(rows: Mapping[int, EntrantRow]) -> Section:
    back = "An organiser accepts or refuses. If accepted, the player is paired from the next round on."
    return Section("Want to come back", back, [player.called for player in rows.values()])


REQUESTS = PendingItems(
    "rejoin_requests", entrants.REJOIN_REQUESTS, _who_asks, _section, {REJOIN: "request_id"}, by_organisers=True
)
"""Players who want to come back, by the id of their request."""
