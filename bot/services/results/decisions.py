"""Results from the moderators: decide, correct, clear, with a look at what it changes first."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from bot.league import consequences
from bot.league.coming_and_going import drops_absent
from bot.league.consequences import Consequences
from bot.league.errors import Conflict, NotAllowed, WrongPhase
from bot.league.model import DepartureKind, Kind, Match, Name
from bot.league.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.proposal import Champion, Proposal, Qualified
from bot.league.settings import SeasonSettings
from bot.services.act import note, required
from bot.services.matches import choosing, loading
from bot.services.matches.views import MatchView, SideView
from bot.services.outbox import promises
from bot.services.outbox.promises import PostKind
from bot.services.permissions import Actor, is_organiser, require_moderator
from bot.services.players.entrant_change import Case
from bot.services.players.leaving import leave
from bot.services.results.outcome import Outcome, read_outcome, ruling
from bot.services.results.transitions import Ruling, require_current, ruling_of, settle, unsettle, winner_of
from bot.services.rounds import progress
from bot.services.ties import state
from storage import entrants, matches, reports, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import Confirmation, LeagueId, SeasonRow

OWN_MATCH = " Decided by an organiser who plays in this match."


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreview:
    """What a decision would change: the result before and after, and what follows from it.

    `absent` is the player who would also be dropped from the season, because they didn't appear.
    """

    match: MatchView
    outcome: Outcome
    absent: str | None
    before: str
    after: str
    effects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A decision with all it depends on."""

    view: MatchView
    season: SeasonRow
    settings: SeasonSettings
    ruling: Ruling
    consequences: Consequences | None
    """None while the match's round is the last one posted: nothing was paired on it yet."""

    @property
    def absent(self) -> SideView | None:
        """Return the player who is dropped with this decision, because they didn't appear."""
        if not drops_absent(self.settings, self.ruling.kind):
            return None
        loser = self.view.opponent_of(winner_of(self.view, self.ruling))
        return loser if loser.active and self.view.round_phase is RoundPhase.OPEN else None


async def decide_preview(
    db: Database,
    *,
    actor: Actor,
    match: str | int,
    outcome: Outcome | str,
    league_id: LeagueId | None = None,
    kind: Kind = Kind.ADJUDICATED,
    score: str | None = None,
) -> DecisionPreview:
    """Return what `decide` would change; a typed outcome is a name, `draw` or `double loss`. Raises as `decide`."""
    async with db.snapshot() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        _require_impartial(view, actor)
        said = outcome if isinstance(outcome, Outcome) else read_outcome(view, outcome)
        case = await _case(conn, view, said, kind, score)
        last = (
            view.match.state is not MatchState.CONFIRMED
            and await matches.count_unfinished(conn, view.match.round_id) == 1
        )
        return DecisionPreview(
            match=view,
            outcome=said,
            absent=None if case.absent is None else case.absent.name,
            before=view.news,
            after=case.ruling.words(view),
            effects=_effects(case, last=last),
        )


async def decide(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    match: str | int,
    outcome: Outcome,
    reason: str,
    league_id: LeagueId | None = None,
    kind: Kind = Kind.ADJUDICATED,
    score: str | None = None,
    version: int | None = None,
    only_this_match: bool = False,
) -> MatchView:
    """Set a result as moderator, its score with the winner's games first.

    A forfeit in the open round also drops the player who didn't appear, unless the season's `no_show` or
    `only_this_match` says otherwise. Raises NotAllowed, NotFound, Invalid, and Conflict where a button is old or a
    posted bracket depends on the result.
    """
    why = required(reason)
    async with db.transaction() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        own = _require_impartial(view, actor)
        require_current(view, version)
        case = await _case(conn, view, outcome, kind, score)
        await settle(conn, view.match, case.ruling, Confirmation.MODERATOR, now)
        words = case.ruling.words(view)
        await _announce(conn, view, f"{view.label}: {words}.{OWN_MATCH if own else ''} Reason: {why}", now)
        await note(
            conn, actor=actor, now=now, league=view.league, season=case.season, action="result.set",
            subject=view.label, before={"state": view.news}, after={"state": words, **own}, reason=why,
        )  # fmt: skip
        if case.absent is not None and not only_this_match:
            await _drop_absent(conn, case, case.absent, actor, why, now)
        await _correct(conn, case, why, now)
        await progress.advance(conn, case.season.id, now)
        return await loading.match_view(conn, view.match.id)


def _require_impartial(view: MatchView, actor: Actor) -> dict[str, bool]:
    """Return what the audit says of an organiser who decides their own match; a moderator can't, and raises NotAllowed.

    Organisers may, because there may be nobody else.
    """
    require_moderator(view.league, actor)
    if view.side_of(actor.user_id) is None:
        return {}
    if not is_organiser(view.league, actor):
        raise NotAllowed(f"You can't decide {view.code}: you play in this match. Ask another moderator.")
    return {"own match": True}


async def _case(conn: Connection, view: MatchView, outcome: Outcome, kind: Kind, score: str | None) -> _Case:
    """Return a decision that can be made, with what follows from it."""
    season = await seasons.get(conn, view.season_id)
    settings = rules_season.settings_of(season)
    decided = ruling(view, settings, outcome, kind, score)
    _require_not_cancelled(season)
    if view.match.state is MatchState.CONFIRMED and ruling_of(view.match) == decided:
        raise Conflict(f"{view.label} already has this result: {view.state_words}.")
    found: Consequences | None = None
    if view.round_phase is RoundPhase.CLOSED:
        found = await _consequences(conn, view, season, decided)
        _require_explicable(view, season, found)
    return _Case(view=view, season=season, settings=settings, ruling=decided, consequences=found)


def _require_not_cancelled(season: SeasonRow) -> None:
    if season.phase is SeasonPhase.CANCELLED:
        raise WrongPhase(f"Season {season.number} was cancelled, so its results can't be changed.")


async def _consequences(conn: Connection, view: MatchView, season: SeasonRow, ruling: Ruling) -> Consequences:
    before = await rules_season.load(conn, season.id)
    names = {side.entrant_id: Name(side.name) for side in view.sides}
    match = Match(
        upper=names[view.upper.entrant_id],
        lower=names[view.lower.entrant_id],
        kind=ruling.kind,
        winner=None if ruling.winner_id is None else names[ruling.winner_id],
        games=ruling.games,
    )
    after = consequences.corrected(before, view.round_number, match)
    over = season.phase is SeasonPhase.FINISHED
    # Every later round is paired twice to see what differs.
    found = await asyncio.to_thread(consequences.of_correction, before, after, view.round_number, over=over)
    newest = await seasons.newest(conn, season.league_id)
    if over and newest is not None and newest.id != season.id and newest.phase is not SeasonPhase.SIGNUP:
        raise Conflict(
            f"Season {newest.number} has started with the ratings of season {season.number}, so its results are final."
        )
    return found


def _require_explicable(view: MatchView, season: SeasonRow, found: Consequences) -> None:
    """Raise Conflict where a posted bracket, or the end of the season, stands on the old result."""
    if found.finals:
        raise Conflict(
            f"{view.label} can't be changed like that: round {found.finals[0]} of the finals is posted already. If "
            "nobody has reported there, an organiser runs /round undo first, then fix the result, then /round post."
        )
    if season.phase is SeasonPhase.FINISHED and (found.end is None or isinstance(found.end, Proposal)):
        raise Conflict(
            f"{view.label} can't be changed like that: season {season.number} has ended, and with this result another "
            "round would have to be played."
        )


def _effects(case: _Case, *, last: bool) -> tuple[str, ...]:
    told: list[str] = []
    if case.view.dispute is not None:
        told.append("This closes the dispute.")
    if case.absent is not None:
        told.append(f"{case.absent.name} didn't appear, so this also drops them from the season.")
    if last:
        told.append("This is the last missing result of the round.")
    found = case.consequences
    if found is None:
        return (*told, "Both players will be told.")
    told.append("The round is over: posted pairings stay, ratings and standings change.")
    if found.regular:
        numbers = ", ".join(str(number) for number in found.regular)
        told.append(f"Round {numbers} would have been paired differently. It stays, marked “changed by hand”.")
    if found.moves:
        told.append(f"Standings: {'; '.join(found.moves)}.")
    if isinstance(found.end, Champion | Qualified):
        told.append(f"The champion is {found.end.name}.")
    return (*told, "Both players will be told.")


async def _correct(conn: Connection, case: _Case, why: str, now: datetime) -> None:
    """Mark the later rounds that would have been paired differently, and name the champion there is now."""
    found = case.consequences
    if found is None:
        return
    record = await rules_season.load(conn, case.season.id)
    for number in await asyncio.to_thread(consequences.rounds_to_mark, record, found.regular):
        row = await rounds.by_number(conn, case.season.id, number)
        if row is not None:
            reason = f"paired before the result of {case.view.code} was corrected ({why})"
            await rounds.change(conn, row.id, by_hand=reason)
            await promises.touch(conn, round_id=row.id, now=now)
    if case.season.phase is SeasonPhase.FINISHED:
        await _crown(conn, case.season, found, now)


async def _crown(conn: Connection, season: SeasonRow, found: Consequences, now: datetime) -> None:
    name = found.end.name if isinstance(found.end, Champion | Qualified) else None
    winner = None if name is None else await entrants.by_name(conn, season.id, name)
    await seasons.change(conn, season.id, champion_id=None if winner is None else winner.id)
    await promises.touch(conn, season_id=season.id, now=now)


async def _drop_absent(conn: Connection, case: _Case, absent: SideView, actor: Actor, why: str, now: datetime) -> None:
    change = Case(
        league=case.view.league,
        season=case.season,
        entrant=await entrants.get(conn, absent.entrant_id),
        actor=actor,
        now=now,
        reason=f"didn't appear for {case.view.code}: {why}",
    )
    await leave(conn, change, DepartureKind.DROP)


async def _announce(conn: Connection, view: MatchView, text: str, now: datetime) -> None:
    """Promise both players the news."""
    await promises.promise(
        conn,
        key=f"match:{view.match.id}:decision:{view.match.version}",
        kind=PostKind.DECISION,
        league_id=view.league.id,
        now=now,
        season_id=view.season_id,
        round_id=view.match.round_id,
        match_id=view.match.id,
        facts={"text": text},
    )


async def clear(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    match: str | int,
    reason: str,
    league_id: LeagueId | None = None,
    version: int | None = None,
) -> MatchView:
    """Clear a match as moderator: without its result, reports and dispute it is open again.

    A closed round opens again, as long as nothing was paired after it. Raises as `decide` does.
    """
    why = required(reason)
    async with db.transaction() as conn:
        view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
        own = _require_impartial(view, actor)
        require_current(view, version)
        season = await seasons.get(conn, view.season_id)
        await _require_clearable(conn, view, season)
        if view.round_phase is RoundPhase.CLOSED:
            await rounds.change(conn, view.match.round_id, phase=RoundPhase.OPEN, closed_at=None)
        await reports.clear(conn, view.match.id, now)
        await reports.settle(conn, view.match.id, now)
        await unsettle(conn, view.match, MatchState.OPEN, now)
        await state.let_go(conn, season, now)
        text = f"{view.label} is open again: the moderators cleared it.{OWN_MATCH if own else ''} Reason: {why}"
        await _announce(conn, view, text, now)
        await note(
            conn, actor=actor, now=now, league=view.league, season=season, action="result.clear",
            subject=view.label, before={"state": view.news}, after={"state": "open", **own}, reason=why,
        )  # fmt: skip
        return await loading.match_view(conn, view.match.id)


async def _require_clearable(conn: Connection, view: MatchView, season: SeasonRow) -> None:
    if view.match.state is MatchState.OPEN:
        raise WrongPhase(f"{view.label} has no result and no report, so there's nothing to clear.")
    _require_not_cancelled(season)
    gone = next((side for side in view.sides if not side.active), None)
    if gone is not None:
        raise Conflict(
            f"{gone.name} has left the season, so {view.label} can't be played. Fix the result with /result set, or an "
            "organiser takes the drop back with /player reinstate."
        )
    if view.round_phase is RoundPhase.OPEN:
        return
    latest, draft = await rounds.latest(conn, season.id), await rounds.draft(conn, season.id)
    if season.phase is SeasonPhase.FINISHED or draft is not None or latest is None or latest.id != view.match.round_id:
        raise Conflict(
            f"Round {view.round_number} is over and the next one is paired, so {view.label} can't be played again. Fix "
            "its result with /result set."
        )
