"""Results from the players: report, confirm, dispute (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bot.league.errors import Conflict, Invalid, NotAllowed, WrongPhase
from bot.league.season.match_score import Games, Result, flipped, read_result, read_score, require_possible, score_words
from bot.league.season.model import Kind
from bot.league.season.phases import PLAYING, MatchState, RoundPhase, SeasonPhase
from bot.league.season.settings import Pace
from bot.services.base.act import Act, act, required, shortened
from bot.services.base.order import Order
from bot.services.base.permissions import Actor, is_moderator
from bot.services.matches import choosing, views
from bot.services.matches.views import MatchResult, MatchView
from bot.services.play import course, transitions, unanswered
from bot.services.play.taking_back import can_take_back
from storage.database import Connection
from storage.rows import Confirmation, EntrantRow, ReportRow, Says
from storage.tables import reports, rounds

CONTRADICTION = "The two reports contradict each other."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A match after a report or confirmation; `repeated` when nothing changed because that was said before.

    `still_open` is the player's match of the new round where the one before it was meant. `until` is how long they can
    take it back, `started` what began with it: `started round 4`.
    """

    match: MatchView
    repeated: bool = False
    still_open: MatchView | None = None
    until: datetime | None = None
    started: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """What a player says now; `games` are their own first."""

    side: EntrantRow
    result: Result
    games: Games | None


def report(
    conn: Connection,
    order: Order,
    *,
    result: str,
    match: str | int | None = None,
    score: str | None = None,
    version: int | None = None,
    time_called: bool = False,
) -> Reported:
    """Report one's own match, seen from one's own side.

    A player's own loss is confirmed at once, and so is what their opponent reported alike; two reports that differ are
    a dispute; anything else waits for the opponent. The same again changes nothing. With `time_called` it is enough to
    be ahead in games. Raises Invalid, NotAllowed, NotFound, Conflict.
    """
    said, games = read_result(result), read_score(score) if score and score.strip() else None
    with act(conn, order, match_id=match) as do:
        view = choosing.find_match(do, match)
        claim = _Claim(side=_own_side(view, order.actor), result=said, games=games)
        earlier = None if match else choosing.meant_before(do, view, claim.side, partial(_says, claim))
        if earlier is not None:
            if not _is_repeated(earlier, claim):
                raise _unclear(earlier, view, f"/report result:{said}")
            return Reported(match=earlier, repeated=True, still_open=view)
        _require_possible(do, view, claim, time_called=time_called)
        repeated = _is_repeated(view, claim)
        if not repeated or match is None:
            _require_playing(do)
        if not repeated:
            transitions.require_current(view, version)
            _require_reportable(view, claim)
            _take(do, view, claim)
        return _done(do, view, repeated=repeated)


def _done(do: Act, before: MatchView, *, repeated: bool = False) -> Reported:
    """Return what became of a match, and what began with its result."""
    view = views.match_view(do.conn, before.match.id)
    closed = before.round.phase is RoundPhase.OPEN and view.round.phase is RoundPhase.CLOSED
    started = _started(do, view) if closed else ""
    return Reported(match=view, repeated=repeated, until=can_take_back(view, do.actor, do.now), started=started)


def _started(do: Act, view: MatchView) -> str:
    following = rounds.by_number(do.conn, do.season.id, view.round.number + 1)
    if following is not None and following.phase is not RoundPhase.DRAFT:
        return f"started {following.words}"
    return "ended the season" if view.season.phase is SeasonPhase.FINISHED else ""


def _take(do: Act, view: MatchView, claim: _Claim) -> None:
    """Store a report, with what follows from it."""
    (own, their), before = claim.games or (None, None), view.report_of(claim.side) if view.dispute else None
    reports.add(
        do.conn,
        match_id=view.match.id,
        entrant_id=claim.side.id,
        result=claim.result,
        own_games=own,
        their_games=their,
        statement=None if before is None else before.statement,
        at=do.now,
    )
    after = _weigh(do, view, claim)
    transitions.keep_before(do, view, after, claim.side)
    said = f"{claim.side.called}: {claim.result}{score_words(claim.games)}"
    transitions.note(do, "result.report", view, after, said=said)
    if MatchState.CONFIRMED in (view.match.state, after.match.state):
        course.advance(do)


def _weigh(do: Act, view: MatchView, claim: _Claim) -> MatchView:
    """Return the match with a report weighed against what the opponent said."""
    other = view.report_of(view.opponent_of(claim.side))
    if other is not None and not _agree(claim, other):
        return transitions.mark_disputed(do, view, by=claim.side.id, reason=CONTRADICTION)
    if other is not None:
        played = _played(view, claim.side, claim.result, claim.games or flipped(other.games))
        return transitions.confirm(do, view, played, Confirmation.AGREEMENT)
    if claim.result is Result.LOST:
        lost = _played(view, claim.side, claim.result, claim.games)
        return transitions.confirm(do, view, lost, Confirmation.LOSS)
    if view.match.state is MatchState.DISPUTED:
        return transitions.mark_disputed(do, view, by=None, reason=CONTRADICTION)
    return transitions.mark_reported(do, view, claim.side)


def _unclear(earlier: MatchView, view: MatchView, command: str) -> Conflict:
    return Conflict(
        f"Which match do you mean? {earlier.label} is already confirmed: {earlier.state_words}. If that's wrong, ask a "
        f"moderator. For {view.label}, which is {view.match.state.words}, use {command} match:{view.code}."
    )


def _require_playing(do: Act) -> None:
    if do.season.phase not in PLAYING:
        over = f"Season {do.season.number} is {do.season.phase}, so you can't report any more."
        raise WrongPhase(f"{over} If a result is wrong, ask a moderator.")


def _own_side(view: MatchView, actor: Actor) -> EntrantRow:
    side = view.side_of(actor.user_id)
    if side is not None:
        return side
    if is_moderator(view.league, actor):
        raise NotAllowed(f"You don't play in {view.label}. As a moderator, set its result with /result set.")
    raise NotAllowed(f"Only {view.upper.called}, {view.lower.called} and moderators can do this in {view.label}.")


def _require_possible(do: Act, view: MatchView, claim: _Claim, *, time_called: bool) -> None:
    if claim.result is Result.DRAW and not view.draws:
        raise Invalid("This match can't be a draw: report won or lost. /rules says how a match is won.")
    if claim.games is not None:
        finished = not time_called and do.settings.pace is not Pace.LIVE
        require_possible(claim.games, kind=Kind.PLAYED, result=claim.result, best_of=view.best_of, finished=finished)


def _is_repeated(view: MatchView, claim: _Claim) -> bool:
    """Whether a report says what stands already, or less: the result, or one's own report."""
    if view.match.state is MatchState.CONFIRMED:
        games = view.result.games if claim.side == view.upper else flipped(view.result.games)
        return _says(claim, view) and claim.games in (None, games)
    mine = view.report_of(claim.side)
    return mine is not None and claim.result is mine.result and claim.games in (None, mine.games)


def _says(claim: _Claim, view: MatchView) -> bool:
    """Whether a report says how a confirmed match was played, whatever its games."""
    played = view.match.kind in (Kind.PLAYED, Kind.ADJUDICATED)
    return played and _played(view, claim.side, claim.result, None).winner_id == view.match.winner_id


def _agree(claim: _Claim, other: ReportRow) -> bool:
    """Whether both sides report the same; a score that only one of them gives contradicts nothing."""
    same_score = None in (claim.games, other.games) or claim.games == flipped(other.games)
    return claim.result is other.result.seen_by_opponent and same_score


def _require_reportable(view: MatchView, claim: _Claim) -> None:
    """Raise Conflict on a confirmed match, unless it stands on nothing but the opponent's report of their own loss.

    Once one of the two has left, what was confirmed stands.
    """
    if view.match.state is not MatchState.CONFIRMED:
        return
    own_loss = view.match.confirmed_by is Confirmation.LOSS and view.report_of(view.opponent_of(claim.side)) is not None
    both_here = all(side.active for side in view.sides)
    if not own_loss or not both_here or view.round.phase is not RoundPhase.OPEN:
        raise _confirmed(view)


def _confirmed(view: MatchView) -> Conflict:
    return Conflict(f"{view.label} is already confirmed: {view.state_words}. If that's wrong, ask a moderator.")


def _played(view: MatchView, side: EntrantRow, result: Result, games: Games | None) -> MatchResult:
    """Return a result as one of the players sees it, with their own games first, as a result of the match."""
    winner = {Result.WON: side.id, Result.LOST: view.opponent_of(side).id}.get(result)
    return MatchResult(kind=Kind.PLAYED, winner_id=winner, games=games if side == view.upper else flipped(games))


def confirm(conn: Connection, order: Order, *, match: str | int | None = None, version: int | None = None) -> Reported:
    """Confirm the opponent's report; a moderator can too. Raises NotAllowed, NotFound, Conflict and WrongPhase."""
    with act(conn, order, match_id=match) as do:
        view = choosing.find_match(do, match)
        side = _side_or_moderator(view, order.actor)
        earlier = None if match or side is None else choosing.meant_before(do, view, side, lambda _: True)
        if earlier is not None:
            if view.match.state is MatchState.OPEN:
                return Reported(match=earlier, repeated=True)
            raise _unclear(earlier, view, "/confirm")
        if view.match.confirmed_by is Confirmation.OPPONENT and side is not None and view.report_of(side) is None:
            return _done(do, view, repeated=True)  # pressed twice
        _require_playing(do)
        transitions.require_current(view, version)
        _require_waiting(view, side, "confirm")
        after = unanswered.accept(do, view, Confirmation.MODERATOR if side is None else Confirmation.OPPONENT)
        if side is not None:
            transitions.keep_before(do, view, after, side)
        course.advance(do)
        return _done(do, view)


def dispute(
    conn: Connection,
    order: Order,
    *,
    reason: str,
    says: Says | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Contradict the opponent's report; the moderators decide. Raises as `confirm`, and Invalid without words."""
    with act(conn, order, match_id=match) as do:
        view = choosing.find_match(do, match)
        side = _side_or_moderator(view, order.actor)
        earlier = None if match or side is None else choosing.meant_before(do, view, side, lambda _: False)
        if earlier is not None:
            raise _unclear(earlier, view, "/dispute")
        _require_playing(do)
        transitions.require_current(view, version)
        _require_waiting(view, side, "dispute")
        why = required(reason) if says is None else shortened(reason) or ""
        after = transitions.mark_disputed(do, view, by=side and side.id, reason=why, says=says)
        transitions.note(do, "result.dispute", view, after, reason=why, **({"says": says} if says else {}))
        return views.match_view(do.conn, view.match.id)


def _side_or_moderator(view: MatchView, actor: Actor) -> EntrantRow | None:
    """Return the actor's side; None for a moderator who doesn't play in the match."""
    side = view.side_of(actor.user_id)
    return None if side is None and is_moderator(view.league, actor) else _own_side(view, actor)


def _require_waiting(view: MatchView, side: EntrantRow | None, action: str) -> None:
    """Raise unless a report waits for this side's answer."""
    match view.match.state:
        case MatchState.OPEN:
            raise WrongPhase(f"No one has reported {view.label} yet, so there's nothing to {action}. Use /report.")
        case MatchState.DISPUTED:
            raise WrongPhase(f"{view.label} is disputed: the moderators will decide and tell you.")
        case MatchState.CONFIRMED:
            raise _confirmed(view)
        case MatchState.REPORTED:
            if side is not None and view.reports[-1].entrant_id == side.id:
                raise NotAllowed(
                    f"You reported {view.label} yourself, so your opponent has to {action} it. Made a mistake? /report "
                    "again."
                )


def require_disputable(view: MatchView, actor: Actor) -> None:
    """Raise what `dispute` would raise, before anyone has typed a reason."""
    _require_waiting(view, _side_or_moderator(view, actor), "dispute")
