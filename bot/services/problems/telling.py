"""A player says what keeps their match from being played: which problems, how soon, who reads it, taking it back."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.league.errors import Conflict, NotAllowed, WrongPhase
from bot.league.season.choices import Pace
from bot.league.season.phases import PLAYING, MatchState, RoundPhase
from bot.services.base.events import MatchPrepared
from bot.services.base.order import Order
from bot.services.base.permissions import Actor, is_moderator
from bot.services.base.transaction import ReadTransaction, Transaction, read_transaction, required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView
from bot.services.play import time_to_play, transitions
from bot.services.problems import answering, problem_events
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId
from storage.tables import problems
from storage.tables.problems import ProblemEnd, ProblemId, ProblemKind, ProblemRow

PATIENCE = timedelta(days=1)
"""How long after a round was posted an opponent may take to answer; in a short round it is half of its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tellable:
    """A match with the kinds of problem a player can tell us about; `no_answer_from` is when they can say that one."""

    match: MatchView
    kinds: tuple[ProblemKind, ...]
    no_answer_from: datetime | None


def can_tell_problem(view: MatchView, side: EntrantRow | None) -> bool:
    """Whether a player can tell us about a problem: nothing is reported, and no one has told us about one.

    In a live round the organisers are in the room.
    """
    live = rules_season.settings_of(view.season).pace is Pace.LIVE
    playing = view.round.phase is RoundPhase.OPEN and view.season.phase in PLAYING and not live
    return side is not None and playing and view.match.state is MatchState.OPEN and view.problem is None


def tellable(conn: Connection, order: Order, *, match: MatchId) -> Tellable:
    """Return which problems the actor can tell us about; raises NotAllowed, WrongPhase and Conflict."""
    tx = read_transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = own_side(view, order.actor)
    answering.require_going_on(view)
    _require_tellable(view, side)
    begins = _no_answer_from(view, order.now)
    early = order.now < begins
    silent = () if early else (ProblemKind.NO_ANSWER,)
    absent = (ProblemKind.ABSENT,) if _agreed_is_over(view, order.now) else ()
    kinds = (*silent, *absent, ProblemKind.TOO_LATE)
    return Tellable(match=view, kinds=kinds, no_answer_from=begins if early else None)


def tell_problem(conn: Connection, order: Order, *, match: MatchId, kind: ProblemKind, text: str) -> MatchView:
    """Keep what a player says is wrong with their match; where the opponent has said so first, it is the answer.

    Raises NotAllowed, WrongPhase and Conflict.
    """
    words = required(text)
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = own_side(view, order.actor)
    answering.require_going_on(view)
    if view.problem is not None and view.problem.entrant_id != side.id:
        answering.take(tx, view, view.problem, f"{KIND_WORDS[kind]}: {words}")
    else:
        _require_tellable(view, side)
        _require_happened(view, side, kind, order.now)
        _open(tx, view, side, kind, words)
    return views.match_view(tx.conn, view.match.id)


KIND_WORDS = {
    ProblemKind.NO_ANSWER: "no answer",
    ProblemKind.ABSENT: "didn't turn up at the agreed time",
    ProblemKind.TOO_LATE: "can't before the deadline",
}
"""What a player says, in a few words."""


def _open(tx: Transaction, view: MatchView, side: EntrantRow, kind: ProblemKind, words: str) -> None:
    columns = {"entrant_id": side.id, "kind": kind, "text": words}
    problem = problems.add(tx.conn, match_id=view.match.id, **columns, at=tx.now)
    tx.note("problem.tell", view.label, after={"by": side.name, "kind": kind})
    tx.happened(MatchPrepared(match=view.match))
    if view.opponent_of(side).discord_id is None:
        answering.hand_over(tx, view, problem)
    else:
        answering.ask(tx, view, problem)
        tx.invalidate(view.match)


def withdraw(conn: Connection, order: Order, *, match: MatchId, problem: ProblemId) -> MatchView:
    """Take back what the actor said, and tell the opponent; raises NotAllowed and Conflict."""
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    problem_row = answering.require_open(view, problem)
    side = own_side(view, order.actor)
    if problem_row.entrant_id != side.id:
        raise NotAllowed(f"Only {view.side(problem_row.entrant_id).called} can withdraw this.")
    problem_events.end(tx, view.match, ProblemEnd.WITHDRAWN)
    tx.note("problem.withdraw", view.label, before={"by": side.name, "kind": problem_row.kind})
    after = time_to_play.open_again(tx, view, by_players=True)
    text = f"{side.called} says the problem is solved."
    transitions.tell_open_again(tx, view, after, text, view.opponent_of(side))
    return after


def as_told(problem: ProblemRow, view: MatchView, tx: ReadTransaction) -> ProblemRow:
    """Return a problem as someone may read it: only the two players and the moderators read the words."""
    inside = view.side_of(tx.actor.user_id) is not None or is_moderator(tx.league, tx.actor)
    return problem if inside else replace(problem, text="", answer=None, answered_at=None)


def own_side(view: MatchView, actor: Actor) -> EntrantRow:
    """Return the actor's side of a match; raises NotAllowed."""
    side = view.side_of(actor.user_id)
    if side is None:
        raise NotAllowed(f"Only {view.upper.called} and {view.lower.called} can do this in {view.label}.")
    return side


def _require_tellable(view: MatchView, side: EntrantRow) -> None:
    if view.problem is not None and view.problem.entrant_id == side.id:
        raise Conflict(f"You've told us about {view.label} already. /match shows what happens next.")
    if not can_tell_problem(view, side) and view.problem is None:
        raise WrongPhase(f"{view.label} isn't waiting to be played: {view.news}.")


def _require_happened(view: MatchView, side: EntrantRow, kind: ProblemKind, now: datetime) -> None:
    """Raise Conflict before what a player says could have happened."""
    opponent = view.opponent_of(side).called
    if kind is ProblemKind.NO_ANSWER and now < _no_answer_from(view, now):
        raise Conflict(f"The round is new: give {opponent} a day to answer. Write to them once more, then try again.")
    if kind is ProblemKind.ABSENT and not _agreed_is_over(view, now):
        raise Conflict(f"You and {opponent} have no agreed time in the past. Choose another problem.")


def _no_answer_from(view: MatchView, now: datetime) -> datetime:
    """Return when an opponent of this round can be said not to answer."""
    posted = view.round.posted_at or now
    return posted + (PATIENCE if view.deadline is None else min(PATIENCE, (view.deadline - posted) / 2))


def _agreed_is_over(view: MatchView, now: datetime) -> bool:
    return view.match.agreed_at is not None and view.match.agreed_at <= now
