"""How a match changes: confirmed, disputed, open again; always with its posts, and its version one higher."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.errors import Conflict
from bot.league.match_score import Games, flipped, result_words
from bot.league.model import Kind
from bot.league.phases import MatchState, require_match_move
from bot.services.matches.views import MatchView, SideView
from bot.services.outbox import promises
from bot.services.outbox.promises import PostKind
from storage import matches, reports
from storage.database import Connection
from storage.rows import Confirmation, EntrantId, MatchRow, Target

CONTRADICTION = "The two reports contradict each other."


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A result: how it came about, its winner (None: a draw or double loss) and games, the upper player's first."""

    kind: Kind
    winner_id: EntrantId | None
    games: Games | None = None

    def words(self, view: MatchView) -> str:
        """Return the result in plain words."""
        if self.winner_id is None:
            return result_words(self.kind, winner=None, loser=None, games=self.games)
        winner = winner_of(view, self)
        games = self.games if winner == view.upper else flipped(self.games)
        return result_words(self.kind, winner=winner.name, loser=view.opponent_of(winner).name, games=games)


def winner_of(view: MatchView, ruling: Ruling) -> SideView:
    """Return the side that won."""
    return view.upper if ruling.winner_id == view.upper.entrant_id else view.lower


def ruling_of(match: MatchRow) -> Ruling:
    """Return the result a match has now."""
    games = None if match.upper_games is None or match.lower_games is None else (match.upper_games, match.lower_games)
    return Ruling(kind=match.kind, winner_id=match.winner_id, games=games)


def require_current(view: MatchView, version: int | None) -> None:
    """Raise Conflict, saying what changed, where a button shows an older state of the match."""
    if version is not None and version != view.match.version:
        raise Conflict(f"This button is out of date. {view.label} is now: {view.news}. /match shows what you can do.")


async def settle(conn: Connection, match: MatchRow, ruling: Ruling, by: Confirmation, now: datetime) -> MatchRow:
    """Confirm a result; an open dispute about it is settled."""
    require_match_move(match.state, MatchState.CONFIRMED)
    upper, lower = ruling.games or (None, None)
    saved = await matches.save(
        conn,
        replace(
            match,
            state=MatchState.CONFIRMED,
            kind=ruling.kind,
            winner_id=ruling.winner_id,
            upper_games=upper,
            lower_games=lower,
            upper_points=None,
            lower_points=None,
            confirm_at=None,
            confirmed_by=by,
        ),
    )
    await reports.settle(conn, match.id, now)
    await promises.touch(conn, match_id=match.id, now=now)
    return saved


async def unsettle(
    conn: Connection, match: MatchRow, state: MatchState, now: datetime, *, confirm_at: datetime | None = None
) -> MatchRow:
    """Put a match into a state without result."""
    if match.state is not state:
        require_match_move(match.state, state)
    saved = await matches.save(
        conn,
        replace(
            match,
            state=state,
            kind=Kind.OPEN,
            winner_id=None,
            upper_games=None,
            lower_games=None,
            upper_points=None,
            lower_points=None,
            confirm_at=confirm_at,
            confirmed_by=None,
        ),
    )
    await promises.touch(conn, match_id=match.id, now=now)
    return saved


async def hand_over(conn: Connection, view: MatchView, *, by: EntrantId | None, reason: str, now: datetime) -> None:
    """Make a match disputed, or renew what is disputed, and tell the moderators."""
    await unsettle(conn, view.match, MatchState.DISPUTED, now)
    if view.dispute is not None:
        return
    dispute_id = await reports.dispute(conn, match_id=view.match.id, entrant_id=by, reason=reason, at=now)
    await promises.promise(
        conn,
        key=f"match:{view.match.id}:dispute:{dispute_id}",
        kind=PostKind.DISPUTE,
        league_id=view.league.id,
        target=Target.MODERATION,
        now=now,
        season_id=view.season_id,
        round_id=view.match.round_id,
        match_id=view.match.id,
    )
