"""Results from the players: report, confirm, dispute; what silence does (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.league.errors import Conflict, Invalid, NotAllowed, WrongPhase
from bot.league.match_score import Games, Result, flipped, read_result, read_score, require_possible, score_words
from bot.league.model import Kind
from bot.league.phases import PLAYING, MatchState, RoundPhase
from bot.league.settings import Pace
from bot.services.act import Act, act, required
from bot.services.matches import choosing, loading
from bot.services.matches.views import MatchResult, MatchView, ReportView, SideView
from bot.services.permissions import BOT, Actor, is_moderator
from bot.services.results import transitions
from bot.services.rounds import progress
from storage import reports
from storage.database import Connection, Database
from storage.rows import Confirmation, LeagueId, MatchId

CONTRADICTION = "The two reports contradict each other."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A match after a report; `repeated` when the same was reported before and nothing changed."""

    match: MatchView
    repeated: bool

    @property
    def confirmed(self) -> bool:
        """Return whether the result counts now."""
        return self.match.match.state is MatchState.CONFIRMED

    @property
    def disputed(self) -> bool:
        """Return whether the moderators decide."""
        return self.match.match.state is MatchState.DISPUTED


async def report(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    result: str,
    league_id: LeagueId | None = None,
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
    async with act(db, actor, now, league_id, match_id=match) as do:
        view = await choosing.find_match(do, match)
        claim = ReportView(side=_own_side(view, actor), result=said, games=games, at=now)
        earlier = None if match else await choosing.just_ended(do, view, claim.side)
        if earlier is not None:
            if not _is_repeated(earlier, claim):
                raise _unclear(earlier, view, "/report")
            return Reported(match=earlier, repeated=True)
        _require_possible(do, view, claim, time_called=time_called)
        repeated = _is_repeated(view, claim)
        if not repeated or match is None:
            _require_playing(do)
        if not repeated:
            transitions.require_current(view, version)
            _require_reportable(view, claim)
            await _take(do, view, claim)
        return Reported(match=await loading.match_view(do.conn, view.match.id), repeated=repeated)


async def _take(do: Act, view: MatchView, claim: ReportView) -> None:
    """Store a report, with what follows from it."""
    own, their = claim.games or (None, None)
    await reports.add(
        do.conn,
        match_id=view.match.id,
        entrant_id=claim.side.entrant_id,
        result=claim.result,
        own_games=own,
        their_games=their,
        at=do.now,
    )
    after = await _weigh(do, view, claim)
    said = f"{claim.side.name}: {claim.result}{score_words(claim.games)}"
    told = {"said": said, "state": after.state_words}
    await do.note("result.report", view.label, before={"state": view.state_words}, after=told)
    if MatchState.CONFIRMED in (view.match.state, after.match.state):
        await progress.advance(do)


async def _weigh(do: Act, view: MatchView, claim: ReportView) -> MatchView:
    """Return the match with a report weighed against what the opponent said."""
    other = view.report_of(view.opponent_of(claim.side))
    if other is not None and not _agree(claim, other):
        return await transitions.mark_disputed(do, view, by=claim.side.entrant_id, reason=CONTRADICTION)
    if other is not None:
        played = _played(view, claim, claim.games or flipped(other.games))
        return await transitions.confirm(do, view, played, Confirmation.AGREEMENT)
    if claim.result is Result.LOST:
        return await transitions.confirm(do, view, _played(view, claim, claim.games), Confirmation.LOSS)
    if view.match.state is MatchState.DISPUTED:
        return await transitions.mark_disputed(do, view, by=None, reason=CONTRADICTION)
    return await transitions.mark_reported(do, view, do.now + timedelta(hours=do.settings.confirm_hours))


def _unclear(earlier: MatchView, view: MatchView, command: str) -> Conflict:
    return Conflict(
        f"Which match do you mean: {earlier.label} ({earlier.state_words}) or {view.label} ({view.state_words})? "
        f"Say it with {command} match:{earlier.code} or {command} match:{view.code}."
    )


def _require_playing(do: Act) -> None:
    if do.season.phase not in PLAYING:
        raise WrongPhase(
            f"Season {do.season.number} is {do.season.phase}: nothing is reported any more. If a result is "
            "wrong, ask a moderator."
        )


def _own_side(view: MatchView, actor: Actor) -> SideView:
    side = view.side_of(actor.user_id)
    if side is not None:
        return side
    if is_moderator(view.league, actor):
        raise NotAllowed(f"You don't play in {view.label}. As a moderator, set its result with /result set.")
    raise NotAllowed(f"Only {view.upper.name} and {view.lower.name} can do this in {view.label}, or a moderator.")


def _require_possible(do: Act, view: MatchView, claim: ReportView, *, time_called: bool) -> None:
    if claim.result is Result.DRAW and not view.draws:
        raise Invalid("This match can't be a draw: report won or lost. /rules says how a match is won.")
    if claim.games is not None:
        finished = not time_called and do.settings.pace is not Pace.LIVE
        require_possible(claim.games, kind=Kind.PLAYED, result=claim.result, best_of=view.best_of, finished=finished)


def _is_repeated(view: MatchView, claim: ReportView) -> bool:
    """Whether a report says what stands already: the result, or one's own report."""
    if view.match.state is MatchState.CONFIRMED:
        result = view.result
        if result.kind not in (Kind.PLAYED, Kind.ADJUDICATED):
            return False
        games = result.games if claim.side == view.upper else flipped(result.games)
        won = Result.WON if result.winner_id == claim.side.entrant_id else Result.LOST
        return _same(claim, Result.DRAW if result.winner_id is None else won, games)
    mine = view.report_of(claim.side)
    return mine is not None and _same(claim, mine.result, mine.games)


def _same(claim: ReportView, result: Result, games: Games | None) -> bool:
    """Whether a report says this, or less."""
    return claim.result is result and claim.games in (None, games)


def _agree(claim: ReportView, other: ReportView) -> bool:
    """Whether both sides report the same; a score that only one of them gives contradicts nothing."""
    same_score = None in (claim.games, other.games) or claim.games == flipped(other.games)
    return claim.result is other.result.seen_by_opponent and same_score


def _require_reportable(view: MatchView, claim: ReportView) -> None:
    """Raise Conflict on a confirmed match, unless it stands on nothing but the opponent's report of their own loss.

    Once one of the two has left, what was confirmed stands.
    """
    if view.match.state is not MatchState.CONFIRMED:
        return
    own_loss = view.match.confirmed_by is Confirmation.LOSS and view.report_of(view.opponent_of(claim.side)) is not None
    both_here = all(side.active for side in view.sides)
    if not own_loss or not both_here or view.round_phase is not RoundPhase.OPEN:
        raise _confirmed(view)


def _confirmed(view: MatchView) -> Conflict:
    return Conflict(f"{view.label} is already confirmed: {view.state_words}. If that's wrong, ask a moderator.")


def _played(view: MatchView, claim: ReportView, games: Games | None) -> MatchResult:
    winner = {Result.WON: claim.side.entrant_id, Result.LOST: view.opponent_of(claim.side).entrant_id}
    return MatchResult(
        kind=Kind.PLAYED,
        winner_id=winner.get(claim.result),
        games=games if claim.side == view.upper else flipped(games),
    )


async def confirm(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Confirm the opponent's report; a moderator may for them. Raises NotAllowed, NotFound, Conflict and WrongPhase."""
    async with act(db, actor, now, league_id, match_id=match) as do:
        view = await choosing.find_match(do, match)
        side = _side_or_moderator(view, actor)
        earlier = None if match or side is None else await choosing.just_ended(do, view, side)
        if earlier is not None:
            if view.match.state is MatchState.OPEN:
                return earlier
            raise _unclear(earlier, view, "/confirm")
        if view.match.confirmed_by is Confirmation.OPPONENT and side is not None and view.report_of(side) is None:
            return view  # pressed twice
        _require_playing(do)
        transitions.require_current(view, version)
        said = _waiting_report(view, side, "confirm")
        await _accept(do, view, said, Confirmation.MODERATOR if side is None else Confirmation.OPPONENT)
        return await loading.match_view(do.conn, view.match.id)


async def _accept(do: Act, view: MatchView, said: ReportView, by: Confirmation) -> None:
    """Confirm a report as it is."""
    after = await transitions.confirm(do, view, _played(view, said, said.games), by)
    await do.note("result.confirm", view.label, before={"state": view.state_words}, after={"state": after.state_words})
    await progress.advance(do)


async def dispute(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    reason: str,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Contradict the opponent's report; the moderators decide. Raises as `confirm` does, and Invalid without reason."""
    async with act(db, actor, now, league_id, match_id=match) as do:
        view = await choosing.find_match(do, match)
        side = _side_or_moderator(view, actor)
        earlier = None if match or side is None else await choosing.just_ended(do, view, side)
        if earlier is not None:
            raise _unclear(earlier, view, "/dispute")
        _require_playing(do)
        transitions.require_current(view, version)
        _waiting_report(view, side, "dispute")
        why = required(reason)
        after = await transitions.mark_disputed(do, view, by=None if side is None else side.entrant_id, reason=why)
        states = [{"state": seen.state_words} for seen in (view, after)]
        await do.note("result.dispute", view.label, before=states[0], after=states[1], reason=why)
        return await loading.match_view(do.conn, view.match.id)


def _side_or_moderator(view: MatchView, actor: Actor) -> SideView | None:
    """Return the actor's side; None for a moderator who doesn't play in the match."""
    side = view.side_of(actor.user_id)
    return None if side is None and is_moderator(view.league, actor) else _own_side(view, actor)


def _waiting_report(view: MatchView, side: SideView | None, action: str) -> ReportView:
    """Return the report that waits for this side's answer."""
    match view.match.state:
        case MatchState.OPEN:
            raise WrongPhase(f"No one has reported {view.label} yet, so there's nothing to {action}. Use /report.")
        case MatchState.DISPUTED:
            raise WrongPhase(
                f"{view.label} is disputed: the moderators will decide. To give your opponent the match, use /report "
                "result:lost."
            )
        case MatchState.CONFIRMED:
            raise _confirmed(view)
        case MatchState.REPORTED:
            said = view.reports[-1]
    if side is not None and said.side.entrant_id == side.entrant_id:
        raise NotAllowed(
            f"You reported {view.label} yourself, so your opponent has to {action} it. Made a mistake? /report again."
        )
    return said


def require_disputable(view: MatchView, actor: Actor) -> None:
    """Raise what `dispute` would raise, before anyone has typed a reason."""
    _waiting_report(view, _side_or_moderator(view, actor), "dispute")


async def confirm_by_silence(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Confirm a report nobody answered in time; False where something happened meanwhile."""
    view = await loading.match_view(conn, match_id)
    do = await Act.inside(conn, BOT, view.season_id, now=now)
    waiting = view.match.confirm_at
    if do.season.phase not in PLAYING or waiting is None or waiting > now:
        return False
    await _accept(do, view, view.reports[-1], Confirmation.SILENCE)
    return True
