"""Results from the players: report, confirm, dispute, take back (docs/formats/shared.md)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.league.bracket.match_names import with_article
from bot.league.errors import Conflict, Invalid, NotAllowed, WrongPhase
from bot.league.match_day.weighing import TAKE_BACK_MINUTES, Meaning, Said, weigh
from bot.league.season.choices import Pace
from bot.league.season.in_words import capitalised
from bot.league.season.match_score import (
    Result,
    read_result,
    read_scoreline,
    require_agreeing,
    require_possible,
    score_words,
)
from bot.league.season.model import Kind
from bot.league.season.phases import PLAYING, MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.permissions import Actor, is_moderator
from bot.services.base.transaction import Transaction, required, shortened, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.decision_posts import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.play import progression, transitions, unanswered
from storage.database import Connection
from storage.rows import Confirmation, EntrantRow, Says
from storage.tables import reports, rounds

JUST_SAID = timedelta(minutes=2)
"""How long the same result, typed again by a player who gave their word on the round before, may be a repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A match after a report or confirmation; `repeated` when nothing changed because that was said before.

    `until` is how long they can take it back, `started` what began with it: `started round 4`.
    """

    match: MatchView
    repeated: bool = False
    until: datetime | None = None
    started: str = ""


def report(
    conn: Connection,
    order: Order,
    *,
    result: str,
    match: str | int | None = None,
    score: str | None = None,
    version: int | None = None,
    time_called: bool = False,
    agreed: str | None = None,
) -> Reported:
    """Report one's own match, seen from one's own side; raises ConfirmationNeeded for one typed just after a new round.

    A player's own loss is confirmed at once, and so is what their opponent reported alike; two reports that differ are
    a dispute; anything else waits for the opponent. The same again changes nothing. With `time_called` it is enough to
    be ahead in games. Where the season has scores, one is needed. Raises Invalid, NotAllowed, NotFound, Conflict.
    """
    ended = read_result(result)
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = _own_side(view, order.actor)
    statement = Said(ended, read_scoreline(score, scores=view.scores, best_of=view.best_of, needed=True))
    if match is None:
        _ask_which(tx, view, side, statement.result, agreed)
    _require_possible(tx, view, statement, time_called=time_called)
    meaning = _weighed(view, side, statement)
    if meaning is not Meaning.SAME or match is None:
        require_playing(tx)
    if meaning is Meaning.SAME:
        return _done(tx, view, repeated=True)
    transitions.require_current(view, version)
    if meaning is Meaning.REFUSED:
        raise _confirmed(view)
    return _take(tx, view, side, statement, meaning)


def _ask_which(tx: Transaction, view: MatchView, side: EntrantRow, result: Result | None, agreed: str | None) -> None:
    """Raise ConfirmationNeeded where a player may mean the match before, of the round that has just ended.

    Someone else decided it. So may one who types once more, within these minutes, what they have just said.
    """
    if view.report_of(side) is not None or view.match.state is MatchState.CONFIRMED:
        return
    earlier = match_finding.just_before(tx, view, side)
    if earlier is None:
        return
    mine = earlier.report_of(side)
    again = mine is not None and mine.result is result and tx.now < mine.at + JUST_SAID
    if again or not match_finding.has_spoken(earlier, side):
        before = earlier.against(side) if view.round.together else f"your match of {with_article(earlier.place)}"
        require_confirmation(
            f"This is for {view.against(side)}. Right? {capitalised(before)} is already confirmed:"
            f" {earlier.state_words}.",
            agreed,
        )


def _weighed(view: MatchView, side: EntrantRow, result: Said) -> Meaning:
    """Return what a report means. A loss only its player reported is final once the round or one of the two is gone."""
    both_here = all(side.active for side in view.sides)
    open_ = view.match.confirmed_by is Confirmation.LOSS and both_here and view.round.phase is RoundPhase.OPEN
    mine, theirs = view.said_by(side), view.said_by(view.opponent_of(side))
    return weigh(result, view.match.state, mine=mine, theirs=theirs, counted=view.played_by(side), final=not open_)


def _done(tx: Transaction, view: MatchView, *, repeated: bool = False, started: str = "") -> Reported:
    return Reported(match=view, repeated=repeated, until=can_take_back(view, tx.actor, tx.now), started=started)


def _advance(tx: Transaction, after: MatchView) -> Reported:
    """Continue the season after a result; return what became of its match by that, and what began."""
    progression.advance(tx)
    (now,) = rounds.placed(tx.conn, after.round.id)
    view = replace(after, round=now.round, season=now.season)
    closed = after.round.phase is RoundPhase.OPEN and view.round.phase is RoundPhase.CLOSED
    return _done(tx, view, started=_started(tx, view) if closed else "")


def _started(tx: Transaction, view: MatchView) -> str:
    following = rounds.latest(tx.conn, tx.season.id)
    if following is not None and following.phase is RoundPhase.OPEN:
        return f"started {following.stage_words}"
    return "ended the season" if view.season.phase is SeasonPhase.FINISHED else ""


def _take(tx: Transaction, view: MatchView, side: EntrantRow, result: Said, meaning: Meaning) -> Reported:
    """Store a report, with what follows from it."""
    games, score = (pair or (None, None) for pair in result.scoreline)
    before = view.report_of(side) if view.dispute else None
    report = reports.add(
        tx.conn,
        match_id=view.match.id,
        entrant_id=side.id,
        result=result.result,
        own_games=games[0],
        their_games=games[1],
        own_score=score[0],
        their_score=score[1],
        statement=None if before is None else before.statement,
        at=tx.now,
    )
    heard = replace(view, reports=(*[earlier for earlier in view.reports if earlier.entrant_id != side.id], report))
    if meaning is Meaning.CONFIRMED:
        theirs = view.said_by(view.opponent_of(side))
        how = Confirmation.LOSS if theirs is None else Confirmation.AGREEMENT
        after = transitions.confirm(tx, heard, view.as_result(side, result.with_score_of(theirs)), how)
    elif meaning is Meaning.DISPUTED:
        after = transitions.mark_disputed(tx, heard, by=side.id, reason="")  # both reports say it all
    else:
        after = transitions.mark_reported(tx, heard, side)
    after = transitions.keep_before(tx, view, after, side)
    words = f"{side.called}: {result.result}{score_words(*result.scoreline)}"
    transitions.note(tx, "result.report", view, after, said=words)
    if view.dispute is not None and meaning is Meaning.CONFIRMED:
        text = f"{side.called} agrees now, so it counts: {after.state_words}."
        transitions.tell_players(tx, after, text, view.opponent_of(side))
    counts = MatchState.CONFIRMED in (view.match.state, after.match.state)
    return _advance(tx, after) if counts else _done(tx, after)


def require_playing(tx: Transaction) -> None:
    """Raise WrongPhase once nothing can be reported any more."""
    if tx.season.phase not in PLAYING:
        over = f"Season {tx.season.number} is {tx.season.phase}, so you can't report any more."
        raise WrongPhase(f"{over} If a result is wrong, ask a moderator.")


def _own_side(view: MatchView, actor: Actor) -> EntrantRow:
    side = view.side_of(actor.user_id)
    if side is not None:
        return side
    if is_moderator(view.league, actor):
        raise NotAllowed(f"You don't play in {view.label}. As a moderator, set its result with /result set.")
    raise NotAllowed(f"Only {view.upper.called}, {view.lower.called} and moderators can do this in {view.label}.")


def _require_possible(tx: Transaction, view: MatchView, result: Said, *, time_called: bool) -> None:
    if result.result is Result.DRAW and not view.draws:
        raise Invalid("This match can't be a draw: report won or lost. /rules says how a match is won.")
    games, score = result.scoreline
    if games is not None:
        finished = not time_called and tx.settings.pace is not Pace.LIVE
        require_possible(games, kind=Kind.PLAYED, result=result.result, best_of=view.best_of, finished=finished)
    if score is not None:
        require_agreeing(score, kind=Kind.PLAYED, result=result.result)


def _confirmed(view: MatchView) -> Conflict:
    return Conflict(f"{view.label} is already confirmed: {view.state_words}. If that's wrong, ask a moderator.")


def confirm(
    conn: Connection,
    order: Order,
    *,
    match: str | int | None = None,
    version: int | None = None,
    agreed: str | None = None,
) -> Reported:
    """Confirm the opponent's report. Raises NotAllowed, NotFound, Conflict, WrongPhase, ConfirmationNeeded.

    One who types it after their match was confirmed by someone else, which began a new round, hears that it is.
    """
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match, fits=match_finding.waits_for)
    side = _own_side(view, order.actor)
    if match is None:
        earlier = match_finding.just_before(tx, view, side) if view.match.state is MatchState.OPEN else None
        if earlier is not None:
            return Reported(match=earlier, repeated=True)
        _ask_which(tx, view, side, None, agreed)
    by_opponent = view.match.confirmed_by is Confirmation.OPPONENT
    if match is not None and by_opponent and view.report_of(side) is None:
        return _done(tx, view, repeated=True)  # pressed twice
    require_playing(tx)
    transitions.require_current(view, version)
    require_waiting(view, side, "confirm")
    after = unanswered.accept(tx, view, Confirmation.OPPONENT)
    return _advance(tx, transitions.keep_before(tx, view, after, side))


def dispute(
    conn: Connection,
    order: Order,
    *,
    reason: str,
    says: Says | None = None,
    match: str | int | None = None,
    version: int | None = None,
    agreed: str | None = None,
) -> MatchView:
    """Contradict the opponent's report; the moderators decide. Raises as `confirm`, and Invalid without words."""
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match, fits=match_finding.waits_for)
    side = _side_or_moderator(view, order.actor)
    if side is None:
        tx.moderator()  # the right it takes
    if match is None and side is not None and view.match.state is MatchState.REPORTED:
        _ask_which(tx, view, side, None, agreed)
    require_playing(tx)
    transitions.require_current(view, version)
    require_waiting(view, side, "dispute")
    why = required(reason) if says is None else shortened(reason) or ""
    after = transitions.mark_disputed(tx, view, by=side.id if side else None, reason=why, says=says)
    transitions.note(tx, "result.dispute", view, after, reason=why, **({"says": says} if says else {}))
    if side is None:
        text = "A moderator disputed the report you were asked about, so you don't have to answer it."
        transitions.tell_players(tx, after, f"{text} The moderators decide and tell you.", view.asked, kind=OPEN_AGAIN)
    return after


def _side_or_moderator(view: MatchView, actor: Actor) -> EntrantRow | None:
    """Return the actor's side; None for a moderator who doesn't play in the match."""
    side = view.side_of(actor.user_id)
    return None if side is None and is_moderator(view.league, actor) else _own_side(view, actor)


def require_waiting(view: MatchView, side: EntrantRow | None, action: str) -> None:
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
    require_waiting(view, _side_or_moderator(view, actor), "dispute")


def can_take_back(view: MatchView, actor: Actor, now: datetime) -> datetime | None:
    """Return until when a person can take back the press that made a result count; None where they can't."""
    pressed, side = view.takeback, _presser(view, actor)
    if pressed is None or side is None or (pressed.entrant_id, pressed.version) != (side.id, view.match.version):
        return None
    going_on = view.round.phase is RoundPhase.OPEN and view.season.phase in PLAYING
    until = pressed.at + timedelta(minutes=TAKE_BACK_MINUTES)
    return until if going_on and now < until and all(player.active for player in view.sides) else None


def _presser(view: MatchView, actor: Actor) -> EntrantRow | None:
    """Return whose press the actor could take back: their own, or as moderator what they confirmed for a player."""
    side = view.side_of(actor.user_id)
    if view.match.confirmed_by is not Confirmation.MODERATOR:
        return side
    confirmed = side is None and is_moderator(view.league, actor)
    return view.side(view.takeback.entrant_id) if view.takeback and confirmed else None


def take_back(conn: Connection, order: Order, *, match: int, version: int) -> MatchView:
    """Make a match what it was before the actor's press, and tell the other player; raises Conflict when too late.

    What a moderator confirmed for a player is asked again, and the reporter is told.
    """
    tx = transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    transitions.require_current(view, version)
    side = _presser(view, order.actor)
    if view.takeback is None or side is None or can_take_back(view, order.actor, order.now) is None:
        raise Conflict(f"{view.label} can't be taken back any more: {view.state_words}. Ask a moderator.")
    after = transitions.put_back(tx, view, view.takeback)
    progression.results_missing(tx, view.round)
    other = view.opponent_of(side)
    restored = views.match_view(tx.conn, view.match.id)
    waits = restored.match.state is MatchState.REPORTED
    fields = {"said": restored.said(restored.reports[-1])} if waits else {}
    transitions.note(tx, "result.take-back", view, after, **fields)
    if restored.match.state is MatchState.OPEN:
        text = f"{side.called} took back the loss they reported."
        step = "Report the result once you've played."
        transitions.tell_open_again(tx, view, restored, text, other, step=step, taken_back_by=side.id)
    elif not waits or restored.asked != other:  # else the question tells them
        for_them = view.match.confirmed_by is Confirmation.MODERATOR
        text, by = _told(restored, side.called, for_them=for_them), None if for_them else side.id
        transitions.tell_players(tx, restored, text, other, kind=OPEN_AGAIN, taken_back_by=by)
    return restored


def _told(restored: MatchView, side: str, *, for_them: bool) -> str:
    """Return what the other player is told, by what the match waits for again."""
    if for_them:
        return f"A moderator confirmed your report by mistake and took that back, so it waits for {side} again."
    if restored.match.state is MatchState.REPORTED:
        return f"{side} took back their answer, so your report waits for it again."
    return f"{side} took back what they reported last, so the moderators decide after all."
