"""What players ask about rounds: the current pairings, their own match, and why they were paired that way."""

import asyncio
import hashlib
from dataclasses import dataclass

from bot.league.bracket.match_names import FINAL
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.match_score import Result
from bot.league.model import DepartureKind, Stage, Status
from bot.league.phases import LIVE, PLAYING, MatchState, RoundPhase, SeasonPhase
from bot.services import find
from bot.services.act import Look, look
from bot.services.matches import choosing, views
from bot.services.matches.views import MatchView, RoundView
from bot.services.permissions import Actor
from bot.services.players.eligibility import way_back
from storage import rules_season
from storage.database import Database
from storage.rows import EntrantRow, LeagueId, MatchId, MatchRow, PlayerId, RoundRow, SeasonRow, SeatRow
from storage.tables import matches, rounds

MOST_SHELL_LINES = 6
"""The sentences show the digits of further draws and the text they are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatch:
    """A player's place in the current round, and what they can do."""

    match: MatchView | None
    bye: bool
    what_to_do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLine:
    """A draw anyone can recompute: its text, its value and the shell line that prints it."""

    text: str
    value: str
    shell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a player was paired like this; `by_hand` is the reason an organiser changed the round."""

    season: SeasonRow
    round: RoundRow
    player_id: PlayerId
    title: str
    sentences: tuple[str, ...]
    draws: tuple[DrawLine, ...]
    by_hand: str | None


async def current(
    db: Database, *, actor: Actor, league_id: LeagueId, number: int | None = None, season: int | None = None
) -> RoundView:
    """Return the last posted round of a season, by default the newest, or the round of this number; raises NotFound."""
    async with look(db, actor, league_id) as see:
        await see.in_season(season)
        return await views.round_view(see.conn, await _posted(see, number))


async def _posted(see: Look, number: int | None = None) -> RoundRow:
    latest = await rounds.latest(see.conn, see.season.id)
    if latest is None:
        raise NotFound(f"Season {see.season.number} has no posted round yet.{_first_round(see)}")
    row = latest if number is None else await rounds.by_number(see.conn, see.season.id, number)
    if row is None or row.phase is RoundPhase.DRAFT:
        raise NotFound(f"Season {see.season.number} has no posted round {number}; its last one is {latest.number}.")
    return row


def _first_round(see: Look) -> str:
    """Return when round 1 comes; one that was undone is paired by an organiser."""
    if see.season.phase in PLAYING:
        return see.hint("/round post pairs and posts round 1.", "An organiser posts round 1.")
    return see.hint("/season start begins it.", "Round 1 is posted when sign-ups close.")


async def my_match(db: Database, *, actor: Actor, league_id: LeagueId) -> MyMatch:
    """Return the asking player's match or bye in the current round, or where they stand; raises NotFound."""
    async with look(db, actor, league_id) as see:
        await see.in_season()
        entrant = await find.own_entrant(see)
        row = await rounds.latest(see.conn, see.season.id)
        seat = None if row is None else await _seat(see, row, entrant)
        if seat is None or seat.match_id is None:
            return MyMatch(match=None, bye=seat is not None, what_to_do=await _idle(see, row, entrant, seat))
        view = await views.match_view(see.conn, seat.match_id)
        return MyMatch(match=view, bye=False, what_to_do=what_to_do(view, actor))


async def _seat(see: Look, row: RoundRow, entrant: EntrantRow) -> SeatRow | None:
    return next((seat for seat in await matches.seats(see.conn, row.id) if seat.entrant_id == entrant.id), None)


async def _idle(see: Look, row: RoundRow | None, entrant: EntrantRow, seat: SeatRow | None) -> str:
    """Return where a player without a match stands."""
    season = see.season
    if season.phase not in LIVE:
        return f"Season {season.number} is over. /standings shows how it ended."
    if not entrant.active:
        return await _gone(see, entrant)
    if row is None:
        return f"You're in season {season.number}.{_first_round(see)}"
    if seat is not None:
        return _bye(row)
    return await _without_seat(see, row, entrant)


def _bye(row: RoundRow) -> str:
    if row.stage is not Stage.FINALS:
        return f"You have a bye in {row.words}: it counts as a win, and there's nothing for you to do."
    if row.name == FINAL:  # a finalist without an opponent has won already
        return "Third place is yours, because your opponent has left the season."
    return f"You have a bye in {row.words}: you're through to the next round without a match."


async def _gone(see: Look, entrant: EntrantRow) -> str:
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        return f"You were disqualified from season {see.season.number}. You can't come back this season."
    return f"You've left season {see.season.number}. {await way_back(see)}"


async def _without_seat(see: Look, row: RoundRow, entrant: EntrantRow) -> str:
    record = await rules_season.load(see.conn, see.season.id)
    # Ranking thousands takes long enough to keep others waiting.
    ranked = await asyncio.to_thread(by_key(record.format).standings, record)
    match next(line.status for line in ranked if line.name == entrant.name):
        case Status.ELIMINATED:
            bracket = ", /bracket" if see.season.phase is SeasonPhase.FINALS else " and"
            return f"You're out of this season. /standings shows your place{bracket} who is still in."
        case Status.QUALIFIED if see.season.phase is not SeasonPhase.FINALS:
            return "You're through to the finals, so you have no match until they start."
        case Status.CHAMPION:
            return "You've won this season."
        case Status.ACTIVE if row.stage is Stage.REGULAR:
            return f"You have no match in round {row.number}. You're in the season from the next round on."
        case _:
            return f"You have no match in {row.words}. /standings shows where you stand."


def what_to_do(view: MatchView, actor: Actor) -> str:
    """Return the next step of a player in their match."""
    side = view.side_of(actor.user_id)
    match view.match.state:
        case state if view.season.phase is SeasonPhase.CANCELLED and state is not MatchState.CONFIRMED:
            return "The season was cancelled, so this match doesn't count."
        case MatchState.CONFIRMED:
            return "The result is confirmed. If it's wrong, ask a moderator."
        case MatchState.DISPUTED:
            said = None if side is None else view.report_of(side)
            concede = " To give your opponent the match, use /report result:lost."
            return f"The moderators will decide and tell you.{'' if said and said.result is Result.LOST else concede}"
        case MatchState.REPORTED if side is not None and view.reports[-1].entrant_id == side.id:
            return f"{view.opponent_of(side).name} has to confirm. Made a mistake? Report again."
        case MatchState.REPORTED:
            return "Press Confirm if that's right, Dispute if it isn't."
        case MatchState.OPEN:
            return "Played? One of you presses Report on the round's card, or uses /report."


async def why(
    db: Database,
    *,
    actor: Actor,
    league_id: LeagueId,
    player: str | int | None = None,
    number: int | None = None,
    season: int | None = None,
) -> Why:
    """Return why a player (default: the one who asks) was paired like this, by default in the last posted round.

    Raises NotFound.
    """
    async with look(db, actor, league_id) as see:
        await see.in_season(season)
        row = await _posted(see, number)
        entrant = await (find.own_entrant(see) if player is None else find.entrant(see, player))
        seat = await _seat(see, row, entrant)
        if seat is None:
            raise NotFound(f"{entrant.name} doesn't play in {row.words}, so there's no pairing to explain.")
        if seat.match_id is None:
            return _why(see, f"{row.name}: {entrant.name} has a bye", row, seat, entrant)
        return _why_match(see, await views.match_view(see.conn, seat.match_id), row)


async def why_match(db: Database, *, actor: Actor, match_id: MatchId) -> Why:
    """Return why the two players of a match were paired, in whatever round it was; raises NotFound."""
    async with look(db, actor, None, match_id=match_id) as see:
        view = await choosing.find_match(see, match_id)
        return _why_match(see, view, await rounds.get(see.conn, view.match.round_id))


def _why_match(see: Look, view: MatchView, row: RoundRow) -> Why:
    title = view.heading if view.match.name else f"{row.name}: {view.pairing}"
    return _why(see, title, row, view.match, *view.sides)


def _why(see: Look, title: str, row: RoundRow, decided: MatchRow | SeatRow, *players: EntrantRow) -> Why:
    told = decided.why or ("An organiser made this pairing by hand.",)
    own = tuple(f"/{player.name}" for player in players)
    draws = sorted(decided.draws, key=lambda text: not text.endswith(own))[:MOST_SHELL_LINES]
    return Why(
        season=see.season,
        round=row,
        player_id=players[0].player_id,
        title=title,
        sentences=told,
        draws=tuple(draw_line(text) for text in draws),
        by_hand=row.by_hand,
    )


def draw_line(text: str) -> DrawLine:
    """Return a draw with the shell line that recomputes it."""
    value = hashlib.sha256(text.encode()).hexdigest()
    quoted = text.replace("'", "'\\''")
    return DrawLine(text=text, value=value, shell=f"printf '%s' '{quoted}' | sha256sum")
