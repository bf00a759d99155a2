"""What players ask about rounds: the current pairings, their own match, and why they were paired so."""

import hashlib
from dataclasses import dataclass

from bot.league.errors import NotFound
from bot.league.phases import MatchState, RoundPhase, SeasonPhase
from bot.services import find
from bot.services.act import Look
from bot.services.matches import choosing, loading
from bot.services.matches.views import MatchView, RoundView
from bot.services.permissions import Actor
from storage import matches, rounds
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, MatchId, MatchRow, RoundRow, SeasonRow, SeatRow

MOST_SHELL_LINES = 6
"""The sentences show the digits of further draws and the text they are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatch:
    """A player's place in the current round, and what he can do."""

    match: MatchView | None
    bye: bool
    what_to_do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLine:
    """A draw anybody can recompute: its text, its value and the shell line that prints it."""

    text: str
    value: str
    shell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a player was paired as he was; `by_hand` is the reason an organiser changed the round."""

    title: str
    sentences: tuple[str, ...]
    draws: tuple[DrawLine, ...]
    by_hand: str | None


async def current(db: Database, *, league_id: LeagueId, number: int | None = None) -> RoundView:
    """Return the last posted round of the league's newest season, or the round of this number; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id)
        return await loading.round_view(conn, await _posted(conn, await find.season(conn, league, None), number))


async def _posted(conn: Connection, season: SeasonRow, number: int | None = None) -> RoundRow:
    latest = await rounds.latest(conn, season.id)
    if latest is None:
        raise NotFound(f"Season {season.number} has no posted round yet. {_before_the_first(season)}")
    row = latest if number is None else await rounds.by_number(conn, season.id, number)
    if row is None or row.phase is RoundPhase.DRAFT:
        raise NotFound(f"Season {season.number} has no posted round {number}; its last one is {latest.number}.")
    return row


def _before_the_first(season: SeasonRow) -> str:
    if season.phase is SeasonPhase.SIGNUP:
        return "Its sign-ups are open: /signup joins, /season start begins."
    return "/season status shows where it stands."


async def my_match(db: Database, *, actor: Actor, league_id: LeagueId) -> MyMatch:
    """Return the asking player's match, or his bye, in the current round; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id, actor)
        season = await find.season(conn, league, None)
        entrant = await find.own_entrant(await Look.inside(conn, actor, season.id))
        if season.phase is SeasonPhase.SIGNUP:
            return MyMatch(match=None, bye=False, what_to_do="You are signed up. Round 1 is posted when sign-ups end.")
        row = await _posted(conn, season)
        seat = await _seat(conn, row, entrant)
        if seat is None or seat.match_id is None:
            return MyMatch(match=None, bye=seat is not None, what_to_do=_idle(season, row, entrant, seat))
        view = await loading.match_view(conn, seat.match_id)
        return MyMatch(match=view, bye=False, what_to_do=what_to_do(view, actor))


async def _seat(conn: Connection, row: RoundRow, entrant: EntrantRow) -> SeatRow | None:
    return next((seat for seat in await matches.seats(conn, row.id) if seat.entrant_id == entrant.id), None)


def _idle(season: SeasonRow, row: RoundRow, entrant: EntrantRow, seat: SeatRow | None) -> str:
    if season.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED):
        return f"Season {season.number} is over: /standings shows how it ended."
    if not entrant.active:
        return "You have left this season. /rejoin asks to come back, where its rules allow it."
    if seat is not None:
        return f"You have the bye in round {row.number}: it counts as a win, and there is nothing to do until the next."
    if season.phase is SeasonPhase.FINALS:
        return "You have no match in this round of the finals. /bracket shows how it goes on."
    return f"You have no match in round {row.number}; you are paired again in the next one."


def what_to_do(view: MatchView, actor: Actor) -> str:
    """Return the next step of a player in his match."""
    side = view.side_of(actor.user_id)
    state = view.match.state
    if state is MatchState.CONFIRMED:
        return "The result is confirmed. If it is wrong, ask a moderator to correct it with /result set."
    if state is MatchState.DISPUTED:
        return "The moderators will decide and tell you. To give the match to your opponent, use /report result:lost."
    if state is MatchState.OPEN or side is None or not view.reports:
        score = "; your own games come first in the score" if view.best_of > 1 else ""
        return f"After the match, press I won or I lost, or use /report{score}."
    if view.reports[-1].side.entrant_id == side.entrant_id:
        return f"{view.opponent_of(side).name} has to confirm. Until then /report replaces what you said."
    return "Press Confirm if that is right, Dispute if it is not."


async def why(db: Database, *, actor: Actor, league_id: LeagueId, player: str | None = None) -> Why:
    """Return why a player (default: the one who asks) was paired as he was in the current round; raises NotFound."""
    async with db.snapshot() as conn:
        league = await find.league(conn, league_id, actor)
        season = await find.season(conn, league, None)
        row = await _posted(conn, season)
        entrant = await _asked_about(conn, league, season, actor, player)
        seat = await _seat(conn, row, entrant)
        if seat is None:
            raise NotFound(f"{entrant.name} does not play in round {row.number}, so there is no pairing to explain.")
        if seat.match_id is None:
            return _why(f"Round {row.number}: {entrant.name} has a bye", row, seat, entrant.name)
        return _why_match(await loading.match_view(conn, seat.match_id), row)


async def why_match(db: Database, *, actor: Actor, match_id: MatchId) -> Why:
    """Return why the two players of a match were paired, in whatever round it was; raises NotFound."""
    async with db.snapshot() as conn:
        view = await choosing.find(conn, actor=actor, league_id=None, match=match_id)
        return _why_match(view, await rounds.get(conn, view.match.round_id))


async def _asked_about(
    conn: Connection, league: LeagueRow, season: SeasonRow, actor: Actor, player: str | None
) -> EntrantRow:
    if player is None:
        return await find.own_entrant(await Look.inside(conn, actor, season.id))
    return await find.entrant(Look(conn=conn, actor=actor, league=league, found=season), player)


def _why_match(view: MatchView, row: RoundRow) -> Why:
    upper, lower = view.upper.name, view.lower.name
    return _why(f"Round {row.number}: {upper} v {lower}", row, view.match, upper, lower)


def _why(title: str, row: RoundRow, decided: MatchRow | SeatRow, *names: str) -> Why:
    told = decided.why or ("An organiser made this pairing by hand.",)
    own = tuple(f"/{name}" for name in names)
    draws = sorted(decided.draws, key=lambda text: not text.endswith(own))[:MOST_SHELL_LINES]
    return Why(title=title, sentences=told, draws=tuple(draw_line(text) for text in draws), by_hand=row.by_hand)


def draw_line(text: str) -> DrawLine:
    """Return a draw with the shell line that recomputes it."""
    value = hashlib.sha256(text.encode()).hexdigest()
    quoted = text.replace("'", "'\\''")
    return DrawLine(text=text, value=value, shell=f"printf '%s' '{quoted}' | sha256sum")
