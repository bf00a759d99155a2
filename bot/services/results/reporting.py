"""Results from the players: report, confirm, dispute; what silence and leaving do (docs/rules.md, 9)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.league.errors import Conflict, Invalid, NotAllowed, WrongPhase
from bot.league.match_score import Games, Result, flipped, read_result, read_score, require_possible, score_words
from bot.league.model import Kind
from bot.league.phases import PLAYING, MatchState, RoundPhase
from bot.league.settings import Pace, SeasonSettings
from bot.services.act import note, required
from bot.services.matches import choosing, loading
from bot.services.matches.views import MatchView, ReportView, SideView
from bot.services.permissions import BOT, Actor, is_moderator
from bot.services.results.transitions import (
    CONTRADICTION,
    Ruling,
    hand_over,
    require_current,
    ruling_of,
    settle,
    unsettle,
)
from bot.services.rounds import progress
from storage import matches, reports, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import Confirmation, EntrantId, LeagueId, MatchId, SeasonRow

JUST_POSTED = timedelta(minutes=10)
"""How long after a round was posted a result typed without its match may still be about the round before."""

_NEW = (MatchState.OPEN, MatchState.REPORTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What became of a report; `repeated` when the same was said before and nothing changed."""

    match: MatchView
    confirmed: bool
    disputed: bool
    repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """What one side says; games are its own first."""

    side: SideView
    result: Result
    games: Games | None

    def agrees_with(self, other: ReportView) -> bool:
        """Whether the opponent's report says the same from his side; a score only one gives contradicts nothing."""
        same_score = None in (self.games, other.games) or self.games == flipped(other.games)
        return self.result is other.result.seen_by_opponent and same_score

    def repeats(self, result: Result, games: Games | None) -> bool:
        """Whether this side said the same before; saying less than before is the same too."""
        return self.result is result and self.games in (None, games)


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

    One's own loss is confirmed at once; what the opponent reported alike is confirmed; what he reported otherwise is a
    dispute; anything else waits for him. Said again it changes nothing. With `time_called` being ahead in games is
    enough. Raises Invalid, NotAllowed, NotFound, Conflict.
    """
    said, games = read_result(result), read_score(score) if score and score.strip() else None
    async with db.transaction() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        season = await seasons.get(conn, view.season_id)
        claim = _Claim(side=_own_side(view, actor), result=said, games=games)
        earlier = None if match else await _just_ended(conn, view, claim.side, now)
        if earlier is not None:
            if not _is_repeated(earlier, claim):
                raise _unclear(earlier, view, "/report")
            return Reported(match=earlier, confirmed=True, disputed=False, repeated=True)
        _require_possible(view, claim, rules_season.settings_of(season), time_called=time_called)
        repeated = _is_repeated(view, claim)
        if not repeated or match is None:
            _require_playing(season)
        if not repeated:
            require_current(view, version)
            _require_reportable(view, claim)
            await _save(conn, season, view, claim, now)
            await _note(conn, season, view, actor, now, "result.report", _claim_words(claim))
            await progress.advance(conn, season.id, now)
        view = await loading.match_view(conn, view.match.id)
    state = view.match.state
    return Reported(
        match=view,
        confirmed=state is MatchState.CONFIRMED,
        disputed=state is MatchState.DISPUTED,
        repeated=repeated,
    )


async def _just_ended(conn: Connection, view: MatchView, side: SideView, now: datetime) -> MatchView | None:
    """Return the match of the round before that a player who names none may still mean.

    That is so for a few minutes after the next round was posted, until they say something of their match in it.
    """
    row = await rounds.get(conn, view.match.round_id)
    if row.posted_at is None or now >= row.posted_at + JUST_POSTED or view.match.state not in _NEW:
        return None
    before = await rounds.by_number(conn, row.season_id, row.number - 1)
    match = None if before is None else await matches.in_round(conn, before.id, side.entrant_id)
    return None if match is None or _report_of(view, side) else await loading.match_view(conn, match.id)


def _unclear(earlier: MatchView, view: MatchView, command: str) -> Conflict:
    return Conflict(
        f"Which match do you mean: {earlier.label} ({earlier.state_words}) or {view.label} ({view.state_words})? "
        f"Say it with {command} match:{earlier.code} or {command} match:{view.code}."
    )


def _require_playing(season: SeasonRow) -> None:
    if season.phase not in PLAYING:
        raise WrongPhase(
            f"Season {season.number} is {season.phase}: nothing is reported any more. If a result is wrong, ask a "
            "moderator to correct it with /result set."
        )


def _own_side(view: MatchView, actor: Actor) -> SideView:
    side = view.side_of(actor.user_id)
    if side is not None:
        return side
    if is_moderator(view.league, actor):
        raise NotAllowed(f"You do not play in {view.label}. As a moderator, set its result with /result set.")
    raise NotAllowed(f"Only {view.upper.name} and {view.lower.name} can do this in {view.label}, or a moderator.")


def _require_possible(view: MatchView, claim: _Claim, settings: SeasonSettings, *, time_called: bool) -> None:
    if claim.result is Result.DRAW and not view.draws:
        raise Invalid("This match cannot be drawn: report won or lost. /rules shows how a match is won.")
    if claim.games is not None:
        finished = not time_called and settings.pace is not Pace.LIVE
        require_possible(claim.games, kind=Kind.PLAYED, result=claim.result, best_of=view.best_of, finished=finished)


def _is_repeated(view: MatchView, claim: _Claim) -> bool:
    """Whether the claim says what stands already: the result, or one's own report."""
    if view.match.state is MatchState.CONFIRMED:
        ruling = ruling_of(view.match)
        if ruling.kind not in (Kind.PLAYED, Kind.ADJUDICATED):
            return False
        games = ruling.games if claim.side == view.upper else flipped(ruling.games)
        return claim.repeats(_result_for(claim.side, ruling), games)
    mine = _report_of(view, claim.side)
    return mine is not None and claim.repeats(mine.result, mine.games)


def _result_for(side: SideView, ruling: Ruling) -> Result:
    if ruling.winner_id is None:
        return Result.DRAW
    return Result.WON if ruling.winner_id == side.entrant_id else Result.LOST


def _report_of(view: MatchView, side: SideView) -> ReportView | None:
    return next((said for said in view.reports if said.side.entrant_id == side.entrant_id), None)


def _require_reportable(view: MatchView, claim: _Claim) -> None:
    """Raise Conflict on a confirmed match, unless it stands on nothing but the opponent's report of his own loss.

    Once one of the two has left, what was confirmed stands.
    """
    if view.match.state is not MatchState.CONFIRMED:
        return
    theirs = _report_of(view, view.opponent_of(claim.side))
    own_loss = view.match.confirmed_by is Confirmation.LOSS and theirs is not None
    both_here = all(side.active for side in view.sides)
    if not own_loss or not both_here or view.round_phase is not RoundPhase.OPEN:
        raise Conflict(
            f"{view.label} is confirmed already: {view.state_words}. If that is wrong, ask a moderator to correct it "
            "with /result set."
        )


async def _save(conn: Connection, season: SeasonRow, view: MatchView, claim: _Claim, now: datetime) -> None:
    own, their = claim.games or (None, None)
    await reports.add(
        conn,
        match_id=view.match.id,
        entrant_id=claim.side.entrant_id,
        result=claim.result,
        own_games=own,
        their_games=their,
        at=now,
    )
    other = _report_of(view, view.opponent_of(claim.side))
    if other is not None and not claim.agrees_with(other):
        await hand_over(conn, view, by=claim.side.entrant_id, reason=CONTRADICTION, now=now)
    elif other is not None:
        games = claim.games or flipped(other.games)
        await settle(conn, view.match, _played(view, claim, games), Confirmation.AGREEMENT, now)
    elif claim.result is Result.LOST:
        await settle(conn, view.match, _played(view, claim, claim.games), Confirmation.LOSS, now)
    elif view.match.state is MatchState.DISPUTED:
        await unsettle(conn, view.match, MatchState.DISPUTED, now)
    else:
        confirm_at = now + timedelta(hours=rules_season.settings_of(season).confirm_hours)
        await unsettle(conn, view.match, MatchState.REPORTED, now, confirm_at=confirm_at)


def _played(view: MatchView, claim: _Claim, games: Games | None) -> Ruling:
    winner = {Result.WON: claim.side.entrant_id, Result.LOST: view.opponent_of(claim.side).entrant_id}
    return Ruling(
        kind=Kind.PLAYED,
        winner_id=winner.get(claim.result),
        games=games if claim.side == view.upper else flipped(games),
    )


def _claim_words(claim: _Claim) -> str:
    return f"{claim.side.name}: {claim.result}{score_words(claim.games)}"


async def _note(
    conn: Connection,
    season: SeasonRow,
    view: MatchView,
    actor: Actor,
    now: datetime,
    action: str,
    said: str | None = None,
    reason: str | None = None,
) -> None:
    after = await loading.match_view(conn, view.match.id)
    words = {"state": after.state_words} if said is None else {"said": said, "state": after.state_words}
    await note(
        conn, actor=actor, now=now, league=view.league, season=season, action=action, subject=view.label,
        before={"state": view.state_words}, after=words, reason=reason,
    )  # fmt: skip


async def confirm(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId | None = None,
    match: str | int | None = None,
    version: int | None = None,
) -> MatchView:
    """Confirm the opponent's report; a moderator may for him. Raises NotAllowed, NotFound, Conflict and WrongPhase."""
    async with db.transaction() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        side = _side_or_moderator(view, actor)
        earlier = None if match or side is None else await _just_ended(conn, view, side, now)
        if earlier is not None:
            if view.match.state is MatchState.OPEN:
                return earlier
            raise _unclear(earlier, view, "/confirm")
        if view.match.confirmed_by is Confirmation.OPPONENT and side is not None and _report_of(view, side) is None:
            return view  # pressed twice
        season = await seasons.get(conn, view.season_id)
        _require_playing(season)
        require_current(view, version)
        said = _waiting_report(view, side, "confirm")
        claim = _Claim(side=said.side, result=said.result, games=said.games)
        by = Confirmation.MODERATOR if side is None else Confirmation.OPPONENT
        await settle(conn, view.match, _played(view, claim, said.games), by, now)
        await _note(conn, season, view, actor, now, "result.confirm")
        await progress.advance(conn, season.id, now)
        return await loading.match_view(conn, view.match.id)


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
    async with db.transaction() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        side = _side_or_moderator(view, actor)
        earlier = None if match or side is None else await _just_ended(conn, view, side, now)
        if earlier is not None:
            raise _unclear(earlier, view, "/dispute")
        season = await seasons.get(conn, view.season_id)
        _require_playing(season)
        require_current(view, version)
        _waiting_report(view, side, "dispute")
        why = required(reason)
        await hand_over(conn, view, by=None if side is None else side.entrant_id, reason=why, now=now)
        await _note(conn, season, view, actor, now, "result.dispute", reason=why)
        return await loading.match_view(conn, view.match.id)


def _side_or_moderator(view: MatchView, actor: Actor) -> SideView | None:
    """Return the actor's side; None for a moderator who does not play in the match."""
    side = view.side_of(actor.user_id)
    return None if side is None and is_moderator(view.league, actor) else _own_side(view, actor)


def _waiting_report(view: MatchView, side: SideView | None, action: str) -> ReportView:
    """Return the report that waits for this side's answer."""
    match view.match.state:
        case MatchState.OPEN:
            raise WrongPhase(f"Nobody has reported {view.label} yet, so there is nothing to {action}. Use /report.")
        case MatchState.DISPUTED:
            raise WrongPhase(
                f"{view.label} is disputed: the moderators decide. To give the match to your opponent, /report lost."
            )
        case MatchState.CONFIRMED:
            raise Conflict(
                f"{view.label} is confirmed already: {view.state_words}. If that is wrong, ask a moderator to correct "
                "it with /result set."
            )
        case MatchState.REPORTED:
            said = view.reports[-1]
    if side is not None and said.side.entrant_id == side.entrant_id:
        raise NotAllowed(
            f"You reported {view.label} yourself, so your opponent has to {action} it. /report replaces what you said."
        )
    return said


def require_disputable(view: MatchView, actor: Actor) -> None:
    """Raise what `dispute` would raise: before anyone has typed a reason."""
    _waiting_report(view, _side_or_moderator(view, actor), "dispute")


async def confirm_by_silence(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Confirm a report nobody answered in time; False where something happened meanwhile."""
    view = await loading.match_view(conn, match_id)
    season = await seasons.get(conn, view.season_id)
    waiting = view.match.confirm_at
    if season.phase not in PLAYING or view.match.state is not MatchState.REPORTED or waiting is None or waiting > now:
        return False
    said = view.reports[-1]
    claim = _Claim(side=said.side, result=said.result, games=said.games)
    await settle(conn, view.match, _played(view, claim, said.games), Confirmation.SILENCE, now)
    await _note(conn, season, view, BOT, now, "result.confirm")
    await progress.advance(conn, season.id, now)
    return True


async def forfeit(conn: Connection, match_id: MatchId, loser_entrant_id: EntrantId, now: datetime) -> None:
    """Give an unfinished match to the opponent of somebody who left; a confirmed result stands."""
    match = await matches.get(conn, match_id)
    if match.state is MatchState.CONFIRMED:
        return
    view = await loading.match_view(conn, match_id)
    ruling = Ruling(kind=Kind.FORFEIT, winner_id=match.opponent_of(loser_entrant_id))
    await settle(conn, match, ruling, Confirmation.DEPARTURE, now)
    await _note(conn, await seasons.get(conn, view.season_id), view, BOT, now, "result.forfeit")
