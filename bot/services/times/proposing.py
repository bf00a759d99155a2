"""Propose times for a match: what is offered, what a typed time means, and sending up to three of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.league.errors import Conflict, Invalid, NotAllowed, WrongPhase
from bot.league.match_day import typed_time
from bot.league.match_day.starts import Person, Start, starts
from bot.league.match_day.typed_time import Readings
from bot.league.match_day.zones import city_of
from bot.league.season.choices import Pace
from bot.league.season.local_time import full_words
from bot.league.season.phases import MatchState
from bot.services.base import find, outbox
from bot.services.base.events import AccountChanged, MatchPrepared
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.transaction import ReadTransaction, Transaction, read_transaction, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView
from bot.services.times import own_zone, time_events
from bot.services.times.time_posts import TIMES, TimesFacts
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow
from storage.tables import matches, times
from storage.tables.outbox import outbox_rows
from storage.tables.times import TimeAnswer, TimeProposalRow

MOST = 3
"""As many starts as one proposal holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a player can propose to their opponent; `people` are those of the two who have said where they live."""

    match: MatchView
    side: EntrantRow
    people: Mapping[EntrantId, Person]
    starts: tuple[Start, ...]

    @property
    def opponent(self) -> EntrantRow:
        """The other player."""
        return self.match.opponent_of(self.side)

    @property
    def me(self) -> Person | None:
        """When the player can play; None before they have said where they live."""
        return self.people.get(self.side.id)

    @property
    def them(self) -> Person | None:
        """When the opponent can play, if they have said where they live."""
        return self.people.get(self.opponent.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What was sent; `agreed_at` where the opponent had proposed one of these times too.

    An `unheard` one isn't mentioned to the opponent, who has no account or wants no messages about times.
    """

    match: MatchView
    opponent: EntrantRow
    starts: tuple[datetime, ...]
    agreed_at: datetime | None
    unheard: bool


def can_agree(view: MatchView, now: datetime) -> bool:
    """Whether the players of a match can still agree on a time."""
    return not _refusal(view, now)


def offer(conn: Connection, order: Order, *, match: int) -> Offer:
    """Return what the actor can propose for their match; raises NotAllowed, WrongPhase and Conflict."""
    tx = read_transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = require_side(view, tx, order.now)
    zones = own_zone.people(tx.conn, view.sides)
    bare = Offer(match=view, side=side, people=zones, starts=())
    return bare if bare.me is None else replace(bare, starts=starts(order.now, view.deadline, bare.me, bare.them))


def require_side(view: MatchView, tx: ReadTransaction, now: datetime) -> EntrantRow:
    """Return the player who acts; raises where it isn't one of the two, or there's no time to agree on."""
    side = view.side_of(tx.actor.user_id)
    if side is None:
        raise NotAllowed(f"Only {view.upper.called} and {view.lower.called} can agree on a time for this match.")
    refusal = _refusal(view, now)
    if refusal:
        raise WrongPhase(refusal)
    opponent = view.opponent_of(side)
    if opponent.discord_id is None:
        raise Conflict(f"{opponent.called} has no Discord account here. Agree on a time where you can reach them.")
    return side


def _refusal(view: MatchView, now: datetime) -> str:
    if rules_season.settings_of(view.season).pace is Pace.LIVE:
        return "This event is played live, so everyone plays at the same time."
    if view.match.state is not MatchState.OPEN or view.stopped:
        return f"There's no time to agree on: {view.label} is {view.state_words}. /match shows what's next."
    if view.deadline is not None and view.deadline <= now:
        return "The deadline has passed, so there's no time left to agree on. /match shows what's next."
    return ""


def require_possible(view: MatchView, start: datetime, zone: ZoneInfo | None, now: datetime) -> None:
    """Raise Invalid for a start that has passed or is after the deadline, with what to do."""
    zone = zone or ZoneInfo("UTC")
    words = f"{full_words(start, zone)} in {city_of(zone.key)}"
    if start <= now:
        raise Invalid(f"{words} has passed. Choose a later time.")
    if view.deadline is not None and start > view.deadline:
        until = full_words(view.deadline, zone)
        raise Invalid(f"{words} is after the deadline: {until}. Choose an earlier time, or ask an organiser for more.")


def typed(conn: Connection, order: Order, *, match: int, text: str) -> tuple[Offer, Readings]:
    """Return what a typed time can mean to the actor; raises Invalid where none of it is possible."""
    offered = offer(conn, order, match=match)
    if offered.me is None:
        raise Conflict("Set your time zone first: press Propose times again.")
    readings = typed_time.read(text, now=order.now, zone=offered.me.zone)
    if not any(_is_possible(offered.match, start, order.now) for start in readings.moments):
        require_possible(offered.match, readings.moments[0], offered.me.zone, order.now)
    return offered, readings


def _is_possible(view: MatchView, start: datetime, now: datetime) -> bool:
    return now < start and (view.deadline is None or start <= view.deadline)


def propose(
    conn: Connection, order: Order, *, match: int, chosen: Sequence[datetime], declines: int | None = None
) -> Proposed:
    """Send up to three starts to the opponent, in place of the actor's earlier ones and of those they decline.

    Where the opponent has proposed one of them too, it's agreed at once: the earliest of those. Raises as `offer`
    does, and Invalid for a start that isn't possible.
    """
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = require_side(view, tx, order.now)
    sent = tuple(sorted(set(chosen)))[:MOST]
    me = own_zone.people(tx.conn, [side]).get(side.id)
    for start in sent:
        require_possible(view, start, me.zone if me else None, order.now)
    opponent = view.opponent_of(side)
    waiting = times.waiting_proposals(tx.conn, [view.match.id])
    theirs = next((row for row in waiting if row.entrant_id == opponent.id), None)
    own = next((row.moments for row in waiting if row.entrant_id == side.id), None)
    declined = theirs is not None and theirs.id == declines
    both = set(sent).intersection(theirs.moments if theirs else ())
    if both:
        view = time_events.agree(tx, view, opponent, min(both))
    elif own != sent or declined:  # the same again changes nothing
        _send(tx, view, side, sent, theirs, declines)
    unheard = bool(outbox.unreachable(tx.conn, tx.league.id, TIMES, [opponent]))
    return Proposed(match=view, opponent=opponent, starts=sent, agreed_at=min(both, default=None), unheard=unheard)


def _send(
    tx: Transaction,
    view: MatchView,
    side: EntrantRow,
    sent: Sequence[datetime],
    theirs: TimeProposalRow | None,
    declines: int | None,
) -> None:
    """Propose some starts; times the opponent proposed meanwhile still wait, unless these are the answer to them."""
    opponent, match = view.opponent_of(side), view.match
    times.end_proposals(tx.conn, match.id, TimeAnswer.REPLACED, tx.now, by=side.id)
    if theirs is not None and theirs.id != declines:
        outbox_rows.invalidate(tx.conn, TIMES, now=tx.now, match_id=match.id)
    else:
        times.end_proposals(tx.conn, match.id, TimeAnswer.DECLINED, tx.now)
        tx.retract_all(match, TIMES)
    at = [int(start.timestamp()) for start in sent]
    row = times.propose(tx.conn, match_id=match.id, entrant_id=side.id, proposed_at=tx.now, starts=at)
    _ask(tx, view, opponent, row)
    outbox_rows.invalidate(tx.conn, THREAD, now=tx.now, match_id=match.id)
    tx.note("match.propose-times", view.label, after={"by": side.called, "starts": at})
    tx.happened(MatchPrepared(match=match))


def _ask(tx: Transaction, view: MatchView, opponent: EntrantRow, row: TimeProposalRow) -> None:
    people, last = [opponent.discord_id], max(row.moments)
    tx.enqueue(TIMES, TimesFacts(proposal=row.id), view.match, people=people, expires_at=last)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask a player with a new account about the times their opponent proposed, if any are still to come."""
    side = find.seat_of(tx, event.after)
    if side is None:
        return
    for row in times.waiting_proposals(tx.conn, [match.id for match in matches.open_of(tx.conn, side.id)]):
        if row.entrant_id != side.id and tx.now < max(row.moments):
            view = views.match_view(tx.conn, row.match_id)
            tx.retract_all(view.match, TIMES)
            _ask(tx, view, side, row)
